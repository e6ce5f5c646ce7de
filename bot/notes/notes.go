// Package notes reads and writes JSON in a host's notes.
package notes

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
)

// Write writes a row.
func Write(ctx context.Context, n bot.Notes, shelf, key string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return n.Put(ctx, shelf, key, b)
}

// Key is a key of several parts.
func Key(parts ...string) string { return strings.Join(parts, "\x00") }

// TableKey is the key of what is noted of a table: the keys of tables sort as
// their numbers do.
func TableKey(t bot.TableID) string { return fmt.Sprintf("%016x", uint64(t)) }

// Get reads a row in a change into v, which stays as it is where there is none.
func Get(rows bot.Rows, shelf, key string, v any) (found bool, err error) {
	b, err := rows.Get(shelf, key)
	if err != nil || b == nil {
		return false, err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return false, fmt.Errorf("read %s %q: %w", shelf, key, err)
	}
	return true, nil
}

// Put writes a row in a change.
func Put(rows bot.Rows, shelf, key string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return rows.Put(shelf, key, b)
}

// Read reads a row into v, as Get does, outside a change.
func Read(ctx context.Context, n bot.Notes, shelf, key string, v any) (found bool, err error) {
	b, err := n.Get(ctx, shelf, key)
	if err != nil || b == nil {
		return false, err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return false, fmt.Errorf("read %s %q: %w", shelf, key, err)
	}
	return true, nil
}

// Each calls fn with every row of a shelf, in order, in a change.
func Each(rows bot.Rows, shelf string, fn func(bot.Row) error) error {
	const page = 500
	after := ""
	for {
		list, err := rows.Scan(shelf, "", after, page)
		if err != nil {
			return err
		}
		for _, row := range list {
			if err := fn(row); err != nil {
				return err
			}
			after = row.Key
		}
		if len(list) < page {
			return nil
		}
	}
}

// ReadAll calls fn with every row of a shelf, in order, outside a change.
func ReadAll(ctx context.Context, n bot.Notes, shelf string, fn func(key string, value []byte)) error {
	const page = 500
	for after := ""; ; {
		rows, err := n.Scan(ctx, shelf, "", after, page)
		if err != nil {
			return err
		}
		for _, row := range rows {
			fn(row.Key, row.Value)
			after = row.Key
		}
		if len(rows) < page {
			return nil
		}
	}
}
