package contest

import (
	"cmp"
	"slices"
)

// Sizes are how large divisions are.
type Sizes struct{ Least, Aim, Most int }

// The sizes that a league can have.
var (
	SmallDivisions = Sizes{5, 7, 10}
	LargeDivisions = Sizes{13, 15, 20}
)

// A Candidate is who registered for a season.
type Candidate struct {
	Player
	Last *Past // their last season, nil for who has played none
	// Avoids are the IDs of those whom they don't want to be paired with; it counts for both.
	Avoids []string
}

// A Past is how somebody's last season ended.
type Past struct {
	Ago      int // 1 is the season before this one
	Division int // from 1, the highest
	Place    int // from 1; in a table in which nobody stands equal
	Move     Move
}

// ComesBackWithin is within how many seasons away somebody comes back to where they
// were; after more they begin as newcomers do.
const ComesBackWithin = 3

// Place puts candidates into divisions, the highest first. The rules:
//
//  1. Who played the season before stays, or is a division higher or lower, as it
//     ended for them.
//  2. The number of divisions is that which brings sizes nearest to what is aimed at.
//     Where those of rule 1 stand in more, divisions close: the two neighbours that
//     are smallest together become one, and all below count one up. Who was promoted
//     to the lower of the two goes to the next below, which counts as the one that
//     they were promoted to.
//  3. Who comes back after one to three seasons away goes to where they would have
//     been, or as near to it as there is room, higher or lower.
//  4. Newcomers, and who was away for longer, fill divisions from the lowest, the
//     lowest by rating in the lowest division.
//  5. A division that is still smaller than the least size is filled from the one
//     below: first by those who were relegated to it, then by those who stay there,
//     the best first. Who was promoted isn't promoted again.
//  6. The lowest division may be smaller than the least size, down to three; with
//     fewer it joins the one above.
//  7. Of two in one division who don't want to be paired, where one can go anywhere
//     (rules 3 and 4), that one changes places with the nearest such player of a
//     neighbouring division, where that parts them and brings nobody else together.
//
// So nobody who stays is ever moved down, nobody moves up twice for one season, and
// nobody is relegated twice.
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
	p.part()
	for _, d := range p.divisions {
		slices.SortFunc(d, p.ladder)
	}
	return p.divisions
}

// home is the division in which somebody would be, from 0.
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

// climbed reports whether somebody is in their division by promotion.
func (c Candidate) climbed() bool { return c.Last != nil && c.Last.Ago == 1 && c.Last.Move == Promoted }

// A placement is divisions while they are made.
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

// ladder orders those who played by where they would be, then by where they came from
// (the higher first) and their place there, and newcomers behind them by rating.
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

// number is how many divisions there should be for so many people, of whom some can go
// anywhere.
func (p *placement) number(all, anywhere int) int {
	best := 1
	for n := 2; all/n >= p.sizes.Least; n++ {
		if p.off(all, n) < p.off(all, best) {
			best = n
		}
	}
	// A new division takes people who can begin in it.
	for best > 1 && best > len(p.divisions) && anywhere < p.sizes.Least && len(p.divisions) > 0 {
		best--
	}
	return best
}

// off is how far sizes are from what is aimed at, more than the most counting as much
// as anything.
func (p *placement) off(all, n int) int {
	low, high := all/n, (all+n-1)/n
	off := max(p.sizes.Aim-low, high-p.sizes.Aim)
	if high > p.sizes.Most {
		off += MaxEntrants
	}
	return off
}

// close joins divisions until there are no more than a number.
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

// join makes one division of two neighbours. Who was promoted to the lower of them goes
// to what is now the next lower, which is one up for them too.
func (p *placement) join(at int) {
	lower := p.divisions[at+1]
	p.divisions = slices.Delete(p.divisions, at+1, at+2)
	for _, c := range lower {
		if c.climbed() && at+1 < len(p.divisions) {
			p.put(c, at+1)
		} else {
			p.put(c, at)
		}
	}
}

// nearest is the division nearest to one that has room: smaller than what is aimed at,
// or else than the most. Of two that are as near it is the lower.
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
// and then the lowest that isn't full has them.
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
				if c.climbed() {
					continue
				}
				if best < 0 || p.ahead(c, below[best]) {
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

// ahead reports whether a is moved up before b: who was relegated first, then who
// stays, then who comes anew.
func (p *placement) ahead(a, b Candidate) bool {
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

// anywhere reports whether somebody may be in any division.
func (c Candidate) anywhere() bool { return c.Last == nil || c.Last.Ago > 1 }

// clashes counts those of a division whom somebody would not be paired with.
func clashes(c Candidate, division []Candidate) (n int) {
	for _, o := range division {
		if o.ID != c.ID && (slices.Contains(c.Avoids, o.ID) || slices.Contains(o.Avoids, c.ID)) {
			n++
		}
	}
	return n
}

// part has those change places who don't want to be paired, and can.
func (p *placement) part() {
	for at, d := range p.divisions {
		for i := range d {
			if !d[i].anywhere() || clashes(d[i], d) == 0 {
				continue
			}
			for _, near := range []int{at + 1, at - 1} {
				if near >= 0 && near < len(p.divisions) && change(d, i, p.divisions[near], near < at) {
					break
				}
			}
		}
	}
}

// change changes somebody for one of another division, the nearest by the ladder, where
// fewer than before are with those whom they avoid. higher says that it is above theirs, so
// that the last of it is the nearest.
func change(d []Candidate, i int, other []Candidate, higher bool) bool {
	order := make([]int, len(other))
	for j := range order {
		order[j] = j
	}
	if higher {
		slices.Reverse(order)
	}
	for _, j := range order {
		if !other[j].anywhere() {
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

// joinLast joins the lowest division with the one above where it has too few.
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
