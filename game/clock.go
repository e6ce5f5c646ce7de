package game

import (
	"errors"
	"slices"
	"time"
)

// This file keeps the players' clocks at tables that use them (documents 000 and 001). A turn's
// time runs from the moment when everyone could see that it began, which the host passes in [Env],
// until the player acts. So the clock stops while the news is being delivered and while a challenge
// is settled.

// Timed records that the player to move thought for a time, up to the next event.
type Timed struct {
	Seat int
	Took time.Duration
}

// addIncrement adds the increment to a seat's clock after its turn.
func (s *State) addIncrement(seat int) {
	if s.Rules.Clock.On {
		s.Seats[seat].Used -= s.Rules.Clock.Increment
	}
}

// Left returns the time on a seat's clock if it has been thinking for a time since the clock was
// last updated. It is negative if the time is up.
func (s State) Left(seat int, thinking time.Duration) time.Duration {
	return s.Rules.Clock.Time - s.Seats[seat].Used - thinking
}

// Ticks reports whether a clock is running.
func (s State) Ticks() bool { return s.Rules.Clock.On && s.Phase == Playing }

// recordTime records the time up to an action. The time before an action that has no visible effect
// counts with the next one.
func (d *decision) recordTime(a Action) {
	if _, unseen := a.(interface{ unseen() }); unseen || !d.Ticks() || d.env.Posted.IsZero() {
		return
	}
	took := d.env.Now.Truncate(time.Millisecond).Sub(d.env.Posted.Truncate(time.Millisecond))
	if took > 0 {
		d.emit(Timed{d.Turn, took})
	}
}

// hasOverrun reports whether a player has exceeded their time by so much that the game is over.
func (s State) hasOverrun() bool {
	c := s.Rules.Clock
	if !c.On || !c.CanEndGame() {
		return false
	}
	return slices.ContainsFunc(s.Active(), s.isOverdue)
}

// isOverdue reports whether a seat has exceeded its time plus the limit.
func (s State) isOverdue(seat int) bool { return -s.Left(seat, 0) > s.Rules.Clock.Limit }

// HasLostOnTime reports whether a seat has exceeded its time by so much that it loses the game,
// however far it leads (document 001, the end).
func (s State) HasLostOnTime(seat int) bool {
	c := s.Rules.Clock
	return c.On && c.Loses && s.isOverdue(seat)
}

// penalties returns the time penalties by seat, for each started minute over the time, or nil if
// there are none.
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

// StartedMinutes returns the number of started minutes in a duration. It returns 0 for a negative
// duration.
func StartedMinutes(d time.Duration) int { return int(max(0, d+time.Minute-1) / time.Minute) }

func (f Timed) check(s *State) error {
	if f.Took < 0 {
		return errors.New("time ran backwards")
	}
	return s.requireSeats(Playing, f.Seat)
}

func (f Timed) apply(s *State) { s.Seats[f.Seat].Used += f.Took }
