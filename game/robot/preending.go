package robot

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/rackmate/rackmate/game"
)

// fewInBag is the most tiles in the bag with which a robot goes
// through all the ways in which the tiles that it can't see may lie.
const fewInBag = 2

// A deal is one of those ways, and how many times it is as likely as another.
type deal struct {
	bag, other game.Tiles
	weight     float64
}

// deals lists the ways in which a bag of one or two tiles can be drawn from the
// unseen.
func deals(unseen game.Tiles, bag int) []deal {
	var all []deal
	for _, first := range kinds(unseen) {
		rest, _ := unseen.Minus(game.TilesOf(first))
		n := float64(unseen.Count(first))
		if bag == 1 {
			all = append(all, deal{game.TilesOf(first), rest, n})
			continue
		}
		for _, second := range kinds(rest) {
			other, _ := rest.Minus(game.TilesOf(second))
			all = append(all, deal{game.TilesOf(first, second), other, n * float64(rest.Count(second))})
		}
	}
	return all
}

// kinds is each sort of tile once.
func kinds(tiles game.Tiles) []game.Tile {
	var all []game.Tile
	for i := range len(tiles) {
		if !slices.Contains(all, tiles.At(i)) {
			all = append(all, tiles.At(i))
		}
	}
	return all
}

// sameDraw puts those deals together that differ in the order of the bag alone,
// which makes no difference to a move that draws all of it.
func sameDraw(all []deal) []deal {
	var same []deal
	for _, d := range all {
		d.bag = d.bag.Sorted()
		if i := slices.IndexFunc(same, func(o deal) bool { return o.bag == d.bag }); i >= 0 {
			same[i].weight += d.weight
		} else {
			same = append(same, d)
		}
	}
	return same
}

// finalists is how many moves are compared by solving what comes of each in every deal,
// if there are enough positions for each ending. In 60 positions with one tile in the
// bag and at most 60 points between the players that won 4.6 % of the games more than
// playing on greedily (standard error 1.5). With two tiles there are positions enough
// for few moves, or none. Giving moves up after a few deals, and solving with half as
// many positions, won no more: 2.0 % less with one tile (1.0), and 0.4 % more with two
// (0.4, 40 positions).
const (
	finalists      = 12
	leastFinalists = 2
	enoughToSolve  = 500 // positions
)

// unproven is the standard deviation of what an ending that isn't proven is wrong by, in points.
const unproven = 12

// foresee compares the moves when few tiles are in the bag and two play: in all
// deals by playing on greedily, and then those that did best by the endings'
// solver. When the context is done, or too many
// positions were looked at, it goes by what it has seen. The best comes first.
func (s *simulation) foresee(ctx context.Context) []weighed {
	all := deals(game.Tiles(s.unseen), s.Bag)
	s.reweigh(all)
	s.rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	moves := make([]foreseen, len(s.trials))
	for i, d := range all {
		if i > 0 && (s.left <= 0 || ctx.Err() != nil) {
			break
		}
		for k, t := range s.trials {
			s.deal(d, t.choice)
			s.playOn()
			moves[k].choice, moves[k].stays = t.choice, t.stays
			moves[k].add(s, d.weight, false)
		}
	}
	byWorth := func(a, b foreseen) int { return cmp.Compare(b.mean(), a.mean()) }
	slices.SortStableFunc(moves, byWorth)
	drawn, positions := sameDraw(all), s.left.positions()
	k := min(finalists, len(moves), positions/(len(drawn)*enoughToSolve))
	if k >= leastFinalists {
		// What must be compared is so too.
		if i := slices.IndexFunc(moves, func(m foreseen) bool { return m.stays }); i >= k {
			moves[k-1], moves[i] = moves[i], moves[k-1]
		}
		for i := range moves[:k] {
			if m, solved := s.settle(ctx, moves[i].choice, drawn, all, positions/k); solved {
				moves[i] = m
			}
		}
		slices.SortStableFunc(moves[:k], byWorth)
	}
	var best []weighed
	for _, m := range moves {
		best = append(best, m.weighed())
	}
	return best
}

// A foreseen move is one, and what came of it in some deals: sums, each by its weight.
type foreseen struct {
	choice
	stays, exact         bool
	worth, ahead, weight float64
	win                  float64 // worth without points
	doubt                float64 // the sum of the squares of what a result can be wrong by
}

