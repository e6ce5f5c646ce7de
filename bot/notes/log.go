package notes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rackmate/rackmate/bot"
)

// A Log is a list of numbered entries, such as the messages of a channel, named after its
// shelf. Numbers begin at 1 and have no gaps, and an entry is added once for each key.
type Log string

// An Entry is an entry of a log.
type Entry struct {
	Number uint64
	Data   []byte
}

// EntryKey returns the key of an entry's row. Later entries sort first, so that a scan
// begins with the last.
func EntryKey(number uint64) string {
	return fmt.Sprintf("%016x", math.MaxInt64-min(number, math.MaxInt64))
}

// KeyShelf returns the name of the shelf that maps keys to entries' numbers.
func (l Log) KeyShelf() string { return keyShelf + string(l) }

// keyShelf is the prefix of such shelves' names.
const keyShelf = "keys/"

func parseEntry(row bot.Row) (Entry, error) {
	n, err := strconv.ParseUint(row.Key, 16, 64)
	if err != nil || n > math.MaxInt64 {
		return Entry{}, fmt.Errorf("read log: bad key %q", row.Key)
	}
	return Entry{math.MaxInt64 - n, row.Value}, nil
}

// Add adds an entry within a transaction and returns its number. If the key was added
// before, added is false, n is that entry's number, and nothing changes.
func (l Log) Add(rows bot.Rows, key string, data []byte) (n uint64, added bool, err error) {
	last, err := rows.Scan(string(l), "", "", 1)
	if err != nil {
		return 0, false, err
	}
	number, err := rows.Get(l.KeyShelf(), key)
	if err != nil {
		return 0, false, err
	}
	if number != nil {
		n, err = strconv.ParseUint(string(number), 10, 64)
		return n, false, err
	}
	n = 1
	if len(last) > 0 {
		e, err := parseEntry(last[0])
		if err != nil {
			return 0, false, err
		}
		n = e.Number + 1
	}
	if err := rows.Put(string(l), EntryKey(n), data); err != nil {
		return 0, false, err
	}
	return n, true, rows.Put(l.KeyShelf(), key, strconv.AppendUint(nil, n, 10))
}

// Read returns up to limit entries before a number (0: the end), in order.
func (l Log) Read(ctx context.Context, n bot.Notes, before uint64, limit int) ([]Entry, error) {
	after := ""
	if before > 0 {
		after = EntryKey(before)
	}
	rows, err := n.Scan(ctx, string(l), "", after, limit)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(rows))
	for i, row := range rows {
		if entries[i], err = parseEntry(row); err != nil {
			return nil, err
		}
	}
	slices.Reverse(entries)
	return entries, nil
}

// Get returns the data of an entry within a transaction, or nil if there is none.
func (l Log) Get(rows bot.Rows, number uint64) ([]byte, error) {
	return rows.Get(string(l), EntryKey(number))
}

// Replace replaces the data of an entry within a transaction, as [Put] does.
func (l Log) Replace(rows bot.Rows, number uint64, v any) error {
	return Put(rows, string(l), EntryKey(number), v)
}

// Drop deletes all entries and their keys. If it fails in the middle, the latest entries
// are gone, and Drop can be called again.
func (l Log) Drop(ctx context.Context, n bot.Notes) error {
	for _, shelf := range []string{string(l), l.KeyShelf()} {
		for {
			page, err := n.Scan(ctx, shelf, "", "", pageSize)
			if err != nil {
				return err
			}
			if len(page) == 0 {
				break
			}
			if err := n.Change(ctx, func(rows bot.Rows) error {
				for _, row := range page {
					if err := rows.Put(shelf, row.Key, nil); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
