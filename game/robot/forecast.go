package robot

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A Forecast compares the moves of a two-player position with few tiles in the bag.
type Forecast struct {
	// Moves lists the most promising moves, best first.
	Moves []Prospect
	// Deals is the number of distinct draws of the bag's tiles from the unseen ones.
	Deals int
}

// A Prospect is a move and its result over all deals.
type Prospect struct {
	Choice
	Ahead float64 // approximate average lead at the end of the game, in points
	// Exact is set if the chance to win is exact, with best play by both sides after the move: the
	// move empties the bag, and the ending of every deal was solved.
	Exact bool
}

// MostForeseen limits the tiles in the bag that [Mind.Foresee] accepts.
const MostForeseen = 4

// ErrNotForeseen reports a view that isn't of two players with 1 to [MostForeseen] tiles in the
// bag.
var ErrNotForeseen = errors.New("not a position of two players with 1 to 4 tiles in the bag")

// Foresee first plays up to mostScreened moves on in someDeals deals, then solves the mostForecast
// best in all deals.
const (
	mostScreened = 48
	someDeals    = 32
	mostForecast = 12
)

// Foresee compares the moves of a position with few tiles in the bag. It searches about the given
// number of positions.
func (m *Mind) Foresee(ctx context.Context, v View, positions int) (Forecast, error) {
	if v.Bag < 1 || v.Bag > MostForeseen || len(v.Seats) != 2 || v.Rack == "" || len(v.Unseen) <= v.Bag {
		return Forecast{}, ErrNotForeseen
	}
	t, err := m.think(Level{knowledge: knowledge{tier: lexicon.Rare}, leaves: true}, v)
	if err != nil {
		return Forecast{}, err
	}
	defer t.done()
	t.rng, t.left = rand.New(rand.NewPCG(v.seed(), 1)), budgetOf(positions)
	s := t.simulation()
	s.decides = true
	drawn := draws(v.Unseen, v.Bag)
	choices := t.choices()
	choices = choices[:min(mostScreened, len(choices))]
	if pass := (choice{move: game.Move{Kind: game.PassTurn}}); choices[0].move != pass.move {
		choices = append(choices, pass)
	}
	moves := s.screen(ctx, choices, drawn)
	moves = moves[:min(mostForecast, len(moves))]
	for i := range moves {
		if ctx.Err() == nil {
			solved := s.solveAll(ctx, moves[i].choice, drawn, len(moves)-i)
			// The solver finds only the winner; the margin comes from the screening.
			solved.ahead = moves[i].ahead / moves[i].weight * solved.weight
			moves[i] = solved
		}
	}
	slices.SortStableFunc(moves, func(a, b foreseen) int {
		return cmp.Or(cmp.Compare(b.win/b.weight, a.win/a.weight), cmp.Compare(b.ahead/b.weight, a.ahead/a.weight))
	})
	f := Forecast{Deals: len(drawn)}
	for i := range moves {
		w := moves[i].asWeighed()
		c := Choice{Move: w.move, Points: w.points, Equity: w.equity.Float(), Chance: w.Chance}
		f.Moves = append(f.Moves, Prospect{Choice: c, Ahead: w.ahead, Exact: moves[i].exact})
	}
	return f, nil
}

// draws returns each set of n tiles that can be drawn from the unseen ones, weighted by how often
// it occurs.
func draws(unseen game.Tiles, n int) []deal {
	var all []deal
	var from func(at int, drawn []byte, weight float64)
	sorts := kinds(unseen)
	from = func(at int, drawn []byte, weight float64) {
		if len(drawn) == n {
			other, _ := unseen.Minus(game.Tiles(drawn))
			all = append(all, deal{game.Tiles(drawn), other, weight})
			return
		}
		if at == len(sorts) {
			return
		}
		has := unseen.Count(sorts[at])
		ways, most := 1.0, min(has, n-len(drawn)) // number of ways to draw k of them
		for k := 0; k <= most; k++ {
			from(at+1, drawn, weight*ways)
			drawn = append(slices.Clip(drawn), byte(sorts[at]))
			ways = ways * float64(has-k) / float64(k+1)
		}
	}
	from(0, nil, 1)
	return all
}

// screen plays each move on greedily in some deals, and returns the results best first.
func (s *simulation) screen(ctx context.Context, choices []choice, drawn []deal) []foreseen {
	some := slices.Clone(drawn)
	s.rng.Shuffle(len(some), func(i, k int) { some[i], some[k] = some[k], some[i] })
	some = some[:min(someDeals, len(some))]
	moves := make([]foreseen, len(choices))
	for i, d := range some {
		if i > 0 && ctx.Err() != nil {
			break
		}
		d.bag = s.inSomeOrder(d.bag)
		for k, c := range choices {
			s.deal(d, c)
			s.playOn()
			moves[k].choice = c
			moves[k].add(s, d.weight, false)
		}
	}
	slices.SortStableFunc(moves, func(a, b foreseen) int { return cmp.Compare(b.mean(), a.mean()) })
	return moves
}

// solveAll returns the result of a move over all deals. It uses one part in left of the remaining
// positions; positions that one ending doesn't need go to the next.
func (s *simulation) solveAll(ctx context.Context, c choice, drawn []deal, left int) foreseen {
	m := foreseen{choice: c, exact: c.move.Kind == game.PlayTiles && len(c.move.Tiles.Faces()) >= s.Bag}
	share := s.left / budget(left)
	for i, d := range drawn {
		before := s.left
		d.bag = s.inSomeOrder(d.bag)
		s.deal(d, c)
		proven := s.playOut(ctx, max(share.positions()/(len(drawn)-i), 1))
		m.exact = m.exact && proven
		m.add(s, d.weight, proven)
		share = max(0, share-(before-s.left))
	}
	return m
}

// inSomeOrder returns a bag in a random order.
func (s *simulation) inSomeOrder(bag game.Tiles) game.Tiles {
	b := []byte(bag)
	s.rng.Shuffle(len(b), func(i, k int) { b[i], b[k] = b[k], b[i] })
	return game.Tiles(b)
}
