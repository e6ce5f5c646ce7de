package contest

import (
	"slices"
)

// Weights of the matching. Each possible pair has a cost, and the round is the matching
// with the least sum of costs. A cost has three parts; each part outweighs any sum of the
// parts after it:
//
//  1. Repeats: the square of how often the two have met, up to eight times. A pair to be
//     avoided counts as one that met eight times. In king of the hill this part only
//     applies to pairs to be avoided.
//  2. Win groups: the square of the difference of points in halves, up to 31. King of
//     the hill and the Australian draw don't have this part.
//  3. Spread: players are ranked by points, then spread (see Standings). For two players
//     of the same win group in a Swiss round, the difference of their ranks is compared
//     with half the size of the group, rounded down, and the deviation squared: the
//     upper half meets the lower half in order. For players of different groups, in king
//     of the hill and in the Australian draw, it is the square of the difference of
//     their ranks minus one: neighbours meet.
//
// If several matchings have the same cost, the algorithm always finds the same one.
const (
	maxMeetings = 8
	maxGap      = 31
)

// pairByStandings pairs a round by the standings.
func (c *Contest) pairByStandings(m Method, round int) ([][2]No, error) {
	if err := c.checkDecided(round); err != nil {
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
	d := newDraw(c, m.Kind, ranks)
	if m.NoRepeats && !d.canAvoidRepeats() {
		return nil, ErrNoPairing
	}
	pairs := d.pairs()
	if bye != 0 {
		pairs = append(pairs, [2]No{bye, 0})
	}
	return pairs, nil
}

// byeFor returns the index of the player who gets the bye: the lowest of those with the
// fewest byes.
func byeFor(ranks []Standing) int {
	at := len(ranks) - 1
	for i := at - 1; i >= 0; i-- {
		if ranks[i].Byes < ranks[at].Byes {
			at = i
		}
	}
	return at
}

// meetings counts how often each pair has met.
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

// A draw holds what a round paired by standings depends on.
type draw struct {
	kind  Kind
	ranks []Standing // an even number, best first
	met   map[[2]No]int
	avoid map[[2]No]bool
}

func newDraw(c *Contest, kind Kind, ranks []Standing) draw {
	d := draw{kind, ranks, c.meetings(), make(map[[2]No]bool)}
	for _, e := range c.Entrants {
		for _, no := range e.Avoids {
			d.avoid[pairOf(e.No, no)] = true
		}
	}
	return d
}

// canAvoidRepeats reports whether there is a matching without repeats.
func (d draw) canAvoidRepeats() bool {
	again := func(i, j int) int64 {
		if d.met[pairOf(d.ranks[i].No, d.ranks[j].No)] > 0 {
			return 1
		}
		return 0
	}
	for i, j := range leastWeight(len(d.ranks), again) {
		if again(i, j) > 0 {
			return false
		}
	}
	return true
}

// pairs returns the pairs of the matching with the least cost, best first.
func (d draw) pairs() [][2]No {
	costs := d.costs()
	mate := leastWeight(len(d.ranks), func(i, j int) int64 { return costs[i][j] })
	var pairs [][2]No
	for i, j := range mate {
		if i < j {
			pairs = append(pairs, [2]No{d.ranks[i].No, d.ranks[j].No})
		}
	}
	return pairs
}

// costs returns the cost of each possible pair.
func (d draw) costs() [][]int64 {
	n := len(d.ranks)
	pairs := int64(max(n/2, 1))
	gapUnit := pairs*int64(n)*int64(n) + 1            // more than all spread parts together
	repeatUnit := gapUnit * (pairs*maxGap*maxGap + 1) // more than all later parts together
	groups := d.winGroups()
	costs := make([][]int64, n)
	for i := range costs {
		costs[i] = make([]int64, n)
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			pair := pairOf(d.ranks[i].No, d.ranks[j].No)
			times := min(d.met[pair], maxMeetings)
			if d.kind == KingOfTheHill {
				times = 0
			}
			if d.avoid[pair] {
				times = maxMeetings
			}
			gap := min(d.ranks[i].Points-d.ranks[j].Points, maxGap)
			ideal := 1
			if d.kind == Swiss && gap == 0 {
				ideal = max(groups[i]/2, 1)
			}
			if d.kind != Swiss {
				gap = 0
			}
			off := int64(j - i - ideal)
			cost := int64(times*times)*repeatUnit + int64(gap*gap)*gapUnit + off*off
			costs[i][j], costs[j][i] = cost, cost
		}
	}
	return costs
}

// winGroups returns the size of each player's win group, by rank.
func (d draw) winGroups() []int {
	groups := make([]int, len(d.ranks))
	for from := 0; from < len(groups); {
		to := from
		for to < len(groups) && d.ranks[to].Points == d.ranks[from].Points {
			to++
		}
		for i := from; i < to; i++ {
			groups[i] = to - from
		}
		from = to
	}
	return groups
}
