package daily

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
)

// The kinds of what is due and what is posted.
const (
	dayKind   = "daily"       // a day ends and the next begins; its message
	countKind = "daily-count" // the message says how many have played by now
)

// quietDays is after how many days that nobody played a place is asked whether to go on.
const quietDays = 7

// zoneOf is a place's time zone: what is set there, else that of whoever set the hour.
func (f *Feature) zoneOf(ctx context.Context, ch bot.ChannelID, p Place) (*time.Location, error) {
	name, err := f.desk.Rule(ctx, ch, settings.Zone)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{name, p.Zone} {
		if zone, ok := settings.ZoneNamed(name); ok {
			return zone, nil
		}
	}
	return time.UTC, nil
}

// turn closes the day of a place that is over, and begins the next. It can be done at any
// time, and again: where nothing is to be done it sees to it that the day is announced.
func (f *Feature) turn(ctx context.Context, ch bot.ChannelID) error {
	if err := f.isHere(ctx, false); err != nil {
		return err
	}
	p, _, err := f.places.Get(ctx, shelf.Channel(ch))
	if err != nil || !p.On || p.Asleep {
		return err
	}
	now := f.desk.Now().UTC()
	if p.Day > 0 && now.Before(p.Ends) {
		return f.announce(ctx, ch, p.Day, p.Ends)
	}
	zone, err := f.zoneOf(ctx, ch, p)
	if err != nil {
		return err
	}
	if p.Day == 0 { // a first day that would be short isn't worth it
		if begins := opens(p.Form.First(latest(now, p.Hour, zone))+puzzle.Day(p.Form.Days()), p.Hour, zone); begins.Sub(now) < shortest {
			return f.wake(ctx, ch, dayKind, 0, begins)
		}
	}
	was := p
	closed, err := f.closed(ctx, ch, &p)
	if err != nil {
		return err
	}
	list, err := f.listOf(ctx, ch)
	if err != nil {
		return err
	}
	d, ends := next(now, p.Day, p.Hour, zone, p.Form)
	if d == 0 { // the first week begins on a Monday
		return f.wake(ctx, ch, dayKind, 0, ends)
	}
	begun := Day{V: 1, Form: p.Form, List: list.Name, Hash: list.Hash, Opens: now, Ends: ends, First: p.Day == 0}
	p.Asleep = p.Quiet >= quietDays
	begun.Asks = p.Asleep
	p.Day, p.Ends = d, ends
	err = f.own.Change(ctx, func(tx shelf.Tx) error {
		places, days := f.places.In(tx), f.days.In(tx)
		if there, _, err := places.Get(shelf.Channel(ch)); err != nil || there != was {
			return errors.Join(err, errChanged)
		}
		if was.Day > 0 {
			if err := days.Put(keyOfDay(ch, was.Day), closed); err != nil {
				return err
			}
		}
		if err := places.Put(shelf.Channel(ch), p); err != nil {
			return err
		}
		return days.Put(keyOfDay(ch, d), begun)
	})
	if errors.Is(err, errChanged) {
		return f.turn(ctx, ch) // another host was faster, or somebody has set something
	}
	if err != nil {
		return err
	}
	f.open.forget()
	if _, err := f.board(ctx, which{begun.Form, begun.List, begun.Hash, d}); err != nil { // so that whoever asks first needn't wait for it
		f.desk.Log().Warn("can't make a daily board", "day", int(d), "list", begun.List, "err", err)
	}
	return f.announce(ctx, ch, d, ends)
}

// errChanged says that a row has changed since it was read.
var errChanged = errors.New("somebody has changed that meanwhile")

// announce queues the message of a day and the timer of its end, once.
func (f *Feature) announce(ctx context.Context, ch bot.ChannelID, d puzzle.Day, ends time.Time) error {
	day, had, err := f.days.Get(ctx, keyOfDay(ch, d))
	if err != nil || !had || !day.Posted.IsZero() {
		return err
	}
	return f.desk.Update(ctx, ch, fmt.Sprintf("%s:%d", dayKind, d), func(r *feature.Room) error {
		if r.Receipt() == nil {
			r.Post(bot.Post{From: int(d), To: int(d), Kind: dayKind, At: day.Opens})
			if !day.Asks {
				r.Timer(bot.Timer{At: ends, Kind: dayKind, Number: int(d)})
			}
		}
		return nil
	})
}

