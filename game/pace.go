package game

import (
	"errors"
	"slices"
	"time"
)

// A game may live for days. This file has how long a turn may take, what
// becomes of one that takes longer, and what becomes of a seat whose player has
// gone.

// A Pace is how long the turns of a game may take. The zero Pace sets no limit.
type Pace struct {
	// Turn is for each turn; 0: no limit, and nothing else here counts.
	Turn time.Duration
	// Bank is for each player and the whole game: what a turn takes more than
	// Turn is taken from it.
	Bank time.Duration
	// Weekend is the time zone in which Saturdays and Sundays don't count; nil
	// where they do.
	Weekend *time.Location
	// Late is what becomes of a turn whose time is up.
	Late Late
}

// A Late is what becomes of a turn whose time is up. It is one of [Lates]. A
// late turn that is neither passed nor lost waits for the opponents: one of them
// may claim the game, or give the player more time.
type Late struct {
	Name string
	// Passes says that the turn is passed.
	Passes bool
	// Loses says that the player loses the game.
	Loses bool
}

// What can become of a late turn.
var (
	// LatePass passes it.
	LatePass = Late{Name: "pass", Passes: true}
	// LateClaim lets an opponent claim the game, or go on waiting.
	LateClaim = Late{Name: "claim"}
	// LateForfeit takes the game from the player.
	LateForfeit = Late{Name: "forfeit", Loses: true}
)

// Lates lists what can become of a late turn.
func Lates() []Late { return []Late{LatePass, LateClaim, LateForfeit} }

// String returns its name.
func (l Late) String() string { return l.Name }

// ParseLate finds what becomes of a late turn by its name.
func ParseLate(name string) (Late, bool) { return named(Lates(), name) }

const (
	// StillTime is how long a turn takes, where none has a limit, until its
	// player is taken to have gone, and an opponent may claim the game.
	StillTime = 7 * 24 * time.Hour
	// forsakenTime is how long a turn takes until the game is over, without a
	// winner: nobody is there, and others may want the channel.
	forsakenTime = 28 * 24 * time.Hour
)

// A Span is a time during which a player is away, and their clock stands.
type Span struct{ From, Until time.Time }

// TimedOut says that the time of the seat's turn is up.
type TimedOut struct{ Seat int }

// Claimed says that an opponent takes the game from the seat that is late.
type Claimed struct{ By, Seat int }

// Waited says that an opponent gives the seat that is late its time for the turn again.
type Waited struct{ By int }

// WentAway says that a player is away until a time, and their clock stands.
type WentAway struct {
	Seat  int
	Until time.Time
}

// CameBack says that a player is there again before that time.
type CameBack struct{ Seat int }

// Vacated says that a seat has lost its player. It keeps its rack and score, and is
// passed over until somebody adopts it.
type Vacated struct{ Seat int }

// Adopted records that a player took over a vacant seat.
type Adopted struct {
	Seat   int
	Person Person
}

// Expire does what is to be done when the time of a turn is up. The host does it
// at State.Expires.
type Expire struct{}

// Claim takes the game from a player who is late.
type Claim struct{}

// WaitOn gives a player who is late their time again.
type WaitOn struct{}

// GoAway stops the player's clock until a time.
type GoAway struct{ Until time.Time }

// ComeBack starts it again.
type ComeBack struct{}

// Vacate takes a player out of the game who is no longer there to play. The host
// does it.
type Vacate struct{ Player PlayerID }

// Adopt takes a vacant seat.
type Adopt struct{}

// Forsake ends a game that everybody has left lying. The host does it at
// State.Forsaken.
type Forsake struct{}

// running reports whether a clock runs at a time, and until when that stays so; the
// zero time is for ever.
func (p Pace) running(at time.Time, away []Span) (runs bool, until time.Time) {
	for _, s := range away {
		if !at.Before(s.From) && at.Before(s.Until) {
			return false, s.Until
		}
		if at.Before(s.From) && s.From.Before(s.Until) && (until.IsZero() || s.From.Before(until)) {
			until = s.From
		}
	}
	if p.Weekend == nil {
		return true, until
	}
	local := at.In(p.Weekend)
	day := func(n int) time.Time {
		return time.Date(local.Year(), local.Month(), local.Day()+n, 0, 0, 0, 0, p.Weekend)
	}
	switch local.Weekday() {
	case time.Saturday:
		return false, day(2)
	case time.Sunday:
		return false, day(1)
	}
	if saturday := day(int(time.Saturday - local.Weekday())); until.IsZero() || saturday.Before(until) {
		until = saturday
	}
	return true, until
}

// After returns when a clock that starts at a time has run for d.
func (p Pace) After(at time.Time, d time.Duration, away []Span) time.Time {
	for {
		runs, until := p.running(at, away)
		if runs && (until.IsZero() || d <= until.Sub(at)) {
			return at.Add(d).UTC()
		}
		if runs {
			d -= until.Sub(at)
		}
		at = until
	}
}

