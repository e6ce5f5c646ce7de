package robot

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestWorldsMatchRules plays whole games through the rules and through worlds, which must agree.
func TestWorldsMatchRules(t *testing.T) {
	eq, x := smallWorld(t)
	seed := uint64(time.Now().UnixNano())
	ends := map[game.EndReason]int{}
	for n := range uint64(24) {
		sets := game.RuleSets()
		rules := sets[n%uint64(len(sets))]
		rules.Challenge, rules.Elect, rules.Order = game.Void, false, game.Drawn
		players := min(2+int(n%3), rules.MaxPlayers)
		rng := rand.New(rand.NewPCG(seed, n))
		gen := newGenerator(t, x, eq, rules)

		env := game.Env{Dict: x, Now: time.Unix(0, 0)}
		copy(env.Secret[:], fmt.Sprint(seed, n))
		var s game.State
		do := func(p game.Person, a game.Action) []game.Event {
			events, err := game.Decide(s, p, a, env)
			if err != nil {
				t.Fatalf("seed %d, game %d: %+v: %v", seed, n, a, err)
			}
			for _, e := range events {
				s = s.Apply(e)
			}
			return events
		}
		do(gametest.People[0], game.Open{Rules: rules, Equipment: eq, Seats: players})
		for _, p := range gametest.People[1:players] {
			do(p, game.Join{})
		}
		w := world{rules: &rules, set: eq.Tiles, turn: s.Turn}
		for _, seat := range s.Seats {
			w.seats = append(w.seats, hand{rack: seat.Rack})
		}
		for s.Phase == game.Playing {
			seat := s.Turn
			c := choice{move: game.Move{Kind: game.PassTurn}}
			rack := s.Seats[seat].Rack
			if plays := gen.Plays(&s.Board, rack); len(plays) > 0 && rng.IntN(8) > 0 {
				p := plays[rng.IntN(len(plays))]
				c = choice{p.Move(), int(p.Score), Points(int(p.Score))}
			} else if k := 1 + rng.IntN(len(rack)); len(s.Bag) >= max(rules.ExchangeMin, k) && rng.IntN(2) > 0 {
				c.move = game.Move{Kind: game.ExchangeTiles, Tiles: rack[:k]}
			}
			// The world draws the same tiles as the game.
			before := s.Bag
			events := do(s.Seats[seat].Person, c.action())
			var drew game.Tiles
			switch f := events[0].Fact.(type) {
			case game.Played:
				drew = f.Drew
			case game.Exchanged:
				drew = f.Drew
			}
			rest, _ := before.Minus(drew)
			w.bag = drew + rest
			w.move(c)
			for i, h := range w.seats {
				if h.score != s.Seats[i].Score || h.rack.Sorted() != s.Seats[i].Rack.Sorted() {
					t.Fatalf("seed %d, game %d, %s, after event %d: seat %d has %d points and %q, in the world %d and %q",
						seed, n, rules.Name, s.Number, i, s.Seats[i].Score, s.Seats[i].Rack.Sorted(), h.score, h.rack.Sorted())
				}
			}
			if w.over != (s.Phase == game.Over) || !w.over && (w.turn != s.Turn || w.board != s.Board || len(w.bag) != len(s.Bag)) {
				t.Fatalf("seed %d, game %d, %s, event %d: phase %d, turn %d; in the world over %v, turn %d", seed, n, rules.Name, s.Number, s.Phase, s.Turn, w.over, w.turn)
			}
		}
		ends[s.End.Reason]++
	}
	if len(ends) < 2 {
		t.Errorf("seed %d: all games ended alike: %v", seed, ends)
	}
}

// trials returns a simulation of moves with the given results.
func trials(results ...[]float64) *simulation {
	s := &simulation{}
	for i, r := range results {
		sum := 0.0
		for _, v := range r {
			sum += v
		}
		s.trials = append(s.trials, trial{choice: choice{points: i}, results: r, sum: sum})
	}
	return s
}

