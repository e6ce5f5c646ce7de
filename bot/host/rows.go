package host

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
)

// This file reads and writes JSON in the notes.

// PutNote puts one row.
func PutNote(ctx context.Context, n bot.Notes, shelf, key string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return n.Put(ctx, shelf, key, b)
}

func RowKey(parts ...string) string { return strings.Join(parts, "\x00") }

func TableKey(t bot.TableID) string { return fmt.Sprintf("%016x", uint64(t)) }

// GetRow reads a row into v; it stays as it is where there is none.
func GetRow(rows bot.Rows, shelf, key string, v any) (found bool, err error) {
	b, err := rows.Get(shelf, key)
	if err != nil || b == nil {
		return false, err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return false, fmt.Errorf("read %s %q: %w", shelf, key, err)
	}
	return true, nil
}

func PutRow(rows bot.Rows, shelf, key string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return rows.Put(shelf, key, b)
}

// GetNote reads a row outside a change.
func (h *Host) GetNote(ctx context.Context, shelf, key string, v any) (found bool, err error) {
	b, err := h.Notes.Get(ctx, shelf, key)
	if err != nil || b == nil {
		return false, err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return false, fmt.Errorf("read %s %q: %w", shelf, key, err)
	}
	return true, nil
}

// EachRow calls fn with every row of a shelf, in order.
func EachRow(rows bot.Rows, shelf string, fn func(bot.Row) error) error {
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
