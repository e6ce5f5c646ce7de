package game

import (
	"slices"
	"time"

	"github.com/rackmate/rackmate/lexicon"
)

// A Phase is how far a table has come.
type Phase uint8

const (
	NoTable Phase = iota // the zero State: nothing has been opened
	Lobby                // players join
	Voting               // on the order in which they play
	Playing              // turns are taken
	Closing              // the last play is open to a challenge
	Over                 // the game has ended
)

// A Seat is a player's place at a table.
type Seat struct {
	Person Person
	Joined string // the id of the request that took the seat
	Rack   Tiles  // in the order the player drew them; private
	Score  int    // points
	Out    bool   // resigned, or lost a challenge under the triple rule, or Vacant
	Vacant bool   // lost its player, and waits for another
	Gone   bool   // out since its player was late, or left it Vacant

	LostTurns int  // turns still to be lost for wrong challenges
	Agreed    bool // would end the game here
	Accepted  bool // lets the last play stand

	Used time.Duration // on the clock, up to the latest Timed, less the increments since

	Voted bool  // on the order of play
	Vote  []int // the order wanted; empty: it is left to the others
	Wish  Wish  // what of the seat's draws are to be vowels, where there are two bags
	Taken Tiles // off the board, in unscrabble; public

	Hints    int // asked for in this game
	HintsNow int // asked for at this turn

	BankUsed time.Duration // of Pace.Bank
	Away     []Span        // in order; the player's clock stands
}

// A LatestPlay is the play that can be challenged.
type LatestPlay struct {
	Played
	Number int   // of its event
	Rack   Tiles // the player's before it
	Judged []Tiles

	scoreless int // State.Scoreless if it is withdrawn
}

// A LatestExchange is how many tiles were put back, and by whom.
type LatestExchange struct{ Seat, Tiles int }

// A State is a table at one moment. It is a value: Apply gives a new one. The
// zero State is before the first event.
type State struct {
	Number    int // of the next event
	Phase     Phase
	Rules     Rules
	Pace      Pace
	Equipment Equipment
	Lexicon   LexiconID
	Host      Person
	SeatCount int
	Invited   []Person
	Earlier   []Standing // how the match stood before this game
	Begins    Person     // who goes first, where that was settled before

	Seats     []Seat
	First     int // the seat that began
	Turn      int // the seat to move
	Board     Board
	Parted    bool      // the bag is two, in a variant
	Vowels    Tiles     // what of Bag is in that of the vowels; sorted
	Stuck     bool      // nobody can do anything more, in some variants
	Printed   Board     // letters printed on the board, in some variants
	Bag       Tiles     // sorted
	Removed   Tiles     // left play with a player who did
	Scoreless int       // scoreless turns in a row
	Turns     int       // turns done
	Passes    int       // the latest turns, if they were passed
	Began     time.Time // when the turn did
	Late      bool      // the turn's time is up

	Latest *LatestPlay // nil when nothing is open to a challenge
	// LatestExchange is the turn before this one, if that was an exchange.
	LatestExchange LatestExchange
	Until          time.Time // Closing: when the last play stands anyway; Voting: when the votes are counted; duplicate: when the turn ends

	// Duplicate has these.
	Common      Tiles        // everybody's rack; public
	Submissions []Submission // by seat, as far as there are any; private until the turn is scored

	End     *Ended   // when the phase is Over and a game was played
	joins   []string // since the start: the requests of the joins, in their order
	Secret  Secret   // private until the end
	Started time.Time
	Ended   time.Time
}

// Apply returns the state after one more event. It judges nothing; see [Decide] for
// the rules and [Replay] for logs from outside.
func (s State) Apply(e Event) State {
	s.Seats, s.Submissions = slices.Clone(s.Seats), slices.Clone(s.Submissions)
	s.apply(e)
	return s
}

// apply changes a state that nobody else has.
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
		s.Seats[f.Seat].goes(e.At, f.Until)
	case CameBack:
		s.Seats[f.Seat].back(e.At)
	case Dealt, Waited:
		s.Began = e.At
	case Adopted:
		if f.Seat == s.Turn {
			s.Began = e.At
		}
	}
	if s.Phase == Playing && (before.turns != s.Turns || before.turn != s.Turn || before.phase == Closing) {
		s.turned(before, e.At)
	}
	s.Number = e.Number + 1
}

// Unjudged lists the words of the play that nobody has asked about yet.
func (p *LatestPlay) Unjudged() []ScoredWord {
	var words []ScoredWord
	for _, w := range p.Words {
		if !slices.Contains(p.Judged, w.Tiles) {
			words = append(words, w)
		}
	}
	return words
}

// Contestable reports whether an opponent who has not let it stand may still
// challenge the latest play.
func (s State) Contestable() bool {
	if s.Rules.Challenge.Void || s.Latest == nil || len(s.Latest.Unjudged()) == 0 {
		return false
	}
	return slices.ContainsFunc(s.Active(), func(i int) bool { return i != s.Latest.Seat && !s.Seats[i].Accepted })
}

// Electable reports whether any player may end the game now.
func (s State) Electable() bool { return s.Phase == Playing && s.Rules.Elect && s.stalled() }

