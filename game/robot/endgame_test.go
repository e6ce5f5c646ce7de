package robot

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// A bruteForce plays endings out in every possible way through the rules themselves, if the
// positions are few enough.
type bruteForce struct {
	t    *testing.T
	gen  *movegen.Generator
	dict game.Dictionary
	seen map[bruteKey]int
}

// tooMuch reports whether there are too many positions to try them all.
func (b *bruteForce) tooMuch() bool { return len(b.seen) > gametest.Rounds(2000, 20_000) }

type bruteKey struct {
	board             game.Board
	racks             [2]game.Tiles
	turn              int
	scoreless, passes int
}

// value returns what the seat to move gains on the other until the end, with best play by both.
func (b *bruteForce) value(s game.State) int {
	key := bruteKey{s.Board, [2]game.Tiles{s.Seats[0].Rack.Sorted(), s.Seats[1].Rack.Sorted()}, s.Turn, s.Scoreless, s.Passes}
	if v, ok := b.seen[key]; ok {
		return v
	}
	best := math.MinInt
	for _, a := range b.actions(s) {
		if b.tooMuch() {
			break
		}
		best = max(best, b.gain(s, a))
	}
	b.seen[key] = best
	return best
}

// gain returns what one action gains the seat to move.
func (b *bruteForce) gain(s game.State, a game.Action) int {
	seat := s.Turn
	lead := func(s game.State) int { return s.Seats[seat].Score - s.Seats[1-seat].Score }
	next := s
	events, err := game.Decide(s, s.Seats[seat].Person, a, game.Env{Dict: b.dict, Now: time.Unix(0, 0)})
	if err != nil {
		b.t.Fatalf("%+v: %v", a, err)
	}
	for _, e := range events {
		next = next.Apply(e)
	}
	gain := lead(next) - lead(s)
	switch {
	case next.Phase == game.Over:
		return gain
	case next.Turn == seat:
		b.t.Fatalf("seat %d moves twice", seat)
	}
	return gain - b.value(next)
}

func (b *bruteForce) actions(s game.State) []game.Action {
	actions := []game.Action{game.Pass{}}
	for _, p := range b.gen.Plays(&s.Board, s.Seats[s.Turn].Rack) {
		actions = append(actions, game.Play{Move: p.Move()})
	}
	return actions
}

// smallWorld returns the English equipment with a small word list.
func smallWorld(tb testing.TB) (game.Equipment, *lexicon.Lexicon) {
	tb.Helper()
	eq := gametest.Equipment(tb)
	x, err := lexicon.Build("small", eq.Tiles.Alphabet(), strings.NewReader(strings.ReplaceAll(gametest.SmallList, " ", "\n")))
	if err != nil {
		tb.Fatal(err)
	}
	return eq, x
}

func newGenerator(tb testing.TB, x *lexicon.Lexicon, eq game.Equipment, rules game.Rules) *movegen.Generator {
	tb.Helper()
	gen, err := movegen.New(x, eq, rules)
	if err != nil {
		tb.Fatal(err)
	}
	return gen
}

// anEnding returns a two-player game with an empty bag and small racks.
func anEnding(rng *rand.Rand, eq game.Equipment, gen *movegen.Generator, rules game.Rules) game.State {
	s := game.State{Phase: game.Playing, Rules: rules, Equipment: eq, Seats: []game.Seat{
		{Person: gametest.People[0]}, {Person: gametest.People[1]},
	}}
	bag := []byte(eq.Tiles.All())
	rng.Shuffle(len(bag), func(i, k int) { bag[i], bag[k] = bag[k], bag[i] })
	draw := func(n int) game.Tiles {
		drawn := game.Tiles(bag[:n])
		bag = bag[n:]
		return drawn
	}
	for range 4 + rng.IntN(6) {
		if plays := gen.Plays(&s.Board, draw(7)); len(plays) > 0 {
			s.Board.Lay(plays[rng.IntN(len(plays))].Move())
		}
	}
	for i := range s.Seats {
		s.Seats[i].Rack = draw(1 + rng.IntN(3))
	}
	if rng.IntN(4) == 0 {
		s.Seats[0].Rack += game.TilesOf(game.Blank)
	}
	s.Turn = rng.IntN(2)
	s.Scoreless = rng.IntN(max(rules.ScorelessTurns, 1))
	s.Passes = rng.IntN(max(2*rules.PassRounds, 1))
	return s
}

func endingOf(s game.State) ending {
	return newEnding(&s.Board, [2]game.Tiles{s.Seats[s.Turn].Rack, s.Seats[1-s.Turn].Rack}, s.Passes, s.Scoreless)
}

func actionOf(o option) game.Action {
	if o.pass {
		return game.Pass{}
	}
	return game.Play{Move: o.play.Move()}
}

func TestEndgamesMatchBruteForce(t *testing.T) {
	eq, x := smallWorld(t)
	seed := time.Now().UnixNano()
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	sets := game.RuleSets()
	solved, passes := 0, 0
	for n := 0; solved < gametest.Rounds(2, 8)*len(sets); n++ {
		rules := sets[n%len(sets)]
		rules.Challenge = game.Void // otherwise the last play waits for a challenge
		rules.Elect = false         // otherwise a player has to end the game
		gen := newGenerator(t, x, eq, rules)
		s := anEnding(rng, eq, gen, rules)
		brute := &bruteForce{t, gen, x, map[bruteKey]int{}}
		want := brute.value(s)
		if brute.tooMuch() {
			continue
		}
		solved++

		solver := newSolver(newGenerator(t, x, eq, rules), rules, eq.Tiles)
		found := solver.solve(context.Background(), endingOf(s), math.MaxInt, 1)
		got := found.lines[0]
		if !found.exact || !got.exact || got.value != want || brute.gain(s, actionOf(got.option)) != want {
			t.Fatalf("seed %d, game %d, %s, %d scoreless turns, %d passes, racks %s and %s\n%s%+v is said to gain %d (exact: %v) and gains %d; the best gains %d",
				seed, n, rules.Name, s.Scoreless, s.Passes, eq.Tiles.Print(endingOf(s).racks[0]), eq.Tiles.Print(endingOf(s).racks[1]),
				gametest.Picture(eq, s.Board), actionOf(got.option), got.value, got.exact, brute.gain(s, actionOf(got.option)), want)
		}
		if got.pass {
			passes++
		}
	}
	if passes == solved {
		t.Errorf("seed %d: nothing could be played", seed)
	}
}
