package game_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestMatchResult checks how the two games of a match end and who wins it (003 scoring).
func TestMatchResult(t *testing.T) {
	for _, c := range []struct {
		what          string
		first, second [2]int // scores of Ann and Bob
		want          []int
	}{
		{"who wins both games wins", [2]int{300, 200}, [2]int{310, 300}, []int{ann}},
		{"a split match goes to more points", [2]int{300, 200}, [2]int{300, 350}, []int{ann}},
		{"a split match goes to more points, whoever won which game", [2]int{300, 200}, [2]int{100, 350}, []int{bob}},
		{"a split match with as many points is a tie", [2]int{300, 200}, [2]int{200, 300}, []int{ann, bob}},
		{"one win and one tie is a win", [2]int{300, 300}, [2]int{200, 201}, []int{bob}},
	} {
		t.Run(c.what, func(t *testing.T) {
			g := sit(t, game.Match(), full, full)
			over := func(scores [2]int) {
				t.Helper()
				f := game.Ended{Reason: game.PassedEnd, Racks: make([]game.Tiles, 2), Adjust: []int{0, 0}}
				for i, n := range scores {
					g.s.Seats[i].Score = n
					if n == max(scores[0], scores[1]) {
						f.Winners = append(f.Winners, i)
					}
				}
				g.s = g.s.Apply(game.Event{Number: g.s.Number, Fact: f})
			}
			over(c.first)
			if !g.s.MatchGoesOn() || g.s.MatchWinners() != nil {
				t.Fatal("the match is over after a game")
			}
			next := g.s.NextGame()
			g.s = game.State{}
			g.does(ann, next)
			if g.s.Phase != game.Lobby {
				t.Fatal("the second game begins before Bob sits")
			}
			g.refused(cat, game.Join{}, game.NotInvited)
			g.does(bob, game.Join{})
			g.wantTurn(bob) // each is first in one game (003 rules)
			over(c.second)
			if got := g.s.MatchWinners(); g.s.MatchGoesOn() || !slices.Equal(got, c.want) {
				t.Errorf("%v win, want %v: %+v", got, c.want, g.s.Standings())
			}
		})
	}
}

// TestRandomMatches plays both games of random matches to their end, with each player first in one.
func TestRandomMatches(t *testing.T) {
	for seed := range uint64(gametest.Share(5)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			s, err := game.Replay(gametest.RandomGame(t, seed, 2, game.Match()))
			gametest.Must(t, err)
			if !s.MatchGoesOn() {
				t.Fatal("the match is over")
			}
			next := s.NextGame()
			if len(next.Earlier) != 2 || next.First.ID != s.Seats[1-s.First].Person.ID {
				t.Errorf("%+v", next)
			}
			if e := (game.Event{Fact: game.Opened{Earlier: next.Earlier}}).Rename("ann", game.Person{ID: "x", Name: "X"}); slices.ContainsFunc(e.People(), func(p game.Person) bool { return p.ID == "ann" }) {
				t.Error("Ann is still named")
			}
		})
	}
}
