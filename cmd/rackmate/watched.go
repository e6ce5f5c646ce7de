package main

import (
	"context"
	"errors"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// A watched database records its changes in the metrics.
type watched struct {
	database
	figures *figures
}

// recordChange makes a change and records the result. refused reports that the caller cancelled the
// change, which isn't a failure of the store.
func (f *figures) recordChange(ctx context.Context, kind string, change func() (refused bool, err error)) error {
	began := time.Now()
	refused, err := change()
	switch {
	case err == nil:
		f.commit(kind, began, bot.Done, nil)
	case refused, ctx.Err() != nil, errors.Is(err, bot.ErrLost), errors.Is(err, bot.ErrNoTable):
		f.commit(kind, began, bot.Refused, nil)
	default:
		f.commit(kind, began, bot.Failed, err)
	}
	return err
}

// Update changes a room.
func (w watched) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	return w.figures.recordChange(ctx, "room", func() (refused bool, err error) {
		err = w.database.Update(ctx, ch, request, func(r *bot.Room) error {
			err := fn(r)
			refused = err != nil
			return err
		})
		return refused, err
	})
}

// RemovePost removes a post.
func (w watched) RemovePost(ctx context.Context, p bot.Post) error {
	return w.figures.recordChange(ctx, "queue", func() (bool, error) { return false, w.database.RemovePost(ctx, p) })
}

// Defer postpones a post.
func (w watched) Defer(ctx context.Context, p bot.Post, until time.Time) error {
	return w.figures.recordChange(ctx, "queue", func() (bool, error) { return false, w.database.Defer(ctx, p, until) })
}

// RemoveTimers removes timers.
func (w watched) RemoveTimers(ctx context.Context, timers ...bot.Timer) error {
	return w.figures.recordChange(ctx, "queue", func() (bool, error) { return false, w.database.RemoveTimers(ctx, timers...) })
}

// Notes returns the notes of an adapter, watched as well.
func (w watched) Notes(adapter string) bot.Notes {
	return watchedNotes{w.database.Notes(adapter), w.figures}
}

// A watchedNotes value records its changes in the metrics.
type watchedNotes struct {
	bot.Notes
	figures *figures
}

// Put sets a value.
func (w watchedNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	return w.figures.recordChange(ctx, "notes", func() (bool, error) { return false, w.Notes.Put(ctx, shelf, key, value) })
}

// Change changes several rows in one transaction.
func (w watchedNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return w.figures.recordChange(ctx, "notes", func() (refused bool, err error) {
		err = w.Notes.Change(ctx, func(rows bot.Rows) error {
			err := fn(rows)
			refused = err != nil
			return err
		})
		return refused, err
	})
}
