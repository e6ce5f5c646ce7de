package bolt

import (
	"bytes"
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
)

// Notes returns the rows of one adapter.
func (d *DB) Notes(adapter string) bot.Notes {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.hints[adapter] == nil {
		d.hints[adapter] = &store.Watchers[bot.Hint]{}
	}
	return notes{d, adapter, d.hints[adapter]}
}

type notes struct {
	db      *DB
	adapter string
	*store.Watchers[bot.Hint]
}

// Tell implements [bot.Notes].
func (n notes) Tell(ctx context.Context, text string) error {
	n.Hint(bot.Hint{Text: text})
	return ctx.Err()
}

// prefix returns the common prefix of a shelf's keys.
func (n notes) prefix(of string) []byte { return appendName(name(n.adapter), of) }

func (n notes) Get(ctx context.Context, shelf, key string) (value []byte, err error) {
	err = n.db.read(ctx, func(tx *txn) error {
		value, err = noteRows{n, tx}.Get(shelf, key)
		return err
	})
	return value, err
}

// GetAll implements [bot.Notes].
func (n notes) GetAll(ctx context.Context, shelf string, keys ...string) ([][]byte, error) {
	return bot.Each(keys, func(key string) ([]byte, error) { return n.Get(ctx, shelf, key) })
}

func (n notes) Put(ctx context.Context, shelf, key string, value []byte) error {
	return n.db.write(ctx, func(tx *txn) error { return noteRows{n, tx}.Put(shelf, key, value) })
}

func (n notes) Keys(ctx context.Context, shelf string) (keys []string, err error) {
	err = n.db.read(ctx, func(tx *txn) error {
		prefix := n.prefix(shelf)
		c := tx.Bucket(bucketNotes).Cursor()
		for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
			keys = append(keys, string(k[len(prefix):]))
		}
		return nil
	})
	return keys, err
}

func (n notes) Scan(ctx context.Context, shelf, prefix, after string, limit int) (rows []bot.Row, err error) {
	err = n.db.read(ctx, func(tx *txn) error {
		rows, err = noteRows{n, tx}.Scan(shelf, prefix, after, limit)
		return err
	})
	return rows, err
}

// Change implements [bot.Notes]. It may call fn again.
func (n notes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return n.db.Conclude(ctx, func(delivered *bot.Post) error {
		write := n.db.write
		if delivered != nil {
			write = n.db.writePatiently
		}
		return write(ctx, func(tx *txn) error {
			rows := trackedRows{noteRows: noteRows{n, tx}}
			err := tx.call(func() error { return fn(&rows) })
			switch {
			case err != nil && rows.changed:
				return err
			case err != nil:
				return refusal{err}
			}
			if delivered != nil {
				if err := remove(tx, *delivered); err != errUnchanged {
					return err
				}
			}
			if !rows.changed {
				return errUnchanged
			}
			return nil
		})
	})
}

// noteRows are the rows of one adapter in a transaction.
type noteRows struct {
	notes
	tx *txn
}

// A trackedRows records whether a row was put.
type trackedRows struct {
	noteRows
	changed bool
}

func (c *trackedRows) Put(shelf, key string, value []byte) error {
	c.changed = true
	return c.noteRows.Put(shelf, key, value)
}

func (n noteRows) Get(shelf, key string) (value []byte, err error) {
	n.asStore(func() { value = bytes.Clone(n.tx.Bucket(bucketNotes).Get(append(n.prefix(shelf), key...))) })
	return value, nil
}

// asStore runs the store's own code within the caller's function.
func (n noteRows) asStore(fn func()) {
	was := n.tx.theirs
	n.tx.theirs = false
	fn()
	n.tx.theirs = was
}

// GetAll implements [bot.Rows].
func (n noteRows) GetAll(shelf string, keys ...string) ([][]byte, error) {
	return bot.Each(keys, func(key string) ([]byte, error) { return n.Get(shelf, key) })
}

func (n noteRows) Put(shelf, key string, value []byte) (err error) {
	at := append(n.prefix(shelf), key...)
	n.asStore(func() {
		if value == nil {
			err = n.tx.Bucket(bucketNotes).Delete(at)
			return
		}
		if err = n.tx.recordDialect(dialectOfNote(n.adapter, shelf, value)); err == nil {
			err = n.tx.Bucket(bucketNotes).Put(at, value)
		}
	})
	return err
}

func (n noteRows) Scan(shelf, prefix, after string, limit int) (rows []bot.Row, err error) {
	on := n.prefix(shelf)
	prefixed := append(slices.Clip(on), prefix...)
	n.asStore(func() {
		c := n.tx.Bucket(bucketNotes).Cursor()
		k, v := c.Seek(prefixed)
		if after != "" && after >= prefix {
			past := append(slices.Clip(on), after...)
			if k, v = c.Seek(past); bytes.Equal(k, past) {
				k, v = c.Next()
			}
		}
		for ; bytes.HasPrefix(k, prefixed) && len(rows) < limit; k, v = c.Next() {
			rows = append(rows, bot.Row{Key: string(k[len(on):]), Value: bytes.Clone(v)})
		}
	})
	return rows, nil
}
