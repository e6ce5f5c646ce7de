package game_test

import (
	"testing"

	"github.com/rackmate/rackmate/game"
)

// TestLargeBoard checks the large board: 21 squares a side, every tile twice, and symmetric premium
// squares.
func TestLargeBoard(t *testing.T) {
	g := sit(t, vary(game.Classic(), "21x21"), "HORNSA?", "AEIOUQQ")
	l := g.s.Equipment.Layout
	if n := l.Size(); n != 21 || l.Start() != (game.Square{Row: 10, Col: 10}) {
		t.Errorf("%d squares a side, the start is %s", n, l.Start())
	}
	for row := range 21 {
		for col := range 21 {
			p := l.Premium(game.Square{Row: row, Col: col})
			for _, sq := range []game.Square{{Row: col, Col: row}, {Row: row, Col: 20 - col}} {
				if q := l.Premium(sq); q != p {
					t.Errorf("%s and %s differ", sq, game.Square{Row: row, Col: col})
				}
			}
		}
	}
	if n := len(g.s.Equipment.Tiles.All()); n != 200 {
		t.Errorf("%d tiles", n)
	}
	if got := g.plays(ann, "11K HORN"); got != 14 {
		t.Errorf("HORN scores %d", got)
	}
}
