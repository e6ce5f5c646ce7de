package host

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
)

// The shelf of the host's notes that has the home of each channel where a table
// was opened.
const homesShelf = "homes"

// KeepHome notes which home a channel belongs to, for what is done later
// without a request.
func (h *Host) KeepHome(ctx context.Context, ch bot.ChannelID, home string) error {
	if home == "" {
		return nil
	}
	known, err := h.HomeOf(ctx, ch)
	if err != nil || known == home {
		return err
	}
	if err := h.Notes.Put(ctx, homesShelf, string(ch), []byte(home)); err != nil {
		return fmt.Errorf("keep the home of %s: %w", ch, err)
	}
	return nil
}

// HomeOf is the home of a channel, "" when it isn't known.
func (h *Host) HomeOf(ctx context.Context, ch bot.ChannelID) (string, error) {
	b, err := h.Notes.Get(ctx, homesShelf, string(ch))
	return string(b), err
}

// HomeFor is the home that a request is made in.
func (h *Host) HomeFor(ctx context.Context, req bot.Request) (string, error) {
	if req.Home != "" {
		return req.Home, nil
	}
	return h.HomeOf(ctx, req.Channel)
}

func ChannelScope(ch bot.ChannelID) string { return "channel " + string(ch) }

func HomeScope(home string) string { return "home " + home }
