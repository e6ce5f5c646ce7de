package game

import (
	"errors"
	"slices"
	"time"
)

// This file keeps the players' clocks, where a table plays by them (documents 000 and
// 001). A turn's time runs from the moment when everybody could see that it had come,
// which the host says in [Env], until a player acts. So the clock stands while the
// news is on its way, and while a challenge is settled.

// Timed says that the player to move had thought for a time, up to the next event.
type Timed struct {
	Seat int
	Took time.Duration
}

// gain gives a seat the increment of a turn that it has taken.
func (s *State) gain(seat int) {
	if s.Rules.Clock.On {
		s.Seats[seat].Used -= s.Rules.Clock.Increment
	}
}

// Left returns the time on a seat's clock, after thinking for a time since it was last
// counted. It is negative when the player is over.
func (s State) Left(seat int, thinking time.Duration) time.Duration {
	return s.Rules.Clock.Time - s.Seats[seat].Used - thinking
}

// Ticks reports whether a clock runs at all now.
func (s State) Ticks() bool { return s.Rules.Clock.On && s.Phase == Playing }

// tick counts the time up to an action. Where the action changes nothing that all can
// see, that time is counted with the next one.
func (d *decision) tick(a Action) {
	if _, unseen := a.(interface{ unseen() }); unseen || !d.Ticks() || d.env.Posted.IsZero() {
		return
	}
	took := d.env.Now.Truncate(time.Millisecond).Sub(d.env.Posted.Truncate(time.Millisecond))
	if took > 0 {
		d.emit(Timed{d.Turn, took})
	}
}

// overrun reports whether a player has taken so much more than their time that
// the game is over.
func (s State) overrun() bool {
	c := s.Rules.Clock
	if !c.On || !c.Ends() {
		return false
	}
	return slices.ContainsFunc(s.Active(), s.overdue)
}

// overdue reports whether a seat has taken more than its time and the limit.
func (s State) overdue(seat int) bool { return -s.Left(seat, 0) > s.Rules.Clock.Limit }

// LostOnTime reports whether a seat has taken so much time that it loses the
// game, however far it leads (document 001, the end).
func (s State) LostOnTime(seat int) bool {
	c := s.Rules.Clock
	return c.On && c.Loses && s.overdue(seat)
}

// penalties returns the points off for time, nil where nobody has any: for each
// started minute over.
func (s State) penalties() []int {
	c := s.Rules.Clock
	if !c.On || c.Penalty == 0 {
		return nil
	}
	var off []int
	for _, i := range s.Active() {
		if over := StartedMinutes(-s.Left(i, 0)); over > 0 {
			if off == nil {
				off = make([]int, len(s.Seats))
			}
			off[i] = over * c.Penalty
		}
	}
	return off
}

// StartedMinutes returns how many minutes of a time have begun: 1 from its first
// moment to the end of the minute. A time that has not begun has none.
func StartedMinutes(d time.Duration) int { return int(max(0, d+time.Minute-1) / time.Minute) }

func (f Timed) check(s *State) error {
	if f.Took < 0 {
		return errors.New("time ran backwards")
	}
	return s.seated(Playing, f.Seat)
}

func (f Timed) apply(s *State) { s.Seats[f.Seat].Used += f.Took }
