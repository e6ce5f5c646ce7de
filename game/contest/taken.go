package contest

import (
	"cmp"
	"fmt"
	"slices"
)

// An Unfit is what keeps rounds that were played elsewhere from being taken in.
type Unfit struct {
	Why   Misfits
	Round int  // from 1
	Who   []No // whom it is about
	Count int  // pairings of a knock-out's round
	Want  int  // and how many it should have; 0 in the first is any power of two
}

// Misfits are what doesn't fit about rounds.
type Misfits string

// What can be wrong with rounds that were played elsewhere.
const (
	UnfitLate  Misfits = "late"  // somebody is in none of the rounds
	UnfitAgain Misfits = "again" // two meet again before everybody has met everybody
	UnfitBye   Misfits = "bye"   // a second bye before everybody has had one
	UnfitIdle  Misfits = "idle"  // nobody can say whom they were to meet
	UnfitRest  Misfits = "rest"  // no rounds are found in which all others meet
	UnfitSize  Misfits = "size"  // a round of a knock-out has too few pairings, or too many
	UnfitOut   Misfits = "out"   // somebody plays on in a knock-out after losing
	UnfitDrawn Misfits = "drawn" // a pairing of a knock-out was drawn
)

func (u *Unfit) Error() string {
	return fmt.Sprintf("round %d: %s %v", u.Round, u.Why, u.Who)
}

// Take begins a contest with rounds that were played elsewhere, to go on from there with
// a kind of pairing. A round robin goes on so that everybody meets everybody: it takes
// rounds in which nobody met again, nor had a second bye, before all had. A knock-out takes
// rounds whose winners play the next; of the last of them the pairing with the best seed
// feeds the same as the one with the worst. Other kinds go on from any rounds. Where rounds
// don't fit, nothing is taken.
//
// An entrant who is in none of the rounds counts as late, which a round robin and a knock-out
// refuse; one who is only in the first rounds counts as having left.
func (c *Contest) Take(kind Kind, rounds []Round) error {
	last := make([]int, len(c.Entrants)) // the last round that somebody is in
	var late []No
	for n, r := range rounds {
		for _, p := range r.Pairings {
			for _, no := range []No{p.A, p.B} {
				if no != 0 {
					last[no-1] = n + 1
				}
			}
		}
	}
	for _, no := range c.members(1) {
		if last[no-1] == 0 {
			late = append(late, no)
		}
	}
	took := make([]Round, len(rounds))
	for i, r := range rounds {
		took[i] = Round{Method: r.Method, Pairings: slices.Clone(r.Pairings)}
	}
	var err error
	switch {
	case kind != RoundRobin && kind != Knockout:
	case len(late) > 0:
		err = &Unfit{Why: UnfitLate, Round: 1, Who: late}
	case kind == RoundRobin:
		err = c.takeRobin(took)
	default:
		took, err = c.takeKnockout(took)
		for i := range last { // who lost has no more rounds, and hasn't left
			last[i] = len(rounds)
		}
	}
	if err != nil {
		return err
	}
	for _, no := range late {
		c.Entrants[no-1].From = len(rounds) + 1
		for i := range took {
			took[i].Pairings = append(took[i].Pairings, Pairing{A: no, Missed: true})
		}
	}
	for i, n := range last {
		if e := &c.Entrants[i]; n > 0 && n < len(rounds) && e.Out == 0 {
			e.Out = n + 1
		}
	}
	c.Rounds = append(c.Rounds, took...)
	return nil
}

// takeRobin makes rounds those of a round robin.
func (c *Contest) takeRobin(rounds []Round) error {
	all := c.members(1)
	cycle := max(len(Berger(len(all))), 1)
	for i := range rounds {
		rounds[i].Method = Method{Kind: RoundRobin, Taken: true}
	}
	from := 0
	for some := range slices.Chunk(rounds, max(cycle, 1)) {
		met := make(map[[2]No]bool)
		for i, r := range some {
			pairs, idle := meetings(all, r)
			if len(idle) > 2-len(all)%2 {
				return &Unfit{Why: UnfitIdle, Round: from + i + 1, Who: idle}
			}
			for _, p := range pairs {
				switch {
				case met[p] && p[0] == 0:
					return &Unfit{Why: UnfitBye, Round: from + i + 1, Who: p[1:]}
				case met[p]:
					return &Unfit{Why: UnfitAgain, Round: from + i + 1, Who: p[:]}
				}
				met[p] = true
			}
		}
		from += len(some)
	}
	if n := len(rounds) % cycle; n > 0 && rest(c.Seed, all, rounds[len(rounds)-n:]) == nil {
		return &Unfit{Why: UnfitRest, Round: len(rounds)}
	}
	return nil
}

// members are who could play, or were only away, when a round robin began.
func (c *Contest) members(began int) (all []No) {
	for _, e := range c.Entrants {
		if e.From <= began && (e.Out == 0 || e.Out > began) {
			all = append(all, e.No)
		}
	}
	return all
}

// meetings are who of a round robin met in a round, the lower number first, with 0 for a
// bye; of two who met nobody it was each other. idle are all who met nobody.
func meetings(all []No, r Round) (pairs [][2]No, idle []No) {
	in := make(map[No]bool)
	for _, p := range r.Pairings {
		if p.A != 0 && p.B != 0 {
			in[p.A], in[p.B] = true, true
			pairs = append(pairs, [2]No{min(p.A, p.B), max(p.A, p.B)})
		}
	}
	for _, no := range all {
		if !in[no] {
			idle = append(idle, no)
		}
	}
	switch len(idle) {
	case 1:
		pairs = append(pairs, [2]No{0, idle[0]})
	case 2:
		pairs = append(pairs, [2]No{idle[0], idle[1]})
	}
	return pairs, idle
}

