package notify

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/person"
	"github.com/rackmate/rackmate/game"
)

// refusedDM notes that a post for somebody was refused. Where it was to tell
// them of their turn they are called in the channel.
func refusedDM(ctx context.Context, h *host.Host, post bot.Post) error {
	before, err := person.WishesOf(ctx, h, post.For, post.Table)
	if err != nil {
		return err
	}
	if err := h.Notes.Change(ctx, func(rows bot.Rows) error {
		return notes.Put(rows, person.RefusedShelf, string(post.For), person.StoredRefusal{V: 1, At: h.Now()})
	}); err != nil {
		return err
	}
	if post.Table == 0 || before.Ping != person.PingDM && !before.Digests() {
		return nil
	}
	_, t, err := h.LoadTable(ctx, post.Table)
	if err != nil || t.Phase != game.Playing || t.Seats[t.Turn].Person.ID != post.For {
		return err
	}
	if err := callLater(ctx, h, t, post, h.Now()); err != nil {
		return err
	}
	h.Rouse("")
	return nil
}
