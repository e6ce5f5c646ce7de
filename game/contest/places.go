package contest

import (
	"cmp"
	"slices"
)

// A Range is the places in which somebody can still end.
type Range struct{ Best, Worst int }

// exactUpTo is up to how many open games all their outcomes are tried.
const exactUpTo = 9

// Possible says in which places each of a division can still end, by number. It holds
// whatever happens: wins, draws and losses by any spread, forfeits, and people who
// leave, whose results may become void (see Withdraw). As games end it only narrows.
// Who left before half has none.
//
// With up to nine open games, and nobody whose results can become void, it tries all
// outcomes. Before that it is as narrow as sums of points make it: there are as many
// halves to win as open games have, and who needs the fewest has them first.
func (c *Contest) Possible() map[No]Range {
	b := c.bounds()
	all := make(map[No]Range)
	for i := range b.who {
		r := Range{1, len(b.who)}
		switch {
		case slices.ContainsFunc(b.who, func(p runner) bool { return p.void }):
			r = b.whileOthersCanLeave(i)
		case len(b.open) > exactUpTo:
			r = b.bySums(i)
		}
		all[b.who[i].no] = r
	}
	if len(b.open) <= exactUpTo && !slices.ContainsFunc(b.who, func(p runner) bool { return p.void }) {
		for i, r := range b.byTrying() {
			all[b.who[i].no] = r
		}
	}
	return all
}

// bounds is what places depend on.
type bounds struct {
	who  []runner
	open [][2]int // games that aren't over, by index into who
}

// A runner is somebody who will have a place.
type runner struct {
	no     No
	points int // in halves
	spread int
	open   int  // games that aren't over
	void   bool // could leave, and make their results void
	risk   int  // points from those who could
	risky  bool // has results against those who could
}

func (c *Contest) bounds() *bounds {
	b := &bounds{}
	at := make(map[No]int)
	for _, s := range c.Table() {
		if s.Place == 0 {
			continue
		}
		at[s.No] = len(b.who)
		b.who = append(b.who, runner{no: s.No, points: s.Points, spread: s.Spread, void: !s.Out && c.CanVoid(s.No)})
	}
	c.each(func(_ Ref, p *Pairing) {
		x, okX := at[p.A]
		y, okY := at[p.B]
		res := p.Games[0].Result
		switch {
		case !okX || !okY:
		case !res.Over():
			b.open = append(b.open, [2]int{x, y})
			b.who[x].open++
			b.who[y].open++
		case res.How != Void:
			for s, pair := range [2][2]int{{x, y}, {y, x}} {
				if b.who[pair[1]].void {
					halves, _ := res.Worth(Side(s))
					b.who[pair[0]].risk += halves
					b.who[pair[0]].risky = true
				}
			}
		}
	})
	return b
}

// whileOthersCanLeave bounds places while results can become void: each of the others
// on their own, at their best and at their worst.
func (b *bounds) whileOthersCanLeave(i int) Range {
	p := b.who[i]
	r := Range{1, 1}
	for j, q := range b.who {
		if j == i {
			continue
		}
		settled := p.open == 0 && q.open == 0 && !p.risky && !q.risky // spreads are final
		ahead := q.spread > p.spread
		// q leaves, or loses all that isn't over and what can become void.
		low, high := q.points-q.risk, p.points+2*p.open
		if !q.void && (low > high || low == high && settled && ahead) {
			r.Best++
		}
		low, high = p.points-p.risk, q.points+2*q.open
		if high > low || high == low && (!settled || ahead) {
			r.Worst++
		}
	}
	return r
}

// bySums bounds places by how many halves there are to win.
func (b *bounds) bySums(i int) Range {
	p := b.who[i]
	others := 2 * (len(b.open) - p.open) // halves in games that p doesn't play
	most := p.points + 2*p.open
	r := Range{1, 1}
	// At best p wins all. How many must end ahead for the others' halves to find a place?
	var extra []int // what those take more who end ahead
	left := others
	for j, q := range b.who {
		if j == i {
			continue
		}
		open := q.open - b.between(i, j)
		room := most - q.points
		if room < 0 || room == 0 && p.open == 0 && q.open == 0 && q.spread > p.spread {
			r.Best++
			left -= 2 * open
			continue
		}
		takes := min(room, 2*open)
		left -= takes
		extra = append(extra, 2*open-takes)
	}
	slices.SortFunc(extra, func(a, b int) int { return cmp.Compare(b, a) })
	for _, n := range extra {
		if left <= 0 {
			break
		}
		left -= n
		r.Best++
	}
	// At worst p loses all. How many can end ahead with the halves there are?
	var needs []int
	for j, q := range b.who {
		if j == i {
			continue
		}
		need := p.points - q.points
		if p.open == 0 && q.open == 0 && q.spread <= p.spread {
			need++
		}
		if need <= 2*q.open {
			// What q has of p is theirs in any case.
			needs = append(needs, max(need-2*b.between(i, j), 0))
		}
	}
	slices.Sort(needs)
	for _, n := range needs {
		if n > others {
			break
		}
		others -= n
		r.Worst++
	}
	return r
}

