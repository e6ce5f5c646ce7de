package robot

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rackmate/rackmate/game"
)

// This file compares moves for players who want to learn from them: by the chance to win after
// each, and how certain that is.

// A Chance is a chance to win, or the difference between two.
type Chance struct {
	Win   float64 // 0 to 1
	Error float64 // standard error of Win
	Known bool    // false if it wasn't computed
}

// sureBeyond is the number of standard errors beyond which a difference counts as sure.
const sureBeyond = 2

// isSure reports whether a difference is too large to be luck.
func (c Chance) isSure() bool { return c.Known && c.Win > sureBeyond*c.Error }

// minus returns the difference to another chance; the two must be independent.
func (c Chance) minus(other Chance) Chance {
	return Chance{Win: c.Win - other.Win, Error: math.Hypot(c.Error, other.Error), Known: c.Known && other.Known}
}

// A weighed value is a move with its result and the trial that showed it; trial is nil if all deals
// were tried.
type weighed struct {
	choice
	Chance
	ahead float64 // average lead in points
	*trial
}

// compare returns how much better a move is than another, in the chance to win and in points.
func (m *weighed) compare(other *weighed) (by Chance, points float64) {
	points = m.ahead - other.ahead
	if m.trial == nil || other.trial == nil {
		return m.Chance.minus(other.Chance), points
	}
	better, wrong := m.trial.compare(other.trial)
	return Chance{Win: better - points*perPoint, Error: wrong, Known: true}, points
}

// At most mostWeighed moves are compared in worlds: the ones with the highest equity, within
// weighedAhead of the best.
const (
	mostWeighed  = 12
	weighedAhead = 25_000 // thousandths
)

// weigh compares the best moves of a position with tiles in the bag, best first. It includes must
// unless that is nil. It searches about the given number of positions, and the result is the same
// each time unless ctx ends the search.
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
	var tried []*trial
	for i := range s.trials {
		if t := &s.trials[i]; len(t.results) > 0 {
			tried = append(tried, t)
		}
	}
	if len(tried) == 0 {
		return nil
	}
	at := max(0, slices.IndexFunc(tried, func(t *trial) bool { return t.move == leader.move }))
	first := tried[at].weigh()
	all := []weighed{first}
	for _, t := range slices.Delete(tried, at, at+1) {
		all = append(all, t.behind(&first))
	}
	slices.SortStableFunc(all[1:], func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.Win, a.Win), cmp.Compare(b.ahead, a.ahead))
	})
	return all
}

// weigh returns the move with its average over its worlds.
func (t *trial) weigh() weighed {
	m := weighed{choice: t.choice, ahead: t.ahead / float64(len(t.results)), trial: t}
	worth, wrong := t.mean()
	m.Chance = Chance{Win: min(max(0, worth-m.ahead*perPoint), 1), Error: wrong, Known: true}
	return m
}

// behind returns the move with a chance to win that lies as far below the best move's as in the
// worlds in which both were tried. The move's own average says less, because it may have been
// dropped after a few lucky worlds.
func (t *trial) behind(best *weighed) weighed {
	m := t.weigh()
	by, _ := best.compare(&m)
	m.Chance = Chance{Win: max(0, best.Win-max(0, by.Win)), Error: math.Hypot(best.Error, by.Error), Known: true}
	return m
}

// seed returns a hash of what a view shows, so that the same view is always judged with the same
// random numbers.
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
