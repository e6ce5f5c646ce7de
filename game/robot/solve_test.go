package robot

import (
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// TestSolvedEndingsReachTheirValue checks that a solved ending is played to its end, and that its
// moves add up to its value.
func TestSolvedEndingsReachTheirValue(t *testing.T) {
	eq := gametest.Equipment(t)
	m := NewMind(gametest.ShippedList(t, "en-former"), nil, nil)
	solved := 0
	all := readEndings(t, eq)
	for i, p := range all {
		if i%(len(all)/gametest.Share(len(all))) != 0 || p.positions > soonProven {
			continue
		}
		e, err := m.Solve(t.Context(), p.View, 60_000)
		if err != nil {
			t.Fatal(err)
		}
		if !e.Proven {
			continue
		}
		solved++
		s := newSolver(newGenerator(t, gametest.ShippedList(t, "en-former"), eq, p.Rules), p.Rules, eq.Tiles)
		at := (&thought{View: p.View}).ending()
		sum, sign, over := 0, 1, false
		for i, c := range e.Moves {
			if c.Sure != Plain {
				t.Errorf("%s and %s: move %d of a proven ending isn't proven", eq.Tiles.Print(p.Rack), eq.Tiles.Print(p.Unseen), i+1)
			}
			if over {
				t.Fatalf("%s and %s: there are moves after the end", eq.Tiles.Print(p.Rack), eq.Tiles.Print(p.Unseen))
			}
			gain := 0
			at, gain, over = s.afterMove(&at, c.Move, c.Points)
			sum, sign = sum+sign*gain, -sign
		}
		if !over || sum != e.Value || sum != p.value {
			t.Errorf("%s and %s: the moves come to %d (over: %v), the value is %d, and %d is said", eq.Tiles.Print(p.Rack), eq.Tiles.Print(p.Unseen), sum, over, p.value, e.Value)
		}
	}
	if solved == 0 {
		t.Error("nothing was solved")
	}
	t.Logf("%d solved", solved)
}
