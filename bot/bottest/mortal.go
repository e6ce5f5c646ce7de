package bottest

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
)

// MortalNotes accept no changes once their process is dead.
type MortalNotes struct {
	bot.Notes
	Dead func() bool
}

var errDead = errors.New("the process is dead")

// Put sets a value.
func (n MortalNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	if n.Dead() {
		return errDead
	}
	return n.Notes.Put(ctx, shelf, key, value)
}

// Change changes several values together.
func (n MortalNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return n.Notes.Change(ctx, func(rows bot.Rows) error {
		if err := fn(rows); err != nil {
			return err
		}
		if n.Dead() {
			return errDead
		}
		return nil
	})
}
