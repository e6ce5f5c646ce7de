package game_test

import (
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestSolitaire checks that solitaire is for one player only (002 variations).
func TestSolitaire(t *testing.T) {
	rules, eq := gametest.EquipVariant(t, vary(game.Club(), "solitaire"))
	g := &table{T: t}
	g.env.Dict = gametest.SmallDictionary(t)
	if _, err := g.try(ann, game.Open{Rules: rules, Equipment: eq, Seats: 2}); err == nil {
		t.Error("two players sit at a table for one")
	}
	g.does(ann, game.Open{Rules: rules, Equipment: eq, Seats: 1})
	if g.s.Phase != game.Playing || len(g.s.Seats[ann].Rack) != 7 || len(g.s.Bag) != 93 {
		t.Fatalf("phase %d, %d tiles on the rack, %d in the bag: it should begin at once", g.s.Phase, len(g.s.Seats[ann].Rack), len(g.s.Bag))
	}
	g.rack(ann, "HORNSA?")
	if got := g.plays(ann, "8H HORN"); got != 14 {
		t.Errorf("HORN scores %d", got)
	}
	g.wantTurn(ann)
	g.refused(ann, game.Challenge{}, game.NoChallenge)
	g.refused(bob, game.Pass{}, game.NotPlaying)
	g.rack(ann, "QA")
	g.does(ann, game.Agree{})
	g.wantScores(14 - 11)
	if f := g.s.End; f == nil || f.Reason != game.AgreementEnd || len(f.Winners) != 1 {
		t.Errorf("the end is %+v", f)
	}
}

func TestSolitaireGivenUp(t *testing.T) {
	g := sit(t, vary(game.Classic(), "solitaire"), "HORNSA?")
	g.does(ann, game.Resign{})
	if f := g.s.End; f == nil || len(f.Winners) != 0 {
		t.Errorf("the end is %+v", f)
	}
}

func TestSolitaireGoesOut(t *testing.T) {
	g := sit(t, vary(game.Classic(), "solitaire"), "HORN")
	g.bag("")
	g.plays(ann, "8H HORN")
	g.wantScores(14)
	if f := g.s.End; f == nil || f.Reason != game.WentOut {
		t.Errorf("the end is %+v", f)
	}
}
