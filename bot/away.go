package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game"
)

// This file is about absences. Somebody who goes away stops their clock in all
// of their games, for a number of days a year; the games' logs say so, and the
// opponents read it there. It ends at its time, when they say so, and in a game
// where they move.

// The shelf of the host's notes that has each player's absences.
const awayShelf = "away"

// storedAway is when somebody was away, and from which request each absence is.
type storedAway struct {
	V     int           `json:"v"`
	Spans []storedLeave `json:"spans"`
}

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

// awayDays is how many days a year somebody may be away, where the host's
// configuration says nothing else.
const awayDays = 30

func (h *Host) awayAllowance() time.Duration {
	days := h.AwayDays
	if days == 0 {
		days = awayDays
	}
	return time.Duration(days) * 24 * time.Hour
}

func awayOptions() []Option {
	return []Option{{Name: "until", Help: "A number of days, a date such as 2026-08-24 or 24 Aug, or back", Kind: Words}}
}

// away stops a person's clocks until a date, or starts them again.
func (h *Host) away(ctx context.Context, req Request) (Reply, error) {
	settings, err := h.settingsOf(ctx, req.User.ID)
	if err != nil {
		return Reply{}, err
	}
	zone := settings.zone(req)
	now := h.Now()
	text := strings.ToLower(req.Args["until"])
	switch text {
	case "":
		return h.awayNow(ctx, req, zone)
	case "back", "off", "end":
		return h.back(ctx, req)
	}
	until, ok := parseUntil(text, now, zone)
	if !ok {
		return refuse(say("I can't read ", code(shorten(text, maxName)), " as a time. Write a number of days, ", code("/away 10"), ", or the day when you are back: ", code("/away 2026-08-24"), ".")), nil
	}
	if !until.After(now) {
		return refuse(say("That day is past. Write the day when you are back: ", code("/away "+now.In(zone).AddDate(0, 0, 7).Format("2006-01-02")), ".")), nil
	}
	if until.After(now.AddDate(1, 0, 0)) {
		return refuse(say("That is too far away. Choose a day within a year.")), nil
	}
	var short time.Duration
	err = h.changeAway(ctx, req.User.ID, func(s *storedAway) bool {
		short = 0
		if n := len(s.Spans); n > 0 && s.Spans[n-1].Request == req.ID {
			until = s.Spans[n-1].Until
			return true // seen before
		}
		s.cut(now)
		s.Spans = append(s.Spans, storedLeave{now, until, req.ID})
		for year := now.In(zone).Year(); year <= until.In(zone).Year(); year++ {
			if over := s.used(year, zone) - h.awayAllowance(); over > short {
				short = over
			}
		}
		return short == 0
	})
	if err != nil {
		return Reply{}, err
	}
	if short > 0 {
		return refuse(say("A year has ", count(int(h.awayAllowance()/(24*time.Hour)), "day"), " to be away, and that would be ", count(int((short+24*time.Hour-1)/(24*time.Hour)), "day"), " more. Choose an earlier day.")), nil
	}
	games, err := h.everywhere(ctx, req, game.GoAway{Until: until})
	if err != nil {
		return Reply{}, err
	}
	return Reply{Text: say("You are away until ", clock(until), ". Your clocks stand in ", count(games, "game"), ", and your opponents are told. ", code("/away back"), " ends it; in a game where you move it ends too.")}, nil
}

// cut ends an absence that runs.
func (s *storedAway) cut(now time.Time) {
	if n := len(s.Spans); n > 0 && s.Spans[n-1].Until.After(now) {
		s.Spans[n-1].Until = now
	}
}

