package game_test

import (
	"testing"

	"github.com/rackmate/rackmate/game"
)

// TestJunior checks a board of 13 by 13 squares with simpler scoring: a point for every letter of
// every word (002 variations).
func TestJunior(t *testing.T) {
	g := sit(t, vary(game.Classic(), "junior"), "HORNSA?", "AHEIOUQ")
	l := g.s.Equipment.Layout
	if n := l.Size(); n != 13 {
		t.Errorf("%d squares a side", n)
	}
	for row := range 13 {
		for col := range 13 {
			if p := l.Premium(game.Square{Row: row, Col: col}); p != game.Plain {
				t.Errorf("%s is premium %d", game.Square{Row: row, Col: col}, p)
			}
		}
	}
	for _, play := range []struct {
		seat int
		rack string
		move string
		want int
	}{
		{ann, "HORNSA?", "7G HoRN", 4}, // the blank counts
		{bob, "AHEIOUQ", "6G AH", 6},   // forms AH across, AH and HO down
	} {
		g.rack(play.seat, play.rack)
		if got := g.plays(play.seat, play.move); got != play.want {
			t.Errorf("%s scores %d, want %d", play.move, got, play.want)
		}
	}
}

// TestJuniorWholeRack checks that there is no bonus for a whole rack.
func TestJuniorWholeRack(t *testing.T) {
	g := sit(t, vary(game.Classic(), "junior"), "HORNSAT", "AHEIOUQ")
	if got := g.plays(ann, "7D HORNSAT"); got != 7 {
		t.Errorf("seven tiles score %d", got)
	}
}
