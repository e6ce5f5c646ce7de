package contest

// This file continues round robins for which an older version imported rounds played elsewhere:
// it pairs entrants who haven't met yet.

// members returns the entrants who could play, or were only away, when a round robin began.
func (c *Contest) members(began int) (all []No) {
	for _, e := range c.Entrants {
		if e.From <= began && (e.Out == 0 || e.Out > began) {
			all = append(all, e.No)
		}
	}
	return all
}

// meetings returns who of a round robin met in a round, the lower number first, with 0 for
// a bye. If exactly two met nobody, they count as having met. idle lists all who met
// nobody.
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

// importedRounds returns the number of imported rounds at the start of the run that began with a
// round.
func (c *Contest) importedRounds(began int) (n int) {
	for _, r := range c.Rounds[min(began-1, len(c.Rounds)):] {
		if !r.Method.Imported {
			break
		}
		n++
	}
	return n
}

// remainingRounds returns rounds of a round robin that pair entrants who haven't met in the rounds before,
// with 0 for a bye, or nil if it finds none. It draws lots from the seed, so the result is always
// the same.
func remainingRounds(seed Seed, members []No, before []Round) (rounds [][][2]No) {
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
