package lists

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

func TestLexiconBuildCheckInfo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list, compiled := filepath.Join(dir, "mine.txt"), filepath.Join(dir, "mine.lex")
	write := func(name, text string) {
		t.Helper()
		gametest.Must(t, os.WriteFile(name, []byte(text), 0o644))
	}
	write(list, "# three words\r\nhorn\r\nFARM\r\nae\r\n")
	// printf 'AE\nFARM\nHORN\n' | sha256sum
	const info = "mine words=3 bytes=777 sha256=beb09edb77dc5a72524666f5f8b42efc4cc67c7e546c10745ed50d2eac70ccd6\n"
	for _, tt := range []struct {
		args   string
		status int
		out    string
		err    string // part of the error
	}{
		{"build -o " + compiled + " mine " + list, 0, info, ""},
		{"info " + compiled, 0, info + "  it has 0.0 % of the words of the Universal Declaration of Human Rights, 0.0 % of those of up to 8 letters\n", ""},
		{"check --lexicon " + compiled + " horn AE", 0, "HORN valid\nAE valid\n", ""},
		{"check HORN HORM H0RN --lexicon " + compiled, 1, "HORN valid\nHORM not valid\nH0RN not valid\n", ""},
		{"check quiz", 0, "QUIZ valid\n", ""},
		{"check --lexicon en-clean quiz", 0, "QUIZ valid\n", ""},
		{"check --lexicon " + list + " HORN", 1, "", "mine.txt: not a compiled lexicon"},
		{"check --lexicon nowhere HORN", 1, "", "en-clean"},
		{"check", 2, "", "usage:"},
		{"build mine", 2, "", "usage:"},
		{"build mine " + filepath.Join(dir, "none.txt"), 1, "", "none.txt"},
		{"build ../x " + list, 1, "", "name a lexicon"},
		{"mend", 2, "", `no "mend"`},
		{"", 2, "", "usage:"},
	} {
		status, out, err := command(t, "", append([]string{"lexicon"}, strings.Fields(tt.args)...)...)
		if status != tt.status || out != tt.out || !strings.Contains(err, tt.err) {
			t.Errorf("lexicon %s: status %d, printed %q and %q; want %d, %q and %q", tt.args, status, out, err, tt.status, tt.out, tt.err)
		}
	}
	some, lists := []string{"pt", "en-clean"}, 2
	if gametest.Long() { // two of the ten show it
		some, lists = nil, len(data.Lexicons())
	}
	if _, out, _ := command(t, "", append([]string{"lexicon", "info"}, some...)...); strings.Count(out, " words=") != lists || !strings.Contains(out, "packed") || !strings.Contains(out, "en-clean words=270821 bytes=9663252 sha256=726f6c42b270148acafe4b414b04cfb3d71273a7d19278e4d73c3ed6cf4d499d\n  "+origins["en-clean"]+"\n") || !strings.Contains(out, "it has 99.8 % of the words of the Universal Declaration of Human Rights, 99.8 %") || strings.Count(out, "It isn't ") != lists {
		t.Errorf("info of what ships: %q", out)
	}
	write(list, "HORN\nFARM HOUSE\nA\n")
	status, out, err := command(t, "", "lexicon", "build", "--strict", "mine", list)
	if status != 1 || out != "" || !strings.Contains(err, "line 2:") || !strings.Contains(err, "line 3:") {
		t.Errorf("a list with bad lines, strictly: status %d, %q and %q", status, out, err)
	}
	if _, err := os.Stat("mine.lex"); err == nil {
		t.Error("a file was made for it")
	}
}

