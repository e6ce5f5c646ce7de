// Package notes reads and writes JSON and times in a host's notes.
package notes

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Write writes a row. Unlike [Put], it replaces all of it.
func Write(ctx context.Context, n bot.Notes, shelf, key string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return n.Put(ctx, shelf, key, b)
}

// WriteTime writes a row that contains a time.
func WriteTime(ctx context.Context, n bot.Notes, shelf, key string, t time.Time) error {
	b, err := t.UTC().MarshalText()
	if err != nil {
		return err
	}
	return n.Put(ctx, shelf, key, b)
}

// ReadTime reads a row written by WriteTime. If there is none, or it contains something else, ok
// is false.
func ReadTime(ctx context.Context, n bot.Notes, shelf, key string) (t time.Time, ok bool, err error) {
	b, err := n.Get(ctx, shelf, key)
	if err != nil || b == nil || t.UnmarshalText(b) != nil {
		return time.Time{}, false, err
	}
	return t, true, nil
}

// Remove removes a row if there is one.
func Remove(ctx context.Context, n bot.Notes, shelf, key string) error {
	b, err := n.Get(ctx, shelf, key)
	if err != nil || b == nil {
		return err
	}
	return n.Put(ctx, shelf, key, nil)
}

// Get reads a row into v within a transaction. If there is none, v stays as it is.
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

// Put writes a row within a transaction. An existing row keeps the fields that a newer
// version has added and v has no place for.
func Put(rows bot.Rows, shelf, key string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	was, err := rows.Get(shelf, key)
	if err != nil {
		return err
	}
	if was != nil {
		b = KeepUnknown(reflect.TypeOf(v), was, b)
	}
	return rows.Put(shelf, key, b)
}

// Edit changes a row within a transaction. If there is none, it returns missing.
func Edit[T any](rows bot.Rows, shelf, key string, missing error, change func(*T) error) error {
	var value T
	found, err := Get(rows, shelf, key, &value)
	switch {
	case err != nil:
		return err
	case !found:
		return missing
	}
	if err := change(&value); err != nil {
		return err
	}
	return Put(rows, shelf, key, value)
}

// Read reads a row into v, as Get does, outside a transaction.
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

// Each calls fn with the rows of a shelf whose keys begin with prefix, in order, within a
// transaction.
func Each(rows bot.Rows, shelf, prefix string, fn func(bot.Row) error) error {
	return eachPage(func(after string) ([]bot.Row, error) { return rows.Scan(shelf, prefix, after, pageSize) }, fn)
}

// EachOf works like Each, with decoded values.
func EachOf[T any](rows bot.Rows, shelf, prefix string, fn func(key string, value T) error) error {
	return Each(rows, shelf, prefix, decodeRows(shelf, fn))
}

// ReadEach works like Each, outside a transaction.
func ReadEach(ctx context.Context, n bot.Notes, shelf, prefix string, fn func(bot.Row) error) error {
	return eachPage(func(after string) ([]bot.Row, error) { return n.Scan(ctx, shelf, prefix, after, pageSize) }, fn)
}

// ReadEachOf works like EachOf, outside a transaction.
func ReadEachOf[T any](ctx context.Context, n bot.Notes, shelf, prefix string, fn func(key string, value T) error) error {
	return ReadEach(ctx, n, shelf, prefix, decodeRows(shelf, fn))
}

// pageSize is the number of rows read at once.
const pageSize = 500

func eachPage(scan func(after string) ([]bot.Row, error), fn func(bot.Row) error) error {
	for after := ""; ; {
		page, err := scan(after)
		if err != nil {
			return err
		}
		for _, row := range page {
			if err := fn(row); err != nil {
				return err
			}
			after = row.Key
		}
		if len(page) < pageSize {
			return nil
		}
	}
}

func decodeRows[T any](shelf string, fn func(key string, value T) error) func(bot.Row) error {
	return func(row bot.Row) error {
		var value T
		if err := json.Unmarshal(row.Value, &value); err != nil {
			return fmt.Errorf("read %s %q: %w", shelf, row.Key, err)
		}
		return fn(row.Key, value)
	}
}
