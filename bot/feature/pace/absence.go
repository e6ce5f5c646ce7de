package pace

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// This file keeps absences. A player who goes away stops their clocks in all their games,
// for a limited number of days a year. The games' logs record it, and opponents read it
// there. An absence ends at its time or when the player says so, and in a single game when
// they move.

// A storedAway holds a player's absences.
type storedAway struct {
	V     int           `json:"v"`
	Spans []storedLeave `json:"spans"`
}

// A storedLeave is one absence, and the request that began it.
type storedLeave struct {
	From    time.Time `json:"from"`
	Until   time.Time `json:"until"`
	Request string    `json:"request"`
}

// usedIn returns how much of a year the absences take, by the calendar of a zone.
func (s storedAway) usedIn(year int, zone *time.Location) (d time.Duration) {
	begin, end := time.Date(year, 1, 1, 0, 0, 0, 0, zone), time.Date(year+1, 1, 1, 0, 0, 0, 0, zone)
	for _, a := range s.Spans {
		from, until := a.From, a.Until
		if from.Before(begin) {
			from = begin
		}
		if until.After(end) {
			until = end
		}
		d += max(0, until.Sub(from))
	}
	return d
}

// endOfAbsence returns the end of the current absence. ok is false if the player isn't away.
func (s storedAway) endOfAbsence(now time.Time) (at time.Time, ok bool) {
	if n := len(s.Spans); n > 0 && s.Spans[n-1].Until.After(now) && !s.Spans[n-1].From.After(now) {
		return s.Spans[n-1].Until, true
	}
	return time.Time{}, false
}

// mostUsed returns the time that the absences take of this year, or of a coming year if
// it is longer there.
func (s storedAway) mostUsed(now time.Time, zone *time.Location) (d time.Duration) {
	last := now
	if n := len(s.Spans); n > 0 {
		last = s.Spans[n-1].Until
	}
	for year := now.In(zone).Year(); year <= last.In(zone).Year(); year++ {
		d = max(d, s.usedIn(year, zone))
	}
	return d
}

// cut ends the current absence.
func (s *storedAway) cut(now time.Time) {
	if n := len(s.Spans); n > 0 && s.Spans[n-1].Until.After(now) {
		s.Spans[n-1].Until = now
	}
}

// IsAway reports whether a player is away at a table. Before the table's first turn it also
// counts absences that the table's log doesn't record yet.
func (f *Feature) IsAway(ctx context.Context, t table.Table, who game.PlayerID) (bool, error) {
	if seat, ok := t.SeatOf(who); ok {
		if _, away := t.Seats[seat].AwayUntil(f.desk.Now()); away || t.Turns > 0 {
			return away, nil
		}
	}
	return f.SaysAway(ctx, who)
}

// SaysAway reports whether a player has announced that they are away now.
func (f *Feature) SaysAway(ctx context.Context, who game.PlayerID) (bool, error) {
	s, _, err := f.away.Get(ctx, shelf.Person(who))
	_, away := s.endOfAbsence(f.desk.Now())
	return away, err
}
