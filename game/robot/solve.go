package robot

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// An Ending is a game played out from an empty bag, as well as can be.
type Ending struct {
	// Moves are those of both sides, in turn. Equity is what a move gains its
	// side from there to the end of the game.
	Moves []Choice
	// Value is what the side to move gains on the other until the end of the
	// game, going out counted.
	Value int
	// Proven says that neither side can do better.
	Proven bool
}

// ErrNoEnding says that a view is of no ending: tiles are in the bag, or others
// than two play.
var ErrNoEnding = errors.New("not an ending of two players with an empty bag")

// Solve plays an ending out. It looks at no more than the given number of positions.
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
		next, gain, over := s.made(&p, c.Move, c.Points)
		if over {
			return e, nil
		}
		p = next
		left := max(s.left.positions(), followed)
		if found.exact {
			// What the rest gains is known, and that is soon found again.
			if best, ok := s.reach(ctx, p, left/2, gain-l.value); ok {
				found.lines[0] = best
				continue
			}
			left /= 2
		}
		found = s.solve(ctx, p, left, 1)
	}
}

// followed is how many positions are looked at, at the least, to go on from a
// move: what comes after a proven one is known already.
const followed = 500
