package lexicon_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

func english(tb testing.TB) *lexicon.Alphabet {
	tb.Helper()
	return alphabet(tb, strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")...)
}

func alphabet(tb testing.TB, letters ...string) *lexicon.Alphabet {
	tb.Helper()
	a, err := lexicon.NewAlphabet(letters)
	gametest.Must(tb, err)
	return a
}

func build(tb testing.TB, a *lexicon.Alphabet, words ...string) *lexicon.Lexicon {
	tb.Helper()
	x, err := lexicon.Build("test", a, strings.NewReader(strings.Join(words, "\n")))
	gametest.Must(tb, err)
	return x
}

func parse(tb testing.TB, a *lexicon.Alphabet, s string) lexicon.Word {
	tb.Helper()
	w, err := a.Parse(s)
	if err != nil {
		tb.Fatalf("%q: %v", s, err)
	}
	return w
}

// texts returns words separated by spaces.
func texts(a *lexicon.Alphabet, words []lexicon.Word) string {
	var out []string
	for _, w := range words {
		out = append(out, a.String(w))
	}
	return strings.Join(out, " ")
}

func TestBuildReadsCommonLists(t *testing.T) {
	a := english(t)
	x, err := lexicon.Build("mine", a, strings.NewReader("\ufeff# my words\r\nhorn\r\n\r\n  FARM \r\nAe\r\nHORN\r\nHORNS"))
	gametest.Must(t, err)
	if got := texts(a, slices.Collect(x.Words())); got != "AE FARM HORN HORNS" || x.Len() != 4 || x.Name() != "mine" {
		t.Errorf("%s: %d words: %s", x.Name(), x.Len(), got)
	}
	// printf 'AE\nFARM\nHORN\nHORNS\n' | sha256sum
	if got := x.Hash(); got != "297570887acd3ecae998c3761e4a7e475703641ef3b7a5826c95052591eda9cd" {
		t.Errorf("hash %s", got)
	}
	for word, want := range map[string]bool{"AE": true, "FARM": true, "HORN": true, "HORNS": true, "HOR": false, "HORNSS": false, "A": false, "EA": false, "FARMS": false} {
		if got := x.Has(parse(t, a, word)); got != want {
			t.Errorf("Has(%s) = %t", word, got)
		}
	}
	for _, w := range []lexicon.Word{"", "\x00", "\x01\x00", "\x00\x01", "\x80\x05", "\x81\x05", "\x41\x45", "\x01\xff", "\x01\x1e", "\x01\x1f", "\x1e\x05"} {
		if x.Has(w) {
			t.Errorf("has %q, which is no word at all", string(w))
		}
	}
}

func TestBuildNamesBadLines(t *testing.T) {
	tests := []struct {
		name, list string
		want       string // line and reason of each bad line
	}{
		{"a digit", "HORN\nH0RN\nFARM", `2: '0' not in the alphabet`},
		{"two words", "HORN FARM", `1: ' ' not in the alphabet`},
		{"a definition", "# list\n\nHORN a thing to blow", `3: ' ' not in the alphabet`},
		{"one letter", "HORN\r\nA\r\n", `2: has 1 letters; a word has 2 to 21`},
		{"too long", strings.Repeat("A", 22), `1: has 22 letters; a word has 2 to 21`},
		{"not UTF-8", "\xc4RGER\nAE", `1: not UTF-8 text: convert the list first`},
		{"several", "A1\nAE\n\nB2", `1: '1' not in the alphabet; 4: '2' not in the alphabet`},
		{"no list at all", "AE\n" + strings.Repeat("A", 1<<17), `2: has 131072 letters; a word has 2 to 21`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := lexicon.Build("test", english(t), strings.NewReader(tt.list))
			if x != nil || err == nil {
				t.Fatalf("built %v, %v", x, err)
			}
			var got []string
			for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
				var bad *lexicon.LineError
				if !errors.As(e, &bad) {
					t.Fatalf("%v is no LineError", e)
				}
				got = append(got, fmt.Sprintf("%d: %s", bad.Line, bad.Reason))
			}
			if got := strings.Join(got, "; "); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
	_, err := lexicon.Build("test", english(t), strings.NewReader(strings.Repeat("?\n", 1000)))
	if n := strings.Count(err.Error(), "line"); n != 10 {
		t.Errorf("a file that is no word list: %d lines named, want the first 10", n)
	}
}

func TestOwnWordsComeOnTop(t *testing.T) {
	a := english(t)
	x := build(t, a, "AE", "FARM", "HORN")
	words := func(texts ...string) (all []lexicon.Word) {
		for _, text := range texts {
			all = append(all, parse(t, a, text))
		}
		return all
	}
	ours, err := x.With(words("ZZZ", "AE"), words("FARM", "QI"))
	gametest.Must(t, err)
	if got := texts(a, slices.Collect(ours.Words())); got != "AE HORN ZZZ" || ours.Name() != x.Name() || ours.Hash() == x.Hash() {
		t.Errorf("%s: %s, hash %s", ours.Name(), got, ours.Hash())
	}
	if back, err := ours.With(words("FARM"), words("ZZZ")); err != nil || back.Hash() != x.Hash() {
		t.Errorf("taken back: %v, hash %s, want %s", err, back.Hash(), x.Hash())
	}
	if same, err := x.With(nil, nil); err != nil || same.Hash() != x.Hash() {
		t.Errorf("nothing changed: %v, hash %s", err, same.Hash())
	}
}

func TestBuildReturnsReadErrors(t *testing.T) {
	broken := errors.New("the disk is on fire")
	if _, err := lexicon.Build("test", english(t), brokenReader{broken}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

type brokenReader struct{ err error }

func (r brokenReader) Read([]byte) (int, error) { return 0, r.err }

func TestNamesCanBeTypedAndSaved(t *testing.T) {
	for name, ok := range map[string]bool{"en": true, "en-clean": true, "CSW24": true, "fise_2": true, "v1.2": true,
		"": false, "a b": false, "../en": false, ".": false, "-x": false, "é": false, strings.Repeat("x", 32): true, strings.Repeat("x", 33): false} {
		_, err := lexicon.Build(name, english(t), strings.NewReader("AE"))
		if (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestEmptyListIsValid(t *testing.T) {
	a := english(t)
	x := reopen(t, build(t, a))
	if x.Len() != 0 || x.Has("\x01\x02") || len(slices.Collect(x.Words())) != 0 || len(slices.Collect(x.Subanagrams("\x01\x02", 2))) != 0 {
		t.Error("it has words")
	}
	// SHA-256 of no data
	if x.Hash() != "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("hash %s", x.Hash())
	}
}

func TestLettersOfSeveralCharacters(t *testing.T) {
	a := alphabet(t, "A", "C", "E", "L", "L·L", "LL", "O", "R", "S", "T")
	x := reopen(t, build(t, a, "col·la", "LLOC", "CEL", "[L][L]AC", "CAR"))
	if got := texts(a, slices.Collect(x.Words())); got != "CAR CEL COL·LA LLAC LLOC" {
		t.Errorf("words %s", got)
	}
	for word, want := range map[string]bool{"LLOC": true, "[L][L]OC": false, "[L][L]AC": true, "LLAC": false, "CO[L·L]A": true} {
		if got := x.Has(parse(t, a, word)); got != want {
			t.Errorf("Has(%s) = %t", word, got)
		}
	}
	front, back := x.Hooks(parse(t, a, "OC"))
	if len(back) != 0 || len(front) != 1 || a.Text(front[0]) != "LL" {
		t.Errorf("hooks of OC: %v %v", front, back)
	}
}

const animals = "AT BAT BATS CAT CATS CHAT COAT COATS EAT EATS RAT RATE RATES STARE TASER TEA TEAR TEARS SCAT"

func TestAnagrams(t *testing.T) {
	a := english(t)
	x := build(t, a, strings.Fields(animals)...)
	tests := []struct {
		letters string
		blanks  int
		want    string // using all letters and blanks
		sub     string // using any of them
	}{
		{"ATE", 0, "EAT TEA", "AT EAT TEA"},
		{"REATS", 0, "RATES STARE TASER TEARS", "AT EAT EATS RAT RATE RATES STARE TASER TEA TEAR TEARS"},
		{"AT", 1, "BAT CAT EAT RAT TEA", "AT BAT CAT EAT RAT TEA"},
		{"", 2, "AT", "AT"},
		{"", 3, "BAT CAT EAT RAT TEA", "AT BAT CAT EAT RAT TEA"},
		{"Q", 1, "", ""},
		{"Q", 2, "", "AT"},
		{"AATT", 0, "", "AT"},
		{"", 0, "", ""},
		{"TA", -1, "AT", "AT"},
	}
	for _, tt := range tests {
		letters := parse(t, a, tt.letters)
		if got := texts(a, slices.Collect(x.Anagrams(letters, tt.blanks))); got != tt.want {
			t.Errorf("anagrams of %s and %d blanks: %s; want %s", tt.letters, tt.blanks, got, tt.want)
		}
		if got := texts(a, slices.Collect(x.Subanagrams(letters, tt.blanks))); got != tt.sub {
			t.Errorf("words in %s and %d blanks: %s; want %s", tt.letters, tt.blanks, got, tt.sub)
		}
	}
	if got := slices.Collect(x.Anagrams("\x80\x00", 0)); len(got) != 0 {
		t.Errorf("what is no letters has anagrams %q", got)
	}
}

func TestPatterns(t *testing.T) {
	a := english(t)
	x := build(t, a, strings.Fields(animals)...)
	for pattern, want := range map[string]string{
		"?AT":       "BAT CAT EAT RAT",
		"c?at":      "CHAT COAT",
		".AT.":      "BATS CATS EATS RATE",
		"*AT":       "AT BAT CAT CHAT COAT EAT RAT SCAT",
		"T*":        "TASER TEA TEAR TEARS",
		"*E*":       "EAT EATS RATE RATES STARE TASER TEA TEAR TEARS",
		"*A*S":      "BATS CATS COATS EATS RATES TEARS",
		"S*?T":      "SCAT",
		"**CAT":     "CAT SCAT",
		"*?????":    "COATS RATES STARE TASER TEARS",
		"CAT":       "CAT",
		"CA":        "",
		"":          "",
		"*ZZZ*":     "",
		"*T*T*":     "",
		"*A**T*?*":  "BATS CATS COATS EATS RATE RATES",
		"?????????": "",
	} {
		p, err := lexicon.ParsePattern(a, pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		if got := texts(a, slices.Collect(x.Match(p))); got != want {
			t.Errorf("%s fits %s; want %s", pattern, got, want)
		}
	}
	p, err := lexicon.ParsePattern(a, "*")
	if got := slices.Collect(x.Match(p)); err != nil || len(got) != x.Len() {
		t.Errorf("* fits %d of %d words, %v", len(got), x.Len(), err)
	}
	for _, bad := range []string{"C4T", "C T", "[X", strings.Repeat("?", 22), strings.Repeat("*A", 22)} {
		if _, err := lexicon.ParsePattern(a, bad); !errors.Is(err, lexicon.ErrPattern) {
			t.Errorf("%q: %v; want ErrPattern", bad, err)
		}
	}
}

func TestHooks(t *testing.T) {
	a := english(t)
	x := build(t, a, strings.Fields(animals)...)
	for word, want := range map[string]string{
		"AT":    "B C E R / ",
		"CAT":   "S / S",
		"EAT":   " / S",
		"TEA":   " / R",
		"OAT":   "C / ",
		"RATES": " / ",
		"ZZ":    " / ",
	} {
		front, back := x.Hooks(parse(t, a, word))
		if got := spaced(a, front) + " / " + spaced(a, back); got != want {
			t.Errorf("hooks of %s: %s; want %s", word, got, want)
		}
	}
}

func spaced(a *lexicon.Alphabet, ls []lexicon.Letter) string {
	var out []string
	for _, l := range ls {
		out = append(out, a.Text(l))
	}
	return strings.Join(out, " ")
}

func TestSearchesStopWhenAsked(t *testing.T) {
	a := english(t)
	x := build(t, a, strings.Fields(animals)...)
	all, err := lexicon.ParsePattern(a, "*")
	gametest.Must(t, err)
	for name, words := range map[string]func(func(lexicon.Word) bool){
		"words": x.Words(), "anagrams": x.Anagrams("", 3), "subanagrams": x.Subanagrams("", 4), "match": x.Match(all),
	} {
		n := 0
		for range words {
			if n++; n == 3 {
				break
			}
		}
		if n != 3 {
			t.Errorf("%s: %d words came", name, n)
		}
	}
}

// A model is a word list as a plain map, for comparison.
type model struct {
	a     *lexicon.Alphabet
	words map[lexicon.Word]bool
	x     *lexicon.Lexicon
}

// randomModel returns a list of random words with many common prefixes and suffixes.
func randomModel(t *testing.T, rng *rand.Rand, letters, size int) model {
	texts := make([]string, letters)
	for i := range texts {
		texts[i] = string(rune('一' + i))
	}
	m := model{a: alphabet(t, texts...), words: map[lexicon.Word]bool{}}
	parts := make([]string, 20)
	for i := range parts {
		for range 1 + rng.IntN(4) {
			parts[i] += string(rune(1 + rng.IntN(letters)))
		}
	}
	var list strings.Builder
	for len(m.words) < size {
		w := lexicon.Word("")
		for range 1 + rng.IntN(4) {
			w += lexicon.Word(parts[rng.IntN(len(parts))])
		}
		if len(w) >= lexicon.MinWord {
			m.words[w] = true
			list.WriteString(m.a.String(w) + "\n")
		}
	}
	m.x = reopen(t, build(t, m.a, list.String()))
	return m
}

func reopen(tb testing.TB, x *lexicon.Lexicon) *lexicon.Lexicon {
	tb.Helper()
	var file bytes.Buffer
	n, err := x.WriteTo(&file)
	if err != nil || n != int64(file.Len()) {
		tb.Fatalf("wrote %d of %d bytes, %v", n, file.Len(), err)
	}
	back, err := lexicon.Open(file.Bytes())
	gametest.Must(tb, err)
	return back
}

// where returns the words that match, in order.
func (m model) where(fits func(lexicon.Word) bool) []lexicon.Word {
	var out []lexicon.Word
	for w := range m.words {
		if fits(w) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

func TestAllMatchesMap(t *testing.T) {
	// One letter and two, and the sizes around which a node's masks grow.
	for i, letters := range []int{1, 2, 26, 28, 29, 30, 31, 32, 40, 62, 63} {
		t.Run(fmt.Sprint(letters, " letters"), func(t *testing.T) {
			seed := uint64(i)
			rng := rand.New(rand.NewPCG(seed, 1))
			defer func() {
				if t.Failed() {
					t.Logf("seed %d", seed)
				}
			}()
			m := randomModel(t, rng, letters, min(4*letters, 200))
			all := m.where(func(lexicon.Word) bool { return true })
			if got := slices.Collect(m.x.Words()); !slices.Equal(got, all) || m.x.Len() != len(all) {
				t.Fatalf("%d words, said to be %d; want %d", len(got), m.x.Len(), len(all))
			}
			m.checkGaddag(t)
			for range 300 {
				w := m.vary(rng, all[rng.IntN(len(all))])
				if m.x.Has(w) != m.words[w] {
					t.Errorf("Has(%q) = %t", w, m.x.Has(w))
				}
				m.checkHooks(t, w)
			}
			for range 30 {
				w := m.vary(rng, all[rng.IntN(len(all))])
				m.checkAnagrams(t, w, rng.IntN(3))
				m.checkPattern(t, rng, w)
			}
		})
	}
}

// vary may change a word at random; letters beyond the alphabet may occur.
func (m model) vary(rng *rand.Rand, w lexicon.Word) lexicon.Word {
	b := []byte(w)
	switch rng.IntN(4) {
	case 0:
		b[rng.IntN(len(b))] = byte(rng.IntN(m.a.Len() + 3))
	case 1:
		b = b[:rng.IntN(len(b))]
	case 2:
		b = slices.Insert(b, rng.IntN(len(b)+1), byte(1+rng.IntN(m.a.Len())))
	}
	return lexicon.Word(b)
}

// checkGaddag compares everything readable in the GADDAG with the expectation: each word from each
// of its letters.
func (m model) checkGaddag(t *testing.T) {
	t.Helper()
	want := map[string]bool{}
	for w := range m.words {
		for cut := 1; cut <= len(w); cut++ {
			head := []byte(w[:cut])
			slices.Reverse(head)
			if cut < len(w) {
				head = append(head, byte(lexicon.Turn))
			}
			want[string(head)+string(w[cut:])] = true
		}
	}
	got := map[string]bool{}
	var read func(n lexicon.Node, path []byte)
	read = func(n lexicon.Node, path []byte) {
		for l := range n.Ends.All() {
			got[string(append(path, byte(l)))] = true
		}
		for l := range n.Next.All() {
			child := m.x.Child(n, l)
			if child.Ends|child.Next == 0 {
				t.Errorf("%q leads to nothing", append(path, byte(l)))
			}
			read(child, append(path, byte(l)))
		}
	}
	read(m.x.Gaddag(), nil)
	if !maps.Equal(got, want) {
		t.Errorf("the GADDAG reads %d paths, want %d", len(got), len(want))
	}
}

func (m model) checkHooks(t *testing.T, w lexicon.Word) {
	t.Helper()
	var front, back []lexicon.Letter
	for l := lexicon.Letter(1); int(l) <= m.a.Len(); l++ {
		if m.words[lexicon.Word(l)+w] {
			front = append(front, l)
		}
		if m.words[w+lexicon.Word(l)] {
			back = append(back, l)
		}
	}
	if f, b := m.x.Hooks(w); w != "" && (!slices.Equal(f, front) || !slices.Equal(b, back)) {
		t.Errorf("hooks of %q: %v %v; want %v %v", w, f, b, front, back)
	}
}

func (m model) checkAnagrams(t *testing.T, letters lexicon.Word, blanks int) {
	t.Helper()
	missing := func(w lexicon.Word) int { // letters of w that are missing
		left := []byte(letters)
		n := 0
		for i := range len(w) {
			if at := slices.Index(left, w[i]); at >= 0 {
				left = slices.Delete(left, at, at+1)
			} else {
				n++
			}
		}
		return n
	}
	want := m.where(func(w lexicon.Word) bool { return missing(w) <= blanks })
	if got := slices.Collect(m.x.Subanagrams(letters, blanks)); !slices.Equal(got, want) {
		t.Errorf("words in %q with %d blanks: %q; want %q", letters, blanks, got, want)
	}
	want = m.where(func(w lexicon.Word) bool { return missing(w) <= blanks && len(w) == len(letters)+blanks })
	if got := slices.Collect(m.x.Anagrams(letters, blanks)); !slices.Equal(got, want) {
		t.Errorf("anagrams of %q with %d blanks: %q; want %q", letters, blanks, got, want)
	}
}

// checkPattern makes a pattern from a word and compares the result with a matcher that tries
// everything.
func (m model) checkPattern(t *testing.T, rng *rand.Rand, w lexicon.Word) {
	t.Helper()
	var pattern []string
	for i := range len(w) {
		switch rng.IntN(4) {
		case 0:
			pattern = append(pattern, "?")
		case 1:
			pattern = append(pattern, "*")
		default:
			if text := m.a.Text(lexicon.Letter(w[i])); text != "" {
				pattern = append(pattern, text)
			}
		}
	}
	p, err := lexicon.ParsePattern(m.a, strings.Join(pattern, ""))
	gametest.Must(t, err)
	var fits func(pattern []string, w lexicon.Word) bool
	fits = func(pattern []string, w lexicon.Word) bool {
		switch {
		case len(pattern) == 0:
			return w == ""
		case pattern[0] == "*":
			return fits(pattern[1:], w) || w != "" && fits(pattern, w[1:])
		}
		return w != "" && (pattern[0] == "?" || pattern[0] == m.a.Text(lexicon.Letter(w[0]))) && fits(pattern[1:], w[1:])
	}
	want := m.where(func(w lexicon.Word) bool { return fits(pattern, w) })
	if got := slices.Collect(m.x.Match(p)); !slices.Equal(got, want) {
		t.Errorf("%v fits %q; want %q", pattern, got, want)
	}
}

func TestManyReadersAtOnce(t *testing.T) {
	a := english(t)
	x := build(t, a, strings.Fields(animals)...)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for w := range x.Words() {
				if !x.Has(w) {
					t.Errorf("%s is lost", a.String(w))
				}
				x.Hooks(w)
			}
		})
	}
	wg.Wait()
}
