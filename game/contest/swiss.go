package contest

import (
	"slices"
)

// The weights of the matching. Each pair that could meet has a cost, and the round is
// the matching whose costs add up to the least. A cost has three parts, and no sum of
// a later part is worth one of an earlier:
//
//  1. Repeats: the square of how often the two have met, up to eight times. A pair
//     that is to be avoided counts as one that met eight times. King of the hill has
//     no such part but for pairs to be avoided.
//  2. Win groups: the square of the difference of points in halves, up to 31. King of
//     the hill and the Australian draw have no such part.
//  3. Spread: players are ranked by points, then spread (see Standings). In a Swiss
//     round the square of how far the distance of their ranks is from half the size of
//     the win group, rounded down, for two of one group: the upper half meets the lower half in order.
//     For two of different groups, in King of the hill and in the Australian draw, the
//     square of the distance of their ranks less one: neighbours meet.
//
// Of two matchings of the same cost it is the one that the algorithm finds, which is
// always the same.
const (
	maxMeetings = 8
	maxGap      = 31
)

// ranked pairs by standings.
func (c *Contest) ranked(m Method, round int) ([][2]No, error) {
	if err := c.decided(round); err != nil {
		return nil, err
	}
	ranks := c.playing(round)
	if len(ranks) < 2 {
		return nil, ErrFew
	}
	bye := No(0)
	if len(ranks)%2 == 1 {
		at := byeFor(ranks)
		bye = ranks[at].No
		ranks = slices.Delete(ranks, at, at+1)
	}
	if m.NoRepeats && !c.fresh(ranks, m) {
		return nil, ErrNoPairing
	}
	pairs := c.match(ranks, m)
	if bye != 0 {
		pairs = append(pairs, [2]No{bye, 0})
	}
	return pairs, nil
}

// byeFor is who has the bye: of those with the fewest the lowest.
func byeFor(ranks []Standing) int {
	at := len(ranks) - 1
	for i := at - 1; i >= 0; i-- {
		if ranks[i].Byes < ranks[at].Byes {
			at = i
		}
	}
	return at
}

// meetings counts how often each two have met.
func (c *Contest) meetings() map[[2]No]int {
	met := make(map[[2]No]int)
	for _, r := range c.Rounds {
		for _, p := range r.Pairings {
			if p.B != 0 {
				met[pairOf(p.A, p.B)]++
			}
		}
	}
	return met
}

func pairOf(a, b No) [2]No { return [2]No{min(a, b), max(a, b)} }

// fresh reports whether there is a matching without a repeat.
func (c *Contest) fresh(ranks []Standing, m Method) bool {
	met := c.meetings()
	again := func(i, j int) int64 {
		if met[pairOf(ranks[i].No, ranks[j].No)] > 0 {
			return 1
		}
		return 0
	}
	for i, j := range leastWeight(len(ranks), again) {
		if again(i, j) > 0 {
			return false
		}
	}
	return true
}

// match pairs an even number by the least sum of costs, the best first.
func (c *Contest) match(ranks []Standing, m Method) [][2]No {
	costs := c.costs(ranks, m)
	mate := leastWeight(len(ranks), func(i, j int) int64 { return costs[i][j] })
	var pairs [][2]No
	for i, j := range mate {
		if i < j {
			pairs = append(pairs, [2]No{ranks[i].No, ranks[j].No})
		}
	}
	return pairs
}

// costs are what each two cost who could meet.
func (c *Contest) costs(ranks []Standing, m Method) [][]int64 {
	n := len(ranks)
	pairs := int64(max(n/2, 1))
	gapUnit := pairs*int64(n)*int64(n) + 1            // more than all spread parts together
	repeatUnit := gapUnit * (pairs*maxGap*maxGap + 1) // more than all parts behind it
	met := c.meetings()
	avoid := make(map[[2]No]bool)
	for _, e := range c.Entrants {
		for _, no := range e.Avoids {
			avoid[pairOf(e.No, no)] = true
		}
	}
	groups := make([]int, n) // the size of the win group of each
	for from := 0; from < n; {
		to := from
		for to < n && ranks[to].Points == ranks[from].Points {
			to++
		}
		for i := from; i < to; i++ {
			groups[i] = to - from
		}
		from = to
	}
	costs := make([][]int64, n)
	for i := range costs {
		costs[i] = make([]int64, n)
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			pair := pairOf(ranks[i].No, ranks[j].No)
			times := min(met[pair], maxMeetings)
			if m.Kind == KingOfTheHill {
				times = 0
			}
			if avoid[pair] {
				times = maxMeetings
			}
			gap := min(ranks[i].Points-ranks[j].Points, maxGap)
			ideal := 1
			if m.Kind == Swiss && gap == 0 {
				ideal = max(groups[i]/2, 1)
			}
			if m.Kind != Swiss {
				gap = 0
			}
			off := int64(j - i - ideal)
			cost := int64(times*times)*repeatUnit + int64(gap*gap)*gapUnit + off*off
			costs[i][j], costs[j][i] = cost, cost
		}
	}
	return costs
}
