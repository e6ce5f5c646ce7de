package robot

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// A plan is a way for the side that isn't to move to go out in two turns: a first play, then the
// best available play of the rest of its tiles. What the other side gains against it is known
// without a search, because only one play of theirs comes between the two.
type plan struct {
	first item
	outs  []int32    // candidate plays for the second turn, highest score first
	board game.Board // position after the first play
	goes  int32      // gain of the other side if it goes out in between
}

// A reply is a play of the other side between the two plays of a plan.
type reply struct {
	uses   uint32
	gain   int32  // its points plus twice the points of its tiles
	worth  int32  // gain less the points of the best out that it leaves
	blocks uint16 // outs that it blocks, one bit each
}

// A planner refutes moves with plans. It keeps its memory for reuse.
type planner struct {
	first   []item
	replies []reply                 // highest worth first
	goesOut [1 << mostPlanned]int32 // highest gain among replies that lay exactly these tiles
	// The cost of searching options and of refuting them, by the number of tiles on both racks.
	searched, refuted [65]workCount
}

// A toll records the work of something, how often it was tried, and how often it succeeded.
type workCount struct{ work, tries, successes int }

func (t *workCount) add(work, times int) {
	t.work += work
	t.tries++
	t.successes += times
}

// isWorthwhile reports whether plans are worth making in positions with a number of tiles on both racks.
func (l *planner) isWorthwhile(tiles int) bool {
	r, s := &l.refuted[tiles], &l.searched[tiles]
	return r.tries < planNodes || r.successes > 0 && r.work*s.successes <= planCostLimit*s.work*r.successes
}

const (
	mostPlanned = 8  // tiles on a rack; plans aren't made beyond
	mostPlans   = 3  // plans for a position
	mostOuts    = 12 // outs of a plan
	// A plan is dropped after planTrial options unless it has refuted one in planWorth of them.
	planTrial = 8
	planWorth = 2
	// After planNodes positions, plans are made only while refuting an option takes at most
	// planCostLimit times the work of searching one. Even at that cost they pay, because the options
	// that they refute take longest to search.
	planNodes     = 30
	planCostLimit = 4
	// newWork is the cost of reading a board again, in nanoseconds.
	newWork = 1500
)

// dropRefuted returns the options that no plan of the other side refutes; a refuted option gains no
// more than limit against the plan. It also returns the refuted option that gains most, and its
// gain.
func (s *solver) dropRefuted(n *node, ply int, options []item, limit int) (left []item, refuted int32, most int) {
	refuted, most = noItem, -infinity
	tiles := n.tiles()
	if len(s.racks[0].rack) > mostPlanned || len(s.racks[1].rack) > mostPlanned || s.overNow(turns{}) || !s.plans.isWorthwhile(tiles) {
		return options, refuted, most
	}
	work, all := s.left, len(options)
	defer func() { s.plans.refuted[tiles].add(int(work-s.left), all-len(left)) }()
	for p := range s.plansOf(n) {
		if len(options) == 0 {
			break
		}
		s.findReplies(n, ply, p)
		kept, gone := options[:0], 0
		for i, it := range options {
			if i >= planTrial && gone*planWorth < i {
				kept = append(kept, options[i:]...)
				break
			}
			v, ok := s.mostAgainst(n, p, it.at, limit)
			if !ok {
				kept = append(kept, it)
				continue
			}
			gone++
			if v > most {
				refuted, most = it.at, v
			}
		}
		options = kept
	}
	return options, refuted, most
}

// plansOf yields the plans of the side that isn't to move, highest score first.
func (s *solver) plansOf(n *node) iter.Seq[*plan] {
	other := 1 - n.mover
	rack, left := &s.racks[other], n.left[other]
	var points [1 << mostPlanned]int32 // by tiles: the highest score plus one
	list := s.plans.first[:0]
	s.spend(len(n.plays[other].all) * keptWork)
	for _, it := range n.plays[other].all {
		if it.uses != left && s.isPossible(n, other, it) {
			it.guess = s.moves[it.at].play.Score
			points[it.uses] = max(points[it.uses], it.guess+1)
			list = append(list, it)
		}
	}
	s.plans.first = list
	for i := range list {
		it := &list[i]
		then := points[rack.subtract(left, it.uses)]
		if it.guess == 0 || then == 0 {
			it.guess = 0 // scores nothing, which may end the game, or the rest can't be played
			continue
		}
		it.guess += then
	}
	return func(yield func(*plan) bool) {
		made := 0
		for i := 0; i < len(list) && made < mostPlans; i++ {
			swapBestFirst(list[i:])
			if list[i].guess == 0 {
				return
			}
			if p, ok := s.planOf(n, list[i]); ok {
				if made++; !yield(&p) {
					return
				}
			}
		}
	}
}