func TestLexiconBuildOmitsUnplayableWords(t *testing.T) {
	dir := t.TempDir()
	list, compiled, rejected := filepath.Join(dir, "list.txt"), filepath.Join(dir, "list.lex"), filepath.Join(dir, "rejected.txt")
	long := strings.Repeat("long", 6)
	gametest.Must(t, os.WriteFile(list, []byte("# notes\nhorn\nit's\na\ni\nco-op\n"+long+"\nfarm\no\nu\nB2B\n"), 0o644))
	status, out, err := command(t, "", "lexicon", "build", "-o", compiled, "--rejected", rejected, "mine", list)
	if status != 0 || !strings.HasPrefix(out, "mine words=2 ") {
		t.Errorf("status %d, %q", status, out)
	}
	if want := `unplayable lines, left out: 8
      3 with a character that is on no tile, such as "it's" (line 3), "co-op" (line 6), "B2B" (line 11)
      4 of fewer than 2 letters, such as "a" (line 4), "i" (line 5), "o" (line 9)
      1 of more than 21 letters, such as "` + long + `" (line 7)
`; err != want {
		t.Errorf("told %q\nwant %q", err, want)
	}
	kept, e := os.ReadFile(rejected)
	if e != nil || strings.Count(string(kept), "\n") != 8 || !strings.HasPrefix(string(kept), "3\tit's\t'\\'' not in the alphabet\n") {
		t.Errorf("%v, %q", e, kept)
	}
	for name, text := range map[string]string{"no word": "# nothing\na\n", "no text": "HORN\x00\nFARM\n"} {
		gametest.Must(t, os.WriteFile(list, []byte(text), 0o644))
		os.Remove(compiled)
		status, out, err := command(t, "", "lexicon", "build", "-o", compiled, "mine", list)
		if status != 1 || out != "" || !strings.Contains(err, "one word a line") {
			t.Errorf("%s: status %d, %q and %q", name, status, out, err)
		}
		if _, err := os.Stat(compiled); err == nil {
			t.Errorf("%s: a file was made", name)
		}
	}
}

// TestLexiconBuildSeparatesTiles checks that letters which only meet aren't laid as one tile, in words
// that the language's file knows and in words marked in the list.
func TestLexiconBuildSeparatesTiles(t *testing.T) {
	for _, test := range []struct{ language, list, want string }{
		{"cy", "dangos\nddangosodd\nymddengys\narholiad\nparhau\nanrheg\ncyngor\nrhan\ndyngarwch\nllun|gopi\ncânghe[n]ga\n",
			"ANRHEG A[R]HOLIAD CANGHE[N]GA CYNGOR DA[N]GOS DDA[N]GOSODD DY[N]GARWCH LLU[N]GOPI PA[R]HAU RHAN YMDDE[N]GYS"},
		{"hr", "nadživjeti\nnadžak\nodžak\ninjekcija\ninje\nkonjunktura\nkonjušar\nizvanjezični\nvanjski\nkon|junkt\n",
			"INJE I[N]JEKCIJA IZVA[N]JEZIČNI KO[N]JUNKT KO[N]JUNKTURA KONJUŠAR NADŽAK NA[D]ŽIVJETI ODŽAK VANJSKI"},
	} {
		dir := t.TempDir()
		list, lex := filepath.Join(dir, "list.txt"), filepath.Join(dir, "list.lex")
		gametest.Must(t, os.WriteFile(list, []byte("# dangos\n"+test.list), 0o644))
		if status, _, err := command(t, "", "lexicon", "build", "-o", lex, "--language", test.language, test.language, list); status != 0 {
			t.Fatal(err)
		}
		status, out, err := command(t, "", "lexicon", "words", lex)
		got, want := strings.Fields(out), strings.Fields(test.want)
		slices.Sort(got)
		slices.Sort(want)
		if status != 0 || !slices.Equal(got, want) {
			t.Errorf("%s: built %q, %s", test.language, got, err)
		}
		// People look words up without marks.
		word, _, _ := strings.Cut(test.list, "\n")
		if status, out, _ := command(t, "", "lexicon", "check", "--lexicon", lex, word); status != 0 || !strings.HasSuffix(out, " valid\n") {
			t.Errorf("%s: %s", test.language, out)
		}
	}
}

