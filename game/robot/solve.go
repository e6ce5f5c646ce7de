package robot

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// An Ending is a game played out from an empty bag with best play.
type Ending struct {
	// Moves lists the moves of both sides, in turn. The equity of a move is what it gains its side
	// from there to the end of the game.
	Moves []Choice
	// Value is what the side to move gains on the other until the end of the game, including the
	// bonus for going out.
	Value int
	// Proven is set if neither side can do better.
	Proven bool
}

// ErrNoEnding reports a view that isn't an ending: there are tiles in the bag, or the players
// aren't two.
var ErrNoEnding = errors.New("not an ending of two players with an empty bag")

// Solve plays an ending out. It searches at most the given number of positions.
func (m *Mind) Solve(ctx context.Context, v View, positions int) (Ending, error) {
	if v.Bag > 0 || len(v.Seats) != 2 || v.Rack == "" || v.Unseen == "" {
		return Ending{}, ErrNoEnding
	}
	gen, err := movegen.New(m.lex, v.Equipment, v.Rules)
	if err != nil {
		return Ending{}, err
	}
	t := thought{View: v, gen: gen, Level: Level{knowledge: knowledge{tier: lexicon.Rare}}}
	s, p := newSolver(gen, v.Rules, v.Equipment.Tiles), t.ending()
	first := s.solve(ctx, p, positions, 1)
	e := Ending{Value: first.lines[0].value, Proven: first.exact}
	for found := first; ; {
		l := found.lines[0]
		c := Choice{Move: l.move(), Points: int(l.play.Score), Equity: float64(l.value)}
		if !found.exact {
			c.Sure = About
		}
		e.Moves = append(e.Moves, c)
		next, gain, over := s.afterMove(&p, c.Move, c.Points)
		if over {
			return e, nil
		}
		p = next
		left := max(s.left.positions(), followed)
		if found.exact {
			// The value of the rest is known, so it is quick to find again.
			if best, ok := s.reach(ctx, p, left/2, gain-l.value); ok {
				found.lines[0] = best
				continue
			}
			left /= 2
		}
		found = s.solve(ctx, p, left, 1)
	}
}

// followed is the fewest positions searched to continue after a move; after a proven move the rest
// is already known.
const followed = 500