// taken is how many rounds of the run that began with a round were played elsewhere.
func (c *Contest) taken(began int) (n int) {
	for _, r := range c.Rounds[min(began-1, len(c.Rounds)):] {
		if !r.Method.Taken {
			break
		}
		n++
	}
	return n
}

// rest is the rounds of a round robin in which those meet who haven't in the rounds before,
// with 0 for a bye; nil where none are found. Lots decide, so it is always the same.
func rest(seed Seed, members []No, before []Round) (rounds [][][2]No) {
	all := members
	if len(all)%2 == 1 {
		all = append([]No{0}, all...)
	}
	met := make(map[[2]No]bool)
	for _, r := range before {
		pairs, _ := meetings(members, r)
		for _, p := range pairs {
			met[p] = true
		}
	}
	f := newFactors(len(all), len(all)-1-len(before), seed.lot("round robin"))
	for y := range all {
		for x := range y {
			if !met[[2]No{all[x], all[y]}] {
				f.add(x, y)
			}
		}
	}
	if !f.find() {
		return nil
	}
	for _, r := range f.rounds {
		var pairs [][2]No
		for x, y := range r {
			if x < y {
				pairs = append(pairs, [2]No{all[x], all[y]})
			}
		}
		rounds = append(rounds, pairs)
	}
	return rounds
}

// takeKnockout puts the pairings of rounds into the order of a bracket.
func (c *Contest) takeKnockout(rounds []Round) ([]Round, error) {
	alive := c.members(1) // whom the next round can have
	for n := range rounds {
		r := &rounds[n]
		r.Method = Method{Kind: Knockout, Taken: true}
		var err error
		if r.Pairings, err = c.survivors(n+1, r.Pairings, alive); err != nil {
			return nil, err
		}
		count := len(r.Pairings)
		if n == 0 && count&(count-1) != 0 {
			return nil, &Unfit{Why: UnfitSize, Round: 1, Count: count}
		}
		if n > 0 {
			want := len(rounds[n-1].Pairings) / 2
			if count > want || want == 0 {
				return nil, &Unfit{Why: UnfitSize, Round: n + 1, Count: count, Want: want}
			}
			for len(r.Pairings) < want { // both have left
				r.Pairings = append(r.Pairings, Pairing{})
			}
		}
		alive = nil
		for i := range r.Pairings {
			p := &r.Pairings[i]
			if n == len(rounds)-1 {
				p.PlayOff(c.Format)
				continue
			}
			if no, ok := p.Winner(c.Format); ok && no != 0 {
				alive = append(alive, no)
			} else if p.A != 0 && !lostByBoth(*p, c.Format) {
				return nil, &Unfit{Why: UnfitDrawn, Round: n + 1, Who: []No{p.A, p.B}}
			}
		}
	}
	last := len(rounds) - 1
	c.bySeeds(rounds[last].Pairings)
	for n := last; n > 0; n-- {
		feed(rounds[n-1].Pairings, rounds[n].Pairings)
	}
	return rounds, nil
}

// survivors are the pairings of a knock-out's round. What it has of those who are out
// already goes; one who lost without an opponent lost to the one who won without.
func (c *Contest) survivors(round int, pairings []Pairing, alive []No) (all []Pairing, err error) {
	var won, lost []No
	for _, p := range pairings {
		in := slices.Contains(alive, p.A)
		switch {
		case p.B == 0 && !in:
		case p.B == 0 && p.Missed:
			lost = append(lost, p.A)
		case p.B == 0:
			won = append(won, p.A)
		case !in:
			return nil, &Unfit{Why: UnfitOut, Round: round, Who: []No{p.A}}
		case !slices.Contains(alive, p.B):
			return nil, &Unfit{Why: UnfitOut, Round: round, Who: []No{p.B}}
		default:
			all = append(all, p)
		}
	}
	switch {
	case len(lost) == 1 && len(won) == 1:
		return append(all, Pairing{A: won[0], B: lost[0], Games: []Game{{Result: Forfeit(B)}}}), nil
	case len(lost) > 0:
		return nil, &Unfit{Why: UnfitIdle, Round: round, Who: lost}
	}
	for _, no := range won {
		all = append(all, Pairing{A: no})
	}
	return all, nil
}

// bySeeds orders a round's pairings as a bracket has them: by the best seed in each.
func (c *Contest) bySeeds(pairings []Pairing) {
	place := make(map[No]int)
	for i, s := range c.Standings(0) {
		place[s.No] = i
	}
	best := func(p Pairing) int {
		switch {
		case p.A == 0:
			return len(place)
		case p.B == 0:
			return place[p.A]
		}
		return min(place[p.A], place[p.B])
	}
	slices.SortStableFunc(pairings, func(x, y Pairing) int { return cmp.Compare(best(x), best(y)) })
	sorted := slices.Clone(pairings)
	for i, at := range Bracket(len(pairings)) {
		pairings[i] = sorted[at-1]
	}
}

// feed orders the pairings of a round as the next takes their winners, two by two. Of the
// winners who left each is put beside one who had a bye by that.
func feed(before, next []Pairing) {
	var spare []Pairing // of which nobody went on
	from := make(map[No]Pairing)
	for _, p := range before {
		if slices.ContainsFunc(next, func(q Pairing) bool { return q.Has(p.A) || q.Has(p.B) }) {
			from[p.A], from[p.B] = p, p
		} else {
			spare = append(spare, p)
		}
	}
	for i, p := range next {
		for side, no := range []No{p.A, p.B} {
			at := &before[2*i+side]
			if no != 0 {
				*at = from[no]
			} else {
				*at, spare = spare[0], spare[1:]
			}
		}
	}
}
