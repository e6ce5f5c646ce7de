package game

import (
	"errors"
	"slices"
	"time"
)

// A game may last for days. This file contains the time limits of turns, what happens to late
// turns, and what happens to the seat of a player who has gone.

// A Pace limits the time of a game's turns. The zero Pace sets no limit.
type Pace struct {
	// Turn is the time for each turn; 0 means no limit, and the other fields don't count.
	Turn time.Duration
	// Bank is each player's reserve for the whole game: time beyond Turn is taken from it.
	Bank time.Duration
	// Weekend is the time zone whose Saturdays and Sundays don't count; nil if they do.
	Weekend *time.Location
	// Late decides what happens to a turn whose time is up.
	Late Late
}

// A Late decides what happens to a turn whose time is up; one of [Lates]. A late turn that is
// neither passed nor lost waits for the opponents: one of them may claim the game, or give the
// player more time.
type Late struct {
	Name string
	// Passes makes the turn a pass.
	Passes bool
	// Loses makes the player lose the game.
	Loses bool
}

// The consequences of a late turn.
var (
	// LatePass passes the turn.
	LatePass = Late{Name: "pass", Passes: true}
	// LateClaim lets an opponent claim the game or keep waiting.
	LateClaim = Late{Name: "claim"}
	// LateForfeit makes the player lose the game.
	LateForfeit = Late{Name: "forfeit", Loses: true}
)

// Lates returns all consequences of a late turn.
func Lates() []Late { return []Late{LatePass, LateClaim, LateForfeit} }

// String returns the name.
func (l Late) String() string { return l.Name }

// ParseLate returns the consequence with a name.
func ParseLate(name string) (Late, bool) { return findNamed(Lates(), name) }

const (
	// IdleTime limits a turn at a table without a pace. After that the player counts as gone, and an
	// opponent may claim the game.
	IdleTime = 7 * 24 * time.Hour
	// abandonTime limits a turn, unless its pace allows more. After that the game ends without a
	// winner, as nobody seems to be there and others may want the channel.
	abandonTime = 28 * 24 * time.Hour
)

// A Span is a period in which a player is away and their clock stands still.
type Span struct{ From, Until time.Time }

// TimedOut records that the time of the seat's turn is up.
type TimedOut struct{ Seat int }

// Claimed records that an opponent claimed the game from the late seat.
type Claimed struct{ By, Seat int }

// Waited records that an opponent gave the late seat its time for the turn again.
type Waited struct{ By int }

// WentAway records that a player is away until a time, and that their clock stands still.
type WentAway struct {
	Seat  int
	Until time.Time
}

// CameBack records that a player returned before that time.
type CameBack struct{ Seat int }

// Vacated records that a seat lost its player. It keeps its rack and score, and is skipped until
// another player adopts it.
type Vacated struct{ Seat int }

// Adopted records that a player took over a vacant seat.
type Adopted struct {
	Seat   int
	Person Person
}

// Expire applies the consequence of a turn whose time is up. The host sends it at State.Expires.
type Expire struct{}

// Claim claims the game from a late player.
type Claim struct{}

// WaitOn gives a late player their time again.
type WaitOn struct{}

// GoAway stops the player's clock until a time.
type GoAway struct{ Until time.Time }

// ComeBack restarts the player's clock.
type ComeBack struct{}

// Vacate removes a player who is no longer there to play. The host sends it.
type Vacate struct{ Player PlayerID }

// Adopt takes a vacant seat.
type Adopt struct{}

// Abandon ends a game that everyone has abandoned. The host sends it at State.AbandonedAt.
type Abandon struct{}

