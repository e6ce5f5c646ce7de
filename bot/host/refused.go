package host

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file sees to it that a player who wants to be told of their turns by
// direct message, and takes none, is told in the channel.

// refusedShelf has, by player, since when direct messages to them are refused.
const refusedShelf = "refused"

// refusedFor is how long that is remembered: they may have changed their mind.
const refusedFor = 3 * 24 * time.Hour

type storedRefusal struct {
	V  int       `json:"v"`
	At time.Time `json:"at"`
}

// refuses reports whether direct messages to somebody have been refused of late.
func (h *Host) refuses(ctx context.Context, who game.PlayerID) (bool, error) {
	var last storedRefusal
	_, err := h.look(ctx, refusedShelf, string(who), &last)
	return h.Now().Sub(last.At) < refusedFor, err
}

// takesAgain forgets that: somebody has said something. It reports whether there
// was something to forget.
func (h *Host) takesAgain(ctx context.Context, who game.PlayerID) (refused bool, err error) {
	b, err := h.Notes.Get(ctx, refusedShelf, string(who))
	if err != nil || b == nil {
		return false, err
	}
	return true, h.Notes.Put(ctx, refusedShelf, string(who), nil)
}

// refusedDM notes that a post for somebody was refused. Where it was to tell
// them of their turn they are called in the channel.
func (h *Host) refusedDM(ctx context.Context, post bot.Post) error {
	before, err := h.wishesOf(ctx, post.For, post.Table)
	if err != nil {
		return err
	}
	if err := h.Notes.Change(ctx, func(rows bot.Rows) error {
		return put(rows, refusedShelf, string(post.For), storedRefusal{V: 1, At: h.Now()})
	}); err != nil {
		return err
	}
	if before.ping != pingDM && !before.digests() || post.Kind == goneKind {
		return nil
	}
	_, t, err := h.loaded(ctx, post.Table)
	if err != nil || t.Phase != game.Playing || t.Seats[t.Turn].Person.ID != post.For {
		return err
	}
	if err := h.callLater(ctx, t, post, h.Now()); err != nil {
		return err
	}
	h.rouse("")
	return nil
}
