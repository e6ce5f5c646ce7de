package game

import (
	"slices"
	"time"

	"github.com/rackmate/rackmate/lexicon"
)

// A Phase is a stage of a table.
type Phase uint8

const (
	NoTable Phase = iota // the zero State: not opened
	Lobby                // players join
	Voting               // players vote on the turn order
	Playing              // the game is in progress
	Closing              // the last play can be challenged
	Over                 // the game is over
)

// A Seat is a player's place at a table.
type Seat struct {
	Person Person
	Joined string // id of the request that took the seat
	Rack   Tiles  // in drawing order; private
	Score  int    // points
	Out    bool   // resigned, lost under the triple rule, or Vacant
	Vacant bool   // lost its player and waits for another
	Gone   bool   // out because its player was late or left it Vacant

	LostTurns int  // turns still to lose for wrong challenges
	Agreed    bool // proposes to end the game
	Accepted  bool // accepts the last play

	Used time.Duration // time used, up to the latest Timed, less the increments since

	Voted bool  // has voted on the turn order
	Vote  []int // order wanted; empty for an abstention
	Wish  Wish  // preferred vowels, if there are two bags
	Taken Tiles // tiles removed from the board in unscrabble; public

	Hints    int // hints in this game
	HintsNow int // hints in this turn

	BankUsed time.Duration // time used of Pace.Bank
	Away     []Span        // in order; the clock stands still then
}

// A LatestPlay is the play that can be challenged.
type LatestPlay struct {
	Played
	Number int     // number of its event
	Rack   Tiles   // player's rack before it
	Judged []Tiles // words already challenged

	scoreless int // State.Scoreless if the play is withdrawn
}

// A LatestExchange records how many tiles were exchanged, and by which seat.
type LatestExchange struct{ Seat, Tiles int }

// A State is a table at one moment. It is a value: Apply returns a new one. The zero State is the
// one before the first event.
type State struct {
	Number    int // number of the next event
	Phase     Phase
	Rules     Rules
	Pace      Pace
	Equipment Equipment
	Lexicon   LexiconID
	Host      Person
	SeatCount int
	Invited   []Person
	Earlier   []Standing // match score before this game
	Begins    Person     // player who goes first, if predetermined

	Seats     []Seat
	First     int // seat that went first
	Turn      int // seat to move
	Board     Board
	TwoBags   bool      // there are two bags
	Vowels    Tiles     // tiles of Bag in the bag of vowels; sorted
	Stuck     bool      // no one can do anything more, in some variants
	Printed   Board     // letters printed on the board, in some variants
	Bag       Tiles     // sorted
	Removed   Tiles     // tiles that left play with a player
	Scoreless int       // consecutive scoreless turns
	Turns     int       // turns done
	Passes    int       // consecutive passes up to now
	Began     time.Time // start of the turn
	Late      bool      // the turn's time is up

	Latest *LatestPlay // nil if no play can be challenged
	// LatestExchange is the previous turn, if that was an exchange.
	LatestExchange LatestExchange
	Until          time.Time // Closing: when the last play stands; Voting: when the votes are counted; duplicate: when the turn ends

	// Fields of duplicate.
	Common      Tiles        // common rack; public
	Submissions []Submission // by seat, possibly shorter; private until the turn is scored

	End     *Ended   // set when the phase is Over and a game was played
	joins   []string // request ids of the joins, in order; set at the start
	Secret  Secret   // private until the end
	Started time.Time
	Ended   time.Time
}

// Apply returns the state after one more event, without judging it; see [Decide] for the rules and
// [Replay] for logs from outside.
func (s State) Apply(e Event) State {
	s.Seats, s.Submissions = slices.Clone(s.Seats), slices.Clone(s.Submissions)
	s.apply(e)
	return s
}

// apply changes a state that isn't shared.
func (s *State) apply(e Event) {
	before := moment{s.Phase, s.Turn, s.Turns, s.Began}
	e.Fact.apply(s)
	switch f := e.Fact.(type) {
	case Joined:
		s.Seats[len(s.Seats)-1].Joined = e.Cause
	case Started:
		s.Started = e.At
	case Ended, Closed:
		s.Ended = e.At
	case Played:
		s.Latest.Number = e.Number
	case WentAway:
		s.Seats[f.Seat].markAway(e.At, f.Until)
	case CameBack:
		s.Seats[f.Seat].endAbsence(e.At)
	case Dealt, Waited:
		s.Began = e.At
	case Adopted:
		if f.Seat == s.Turn {
			s.Began = e.At
		}
	}
	if s.Phase == Playing && (before.turns != s.Turns || before.turn != s.Turn || before.phase == Closing) {
		s.switchClocks(before, e.At)
	}
	s.Number = e.Number + 1
}

