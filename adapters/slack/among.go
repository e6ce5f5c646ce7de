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
func (a *Adapter) takeTurn(ctx context.Context, at place) error {
	if err := a.paces.wait(ctx, a.after, at.lane(), a.gap); err != nil || !a.Shared {
		return err
	}
	turns := notes.Turns{
		Notes: a.Notes, Shelf: turnsShelf, By: a.process, Gap: a.gap, Now: a.Now,
		Wait: func(ctx context.Context, d time.Duration) error {
			a.paces.heldBack(d)
			if !a.wait(ctx, d) {
				return context.Canceled
			}
			return nil
		},
	}
	return turns.Take(ctx, at.lane())
}
