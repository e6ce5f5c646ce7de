package lists

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/text/encoding/charmap"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/lexicon"
	"github.com/rackmate/rackmate/lexicon/hunspell"
	"github.com/rackmate/rackmate/lexicon/tessdata"
)

// lexiconCommand returns the command that works with word lists.
func lexiconCommand() *cobra.Command {
	return cli.WithVerbs(&cobra.Command{
		Use: "lexicon build | merge | save | check | words | diff | info ...", Short: "builds, joins, saves and compares word lists, and looks words up",
		Example: "rackmate lexicon build mine words.txt\nrackmate lexicon check --lexicon mine.lex quiz qi",
	}, buildCommand(), mergeCommand(), saveCommand(), checkCommand(), wordsCommand(), diffCommand(), infoCommand())
}

// outputFlag adds the flag for the output file of a list.
func outputFlag(c *cobra.Command, file *string) {
	c.Flags().StringVarP(file, "output", "o", "", "the `FILE` to write; without it the list's name with .lex")
	cli.FileFlag(c, "output", "lex")
}

// buildOptions holds the options for building a list.
type buildOptions struct {
	name, file          string
	out, rejected, code string
	strict, lower       bool
	texts               []string
}

func buildCommand() *cobra.Command {
	var o buildOptions
	c := &cobra.Command{
		Use: "build [FLAG]... NAME WORDS.txt", Short: "compiles a file of words, a word a line",
		Long:    "compiles a file of words, a word a line; lines that begin with # are notes. It leaves out what can't be played, and counts that. WORDS may be a Hunspell dictionary (.dic, with the .aff beside it).",
		Example: "rackmate lexicon build mine words.txt\nrackmate lexicon build --language hr --lower hr /usr/share/hunspell/hr_HR.dic",
		Args:    cli.Args(2, 2, "build takes a name for the list and the file with its words"), ValidArgsFunction: cli.Files("txt", "dic"),
		RunE: func(c *cobra.Command, args []string) error {
			o.name, o.file = args[0], args[1]
			return o.run(cli.StdOf(c))
		},
	}
	outputFlag(c, &o.out)
	c.Flags().BoolVar(&o.strict, "strict", false, "refuse a list with a line that can't be played")
	c.Flags().StringVar(&o.rejected, "rejected", "", "write the lines that were left out to a `FILE`")
	cli.FileFlag(c, "rejected")
	cli.LanguageFlag(c, &o.code, "the language of the words: a `CODE`, or the file of a language")
	c.Flags().BoolVar(&o.lower, "lower", false, "leave out lines with capitals: names and abbreviations")
	c.Flags().StringArrayVar(&o.texts, "text", nil, "a `FILE` or folder of texts that tell which forms of a Hunspell dictionary are usual; may be given again")
	cli.FileFlag(c, "text")
	return c
}

// run builds a list. It skips and counts words that can't be played; with --strict they are an
// error.
func (o buildOptions) run(std cli.Std) error {
	in, name, err := cli.ListLanguage(o.code, o.name)
	if err != nil {
		return err
	}
	a := in.Tiles.Alphabet()
	progress := cli.NewProgress(std.Err, "building "+name, 0)
	defer progress.Done()
	list, err := readWords(std, progress, o.file, o.texts, o.strict)
	if err != nil {
		return err
	}
	if o.lower {
		list = inLowerCase(list)
	}
	words, bad, err := lexicon.ReadList(a, bytes.NewReader(markSeams(in, list)))
	if err != nil {
		return fmt.Errorf("%s: %w", o.file, err)
	}
	if o.rejected != "" {
		if err := writeRejected(o.rejected, bad); err != nil {
			return err
		}
	}
	switch {
	case o.strict && len(bad) > 0:
		var errs []error
		for _, line := range bad {
			errs = append(errs, line)
		}
		return fmt.Errorf("%s can't be used as it is:\n%w", o.file, errors.Join(errs...))
	case len(words) == 0:
		progress.Done()
		printRejected(std.Err, bad)
		return fmt.Errorf("%s has no playable word: write one word a line; lines that begin with # are comments", o.file)
	}
	lex, err := lexicon.New(name, a, words)
	if err != nil {
		return err
	}
	progress.Done()
	printRejected(std.Err, bad)
	return saveLexicon(std, progress, lex, o.out)
}