// UnjudgedWords returns the words of the play that haven't been challenged yet.
func (p *LatestPlay) UnjudgedWords() []ScoredWord {
	var words []ScoredWord
	for _, w := range p.Words {
		if !slices.Contains(p.Judged, w.Tiles) {
			words = append(words, w)
		}
	}
	return words
}

// Contestable reports whether an opponent who hasn't accepted the latest play may still challenge
// it.
func (s State) Contestable() bool {
	if s.Rules.Challenge.Void || s.Latest == nil || len(s.Latest.UnjudgedWords()) == 0 {
		return false
	}
	return slices.ContainsFunc(s.Active(), func(i int) bool { return i != s.Latest.Seat && !s.Seats[i].Accepted })
}

// Electable reports whether any player may end the game now.
func (s State) Electable() bool { return s.Phase == Playing && s.Rules.Elect && s.isStalled() }

// isStalled reports whether there have been as many scoreless turns in a row as the rules allow.
func (s State) isStalled() bool {
	return s.Rules.ScorelessTurns > 0 && s.Scoreless >= s.Rules.ScorelessTurns
}

// SeatOf returns a player's seat, if they have one.
func (s State) SeatOf(p PlayerID) (int, bool) {
	i := slices.IndexFunc(s.Seats, func(seat Seat) bool { return seat.Person.ID == p })
	return i, i >= 0
}

// Active returns the seats still in the game.
func (s State) Active() []int {
	var in []int
	for i, seat := range s.Seats {
		if !seat.Out {
			in = append(in, i)
		}
	}
	return in
}

// nextSeat returns the active seat after seat i, or a vacant one if there is no other.
func (s State) nextSeat(i int) int {
	alone := len(s.Active()) < 2
	for range s.Seats {
		if i = (i + 1) % len(s.Seats); !s.Seats[i].Out || alone && s.Seats[i].Vacant {
			break
		}
	}
	return i
}

// Unseen returns the tiles that a seat can't see but may still meet: the bag and the other racks,
// sorted, without tiles that left play.
func (s State) Unseen(seat int) Tiles {
	out := s.Bag
	for i, other := range s.Seats {
		if i != seat {
			out += other.Rack
		}
	}
	return out.Sorted()
}

// Seed returns the seed of the draws; see [NewSeed].
func (s State) Seed() Seed {
	joins := s.joins
	if joins == nil {
		joins = s.joinRequests()
	}
	return NewSeed(s.Secret, joins)
}

// joinRequests returns the request ids of the seats' joins.
func (s State) joinRequests() []string {
	joins := make([]string, len(s.Seats))
	for i, seat := range s.Seats {
		joins[i] = seat.Joined
	}
	return joins
}

func (f Opened) apply(s *State) {
	s.Phase = Lobby
	s.Rules, s.Pace, s.Equipment, s.Lexicon = f.Rules, f.Pace, f.Equipment, f.Lexicon
	s.Secret, s.Host, s.SeatCount, s.Invited, s.Begins = f.Secret, f.Host, f.Seats, f.Invited, f.First
	s.Earlier = f.Earlier
	s.Bag = f.Equipment.Tiles.All()
}

func (f Joined) apply(s *State) { s.Seats = append(s.Seats, Seat{Person: f.Person}) }

func (f Left) apply(s *State) { s.Seats = slices.Delete(s.Seats, f.Seat, f.Seat+1) }

func (f Closed) apply(s *State) { s.Phase = Over }

func (f Started) apply(s *State) { s.Phase, s.joins = Playing, s.joinRequests() }

func (f OrderDrawn) apply(*State) {}

func (f Dealt) apply(s *State) {
	s.First, s.Turn = f.First, f.First
	for i, rack := range f.Racks {
		s.Seats[i].Rack = rack
		vowels := 0
		if i < len(f.Vowels) {
			vowels = f.Vowels[i]
		}
		s.removeDrawn(rack, vowels)
	}
}

