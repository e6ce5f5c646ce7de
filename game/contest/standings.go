package contest

import (
	"cmp"
	"slices"
)

// A Standing is an entrant's line in the standings.
type Standing struct {
	No    No
	Place int // from 1, shared by entrants who are equal
	Score
	Out bool // doesn't play any more
}

// Standings returns the standings after a number of rounds, best first. If rounds is
// negative or too large, all rounds count. Entrants equal in points, game points and spread
// share the place, and stand in the order of seeds.
func (c *Contest) Standings(rounds int) []Standing {
	if rounds < 0 || rounds > len(c.Rounds) {
		rounds = len(c.Rounds)
	}
	all := make([]Standing, len(c.Entrants))
	for i, e := range c.Entrants {
		all[i] = Standing{No: e.No, Out: e.Out != 0 && e.Out <= rounds+1}
	}
	for _, r := range c.Rounds[:rounds] {
		for _, p := range r.Pairings {
			if in(p.A, len(all)) {
				all[p.A-1].add(p.Score(A, c.Format))
			}
			if in(p.B, len(all)) {
				all[p.B-1].add(p.Score(B, c.Format))
			}
		}
	}
	seeds := c.seeds()
	slices.SortFunc(all, func(a, b Standing) int {
		return cmp.Or(Better(a.Score, b.Score), cmp.Compare(seeds[a.No-1], seeds[b.No-1]))
	})
	for i := range all {
		all[i].Place = i + 1
		if i > 0 && Better(all[i-1].Score, all[i].Score) == 0 {
			all[i].Place = all[i-1].Place
		}
	}
	return all
}

func in(no No, n int) bool { return no >= 1 && int(no) <= n }

// Better compares scores, better first: by points, game points, spread.
func Better(a, b Score) int {
	return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.GamePoints, a.GamePoints), cmp.Compare(b.Spread, a.Spread))
}

// seeds returns each entrant's rank before any result, by number: by seed, then by
// strength, then by lot.
func (c *Contest) seeds() []int {
	order := make([]int, len(c.Entrants))
	for i := range order {
		order[i] = i
	}
	lot := c.Seed.lots("seeds", len(order))
	slices.SortFunc(order, func(x, y int) int {
		a, b := c.Entrants[x], c.Entrants[y]
		return cmp.Or(compareSeeds(a.Seed, b.Seed), cmp.Compare(b.strength(), a.strength()), cmp.Compare(lot[x], lot[y]), cmp.Compare(x, y))
	})
	places := make([]int, len(order))
	for place, i := range order {
		places[i] = place
	}
	return places
}

// compareSeeds orders seeds, with unseeded entrants (0) last.
func compareSeeds(a, b int) int {
	if a == 0 || b == 0 {
		return -cmp.Compare(a, b)
	}
	return cmp.Compare(a, b)
}