// stalled reports whether there have been as many scoreless turns in a row as
// the rules bear.
func (s State) stalled() bool {
	return s.Rules.ScorelessTurns > 0 && s.Scoreless >= s.Rules.ScorelessTurns
}

// SeatOf returns the seat of a player, if they have one.
func (s State) SeatOf(p PlayerID) (int, bool) {
	i := slices.IndexFunc(s.Seats, func(seat Seat) bool { return seat.Person.ID == p })
	return i, i >= 0
}

// Active lists the seats still playing.
func (s State) Active() []int {
	var in []int
	for i, seat := range s.Seats {
		if !seat.Out {
			in = append(in, i)
		}
	}
	return in
}

// next returns the active seat after seat i; where no other is left, a vacant one.
func (s State) next(i int) int {
	alone := len(s.Active()) < 2
	for range s.Seats {
		if i = (i + 1) % len(s.Seats); !s.Seats[i].Out || alone && s.Seats[i].Vacant {
			break
		}
	}
	return i
}

// Unseen returns what a seat can't see and may still meet: the bag and the other
// racks, sorted. Tiles that left play are not among them.
func (s State) Unseen(seat int) Tiles {
	out := s.Bag
	for i, other := range s.Seats {
		if i != seat {
			out += other.Rack
		}
	}
	return out.Sorted()
}

// Seed returns what the draws come from; see [NewSeed].
func (s State) Seed() Seed {
	joins := s.joins
	if joins == nil {
		joins = s.joined()
	}
	return NewSeed(s.Secret, joins)
}

// joined returns the ids of the requests that took the seats.
func (s State) joined() []string {
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

func (f Started) apply(s *State) { s.Phase, s.joins = Playing, s.joined() }

func (f OrderDrawn) apply(*State) {}

func (f Dealt) apply(s *State) {
	s.First, s.Turn = f.First, f.First
	for i, rack := range f.Racks {
		s.Seats[i].Rack = rack
		vowels := 0
		if i < len(f.Vowels) {
			vowels = f.Vowels[i]
		}
		s.drewFrom(rack, vowels)
	}
}

func (f Played) apply(s *State) {
	seat := &s.Seats[f.Seat]
	s.Latest = &LatestPlay{Played: f, Rack: seat.Rack, scoreless: s.Scoreless + 1}
	s.Board.Lay(f.Move)
	left, _ := seat.Rack.Minus(f.Move.Tiles.Faces())
	seat.Rack = left + f.Drew
	s.drewFrom(f.Drew, f.Vowels)
	seat.Score += f.Score
	s.Scoreless, s.Passes = 0, 0
	if f.Score == 0 && s.Rules.ZeroPlays {
		s.Scoreless = s.Latest.scoreless
	}
	s.gain(f.Seat)
	s.turnDone(f.Seat)
}

func (f Exchanged) apply(s *State) {
	seat := &s.Seats[f.Seat]
	left, _ := seat.Rack.Minus(f.Put)
	seat.Rack = left + f.Drew
	s.drewFrom(f.Drew, f.Vowels)
	s.putBack(f.Put)
	s.Passes = 0
	s.scorelessTurn(f.Seat)
	s.LatestExchange = LatestExchange{f.Seat, len(f.Put)}
}

func (f Passed) apply(s *State) {
	s.Passes++
	s.scorelessTurn(f.Seat)
}

func (s *State) scorelessTurn(seat int) {
	s.Latest = nil
	s.Scoreless++
	s.gain(seat)
	s.turnDone(seat)
}

// apply passes the turn on. A lost turn is no player's action, so the latest play stays
// open to a challenge.
func (f TurnLost) apply(s *State) {
	s.Seats[f.Seat].LostTurns--
	if s.Latest != nil {
		latest := *s.Latest
		latest.scoreless++
		s.Latest = &latest
	}
	s.Scoreless++
	s.Passes = 0
	s.turnDone(f.Seat)
}

func (s *State) turnDone(seat int) {
	s.LatestExchange = LatestExchange{}
	s.Turns++
	s.Turn = s.next(seat)
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

// leave takes a seat out of the game. With others left its tiles leave play.
func (s *State) leave(seat int) {
	s.Seats[seat].Out, s.Seats[seat].Vacant = true, false
	if len(s.Active()) > 1 {
		s.Removed = (s.Removed + s.Seats[seat].Rack).Sorted()
		s.Seats[seat].Rack = ""
	}
	if s.Turn == seat {
		s.Turn = s.next(seat)
	}
}

func (f Agreed) apply(s *State) { s.Seats[f.Seat].Agreed = true }

func (f Ended) apply(s *State) {
	s.Phase, s.End, s.Latest = Over, &f, nil
	for i := range s.Seats {
		s.Seats[i].Score = s.Final(i, f)
	}
}

// Best lists the seats whose tiles are nearest to A. A blank is best
// (documents 000 and 004).
func (f OrderDrawn) Best() []int {
	var seats []int
	var best lexicon.Letter
	for i, seat := range f.Seats {
		n := f.Tiles.At(i).Letter() // a blank's is 0
		if len(seats) == 0 || n < best {
			best, seats = n, nil
		}
		if n == best {
			seats = append(seats, seat)
		}
	}
	return seats
}
