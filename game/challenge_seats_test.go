package game_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game"
)

// TestChallengesByPlayers tests challenges with two, three and four players. Ann plays HORN, Bob L8
// SJO with HORNS; SJO is invalid. The last player challenges.
func TestChallengesByPlayers(t *testing.T) {
	racks := []string{"HORNEEE", "SJOEIII", "OOUUIII", "AAUUIIA"}
	for n := 2; n <= 4; n++ {
		last := n - 1
		if last == bob {
			last = ann // the only opponent
		}
		start := func(t *testing.T, rule game.ChallengeRule) *table {
			g := sit(t, with(game.Classic(), rule), racks[:n]...)
			g.plays(ann, "8H HORN")
			g.plays(bob, "L8 SJO")
			return g
		}
		t.Run(fmt.Sprintf("%d players", n), func(t *testing.T) {
			t.Run("single, the valid word named", func(t *testing.T) {
				g := start(t, game.Single)
				f, _ := g.challenges(last, "HORNS")
				if len(f.Invalid) != 0 || len(f.Words) != 1 {
					t.Errorf("%+v", f)
				}
				g.refused(last, g.challenge("HORNS"), game.AlreadyJudged)
				g.refused(last, g.challenge("FARM"), game.WordNotPlayed)
				g.wantTurn(2 % n)
				f, _ = g.challenges(last) // the words left
				if len(f.Words) != 1 || len(f.Invalid) != 1 || g.s.Seats[bob].Score != 0 {
					t.Errorf("%+v, Bob has %d", f, g.s.Seats[bob].Score)
				}
				g.wantTurn(2 % n)
			})
			t.Run("single, the invalid word named", func(t *testing.T) {
				g := start(t, game.Single)
				if f, _ := g.challenges(last, "SJO"); len(f.Invalid) != 1 {
					t.Errorf("%+v", f)
				}
				g.wantRack(bob, racks[bob])
				g.wantTurn(2 % n)
			})
			t.Run("until the next player has acted", func(t *testing.T) {
				g := start(t, game.Single)
				g.pass(2 % n)
				g.refused(last, game.Challenge{}, game.NothingToJudge)
			})
			t.Run("triple, right", func(t *testing.T) {
				g := start(t, game.Triple)
				g.challenges(last)
				if n == 2 {
					g.wantEnd(game.TripleEnd, []int{0, 0}, ann)
					return
				}
				if !g.s.Seats[bob].Out {
					t.Error("Bob plays on")
				}
				g.wantTurn(cat)
				for range n { // Bob is skipped
					if g.s.Turn == bob {
						t.Fatal("it is Bob's turn")
					}
					g.pass(g.s.Turn)
				}
			})
			t.Run("triple, wrong", func(t *testing.T) {
				g := start(t, game.Triple)
				g.challenges(last, "HORNS")
				if n == 2 {
					g.wantEnd(game.TripleEnd, []int{0, 0}, bob)
					return
				}
				if !g.s.Seats[last].Out || len(g.s.Active()) != n-1 {
					t.Errorf("%d play on", len(g.s.Active()))
				}
				if g.s.Turn == last {
					t.Error("it is the turn of who is out")
				}
			})
			t.Run("the last play", func(t *testing.T) {
				g := sit(t, with(game.Classic(), game.Single), append([]string{"HORNEEE"}, racks[1:n]...)...)
				g.board(` 8 .......HORN`)
				g.rack(ann, "FAQ")
				g.bag("")
				g.plays(ann, "J6 FA.Q")
				g.wantClosing()
				for seat := bob; seat < n-1; seat++ {
					g.pass(seat)
					g.wantClosing()
				}
				g.challenges(n - 1)
				g.wantTurn(bob)
				g.wantRack(ann, "FAQ")
				// Again, and this time they accept it.
				for g.s.Turn != ann {
					g.pass(g.s.Turn)
				}
				g.plays(ann, "J6 FA.Q")
				for seat := bob; seat < n; seat++ {
					g.wantClosing()
					g.pass(seat)
				}
				if g.s.End == nil || g.s.End.Reason != game.WentOut || !slices.Equal(g.s.End.Winners, []int{ann}) {
					t.Errorf("%+v", g.s.End)
				}
			})
			t.Run("the last play under triple", func(t *testing.T) {
				g := sit(t, with(game.Classic(), game.Triple), append([]string{"HORNEEE"}, racks[1:n]...)...)
				g.board(` 8 .......HORN`)
				g.rack(ann, "FAQ")
				g.bag("")
				g.plays(ann, "J6 FA.Q")
				g.challenges(bob)
				if !g.s.Seats[ann].Out || n > 2 && g.s.Phase != game.Playing || n == 2 && g.s.End.Reason != game.TripleEnd {
					t.Errorf("phase %d, Ann out %t", g.s.Phase, g.s.Seats[ann].Out)
				}
			})
		})
	}
}
