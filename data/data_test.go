package data_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// row matches the rows of SOURCES.md about a file: its name, its licence's file (if it isn't the
// project's own) and its SHA-256.
var row = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|.*\\|[^|`]*(?:`(licenses/[^`]+)`)?[^|]*\\| ([0-9a-f]{64}) \\|$")

func TestFilesMatchSources(t *testing.T) {
	t.Parallel()
	sources := mustRead(t, "SOURCES.md")
	listed := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(string(sources), -1) {
		name, licence, want := m[1], m[2], m[3]
		listed[name] = want
		if sum := sha256.Sum256(mustRead(t, name)); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s has sha256 %x, SOURCES.md says %s", name, sum, want)
		}
		if licence != "" {
			mustRead(t, licence)
		}
	}
	err := fs.WalkDir(data.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() || name == "SOURCES.md" || strings.HasPrefix(name, "sentences/") || strings.HasPrefix(name, "languages/"):
		case strings.HasPrefix(name, "licenses/"):
			if !strings.Contains(string(sources), "`"+name+"`") {
				t.Errorf("SOURCES.md doesn't say what %s is the licence of", name)
			}
		case listed[name] == "":
			t.Errorf("SOURCES.md has no row for %s", name)
		}
		return nil
	})
	if err != nil || len(listed) < 4 {
		t.Errorf("%d files listed, %v", len(listed), err)
	}
}

// TestShippedListsHaveExpectedWords checks the numbers in the project's design document.
func TestShippedListsHaveExpectedWords(t *testing.T) {
	t.Parallel()
	want := map[string]struct {
		words int
		hash  string
	}{
		"en":       {271614, "406301c032fb584d23367957aada1cb0449bd3c89e497d694843bb948cdc8a09"},
		"en-clean": {270821, "726f6c42b270148acafe4b414b04cfb3d71273a7d19278e4d73c3ed6cf4d499d"},
		"es":       {603541, "3f20472240246a4ddfabc52c4aa17e75e4d0c102cb4ee2bdc5ca399f789aa870"},
		"fr":       {404516, "e6f9dfa524d030e94b33f34439bb852b7df182b7f18a319f2a29602067dcee83"},
		"pt":       {372079, "30ad24eb09923c2793bc5c1c63373641231f7be30861b28b34ce4b4d02a83aac"},
		"nl":       {299424, "d2eeed0da1979fed93c0cb302fa1101e5375001e6712d28d1ddfba9b856fba9e"},
		"ru":       {1315297, "89d5c85f0efd70642ca1607889315a1ccf9eddaedc08882387b47f7f70756576"},
		"tr":       {1147807, "4565f38bb027ef16e53f3283f08b9453a9a8090917aaaa599995235f2e323cb8"},
		"lt":       {3645049, "1c219f08c85948396fabc684d0575a057c7f7138f3eddf4912c829c4493d5c93"},
		"pl":       {3275667, "a0c4a4d3e356a329c2e0fc40c73ee068829297f1210773c422101450baf6169e"},
	}
	inFiles, err := fs.ReadDir(data.Files(), "lexicons")
	if got := data.Lexicons(); err != nil || len(got) != len(want) || len(inFiles) != len(want)+len(data.FormerLexicons())+1 {
		t.Errorf("lists %v ship, in %d files; %v", got, len(inFiles), err)
	}
	for name, w := range want {
		b, err := data.Lexicon(name)
		gametest.Must(t, err)
		x, err := lexicon.OpenSound(b)
		gametest.Must(t, err)
		code, _, _ := strings.Cut(name, "-")
		letters := openLanguage(t, code).Tiles.Alphabet()
		if x.Name() != name || x.Len() != w.words || x.Hash() != w.hash || !x.Alphabet().Equal(letters) {
			t.Errorf("%s says it is %s, %d words, %s", name, x.Name(), x.Len(), x.Hash())
		}
		if w.words > 500_000 && !gametest.Long() {
			continue
		}
		// Check the words in the file, not what it claims.
		words, sum := 0, sha256.New()
		for word := range x.Words() {
			words++
			sum.Write([]byte(letters.String(word) + "\n"))
			if !x.Has(word) {
				t.Fatalf("%s lists %s, and doesn't have it", name, letters.String(word))
			}
		}
		if hash := hex.EncodeToString(sum.Sum(nil)); words != w.words || hash != w.hash {
			t.Errorf("%s has %d words with sha256 %s", name, words, hash)
		}
		if code != "en" {
			continue
		}
		for _, code := range []string{"AO", "SJ", "UA", "UK"} {
			if word, err := letters.Parse(code); err != nil || x.Has(word) {
				t.Errorf("%s has the country code %s (%v)", name, code, err)
			}
		}
	}
}

