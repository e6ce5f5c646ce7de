package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// A watched database records its changes in the metrics, and reports damaged rows of adapters:
// rows that begin like JSON and aren't.
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

// Trouble lists the problems with the stored data found so far.
func (w watched) Trouble() []error {
	return append(w.database.Trouble(), w.figures.broken.Trouble()...)
}

// checkRow returns an error if a row begins like JSON and isn't. A data file keeps a
// checksum of each row, but PostgreSQL doesn't.
func checkRow(adapter, shelf, key string, value []byte) error {
	if len(value) == 0 || value[0] != '{' && value[0] != '[' || json.Valid(value) {
		return nil
	}
	return fmt.Errorf("read %s %q of %s: %w", shelf, key, adapter, json.Unmarshal(value, new(any)))
}

// Notes returns the notes of an adapter, watched as well.
func (w watched) Notes(adapter string) bot.Notes {
	return watchedNotes{w.database.Notes(adapter), adapter, w.figures}
}

// A watchedNotes value records its changes in the metrics, and the broken rows that are read.
type watchedNotes struct {
	bot.Notes
	adapter string
	figures *figures
}

// watch records a row that was read if it is broken.
func (w watchedNotes) watch(shelf, key string, value []byte) {
	if w.adapter == hostNotes {
		return // the host decodes its rows itself; see Host.Broken
	}
	if err := checkRow(w.adapter, shelf, key, value); err != nil {
		w.figures.broken.Note(err)
	}
}

// watchAll records the broken rows among the values of some keys that were read.
func (w watchedNotes) watchAll(shelf string, keys []string, values [][]byte) {
	for i, value := range values {
		w.watch(shelf, keys[i], value)
	}
}

// watchRows records the broken rows among some that were read.
func (w watchedNotes) watchRows(shelf string, rows []bot.Row) {
	for _, row := range rows {
		w.watch(shelf, row.Key, row.Value)
	}
}

// Get returns a value.
func (w watchedNotes) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	value, err := w.Notes.Get(ctx, shelf, key)
	w.watch(shelf, key, value)
	return value, err
}

// GetAll returns the values of several keys.
func (w watchedNotes) GetAll(ctx context.Context, shelf string, keys ...string) ([][]byte, error) {
	values, err := w.Notes.GetAll(ctx, shelf, keys...)
	w.watchAll(shelf, keys, values)
	return values, err
}

// Scan returns rows of a shelf.
func (w watchedNotes) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	rows, err := w.Notes.Scan(ctx, shelf, prefix, after, limit)
	w.watchRows(shelf, rows)
	return rows, err
}

// Put sets a value.
func (w watchedNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	return w.figures.recordChange(ctx, "notes", func() (bool, error) { return false, w.Notes.Put(ctx, shelf, key, value) })
}

// Change changes several rows in one transaction.
func (w watchedNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return w.figures.recordChange(ctx, "notes", func() (refused bool, err error) {
		err = w.Notes.Change(ctx, func(rows bot.Rows) error {
			err := fn(watchedRows{rows, w})
			refused = err != nil
			return err
		})
		return refused, err
	})
}

// watchedRows are rows of notes in a change.
type watchedRows struct {
	bot.Rows
	notes watchedNotes
}

// Get returns a value.
func (r watchedRows) Get(shelf, key string) ([]byte, error) {
	value, err := r.Rows.Get(shelf, key)
	r.notes.watch(shelf, key, value)
	return value, err
}

// GetAll returns the values of several keys.
func (r watchedRows) GetAll(shelf string, keys ...string) ([][]byte, error) {
	values, err := r.Rows.GetAll(shelf, keys...)
	r.notes.watchAll(shelf, keys, values)
	return values, err
}

// Scan returns rows of a shelf.
func (r watchedRows) Scan(shelf, prefix, after string, limit int) ([]bot.Row, error) {
	rows, err := r.Rows.Scan(shelf, prefix, after, limit)
	r.notes.watchRows(shelf, rows)
	return rows, err
}
