package robot

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// looking returns a simulation for the player to move in a world of two, after the opponent's move.
func (d *duel) looking(w *world, last choice, drew int) *simulation {
	me := w.turn
	v := View{Phase: game.Playing, Rules: d.rules, Equipment: d.eq, Board: w.board, Me: me, Turn: me, Rack: w.seats[me].rack.Sorted(), Bag: len(w.bag)}
	v.Unseen = (w.bag + w.seats[1-me].rack).Sorted()
	for _, h := range w.seats {
		v.Seats = append(v.Seats, SeatView{Score: h.score, Tiles: len(h.rack)})
	}
	v.Before = &TurnView{Seat: 1 - me, Move: last.move, Points: last.points, Tiles: len(last.move.Tiles.Faces()), Drew: drew}
	if last.move.Kind == game.ExchangeTiles {
		v.Before.Move.Tiles = ""
	}
	t := &thought{View: v, gen: d.players[0].gen, worth: d.players[0], left: budgetOf(250 * inferring), rng: rand.New(rand.NewPCG(1, uint64(len(v.Unseen))))}
	now, racks := t.world()
	return &simulation{thought: t, other: newAppraiser(t.gen, &t.Rules, t.Equipment, t.worth.values), now: now, unseen: []byte(v.Unseen), racks: racks}
}

// alike returns the number of tiles that two racks have in common.
func alike(a, b game.Tiles) float64 {
	n := 0
	for i := range len(a) {
		if a[:i+1].Count(a.At(i)) <= b.Count(a.At(i)) {
			n++
		}
	}
	return float64(n)
}

// TestInferOpponentsLeave checks that the inferred leave is more like the actual one than
// randomly drawn tiles are.
func TestInferOpponentsLeave(t *testing.T) {
	d := newDuel(t, "en", "", trained, trained)
	turns, inferred, drawn := 0, 0.0, 0.0
	for n := range uint64(2) {
		rng := rand.New(rand.NewPCG(5, n))
		bag := []byte(d.eq.Tiles.All())
		rng.Shuffle(len(bag), func(i, k int) { bag[i], bag[k] = bag[k], bag[i] })
		tiles := game.Tiles(bag)
		w := world{rules: &d.rules, set: d.eq.Tiles, seats: []hand{{rack: tiles[:7]}, {rack: tiles[7:14]}}, bag: tiles[14:]}
		for len(w.bag) > 10 {
			p, who := d.players[0], w.turn
			p.weigh(&w.board, w.seats[who].rack, len(w.bag), 0, 1)
			c := p.bestMove(&w.board)
			kept, _ := w.seats[who].rack.Minus(c.move.Tiles.Faces())
			w.move(c)
			s := d.looking(&w, c, len(c.move.Tiles.Faces()))
			s.infer(t.Context())
			if len(kept) == 0 || c.move.Kind == game.PassTurn {
				if s.rackGuesses != nil {
					t.Errorf("game %d: a player without tiles kept some", n)
				}
				continue
			}
			turns++
			before, sum := 0.0, s.rackGuesses[len(s.rackGuesses)-1].sum
			for _, k := range s.rackGuesses {
				if len(k.kept) != len(kept) {
					t.Fatalf("game %d: %d tiles kept, not %d", n, len(k.kept), len(kept))
				}
				inferred += alike(k.kept, kept) * (k.sum - before) / sum
				drawn += alike(k.kept, kept) / float64(len(s.rackGuesses))
				before = k.sum
			}
		}
	}
	t.Logf("%d turns: %.2f tiles in common, at random %.2f", turns, inferred/float64(turns), drawn/float64(turns))
	if inferred < drawn+0.1*float64(turns) {
		t.Errorf("in %d turns %.2f tiles each in common with what was kept; at random %.2f", turns, inferred/float64(turns), drawn/float64(turns))
	}
}

