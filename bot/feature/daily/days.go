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
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
)

// The kinds of timers and posts.
const (
	dayKind   = "daily"       // timer: a day ends and the next begins; post: the day's message
	countKind = "daily-count" // the day's message shows how many people have played by now
)

// quietDays is the number of days without players after which the place is asked whether to go on.
const quietDays = 7

// preferences reads the settings that the feature needs.
type preferences interface {
	Of(ctx context.Context, who game.PlayerID) (settings.Person, error)
	// OpenChannel returns the parent channel of a thread, or the channel itself.
	OpenChannel(ctx context.Context, ch bot.ChannelID) (bot.ChannelID, error)
}

// A calendar tracks the days of places: which one is open, when it ends and how it went.
type calendar struct {
	desk     feature.Desk
	settings preferences
	own      *shelf.Owner
	places   *shelf.Shelf[shelf.Channel, placeRow]
	days     *shelf.Shelf[dayKey, dayRow]
	answers  *shelf.Shelf[answerKey, answerRow]
	boards   *boards
	open     recent[struct{}, []boardID]
	closing  recent[boardID, time.Time]
}

// wake sets a timer for a channel. Repeated calls for the same time set it once.
func wake(ctx context.Context, d feature.Desk, ch bot.ChannelID, kind string, number int, at time.Time) error {
	return feature.Once(ctx, d, ch, fmt.Sprintf("%s:%d:%d", kind, number, at.UnixMilli()), func(r *feature.Room) {
		r.Timer(bot.Timer{At: at, Kind: kind, Number: number})
	})
}

