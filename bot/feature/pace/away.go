package pace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// awayDays is the number of days a year that players may be away unless the place sets
// another limit.
const awayDays = 30

// awayAllowance returns how long a year players may be away in a channel's games.
func (f *Feature) awayAllowance(ctx context.Context, ch bot.ChannelID) (time.Duration, error) {
	days, err := f.desk.Rule(ctx, ch, "away")
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(days)
	return time.Duration(n) * 24 * time.Hour, err
}

// goAway stops a player's clocks until a date, or starts them again.
func (f *Feature) goAway(ctx context.Context, req bot.Request) (bot.Reply, error) {
	settings, err := f.person(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	zone := settings.ZoneFor(req)
	now := f.desk.Now()
	said := strings.ToLower(req.Args["until"])
	switch said {
	case "":
		return f.awayNow(ctx, req, zone)
	case "back", "off", "end":
		return f.endAbsence(ctx, req)
	}
	until, ok := parseUntil(said, now, zone)
	if !ok {
		return words.Refuse(text.Say("I can't read {typed} as a time. Type a number of days, like {days}, or the day you'll be back: {day}.", text.Code(text.Shorten(said, bot.MaxName)), text.Code("/away 10"), text.Code("/away 2026-08-24"))), nil
	}
	if !until.After(now) {
		return words.Refuse(text.Say("That day has passed. Type the day you'll be back: {away}.", text.Code("/away "+now.In(zone).AddDate(0, 0, 7).Format("2006-01-02")))), nil
	}
	if until.After(now.AddDate(1, 0, 0)) {
		return words.Refuse(text.Say("That's too far ahead. Choose a day within a year.")), nil
	}
	ids, err := f.desk.Identities(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	allowed, err := f.awayAllowance(ctx, req.Channel)
	if err != nil {
		return bot.Reply{}, err
	}
	var used time.Duration
	err = f.changeAway(ctx, ids, func(s *storedAway) bool {
		if n := len(s.Spans); n > 0 && s.Spans[n-1].Request == req.ID {
			until = s.Spans[n-1].Until // the request is a repeat
		} else {
			s.cut(now)
			s.Spans = append(s.Spans, storedLeave{From: now, Until: until, Request: req.ID})
		}
		used = s.mostUsed(now, zone)
		return used <= allowed
	})
	if err != nil {
		return bot.Reply{}, err
	}
	if short := used - allowed; short > 0 {
		return words.Refuse(text.Say("You can be away for {days, plural, one {# day} other {# days}} a year, and that would be {more, plural, one {# day} other {# days}} too many. Choose an earlier day.", int(allowed/(24*time.Hour)), int((short+24*time.Hour-1)/(24*time.Hour)))), nil
	}
	games, others, err := f.applyToGames(ctx, req, ids, game.GoAway{Until: until}, func(ch bot.ChannelID) (bool, error) {
		allowed, err := f.awayAllowance(ctx, ch)
		return used <= allowed, err
	})
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: awayText(until, games, others)}, nil
}

// awayText confirms an absence. games counts those where the clock stopped, and others
// those where it keeps running.
func awayText(until time.Time, games, others int) text.Text {
	t := text.Say("You're away until {time}.", words.Clock(until))
	if games > 0 {
		t = text.Sentences(t, text.Say("Your clocks are paused in {n, plural, one {# game} other {# games}}. Your opponents have been told.", games))
	} else if others == 0 {
		t = text.Sentences(t, text.Say("You have no games running. If one starts while you're away, its clock waits for you."))
	}
	if others > 0 {
		t = text.Sentences(t, text.Say("In {n, plural, one {# game} other {# games}} elsewhere your clocks keep running, because you can't be away for so long there.", others))
	}
	return text.Sentences(t, text.Say("{back} ends it. Making a move ends it for that game.", text.Code("/away back")))
}

// awayNow answers whether the player is away, and how many days they have left.
func (f *Feature) awayNow(ctx context.Context, req bot.Request, zone *time.Location) (bot.Reply, error) {
	s, _, err := f.away.Get(ctx, shelf.Person(req.User.ID))
	if err != nil {
		return bot.Reply{}, err
	}
	allowed, err := f.awayAllowance(ctx, req.Channel)
	if err != nil {
		return bot.Reply{}, err
	}
	now := f.desk.Now()
	year := now.In(zone).Year()
	left := max(0, allowed-s.usedIn(year, zone)) / (24 * time.Hour)
	rest := text.Say("You have {n, plural, one {# day} other {# days}} of {year} left to be away.", int(left), year)
	t := text.Say("You aren't away. {away} pauses your clocks for ten days.", text.Code("/away 10"))
	if until, away := s.endOfAbsence(now); away {
		t = text.Say("You're away until {time}. {back} ends it.", words.Clock(until), text.Code("/away back"))
	}
	return bot.Reply{Text: text.Sentences(t, rest)}, nil
}

// endAbsence ends the player's absence.
func (f *Feature) endAbsence(ctx context.Context, req bot.Request) (bot.Reply, error) {
	ids, err := f.desk.Identities(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	now, was := f.desk.Now(), false
	err = f.changeAway(ctx, ids, func(s *storedAway) bool {
		_, away := s.endOfAbsence(now)
		was = was || away
		s.cut(now)
		return true
	})
	if err != nil {
		return bot.Reply{}, err
	}
	games, _, err := f.applyToGames(ctx, req, ids, game.ComeBack{}, func(bot.ChannelID) (bool, error) { return true, nil })
	if err != nil {
		return bot.Reply{}, err
	}
	if games == 0 && !was {
		return bot.Reply{Text: text.Say("You weren't away. {away} pauses your clocks for ten days.", text.Code("/away 10"))}, nil
	}
	t := text.Say("Welcome back.")
	if games > 0 {
		t = text.Sentences(t, text.Say("Your clocks are running again in {n, plural, one {# game} other {# games}}.", games))
	}
	return bot.Reply{Text: t}, nil
}

// changeAway changes the absences of all the identities of a player. If change returns
// false for one, it changes none.
func (f *Feature) changeAway(ctx context.Context, ids []game.PlayerID, change func(*storedAway) (keep bool)) error {
	return f.own.Change(ctx, func(tx shelf.Tx) error {
		rows := f.away.In(tx)
		all := make([]storedAway, len(ids))
		var err error
		for i, who := range ids {
			if all[i], _, err = rows.Get(shelf.Person(who)); err != nil {
				return err
			}
			if !change(&all[i]) {
				return nil
			}
			all[i].V = 1
		}
		for i, who := range ids {
			if err := rows.Put(shelf.Person(who), all[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// applyToGames runs an action for a player, under each identity, in each of their games for
// which wanted returns true. It counts the games where it was done and those where it
// wasn't wanted. An error in one game doesn't stop the others.
func (f *Feature) applyToGames(ctx context.Context, req bot.Request, ids []game.PlayerID, a game.Action, wanted func(bot.ChannelID) (bool, error)) (done, not int, err error) {
	var failed []error
	for i, who := range ids {
		tables, err := f.desk.TablesOf(ctx, who)
		if err != nil {
			return done, not, fmt.Errorf("list games: %w", err)
		}
		for _, id := range tables {
			t, err := feature.LoadTable(ctx, f.desk, id)
			ch := t.Channel
			if err != nil {
				failed = append(failed, err)
				continue
			}
			if wanted, err := wanted(ch); err != nil || !wanted {
				failed = append(failed, err)
				not++
				continue
			}
			one := req
			one.Channel, one.Table, one.ID = ch, id, req.ID+":"+strconv.FormatUint(uint64(id), 10)
			if i > 0 { // a game's log mustn't contain a player's other identities
				one.User, one.ID = bot.User{ID: who, Name: req.User.Name}, fmt.Sprintf("%s:%d", one.ID, i)
			}
			reply, err := f.desk.Change(ctx, one, feature.Always(a))
			failed = append(failed, err)
			if err == nil && !reply.Refused {
				done++
			}
		}
	}
	return done, not, errors.Join(failed...)
}

// leaveKind is the kind of the timers that check whether players who have just joined a
// game are away.
const leaveKind = "leave"

// leaveTimers returns the timer that marks absent players as away when a game begins or a
// seat is taken over.
func leaveTimers(before, after game.State, done []game.Event) []bot.Timer {
	begins := before.Phase != game.Playing && after.Phase == game.Playing
	for _, e := range done {
		_, adopts := e.Fact.(game.Adopted)
		begins = begins || adopts
	}
	if _, waits := after.AbandonedAt(); !begins || !waits {
		return nil // such a game doesn't wait for single players
	}
	return []bot.Timer{{At: done[len(done)-1].At, Kind: leaveKind, Number: after.Number}}
}

// sendAway marks absent players of a table as away there, even in games that began after they had
// left.
func (f *Feature) sendAway(ctx context.Context, timer bot.Timer) error {
	t, err := feature.LoadTable(ctx, f.desk, timer.Table)
	if err != nil {
		return err
	}
	allowed, err := f.awayAllowance(ctx, timer.Channel)
	if err != nil {
		return err
	}
	for _, i := range t.Active() {
		who := t.Seats[i].Person
		s, _, err := f.away.Get(ctx, shelf.Person(who.ID))
		if err != nil {
			return err
		}
		settings, err := f.person(ctx, who.ID)
		if err != nil {
			return err
		}
		now := f.desk.Now()
		until, away := s.endOfAbsence(now)
		if !away || s.mostUsed(now, settings.Location()) > allowed {
			continue
		}
		req := bot.Request{ID: fmt.Sprintf("%s%d:%d:%d", feature.TimerCause, timer.Table, timer.ID, i), Channel: timer.Channel, Table: timer.Table, User: who}
		if err := f.desk.Update(ctx, req.Channel, req.ID, func(r *feature.Room) error {
			_, err := r.Do(req, func(now table.Table) (game.Action, error) {
				// a move since then shows that the player is there
				if seat, ok := now.SeatOf(who.ID); !ok || hasMovedSince(now, seat, timer.Number) {
					return nil, words.OutOfDate()
				}
				return game.GoAway{Until: until}, nil
			})
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// hasMovedSince reports whether a seat has moved since the table had n events.
func hasMovedSince(t table.Table, seat, n int) bool {
	return slices.ContainsFunc(t.Events[min(n, len(t.Events)):], func(e game.Event) bool {
		switch f := e.Fact.(type) {
		case game.Played:
			return f.Seat == seat
		case game.Exchanged:
			return f.Seat == seat
		case game.Passed:
			return f.Seat == seat
		}
		return false
	})
}

// farthestDays is the largest number of days that is still read as one. Absences are shorter.
const farthestDays = 999_999

// parseUntil parses a date, as its first moment in a zone, or a number of days from now, up to
// farthestDays.
func parseUntil(text string, now time.Time, zone *time.Location) (time.Time, bool) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.ToLower(text), "until "))
	for _, suffix := range []string{" days", " day", "d"} {
		if days, cut := strings.CutSuffix(text, suffix); cut {
			text = days
			break
		}
	}
	if n, err := strconv.Atoi(text); err == nil {
		if n < 1 || n > farthestDays {
			return time.Time{}, false
		}
		return now.In(zone).AddDate(0, 0, n).UTC(), true
	}
	for _, layout := range []string{"2006-01-02", "2 Jan 2006", "2 January 2006", "Jan 2 2006", "January 2 2006"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at.UTC(), true
		}
	}
	for _, layout := range []string{"2 Jan", "2 January", "Jan 2", "January 2"} {
		// Choose the year that puts the day in the future. The year 2000 parses 29
		// February, which then falls in the next leap year.
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

// awayDaysToSet returns the suggested values of the setting "away".
func awayDaysToSet(settings.Has, bot.Request) (all []bot.Choice) {
	for _, n := range []int{0, 7, 14, 21, 30, 45, 60, 90, 366} {
		all = append(all, bot.Choice{Value: strconv.Itoa(n), Label: text.Say("{n, plural, one {# day} other {# days}} a year", n)})
	}
	return all
}
