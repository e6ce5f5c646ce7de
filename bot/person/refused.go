package person

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/game"
)

// This file sees to it that a player who wants to be told of their turns by
// direct message, and takes none, is told in the channel.

// RefusedShelf has, by player, since when direct messages to them are refused.
const RefusedShelf = "refused"

// refusedFor is how long that is remembered: they may have changed their mind.
const refusedFor = 3 * 24 * time.Hour

// A StoredRefusal is kept of somebody who takes no direct messages, with the time
// when one was last refused.
type StoredRefusal struct {
	V  int       `json:"v"`
	At time.Time `json:"at"`
}

// refuses reports whether direct messages to somebody have been refused of late.
func refuses(ctx context.Context, h *host.Host, who game.PlayerID) (bool, error) {
	var last StoredRefusal
	_, err := notes.Read(ctx, h.Notes, RefusedShelf, string(who), &last)
	return h.Now().Sub(last.At) < refusedFor, err
}

// TakesAgain forgets that: somebody has said something. It reports whether there
// was something to forget.
func TakesAgain(ctx context.Context, h *host.Host, who game.PlayerID) (refused bool, err error) {
	b, err := h.Notes.Get(ctx, RefusedShelf, string(who))
	if err != nil || b == nil {
		return false, err
	}
	return true, h.Notes.Put(ctx, RefusedShelf, string(who), nil)
}
