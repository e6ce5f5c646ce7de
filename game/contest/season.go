package contest

import (
	"cmp"
	"iter"
	"slices"
)

// A division of a league is a Contest whose rounds are paired when its season begins:
// everybody against everybody by the Berger tables. Rounds only give the order of the
// games; a game begins as soon as both players have time for it (see Begin).

// A Ref identifies a game of a division.
type Ref struct {
	Round   int // from 0
	Pairing int // from 0
}

// DoubleBelow is the size of a division below which all meet twice, so that few players still have
// enough games.
const DoubleBelow = 5

// NewDivision returns a division at the start of its season.
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
		// Everybody is free in the same number of rounds, so nobody needs a bye.
		r.Pairings = slices.DeleteFunc(r.Pairings, func(p Pairing) bool { return p.B == 0 })
		c.Rounds = append(c.Rounds, r)
	}
	return c
}

// Game returns the pairing of a game; ok is false if there is none at that place.
func (c *Contest) Game(at Ref) (p *Pairing, ok bool) {
	if at.Round < 0 || at.Round >= len(c.Rounds) || at.Pairing < 0 || at.Pairing >= len(c.Rounds[at.Round].Pairings) {
		return nil, false
	}
	p = &c.Rounds[at.Round].Pairings[at.Pairing]
	return p, len(p.Games) == 1
}

// Games iterates over the games of a division, in the order of the rounds.
func (c *Contest) Games() iter.Seq2[Ref, *Pairing] {
	return func(yield func(Ref, *Pairing) bool) {
		for r := range c.Rounds {
			for i := range c.Rounds[r].Pairings {
				if p := &c.Rounds[r].Pairings[i]; len(p.Games) == 1 && !yield(Ref{r, i}, p) {
					return
				}
			}
		}
	}
}

// Begin lists the games that can begin now, in the order of the rounds: those whose players
// both have fewer than atOnce games running. running reports whether a game has begun; it
// is only called for games that aren't over.
func (c *Contest) Begin(atOnce int, running func(Ref) bool) []Ref {
	busy := make(map[No]int)
	for at, p := range c.Games() {
		if !p.Games[0].Result.Over() && running(at) {
			busy[p.A]++
			busy[p.B]++
		}
	}
	var all []Ref
	for at, p := range c.Games() {
		if p.Games[0].Result.Over() || running(at) || busy[p.A] >= atOnce || busy[p.B] >= atOnce {
			continue
		}
		busy[p.A]++
		busy[p.B]++
		all = append(all, at)
	}
	return all
}

// Withdraw removes a player from a division. If fewer than half of their games are over,
// all of them become void, including those played; otherwise they forfeit the rest. It
// reports whether the games became void.
func (c *Contest) Withdraw(no No) (void bool) {
	e, ok := c.Entrant(no)
	if !ok || e.Out != 0 {
		return false
	}
	c.Entrants[no-1].Out = 1
	void = c.CanVoid(no)
	for _, p := range c.Games() {
		switch {
		case !p.Has(no):
		case void:
			p.Games[0].Result = Result{How: Void}
		case p.Games[0].Result.Over():
		case p.A == no:
			p.Games[0].Result = Forfeit(A)
		default:
			p.Games[0].Result = Forfeit(B)
		}
	}
	return void
}

// CanVoid reports whether fewer than half of a player's games are over. Void games count as
// over, so that the halfway mark is crossed only once.
func (c *Contest) CanVoid(no No) bool {
	all, over := 0, 0
	for _, p := range c.Games() {
		if p.Has(no) {
			all++
			if p.Games[0].Result.Over() {
				over++
			}
		}
	}
	return 2*over < all
}

// isVoided reports whether a player left before half of their games, and so has no place.
func (c *Contest) isVoided(no No) bool {
	if c.Entrants[no-1].Out == 0 {
		return false
	}
	for _, p := range c.Games() {
		if p.Has(no) && p.Games[0].Result.How != Void {
			return false
		}
	}
	return true
}

// Balance reassigns the first moves of games that haven't begun, so that everybody moves
// first as often as second, to within one, unless the games that have begun prevent it. It
// changes as few games as possible.
func (c *Contest) Balance(begun func(Ref) bool) {
	b := balance{contest: c, open: make(map[No][]Ref), lead: make(map[No]int)}
	for at, p := range c.Games() {
		res := p.Games[0].Result
		if res.How == Void {
			continue
		}
		b.lead[p.A]++
		b.lead[p.B]--
		if !res.Over() && !begun(at) {
			b.open[p.A] = append(b.open[p.A], at)
		}
	}
	for no := No(1); int(no) <= len(c.Entrants); no++ {
		for b.lead[no] > 1 && b.pass(no, -1) {
		}
	}
	for no := No(1); int(no) <= len(c.Entrants); no++ {
		for b.lead[no] < -1 && b.pass(no, 1) {
		}
	}
}

// A balance holds the distribution of first moves in a division.
type balance struct {
	contest *Contest
	open    map[No][]Ref // games that haven't begun, by the player who moves first
	lead    map[No]int   // number of firsts minus seconds
}

// pass passes a first move along a chain of games that haven't begun: if by is -1 from no
// to a player who has too few, if it is 1 to no from a player who has too many. It reports
// whether there was such a chain.
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
		for ref, p := range b.contest.Games() {
			giver, taker := p.A, p.B
			if by > 0 {
				giver, taker = taker, giver
			}
			if giver != at || !slices.Contains(b.open[p.A], ref) {
				continue
			}
			if _, seen := from[taker]; !seen {
				from[taker], came[taker] = at, ref
				queue = append(queue, taker)
			}
		}
	}
	return false
}

// changeOver lets the other player of a game move first.
func (b balance) changeOver(ref Ref) {
	p, _ := b.contest.Game(ref)
	b.open[p.A] = slices.DeleteFunc(b.open[p.A], func(r Ref) bool { return r == ref })
	p.A, p.B = p.B, p.A
	b.open[p.A] = append(b.open[p.A], ref)
	b.lead[p.A] += 2
	b.lead[p.B] -= 2
}

// Table returns the standings of a division. Players who left before half of their games
// have no place (0) and come last.
func (c *Contest) Table() []Standing {
	all := c.Standings(-1)
	var placed, gone []Standing
	for _, s := range all {
		s.Out = c.Entrants[s.No-1].Out != 0
		if c.isVoided(s.No) {
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
	for _, p := range c.Games() {
		if !p.Games[0].Result.Over() {
			return false
		}
	}
	return true
}

// A Move says to which division a player goes when the season ends.
type Move string

// The possible moves.
const (
	Stays     Move = ""
	Promoted  Move = "up"
	Relegated Move = "down"
)

// Moves returns who moves up and down from a division at the end of a season, by the order of its
// table; up and down are the numbers of players to move. top means there is no division above it,
// bottom none below. In small divisions fewer move, so that someone stays. Players who left aren't
// promoted; they stand in the table where their games put them, or last, and can be relegated.
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

// byRating compares candidates by rating, best first, then by lot.
func byRating(seed Seed) func(a, b Candidate) int {
	return func(a, b Candidate) int {
		if a.Rating != b.Rating { // the usual case; lots are slow to draw
			return cmp.Compare(b.Rating, a.Rating)
		}
		return cmp.Or(cmp.Compare(seed.lotOf(a.ID), seed.lotOf(b.ID)), cmp.Compare(a.ID, b.ID))
	}
}
