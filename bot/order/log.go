package order

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// deedsShelf is the log of what keepers did, by home and request: deeds.
const deedsShelf = "deeds"

// mostDeeds is how many are kept of a home; the oldest make way.
const mostDeeds = 500

// A deed is something that a keeper did.
type deed struct {
	V     int       `json:"v"` // 1
	At    time.Time `json:"at"`
	By    bot.User  `json:"by"`
	Did   string    `json:"did"`
	To    bot.User  `json:"to"`
	What  string    `json:"what,omitempty"`
	Until time.Time `json:"until,omitzero"`
}

// mark names a request in a key. It can't be turned back.
func mark(req bot.Request) string {
	sum := sha256.Sum256([]byte(req.ID))
	return hex.EncodeToString(sum[:8])
}

// write puts a deed into the log; first says that the request isn't there yet.
func (p grounds) write(rows bot.Rows, now time.Time, req bot.Request, d deed) (first bool, err error) {
	key := p.key(mark(req))
	if had, err := rows.Get(deedsShelf, key); err != nil || had != nil {
		return false, err
	}
	d.V, d.At, d.By = 1, now.UTC(), req.User
	all, err := rowsOf[deed](rows, deedsShelf, p)
	if err != nil {
		return false, err
	}
	for i := 0; i <= len(all)-mostDeeds; i++ {
		if err := rows.Put(deedsShelf, all[i].key, nil); err != nil {
			return false, err
		}
	}
	return true, notes.Put(rows, deedsShelf, key, d)
}

func (d deed) when() time.Time { return d.At }

// A row is one of a home's, and its key.
type row[T any] struct {
	key   string
	value T
}

// rowsOf are the rows of a shelf that are a home's, the oldest first.
func rowsOf[T interface{ when() time.Time }](rows bot.Rows, shelf string, p grounds) (all []row[T], err error) {
	err = notes.EachOf(rows, shelf, p.key(""), collect(&all))
	return byAge(all), err
}

// readRows is rowsOf outside a change.
func readRows[T interface{ when() time.Time }](ctx context.Context, n bot.Notes, shelf string, p grounds) (all []row[T], err error) {
	err = notes.ReadEachOf(ctx, n, shelf, p.key(""), collect(&all))
	return byAge(all), err
}

func collect[T any](all *[]row[T]) func(key string, value T) error {
	return func(key string, value T) error {
		*all = append(*all, row[T]{key, value})
		return nil
	}
}

func byAge[T interface{ when() time.Time }](all []row[T]) []row[T] {
	slices.SortFunc(all, func(a, b row[T]) int {
		return cmp.Or(a.value.when().Compare(b.value.when()), cmp.Compare(a.key, b.key))
	})
	return all
}
