package storetest

import (
	"context"

	"github.com/rackmate/rackmate/bot"
)

// BesideNotes are the notes of a process beside another, which does Then after each
// look at them outside a change.
type BesideNotes struct {
	bot.Notes
	Then func(shelf, key string)
}

// Get looks at a value.
func (n BesideNotes) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	b, err := n.Notes.Get(ctx, shelf, key)
	n.Then(shelf, key)
	return b, err
}

// Scan looks at rows; the key is their prefix.
func (n BesideNotes) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	rows, err := n.Notes.Scan(ctx, shelf, prefix, after, limit)
	n.Then(shelf, prefix)
	return rows, err
}