// zoneOf returns a place's time zone: the one set there, else that of the person who set the hour,
// else UTC.
func (c *calendar) zoneOf(ctx context.Context, ch bot.ChannelID, p placeRow) (*time.Location, error) {
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

// turn closes a place's day if it is over and begins the next. It can be called at any time and
// repeatedly. If the day is still open, turn makes sure that it is announced.
func (c *calendar) turn(ctx context.Context, ch bot.ChannelID) error {
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
	if p.Day == 0 { // skip a first day that would be too short
		if begins := openingTime(latestDay(now, p.Hour, zone)+1, p.Hour, zone); begins.Sub(now) < shortest {
			return wake(ctx, c.desk, ch, dayKind, 0, begins)
		}
	}
	was := p
	closed, err := c.loadClosed(ctx, ch, &p)
	if err != nil {
		return err
	}
	list, err := c.boards.listOf(ctx, ch)
	if err != nil {
		return err
	}
	if _, err := c.boards.latestFrom(ctx); err != nil { // decide this before the host has its first day
		return err
	}
	d, ends := nextDay(now, p.Day, p.Hour, zone)
	begun := dayRow{V: 1, List: list.Name, Hash: list.Hash, Opens: now, Ends: ends, First: p.Day == 0}
	p.Asleep = p.Quiet >= quietDays
	begun.Asks = p.Asleep
	p.Day, p.Ends = d, ends
	err = c.keep(ctx, ch, was, p, closed, begun)
	if errors.Is(err, errChanged) {
		return c.turn(ctx, ch) // another host was faster, or the settings have changed
	}
	if err != nil {
		return err
	}
	c.open.forget()
	if was.Day == 0 {
		c.closing.forget()
	}
	if _, err := c.boards.board(ctx, boardID{begun.List, begun.Hash, d}); err != nil { // warm the cache for the first player
		c.desk.Log().Warn("can't make a daily board", "day", int(d), "list", begun.List, "err", err)
	}
	return c.announce(ctx, ch, d, ends)
}

// keep stores that a place's day was closed and the next has begun. It returns errChanged if the
// place has changed meanwhile.
func (c *calendar) keep(ctx context.Context, ch bot.ChannelID, was, now placeRow, closed, begun dayRow) error {
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

// errChanged is returned if a row has changed since it was read.
var errChanged = errors.New("the row was changed meanwhile")

// announce queues the message of a day and the timer for its end, once.
func (c *calendar) announce(ctx context.Context, ch bot.ChannelID, d puzzle.Day, ends time.Time) error {
	day, had, err := c.days.Get(ctx, keyOfDay(ch, d))
	if err != nil || !had || !day.Posted.IsZero() {
		return err
	}
	_, waits, err := c.answerOf(ctx, ch, d)
	if err != nil {
		return err
	}
	return feature.Once(ctx, c.desk, ch, fmt.Sprintf("%s:%d", dayKind, d), func(r *feature.Room) {
		if waits.day > 0 && waits.closes.Before(ends) {
			r.Timer(bot.Timer{At: waits.closes, Kind: countKind, Number: int(d)})
		}
		r.Post(bot.Post{From: int(d), To: int(d), Kind: dayKind, At: day.Opens})
		if !day.Asks {
			r.Timer(bot.Timer{At: ends, Kind: dayKind, Number: int(d)})
		}
	})
}

// loadClosed returns the row of a place's latest day, marked as over, and counts quiet days in p.
func (c *calendar) loadClosed(ctx context.Context, ch bot.ChannelID, p *placeRow) (dayRow, error) {
	if p.Day == 0 {
		return dayRow{}, nil
	}
	day, _, err := c.days.Get(ctx, keyOfDay(ch, p.Day))
	if err != nil {
		return day, err
	}
	all, err := answersOf(ctx, c.answers, ch, p.Day)
	if err != nil {
		return day, err
	}
	day.Over, day.Played = true, len(all)
	switch {
	case day.Asks:
		day.Excuse = asked
	case day.Posted.IsZero():
		day.Excuse = unposted
	case c.boards.list(day.List, day.Hash) == nil:
		day.Excuse = listGone
	}
	switch {
	case len(all) > 0:
		p.Quiet = 0
	case day.Excuse == "": // people could have played, but nobody did
		p.Quiet++
	}
	return day, nil
}

// countedDays returns a function that reports whether a day that a person missed counts in a place. A
// day without a posted board doesn't. Read errors are added to failed.
func (c *calendar) countedDays(ctx context.Context, ch bot.ChannelID, failed *error) func(puzzle.Day) bool {
	return func(d puzzle.Day) bool {
		day, _, err1 := c.days.Get(ctx, keyOfDay(ch, d))
		p, _, err2 := c.places.Get(ctx, shelf.Channel(ch))
		*failed = errors.Join(*failed, err1, err2)
		return p.counts(day)
	}
}

// counts reports whether a day that a person missed counts in a place.
func (p placeRow) counts(day dayRow) bool {
	if day.Over {
		return day.Excuse == ""
	}
	return p.Day == 0 // a place with boards had none on that day
}

// recordPosted records that a day's message has arrived.
func (c *calendar) recordPosted(ctx context.Context, post bot.Post) error {
	now := c.desk.Now().UTC()
	return c.days.Change(ctx, keyOfDay(post.Channel, puzzle.Day(post.To)), func(day *dayRow) (keep bool, err error) {
		if day.V > 0 && day.Posted.IsZero() && !day.Over {
			day.Posted = now
		}
		return day.V > 0, nil
	})
}

// refresh queues an edit of a day's message, if it has one.
func (c *calendar) refresh(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, c.desk, timer, func(r *feature.Room) error {
		r.Post(bot.Post{From: timer.Number, To: timer.Number, Kind: countKind, At: timer.At})
		return nil
	})
}

// A today is the board of a place's day, which a request is about.
type today struct {
	place  bot.ChannelID
	posted bool // whether the place posts boards
	day    puzzle.Day
	dayRow
	closes time.Time // when the answer may be revealed; zero if [calendar.closes] wasn't called
}

// boardID returns the board's identity.
func (t today) boardID() boardID { return boardID{t.List, t.Hash, t.day} }

// today returns the board that a request is about, and when its answer may be revealed.
func (c *calendar) today(ctx context.Context, req bot.Request, p playerRow) (t today, err error) {
	if t, err = c.openDay(ctx, req, p); err == nil {
		t.closes, err = c.closes(ctx, t.boardID())
	}
	return t, err
}

// openDay returns the open day of the request's channel, else of the place where the person played
// last, else the channel's own day, which runs from midnight to midnight in UTC.
func (c *calendar) openDay(ctx context.Context, req bot.Request, p playerRow) (t today, err error) {
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
			continue // the first day is yet to come, or the place is asleep
		}
		day, _, err := c.days.Get(ctx, keyOfDay(at, place.Day))
		return today{place: at, posted: true, day: place.Day, dayRow: day}, err
	}
	now := c.desk.Now().UTC()
	d := puzzle.DayOf(now)
	day, had, err := c.days.Get(ctx, keyOfDay(ch, d))
	if err == nil && (!had || !now.Before(day.Ends)) {
		list, failed := c.boards.listOf(ctx, ch)
		day, err = dayRow{V: 1, List: list.Name, Hash: list.Hash, Opens: d.Date(), Ends: d.Date().AddDate(0, 0, 1)}, failed
	}
	return today{place: ch, day: d, dayRow: day}, err
}

