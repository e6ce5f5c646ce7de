package daily

import (
	"context"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
)

// Every few minutes a host says that it is; where
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
	V    int       `json:"v"`
	At   time.Time `json:"at"`
	Used time.Time `json:"used,omitzero"`  // when somebody last asked for a board, within an hour
	Idle bool      `json:"idle,omitempty"` // nobody needs to know any more
}

// An Outage is a time in which no host was there, as it is stored.
type Outage struct {
	V    int       `json:"v"`
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// A watch knows when no host was there.
type watch struct {
	desk    feature.Desk
	own     *shelf.Owner
	beats   *shelf.Shelf[shelf.Mark, beat]
	outages *shelf.Shelf[shelf.Mark, Outage]
	places  *shelf.Shelf[shelf.Channel, Place]
}

// isHere says that a host is there, and notes for how long none was. used says that
// somebody asked for a board.
func (w *watch) isHere(ctx context.Context, used bool) error {
	now := w.desk.Now().UTC()
	last, had, err := w.beats.Get(ctx, beatRow)
	if err != nil || had && !last.Idle && isFresh(last, now) && (!used || now.Sub(last.Used) < time.Hour) {
		return err
	}
	if err := w.note(ctx, now, used); err != nil {
		return err
	}
	return w.again(ctx, now)
}

// isFresh reports whether a beat needn't be noted again yet.
func isFresh(last beat, now time.Time) bool { return now.Sub(last.At) < beatEvery/2 }

// note notes that a host is there, and for how long none was.
func (w *watch) note(ctx context.Context, now time.Time, used bool) error {
	return w.own.Change(ctx, func(tx shelf.Tx) error {
		rows := w.beats.In(tx)
		last, had, err := rows.Get(beatRow)
		if err != nil || had && last.At.After(now) {
			return err
		}
		if had && !last.Idle && now.Sub(last.At) > silence {
			if err := w.outages.In(tx).Put(shelf.Mark(last.At.Format(time.RFC3339)), Outage{1, last.At, now}); err != nil {
				return err
			}
		}
		next := beat{V: 1, At: now, Used: last.Used}
		if used {
			next.Used = now
		}
		return rows.Put(beatRow, next)
	})
}

// again sets the timer of the next beat.
func (w *watch) again(ctx context.Context, now time.Time) error {
	return wake(ctx, w.desk, beatChannel, beatKind, 0, now.Truncate(beatEvery).Add(beatEvery))
}

// wake sets a timer of a channel, once for a time.
func wake(ctx context.Context, d feature.Desk, ch bot.ChannelID, kind string, number int, at time.Time) error {
	return d.Update(ctx, ch, fmt.Sprintf("%s:%d:%d", kind, number, at.UnixMilli()), func(r *feature.Room) error {
		if r.Receipt() == nil {
			r.Timer(bot.Timer{At: at, Kind: kind, Number: number})
		}
		return nil
	})
}

// usedFor is for how long somebody who plays by themselves may come back and want to know.
const usedFor = 8 * 24 * time.Hour

// beat is what its timer does: it says that a host is there, and is told again, as long
// as a place has a daily board or somebody has played one lately.
func (w *watch) beat(ctx context.Context, _ bot.Timer) error {
	last, had, err := w.beats.Get(ctx, beatRow)
	if err != nil || !had || last.Idle {
		return err
	}
	now := w.desk.Now().UTC()
	if now.Sub(last.Used) > usedFor {
		wanted := false
		if err := w.places.Each(ctx, func(_ shelf.Channel, p Place) error {
			wanted = wanted || p.On
			return nil
		}); err != nil {
			return err
		}
		if !wanted {
			return w.beats.Change(ctx, beatRow, func(b *beat) (keep bool, err error) {
				b.V, b.Idle = 1, true
				return true, nil
			})
		}
	}
	if !isFresh(last, now) {
		if err := w.note(ctx, now, false); err != nil {
			return err
		}
	}
	return w.again(ctx, now)
}

// wasAway is for how long no host was there between two times.
func (w *watch) wasAway(ctx context.Context, from, to time.Time) (sum time.Duration, err error) {
	err = w.outages.Each(ctx, func(_ shelf.Mark, o Outage) error {
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
