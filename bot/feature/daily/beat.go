package daily

import (
	"context"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game/puzzle"
)

// This file knows when no host was there. Every few minutes a host says that it is; where
// it has been silent for longer, that was an outage. It is one for all hosts on a store:
// each of them can take answers.

const (
	beatEvery = 5 * time.Minute
	silence   = 2*beatEvery + time.Minute
	// tooLong is for how long in all a host can be away on a day that counts.
	tooLong = 2 * time.Hour
	// beatKind is the kind of the timers that say that a host is there. They are set in
	// a channel of their own.
	beatKind    = "daily-beat"
	beatChannel = bot.ChannelID("daily:beat")
	beatRow     = shelf.Mark("host")
)

// A beat is when a host was last there, as it is stored.
type beat struct {
	V  int       `json:"v"`
	At time.Time `json:"at"`
}

// An Outage is a time in which no host was there, as it is stored.
type Outage struct {
	V    int       `json:"v"`
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// isHere says that a host is there, and notes for how long none was. It is told again in
// a while.
func (f *Feature) isHere(ctx context.Context) error {
	now := f.desk.Now().UTC()
	last, had, err := f.beats.Get(ctx, beatRow)
	if err != nil || had && now.Sub(last.At) < beatEvery/2 {
		return err
	}
	err = f.own.Change(ctx, func(tx shelf.Tx) error {
		rows := f.beats.In(tx)
		last, had, err := rows.Get(beatRow)
		if err != nil || had && !last.At.Before(now) {
			return err
		}
		if had && now.Sub(last.At) > silence {
			if err := f.outages.In(tx).Put(shelf.Mark(last.At.Format(time.RFC3339)), Outage{1, last.At, now}); err != nil {
				return err
			}
		}
		return rows.Put(beatRow, beat{1, now})
	})
	if err != nil {
		return err
	}
	return f.wake(ctx, beatChannel, beatKind, 0, now.Truncate(beatEvery).Add(beatEvery))
}

// wake sets a timer of a channel, once for a time.
func (f *Feature) wake(ctx context.Context, ch bot.ChannelID, kind string, number int, at time.Time) error {
	return f.desk.Update(ctx, ch, fmt.Sprintf("%s:%d:%d", kind, number, at.UnixMilli()), func(r *feature.Room) error {
		if r.Receipt() == nil {
			r.Timer(bot.Timer{At: at, Kind: kind, Number: number})
		}
		return nil
	})
}

// beat is what its timer does.
func (f *Feature) beat(ctx context.Context, _ bot.Timer) error {
	if idle, err := f.idle(ctx); err != nil || idle {
		return err // nobody's day needs it
	}
	return f.isHere(ctx)
}

// idle reports whether no place has a daily board, and nobody plays one.
func (f *Feature) idle(ctx context.Context) (bool, error) {
	idle, today := true, puzzle.DayOf(f.desk.Now().UTC())
	if err := f.places.Each(ctx, func(_ shelf.Channel, p Place) error {
		idle = idle && !p.On && p.Day < today-keptBoards
		return nil
	}); err != nil || !idle {
		return idle, err
	}
	return idle, nil
}

// wasAway is for how long no host was there between two times.
func (f *Feature) wasAway(ctx context.Context, from, to time.Time) (sum time.Duration, err error) {
	err = f.outages.Each(ctx, func(_ shelf.Mark, o Outage) error {
		sum += overlap(o, from, to)
		return nil
	})
	return sum, err
}

func overlap(o Outage, from, to time.Time) time.Duration {
	if o.From.After(from) {
		from = o.From
	}
	if o.To.Before(to) {
		to = o.To
	}
	return max(0, to.Sub(from))
}
