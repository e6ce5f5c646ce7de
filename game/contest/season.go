package contest

import (
	"cmp"
	"slices"
)

// A division of a league is a Contest whose rounds are paired when its season begins:
// everybody against everybody by the Berger tables. Its rounds are no more than the
// order in which the games come; a game begins as soon as its two players have time
// for it (see Begin).

// A Ref is the place of a game in a division.
type Ref struct {
	Round   int // from 0
	Pairing int // from 0
}

// DoubleBelow is the size of a division in which everybody meets twice, so that few
// players have some games.
const DoubleBelow = 5

// NewDivision is a division at the beginning of its season.
func NewDivision(seed Seed, players []Player) *Contest {
	c := &Contest{Seed: seed}
	for _, p := range players {
		c.Enter(Entrant{Player: p})
	}
	cycles := 1
	if len(players) < DoubleBelow {
		cycles = 2
	}
	for range cycles * len(Berger(len(players))) {
		r, err := c.Pair(Method{Kind: RoundRobin})
		if err != nil {
			break // fewer than two
		}
		// Everybody is free in as many rounds, so nobody has a bye.
		r.Pairings = slices.DeleteFunc(r.Pairings, func(p Pairing) bool { return p.B == 0 })
		c.Rounds = append(c.Rounds, r)
	}
	return c
}

// Game is a game of a division and who plays it.
func (c *Contest) Game(at Ref) (p *Pairing, ok bool) {
	if at.Round < 0 || at.Round >= len(c.Rounds) || at.Pairing < 0 || at.Pairing >= len(c.Rounds[at.Round].Pairings) {
		return nil, false
	}
	p = &c.Rounds[at.Round].Pairings[at.Pairing]
	return p, len(p.Games) == 1
}

// each calls a function with every game of a division.
func (c *Contest) each(fn func(at Ref, p *Pairing)) {
	for r := range c.Rounds {
		for i := range c.Rounds[r].Pairings {
			if p := &c.Rounds[r].Pairings[i]; len(p.Games) == 1 {
				fn(Ref{r, i}, p)
			}
		}
	}
}

// Begin lists the games that can begin now: in the order of the rounds those whose
// players both have fewer than so many games running. running tells of a game that it
// has begun; it is asked about games that aren't over.
func (c *Contest) Begin(atOnce int, running func(Ref) bool) []Ref {
	busy := make(map[No]int)
	c.each(func(at Ref, p *Pairing) {
		if !p.Games[0].Result.Over() && running(at) {
			busy[p.A]++
			busy[p.B]++
		}
	})
	var all []Ref
	c.each(func(at Ref, p *Pairing) {
		if p.Games[0].Result.Over() || running(at) || busy[p.A] >= atOnce || busy[p.B] >= atOnce {
			return
		}
		busy[p.A]++
		busy[p.B]++
		all = append(all, at)
	})
	return all
}

// Withdraw takes somebody out of a division. Before half of their games are over all
// of them are void, those that were played too; later they forfeit the rest. It
// reports which.
func (c *Contest) Withdraw(no No) (void bool) {
	e, ok := c.Entrant(no)
	if !ok || e.Out != 0 {
		return false
	}
	c.Entrants[no-1].Out = 1
	void = c.CanVoid(no)
	c.each(func(_ Ref, p *Pairing) {
		if !p.Has(no) {
			return
		}
		switch {
		case void:
			p.Games[0].Result = Result{How: Void}
		case p.Games[0].Result.Over():
		case p.A == no:
			p.Games[0].Result = Forfeit(A)
		default:
			p.Games[0].Result = Forfeit(B)
		}
	})
	return void
}

// CanVoid reports whether fewer than half of somebody's games are over. Games that
// became void count, so that nobody comes to this side of the half again.
func (c *Contest) CanVoid(no No) bool {
	all, over := 0, 0
	c.each(func(_ Ref, p *Pairing) {
		if p.Has(no) {
			all++
			if p.Games[0].Result.Over() {
				over++
			}
		}
	})
	return 2*over < all
}

// voided reports whether somebody left before half, and so has no place.
func (c *Contest) voided(no No) bool {
	if c.Entrants[no-1].Out == 0 {
		return false
	}
	void := true
	c.each(func(_ Ref, p *Pairing) { void = void && (!p.Has(no) || p.Games[0].Result.How == Void) })
	return void
}

