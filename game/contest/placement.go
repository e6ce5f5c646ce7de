package contest

import (
	"cmp"
	"slices"
)

// A Sizes holds the smallest, preferred and largest number of players in a division.
type Sizes struct{ Least, Aim, Most int }

// The sizes that a league can choose from.
var (
	SmallDivisions = Sizes{5, 7, 10}
	LargeDivisions = Sizes{13, 15, 20}
)

// A Candidate is a player registered for a season.
type Candidate struct {
	Player
	Last *Past // their last season, nil if they have played none
	// Avoids lists the IDs of opponents they don't want to be paired with; it applies both
	// ways.
	Avoids []string
}

// A Past describes how a player's last season ended.
type Past struct {
	Ago      int // 1 is the season before this one
	Division int // from 1, the highest
	Place    int // from 1, in a table without ties
	Move     Move
}

// ComesBackWithin is the greatest number of seasons that a player can be away and still
// return to their division; after more they start as newcomers.
const ComesBackWithin = 3

// Place assigns candidates to divisions, the highest first. The rules:
//
//  1. Players of the last season stay, or move a division up or down, as it ended for
//     them.
//  2. The number of divisions is the one that brings sizes nearest to the aim. If the
//     players of rule 1 stand in more, divisions are merged: the two neighbours with the
//     smallest total become one, and all below move up by one. Players promoted to the
//     lower of the two go to the next one below, which counts as the one they were
//     promoted to.
//  3. Players who return after one to three seasons away go to where they would have
//     been, or to the nearest division with room, higher or lower.
//  4. Newcomers, and players who were away longer, fill divisions from the lowest, the
//     lowest-rated in the lowest division.
//  5. A division still below the least size is filled from the one below: first with
//     players relegated to it, then with players who stay there, best first. Promoted
//     players aren't promoted again.
//  6. The lowest division may be smaller than the least size, down to three; with fewer
//     it joins the one above.
//  7. If two players in one division avoid each other, and one of them can go anywhere
//     (rules 3 and 4), that one swaps with the nearest such player of a neighbouring
//     division, if that separates them and brings no other such pair together.
//
// So nobody who stays is ever moved down, nobody moves up twice for one season, and nobody
// is relegated twice.
func Place(seed Seed, sizes Sizes, all []Candidate) [][]Candidate {
	p := placement{seed: seed, sizes: sizes}
	var back, fresh []Candidate
	for _, c := range all {
		switch {
		case c.Last == nil || c.Last.Ago > ComesBackWithin+1 || c.Last.Ago < 1 || c.Last.Division < 1:
			c.Last = nil
			fresh = append(fresh, c)
		case c.Last.Ago > 1:
			back = append(back, c)
		default:
			p.put(c, c.home())
		}
	}
	number := p.number(len(all), len(fresh)+len(back))
	p.close(number)
	for len(p.divisions) < number {
		p.divisions = append(p.divisions, nil)
	}
	slices.SortFunc(back, p.ladder)
	for _, c := range back {
		p.put(c, p.nearest(c.home()))
	}
	p.fill(fresh, len(all))
	p.pull()
	p.joinLast()
	for _, d := range p.divisions {
		slices.SortFunc(d, p.ladder)
	}
	p.separateAvoiders()
	for _, d := range p.divisions {
		slices.SortFunc(d, p.ladder)
	}
	return p.divisions
}

// home returns the division that a candidate's last season leads to, from 0.
func (c Candidate) home() int {
	switch at := c.Last.Division - 1; c.Last.Move {
	case Promoted:
		return max(at-1, 0)
	case Relegated:
		return at + 1
	default:
		return at
	}
}

// wasPromoted reports whether a candidate was promoted after the last season.
func (c Candidate) wasPromoted() bool {
	return c.Last != nil && c.Last.Ago == 1 && c.Last.Move == Promoted
}

// A placement holds the divisions under construction.
type placement struct {
	seed      Seed
	sizes     Sizes
	divisions [][]Candidate
}

func (p *placement) put(c Candidate, at int) {
	for len(p.divisions) <= at {
		p.divisions = append(p.divisions, nil)
	}
	p.divisions[at] = append(p.divisions[at], c)
}

// ladder compares candidates by the division they should be in, then by the one they came
// from (higher first) and their place there. Newcomers come last, by rating.
func (p *placement) ladder(a, b Candidate) int {
	switch {
	case a.Last == nil && b.Last == nil:
		return byRating(p.seed)(a, b)
	case a.Last == nil:
		return 1
	case b.Last == nil:
		return -1
	}
	return cmp.Or(cmp.Compare(a.home(), b.home()), cmp.Compare(a.Last.Division, b.Last.Division),
		cmp.Compare(a.Last.Place, b.Last.Place), byRating(p.seed)(a, b))
}

// number returns how many divisions to make for all players, of whom some can go anywhere.
func (p *placement) number(all, anywhere int) int {
	best := 1
	for n := 2; all/n >= p.sizes.Least; n++ {
		if p.deviation(all, n) < p.deviation(all, best) {
			best = n
		}
	}
	// A new division needs players who can start in it.
	for best > 1 && best > len(p.divisions) && anywhere < p.sizes.Least && len(p.divisions) > 0 {
		best--
	}
	return best
}

// deviation returns how far n divisions are from the aimed-at size. Exceeding the largest size
// outweighs everything else.
func (p *placement) deviation(all, n int) int {
	low, high := all/n, (all+n-1)/n
	off := max(p.sizes.Aim-low, high-p.sizes.Aim)
	if high > p.sizes.Most {
		off += MaxEntrants
	}
	return off
}