func (f Played) apply(s *State) {
	seat := &s.Seats[f.Seat]
	s.Latest = &LatestPlay{Played: f, Rack: seat.Rack, scoreless: s.Scoreless + 1}
	s.Board.Lay(f.Move)
	left, _ := seat.Rack.Minus(f.Move.Tiles.Faces())
	seat.Rack = left + f.Drew
	s.removeDrawn(f.Drew, f.Vowels)
	seat.Score += f.Score
	s.Scoreless, s.Passes = 0, 0
	if f.Score == 0 && s.Rules.ZeroPlays {
		s.Scoreless = s.Latest.scoreless
	}
	s.addIncrement(f.Seat)
	s.finishTurn(f.Seat)
}

func (f Exchanged) apply(s *State) {
	seat := &s.Seats[f.Seat]
	left, _ := seat.Rack.Minus(f.Put)
	seat.Rack = left + f.Drew
	s.removeDrawn(f.Drew, f.Vowels)
	s.putBack(f.Put)
	s.Passes = 0
	s.countScoreless(f.Seat)
	s.LatestExchange = LatestExchange{f.Seat, len(f.Put)}
}

func (f Passed) apply(s *State) {
	s.Passes++
	s.countScoreless(f.Seat)
}

func (s *State) countScoreless(seat int) {
	s.Latest = nil
	s.Scoreless++
	s.addIncrement(seat)
	s.finishTurn(seat)
}

// apply moves on to the next seat. A lost turn isn't a player's action, so the latest play can
// still be challenged.
func (f TurnLost) apply(s *State) {
	s.Seats[f.Seat].LostTurns--
	if s.Latest != nil {
		latest := *s.Latest
		latest.scoreless++
		s.Latest = &latest
	}
	s.Scoreless++
	s.Passes = 0
	s.finishTurn(f.Seat)
}

func (s *State) finishTurn(seat int) {
	s.LatestExchange = LatestExchange{}
	s.Turns++
	s.Turn = s.nextSeat(seat)
	for i := range s.Seats {
		s.Seats[i].Agreed = false
		s.Seats[i].HintsNow = 0
	}
}

func (f Challenged) apply(s *State) {
	player, by := &s.Seats[f.Player], &s.Seats[f.By]
	if len(f.Invalid) == 0 {
		latest := *s.Latest
		latest.Judged = slices.Concat(latest.Judged, f.Words)
		s.Latest = &latest
		player.Score += f.Bonus
		by.Score -= f.Cost
		if f.LosesTurn {
			by.LostTurns++
		}
		if f.LosesGame {
			s.leave(f.By)
		}
		return
	}
	p := s.Latest
	s.Board.Lift(p.Move)
	player.Rack = p.Rack
	player.Score -= p.Score
	s.Bag = (s.Bag + p.Drew).Sorted()
	s.Vowels = (s.Vowels + p.Drew[:p.Vowels]).Sorted()
	s.Scoreless = p.scoreless
	s.Latest = nil
	s.Phase = Playing
	for i := range s.Seats {
		s.Seats[i].Accepted = false
	}
	if f.LosesGame {
		s.leave(f.Player)
	}
}

func (f LastPlay) apply(s *State) { s.Phase, s.Until = Closing, f.Until }

func (f Accepted) apply(s *State) { s.Seats[f.Seat].Accepted = true }

func (f Resigned) apply(s *State) {
	seat := &s.Seats[f.Seat]
	seat.Gone = seat.Vacant || s.Late && s.Turn == f.Seat
	if s.Latest != nil && (s.Latest.Seat == f.Seat || s.Turn == f.Seat) {
		s.Latest = nil
	}
	s.leave(f.Seat)
}

// leave removes a seat from the game. If others remain, its tiles leave play.
func (s *State) leave(seat int) {
	s.Seats[seat].Out, s.Seats[seat].Vacant = true, false
	if len(s.Active()) > 1 {
		s.Removed = (s.Removed + s.Seats[seat].Rack).Sorted()
		s.Seats[seat].Rack = ""
	}
	if s.Turn == seat {
		s.Turn = s.nextSeat(seat)
	}
}

func (f Agreed) apply(s *State) { s.Seats[f.Seat].Agreed = true }

func (f Ended) apply(s *State) {
	s.Phase, s.End, s.Latest = Over, &f, nil
	for i := range s.Seats {
		s.Seats[i].Score = s.Final(i, f)
	}
}

// Best returns the seats whose tiles are nearest to A. A blank is best (documents 000 and 004).
func (f OrderDrawn) Best() []int {
	var seats []int
	var best lexicon.Letter
	for i, seat := range f.Seats {
		n := f.Tiles.At(i).Letter() // 0 for a blank
		if len(seats) == 0 || n < best {
			best, seats = n, nil
		}
		if n == best {
			seats = append(seats, seat)
		}
	}
	return seats
}
