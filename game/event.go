package game

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// An Event is something that happened at a table. A table is its events, in order from number 0:
// see [Replay].
type Event struct {
	Number int
	At     time.Time // UTC, in milliseconds
	Cause  string    // id of the request that caused it
	Fact   Fact
}

// A Fact is the content of an event: tiles drawn, words formed, points scored. It records results,
// not intentions, so a stored game replays forever, whatever changes in the rules, the word lists
// and the shuffle. Seats count from 0 in the order of joining.
type Fact interface {
	// check returns why the fact can't come here, in a broken log.
	check(*State) error
	// apply changes the state without judging.
	apply(*State)
}

// A PlayerID identifies a person across tables. This package doesn't interpret it.
type PlayerID string

// A Person is a player's id and name.
type Person struct {
	ID   PlayerID
	Name string
}

// A LexiconID identifies a table's word list: its name and the hash of its words, including house
// words.
type LexiconID struct {
	Name string
	Hash string
	// House words: words added to the named list, and words removed from it, spelled as
	// [lexicon.Alphabet.Spell] does, sorted and separated by spaces.
	Added, Removed string
}

// A Secret is the value that the host commits to when a table opens, and from which the draws are
// derived; see [Seed].
type Secret [32]byte

// Commitment returns the SHA-256 of the secret in hex, which is published at once.
func (s Secret) Commitment() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// Opened records that a table waits for players.
type Opened struct {
	Rules     Rules
	Pace      Pace
	Equipment Equipment
	Lexicon   LexiconID
	Secret    Secret
	Host      Person
	Seats     int        // number of seats
	Invited   []Person   // people for whom the seats are reserved; empty for anyone
	First     Person     // player who goes first, if predetermined (a rematch); otherwise its ID is ""
	Earlier   []Standing // match score, if this is the second game
}

// Joined records that a player sat down. The event's cause becomes part of the seed.
type Joined struct{ Person Person }

// Left records that a player left before the start.
type Left struct{ Seat int }

// Closed records that the table was closed before the start.
type Closed struct{}

// Started records that the game started: no one can join any more, and the seed is fixed.
type Started struct{}

// OrderDrawn records that each of the seats drew a tile for the first turn. The nearest to A goes
// first; a blank is best. The tiles went back into the bag. Seats that tie for best draw again in
// another such event.
type OrderDrawn struct {
	Seats []int
	Tiles Tiles // one tile for each of Seats
}

// Dealt records that each seat drew its first rack. Seat First goes first.
type Dealt struct {
	First int
	Racks []Tiles
	// Vowels is how many tiles of each rack, the first ones, came from the bag of vowels, if there
	// is one.
	Vowels []int
}

// Played records a play.
type Played struct {
	Seat  int
	Move  Move
	Words []ScoredWord
	Score int
	Drew  Tiles
	// Vowels is how many tiles of Drew, the first ones, came from the bag of vowels, if there is
	// one.
	Vowels int
}

// Exchanged records an exchange. The new tiles were drawn before the old ones went back.
type Exchanged struct {
	Seat int
	Put  Tiles
	Drew Tiles

	Vowels int // as in Played
}

// Passed records a pass.
type Passed struct{ Seat int }

// TurnLost records a turn lost as the penalty for a wrong challenge.
type TurnLost struct{ Seat int }

// Challenged records a challenge of words of the latest play. If any word is Invalid, the play was
// withdrawn: its tiles went back to the rack, and the tiles drawn after it into the bag. Otherwise
// the challenge was wrong: the player gained Bonus points, and the challenger lost Cost points.
type Challenged struct {
	By      int
	Player  int // player whose play was challenged
	Words   []Tiles
	Invalid []Tiles
	Bonus   int
	Cost    int
	// LosesTurn and LosesGame are the further penalties of By for a wrong challenge. With LosesGame
	// a right one costs Player the game.
	LosesTurn bool
	LosesGame bool
}

// LastPlay records that the game ends unless the latest play is challenged before the opponents
// accept it or the time is over.
type LastPlay struct{ Until time.Time }

// Accepted records that an opponent accepted the last play.
type Accepted struct{ Seat int }

// Resigned records that a seat resigned. With more than two players the game goes on without it,
// and its tiles leave play.
type Resigned struct{ Seat int }

// Agreed records that a player proposes to end the game.
type Agreed struct{ Seat int }

// An EndReason is the reason why a game ended.
type EndReason uint8

const (
	WentOut        EndReason = iota + 1 // a player used all tiles with the bag empty
	ScorelessEnd                        // too many scoreless turns in a row
	AgreementEnd                        // all players agreed to end it
	ResignationEnd                      // only one player is left
	TripleEnd                           // a challenge under the triple rule left one player
	OvertimeEnd                         // a player exceeded their time
	PassedEnd                           // everyone passed as often as the rules allow
	AbandonedEnd                        // everyone abandoned the game; no one won
	StuckEnd                            // in some variants: no one can do anything
	StoppedEnd                          // the managers of the place ended it; no one won
)

// Ended records the end of the game. Racks are the tiles left on each rack, and Adjust the
// change of each score for them. Winners has more than one seat in a tie.
type Ended struct {
	Reason EndReason
	By     Person // who ended a game they weren't playing; zero otherwise
	Racks  []Tiles
	Adjust []int // points
	// Overtime is the points lost for overtime by seat; nil for none.
	Overtime []int
	Winners  []int
}