// Balance settles the first moves of games that haven't begun anew, so that everybody
// moves first and second as often as can be: to within one, unless games that began
// stand against it. It changes as few games as it must.
func (c *Contest) Balance(begun func(Ref) bool) {
	b := balance{contest: c, open: make(map[No][]Ref), lead: make(map[No]int)}
	c.each(func(at Ref, p *Pairing) {
		res := p.Games[0].Result
		if res.How == Void {
			return
		}
		b.lead[p.A]++
		b.lead[p.B]--
		if !res.Over() && !begun(at) {
			b.open[p.A] = append(b.open[p.A], at)
		}
	})
	for no := No(1); int(no) <= len(c.Entrants); no++ {
		for b.lead[no] > 1 && b.pass(no, -1) {
		}
	}
	for no := No(1); int(no) <= len(c.Entrants); no++ {
		for b.lead[no] < -1 && b.pass(no, 1) {
		}
	}
}

// A balance is how the first moves of a division are shared out.
type balance struct {
	contest *Contest
	open    map[No][]Ref // games not begun, by who moves first
	lead    map[No]int   // by how much firsts outnumber seconds
}

// pass hands a first move on along games that haven't begun: with by of -1 from no to
// somebody who has too few, with 1 the other way round, to no.
func (b balance) pass(no No, by int) bool {
	came := map[No]Ref{}
	from := map[No]No{no: 0}
	queue := []No{no}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at != no && by*b.lead[at] > 0 {
			for ; at != no; at = from[at] {
				b.changeOver(came[at])
			}
			return true
		}
		b.contest.each(func(ref Ref, p *Pairing) {
			giver, taker := p.A, p.B
			if by > 0 {
				giver, taker = taker, giver
			}
			if giver != at || !slices.Contains(b.open[p.A], ref) {
				return
			}
			if _, seen := from[taker]; !seen {
				from[taker], came[taker] = at, ref
				queue = append(queue, taker)
			}
		})
	}
	return false
}

// changeOver has the other player of a game move first.
func (b balance) changeOver(ref Ref) {
	p, _ := b.contest.Game(ref)
	b.open[p.A] = slices.DeleteFunc(b.open[p.A], func(r Ref) bool { return r == ref })
	p.A, p.B = p.B, p.A
	b.open[p.A] = append(b.open[p.A], ref)
	b.lead[p.A] += 2
	b.lead[p.B] -= 2
}

// Table is the standings of a division: those who left before half have no place (0)
// and stand last.
func (c *Contest) Table() []Standing {
	all := c.Standings(-1)
	var placed, gone []Standing
	for _, s := range all {
		s.Out = c.Entrants[s.No-1].Out != 0
		if c.voided(s.No) {
			s.Place = 0
			gone = append(gone, s)
			continue
		}
		s.Place = len(placed) + 1
		if len(placed) > 0 && Better(placed[len(placed)-1].Score, s.Score) == 0 {
			s.Place = placed[len(placed)-1].Place
		}
		placed = append(placed, s)
	}
	return append(placed, gone...)
}

// Finished reports whether all games of a division are over.
func (c *Contest) Finished() bool {
	over := true
	c.each(func(_ Ref, p *Pairing) { over = over && p.Games[0].Result.Over() })
	return over
}

// A Move is where somebody goes from a division when its season ends.
type Move string

// The moves.
const (
	Stays     Move = ""
	Promoted  Move = "up"
	Relegated Move = "down"
)

// Moves says who goes up and down from a division of so many: by the order of its
// table. top has no division above it, bottom none below. In small divisions fewer
// move, so that somebody stays. Who left isn't promoted; they stand in the table where
// their games put them, or last, and are relegated like others there.
func (c *Contest) Moves(up, down int, top, bottom bool) map[No]Move {
	table := c.Table()
	if top {
		up = 0
	}
	if bottom {
		down = 0
	}
	for up+down >= len(table) && up+down > 0 {
		if down >= up {
			down--
		} else {
			up--
		}
	}
	moves := make(map[No]Move)
	for i := len(table) - 1; i >= len(table)-down; i-- {
		moves[table[i].No] = Relegated
	}
	for _, s := range table {
		if up > 0 && !s.Out && moves[s.No] == Stays {
			moves[s.No] = Promoted
			up--
		}
	}
	return moves
}

// byRating orders by rating, the best first, then by lot.
func byRating(seed Seed) func(a, b Candidate) int {
	return func(a, b Candidate) int {
		if a.Rating != b.Rating { // mostly, and lots take long to draw
			return cmp.Compare(b.Rating, a.Rating)
		}
		return cmp.Or(cmp.Compare(seed.lotOf(a.ID), seed.lotOf(b.ID)), cmp.Compare(a.ID, b.ID))
	}
}
