package robot

import (
	"math/rand/v2"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// TestDealsAreComplete checks that deals returns every possible bag with its frequency.
func TestDealsAreComplete(t *testing.T) {
	eq := gametest.Equipment(t)
	for _, tt := range []struct {
		unseen string
		bag    int
		deals  int     // distinct deals
		sum    float64 // sum of the weights
		drawn  int     // distinct draws
	}{
		{"ABC", 1, 3, 3, 3},
		{"AAB", 1, 2, 3, 2},
		{"AAB", 2, 3, 6, 2},
		{"AABC?", 2, 13, 20, 7},
	} {
		unseen := gametest.Tiles(t, eq, tt.unseen)
		all, sum := listDeals(unseen, tt.bag), 0.0
		for _, d := range all {
			sum += d.weight
			if (d.bag+d.other).Sorted() != unseen.Sorted() || len(d.bag) != tt.bag {
				t.Errorf("%s: %+v", tt.unseen, d)
			}
		}
		if drawn := mergeDraws(all); len(all) != tt.deals || sum != tt.sum || len(drawn) != tt.drawn {
			t.Errorf("%s, %d in the bag: %d deals, weights %v, %d draws", tt.unseen, tt.bag, len(all), sum, len(drawn))
		}
	}
}

// TestOneTileInBagFindsBestMove checks that no move has a better chance to win than the
// chosen one, over all possible tiles in the bag, when every ending is played out to its end.
func TestOneTileInBagFindsBestMove(t *testing.T) {
	eq, x := smallWorld(t)
	rules := game.Classic()
	mind := NewMind(x, nil, nil)
	expert, _ := ParseLevel("expert")
	rng := rand.New(rand.NewPCG(3, 1))
	some := 0
	for n := range 12 {
		gen := newGenerator(t, x, eq, rules)
		s := anEnding(rng, eq, gen, rules)
		unseen := s.Seats[1].Rack + game.TilesOf(game.LetterTile(1))
		v := View{Phase: game.Playing, Rules: rules, Equipment: eq, Board: s.Board, Rack: s.Seats[0].Rack.Sorted(), Bag: 1, Unseen: unseen.Sorted()}
		v.Rules.RackSize = max(len(s.Seats[0].Rack), len(s.Seats[1].Rack))
		v.Seats = []SeatView{{Score: 100, Tiles: len(v.Rack)}, {Score: 100 + rng.IntN(20) - 10, Tiles: len(unseen) - 1}}
		got, err := mind.Choose(t.Context(), expert, v, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		play, ok := got.(game.Play)
		if !ok {
			continue
		}
		some++
		exact := func(m game.Move, points int) float64 {
			sum := 0.0
			for _, d := range listDeals(v.Unseen, 1) {
				solver := newSolver(gen, v.Rules, eq.Tiles)
				th, _ := mind.think(expert, v)
				w, racks := th.world()
				sim := simulation{thought: th, now: w, unseen: []byte(v.Unseen), racks: racks}
				sim.deal(d, choice{move: m, points: points, equity: Points(points)})
				if !sim.w.over {
					e := newEnding(&sim.w.board, [2]game.Tiles{sim.w.seats[1].rack, sim.w.seats[0].rack}, sim.w.passes, sim.w.scoreless)
					found := solver.solve(t.Context(), e, 1<<30, 1)
					sim.w.seats[1].score += found.lines[0].value
					sim.w.over = true
				}
				_, worth := sim.outcome()
				sum += d.weight * worth
				th.done()
			}
			return sum / float64(len(v.Unseen))
		}
		made, best := -1.0, -1.0
		for _, p := range chooseAll(gen, &v) {
			e := exact(p.move, p.points)
			best = max(best, e)
			if p.move == play.Move {
				made = e
			}
		}
		if made < best-0.02 {
			t.Errorf("game %d: %s is worth %.4f, and the best %.4f\n%s", n, play.Move.Text(eq.Tiles), made, best, gametest.Picture(eq, v.Board))
		}
	}
	if some < 4 {
		t.Errorf("only %d positions with plays", some)
	}
}

// chooseAll returns the plays of a view.
func chooseAll(gen *movegen.Generator, v *View) (all []choice) {
	for _, p := range gen.Plays(&v.Board, v.Rack) {
		all = append(all, choice{move: p.Move(), points: int(p.Score)})
	}
	return all
}