// Spent returns how long a clock runs between two times.
func (p Pace) Spent(from, to time.Time, away []Span) time.Duration {
	var d time.Duration
	for from.Before(to) {
		runs, until := p.running(from, away)
		if until.IsZero() || until.After(to) {
			until = to
		}
		if runs {
			d += until.Sub(from)
		}
		from = until
	}
	return d
}

// Deadline returns when the time of the turn is up; ok is false where it has no
// limit, or is up already and the opponents are to decide.
func (s State) Deadline() (at time.Time, ok bool) {
	if s.Pace.Turn == 0 {
		return time.Time{}, false
	}
	return s.Expires()
}

// Expires returns when there is something to [Expire]: the deadline, or where there
// is none the time when the player is taken to have gone.
func (s State) Expires() (at time.Time, ok bool) {
	if s.Phase != Playing || s.Late || len(s.Active()) == 1 || s.variant().OwnTime {
		return time.Time{}, false
	}
	if s.Pace.Turn == 0 {
		return s.Pace.After(s.Began, StillTime, s.Seats[s.Turn].Away), true
	}
	seat := s.Seats[s.Turn]
	return s.Pace.After(s.Began, s.Pace.Turn+max(0, s.Pace.Bank-seat.BankUsed), seat.Away), true
}

// Claimable reports whether an opponent of the player who has gone may claim the game.
func (s State) Claimable() bool {
	return s.Phase == Playing && len(s.Seats) > 1 && (s.Late || len(s.Active()) == 1)
}

// Forsaken returns when the game ends if nothing happens any more; ok is false where
// none is being played.
func (s State) Forsaken() (at time.Time, ok bool) {
	if s.Phase != Playing || s.variant().OwnTime {
		return time.Time{}, false
	}
	seat := s.Seats[s.Turn]
	at = Pace{}.After(s.Began, forsakenTime, seat.Away)
	if s.Pace.Turn > 0 {
		if late := s.Pace.After(s.Began, s.Pace.Turn+s.Pace.Bank, seat.Away).Add(StillTime); late.After(at) {
			at = late
		}
	}
	return at, true
}

// AwayUntil returns when a player who is away will be back; ok is false for one who
// isn't away.
func (s Seat) AwayUntil(now time.Time) (at time.Time, ok bool) {
	if n := len(s.Away); n > 0 && s.Away[n-1].Until.After(now) {
		return s.Away[n-1].Until, true
	}
	return time.Time{}, false
}

// A moment is how far a table had come, to tell what has changed since.
type moment struct {
	phase       Phase
	turn, turns int
	began       time.Time
}

// turned keeps the clocks when the turn has gone on.
func (s *State) turned(before moment, at time.Time) {
	if before.phase == Playing && before.turns != s.Turns {
		seat := &s.Seats[before.turn]
		if over := s.Pace.Spent(before.began, at, seat.Away) - s.Pace.Turn; s.Pace.Turn > 0 && over > 0 {
			seat.BankUsed = min(s.Pace.Bank, seat.BankUsed+over)
		}
		seat.back(at) // who moves is there
	}
	s.Began, s.Late = at, false
}

// goes takes the player away until a time.
func (s *Seat) goes(at, until time.Time) {
	s.back(at)
	s.Away = append(slices.Clip(s.Away), Span{at, until})
}

// back ends the player's absence.
func (s *Seat) back(at time.Time) {
	if _, away := s.AwayUntil(at); away {
		s.Away = slices.Clone(s.Away)
		s.Away[len(s.Away)-1].Until = at
	}
}

func (Expire) decide(d *decision) error {
	at, ok := d.Expires()
	if !ok {
		return &RuleError{Code: NotLate, Seat: d.Turn}
	}
	if d.env.Now.Before(at) {
		return &RuleError{Code: TooEarly}
	}
	seat := d.Turn
	d.emit(TimedOut{seat})
	switch late := d.Pace.Late; { // the zero Late where there is no limit
	case late.Passes:
		d.emit(Passed{seat})
		d.turnOver()
	case late.Loses:
		d.lose(seat)
	}
	return nil
}

// lose takes the game from a seat. Where more than one other plays on, the seat
// waits for another player; else no seat waits any more, and the game is over.
func (d *decision) lose(seat int) {
	if len(d.Active()) > 2 {
		d.emit(Vacated{seat})
	} else {
		for i, other := range d.Seats {
			if i == seat || other.Vacant {
				d.emit(Resigned{i})
			}
		}
	}
	d.turnOver()
}

func (Claim) decide(d *decision) error {
	seat, err := d.player()
	if err != nil {
		return err
	}
	gone := d.Turn
	if len(d.Active()) == 1 {
		gone = slices.IndexFunc(d.Seats, func(s Seat) bool { return s.Vacant })
	}
	if !d.Claimable() || gone == seat {
		return &RuleError{Code: NotLate, Seat: d.Turn}
	}
	d.emit(Claimed{By: seat, Seat: gone})
	d.lose(gone)
	return nil
}

