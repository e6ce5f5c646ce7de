package contest

import (
	"errors"
	"fmt"
	"slices"
)

// A Kind is a way of pairing.
type Kind string

// The ways of pairing.
const (
	// RoundRobin is everybody against everybody by the Berger tables, in an order by
	// lot; what follows on a whole cycle is the next, with first moves changed over.
	RoundRobin Kind = "round-robin"
	// Swiss pairs the upper half of those with as many points against the lower half,
	// see the function Swiss.
	Swiss Kind = "swiss"
	// KingOfTheHill pairs first with second, third with fourth, whoever met before.
	KingOfTheHill Kind = "king-of-the-hill"
	// Australian is King of the hill with as few repeats as there can be.
	Australian Kind = "australian"
	// Knockout pairs winners, in a bracket by seeds.
	Knockout Kind = "knockout"
	// ByHand is what a director says, see Contest.Hand.
	ByHand Kind = "by-hand"
)

// Kinds lists the ways in which Pair can pair.
func Kinds() []Kind { return []Kind{RoundRobin, Swiss, KingOfTheHill, Australian, Knockout} }

// A Method is how a round is paired.
type Method struct {
	Kind Kind
	// NoRepeats refuses a Swiss or Australian round in which two would have to meet
	// again, instead of keeping such pairings few.
	NoRepeats bool
	// Taken marks a round that was played elsewhere, and that an older version took in.
	Taken bool
}

// What keeps a round from being paired.
var (
	ErrFew       = errors.New("fewer than two can be paired")
	ErrMany      = fmt.Errorf("more than %d entrants", MaxEntrants)
	ErrNoPairing = errors.New("no pairing is left in which nobody meets again")
	ErrLate      = errors.New("somebody entered after the round robin or the knock-out began")
	ErrWon       = errors.New("the knock-out has its winner")
	ErrUnknown   = errors.New("no such way of pairing")
)

// An Undecided refuses a round that needs the result of an earlier one.
type Undecided struct {
	Round int // from 1
	Pairing
}

func (u *Undecided) Error() string {
	return fmt.Sprintf("round %d: %d against %d isn't decided", u.Round, u.A, u.B)
}

// Pair pairs the next round. It needs all results of the rounds before, but for a
// round robin, and depends on nothing but what is in the contest and the method.
//
// Who is away misses the round. Of an odd number of players one has a bye: of those
// who have had fewest byes, the one who stands lowest; in a round robin and a
// knock-out the tables say who. Of a pair whoever has had the first move in fewer
// games has it, of two who had it as often one by lot; in a round robin by the table.
func (c *Contest) Pair(m Method) (Round, error) {
	if len(c.Entrants) > MaxEntrants {
		return Round{}, ErrMany
	}
	round := len(c.Rounds) + 1
	var pairs [][2]No // who meets; a second of 0 is a bye
	var err error
	switch m.Kind {
	case RoundRobin:
		pairs, err = c.robin(round)
	case Knockout:
		pairs, err = c.knockout(round)
	case Swiss, KingOfTheHill, Australian:
		pairs, err = c.ranked(m, round)
	default:
		err = ErrUnknown
	}
	if err != nil {
		return Round{}, err
	}
	return c.round(m, pairs), nil
}

// round makes the games of pairs, and lists who misses the round.
func (c *Contest) round(m Method, pairs [][2]No) Round {
	number := len(c.Rounds) + 1
	firsts := make(map[No]int)
	for _, s := range c.Standings(-1) {
		firsts[s.No] = s.Firsts
	}
	r := Round{Method: m}
	in := make(map[No]bool)
	byTable := m.Kind == RoundRobin && c.taken(c.began(RoundRobin)) == 0
	for _, p := range pairs {
		a, b := p[0], p[1]
		in[a], in[b] = true, true
		if !byTable && b != 0 && c.second(number, firsts, a, b) {
			a, b = b, a
		}
		r.Pairings = append(r.Pairings, c.pairing(a, b))
	}
	if m.Kind == Knockout {
		return r
	}
	for _, e := range c.Entrants {
		if !in[e.No] && e.From <= number && (e.Out == 0 || number < e.Out) {
			r.Pairings = append(r.Pairings, Pairing{A: e.No, Missed: true})
		}
	}
	return r
}

// second reports whether a moves second against b.
func (c *Contest) second(round int, firsts map[No]int, a, b No) bool {
	if firsts[a] != firsts[b] {
		return firsts[a] > firsts[b]
	}
	lotA, lotB := c.Seed.lot("first move", uint64(round), uint64(a)), c.Seed.lot("first move", uint64(round), uint64(b))
	return lotA > lotB || lotA == lotB && a > b
}

