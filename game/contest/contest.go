package contest

import "slices"

// A No is the number of an entrant, counted from 1. 0 means nobody.
type No int

// MaxEntrants limits the entrants of a contest. Beyond it the weights of a matching would
// overflow.
const MaxEntrants = 512

// A Player plays the games of an entrant.
type Player struct {
	ID     string // their id on the platform; empty for a player without an account
	Name   string
	Member string // number in their association, such as AA000123; may be empty
	Rating int    // 0 if they have none
}

// An Entrant is a player, or a team of players in the order of its boards.
type Entrant struct {
	No     No
	Player          // a single player; only the name is used for a team
	Team   []Player // empty for a single player
	Seed   int      // place in the order of seeds, from 1; 0 means unseeded, ranked by rating behind the seeded
	From   int      // first round in which they can be paired; 0 means the first
	Out    int      // first round in which they aren't paired any more; 0 while they play
	Away   []int    // rounds that they miss
	Avoids []No     // opponents not to be paired with if that can be avoided; applies both ways
}

// plays reports whether the entrant can be paired in a round.
func (e Entrant) plays(round int) bool {
	return e.From <= round && (e.Out == 0 || round < e.Out) && !slices.Contains(e.Away, round)
}

// strength returns the rating of a player, or the sum of a team's ratings.
func (e Entrant) strength() int {
	if len(e.Team) == 0 {
		return e.Rating
	}
	sum := 0
	for _, p := range e.Team {
		sum += p.Rating
	}
	return sum
}

// A Format describes what two paired entrants play.
type Format struct {
	Games  int // best of this many; 0 and 1 mean a single game
	Boards int // players of a team who play at once; 0 without teams
}

// games returns the most games that a pairing begins with.
func (f Format) games() int { return max(f.Games, 1) * max(f.Boards, 1) }

// A Seed determines every lot drawn in a contest.
type Seed [32]byte

// A Contest holds everything that pairings and standings depend on.
type Contest struct {
	Seed     Seed
	Format   Format
	Entrants []Entrant // by number: Entrants[i].No is i+1
	Rounds   []Round   // the first round first
}

// Entrant returns the entrant with a number.
func (c *Contest) Entrant(no No) (Entrant, bool) {
	if no < 1 || int(no) > len(c.Entrants) {
		return Entrant{}, false
	}
	return c.Entrants[no-1], true
}

// A Round is a set of pairings played at the same time.
type Round struct {
	Method   Method // how it was paired
	Pairings []Pairing
}

// Over reports whether all pairings of the round are decided.
func (r Round) Over(f Format) bool {
	return !slices.ContainsFunc(r.Pairings, func(p Pairing) bool { return !p.Over(f) })
}

// A Pairing is a pair of opponents, or an entrant who has a bye or misses the round.
type Pairing struct {
	A, B   No   // B is 0 if A has no opponent; both are 0 in a knock-out pairing that both have left
	Missed bool // if B is 0: the round is lost rather than won
	Games  []Game
}

// Bye reports whether A wins without an opponent.
func (p Pairing) Bye() bool { return p.A != 0 && p.B == 0 && !p.Missed }

// Has reports whether an entrant is in the pairing.
func (p Pairing) Has(no No) bool { return no != 0 && (p.A == no || p.B == no) }

// Entrant returns the entrant of a side; 0 means nobody.
func (p Pairing) Entrant(s Side) No {
	if s == A {
		return p.A
	}
	return p.B
}

// Opponent returns the opponent of an entrant in the pairing; 0 means nobody.
func (p Pairing) Opponent(no No) No {
	if p.A == no {
		return p.B
	}
	return p.A
}

// A Game is one game of a pairing.
type Game struct {
	Board  int  // in a match of teams, from 1
	First  Side // who moves first
	Result Result
}

// A Side is one of the two entrants of a pairing.
type Side int

// The two sides.
const (
	A Side = iota
	B
)

// Other returns the opposite side.
func (s Side) Other() Side { return 1 - s }