// planOf returns the plan that begins with a play. It reports false if no play uses all the
// remaining tiles.
func (s *solver) planOf(n *node, first item) (plan, bool) {
	other := 1 - n.mover
	o := &s.moves[first.at]
	rest := s.racks[other].subtract(n.left[other], first.uses)
	var outs []item
	for _, it := range n.plays[other].all {
		if out := &s.moves[it.at]; it.uses == rest && s.isPossible(n, other, it) && !out.needs.Meet(&o.changes) {
			it.guess = out.play.Score
			outs = append(outs, it)
		}
	}
	if len(outs) == 0 {
		return plan{}, false
	}
	slices.SortStableFunc(outs, func(a, b item) int { return int(b.guess - a.guess) })
	p := plan{first: first, board: n.board, goes: 2 * int32(s.racks[other].sum(rest))}
	o.layOn(&p.board)
	for _, it := range outs[:min(len(outs), mostOuts)] {
		p.outs = append(p.outs, it.at)
	}
	return p, true
}

// findReplies finds the replies to a plan that are possible whatever option comes first.
func (s *solver) findReplies(n *node, ply int, p *plan) {
	l := &s.plans
	l.replies, l.goesOut = l.replies[:0], [1 << mostPlanned]int32{}
	changes := &s.moves[p.first.at].changes
	for _, it := range s.lists[ply].all {
		if o := &s.moves[it.at]; it.at != thePass && !o.needs.Meet(changes) {
			l.add(s.replyTo(p, n.mover, it.uses, o.play.Score, &o.changes))
		}
	}
	s.newReplies(n, p, &p.board, n.left[n.mover], changes, func(r reply) bool {
		l.add(r)
		return true
	})
	slices.SortFunc(l.replies, func(a, b reply) int { return int(b.worth - a.worth) })
}

func (l *planner) add(r reply) {
	l.replies = append(l.replies, r)
	l.goesOut[r.uses] = max(l.goesOut[r.uses], r.gain)
}

// newReplies yields the replies that use one of the changed squares.
func (s *solver) newReplies(n *node, p *plan, b *game.Board, left uint32, changed *movegen.Squares, yield func(reply) bool) {
	rack := &s.racks[n.mover]
	var plays []movegen.Play
	s.generate(func() { plays = s.gen.PlaysIn(b, rack.tiles(left), changed) })
	s.spend(newWork + len(plays)*foundWork)
	for i := range plays {
		changes := plays[i].Changes(b)
		if !yield(s.replyTo(p, n.mover, rack.usedTiles(&plays[i]), plays[i].Score, &changes)) {
			return
		}
	}
}

// replyTo returns a play as a reply to a plan.
func (s *solver) replyTo(p *plan, whose int, uses uint32, score int32, changes *movegen.Squares) reply {
	r := reply{uses: uses, gain: score + 2*int32(s.racks[whose].sum(uses)), blocks: s.blockedOuts(p, changes)}
	r.worth = r.gain - s.bestOut(p, r.blocks)
	return r
}

// blockedOuts returns the outs of a plan that a change blocks, one bit each.
func (s *solver) blockedOuts(p *plan, changes *movegen.Squares) (blocked uint16) {
	for i, at := range p.outs {
		if s.moves[at].needs.Meet(changes) {
			blocked |= 1 << i
		}
	}
	return blocked
}

// bestOut returns the score of the best unblocked out of a plan, or -infinity if all are blocked.
func (s *solver) bestOut(p *plan, blocked uint16) int32 {
	if i := bits.TrailingZeros16(^blocked); i < len(p.outs) {
		return s.moves[p.outs[i]].play.Score
	}
	return -infinity
}

// mostAgainst returns the most that an option gains against a plan. ok is false if that exceeds
// limit or the plan doesn't apply.
func (s *solver) mostAgainst(n *node, p *plan, at int32, limit int) (most int, ok bool) {
	o, first := &s.moves[at], &s.moves[p.first.at]
	if o.play.Score == 0 && s.overNow(n.turns) || first.needs.Meet(&o.changes) {
		return 0, false
	}
	rack := &s.racks[n.mover]
	left := rack.subtract(n.left[n.mover], o.uses)
	kept := 2 * int32(rack.sum(left))
	blocked := s.blockedOuts(p, &o.changes)

	// The gain after both first plays is at least what a pass leads to.
	now := o.play.Score - first.play.Score
	after, may := -kept-s.bestOut(p, blocked), int32(limit)-now
	if out := s.plans.goesOut[left]; out > 0 {
		after = max(after, out-kept+p.goes)
	}
	for i := range s.plans.replies {
		r := &s.plans.replies[i]
		if after > may || blocked == 0 && r.worth-kept <= after {
			break
		}
		if r.uses&^left == 0 {
			after = max(after, r.gain-kept-s.bestOut(p, r.blocks|blocked))
		}
	}
	if at != thePass && after <= may {
		b := p.board
		o.layOn(&b)
		if bits.OnesCount32(left) == 1 {
			s.spend(aloneWork)
			last := rack.rack.At(bits.TrailingZeros32(left))
			after = p.goes + s.gen.HighestSingle(&b, last, &o.changes, after-p.goes)
			return int(now + after), after <= may
		}
		s.newReplies(n, p, &b, left, &o.changes, func(r reply) bool {
			if r.uses == left {
				after = max(after, r.gain-kept+p.goes)
			} else {
				after = max(after, r.gain-kept-s.bestOut(p, r.blocks|blocked))
			}
			return after <= may
		})
	}
	return int(now + after), after <= may
}