// awayNow says how things stand.
func (h *Host) awayNow(ctx context.Context, req Request, zone *time.Location) (Reply, error) {
	var s storedAway
	err := h.changeAway(ctx, req.User.ID, func(found *storedAway) bool {
		s = *found
		return false
	})
	if err != nil {
		return Reply{}, err
	}
	now := h.Now()
	year := now.In(zone).Year()
	left := max(0, h.awayAllowance()-s.used(year, zone)) / (24 * time.Hour)
	rest := say(" You have ", count(int(left), "day"), " of ", year, " left to be away.")
	if n := len(s.Spans); n > 0 && s.Spans[n-1].Until.After(now) {
		return Reply{Text: say("You are away until ", clock(s.Spans[n-1].Until), ". ", code("/away back"), " ends it.", rest)}, nil
	}
	return Reply{Text: say("You are not away. ", code("/away 10"), " stops your clocks for ten days.", rest)}, nil
}

// back ends a person's absence.
func (h *Host) back(ctx context.Context, req Request) (Reply, error) {
	err := h.changeAway(ctx, req.User.ID, func(s *storedAway) bool {
		s.cut(h.Now())
		return true
	})
	if err != nil {
		return Reply{}, err
	}
	games, err := h.everywhere(ctx, req, game.ComeBack{})
	if err != nil {
		return Reply{}, err
	}
	if games == 0 {
		return Reply{Text: say("You were not away. ", code("/away 10"), " stops your clocks for ten days.")}, nil
	}
	return Reply{Text: say("Welcome back. Your clocks run again in ", count(games, "game"), ".")}, nil
}

func (h *Host) changeAway(ctx context.Context, who game.PlayerID, change func(*storedAway) (keep bool)) error {
	return h.Notes.Change(ctx, func(rows Rows) error {
		b, err := rows.Get(awayShelf, string(who))
		if err != nil {
			return err
		}
		var s storedAway
		if b != nil {
			if err := json.Unmarshal(b, &s); err != nil {
				return fmt.Errorf("read when %s was away: %w", who, err)
			}
		}
		if !change(&s) {
			return nil
		}
		s.V = 1
		if b, err = json.Marshal(s); err != nil {
			return err
		}
		return rows.Put(awayShelf, string(who), b)
	})
}

// everywhere does something for a person in each of their games on this
// surface, and counts those where it could be done. What is wrong with one game
// holds up no other.
func (h *Host) everywhere(ctx context.Context, req Request, a game.Action) (done int, err error) {
	tables, err := h.Store.Playing(ctx, req.User.ID)
	if err != nil {
		return 0, fmt.Errorf("list games: %w", err)
	}
	var failed []error
	for _, id := range tables {
		ch, _, err := h.Store.Events(ctx, id, 0)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		one := req
		one.Channel, one.Table, one.ID = ch, id, req.ID+":"+strconv.FormatUint(uint64(id), 10)
		reply, err := h.change(ctx, one, always(a))
		failed = append(failed, err)
		if err == nil && !reply.Refused {
			done++
		}
	}
	return done, errors.Join(failed...)
}

// parseUntil reads a day, as the first moment of it in a zone, or a number of
// days from now.
func parseUntil(text string, now time.Time, zone *time.Location) (time.Time, bool) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.ToLower(text), "until "))
	for _, suffix := range []string{" days", " day", "d"} {
		if days, cut := strings.CutSuffix(text, suffix); cut {
			text = days
			break
		}
	}
	if n, err := strconv.Atoi(text); err == nil {
		if n < 1 || n > 366 {
			return time.Time{}, n > 366 && n < 1e6
		}
		return now.In(zone).AddDate(0, 0, n).UTC(), true
	}
	for _, layout := range []string{"2006-01-02", "2 Jan 2006", "2 January 2006", "Jan 2 2006", "January 2 2006"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at.UTC(), true
		}
	}
	for _, layout := range []string{"2 Jan", "2 January", "Jan 2", "January 2"} {
		// The year is the one that makes it a day to come. 29 February is a day
		// of 2000, and of the next leap year.
		at, err := time.ParseInLocation(layout+" 2006", text+" 2000", zone)
		if err != nil {
			continue
		}
		for year := now.In(zone).Year(); ; year++ {
			day := time.Date(year, at.Month(), at.Day(), 0, 0, 0, 0, zone)
			if day.Day() == at.Day() && day.After(now) {
				return day.UTC(), true
			}
		}
	}
	return time.Time{}, false
}
