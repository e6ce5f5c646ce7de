package contest

import (
	"cmp"
	"slices"
)

// Berger returns the table of a round robin of n players as FIDE prints it (Handbook C.05,
// Annex 1): for each round, pairs of numbers from 1, with the player who moves first in
// front. For an odd n the table has one player more, and number n+1 means a bye.
func Berger(n int) [][][2]int {
	n += n % 2
	if n < 2 {
		return nil
	}
	// The highest number stays put and alternates between first and second. The others sit
	// in a circle; the opponent of the highest number advances by n/2 each round.
	var rounds [][][2]int
	around := n - 1
	for r := range around {
		at := r * (n / 2) % around // opponent of the highest number, from 0
		pair := [2]int{at + 1, n}
		if r%2 == 1 {
			pair = [2]int{n, at + 1}
		}
		pairs := [][2]int{pair}
		for k := 1; k < n/2; k++ {
			pairs = append(pairs, [2]int{(at+k)%around + 1, (at-k+around)%around + 1})
		}
		rounds = append(rounds, pairs)
	}
	return rounds
}

// firstRoundOf returns the first round of the latest run of rounds of a kind, or the next round if
// the latest has another kind.
func (c *Contest) firstRoundOf(k Kind) int {
	i := len(c.Rounds)
	for i > 0 && c.Rounds[i-1].Method.Kind == k {
		i--
	}
	return i + 1
}

// robin pairs a round of a round robin. Its table consists of the entrants who could play,
// or were only away, when it began. An entrant whose opponent left or is away has a bye.
func (c *Contest) robin(round int) ([][2]No, error) {
	began := c.firstRoundOf(RoundRobin)
	members := c.members(began)
	active := 0
	for _, e := range c.Entrants {
		if e.plays(round) {
			active++
			if !slices.Contains(members, e.No) {
				return nil, ErrLate
			}
		}
	}
	if active < 2 {
		return nil, ErrFew
	}
	lot := c.Seed.lots("round robin", len(c.Entrants)+1)
	table := slices.SortedFunc(slices.Values(members), func(a, b No) int { return cmp.Or(cmp.Compare(lot[a], lot[b]), cmp.Compare(a, b)) })
	rounds := Berger(len(table))
	since := round - began
	cycle, of := since/len(rounds), since%len(rounds)
	meet := make([][2]No, 0, len(table)) // 0 for a bye
	for _, p := range rounds[of] {
		var pair [2]No
		for i, place := range p {
			if place <= len(table) {
				pair[i] = table[place-1]
			}
		}
		meet = append(meet, pair)
	}
	if taken := c.importedRounds(began); taken%len(rounds) > 0 && cycle == taken/len(rounds) {
		n, end := taken%len(rounds), began-1+taken // rounds of the cycle that were played elsewhere
		left := remainingRounds(c.Seed, members, c.Rounds[end-n:end])
		if left == nil {
			return nil, ErrNoPairing
		}
		meet = left[of-n]
	}
	var pairs, byes [][2]No
	for _, p := range meet {
		var nos []No
		for _, no := range p {
			if e, ok := c.Entrant(no); ok && e.plays(round) {
				nos = append(nos, no)
			}
		}
		switch {
		case len(nos) == 1:
			byes = append(byes, [2]No{nos[0], 0})
		case len(nos) == 2 && cycle%2 == 0:
			pairs = append(pairs, [2]No{nos[0], nos[1]})
		case len(nos) == 2:
			pairs = append(pairs, [2]No{nos[1], nos[0]})
		}
	}
	return append(pairs, byes...), nil
}
