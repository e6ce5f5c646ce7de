package robot

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// TestDrawsAreComplete checks that draws returns each possible set of tiles with its frequency.
func TestDrawsAreComplete(t *testing.T) {
	eq := gametest.Equipment(t)
	for _, tt := range []struct {
		unseen string
		n      int
		draws  int     // distinct draws
		sum    float64 // sum of the weights: n choose k
	}{
		{"ABC", 1, 3, 3},
		{"AAB", 2, 2, 3},
		{"AABC?", 2, 7, 10},
		{"AAAABBBCD??", 4, 35, 330},
		{"AAAA", 4, 1, 1},
	} {
		unseen := gametest.Tiles(t, eq, tt.unseen)
		all, sum := draws(unseen, tt.n), 0.0
		for _, d := range all {
			sum += d.weight
			if (d.bag+d.other).Sorted() != unseen.Sorted() || len(d.bag) != tt.n {
				t.Errorf("%s: %+v", tt.unseen, d)
			}
		}
		if len(all) != tt.draws || sum != tt.sum {
			t.Errorf("%s, %d drawn: %d draws, weights %v", tt.unseen, tt.n, len(all), sum)
		}
	}
}

// TestExactForecasts checks exact forecasts with 1 to 4 tiles in the bag: a
// move that draws them all has as its chance to win the share of deals that it wins with best play
// by both sides.
func TestExactForecasts(t *testing.T) {
	eq, x := smallWorld(t)
	rules := game.Classic()
	mind := NewMind(x, nil, nil)
	rng := rand.New(rand.NewPCG(8, 1))
	exact, inexact := 0, 0
	for n := range 8 {
		gen := newGenerator(t, x, eq, rules)
		s := anEnding(rng, eq, gen, rules)
		bag := 1 + n%MostForeseen
		unseen := s.Seats[1].Rack
		for i := range bag {
			unseen += game.TilesOf(game.LetterTile(lexicon.Letter(1 + i)))
		}
		v := View{Phase: game.Playing, Rules: rules, Equipment: eq, Board: s.Board, Rack: s.Seats[0].Rack.Sorted(), Bag: bag, Unseen: unseen.Sorted()}
		v.Rules.RackSize = max(len(s.Seats[0].Rack), len(s.Seats[1].Rack))
		v.Seats = []SeatView{{Score: 100, Tiles: len(v.Rack)}, {Score: 100 + rng.IntN(20) - 10, Tiles: len(unseen) - bag}}
		f, err := mind.Foresee(t.Context(), v, 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		passes := 0
		for i, m := range f.Moves {
			if m.Move.Kind == game.PassTurn {
				passes++
			}
			if i > 0 && m.Chance.Win > f.Moves[i-1].Chance.Win+0.05 || m.Chance.Win < 0 || m.Chance.Win > 1 {
				t.Errorf("position %d: %+v comes after %+v", n, m, f.Moves[i-1])
			}
			if !m.Exact {
				inexact++
				continue
			}
			if exact++; m.Chance.Error != 0 {
				t.Errorf("position %d: exact but for %v", n, m.Chance.Error)
			}
			won, weight := 0.0, 0.0
			for _, d := range draws(v.Unseen, bag) {
				th, err := mind.think(Level{knowledge: knowledge{tier: 99}}, v)
				if err != nil {
					t.Fatal(err)
				}
				sim := th.simulation()
				sim.deal(d, choice{move: m.Move, points: m.Points, equity: Points(m.Points)})
				if w := &sim.w; !w.over {
					e := newEnding(&w.board, [2]game.Tiles{w.seats[1].rack, w.seats[0].rack}, w.passes, w.scoreless)
					w.seats[1].score += newSolver(gen, v.Rules, eq.Tiles).solve(t.Context(), e, 1<<30, 1).lines[0].value
				}
				switch lead := sim.w.lead(); {
				case lead > 0:
					won += d.weight
				case lead == 0:
					won += d.weight / 2
				}
				weight += d.weight
				th.done()
			}
			if math.Abs(m.Chance.Win-won/weight) > 1e-9 {
				t.Errorf("position %d, %d in the bag: %s wins %.4f, foreseen %.4f", n, bag, m.Move.Text(eq.Tiles), won/weight, m.Chance.Win)
			}
		}
		if f.Deals != len(draws(v.Unseen, bag)) || passes > 1 {
			t.Errorf("position %d: %d deals, %d passes", n, f.Deals, passes)
		}
	}
	if exact < 8 || inexact == 0 {
		t.Errorf("%d exact moves, %d others", exact, inexact)
	}
	for _, bag := range []int{0, 5} {
		v := View{Phase: game.Playing, Rules: rules, Equipment: eq, Rack: game.TilesOf(game.LetterTile(1)), Bag: bag, Unseen: gametest.Tiles(t, eq, "AAAAAAAA"), Seats: make([]SeatView, 2)}
		if _, err := mind.Foresee(t.Context(), v, 100); !errors.Is(err, ErrNotForeseen) {
			t.Errorf("%d in the bag: %v", bag, err)
		}
	}
}

// BenchmarkForesee measures a position for each number of tiles in the bag, and reports how many of
// its moves are exact.
func BenchmarkForesee(b *testing.B) {
	for bag := 1; bag <= MostForeseen; bag++ {
		b.Run(string(rune('0'+bag)), func(b *testing.B) {
			mind, views := somePositions(b, 4, bag, bag)
			exact, moves, i := 0, 0, 0
			for b.Loop() {
				f, err := mind.Foresee(b.Context(), views[i%len(views)], 200_000)
				if err != nil {
					b.Fatal(err)
				}
				for _, m := range f.Moves {
					if moves++; m.Exact {
						exact++
					}
				}
				i++
			}
			b.ReportMetric(float64(exact)/float64(moves), "exact")
		})
	}
}