// pairing is a pairing with its games: a moves first in the first game, and at the
// boards with odd numbers; in the games of a match the first move changes over.
func (c *Contest) pairing(a, b No) Pairing {
	p := Pairing{A: a, B: b}
	if b == 0 {
		return p
	}
	for g := range max(c.Format.Games, 1) {
		if c.Format.Boards == 0 {
			p.Games = append(p.Games, Game{First: Side(g % 2)})
			continue
		}
		for board := range c.Format.Boards {
			p.Games = append(p.Games, Game{Board: board + 1, First: Side((g + board) % 2)})
		}
	}
	return p
}

// playing lists who can be paired in a round, the best first.
func (c *Contest) playing(round int) []Standing {
	return slices.DeleteFunc(c.Standings(round-1), func(s Standing) bool { return !c.Entrants[s.No-1].plays(round) })
}

// decided refuses where a round before isn't over.
func (c *Contest) decided(round int) error {
	for i, r := range c.Rounds[:round-1] {
		for _, p := range r.Pairings {
			if !p.Over(c.Format) {
				return &Undecided{i + 1, p}
			}
		}
	}
	return nil
}

// A Misfit is what is wrong with pairings by hand.
type Misfit struct {
	No  No
	Why string // "unknown", "twice", "away", "self", "left out"
}

func (m *Misfit) Error() string { return fmt.Sprintf("entrant %d: %s", m.No, m.Why) }

// What can be wrong with pairings by hand.
const (
	MisfitUnknown = "unknown"  // nobody has the number
	MisfitTwice   = "twice"    // paired more than once
	MisfitAway    = "away"     // can't be paired in this round
	MisfitSelf    = "self"     // paired with themselves
	MisfitLeft    = "left out" // can be paired and isn't
)

// Hand is the next round as a director pairs it: who meets whom, with a second
// number of 0 for a bye. All who play must be in it once.
func (c *Contest) Hand(pairs [][2]No) (Round, error) {
	number := len(c.Rounds) + 1
	seen := make(map[No]bool)
	for _, p := range pairs {
		if p[0] == p[1] {
			return Round{}, &Misfit{p[0], MisfitSelf}
		}
		for i, no := range p {
			if no == 0 && i == 1 {
				continue
			}
			e, ok := c.Entrant(no)
			switch {
			case !ok:
				return Round{}, &Misfit{no, MisfitUnknown}
			case seen[no]:
				return Round{}, &Misfit{no, MisfitTwice}
			case !e.plays(number):
				return Round{}, &Misfit{no, MisfitAway}
			}
			seen[no] = true
		}
	}
	for _, e := range c.Entrants {
		if e.plays(number) && !seen[e.No] {
			return Round{}, &Misfit{e.No, MisfitLeft}
		}
	}
	return c.round(Method{Kind: ByHand}, pairs), nil
}

// Swap is the round that follows on a contest's rounds with two entrants in each
// other's places, their first moves settled anew. The round must not have begun.
func (c *Contest) Swap(r Round, x, y No) (Round, error) {
	if x == y {
		return Round{}, &Misfit{x, MisfitSelf}
	}
	var pairs [][2]No
	found := make(map[No]bool)
	change := func(no No) No {
		switch no {
		case 0:
			return 0
		case x:
			found[x] = true
			return y
		case y:
			found[y] = true
			return x
		}
		return no
	}
	for _, p := range r.Pairings {
		if !p.Missed {
			pairs = append(pairs, [2]No{change(p.A), change(p.B)})
		}
	}
	for _, no := range []No{x, y} {
		if !found[no] {
			return Round{}, &Misfit{no, MisfitAway}
		}
	}
	swapped, err := c.Hand(pairs)
	swapped.Method = r.Method
	return swapped, err
}

// Enter adds somebody, in the next round where rounds have been paired, and gives
// them their number. Rounds before were missed, and are lost.
func (c *Contest) Enter(e Entrant) No {
	e.No = No(len(c.Entrants) + 1)
	if next := len(c.Rounds) + 1; next > 1 {
		e.From = max(e.From, next)
	}
	c.Entrants = append(c.Entrants, e)
	for i := range c.Rounds {
		c.Rounds[i].Pairings = append(c.Rounds[i].Pairings, Pairing{A: e.No, Missed: true})
	}
	return e.No
}