func TestOnlyWorseMovesAreDropped(t *testing.T) {
	var luck, better, worse []float64 // results in the same worlds
	rng := rand.New(rand.NewPCG(1, 1))
	for range 32 {
		luck = append(luck, rng.Float64())
	}
	for i, v := range luck {
		better = append(better, v+0.01+0.001*float64(i%2))
		worse = append(worse, rng.Float64())
	}
	// A hundredth more in every world is certain, however much the worlds differ.
	if s := trials(luck, better); s.dropWorse(32) != 1 || !s.trials[0].out || s.leader().points != 1 {
		t.Errorf("what is a little worse in every world is still tried")
	}
	// A difference by luck isn't.
	if s := trials(luck, worse); s.dropWorse(32) != 2 {
		t.Errorf("one of two that differ by luck was given up")
	}
	if s := trials(luck, luck); s.dropWorse(32) != 2 {
		t.Errorf("one of two alike was given up")
	}
	// A move isn't better for having been tried in one world more.
	if s := trials(append([]float64{0.9}, better...), better); s.leader().points != 0 {
		t.Errorf("the leader is %d", s.leader().points)
	}
}

func TestChanceToWin(t *testing.T) {
	if even := winChance(0, 50); even != 0.5 {
		t.Errorf("an even game is won with a chance of %v", even)
	}
	for ahead := 10.0; ahead < 100; ahead += 10 {
		if p, later := winChance(ahead, 80), winChance(ahead, 20); p <= 0.5 || later <= p || math.Abs(p+winChance(-ahead, 80)-1) > 1e-9 {
			t.Errorf("%v ahead: %v, and later %v", ahead, p, later)
		}
	}
}

// TestSolutionGainsItsValue checks that a solution gains its value or more against a greedy
// opponent.
func TestSolutionGainsItsValue(t *testing.T) {
	eq, x := smallWorld(t)
	rules := game.Classic()
	rules.Challenge = game.Void
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 1))
	exact := 0
	for n := range 30 {
		gen := newGenerator(t, x, eq, rules)
		s := newSolver(gen, rules, eq.Tiles)
		p := endingOf(anEnding(rng, eq, gen, rules))
		said, gained, sign := 0, 0, 1
		for first, over := true, false; !over; first = false {
			var m game.Move
			var score, gain int
			if sign > 0 {
				found := s.solve(context.Background(), p, 20_000, 1)
				if !found.exact {
					break
				}
				best := found.lines[0]
				if first {
					said = best.value
				}
				m, score = best.move(), int(best.play.Score)
			} else {
				m, score = s.greedy(&p)
			}
			p, gain, over = s.afterMove(&p, m, score)
			gained += sign * gain
			sign = -sign
			if over {
				exact++
				if gained < said {
					t.Errorf("seed %d, ending %d: a solution worth %d gains %d", seed, n, said, gained)
				}
			}
		}
	}
	if exact < 20 {
		t.Errorf("seed %d: only %d of 30 endings were solved", seed, exact)
	}
}

func TestMoreMovesAreTriedNearTheEnd(t *testing.T) {
	var choices []choice
	for i := range 100 {
		choices = append(choices, choice{equity: Points(-i)})
	}
	for _, tt := range []struct{ bag, positions, want int }{
		{60, DefaultPositions, 24}, {20, DefaultPositions, 40}, {3, DefaultPositions, 40}, {3, 30 * perTrial, 30}, {3, 100, 24},
	} {
		th := &thought{View: View{Bag: tt.bag}, left: budgetOf(tt.positions)}
		if n := len(th.candidates(choices)); n != tt.want {
			t.Errorf("%d in the bag, %d positions: %d moves are tried, want %d", tt.bag, tt.positions, n, tt.want)
		}
	}
	if n := len((&thought{View: View{Bag: 60}}).candidates([]choice{{}, {equity: Points(-24)}, {equity: Points(-25)}})); n != 2 {
		t.Errorf("of three moves, one of them 25 points behind, %d are tried", n)
	}
}
