package slack

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot/notes"
)

// turnsShelf, of Slack's notes, has by channel when the next message may be posted
// there. It is kept where there are several processes.
const turnsShelf = "turns"

// takeTurn waits until a message may be posted in a channel, after this process's
// and the others'. Threads of one channel can be different processes' to post in.
func (o *outbox) takeTurn(ctx context.Context, at place) error {
	if err := o.paces.wait(ctx, o.after, at.lane(), o.gap); err != nil || !o.Shared {
		return err
	}
	turns := notes.Turns{
		Notes: o.Notes, Shelf: turnsShelf, By: o.process, Gap: o.gap, Now: o.Now,
		Wait: func(ctx context.Context, d time.Duration) error {
			o.paces.heldBack(d)
			if !o.wait(ctx, d) {
				return context.Canceled
			}
			return nil
		},
	}
	return turns.Take(ctx, at.lane())
}
