package game

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// An Event is something that happened at a table. A table's events, in order
// from number 0, are the table: see [Replay].
type Event struct {
	Number int
	At     time.Time // UTC, to the millisecond
	Cause  string    // the id of the request that caused it
	Fact   Fact
}

// A Fact is what happened: the tiles that were drawn, the words that were
// formed, the score that was given. It holds results, not intentions, so that
// a game stored today replays for ever, whatever becomes of the rules, the
// word lists and the shuffle. Seats count from 0 in the order of joining.
type Fact interface {
	// check says why a fact can't come here, in a broken log.
	check(*State) error
	// apply changes the state; it judges nothing.
	apply(*State)
}

// A PlayerID names a person across tables. It means nothing here.
type PlayerID string

// A Person is a player and what to call them.
type Person struct {
	ID   PlayerID
	Name string
}

// A LexiconID says which word list a table plays by: its name, and the hash of
// its words, those of the house among them.
type LexiconID struct {
	Name string
	Hash string
	// House words: those that the list has besides the words that come with its
	// name, and those that it lacks. They are spelled as [lexicon.Alphabet.Spell]
	// does, sorted, with spaces between.
	Added, Removed string
}

// A Secret is what the host commits to when a table opens, and what the draws
// come from; see [Seed].
type Secret [32]byte

// Commitment returns the SHA-256 of the secret, in hex: what is published at once.
func (s Secret) Commitment() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// Opened says that a table waits for players.
type Opened struct {
	Rules     Rules
	Pace      Pace
	Equipment Equipment
	Lexicon   LexiconID
	Secret    Secret
	Host      Person
	Seats     int        // how many can sit
	Invited   []Person   // whom the seats are kept for; empty: anybody
	First     Person     // who begins, where that is settled (a rematch); its ID is "" where it isn't
	Earlier   []Standing // how the match stood, where this is its second game
}

// Joined records that a player sat down. The event's cause goes into the seed.
type Joined struct{ Person Person }

// Left records that a player left before the start.
type Left struct{ Seat int }

// Closed says that the table was given up before the start.
type Closed struct{}

// Started says that no more joining; the seed is settled.
type Started struct{}

// OrderDrawn says that each of the seats drew a tile for the first turn, nearest to A
// (a blank is best) goes first. The tiles went back into the bag. Where the
// best are equal, they draw again in another such event.
type OrderDrawn struct {
	Seats []int
	Tiles Tiles // a tile for each of Seats
}

// Dealt says that each seat drew its first rack; the seat First begins.
type Dealt struct {
	First int
	Racks []Tiles
	// Vowels is how many tiles of each rack, its first ones, came from the bag
	// of the vowels, where there is one.
	Vowels []int
}

// Played says that tiles were laid on the board.
type Played struct {
	Seat  int
	Move  Move
	Words []ScoredWord
	Score int
	Drew  Tiles
	// Vowels is how many of Drew, the first ones, came from the bag of the
	// vowels, where there is one.
	Vowels int
}

// Exchanged says that tiles were put back for others, which were drawn first.
type Exchanged struct {
	Seat int
	Put  Tiles
	Drew Tiles

	Vowels int // as in Played
}

// Passed says that a turn went by.
type Passed struct{ Seat int }

// TurnLost says that a turn went by as the penalty for a wrong challenge.
type TurnLost struct{ Seat int }

// Challenged says that words of the latest play were looked up. If one of them is
// Invalid the play was withdrawn: its tiles went back to the rack, the tiles
// drawn after it into the bag. If none is, the challenge was wrong: Bonus points
// went to the player, and Cost points from the challenger.
type Challenged struct {
	By      int
	Player  int // whose play
	Words   []Tiles
	Invalid []Tiles
	Bonus   int
	Cost    int
	// LosesTurn and LosesGame say what a wrong challenge costs By (and what a
	// right one costs Player, with LosesGame).
	LosesTurn bool
	LosesGame bool
}

// LastPlay says that the game would be over, but the latest play is open to a challenge
// until the opponents let it stand or the time is over.
type LastPlay struct{ Until time.Time }

// Accepted says that an opponent lets the last play stand.
type Accepted struct{ Seat int }

// Resigned says that a seat gave up. With more than two players the game goes on
// without it, and its tiles leave play.
type Resigned struct{ Seat int }

// Agreed says that a player would end the game here.
type Agreed struct{ Seat int }

// EndReason says why a game ended.
type EndReason uint8

const (
	WentOut        EndReason = iota + 1 // a player used all their tiles, the bag being empty
	ScorelessEnd                        // too many turns in a row scored nothing
	AgreementEnd                        // all players agreed to it
	ResignationEnd                      // one player is left
	TripleEnd                           // a challenge under the triple rule left one player
	OvertimeEnd                         // a player took too much time
	PassedEnd                           // everybody passed, as often as the rules say
	ForsakenEnd                         // everybody left the game lying; nobody won
	StuckEnd                            // in some variants: nobody can do anything more
	StoppedEnd                          // the people who manage the place ended it; nobody won
)

// Ended says that the game is over. Racks are what was left; Adjust is what each score
// changed by for them; Winners has more than one seat in a tie.
type Ended struct {
	Reason EndReason
	By     Person // who ended a game that was not theirs to play on; else nobody
	Racks  []Tiles
	Adjust []int // points
	// Overtime is the points off for the time that each took; nil: none.
	Overtime []int
	Winners  []int
}
