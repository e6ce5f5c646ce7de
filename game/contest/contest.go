package contest

import "slices"

// A No is the number of an entrant, from 1. 0 is nobody.
type No int

// MaxEntrants is how many a contest takes: up to there the weights of a matching
// fit their numbers.
const MaxEntrants = 512

// A Player is who plays the games of an entrant.
type Player struct {
	ID     string // who this is where they play; empty for somebody who plays on a real board
	Name   string
	Member string // number in their association, such as AA000123; may be empty
	Rating int    // 0 where there is none
}

// An Entrant is a player, or a team of players in board order, the first board first.
type Entrant struct {
	No     No
	Player          // a single player; of a team its name alone is used
	Team   []Player // empty for a single player
	Seed   int      // place in the order of seeds, from 1; 0 is by rating, and behind those who have a seed
	From   int      // the first round in which they can be paired; 0 is the first
	Out    int      // the first round in which they are paired no more; 0 while they play
	Away   []int    // rounds that they miss
	Avoids []No     // whom they are not paired with where that can be avoided; it counts for both
}

// plays reports whether somebody can be paired in a round.
func (e Entrant) plays(round int) bool {
	return e.From <= round && (e.Out == 0 || round < e.Out) && !slices.Contains(e.Away, round)
}

// strength is the rating of a player, or the sum of a team's.
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

// A Format is what two entrants who are paired play.
type Format struct {
	Games  int // best of so many; 0 and 1 are a single game
	Boards int // players of a team who play; 0 without teams
}

// games is how many games a pairing begins with at most.
func (f Format) games() int { return max(f.Games, 1) * max(f.Boards, 1) }

// A Seed settles every lot that is drawn in a contest.
type Seed [32]byte

// A Contest is all that pairing and standings depend on.
type Contest struct {
	Seed     Seed
	Format   Format
	Entrants []Entrant // by their numbers: Entrants[i].No is i+1
	Rounds   []Round   // the first round first
}

// Entrant is the entrant with a number.
func (c *Contest) Entrant(no No) (Entrant, bool) {
	if no < 1 || int(no) > len(c.Entrants) {
		return Entrant{}, false
	}
	return c.Entrants[no-1], true
}

// A Round is who meets whom at one time.
type Round struct {
	Method   Method // how it was paired
	Pairings []Pairing
}

// Over reports whether all of a round has been decided.
func (r Round) Over(f Format) bool {
	return !slices.ContainsFunc(r.Pairings, func(p Pairing) bool { return !p.Over(f) })
}

// A Pairing is two entrants who meet, or one who has a bye or misses the round.
type Pairing struct {
	A, B   No   // B is 0 where A has no opponent; both are in a knock-out that both left
	Missed bool // without an opponent: the round is lost, not won
	Games  []Game
}

// Bye reports whether A wins without an opponent.
func (p Pairing) Bye() bool { return p.A != 0 && p.B == 0 && !p.Missed }

// Has reports whether somebody is in a pairing.
func (p Pairing) Has(no No) bool { return no != 0 && (p.A == no || p.B == no) }

// Opponent is whom somebody in the pairing meets; 0 is nobody.
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

// A Side is one of the two of a pairing: A is 0, B is 1.
type Side int

// The two sides.
const (
	A Side = iota
	B
)

// Other is the opponent's side.
func (s Side) Other() Side { return 1 - s }