// TestFormerLists checks that formerly shipped lists still match the tables that use them.
func TestFormerLists(t *testing.T) {
	want := []string{
		"en 270654 f67eb9fb0410de3db331c18d52d12316b6bfd9edda6880945845cfee0e59b888",
		"en-clean 269870 9c141826c3166bd4508bef5faa75230a6fbb6f5db23c9329d07de13e114de13c",
		"es 85140 34ab00763927fe99cc79b22d18bfcbf78a2ff70545c17cf2b353e42120449c23",
	}
	var got []string
	for _, file := range data.FormerLexicons() {
		x, err := lexicon.OpenSound(file)
		gametest.Must(t, err)
		got = append(got, fmt.Sprintf("%s %d %s", x.Name(), x.Len(), x.Hash()))
	}
	if !slices.Equal(got, want) {
		t.Errorf("former lists %q, want %q", got, want)
	}
}

// TestEnglishAdditions checks that each addition to English has evidence, and is in both lists
// unless it is vulgar.
func TestEnglishAdditions(t *testing.T) {
	open := func(name string) *lexicon.Lexicon {
		file, err := data.Lexicon(name)
		gametest.Must(t, err)
		x, err := lexicon.OpenSound(file)
		gametest.Must(t, err)
		return x
	}
	en, clean, former := open("en"), open("en-clean"), data.FormerLexicons()
	var before []*lexicon.Lexicon
	for _, file := range former[:2] {
		x, err := lexicon.OpenSound(file)
		gametest.Must(t, err)
		before = append(before, x)
	}
	scowl, err := data.Vocabulary("english")
	gametest.Must(t, err)
	words, judged, last := 0, 0, ""
	for line := range strings.Lines(data.EnglishAdditions()) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		forms, evidence, vulgar := strings.Fields(fields[0]), fields[1], len(fields) == 3 && fields[2] == "vulgar"
		if forms[0] <= last || len(fields) > 2 && !vulgar {
			t.Errorf("%s: the line is out of order, or says more than it may", forms[0])
		}
		last = forms[0]
		for _, form := range forms {
			words++
			w, err := en.Alphabet().Parse(form)
			gametest.Must(t, err)
			if !en.Has(w) || clean.Has(w) == vulgar || before[0].Has(w) || before[1].Has(w) {
				t.Errorf("%s: in en %t, in en-clean %t, in the lists before %t, %t", form, en.Has(w), clean.Has(w), before[0].Has(w), before[1].Has(w))
			}
		}
		for source := range strings.SplitSeq(evidence, ", ") {
			size, graded := strings.CutPrefix(source, "scowl ")
			switch {
			case graded && !strings.Contains(string(scowl), "\n"+forms[0]+" "+size+"\n"):
				t.Errorf("SCOWL doesn't have %s in size %s", forms[0], size)
			case graded && len(forms[0]) <= 4 && !strings.Contains(evidence, ", "):
				t.Errorf("%s has no second source", forms[0])
			case source == "judgement":
				judged++
			case !graded && source != "wordnet":
				t.Errorf("%s: what is the source %q?", forms[0], source)
			}
		}
	}
	if words != en.Len()-before[0].Len() || judged > 150 {
		t.Errorf("%d words, %d of them by judgement, and en has %d more than before", words, judged, en.Len()-before[0].Len())
	}
}

