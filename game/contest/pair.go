package contest

import (
	"errors"
	"fmt"
	"slices"
)

// A Kind is a method of pairing.
type Kind string

// The methods of pairing.
const (
	// RoundRobin pairs everybody with everybody by the Berger tables, in an order drawn by
	// lot. After a full cycle it repeats the tables with first moves reversed.
	RoundRobin Kind = "round-robin"
	// Swiss pairs the upper half of each group with equal points against its lower half;
	// see maxMeetings.
	Swiss Kind = "swiss"
	// KingOfTheHill pairs first with second, third with fourth, regardless of earlier
	// meetings.
	KingOfTheHill Kind = "king-of-the-hill"
	// Australian is like KingOfTheHill, with as few repeats as possible.
	Australian Kind = "australian"
	// Knockout pairs winners, in a bracket ordered by seeds.
	Knockout Kind = "knockout"
	// ByHand marks rounds paired by a director, see Contest.Hand.
	ByHand Kind = "by-hand"
)

// Kinds lists the methods that Pair supports.
func Kinds() []Kind { return []Kind{RoundRobin, Swiss, KingOfTheHill, Australian, Knockout} }

// A Method describes how a round is paired.
type Method struct {
	Kind Kind
	// NoRepeats refuses a Swiss or Australian round that would need a repeated pairing,
	// instead of minimizing repeats.
	NoRepeats bool
	// Imported marks a round that was played elsewhere and imported by an older version. Stored
	// data calls it Taken.
	Imported bool `json:"Taken"`
}

// Reasons why a round can't be paired.
var (
	ErrFew       = errors.New("fewer than two can be paired")
	ErrMany      = fmt.Errorf("more than %d entrants", MaxEntrants)
	ErrNoPairing = errors.New("no pairing is left in which nobody meets again")
	ErrLate      = errors.New("somebody entered after the round robin or the knock-out began")
	ErrWon       = errors.New("the knock-out has its winner")
	ErrUnknown   = errors.New("no such way of pairing")
)

// An Undecided reports that a round needs the result of an earlier one.
type Undecided struct {
	Round int // from 1
	Pairing
}

func (u *Undecided) Error() string {
	return fmt.Sprintf("round %d: %d against %d isn't decided", u.Round, u.A, u.B)
}

// Pair pairs the next round. It needs the results of all earlier rounds, except for a round
// robin, and depends only on the contest and the method.
//
// Entrants who are away miss the round. If the number of players is odd, the lowest in the
// standings among those with the fewest byes gets the bye; in a round robin and a knock-out the
// tables decide. In each pair, subtract each player's second moves from their first moves: the
// player with the smaller difference moves first. If the differences are equal, a lot decides.
// In a round robin the table decides. Void games don't count, so a player who lost a first move
// to one gets it back.
func (c *Contest) Pair(m Method) (Round, error) {
	if len(c.Entrants) > MaxEntrants {
		return Round{}, ErrMany
	}
	round := len(c.Rounds) + 1
	var pairs [][2]No // a second of 0 means a bye
	var err error
	switch m.Kind {
	case RoundRobin:
		pairs, err = c.robin(round)
	case Knockout:
		pairs, err = c.knockout(round)
	case Swiss, KingOfTheHill, Australian:
		pairs, err = c.pairByStandings(m, round)
	default:
		err = ErrUnknown
	}
	if err != nil {
		return Round{}, err
	}
	return c.round(m, pairs), nil
}

// round builds a round from pairs, and adds the entrants who miss it.
func (c *Contest) round(m Method, pairs [][2]No) Round {
	number := len(c.Rounds) + 1
	lead := make(map[No]int) // first moves minus second moves
	for _, s := range c.Standings(-1) {
		lead[s.No] = s.Firsts - s.Seconds
	}
	r := Round{Method: m}
	in := make(map[No]bool)
	byTable := m.Kind == RoundRobin && c.importedRounds(c.firstRoundOf(RoundRobin)) == 0
	for _, p := range pairs {
		a, b := p[0], p[1]
		in[a], in[b] = true, true
		if !byTable && b != 0 && c.second(number, lead, a, b) {
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
func (c *Contest) second(round int, lead map[No]int, a, b No) bool {
	if lead[a] != lead[b] {
		return lead[a] > lead[b]
	}
	lotA, lotB := c.Seed.lot("first move", uint64(round), uint64(a)), c.Seed.lot("first move", uint64(round), uint64(b))
	return lotA > lotB || lotA == lotB && a > b
}

// pairing returns a pairing with its games: a moves first in the first game and at boards
// with odd numbers; in a match the first move alternates.
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

// playing lists the entrants who can be paired in a round, best first.
func (c *Contest) playing(round int) []Standing {
	return slices.DeleteFunc(c.Standings(round-1), func(s Standing) bool { return !c.Entrants[s.No-1].plays(round) })
}

// checkDecided returns an error if an earlier round isn't over.
func (c *Contest) checkDecided(round int) error {
	for i, r := range c.Rounds[:round-1] {
		for _, p := range r.Pairings {
			if !p.Over(c.Format) {
				return &Undecided{i + 1, p}
			}
		}
	}
	return nil
}

// A Misfit reports an error in pairings by hand.
type Misfit struct {
	No  No
	Why string // "unknown", "twice", "away", "self", "left out"
}

func (m *Misfit) Error() string { return fmt.Sprintf("entrant %d: %s", m.No, m.Why) }

// Kinds of errors in pairings by hand.
const (
	MisfitUnknown = "unknown"  // no entrant has the number
	MisfitTwice   = "twice"    // paired more than once
	MisfitAway    = "away"     // can't be paired in this round
	MisfitSelf    = "self"     // paired with themselves
	MisfitLeft    = "left out" // can be paired but isn't
)

// Hand returns the next round as paired by a director; a second number of 0 means a bye.
// Every entrant who plays must occur exactly once.
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

// Swap returns the round r, which follows the rounds of the contest, with two entrants
// exchanged and their first moves determined again. The round must not have begun.
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

// Enter adds an entrant, from the next round on if rounds have been paired, and returns
// their number. They missed the earlier rounds, which count as lost.
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