// closed is the row of a place's latest day, which is over. It counts the place's streak.
func (f *Feature) closed(ctx context.Context, ch bot.ChannelID, p *Place) (Day, error) {
	if p.Day == 0 {
		return Day{}, nil
	}
	day, _, err := f.days.Get(ctx, keyOfDay(ch, p.Day))
	if err != nil {
		return day, err
	}
	all, err := f.answersOf(ctx, ch, p.Day)
	if err != nil {
		return day, err
	}
	away, err := f.wasAway(ctx, day.Opens, day.Ends)
	if err != nil {
		return day, err
	}
	day.Over, day.Played, day.Excuse = true, len(all), excuse(day, away, f.boards.list(day.List, day.Hash) == nil)
	p.Streak = p.Streak.day(len(all), p.Ever, day.Excuse == "")
	day.Streak = p.Streak.Run
	switch {
	case len(all) > 0:
		p.Quiet = 0
	case day.Excuse == "": // they could have played
		p.Quiet += day.Form.Days()
	}
	return day, nil
}

// excuse is why a day counts for nobody, "" where it does.
func excuse(day Day, wasAway time.Duration, gone bool) string {
	switch {
	case day.Asks:
		return asked
	case day.Posted.IsZero():
		return unposted
	case wasAway >= tooLong:
		return away
	case gone:
		return listGone
	}
	return ""
}

// counts reports whether a day that somebody missed counts in a place.
func (f *Feature) counts(ctx context.Context, ch bot.ChannelID, failed *error) func(puzzle.Day) bool {
	return func(d puzzle.Day) bool {
		day, had, err := f.days.Get(ctx, keyOfDay(ch, d))
		if err != nil {
			*failed = errors.Join(*failed, err)
			return false
		}
		if had && day.Over {
			return day.Excuse == ""
		}
		p, _, err := f.places.Get(ctx, shelf.Channel(ch))
		if err != nil {
			*failed = errors.Join(*failed, err)
			return false
		}
		if p.Day > 0 {
			return false // it was posted there, and that day it wasn't
		}
		midnight := d.Date()
		away, err := f.wasAway(ctx, midnight, midnight.AddDate(0, 0, 1))
		*failed = errors.Join(*failed, err)
		return away < tooLong
	}
}

// listOf is the word list that a place's boards are played with.
func (f *Feature) listOf(ctx context.Context, ch bot.ChannelID) (id game.LexiconID, err error) {
	name, err := f.desk.Rule(ctx, ch, "lexicon")
	if err != nil {
		return id, err
	}
	lists := f.desk.Lists()
	for _, name := range []string{name, lists.UsualLexicon(ch.Platform())} {
		if l := lists.Lexicon(game.LexiconID{Name: name}, lists.TilesOf(name)); l != nil {
			return game.LexiconID{Name: l.Name(), Hash: l.Hash()}, nil
		}
	}
	return id, fmt.Errorf("there is no word list %s", name)
}

// dayPosted notes that a day's message has arrived.
func (f *Feature) dayPosted(ctx context.Context, post bot.Post) error {
	now := f.desk.Now().UTC()
	return f.days.Change(ctx, keyOfDay(post.Channel, puzzle.Day(post.To)), func(day *Day) (keep bool, err error) {
		if day.V > 0 && day.Posted.IsZero() && !day.Over {
			day.Posted = now
		}
		return day.V > 0, nil
	})
}

// recount queues a change of a day's message, if there is one to change.
func (f *Feature) recount(ctx context.Context, timer bot.Timer) error {
	cause := fmt.Sprintf("%s%d:%d", feature.TimerCause, timer.Table, timer.ID)
	return f.desk.Update(ctx, timer.Channel, cause, func(r *feature.Room) error {
		if r.Receipt() == nil {
			r.Post(bot.Post{From: timer.Number, To: timer.Number, Kind: countKind, At: timer.At})
		}
		return nil
	})
}
