package puzzle_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/lexicon"
)

// How likely letters are to be drawn: by hand for words of one's own.
func TestWays(t *testing.T) {
	set := gametest.Equipment(t).Tiles
	for word, want := range map[string]int64{
		"RETAINS": 6 * 12 * 6 * 9 * 9 * 6 * 4, // one of each
		"PIZZAZZ": 0,                          // one Z
		"EERIEST": 220 * 6 * 9 * 4 * 6,        // three of twelve E, in 220 ways
		"MAMMALS": 0,                          // two M
	} {
		w, err := set.Alphabet().Parse(word)
		gametest.Must(t, err)
		if got := puzzle.Ways(set, w); got.Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%s can be drawn in %s ways, want %d", word, got, want)
		}
	}
}

// A storm's words are the only ones of their letters, and stand in the order in which they
// are likely to be drawn.
func TestStormWords(t *testing.T) {
	m, w := englishMaker(t)
	all := m.Storm()
	if len(all) < 2000 {
		t.Fatalf("there are %d words", len(all))
	}
	anagrams := map[string]int{}
	for word := range w.List.Words() {
		if len(word) == puzzle.StormLetters {
			anagrams[puzzle.Letters(word)]++
		}
	}
	set := m.Equipment().Tiles
	medium := w.Levels[slices.IndexFunc(w.Levels, func(l puzzle.Level) bool { return l.Name == "medium" })].Words()
	before, last := (*big.Int)(nil), lexicon.Word("")
	for _, word := range all {
		ways := puzzle.Ways(set, word)
		switch {
		case anagrams[puzzle.Letters(word)] != 1:
			t.Errorf("%s isn't alone", w.List.Alphabet().String(word))
		case !w.Clean.Has(word) || !medium.Has(word):
			t.Errorf("%s is vulgar, or seldom met", w.List.Alphabet().String(word))
		case ways.Sign() == 0 || before != nil && (ways.Cmp(before) > 0 || ways.Cmp(before) == 0 && word < last):
			t.Errorf("%s stands in the wrong place", w.List.Alphabet().String(word))
		}
		before, last = ways, word
	}
	var first []string
	for _, word := range all[:5] {
		first = append(first, w.List.Alphabet().String(word))
	}
	t.Logf("%d words; the first are %s", len(all), strings.Join(first, " "))
}
