package pace

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// This file is about absences. Somebody who goes away stops their clock in all
// of their games, for a number of days a year; the games' logs say so, and the
// opponents read it there. It ends at its time, when they say so, and in a game
// where they move.

// A storedAway is when somebody was away, and from which request each absence is.
type storedAway struct {
	V     int           `json:"v"`
	Spans []storedLeave `json:"spans"`
}

// A storedLeave is a leave as it is kept: until when somebody is away.
type storedLeave struct {
	From    time.Time `json:"from"`
	Until   time.Time `json:"until"`
	Request string    `json:"request"`
}

// used is how much of a year, in a zone, the absences take.
func (s storedAway) used(year int, zone *time.Location) (d time.Duration) {
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

// until is the end of an absence that runs.
func (s storedAway) until(now time.Time) (at time.Time, ok bool) {
	if n := len(s.Spans); n > 0 && s.Spans[n-1].Until.After(now) && !s.Spans[n-1].From.After(now) {
		return s.Spans[n-1].Until, true
	}
	return time.Time{}, false
}

// most is what the absences take of this year, or of one to come of which they
// take more.
func (s storedAway) most(now time.Time, zone *time.Location) (d time.Duration) {
	last := now
	if n := len(s.Spans); n > 0 {
		last = s.Spans[n-1].Until
	}
	for year := now.In(zone).Year(); year <= last.In(zone).Year(); year++ {
		d = max(d, s.used(year, zone))
	}
	return d
}

// cut ends an absence that runs.
func (s *storedAway) cut(now time.Time) {
	if n := len(s.Spans); n > 0 && s.Spans[n-1].Until.After(now) {
		s.Spans[n-1].Until = now
	}
}

// IsAway reports whether somebody is away at a table, or will be said to be in a
// moment: when the game began in their absence.
func (f *Feature) IsAway(ctx context.Context, t table.Table, who game.PlayerID) (bool, error) {
	if seat, ok := t.SeatOf(who); ok {
		if _, away := t.Seats[seat].AwayUntil(f.desk.Now()); away || t.Turns > 0 {
			return away, nil
		}
	}
	return f.SaysAway(ctx, who)
}

// SaysAway reports whether somebody has said that they are away now.
func (f *Feature) SaysAway(ctx context.Context, who game.PlayerID) (bool, error) {
	s, _, err := f.away.Get(ctx, shelf.Person(who))
	_, away := s.until(f.desk.Now())
	return away, err
}