// readWords returns the words of a file as UTF-8, one a line.
func readWords(std cli.Std, progress *cli.Progress, file string, texts []string, strict bool) ([]byte, error) {
	list, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(file) == ".dic" {
		if list, err = hunspellWords(std, progress, file, list, texts); err != nil {
			return nil, err
		}
	}
	if len(texts) > 0 && filepath.Ext(file) != ".dic" {
		return nil, cli.UsageError("--text needs a Hunspell dictionary (.dic)")
	}
	if strict || utf8.Valid(list) || bytes.IndexByte(list, 0) >= 0 {
		return list, nil
	}
	progress.Done()
	fmt.Fprintf(std.Err, "%s isn't UTF-8: it is read as ISO-8859-1\n", file)
	return charmap.ISO8859_1.NewDecoder().Bytes(list)
}

// mostExpanded limits the words, counting duplicates, made from a Hunspell dictionary. No list used
// for play has more.
const mostExpanded = 9_000_000

// expansions lists the limits to try so that a dictionary stays within mostExpanded, the most
// generous first. They drop long words before word forms, because most words played have at most
// eight letters.
var expansions = []hunspell.Limits{
	{Most: hunspell.TwoEndings, Longest: 21}, {Most: hunspell.TwoEndings, Longest: 15}, {Most: hunspell.OneEnding, Longest: 15},
	{Most: hunspell.OneAffix, Longest: 15}, {Most: hunspell.OneAffix, Longest: 12}, {Most: hunspell.OneAffix, Longest: 10}, {Most: hunspell.OneAffix, Longest: 8},
	{Most: hunspell.StemsAlone, Longest: 21},
}

// textThresholds lists the thresholds to try for words learned from texts, the most generous
// first. Each has two counts of words in the text that are formed in the same way: from the first
// count, the way applies to the stems of these words, from the second, to all stems.
var textThresholds = [][2]int{{3, 60}, {8, 200}, {30, 1000}}

// longestStudied limits the letters of a word learned from texts. Longer ones don't fit most
// boards.
const longestStudied = 15

// hunspellWords returns the words of a Hunspell dictionary, one a line: its stems with the endings
// allowed by the .aff file beside it, as many as the limits permit. It skips words that no tiles
// can spell, such as the elided articles of Italian. If the limits leave out words, texts show
// which forms are common; words of the texts themselves, compounds included, are added if the
// dictionary allows them.
func hunspellWords(std cli.Std, progress *cli.Progress, file string, stems []byte, texts []string) ([]byte, error) {
	affixes, err := os.ReadFile(strings.TrimSuffix(file, ".dic") + ".aff")
	if err != nil {
		return nil, fmt.Errorf("%s is a Hunspell dictionary and needs its affix file: %w", file, err)
	}
	d, err := hunspell.Read(affixes, stems)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	text, err := readTexts(texts)
	if err != nil {
		return nil, err
	}
	spells := func(r rune) bool { return unicode.In(r, unicode.L, unicode.M) || r == '·' }
	study := d.Study(text)
	for i, within := range expansions {
		within.Spells = spells
		list, n := listWithin(d.Words(within))
		if n > mostExpanded {
			continue
		}
		for _, w := range study.Known() {
			list = append(append(list, w...), '\n')
		}
		if i == 0 {
			return list, nil
		}
		progress.Done()
		fmt.Fprintf(std.Err, "%s has over %d words: %s, and those with more letters are its stems alone", file, mostExpanded, within)
		if len(texts) > 0 {
			fmt.Fprint(std.Err, ", or are made as words of the text are")
			list = append(list, listStudied(study, spells)...)
		}
		fmt.Fprintln(std.Err)
		stems, _ := listWithin(d.Words(hunspell.Limits{Most: hunspell.StemsAlone, Spells: spells}))
		return append(list, stems...), nil
	}
	return nil, fmt.Errorf("%s has more than %d words, too many for a word list", file, mostExpanded)
}