// close merges divisions until there are at most number.
func (p *placement) close(number int) {
	p.divisions = slices.DeleteFunc(p.divisions, func(d []Candidate) bool { return len(d) == 0 })
	for len(p.divisions) > number {
		at := 0
		for i := range len(p.divisions) - 1 {
			if len(p.divisions[i])+len(p.divisions[i+1]) <= len(p.divisions[at])+len(p.divisions[at+1]) {
				at = i
			}
		}
		p.join(at)
	}
}

// join merges two neighbouring divisions. Players promoted to the lower one go to the next
// lower division, which is still one up for them.
func (p *placement) join(at int) {
	lower := p.divisions[at+1]
	p.divisions = slices.Delete(p.divisions, at+1, at+2)
	for _, c := range lower {
		if c.wasPromoted() && at+1 < len(p.divisions) {
			p.put(c, at+1)
		} else {
			p.put(c, at)
		}
	}
}

// nearest returns the division nearest to home that has room: fewer players than the aim,
// or else than the largest size. If two are equally near, it returns the lower.
func (p *placement) nearest(home int) int {
	home = min(home, len(p.divisions)-1)
	for _, size := range []int{p.sizes.Aim, p.sizes.Most, MaxEntrants} {
		for d := range len(p.divisions) {
			for _, at := range []int{home + d, home - d} {
				if at >= 0 && at < len(p.divisions) && len(p.divisions[at]) < size {
					return at
				}
			}
		}
	}
	return home
}

// fill puts newcomers into divisions from the lowest: new divisions share them evenly,
// otherwise they go to the lowest that isn't full.
func (p *placement) fill(fresh []Candidate, all int) {
	slices.SortFunc(fresh, byRating(p.seed))
	n := len(p.divisions)
	put := func(at int) {
		p.put(fresh[len(fresh)-1], at)
		fresh = fresh[:len(fresh)-1]
	}
	for at := n - 1; at >= 0; at-- {
		if len(p.divisions[at]) > 0 && at < n-1 {
			continue
		}
		want := all / n
		if at < all%n {
			want++
		}
		for len(fresh) > 0 && len(p.divisions[at]) < want {
			put(at)
		}
	}
	for at := n - 1; at >= 0; at-- {
		for len(fresh) > 0 && len(p.divisions[at]) < p.sizes.Most {
			put(at)
		}
	}
	for len(fresh) > 0 {
		put(max(n-1, 0))
	}
}

// pull fills divisions that are too small from those below.
func (p *placement) pull() {
	for at := 0; at+1 < len(p.divisions); at++ {
		for len(p.divisions[at]) < p.sizes.Least {
			below := p.divisions[at+1]
			best := -1
			for i, c := range below {
				if c.wasPromoted() {
					continue
				}
				if best < 0 || p.movesUpBefore(c, below[best]) {
					best = i
				}
			}
			if best < 0 {
				break
			}
			p.divisions[at] = append(p.divisions[at], below[best])
			p.divisions[at+1] = slices.Delete(below, best, best+1)
		}
	}
}

// movesUpBefore reports whether a is moved up before b: relegated players first, then players who
// stay, then newcomers.
func (p *placement) movesUpBefore(a, b Candidate) bool {
	rank := func(c Candidate) int {
		switch {
		case c.Last == nil:
			return 2
		case c.Last.Move == Relegated:
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), p.ladder(a, b)) < 0
}

// isMovable reports whether a candidate may be in any division.
func (c Candidate) isMovable() bool { return c.Last == nil || c.Last.Ago > 1 }

// clashes counts the players in a division who avoid a candidate, or whom they avoid.
func clashes(c Candidate, division []Candidate) (n int) {
	for _, o := range division {
		if o.ID != c.ID && (slices.Contains(c.Avoids, o.ID) || slices.Contains(o.Avoids, c.ID)) {
			n++
		}
	}
	return n
}

// separateAvoiders separates players who avoid each other, as far as swaps are possible.
func (p *placement) separateAvoiders() {
	for at, d := range p.divisions {
		for i := range d {
			if !d[i].isMovable() || clashes(d[i], d) == 0 {
				continue
			}
			for _, near := range []int{at + 1, at - 1} {
				if near >= 0 && near < len(p.divisions) && swapNearest(d, i, p.divisions[near], near < at) {
					break
				}
			}
		}
	}
}

// swapNearest swaps d[i] with the nearest player of another division who can go anywhere, if that
// leaves fewer players with someone they avoid, and reports whether it did. higher says that
// the other division is above, so that its last player is the nearest.
func swapNearest(d []Candidate, i int, other []Candidate, higher bool) bool {
	order := make([]int, len(other))
	for j := range order {
		order[j] = j
	}
	if higher {
		slices.Reverse(order)
	}
	for _, j := range order {
		if !other[j].isMovable() {
			continue
		}
		before := clashes(d[i], d) + clashes(other[j], other)
		d[i], other[j] = other[j], d[i]
		if clashes(d[i], d)+clashes(other[j], other) < before {
			return true
		}
		d[i], other[j] = other[j], d[i]
	}
	return false
}

// joinLast merges the lowest division with the one above if it is too small.
func (p *placement) joinLast() {
	p.divisions = slices.DeleteFunc(p.divisions, func(d []Candidate) bool { return len(d) == 0 })
	for n := len(p.divisions); n > 1; n = len(p.divisions) {
		last, above := len(p.divisions[n-1]), len(p.divisions[n-2])
		if last >= p.sizes.Least || last >= 3 && last+above > p.sizes.Most {
			return
		}
		p.join(n - 2)
	}
}
