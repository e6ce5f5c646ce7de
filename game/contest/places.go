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

// byTrying finds places by all outcomes of the open games. Spreads can be anything
// that fits an outcome.
func (b *bounds) byTrying() []Range {
	n := len(b.who)
	ranges := make([]Range, n)
	for i := range ranges {
		ranges[i] = Range{n, 1}
	}
	points, won, lost := make([]int, n), make([]int, n), make([]int, n)
	for i, p := range b.who {
		points[i] = p.points
	}
	var try func(game int)
	try = func(game int) {
		if game == len(b.open) {
			for i := range b.who {
				best, worst := 1, 1
				for j := range b.who {
					if i == j {
						continue
					}
					switch {
					case points[j] > points[i]:
						best++
						worst++
					case points[j] == points[i]:
						if least, sure := gap(b.who[j].spread-b.who[i].spread, won[j]+lost[i], lost[j]+won[i]); sure && least > 0 {
							best++
						}
						if least, sure := gap(b.who[i].spread-b.who[j].spread, won[i]+lost[j], lost[i]+won[j]); !sure || least < 0 {
							worst++
						}
					}
				}
				ranges[i] = Range{min(ranges[i].Best, best), max(ranges[i].Worst, worst)}
			}
			return
		}
		x, y := b.open[game][0], b.open[game][1]
		for halves := range 3 {
			points[x] += halves
			points[y] += 2 - halves
			switch halves {
			case 0:
				lost[x]++
				won[y]++
			case 2:
				won[x]++
				lost[y]++
			}
			try(game + 1)
			points[x] -= halves
			points[y] -= 2 - halves
			switch halves {
			case 0:
				lost[x]--
				won[y]--
			case 2:
				won[x]--
				lost[y]--
			}
		}
	}
	try(0)
	return ranges
}

// gap is the least difference of two spreads, where one now leads by so many, some
// games raise the difference by one at least and others lower it. Where games lower it
// there is no least.
func gap(now, raise, lower int) (least int, sure bool) {
	return now + raise, lower == 0
}