// isRunning reports whether a clock runs at a time, and until when that remains so; zero means
// forever.
func (p Pace) isRunning(at time.Time, away []Span) (runs bool, until time.Time) {
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

// After returns the time when a clock started at a time has run for d.
func (p Pace) After(at time.Time, d time.Duration, away []Span) time.Time {
	for {
		runs, until := p.isRunning(at, away)
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
		runs, until := p.isRunning(from, away)
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

// Deadline returns the time when the turn's time is up. ok is false if the turn has no limit, or if
// it is already late and the opponents must decide.
func (s State) Deadline() (at time.Time, ok bool) {
	if s.Pace.Turn == 0 {
		return time.Time{}, false
	}
	return s.Expires()
}

// Expires returns the time for [Expire]: the deadline, or for a turn without a limit the time when
// the player is taken to have gone.
func (s State) Expires() (at time.Time, ok bool) {
	if s.Phase != Playing || s.Late || len(s.Active()) == 1 || s.variant().OwnTime {
		return time.Time{}, false
	}
	if s.Pace.Turn == 0 {
		return s.Pace.After(s.Began, IdleTime, s.Seats[s.Turn].Away), true
	}
	seat := s.Seats[s.Turn]
	return s.Pace.After(s.Began, s.Pace.Turn+max(0, s.Pace.Bank-seat.BankUsed), seat.Away), true
}

// Claimable reports whether an opponent may claim the game: the player to move is late, or all
// other players have gone.
func (s State) Claimable() bool {
	return s.Phase == Playing && len(s.Seats) > 1 && (s.Late || len(s.Active()) == 1)
}

// AbandonedAt returns the time when the game ends if nothing more happens. ok is false if no game is
// in progress.
func (s State) AbandonedAt() (at time.Time, ok bool) {
	if s.Phase != Playing || s.variant().OwnTime {
		return time.Time{}, false
	}
	seat := s.Seats[s.Turn]
	at = Pace{}.After(s.Began, abandonTime, seat.Away)
	if s.Pace.Turn > 0 {
		if late := s.Pace.After(s.Began, s.Pace.Turn+s.Pace.Bank, seat.Away).Add(IdleTime); late.After(at) {
			at = late
		}
	}
	return at, true
}

// AwayUntil returns when a player who is away will return. ok is false if they aren't away.
func (s Seat) AwayUntil(now time.Time) (at time.Time, ok bool) {
	if n := len(s.Away); n > 0 && s.Away[n-1].Until.After(now) {
		return s.Away[n-1].Until, true
	}
	return time.Time{}, false
}

// A moment records the progress of a table, to find what has changed since.
type moment struct {
	phase       Phase
	turn, turns int
	began       time.Time
}

// switchClocks updates the clocks when the turn has moved on.
func (s *State) switchClocks(before moment, at time.Time) {
	if before.phase == Playing && before.turns != s.Turns {
		seat := &s.Seats[before.turn]
		if over := s.Pace.Spent(before.began, at, seat.Away) - s.Pace.Turn; s.Pace.Turn > 0 && over > 0 {
			seat.BankUsed = min(s.Pace.Bank, seat.BankUsed+over)
		}
		seat.endAbsence(at) // a player who moves is back
	}
	s.Began, s.Late = at, false
}

// markAway marks the player as away until a time.
func (s *Seat) markAway(at, until time.Time) {
	s.endAbsence(at)
	s.Away = append(slices.Clip(s.Away), Span{at, until})
}

// endAbsence ends the player's absence.
func (s *Seat) endAbsence(at time.Time) {
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
	switch late := d.Pace.Late; { // zero if there is no limit
	case late.Passes:
		d.emit(Passed{seat})
		d.turnOver()
	case late.Loses:
		d.lose(seat)
	}
	return nil
}

// lose makes a seat lose the game. If more than one other player remains, the seat becomes vacant;
// otherwise all vacant seats resign too, and the game is over.
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
	seat, err := d.actingSeat()
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
	seat, err := d.actingSeat()
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
	seat, err := d.actingSeat()
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
	seat, err := d.actingSeat()
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

func (Abandon) decide(d *decision) error {
	at, ok := d.AbandonedAt()
	if !ok {
		return &RuleError{Code: NotPlaying}
	}
	if d.env.Now.Before(at) {
		return &RuleError{Code: TooEarly}
	}
	d.endAbandoned()
	return nil
}

func (d *decision) endAbandoned() { d.endWithout(AbandonedEnd, Person{}) }

// endWithout ends the game without a winner.
func (d *decision) endWithout(reason EndReason, by Person) {
	f := Ended{Reason: reason, By: by, Racks: make([]Tiles, len(d.Seats)), Adjust: make([]int, len(d.Seats))}
	for i, seat := range d.Seats {
		f.Racks[i] = seat.Rack.Sorted()
	}
	d.emit(f)
}

func (f TimedOut) check(s *State) error { return s.requireSeats(Playing, f.Seat) }
func (f Claimed) check(s *State) error  { return s.requireSeats(Playing, f.By, f.Seat) }
func (f Waited) check(s *State) error   { return s.requireSeats(Playing, f.By) }
func (f WentAway) check(s *State) error { return s.requireSeats(s.runningPhase(), f.Seat) }
func (f CameBack) check(s *State) error { return s.requireSeats(s.runningPhase(), f.Seat) }

func (f Vacated) check(s *State) error {
	if err := s.requireSeats(Playing, f.Seat); err != nil {
		return err
	}
	if s.Seats[f.Seat].Out {
		return errors.New("the seat is out of the game")
	}
	return nil
}

func (f Adopted) check(s *State) error {
	if err := s.requireSeats(s.runningPhase(), f.Seat); err != nil {
		return err
	}
	if !s.Seats[f.Seat].Vacant {
		return errors.New("the seat is not vacant")
	}
	return nil
}

// runningPhase returns the phase to require of a game in progress.
func (s *State) runningPhase() Phase {
	if s.Phase == Closing {
		return Closing
	}
	return Playing
}

func (f TimedOut) apply(s *State) { s.Late = true }
func (f Claimed) apply(*State)    {}

// apply records that the players wait. State.Apply knows the time and updates the clocks.
func (f Waited) apply(s *State) { s.Late = false }
func (f WentAway) apply(*State) {}
func (f CameBack) apply(*State) {}

func (f Vacated) apply(s *State) {
	s.Seats[f.Seat].Out, s.Seats[f.Seat].Vacant = true, true
	if s.Latest != nil && (s.Latest.Seat == f.Seat || s.Turn == f.Seat) {
		s.Latest = nil
	}
	if s.Turn == f.Seat && len(s.Active()) > 1 {
		s.Turn = s.nextSeat(f.Seat)
	}
}

func (f Adopted) apply(s *State) {
	seat := &s.Seats[f.Seat]
	seat.Person, seat.Out, seat.Vacant, seat.Away = f.Person, false, false, nil
	if s.Seats[s.Turn].Out {
		s.Turn = s.nextSeat(s.Turn) // the turn was at another vacant seat
	}
}

func (f Adopted) rename(to func(Person) Person) Fact {
	f.Person = to(f.Person)
	return f
}