// boardBefore returns a place's latest day before d if that day is over and had a board, else a zero
// today.
func (c *calendar) boardBefore(ctx context.Context, ch bot.ChannelID, d puzzle.Day) (today, error) {
	for back := puzzle.Day(1); back <= 2*quietDays; back++ {
		day, had, err := c.days.Get(ctx, keyOfDay(ch, d-back))
		if err != nil {
			return today{}, err
		}
		if had {
			if day.Asks || !day.Over {
				return today{}, nil
			}
			return today{place: ch, posted: true, day: d - back, dayRow: day}, nil
		}
	}
	return today{}, nil
}

// hasBegun reports whether a day has begun anywhere.
func (c *calendar) hasBegun(ctx context.Context, d puzzle.Day) (begun bool, err error) {
	begun = d <= puzzle.DayOf(c.desk.Now().UTC())
	err = c.places.Each(ctx, func(_ shelf.Channel, p placeRow) error {
		begun = begun || p.On && p.Day >= d
		return nil
	})
	return begun, err
}

// longestApart limits how many days after its own date a board can still be open somewhere. Days
// can begin at any hour in any zone, and one may last as long as two.
const longestApart = 4

// closes returns when a board is no longer open anywhere: neither in a place that posts it nor for
// people who play alone, whose days end at midnight in UTC. From then on its answer may be
// revealed.
func (c *calendar) closes(ctx context.Context, w boardID) (time.Time, error) {
	now, last := c.desk.Now(), w.day.Date().AddDate(0, 0, 1)
	if w.day+longestApart < puzzle.DayOf(now.UTC()) {
		return last, nil
	}
	return c.closing.asOf(now, w, func() (time.Time, error) {
		err := c.places.Each(ctx, func(at shelf.Channel, p placeRow) error {
			ch := bot.ChannelID(at)
			if !p.On || p.Asleep || p.Day > w.day {
				return nil
			}
			if p.Day == w.day {
				day, _, err := c.days.Get(ctx, keyOfDay(ch, p.Day))
				if err == nil && day.List == w.list && day.Form == "" && p.Ends.After(last) {
					last = p.Ends
				}
				return err
			}
			list, err := c.boards.listOf(ctx, ch)
			if err != nil || list.Name != w.list {
				return err
			}
			zone, err := c.zoneOf(ctx, ch, p)
			if ends := openingTime(w.day+1, p.Hour, zone); err == nil && ends.After(last) {
				last = ends
			}
			return err
		})
		return last, err
	})
}

// answerOf returns a place's latest day before d whose answer may be revealed. If a later day is
// over here but its board is still open elsewhere, waits is that day.
func (c *calendar) answerOf(ctx context.Context, ch bot.ChannelID, d puzzle.Day) (t, waits today, err error) {
	for {
		if t, err = c.boardBefore(ctx, ch, d); err != nil || t.day == 0 || t.Form != "" {
			return t, waits, err
		}
		if t.closes, err = c.closes(ctx, t.boardID()); err != nil || !c.desk.Now().Before(t.closes) {
			return t, waits, err
		}
		if d = t.day; waits.day == 0 {
			waits = t
		}
	}
}

// A recent caches values by key for a minute.
type recent[K comparable, V any] struct {
	mu    sync.Mutex
	until time.Time
	found map[K]V
}

// openFor limits how long a recent keeps its values.
const openFor = time.Minute

func (r *recent[K, V]) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until = time.Time{}
}

// asOf returns the cached value for k, or else the result of find.
func (r *recent[K, V]) asOf(now time.Time, k K, find func() (V, error)) (V, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !now.Before(r.until) {
		r.until, r.found = now.Add(openFor), map[K]V{}
	}
	v, had := r.found[k]
	if had {
		return v, nil
	}
	v, err := find()
	if err == nil {
		r.found[k] = v
	}
	return v, err
}

// openBoards lists the boards that are open in at least one place.
func (c *calendar) openBoards(ctx context.Context) ([]boardID, error) {
	now := c.desk.Now()
	return c.open.asOf(now, struct{}{}, func() (all []boardID, err error) {
		err = c.places.Each(ctx, func(ch shelf.Channel, p placeRow) error {
			if !p.On || p.Day == 0 || !now.Before(p.Ends) {
				return nil
			}
			day, had, err := c.days.Get(ctx, shelf.Both(ch, dayMark(p.Day)))
			if b := (boardID{day.List, day.Hash, p.Day}); err == nil && had && day.Form == "" && !slices.Contains(all, b) {
				all = append(all, b)
			}
			return err
		})
		return all, err
	})
}
