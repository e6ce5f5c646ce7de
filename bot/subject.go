package bot

import (
	"context"

	"github.com/rackmate/rackmate/bot/text"
)

// TablePages serves the pages of games in the browser. Each table has one at an unguessable
// address: its players play on it, and others watch. Its methods are safe for concurrent use.
type TablePages interface {
	// Page returns the table whose page a key identifies. It returns ErrNoTable if there is none.
	Page(ctx context.Context, key string) (Subject, error)
	// Key returns the key of a table's page for Page.
	Key(ctx context.Context, t TableID) (string, error)
	// Picture returns the preview that sites show beside a link to the page, for a light or a dark
	// screen.
	Picture(ctx context.Context, t TableID, dark bool) (*Picture, error)
	// Invitation returns the preview that sites show beside a link by which a person invites to a
	// game with some options of /new. lasts describes its time, or is nil.
	Invitation(ctx context.Context, by string, options map[string]string, lasts text.Text, to *text.Locale) (*Picture, error)
	// Waiting lists the tables in a channel and beside it that wait for players.
	Waiting(ctx context.Context, ch ChannelID) ([]TableID, error)
	// Watch calls fn with each channel whose table has changed, until ctx is done. This is only a
	// hint: "" means to look everywhere.
	Watch(ctx context.Context, fn func(ChannelID)) error
}

// A Subject is the table that a page shows.
type Subject struct {
	Channel ChannelID
	Table   TableID
	Over    bool
}

// A PageError says why a page can't do something, in a sentence for the visitor.
type PageError struct{ Text text.Text }

func (e *PageError) Error() string { return e.Text.String() }