// TestListsHaveNoAbbreviations checks short words, among which spelling lists have abbreviations.
func TestListsHaveNoAbbreviations(t *testing.T) {
	t.Parallel()
	for list, tests := range map[string]struct{ words, abbreviations string }{
		"es": {"SOL ÑO ID CHA HABLARÍAMOS COMIÉSEMOS", "CM KG ETC SRA DCHO AP"},
		"fr": {"QI WU DIX SONT ONT ÉTAIT PARLASSIONS ŒUVRE VIDE", "CM KG XVIIE ETC HTTP CD L'AMI"},
		"pt": {"EU MÃE FALÁSSEMOS COMERÍEIS", "XIV SRA ETC MM XVIII"},
		"nl": {"VUT ABC APP", "HBO APR CC"},
		"pl": {"EMO OKR ABC", "USG ZOB DCA KM"},
		"ru": {"ЗАМ ЧЕЛ", "ТЫС ОБЛ НЬЮ КГ"},
		"lt": {"MES KUO", "EGZ TEL"},
		"tr": {"ALG", "CM HL"},
	} {
		file, err := data.Lexicon(list)
		gametest.Must(t, err)
		x, err := lexicon.OpenSound(file)
		gametest.Must(t, err)
		for i, texts := range []string{tests.abbreviations, tests.words} {
			for _, text := range strings.Fields(texts) {
				if word, err := x.Alphabet().Parse(text); err == nil && x.Has(word) != (i == 1) {
					t.Errorf("%s: has %s: %t", list, text, x.Has(word))
				}
			}
		}
	}
}

func TestEverythingOpens(t *testing.T) {
	t.Parallel()
	for _, name := range data.TileSets() {
		if n := len(openTileSet(t, name).All()); n == 0 {
			t.Errorf("tile set %s is empty", name)
		}
	}
	for _, name := range data.Layouts() {
		text, err := data.Layout(name)
		gametest.Must(t, err)
		if _, err := game.ParseLayout(name, text); err != nil {
			t.Error(err)
		}
	}
	if !slices.Contains(data.TileSets(), "english") || !slices.Contains(data.Layouts(), "standard-15") {
		t.Errorf("tile sets %v, layouts %v", data.TileSets(), data.Layouts())
	}
	if _, err := data.Lexicon("xx"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "en-clean") {
		t.Errorf("a list that doesn't ship: %v; want the names of those that do", err)
	}
}

// TestVocabularyTiers checks examples of the tiers from the source lists' README.
func TestVocabularyTiers(t *testing.T) {
	t.Parallel()
	english := openTileSet(t, "english").Alphabet()
	v := openVocabulary(t, "english")
	for text, want := range map[string]int{
		"attempt": 10, "brave": 20, "chisel": 35, "gringo": 40, "pilaf": 50, "chapati": 55, "eclogue": 60, "rath": 70,
		"qi": 70, "za": lexicon.Rare, "zzyzx": lexicon.Rare,
	} {
		w, err := english.Parse(text)
		gametest.Must(t, err)
		if got := v.Tier(w); got != want {
			t.Errorf("%s is in tier %d, want %d", text, got, want)
		}
	}
	// The share of the list that players know determines how strong robots are.
	x := openLexicon(t, "en")
	within := map[int]int{lexicon.Everyday: 0, lexicon.Familiar: 0, lexicon.Educated: 0, lexicon.Unusual: 0}
	for w := range x.Words() {
		is := v.Tier(w)
		for tier := range within {
			if is <= tier {
				within[tier]++
			}
		}
	}
	for tier, want := range map[int]int{lexicon.Everyday: 4019, lexicon.Familiar: 40614, lexicon.Educated: 79817, lexicon.Unusual: 113750} {
		if within[tier] != want {
			t.Errorf("%d words of en within tier %d, want %d", within[tier], tier, want)
		}
	}
	if known := v.Sublist(x, lexicon.Everyday, 0); known.Len() != within[lexicon.Everyday] {
		t.Errorf("%d words of en are known to whoever knows the everyday ones", known.Len())
	}
	if all := data.Vocabularies(); !slices.Contains(all, "english") {
		t.Errorf("the vocabularies are %q", all)
	}
	if _, err := data.Vocabulary("french"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "english") {
		t.Errorf("a vocabulary that doesn't ship: %v; want the names of those that do", err)
	}
}

// TestCataloguesAreListed checks that Sentences has the catalogues without the list of missing
// translations.
func TestCataloguesAreListed(t *testing.T) {
	files, err := fs.Glob(data.Sentences(), "*.json")
	if err != nil || !slices.Contains(files, "de.json") || slices.Contains(files, "lacks.json") {
		t.Errorf("the catalogues are %q, %v", files, err)
	}
	all, err := data.MissingSentences()
	gametest.Must(t, err)
	for language := range all {
		if !slices.Contains(files, language+".json") {
			t.Errorf("%s lacks sentences, and has no catalogue", language)
		}
	}
}