func TestLexiconWordsDiffMerge(t *testing.T) {
	dir := t.TempDir()
	lex := func(name string) string { return filepath.Join(dir, name+".lex") }
	for name, words := range map[string]string{"one": "HORN\nFARM\nAE\n", "two": "HORN\nQI\n"} {
		gametest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(words), 0o644))
		if status, _, err := command(t, "", "lexicon", "build", "-o", lex(name), name, filepath.Join(dir, name)); status != 0 {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args   string
		status int
		out    string
		err    string
	}{
		{"words " + lex("one"), 0, "AE\nFARM\nHORN\n", ""},
		{"diff " + lex("one") + " " + lex("two"), 1, "-AE\n-FARM\n+QI\n", "2 words only in"},
		{"diff " + lex("one") + " " + lex("one"), 0, "", "0 words only in"},
		// printf 'AE\nFARM\nHORN\nQI\n' | sha256sum
		{"merge -o " + lex("all") + " all " + lex("one") + " " + lex("two"), 0, "all words=4 bytes=812 sha256=1f328b0eb03add952cf483ec13fc74f49a82cf954cf0bb623ab934f1e9f708df\n", ""},
		{"words " + lex("all"), 0, "AE\nFARM\nHORN\nQI\n", ""},
		{"words", 2, "", "usage:"},
		{"diff en", 2, "", "usage:"},
		{"merge all en", 2, "", "usage:"},
	} {
		status, out, err := command(t, "", append([]string{"lexicon"}, strings.Fields(tt.args)...)...)
		if status != tt.status || out != tt.out || !strings.Contains(err, tt.err) {
			t.Errorf("lexicon %s: status %d, printed %q and %q; want %d, %q and %q", tt.args, status, out, err, tt.status, tt.out, tt.err)
		}
	}
}