// TestExchangeImpliesGoodLeave checks that a player who exchanges is taken to have kept good
// tiles.
func TestExchangeImpliesGoodLeave(t *testing.T) {
	d := newDuel(t, "en", "", trained, trained)
	all, _ := d.eq.Tiles.All().Minus(gametest.Tiles(t, d.eq, "AEINRSTAEINOOU"))
	w := world{rules: &d.rules, set: d.eq.Tiles, seats: []hand{{rack: gametest.Tiles(t, d.eq, "AEINOOU")}, {rack: gametest.Tiles(t, d.eq, "AEINRST")}}, bag: all}
	s := d.looking(&w, choice{move: game.Move{Kind: game.ExchangeTiles, Tiles: gametest.Tiles(t, d.eq, "VVWU")}}, 4)
	s.infer(t.Context())
	before, sum, worth := 0.0, s.rackGuesses[len(s.rackGuesses)-1].sum, 0.0
	for _, k := range s.rackGuesses {
		if len(k.kept) != 3 {
			t.Fatalf("%d tiles kept", len(k.kept))
		}
		worth += s.other.values.Value(k.kept).Float() * (k.sum - before) / sum
		before = k.sum
	}
	if worth < 3 {
		t.Errorf("what was kept is worth %.1f", worth)
	}
}

// TestWorldsDealInferredTiles checks that inferred tiles are dealt to the right player, and
// the other tiles at random.
func TestWorldsDealInferredTiles(t *testing.T) {
	eq := gametest.Equipment(t)
	unseen := gametest.Tiles(t, eq, "AABBCCDDEEFFGG")
	s := &simulation{
		thought:     &thought{rng: rand.New(rand.NewPCG(1, 1))},
		now:         world{seats: make([]hand, 3)},
		unseen:      []byte(unseen),
		racks:       []int{7, 5, 4},
		rackGuesses: []rackGuess{{gametest.Tiles(t, eq, "AB"), 1}, {gametest.Tiles(t, eq, "GG"), 4}},
		inferred:    2,
	}
	second := 0
	for range 400 {
		s.imagine()
		one, two := s.now.seats[1].rack, s.now.seats[2].rack
		if len(one) != 5 || len(two) != 4 || (one+two+s.now.bag).Sorted() != unseen {
			t.Fatalf("%q and %q were dealt, and %q are left", one, two, s.now.bag)
		}
		if strings.HasPrefix(string(two), string(s.rackGuesses[1].kept)) {
			second++
		} else if !strings.HasPrefix(string(two), string(s.rackGuesses[0].kept)) {
			t.Fatalf("%q was dealt", two)
		}
	}
	if second < 260 || second > 340 {
		t.Errorf("what is three times as likely was dealt %d times of 400", second)
	}
}

// TestDealsAreWeightedByInference checks that deals before an empty bag are weighted by the
// inferred leave.
func TestDealsAreWeightedByInference(t *testing.T) {
	eq := gametest.Equipment(t)
	for _, tt := range []struct {
		unseen string
		bag    int
		kept   []string
		want   map[string]float64 // shares by contents of the bag
	}{
		{"AAB", 1, nil, map[string]float64{"A": 2. / 3, "B": 1. / 3}},
		{"AAB", 1, []string{"A"}, map[string]float64{"A": 1. / 2, "B": 1. / 2}},
		{"AAB", 1, []string{"A", "B"}, map[string]float64{"A": 3. / 4, "B": 1. / 4}},
		{"AABC", 2, []string{"A"}, map[string]float64{"AB": 1. / 3, "AC": 1. / 3, "BC": 1. / 3}},
		{"AABC", 2, []string{"BC"}, map[string]float64{"AA": 1}},
	} {
		s := &simulation{unseen: []byte(gametest.Tiles(t, eq, tt.unseen))}
		for i, k := range tt.kept {
			s.rackGuesses = append(s.rackGuesses, rackGuess{gametest.Tiles(t, eq, k), float64(i + 1)})
		}
		all, sum := listDeals(game.Tiles(s.unseen), tt.bag), 0.0
		s.reweigh(all)
		for _, d := range all {
			sum += d.weight
		}
		got := map[string]float64{}
		for _, d := range mergeDraws(all) {
			if d.weight > 0 {
				got[eq.Tiles.Print(d.bag)] = d.weight / sum
			}
		}
		for bag, share := range tt.want {
			if diff := got[bag] - share; diff < -1e-9 || diff > 1e-9 || len(got) != len(tt.want) {
				t.Errorf("%s, %d in the bag, kept %v: %v", tt.unseen, tt.bag, tt.kept, got)
			}
		}
	}
}