// listStudied returns the dictionary words learned from texts, as many as the limit permits.
func listStudied(study *hunspell.Study, spells func(rune) bool) []byte {
	for _, least := range textThresholds {
		if list, n := listWithin(study.Words(least[0], least[1], hunspell.Limits{Longest: longestStudied, Spells: spells})); n <= mostExpanded {
			return list
		}
	}
	return nil
}

// mark matches an HTML tag.
var mark = regexp.MustCompile(`<[^>]*>`)

// readTexts returns the words of files, and of all files in folders: text, HTML, or Tesseract
// language data. Capitalized words are included in lower case too, as they would appear inside a
// sentence.
func readTexts(names []string) (map[string]bool, error) {
	words := map[string]bool{}
	for _, name := range names {
		err := filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			b, err := os.ReadFile(file)
			if err == nil && filepath.Ext(file) == ".traineddata" {
				known, err := tessdata.Words(b)
				if err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
				for w := range known {
					words[w], words[strings.ToLower(w)] = true, true
				}
				return nil
			}
			if err != nil || !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
				return err // not UTF-8, so not text: perhaps a picture
			}
			text := string(b)
			if ext := filepath.Ext(file); ext == ".html" || ext == ".htm" || ext == ".xhtml" {
				text = html.UnescapeString(mark.ReplaceAllString(text, " "))
			}
			for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M) && r != '·' }) {
				words[w], words[strings.ToLower(w)] = true, true
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return words, nil
}

// listWithin returns words, one a line, and their number. It stops when there are too many.
func listWithin(words iter.Seq[string]) (list []byte, n int) {
	for w := range words {
		if n++; n > mostExpanded {
			return nil, n
		}
		list = append(append(list, w...), '\n')
	}
	return list, n
}

// inLowerCase returns a list without the lines that have capitals, which are names and
// abbreviations in spelling lists.
func inLowerCase(list []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(list) {
		if bytes.Equal(line, bytes.ToLower(line)) {
			kept = append(kept, line...)
		} else {
			kept = append(kept, '\n') // to keep the line numbers
		}
	}
	return kept
}

// markSeams returns a list with "|" between letters that look like one tile but are two, as far as
// the language's file knows.
func markSeams(in *language.Language, list []byte) []byte {
	var marked []byte
	for line := range bytes.Lines(list) {
		word := string(bytes.TrimSpace(line))
		if m := in.Mark(word); m != word && word[0] != '#' {
			line = []byte(m + "\n")
		}
		marked = append(marked, line...)
	}
	return marked
}

// saveLexicon writes a built list to a file, or to a file with the list's name if none is given,
// and prints its summary. It replaces the file, so that programs with the old one open aren't
// affected.
func saveLexicon(std cli.Std, progress *cli.Progress, lex *lexicon.Lexicon, file string) error {
	file = cmp.Or(file, lex.Name()+".lex")
	if err := cli.Replace(file, 0o644, func(f *os.File) error { _, err := lex.WriteTo(f); return err }); err != nil {
		return err
	}
	progress.Done()
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() { // the list itself may have gone to standard output
		return printInfo(std.Err, lex)
	}
	return printInfo(std.Out, lex)
}

func saveCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "save [-o FILE] LIST", Short: "saves a list as a file",
		Long: "saves a list as a file that a host maps into memory, such as one that is packed in the program.",
		Args: cli.Args(1, 1, "name one list"), ValidArgsFunction: cli.Lists,
		RunE: func(c *cobra.Command, args []string) error {
			lex, err := cli.OpenLexicon(args[0])
			if err != nil {
				return err
			}
			std := cli.StdOf(c)
			progress := cli.NewProgress(std.Err, "unpacking "+lex.Name(), 0)
			defer progress.Done()
			return saveLexicon(std, progress, lex, out)
		},
	}
	outputFlag(c, &out)
	return c
}

// printRejected prints how many lines were left out for each reason, with a few examples.
func printRejected(w io.Writer, bad []*lexicon.LineError) {
	const examples = 3
	byFault := map[lexicon.Fault][]*lexicon.LineError{}
	for _, line := range bad {
		byFault[line.Fault] = append(byFault[line.Fault], line)
	}
	if len(bad) == 0 {
		return
	}
	fmt.Fprintf(w, "unplayable lines, left out: %d\n", len(bad))
	for _, fault := range slices.Sorted(maps.Keys(byFault)) {
		lines := byFault[fault]
		fmt.Fprintf(w, "%7d %s, such as", len(lines), fault)
		for i, line := range lines[:min(len(lines), examples)] {
			fmt.Fprintf(w, "%s %.40q (line %d)", []string{"", ","}[min(i, 1)], line.Text, line.Line)
		}
		fmt.Fprintln(w)
	}
}

// writeRejected writes the lines that were left out to a file, with the reasons.
func writeRejected(file string, bad []*lexicon.LineError) error {
	var text bytes.Buffer
	for _, line := range bad {
		fmt.Fprintf(&text, "%d\t%s\t%s\n", line.Line, line.Text, line.Reason)
	}
	return os.WriteFile(file, text.Bytes(), 0o644)
}

func mergeCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "merge [-o FILE] NAME LIST LIST...", Short: "makes a list of all the words of others",
		Args: cli.Args(3, cli.Many, "merge takes a name for the new list, and two lists or more"), ValidArgsFunction: cli.Lists,
		RunE: func(c *cobra.Command, args []string) error {
			return mergeLexicons(cli.StdOf(c), out, args[0], args[1:])
		},
	}
	outputFlag(c, &out)
	return c
}

// mergeLexicons builds a list of all the words of other lists.
func mergeLexicons(std cli.Std, out, name string, of []string) error {
	lists, err := openAlike(of)
	if err != nil {
		return err
	}
	progress := cli.NewProgress(std.Err, "building "+name, 0)
	defer progress.Done()
	var words []lexicon.Word
	for _, l := range lists {
		words = slices.AppendSeq(words, l.Words())
	}
	lex, err := lexicon.New(name, lists[0].Alphabet(), words)
	if err != nil {
		return err
	}
	return saveLexicon(std, progress, lex, out)
}

// openAlike opens lists that must have the same alphabet.
func openAlike(names []string) ([]*lexicon.Lexicon, error) {
	var lists []*lexicon.Lexicon
	for _, name := range names {
		l, err := cli.OpenLexicon(name)
		if err != nil {
			return nil, err
		}
		if len(lists) > 0 && !l.Alphabet().Equal(lists[0].Alphabet()) {
			return nil, fmt.Errorf("%s and %s use different letters", names[0], name)
		}
		lists = append(lists, l)
	}
	return lists, nil
}

func wordsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "words LIST", Short: "prints a list's words, a word a line", Args: cli.Args(1, 1, "name one list"), ValidArgsFunction: cli.Lists,
		RunE: func(c *cobra.Command, args []string) error { return printWords(cli.StdOf(c), args[0]) },
	}
}

// printWords prints a list's words in a form that builds the same list again.
func printWords(std cli.Std, list string) error {
	lex, err := cli.OpenLexicon(list)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(std.Out)
	for w := range lex.Words() {
		out.WriteString(lex.Alphabet().Spell(w))
		out.WriteByte('\n')
	}
	return out.Flush()
}

