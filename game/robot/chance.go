package robot

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rackmate/rackmate/game"
)

// This file weighs moves up for those who learn from them: by the chance to win that each
// leaves, and how sure that is.

// A Chance is a chance to win, or the difference of two.
type Chance struct {
	Win   float64 // 0 to 1
	Error float64 // the standard error of that
	Known bool    // false: nobody looked
}

// sureBeyond is by how many standard errors a chance must differ to be told from chance.
const sureBeyond = 2

// Sure reports whether a difference is more than chance may bring.
func (c Chance) Sure() bool { return c.Known && c.Win > sureBeyond*c.Error }

// less is how much less another chance is, where the two have nothing to do with each other.
func (c Chance) less(other Chance) Chance {
	return Chance{Win: c.Win - other.Win, Error: math.Hypot(c.Error, other.Error), Known: c.Known && other.Known}
}

// A weighed move is one, what it brings, and the trial that says so; nil where all deals
// were gone through.
type weighed struct {
	choice
	Chance
	ahead float64 // points, on average
	*trial
}

// before is how much better a move is than another: in the chance to win, and in points.
func (m *weighed) before(other *weighed) (by Chance, points float64) {
	points = m.ahead - other.ahead
	if m.trial == nil || other.trial == nil {
		return m.Chance.less(other.Chance), points
	}
	better, wrong := m.trial.before(other.trial)
	return Chance{Win: better - points*perPoint, Error: wrong, Known: true}, points
}

// Moves are compared in worlds, those that promise most by what they score and keep: at most
// this number, within this number of points.
const (
	mostWeighed  = 12
	weighedAhead = 25_000 // thousandths
)

// weigh compares the best moves of a position with tiles in the bag, and one that must be
// among them if it isn't nil; the best comes first. It looks at about that number of
// positions, and finds the same each time if the context isn't done before.
func (b *bench) weigh(ctx context.Context, must *choice, positions int) []weighed {
	choices := b.choices()
	best := choices[0].equity
	choices = choices[:min(mostWeighed, len(choices))]
	for choices[len(choices)-1].equity <= best-weighedAhead {
		choices = choices[:len(choices)-1]
	}
	add := func(c choice) (at int) {
		if at = slices.IndexFunc(choices, func(o choice) bool { return o.move == c.move }); at < 0 {
			choices, at = append(choices, c), len(choices)
		}
		return at
	}
	if b.Bag <= fewInBag {
		add(choice{move: game.Move{Kind: game.PassTurn}})
	}
	stays := -1
	if must != nil {
		stays = add(*must)
	}
	seed := b.View.seed()
	b.left, b.rng = budgetOf(positions), rand.New(rand.NewPCG(seed, seed>>32))
	s := b.simulation()
	for i, c := range choices {
		s.add(c, best)
		s.trials[i].stays = i == stays
	}
	if s.fewTiles() {
		return s.foresee(ctx)
	}
	leader := s.run(ctx)
	var all []weighed
	for i := range s.trials {
		t := &s.trials[i]
		n := float64(len(t.results))
		if n == 0 {
			continue
		}
		worth, wrong := t.mean()
		m := weighed{choice: t.choice, ahead: t.ahead / n, trial: t}
		m.Chance = Chance{Win: min(max(0, worth-m.ahead*perPoint), 1), Error: wrong, Known: true}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b weighed) int {
		if first := cmp.Compare(bit(b.move == leader.move), bit(a.move == leader.move)); first != 0 {
			return first
		}
		return cmp.Compare(s.believed(b.trial, b.sum, len(b.results)), s.believed(a.trial, a.sum, len(a.results)))
	})
	return all
}

// bit is 1 for true.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// seed is a number made of what a view shows, for chance that is the same each time.
func (v *View) seed() uint64 {
	sum := scramble(uint64(v.Bag)<<32 | uint64(len(v.Unseen))<<16 | uint64(v.Scoreless)<<8)
	for row := range game.MaxSize {
		for col := range game.MaxSize {
			sq := game.Square{Row: row, Col: col}
			if t := v.Board.Tile(sq); t != game.NoTile {
				sum += fingerprint(sq, t)
			}
		}
	}
	rack := v.Rack.Sorted()
	for i := range len(rack) {
		sum = scramble(sum ^ uint64(rack[i]))
	}
	for _, seat := range v.Seats {
		sum = scramble(sum ^ uint64(seat.Score))
	}
	return sum
}
