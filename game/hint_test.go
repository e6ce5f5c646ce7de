package game_test

import (
	"testing"

	"github.com/rackmate/rackmate/game"
)

// TestHint checks that a hint is counted for the game and the turn and changes nothing else: the
// turn remains, and the latest play can still be challenged.
func TestHint(t *testing.T) {
	g := sit(t, game.Classic(), "HORNEEE", full)
	g.refused(bob, game.Hint{}, game.NotYourTurn)
	g.does(ann, game.Hint{})
	g.does(ann, game.Hint{})
	g.plays(ann, "8H HORN")
	g.does(bob, game.Hint{})
	g.wantTurn(bob)
	if a, b := g.s.Seats[ann], g.s.Seats[bob]; a.Hints != 2 || a.HintsNow != 0 || b.Hints != 1 || b.HintsNow != 1 {
		t.Errorf("Ann has %d hints, %d at this turn; Bob %d and %d", a.Hints, a.HintsNow, b.Hints, b.HintsNow)
	}
	if f, _ := g.challenges(bob); len(f.Invalid) > 0 || len(f.Words) != 1 {
		t.Errorf("%+v", f)
	}
}

func TestNoHints(t *testing.T) {
	g := sit(t, game.Club(), full, full)
	g.refused(ann, game.Hint{}, game.NoHints)
	g.does(ann, game.Pass{})
	g.refused(ann, game.Hint{}, game.NotYourTurn)
}