// add counts what became of a move in the simulation's world. What isn't proven may be
// wrong by some points.
func (m *foreseen) add(s *simulation, weight float64, proven bool) {
	ahead, worth := s.outcome()
	m.worth += weight * worth
	m.win += weight * (worth - ahead*perPoint)
	m.ahead += weight * ahead
	m.weight += weight
	if !proven {
		wrong := 0.5 * math.Erfc(math.Abs(ahead)/(unproven*math.Sqrt2))
		m.doubt += weight * weight * wrong * (1 - wrong)
	}
}

// mean is what the move is worth in those deals.
func (m *foreseen) mean() float64 { return m.worth / m.weight }

func (m *foreseen) weighed() weighed {
	w := weighed{choice: m.choice, ahead: m.ahead / m.weight}
	w.Chance = Chance{Win: min(max(0, m.win/m.weight), 1), Error: math.Sqrt(m.doubt) / m.weight, Known: true}
	return w
}

// settle solves what comes of a move in each deal, where a number of positions is enough for that:
// at once, if the move draws the whole bag; or after the reply that the other is expected to
// make, if that does.
func (s *simulation) settle(ctx context.Context, c choice, drawn, all []deal, positions int) (m foreseen, solved bool) {
	m.choice = c
	if c.move.Kind != game.PlayTiles || len(c.move.Tiles.Faces()) < s.Bag {
		drawn = all // in which order the bag lies makes a difference
	}
	if positions < len(drawn)*enoughToSolve {
		return m, false
	}
	for _, d := range drawn {
		if ctx.Err() != nil {
			return m, false
		}
		s.deal(d, c)
		m.add(s, d.weight, s.playOut(ctx, positions/len(drawn)))
	}
	return m, true
}

// reweigh weighs deals by what the other may have kept.
func (s *simulation) reweigh(all []deal) {
	if len(s.inklings) == 0 {
		return
	}
	kept, before := map[game.Tiles]float64{}, 0.0
	for _, k := range s.inklings {
		kept[k.kept.Sorted()] += k.sum - before
		before = k.sum
	}
	for i := range all {
		all[i].weight = 0
	}
	for _, k := range slices.Sorted(maps.Keys(kept)) {
		rest, _ := game.Tiles(s.unseen).Minus(k)
		for i := range all {
			all[i].weight += kept[k] * ways(all[i].bag, rest)
		}
	}
}

// ways is in how many ways tiles can be drawn from others, in their order.
func ways(drawn, from game.Tiles) float64 {
	n := 1
	for i := range len(drawn) {
		n *= from.Count(drawn.At(i)) - drawn[:i].Count(drawn.At(i))
	}
	return float64(n)
}

// deal makes a move in a deal.
func (s *simulation) deal(d deal, c choice) {
	s.now.bag, s.now.seats[1].rack = d.bag, d.other
	s.now.copyTo(&s.w)
	s.w.move(c)
}

// playOut settles the world, whoever is to move, and reports whether neither side can do
// better. If tiles are left in the bag the next move is the one expected, and if there
// are some left then too, all others.
func (s *simulation) playOut(ctx context.Context, positions int) (proven bool) {
	w := &s.w
	proven = true
	if !w.over && len(w.bag) > 0 {
		proven = false
		s.left.charge(s.gen, func() { w.move(s.reply()) })
	}
	switch {
	case w.over:
		return proven
	case len(w.bag) > 0:
		s.playOn()
		return false
	}
	solver := newSolver(s.gen, s.Rules, s.Equipment.Tiles)
	p := newEnding(&w.board, [2]game.Tiles{w.seats[w.turn].rack, w.seats[1-w.turn].rack}, w.passes, w.scoreless)
	if s.decides {
		value, sure := solver.decide(ctx, p, positions, w.seats[1-w.turn].score-w.seats[w.turn].score)
		s.left -= budgetOf(positions) - solver.left
		w.seats[w.turn].score += value
		w.over = true
		return proven && sure
	}
	found := solver.solve(ctx, p, positions, 1)
	s.left -= budgetOf(positions) - solver.left
	w.seats[w.turn].score += found.lines[0].value
	w.over = true
	return proven && found.exact
}
