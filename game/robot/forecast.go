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

// A Forecast is what there is to say of a position of two players with few tiles in the bag.
type Forecast struct {
	// Moves are those that promised most, the best first.
	Moves []Prospect
	// Deals is in how many different ways the bag's tiles can be drawn from those that are unseen.
	Deals int
}

// A Prospect is a move and what comes of it over all deals.
type Prospect struct {
	Choice
	Ahead float64 // points at the end of the game, on average, about
	// Exact says that the chance to win is just that, if both sides play as well as can be from
	// then on: the move draws all that is in the bag, and in each deal the ending was solved.
	Exact bool
}

// MostForeseen is the most tiles in the bag with which [Mind.Foresee] looks at a position.
const MostForeseen = 4

// ErrNotForeseen says that a view isn't one of two players with 1 to [MostForeseen] tiles in the bag.
var ErrNotForeseen = errors.New("not a position of two players with 1 to 4 tiles in the bag")

// Moves are compared by playing on in some deals first, and the best of them by solving what
// comes of them in all: these are the numbers of moves, and of deals.
const (
	mostScreened = 48
	someDeals    = 32
	mostForecast = 12
)

// Foresee compares the moves of a position with few tiles in the bag. It looks at about that
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
			// By how much a game is won nobody asked: that is known of those played on.
			solved.ahead = moves[i].ahead / moves[i].weight * solved.weight
			moves[i] = solved
		}
	}
	slices.SortStableFunc(moves, func(a, b foreseen) int {
		return cmp.Or(cmp.Compare(b.win/b.weight, a.win/a.weight), cmp.Compare(b.ahead/b.weight, a.ahead/a.weight))
	})
	f := Forecast{Deals: len(drawn)}
	for i := range moves {
		w := moves[i].weighed()
		c := Choice{Move: w.move, Points: w.points, Equity: w.equity.Float(), Chance: w.Chance}
		f.Moves = append(f.Moves, Prospect{Choice: c, Ahead: w.ahead, Exact: moves[i].exact})
	}
	return f, nil
}

// draws lists what can be drawn from the unseen, in any order, each as often as it comes up.
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
		ways, most := 1.0, min(has, n-len(drawn)) // ways to draw k of them
		for k := 0; k <= most; k++ {
			from(at+1, drawn, weight*ways)
			drawn = append(slices.Clip(drawn), byte(sorts[at]))
			ways = ways * float64(has-k) / float64(k+1)
		}
	}
	from(0, nil, 1)
	return all
}

// screen plays each move on greedily in some deals, and puts the best first.
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

// solveAll is what comes of a move in all deals; as many moves are still to be solved. What one
// ending needs less of the positions is left for the others.
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

// inSomeOrder is a bag in an order in which its tiles may come out.
func (s *simulation) inSomeOrder(bag game.Tiles) game.Tiles {
	b := []byte(bag)
	s.rng.Shuffle(len(b), func(i, k int) { b[i], b[k] = b[k], b[i] })
	return game.Tiles(b)
}