func diffCommand() *cobra.Command {
	return &cobra.Command{
		Use: "diff LIST LIST", Short: "prints the words that only one of two lists has",
		Long: "prints the words that only one of two lists has, with - for the first and + for the second; exit status 1 if they differ.",
		Args: cli.Args(2, 2, "name two lists"), ValidArgsFunction: cli.Lists,
		RunE: func(c *cobra.Command, args []string) error { return diffLexicons(cli.StdOf(c), args) },
	}
}

// diffLexicons prints the words that only one of two lists has: "-" before words of the first, "+"
// before words of the second. If the lists differ it fails, like diff.
func diffLexicons(std cli.Std, names []string) error {
	lists, err := openAlike(names)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(std.Out)
	var found [2]int
	for i, sign := range []string{"-", "+"} {
		for w := range lists[i].Words() {
			if !lists[1-i].Has(w) {
				found[i]++
				fmt.Fprintln(out, sign+lists[i].Alphabet().Spell(w))
			}
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(std.Err, "%d words only in %s, %d only in %s\n", found[0], names[0], found[1], names[1])
	if found != [2]int{} {
		return cli.ErrFailed
	}
	return nil
}

func checkCommand() *cobra.Command {
	var list string
	c := &cobra.Command{
		Use: "check [--lexicon LIST] WORD...", Short: "looks words up",
		Long: "looks words up; exit status 1 if one isn't valid.",
		Args: cli.Args(1, cli.Many, "name the words to look up"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error { return checkWords(cli.StdOf(c), list, args) },
	}
	cli.LexiconFlag(c, &list, cli.DefaultLexicon)
	return c
}

// checkWords prints whether each word is in a list.
func checkWords(std cli.Std, list string, words []string) error {
	lex, err := cli.OpenLexicon(list)
	if err != nil {
		return err
	}
	var failed error
	languages, err := cli.OpenLanguages(nil)
	if err != nil {
		return err
	}
	a := lex.Alphabet()
	if l := cli.LanguageOf(lex, languages); l.Tiles.Alphabet().Equal(a) {
		a = l.Tiles.Alphabet() // which can parse the words as written
	}
	for _, text := range words {
		if hasText(lex, a, text) {
			w, _ := a.Parse(text)
			fmt.Fprintln(std.Out, a.String(w), "valid")
			continue
		}
		fmt.Fprintln(std.Out, text, "not valid")
		failed = cli.ErrFailed
	}
	return failed
}

// hasText reports whether a list has a word as people write it, spelled by tiles in any way.
func hasText(lex *lexicon.Lexicon, a *lexicon.Alphabet, text string) bool {
	ways := append([]string{text}, a.OtherReadings(text)...)
	return slices.ContainsFunc(ways, func(way string) bool {
		w, err := a.Parse(way)
		return err == nil && lex.Has(w)
	})
}

func infoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "info [LIST]...", Short: "describes lists, or all that come along", ValidArgsFunction: cli.Lists,
		RunE: func(c *cobra.Command, args []string) error { return lexiconInfo(cli.StdOf(c), args) },
	}
}

// lexiconInfo prints descriptions of lists, by default of all shipped ones.
func lexiconInfo(std cli.Std, lists []string) error {
	if len(lists) == 0 {
		lists = data.Lexicons()
	}
	languages, err := cli.OpenLanguages(nil)
	if err != nil {
		return err
	}
	for _, l := range lists {
		lex, err := cli.OpenLexicon(l)
		if err != nil {
			return err
		}
		if err := errors.Join(printInfo(std.Out, lex), printOrigin(std.Out, lex), printPacked(std.Out, lex), printShare(std.Out, lex, languages)); err != nil {
			return err
		}
	}
	return nil
}

func printInfo(w io.Writer, lex *lexicon.Lexicon) error {
	_, err := fmt.Fprintf(w, "%s words=%d bytes=%d sha256=%s\n", lex.Name(), lex.Len(), lex.Size(), lex.Hash())
	return err
}

// printPacked prints where a packed list is, or will be, stored unpacked.
func printPacked(w io.Writer, lex *lexicon.Lexicon) error {
	file, size, err := cli.UnpackedFile(lex)
	switch {
	case err != nil: // no cache folder: each process unpacks it itself
		return nil
	case lex.IsPacked():
		_, err = fmt.Fprintf(w, "  it comes packed: what first looks for plays in it unpacks it, in some seconds, into %s\n", file)
	case size > 0:
		_, err = fmt.Fprintf(w, "  it came packed, and is kept unpacked in %s, %d MB\n", file, size>>20)
	}
	return err
}

// origins describes the shipped lists: what each is, its age and its limits.
var origins = map[string]string{
	"en":       "English as a word game had it in about 2014, with 960 words that dictionaries have added since, vulgar words included. " + notTheGames,
	"en-clean": "English as a word game had it in about 2014, with 951 words that dictionaries have added since, without vulgar words. It is the default of every host. " + notTheGames,
	"es":       "A spelling dictionary of Spanish with every form, of 2023. " + notAGameList,
	"fr":       "A spelling dictionary of French with every form, of 2020. " + notAGameList,
	"pt":       "A spelling dictionary of European Portuguese with every form, of 2023. " + notAGameList,
	"nl":       "A spelling list of Dutch, OpenTaal 2.20.19, with many compounds. " + notAGameList,
	"pl":       "The spelling dictionary of sjp.pl with every form, of March 2022. " + notAGameList,
	"ru":       "A spelling dictionary of Russian with every form, of 2023; players of Russian allow nouns alone. " + notAGameList,
	"lt":       "A spelling dictionary of Lithuanian with one ending or beginning a word, of 2023. " + notAGameList,
	"tr":       "A spelling dictionary of Turkish with every form, version 2.0.0. " + notAGameList,
}

const (
	notTheGames  = "It isn't Collins Scrabble Words or NWL, which are under copyright: if you own one, \"rackmate lexicon build\" makes a list of it."
	notAGameList = "It isn't a word game's list."
)

// printOrigin prints the origin of a shipped list.
func printOrigin(w io.Writer, lex *lexicon.Lexicon) error {
	about := origins[lex.Name()]
	if about == "" {
		return nil
	}
	if file, err := data.Lexicon(lex.Name()); err != nil {
		return err
	} else if ours, err := lexicon.OpenSound(file); err != nil || ours.Hash() != lex.Hash() {
		return err // a different list of that name
	}
	_, err := fmt.Fprintf(w, "  %s\n", about)
	return err
}

// printShare prints the percentages of words in the Universal Declaration of Human Rights, in the
// list's language, that the list has: of words of 2 to 15 letters that the tiles can spell, and of
// words of up to 8 letters, which are mostly played. It prints nothing if the program has no text
// in the language.
func printShare(w io.Writer, lex *lexicon.Lexicon, languages []*language.Language) error {
	l := cli.LanguageOf(lex, languages)
	counts, err := data.Declaration(l.Code)
	if err != nil || counts == nil || !l.Tiles.Alphabet().Equal(lex.Alphabet()) {
		return err
	}
	a := l.Tiles.Alphabet()
	var all, has, short, hasShort int
	for text, n := range counts {
		word, err := a.Parse(text)
		if err != nil || len(word) < 2 || len(word) > 15 {
			continue
		}
		in := hasText(lex, a, text)
		all += n
		if in {
			has += n
		}
		if len(word) <= 8 {
			short += n
			if in {
				hasShort += n
			}
		}
	}
	_, err = fmt.Fprintf(w, "  it has %.1f %% of the words of the Universal Declaration of Human Rights, %.1f %% of those of up to 8 letters\n", percent(has, all), percent(hasShort, short))
	return err
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