// TestLexiconSave checks that a shipped list can be saved as a file, which a host then uses in its
// place, and that saving a new one doesn't affect programs that have the old one open. It verifies
// the shipped list, packed and unpacked.
func TestLexiconSave(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // an unpacked list is quick to save
	_, _, err := cli.OpenMind("en")
	gametest.Must(t, err)
	file := filepath.Join(t.TempDir(), "en.lex")
	status, out, _ := command(t, "", "lexicon", "save", "-o", file, "en")
	if status != 0 || !strings.HasPrefix(out, "en words=271614 ") {
		t.Fatalf("status %d, printed %q", status, out)
	}
	saved, err := os.ReadFile(file)
	gametest.Must(t, err)
	if x, err := lexicon.Open(saved); err != nil || x.Name() != "en" {
		t.Errorf("what was saved: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // now only the file has it
	lists, _, err := cli.OpenLexicons([]string{file})
	gametest.Must(t, err)
	i := slices.IndexFunc(lists, func(l *lexicon.Lexicon) bool { return l.Name() == "en" })
	if len(lists) != len(data.Lexicons()) || lists[i].Size() != int(fileSize(t, file)) {
		t.Errorf("with the file there are %d lists", len(lists))
	}
	words := filepath.Join(t.TempDir(), "words.txt")
	gametest.Must(t, os.WriteFile(words, []byte("house\n"), 0o644))
	if status, _, err := command(t, "", "lexicon", "build", "-o", file, "--language", "en", "en-mine", words); status != 0 {
		t.Fatal(err)
	}
	w, err := lists[i].Alphabet().Parse("horn")
	if err != nil || !lists[i].Has(w) {
		t.Errorf("the list that is open has lost HORN (%v)", err)
	}
	if mine, err := cli.OpenLexicon(file); err != nil || mine.Len() != 1 {
		t.Errorf("the file has another list: %v", err)
	}
}

// TestOwnListReplacesShippedList checks that an operator's list keeps its place when a list
// of the same name ships later, and that tables opened with the other one keep that.
func TestOwnListReplacesShippedList(t *testing.T) {
	dir := t.TempDir()
	words := save(t, dir, "words.txt", "maison\n")
	file, again := filepath.Join(dir, "fr.lex"), filepath.Join(dir, "again.lex")
	for _, out := range []string{file, again} {
		if status, _, err := command(t, "", "lexicon", "build", "-o", out, "--language", "fr", "fr", words); status != 0 {
			t.Fatal(err)
		}
		words = save(t, dir, "words.txt", "maison\nmaisons\n")
	}
	called := func(lists []*lexicon.Lexicon, name string) (sizes []int) {
		for _, l := range lists {
			if l.Name() == name {
				sizes = append(sizes, l.Len())
			}
		}
		return sizes
	}
	lists, former, err := cli.OpenLexicons(nil)
	if err != nil || !slices.Equal(called(lists, "fr"), []int{404516}) || !slices.Equal(called(former, "es"), []int{85140}) || called(former, "fr") != nil {
		t.Errorf("as it comes: fr %v, former es %v and fr %v, %v", called(lists, "fr"), called(former, "es"), called(former, "fr"), err)
	}
	lists, former, err = cli.OpenLexicons([]string{file})
	if err != nil || !slices.Equal(called(lists, "fr"), []int{1}) || !slices.Equal(called(former, "fr"), []int{404516}) {
		t.Errorf("with a file: fr %v, former %v, %v", called(lists, "fr"), called(former, "fr"), err)
	}
	if _, _, err := cli.OpenLexicons([]string{file, again}); err == nil || !strings.Contains(err.Error(), "as another file does") {
		t.Errorf("with two files of one name: %v", err)
	}
}

func fileSize(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	gametest.Must(t, err)
	return info.Size()
}

func TestLexiconOfHunspellDictionary(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "hr_HR.dic")
	for name, text := range map[string]string{"hr_HR.dic": "2\nkonj/A\nZagreb/A\n", "hr_HR.aff": "SET UTF-8\nSFX A Y 1\nSFX A 0 a .\n"} {
		gametest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	out := filepath.Join(dir, "hr.lex")
	if status, _, err := command(t, "", "lexicon", "build", "--language", "hr", "--lower", "-o", out, "hr", file); status != 0 {
		t.Fatal(err)
	}
	if _, words, err := command(t, "", "lexicon", "words", out); words != "KONJ\nKONJA\n" {
		t.Errorf("the words are %q (%s)", words, err)
	}
	gametest.Must(t, os.Remove(filepath.Join(dir, "hr_HR.aff")))
	if status, _, err := command(t, "", "lexicon", "build", "--language", "hr", "hr", file); status == 0 || !strings.Contains(err, "needs its affix file") {
		t.Errorf("without its endings: %d, %q", status, err)
	}
}

// TestBuildWithText checks that texts add words to a Hunspell dictionary, compounds included.
func TestBuildWithText(t *testing.T) {
	dir := t.TempDir()
	save(t, dir, "xx.aff", "SET UTF-8\nCOMPOUNDFLAG C\nSFX S Y 1\nSFX S 0 s .\n")
	dic := save(t, dir, "xx.dic", "2\nlock/SC\nsmith/SC\n")
	gametest.Must(t, os.Mkdir(filepath.Join(dir, "texts"), 0o755))
	save(t, filepath.Join(dir, "texts"), "one.html", "<p class=\"smith\">A locksmith&#x20;and zebras.</p>")
	save(t, filepath.Join(dir, "texts"), "two.png", "\x89PNG\r\n\x1a\n\x00\x00")
	lex := filepath.Join(dir, "en-x.lex")
	if status, _, err := command(t, "", "lexicon", "build", "--language", "en", "--text", filepath.Join(dir, "texts"), "-o", lex, "x", dic); status != 0 {
		t.Fatal(err)
	}
	if _, out, _ := command(t, "", "lexicon", "words", lex); strings.Join(strings.Fields(out), " ") != "LOCK LOCKS LOCKSMITH SMITH SMITHS" {
		t.Errorf("words: %s", out)
	}
	for args, want := range map[string]string{
		"--text " + filepath.Join(dir, "nothing") + " x " + dic:              "no such file",
		"--text " + save(t, dir, "xx.traineddata", "no words") + " x " + dic: "Tesseract",
		"--text " + dir + " x " + save(t, dir, "words.txt", "lock\n"):        "Hunspell",
	} {
		if status, _, err := command(t, "", append([]string{"lexicon", "build", "--language", "en"}, strings.Fields(args)...)...); status == 0 || !strings.Contains(err, want) {
			t.Errorf("%s: %d %s", args, status, err)
		}
	}
}
