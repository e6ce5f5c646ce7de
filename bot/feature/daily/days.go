package daily

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game/puzzle"
)

// The kinds of what is due and what is posted.
const (
	dayKind   = "daily"       // a day ends and the next begins; its message
	countKind = "daily-count" // the message says how many have played by now
)

// quietDays is after how many days that nobody played a place is asked whether to go on.
const quietDays = 7

// A calendar has the days of places: which is open, when it ends and what became of it.
type calendar struct {
	desk     feature.Desk
	settings *settings.Settings
	own      *shelf.Owner
	places   *shelf.Shelf[shelf.Channel, Place]
	days     *shelf.Shelf[dayKey, Day]
	answers  *shelf.Shelf[answerKey, Answer]
	watch    *watch
	boards   *boards
	open     openBoards
}

// zoneOf is a place's time zone: what is set there, else that of whoever set the hour.
func (c *calendar) zoneOf(ctx context.Context, ch bot.ChannelID, p Place) (*time.Location, error) {
	name, err := c.desk.Rule(ctx, ch, settings.Zone)
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
func (c *calendar) turn(ctx context.Context, ch bot.ChannelID) error {
	if err := c.watch.isHere(ctx, false); err != nil {
		return err
	}
	p, _, err := c.places.Get(ctx, shelf.Channel(ch))
	if err != nil || !p.On || p.Asleep {
		return err
	}
	now := c.desk.Now().UTC()
	if p.Day > 0 && now.Before(p.Ends) {
		return c.announce(ctx, ch, p.Day, p.Ends)
	}
	zone, err := c.zoneOf(ctx, ch, p)
	if err != nil {
		return err
	}
	if p.Day == 0 { // a first day that would be short isn't worth it
		if begins := opens(p.Form.First(latest(now, p.Hour, zone))+puzzle.Day(p.Form.Days()), p.Hour, zone); begins.Sub(now) < shortest {
			return wake(ctx, c.desk, ch, dayKind, 0, begins)
		}
	}
	was := p
	closed, err := c.closed(ctx, ch, &p)
	if err != nil {
		return err
	}
	list, err := c.boards.listOf(ctx, ch)
	if err != nil {
		return err
	}
	d, ends := next(now, p.Day, p.Hour, zone, p.Form)
	if d == 0 { // the first week begins on a Monday
		return wake(ctx, c.desk, ch, dayKind, 0, ends)
	}
	begun := Day{V: 1, Form: p.Form, List: list.Name, Hash: list.Hash, Opens: now, Ends: ends, First: p.Day == 0}
	p.Asleep = p.Quiet >= quietDays
	begun.Asks = p.Asleep
	p.Day, p.Ends = d, ends
	err = c.keep(ctx, ch, was, p, closed, begun)
	if errors.Is(err, errChanged) {
		return c.turn(ctx, ch) // another host was faster, or somebody has set something
	}
	if err != nil {
		return err
	}
	c.open.forget()
	if _, err := c.boards.board(ctx, which{begun.Form, begun.List, begun.Hash, d}); err != nil { // so that whoever asks first needn't wait for it
		c.desk.Log().Warn("can't make a daily board", "day", int(d), "list", begun.List, "err", err)
	}
	return c.announce(ctx, ch, d, ends)
}

// keep keeps that a place's day was closed and the next has begun. The error is errChanged
// where the place isn't any more as it was.
func (c *calendar) keep(ctx context.Context, ch bot.ChannelID, was, now Place, closed, begun Day) error {
	return c.own.Change(ctx, func(tx shelf.Tx) error {
		places, days := c.places.In(tx), c.days.In(tx)
		if there, _, err := places.Get(shelf.Channel(ch)); err != nil || there != was {
			return errors.Join(err, errChanged)
		}
		if was.Day > 0 {
			if err := days.Put(keyOfDay(ch, was.Day), closed); err != nil {
				return err
			}
		}
		if err := places.Put(shelf.Channel(ch), now); err != nil {
			return err
		}
		return days.Put(keyOfDay(ch, now.Day), begun)
	})
}

// errChanged says that a row has changed since it was read.
var errChanged = errors.New("somebody has changed that meanwhile")

// announce queues the message of a day and the timer of its end, once.
func (c *calendar) announce(ctx context.Context, ch bot.ChannelID, d puzzle.Day, ends time.Time) error {
	day, had, err := c.days.Get(ctx, keyOfDay(ch, d))
	if err != nil || !had || !day.Posted.IsZero() {
		return err
	}
	return c.desk.Update(ctx, ch, fmt.Sprintf("%s:%d", dayKind, d), func(r *feature.Room) error {
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
func (c *calendar) closed(ctx context.Context, ch bot.ChannelID, p *Place) (Day, error) {
	if p.Day == 0 {
		return Day{}, nil
	}
	day, _, err := c.days.Get(ctx, keyOfDay(ch, p.Day))
	if err != nil {
		return day, err
	}
	all, err := answersOf(ctx, c.answers, ch, p.Day)
	if err != nil {
		return day, err
	}
	away, err := c.watch.wasAway(ctx, day.Opens, day.Ends)
	if err != nil {
		return day, err
	}
	day.Over, day.Played, day.Excuse = true, len(all), excuse(day, away, c.boards.list(day.List, day.Hash) == nil)
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
func (c *calendar) counts(ctx context.Context, ch bot.ChannelID, failed *error) func(puzzle.Day) bool {
	return func(d puzzle.Day) bool {
		day, had, err := c.days.Get(ctx, keyOfDay(ch, d))
		if err != nil {
			*failed = errors.Join(*failed, err)
			return false
		}
		if had && day.Over {
			return day.Excuse == ""
		}
		p, _, err := c.places.Get(ctx, shelf.Channel(ch))
		if err != nil {
			*failed = errors.Join(*failed, err)
			return false
		}
		if p.Day > 0 {
			return false // it was posted there, and that day it wasn't
		}
		midnight := d.Date()
		away, err := c.watch.wasAway(ctx, midnight, midnight.AddDate(0, 0, 1))
		*failed = errors.Join(*failed, err)
		return away < tooLong
	}
}

// posted notes that a day's message has arrived.
func (c *calendar) posted(ctx context.Context, post bot.Post) error {
	now := c.desk.Now().UTC()
	return c.days.Change(ctx, keyOfDay(post.Channel, puzzle.Day(post.To)), func(day *Day) (keep bool, err error) {
		if day.V > 0 && day.Posted.IsZero() && !day.Over {
			day.Posted = now
		}
		return day.V > 0, nil
	})
}

// recount queues a change of a day's message, if there is one to change.
func (c *calendar) recount(ctx context.Context, timer bot.Timer) error {
	cause := fmt.Sprintf("%s%d:%d", feature.TimerCause, timer.Table, timer.ID)
	return c.desk.Update(ctx, timer.Channel, cause, func(r *feature.Room) error {
		if r.Receipt() == nil {
			r.Post(bot.Post{From: timer.Number, To: timer.Number, Kind: countKind, At: timer.At})
		}
		return nil
	})
}

// A today is the board that somebody's request is about: a place's open day.
type today struct {
	place  bot.ChannelID
	posted bool // it is a place where boards are posted
	day    puzzle.Day
	Day
}

// which is what there is to solve.
func (t today) which() which { return which{t.Form, t.List, t.Hash, t.day} }

// today finds the board that a request is about: that of its channel, else that of the
// place where the person played last, else the channel's own, from midnight to midnight
// in UTC.
func (c *calendar) today(ctx context.Context, req bot.Request, p Player) (t today, err error) {
	ch, err := c.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return t, err
	}
	for _, at := range []bot.ChannelID{ch, p.Place} {
		place, had, err := c.places.Get(ctx, shelf.Channel(at))
		if err != nil {
			return t, err
		}
		if !had || !place.On {
			continue
		}
		if now := c.desk.Now(); place.Day == 0 || !now.Before(place.Ends) {
			if err := c.turn(ctx, at); err != nil {
				return t, err
			}
			if place, _, err = c.places.Get(ctx, shelf.Channel(at)); err != nil {
				return t, err
			}
		}
		if place.Day == 0 || !c.desk.Now().Before(place.Ends) {
			continue // its first day is yet to come, or it is asleep
		}
		day, _, err := c.days.Get(ctx, keyOfDay(at, place.Day))
		return today{at, true, place.Day, day}, err
	}
	now := c.desk.Now().UTC()
	d := puzzle.DayOf(now)
	day, had, err := c.days.Get(ctx, keyOfDay(ch, d))
	if err == nil && (!had || !now.Before(day.Ends)) {
		list, failed := c.boards.listOf(ctx, ch)
		day, err = Day{V: 1, List: list.Name, Hash: list.Hash, Opens: d.Date(), Ends: d.Date().AddDate(0, 0, 1)}, failed
	}
	return today{ch, false, d, day}, err
}

// before is a place's latest day before another that is over and had a board.
func (c *calendar) before(ctx context.Context, ch bot.ChannelID, d puzzle.Day) (today, error) {
	for back := puzzle.Day(1); back <= 2*quietDays; back++ {
		day, had, err := c.days.Get(ctx, keyOfDay(ch, d-back))
		if err != nil {
			return today{}, err
		}
		if had {
			if day.Asks || !day.Over {
				return today{}, nil
			}
			return today{ch, true, d - back, day}, nil
		}
	}
	return today{}, nil
}

// stands reports whether a day has begun anywhere, and whether it is over everywhere.
func (c *calendar) stands(ctx context.Context, form puzzle.Form, d puzzle.Day) (begun, over bool, err error) {
	now := c.desk.Now().UTC()
	begun, over = d <= puzzle.DayOf(now), d+puzzle.Day(form.Days()) <= puzzle.DayOf(now)
	err = c.places.Each(ctx, func(_ shelf.Channel, p Place) error {
		if !p.On || p.Day == 0 {
			return nil
		}
		begun = begun || p.Day >= d
		over = over && (p.Day > d || p.Asleep || p.Day == d && !now.Before(p.Ends))
		return nil
	})
	return begun, over, err
}

// dayIn is the day that it is in a place, by its clock.
func (c *calendar) dayIn(ctx context.Context, ch bot.ChannelID, now time.Time) (puzzle.Day, error) {
	p, _, err := c.places.Get(ctx, shelf.Channel(ch))
	if err != nil {
		return 0, err
	}
	zone, err := c.zoneOf(ctx, ch, p)
	return puzzle.DayOf(now.In(zone)), err
}

// openBoards are the boards that are open somewhere, as of a moment ago.
type openBoards struct {
	mu    sync.Mutex
	until time.Time
	all   []which
}

// openFor is how long it is believed which boards are open.
const openFor = time.Minute

func (o *openBoards) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.until = time.Time{}
}

// asOf are those of a moment ago, or else as they are found now.
func (o *openBoards) asOf(now time.Time, find func() ([]which, error)) ([]which, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now.Before(o.until) {
		return o.all, nil
	}
	all, err := find()
	if err != nil {
		return nil, err
	}
	o.all, o.until = all, now.Add(openFor)
	return all, nil
}

// opened lists the boards that are open in some place.
func (c *calendar) opened(ctx context.Context) ([]which, error) {
	now := c.desk.Now()
	return c.open.asOf(now, func() (all []which, err error) {
		err = c.places.Each(ctx, func(ch shelf.Channel, p Place) error {
			if !p.On || p.Day == 0 || !now.Before(p.Ends) {
				return nil
			}
			day, had, err := c.days.Get(ctx, shelf.Both(ch, dayMark(p.Day)))
			if b := (which{day.Form, day.List, day.Hash, p.Day}); err == nil && had && !slices.Contains(all, b) {
				all = append(all, b)
			}
			return err
		})
		return all, err
	})
}