func (WaitOn) decide(d *decision) error {
	seat, err := d.player()
	if err != nil {
		return err
	}
	if !d.Late || seat == d.Turn {
		return &RuleError{Code: NotLate, Seat: d.Turn}
	}
	d.emit(Waited{seat})
	return nil
}

func (a GoAway) decide(d *decision) error {
	seat, err := d.player()
	if err != nil {
		return err
	}
	if !a.Until.After(d.env.Now) {
		return &RuleError{Code: TimePast}
	}
	d.emit(WentAway{seat, a.Until.UTC().Truncate(time.Millisecond)})
	return nil
}

func (ComeBack) decide(d *decision) error {
	seat, err := d.player()
	if err != nil {
		return err
	}
	if _, away := d.Seats[seat].AwayUntil(d.env.Now); !away {
		return &RuleError{Code: NotAway}
	}
	d.emit(CameBack{seat})
	return nil
}

func (a Vacate) decide(d *decision) error {
	if d.Phase != Playing {
		return &RuleError{Code: NotPlaying}
	}
	seat, ok := d.SeatOf(a.Player)
	if !ok || d.Seats[seat].Out {
		return &RuleError{Code: NotPlaying}
	}
	d.emit(Vacated{seat})
	d.turnOver()
	return nil
}

func (Adopt) decide(d *decision) error {
	if d.Phase == NoTable || d.Phase == Lobby {
		return &RuleError{Code: NotStarted}
	}
	if d.Phase == Over {
		return &RuleError{Code: GameOver}
	}
	own, seated := d.SeatOf(d.by.ID)
	if seated && !d.Seats[own].Vacant {
		return &RuleError{Code: AlreadySeated}
	}
	seat := d.Turn
	if !d.Seats[seat].Vacant {
		seat = slices.IndexFunc(d.Seats, func(s Seat) bool { return s.Vacant })
	}
	if seat < 0 {
		return &RuleError{Code: NoSeatFree, N: len(d.Seats)}
	}
	if seated {
		seat = own
	}
	d.emit(Adopted{seat, d.by})
	return nil
}

func (Forsake) decide(d *decision) error {
	at, ok := d.Forsaken()
	if !ok {
		return &RuleError{Code: NotPlaying}
	}
	if d.env.Now.Before(at) {
		return &RuleError{Code: TooEarly}
	}
	d.forsake()
	return nil
}

func (d *decision) forsake() { d.endWithout(ForsakenEnd, Person{}) }

// endWithout ends the game without a winner.
func (d *decision) endWithout(reason EndReason, by Person) {
	f := Ended{Reason: reason, By: by, Racks: make([]Tiles, len(d.Seats)), Adjust: make([]int, len(d.Seats))}
	for i, seat := range d.Seats {
		f.Racks[i] = seat.Rack.Sorted()
	}
	d.emit(f)
}

func (f TimedOut) check(s *State) error { return s.seated(Playing, f.Seat) }
func (f Claimed) check(s *State) error  { return s.seated(Playing, f.By, f.Seat) }
func (f Waited) check(s *State) error   { return s.seated(Playing, f.By) }
func (f WentAway) check(s *State) error { return s.seated(s.running(), f.Seat) }
func (f CameBack) check(s *State) error { return s.seated(s.running(), f.Seat) }

func (f Vacated) check(s *State) error {
	if err := s.seated(Playing, f.Seat); err != nil {
		return err
	}
	if s.Seats[f.Seat].Out {
		return errors.New("the seat is out of the game")
	}
	return nil
}

func (f Adopted) check(s *State) error {
	if err := s.seated(s.running(), f.Seat); err != nil {
		return err
	}
	if !s.Seats[f.Seat].Vacant {
		return errors.New("the seat is not vacant")
	}
	return nil
}

// running returns the phase of the game if it is being played.
func (s *State) running() Phase {
	if s.Phase == Closing {
		return Closing
	}
	return Playing
}

func (f TimedOut) apply(s *State) { s.Late = true }
func (f Claimed) apply(*State)    {}

// apply notes that the players wait. State.Apply knows when, and moves the clocks.
func (f Waited) apply(s *State) { s.Late = false }
func (f WentAway) apply(*State) {}
func (f CameBack) apply(*State) {}

func (f Vacated) apply(s *State) {
	s.Seats[f.Seat].Out, s.Seats[f.Seat].Vacant = true, true
	if s.Latest != nil && (s.Latest.Seat == f.Seat || s.Turn == f.Seat) {
		s.Latest = nil
	}
	if s.Turn == f.Seat && len(s.Active()) > 1 {
		s.Turn = s.next(f.Seat)
	}
}

func (f Adopted) apply(s *State) {
	seat := &s.Seats[f.Seat]
	seat.Person, seat.Out, seat.Vacant, seat.Away = f.Person, false, false, nil
	if s.Seats[s.Turn].Out {
		s.Turn = s.next(s.Turn) // the turn waited at another seat that is vacant
	}
}

func (f Adopted) renamed(to func(Person) Person) Fact {
	f.Person = to(f.Person)
	return f
}