// TestLanguagesCountsAreSeparate checks that each language's counts are separate, and that there are
// none for a language without the text.
func TestLanguagesCountsAreSeparate(t *testing.T) {
	for language, counts := range map[string]map[string]int{
		"bg": {"на": 137, "the": 0, "и": 0}, // first language in the file
		"en": {"everyone": 30, "the": 121, "und": 0},
		"de": {"und": 97, "the": 0},
	} {
		words, err := data.Declaration(language)
		gametest.Must(t, err)
		for word, want := range counts {
			if got := words[word]; got != want {
				t.Errorf("in %s %q stands %d times, want %d", language, word, got, want)
			}
		}
	}
	if words, err := data.Declaration("tlh"); err != nil || words != nil {
		t.Errorf("of Klingon there is known %v, %v", words, err)
	}
}

// TestFontsAreUnpacked checks that fonts are returned unpacked, whether or not they are embedded
// packed.
func TestFontsAreUnpacked(t *testing.T) {
	for _, name := range []string{"Inter-Bold", "DroidSansFallback"} {
		font, err := data.Font(name)
		if gametest.Must(t, err); !bytes.HasPrefix(font, []byte{0, 1, 0, 0}) {
			t.Errorf("%s begins with %x, as no TrueType font does", name, font[:4])
		}
	}
	if _, err := data.Font("Comic-Sans"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "Inter-Bold") {
		t.Errorf("a font that doesn't ship: %v; want the names of those that do", err)
	}
}

// TestLeavesEqualTheirFiles checks that leave values read in place equal their files.
func TestLeavesEqualTheirFiles(t *testing.T) {
	for _, set := range []string{"english", "spanish"} {
		leaves, err := data.Leaves(set)
		if gametest.Must(t, err); !bytes.Equal(leaves, mustRead(t, "leaves/"+set+".leaves")) {
			t.Errorf("the leaves of %s aren't those of their file", set)
		}
	}
	if _, err := data.Leaves("klingon"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "spanish") {
		t.Errorf("leaves that don't ship: %v; want the names of those that do", err)
	}
}

// TestConfusablesHaveTwoSides checks that each line has a character and what it looks like.
func TestConfusablesHaveTwoSides(t *testing.T) {
	looks := map[string]string{}
	for line := range strings.Lines(data.Confusables()) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		character, like, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || character == "" || like == "" || character == like {
			t.Errorf("the line %q", line)
		}
		looks[character] = like
	}
	if looks["а"] != "a" { // the first is Cyrillic
		t.Errorf("a Cyrillic a looks like %q", looks["а"])
	}
}

func openVocabulary(t *testing.T, name string) *lexicon.Vocabulary {
	t.Helper()
	text, err := data.Vocabulary(name)
	gametest.Must(t, err)
	v, err := lexicon.ReadVocabulary(openTileSet(t, name).Alphabet(), bytes.NewReader(text))
	gametest.Must(t, err)
	return v
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	b, err := fs.ReadFile(data.Files(), name)
	gametest.Must(t, err)
	return b
}

func openLexicon(t *testing.T, name string) *lexicon.Lexicon {
	t.Helper()
	b, err := data.Lexicon(name)
	gametest.Must(t, err)
	x, err := lexicon.Open(b)
	gametest.Must(t, err)
	return x
}

func openTileSet(t *testing.T, name string) *game.TileSet {
	t.Helper()
	text, err := data.TileSet(name)
	gametest.Must(t, err)
	set, err := game.ParseTileSet(name, text)
	gametest.Must(t, err)
	return set
}

// TestEmbeddedFilesAreSmall checks the size of the embedded files, which are most of the program.
// People fetch it over phones, and with the code it must stay under 60 MB.
func TestEmbeddedFilesAreSmall(t *testing.T) {
	const most = 26 << 20
	total := int64(0)
	err := fs.WalkDir(data.Files(), ".", func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if err != nil || total == 0 || total > most {
		t.Errorf("the files take %.1f MB, %v; they have %.1f MB", float64(total)/(1<<20), err, float64(most)/(1<<20))
	}
}
