package lexicon_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

func TestVocabulary(t *testing.T) {
	a := english(t)
	v, err := lexicon.ReadVocabulary(a, strings.NewReader("AARDVARK 20\nCAT 10\nOK 10\nQI 70\n"))
	gametest.Must(t, err)
	x, err := lexicon.Build("test", a, strings.NewReader("AARDVARK\nCAT\nQI\nZA"))
	gametest.Must(t, err)
	for _, tt := range []struct {
		tier, letters int
		want          string
	}{
		{5, 0, ""},
		{lexicon.Everyday, 0, "CAT"}, // OK is common, but not in the list
		{lexicon.Everyday, 2, "CAT QI ZA"},
		{lexicon.Familiar, 1, "AARDVARK CAT"},
		{lexicon.Unusual, 0, "AARDVARK CAT QI"},
		{5, 100, "AARDVARK CAT QI ZA"},
		{lexicon.Rare, 0, "AARDVARK CAT QI ZA"},
	} {
		known := v.Sublist(x, tt.tier, tt.letters)
		var got []string
		for w := range known.Words() {
			got = append(got, a.String(w))
			if !known.Has(w) {
				t.Errorf("tier %d lists %s, and doesn't have it", tt.tier, a.String(w))
			}
		}
		if strings.Join(got, " ") != tt.want || known.Len() != len(got) || known.Name() != "test" {
			t.Errorf("within tier %d: %s, %d words of %s; want %s", tt.tier, got, known.Len(), known.Name(), tt.want)
		}
		knows := v.Knows(x, tt.tier, tt.letters)
		for w := range x.Words() {
			if knows(w) != known.Has(w) {
				t.Errorf("within tier %d, up to %d letters: %s is known: %v", tt.tier, tt.letters, a.String(w), knows(w))
			}
		}
		// The same words give the same list, whatever they were selected from.
		if same, err := lexicon.Build("test", a, strings.NewReader(strings.Join(got, "\n"))); err != nil || same.Hash() != known.Hash() {
			t.Errorf("within tier %d: hash %s, %v", tt.tier, known.Hash(), err)
		}
	}
	if w, err := a.Parse("ZA"); err != nil || v.Tier(w) != lexicon.Rare {
		t.Errorf("a word that isn't there has tier %d, %v", v.Tier(w), err)
	}
}

func TestVocabularyNamesBadLine(t *testing.T) {
	for text, line := range map[string]int{
		"CAT 10\nDOG":           2,
		"CAT ten":               1,
		"CAT 0":                 1,
		"CAT 99":                1,
		"C4T 10":                1,
		"CAT 10\nART 10":        2,
		"CAT 10\nCAT 20":        2,
		"ART 10\nCAT 10\n\nDOG": 3,
	} {
		_, err := lexicon.ReadVocabulary(english(t), strings.NewReader(text))
		var bad *lexicon.LineError
		if !errors.As(err, &bad) || bad.Line != line {
			t.Errorf("%q: %v, want line %d named", text, err, line)
		}
	}
	if v, err := lexicon.ReadVocabulary(english(t), strings.NewReader("")); err != nil || v.Tier("\x01\x02") != lexicon.Rare {
		t.Errorf("an empty vocabulary: %v", err)
	}
}

func TestCommon(t *testing.T) {
	a := english(t)
	v, err := lexicon.ReadVocabulary(a, strings.NewReader("AARDVARK 20\nART 10\nCAT 10\nCATS 10\nDOG 10\nOK 10\n"))
	gametest.Must(t, err)
	x, err := lexicon.Build("test", a, strings.NewReader("AARDVARK\nART\nCAT\nCATS\nOK\nQAT"))
	gametest.Must(t, err)
	var got []string
	for _, w := range v.Common(x, lexicon.Everyday, 3, 3) {
		got = append(got, a.String(w))
	}
	if strings.Join(got, " ") != "ART CAT" { // DOG isn't in the list, the others have another length or are rare
		t.Errorf("%s", got)
	}
}

// TestGuessVocabulary checks that without data as many words are known as in English, and that
// higher tiers include the words of lower ones.
func TestGuessVocabulary(t *testing.T) {
	x := shipped(t)
	v := lexicon.GuessVocabulary()
	var before *lexicon.Lexicon
	for tier, want := range map[int]int{lexicon.Familiar: 40598, lexicon.Unusual: 113276} {
		known := v.Sublist(x, tier, 0)
		if off := known.Len() - want; off < -want/50 || off > want/50 {
			t.Errorf("up to tier %d %d words are known, in English %d", tier, known.Len(), want)
		}
		knows := v.Knows(x, tier, 0)
		for w := range x.Words() {
			if knows(w) != known.Has(w) {
				t.Fatalf("up to tier %d %s is known: %v", tier, x.Alphabet().String(w), knows(w))
			}
		}
		if less, more := before, known; less != nil {
			if less.Len() > more.Len() {
				less, more = more, less
			}
			for w := range less.Words() {
				if !more.Has(w) {
					t.Fatalf("%s is known to those who know less alone", x.Alphabet().String(w))
				}
			}
		}
		before = known
	}
	few := many(t)
	if once, again := v.Sublist(few, lexicon.Familiar, 0), v.Sublist(few, lexicon.Familiar, 0); once.Hash() != again.Hash() {
		t.Error("another time others are known")
	}
	if known := v.Sublist(x, lexicon.Educated, 2); known.Len() < 79463*98/100 {
		t.Errorf("%d words are known", known.Len())
	} else {
		for w := range x.Words() {
			if len(w) == 2 && !known.Has(w) {
				t.Errorf("%s isn't known", x.Alphabet().String(w))
			}
		}
	}
	small := v.Sublist(build(t, english(t), "HORN", "FARM", "AE"), lexicon.Familiar, 0)
	if small.Len() != 3 {
		t.Errorf("of a list of three words %d are known", small.Len())
	}
	if got := v.Common(x, lexicon.Everyday, 4, 8); len(got) > 0 || v.Sublist(x, lexicon.Rare, 0) != x {
		t.Error("nothing is known of the words")
	}
}
