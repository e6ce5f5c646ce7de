package robot

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// TestGuessedLeaves uses words that have E three times as often as the bag, and no U.
func TestGuessedLeaves(t *testing.T) {
	set := gametest.Equipment(t).Tiles
	lex, err := lexicon.Build("small", set.Alphabet(), strings.NewReader("TEEHEES\nSEERESS\nTEENERS\nEX\n"))
	if err != nil {
		t.Fatal(err)
	}
	l := GuessLeaves(set, lex)
	value := func(text string) Equity {
		tiles, err := set.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return l.Value(tiles)
	}
	for _, c := range []struct{ better, worse string }{
		{"?", "S"}, {"S", "T"}, {"E", "A"}, {"E", "U"}, // frequent in words, or not
		{"Q", "V"},     // neither is in words, but Q scores more
		{"SE", "SS"},   // no duplicates
		{"ETN", "EEA"}, // not only vowels
		{"??", "?"},    // blanks don't count as duplicates
	} {
		if b, w := value(c.better), value(c.worse); b <= w {
			t.Errorf("%q is worth %.1f, %q %.1f", c.better, b.Float(), c.worse, w.Float())
		}
	}
	rack, _ := set.Parse("EESTU?")
	rack = rack.Sorted()
	all := make([]Equity, 1<<len(rack))
	l.OfRack(rack, all)
	if got := all[len(all)-1]; got != l.Value(rack) || all[0] != 0 {
		t.Errorf("of a whole rack %v, and of none %v; want %v and 0", got, all[0], l.Value(rack))
	}
}
