package contest

import (
	"cmp"
	"slices"
)

// A Range is the range of places in which a player can still finish.
type Range struct{ Best, Worst int }

// exactUpTo is the greatest number of open games for which all outcomes are tried.
const exactUpTo = 9

// Possible returns the places in which each player of a division can still finish, by
// number. The ranges hold for any outcome: wins, draws and losses by any spread, forfeits,
// and players who leave, whose results may become void (see Withdraw). As games end they
// only narrow. Players who left before half of their games have no range.
//
// With up to nine open games, and if nobody's results can become void, all outcomes are
// tried. Otherwise the ranges follow from sums of points: the open games have a fixed
// number of halves to win, and they go first to the players who need the fewest.
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

// A bounds holds what the possible places depend on.
type bounds struct {
	who  []runner
	open [][2]int // games that aren't over, by index into who
}

// A runner is a player who will have a place.
type runner struct {
	no     No
	points int // in halves
	spread int
	open   int  // games that aren't over
	void   bool // they could leave and make their results void
	risk   int  // points from opponents whose results could become void
	risky  bool // has results against such opponents
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
	for _, p := range c.Games() {
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
	}
	return b
}

// whileOthersCanLeave bounds the places of player i while results can become void: it
// compares i with each other player separately, at best and at worst.
func (b *bounds) whileOthersCanLeave(i int) Range {
	p := b.who[i]
	r := Range{1, 1}
	for j, q := range b.who {
		if j == i {
			continue
		}
		settled := p.open == 0 && q.open == 0 && !p.risky && !q.risky // spreads are final
		ahead := q.spread > p.spread
		// q leaves, or loses all open games and all games that can become void.
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

// bySums bounds the places of player i by the number of halves to win.
func (b *bounds) bySums(i int) Range {
	p := b.who[i]
	others := 2 * (len(b.open) - p.open) // halves in games without p
	most := p.points + 2*p.open
	r := Range{1, 1}
	// At best p wins everything. How many must finish ahead to absorb the others' halves?
	var extra []int // extra halves that players finishing ahead can absorb
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
	// At worst p loses everything. How many can finish ahead with the available halves?
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
			// The halves that q wins against p are theirs in any case.
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

// between counts the open games between two players.
func (b *bounds) between(i, j int) (n int) {
	for _, g := range b.open {
		if g == [2]int{i, j} || g == [2]int{j, i} {
			n++
		}
	}
	return n
}

// byTrying returns the exact places, over all outcomes of the open games with any spread
// that fits an outcome. A player finishes best if they win all their games and as few
// others as possible finish ahead; likewise at worst.
func (b *bounds) byTrying() []Range {
	ranges := make([]Range, len(b.who))
	for i := range b.who {
		ranges[i] = Range{1 + b.race(i, true, b.isCertainlyAhead).fewest(), len(b.who) - b.race(i, false, b.behind).fewest()}
	}
	return ranges
}

// A tally sums up a player's results in open games.
type tally struct{ halves, won, lost int }

// isCertainlyAhead reports whether j certainly finishes ahead of i, who wins everything. The spread of
// a win can be arbitrarily large, that of a loss arbitrarily small.
func (b *bounds) isCertainlyAhead(i, j int, of tally) bool {
	p, q := b.who[i], b.who[j]
	lead := q.points + of.halves - p.points - 2*p.open
	return lead > 0 || lead == 0 && p.open == 0 && of.lost == 0 && q.spread+of.won > p.spread
}

// behind reports whether j certainly finishes behind or level with i, who loses everything.
func (b *bounds) behind(i, j int, of tally) bool {
	p, q := b.who[i], b.who[j]
	lead := q.points + of.halves - p.points
	return lead < 0 || lead == 0 && p.open == 0 && of.won == 0 && q.spread-of.lost <= p.spread
}

// A race searches for the outcome of open games in which the fewest other players count.
type race struct {
	counts func(j int, of tally) bool
	up     bool     // winning makes a player count; if false, losing does
	games  [][2]int // open games without the player skip
	over   []bool
	of     []tally // by player, like left
	left   []int   // number of open games
	skip   int     // the player that the race is about
	best   int
}

// race returns the search for player i. If up is set, i wins everything and the others
// count by winning; otherwise i loses everything and they count by losing.
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
		halves := 0 // of the opponent
		if !up {
			halves = 2
		}
		r.of[g[0]+g[1]-i].add(halves)
	}
	r.over = make([]bool, len(r.games))
	return r
}

// fewest returns the least number of players who count.
func (r *race) fewest() int {
	r.try()
	return r.best
}

// try tries all outcomes of the open games. It first decides each game of a player for whom its
// result doesn't matter: the opponent gets the result that keeps them from counting. That
// leaves few games to try.
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
			halves := 0 // of the first player
			switch {
			case r.isSettled(pair[0]):
				halves = 2
			case !r.isSettled(pair[1]):
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
		if j != r.skip && r.isSettled(j) && r.counts(j, r.of[j]) {
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

// isSettled reports whether a player counts, or doesn't, however their open games end.
func (r *race) isSettled(j int) bool {
	lost, won := r.of[j], r.of[j]
	lost.lost += r.left[j]
	won.won += r.left[j]
	won.halves += 2 * r.left[j]
	return r.left[j] == 0 || r.counts(j, lost) == r.counts(j, won)
}

// end ends game g with halves for its first player (2 for a win, 1 for a draw), and returns
// a function that reverts it.
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