// between is how many games two have yet to end against each other.
func (b *bounds) between(i, j int) (n int) {
	for _, g := range b.open {
		if g == [2]int{i, j} || g == [2]int{j, i} {
			n++
		}
	}
	return n
}

// byTrying finds places by all outcomes of the open games, where spreads can be anything
// that fits an outcome. Somebody comes in best when they win all of theirs, and as few
// others as can be end ahead in what follows from the other games; so too at worst.
func (b *bounds) byTrying() []Range {
	ranges := make([]Range, len(b.who))
	for i := range b.who {
		ranges[i] = Range{1 + b.race(i, true, b.ahead).fewest(), len(b.who) - b.race(i, false, b.behind).fewest()}
	}
	return ranges
}

// A tally is what somebody makes of open games.
type tally struct{ halves, won, lost int }

// ahead reports whether j surely ends ahead of i, who wins all. Whoever wins a game can
// have any spread that is large enough, whoever loses one any that is small enough.
func (b *bounds) ahead(i, j int, of tally) bool {
	p, q := b.who[i], b.who[j]
	lead := q.points + of.halves - p.points - 2*p.open
	return lead > 0 || lead == 0 && p.open == 0 && of.lost == 0 && q.spread+of.won > p.spread
}

// behind reports whether j surely ends behind i, or level with them, who loses all.
func (b *bounds) behind(i, j int, of tally) bool {
	p, q := b.who[i], b.who[j]
	lead := q.points + of.halves - p.points
	return lead < 0 || lead == 0 && p.open == 0 && of.won == 0 && q.spread-of.lost <= p.spread
}

// A race looks for the outcome of open games in which the fewest others count for somebody.
type race struct {
	counts func(j int, of tally) bool
	up     bool     // who wins counts the sooner; who loses, where it is false
	games  [][2]int // but for those of whom it is about
	over   []bool
	of     []tally // by who, like what follows
	left   []int   // games that aren't over
	skip   int     // whom it is about
	best   int
}

// race is about i: who wins all, where up, and the others count by winning; or loses all,
// and they count by losing.
func (b *bounds) race(i int, up bool, counts func(i, j int, of tally) bool) *race {
	r := &race{
		counts: func(j int, of tally) bool { return counts(i, j, of) },
		up:     up,
		of:     make([]tally, len(b.who)), left: make([]int, len(b.who)),
		skip: i, best: len(b.who),
	}
	for _, g := range b.open {
		if g[0] != i && g[1] != i {
			r.games = append(r.games, g)
			r.left[g[0]]++
			r.left[g[1]]++
			continue
		}
		halves := 0 // of the other
		if !up {
			halves = 2
		}
		r.of[g[0]+g[1]-i].add(halves)
	}
	r.over = make([]bool, len(r.games))
	return r
}

// fewest is how many count at least.
func (r *race) fewest() int {
	r.try()
	return r.best
}

// try tries all outcomes of what is open. Who counts, or doesn't, however their games end
// can give those to their opponents at once: so few are left to be tried.
func (r *race) try() {
	var given []func()
	defer func() {
		for _, back := range slices.Backward(given) {
			back()
		}
	}()
	for again := true; again; {
		again = false
		for g, pair := range r.games {
			if r.over[g] {
				continue
			}
			halves := 0 // of the first
			switch {
			case r.settled(pair[0]):
				halves = 2
			case !r.settled(pair[1]):
				continue
			}
			if !r.up {
				halves = 2 - halves
			}
			given = append(given, r.end(g, halves))
			again = true
		}
	}
	count := 0
	for j := range r.of {
		if j != r.skip && r.settled(j) && r.counts(j, r.of[j]) {
			count++
		}
	}
	g := slices.Index(r.over, false)
	switch {
	case count >= r.best:
	case g < 0:
		r.best = count
	default:
		for halves := range 3 {
			back := r.end(g, halves)
			r.try()
			back()
		}
	}
}

// settled reports whether it makes no difference to somebody's counting how their games
// end.
func (r *race) settled(j int) bool {
	lost, won := r.of[j], r.of[j]
	lost.lost += r.left[j]
	won.won += r.left[j]
	won.halves += 2 * r.left[j]
	return r.left[j] == 0 || r.counts(j, lost) == r.counts(j, won)
}

// end ends game g, in which the first of the two gets halves (2 for a win, 1 for a draw), and
// returns a function that takes it back.
func (r *race) end(g, halves int) func() {
	a, b := r.games[g][0], r.games[g][1]
	ofA, ofB := r.of[a], r.of[b]
	r.of[a].add(halves)
	r.of[b].add(2 - halves)
	r.over[g] = true
	r.left[a]--
	r.left[b]--
	return func() {
		r.of[a], r.of[b] = ofA, ofB
		r.over[g] = false
		r.left[a]++
		r.left[b]++
	}
}

func (t *tally) add(halves int) {
	t.halves += halves
	switch halves {
	case 0:
		t.lost++
	case 2:
		t.won++
	}
}
