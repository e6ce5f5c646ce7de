package discord

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/bot"
)

// refusals are the channels where the bot may not post, or can't until somebody uses
// it there.
type refusals struct {
	*common
	outbox.Refusals
}

const (
	// blockedWait is how long to wait where the bot may not post: somebody may
	// grant it what is missing.
	blockedWait = 10 * time.Minute
	// visitWait is how often to look for a visit, while its token lives: one that
	// comes to this process has what waits tried at once.
	visitWait = 5 * time.Minute
	// blockedFor is how long to hope for that.
	blockedFor = 24 * time.Hour
)

func newRefusals(c *common) *refusals {
	return &refusals{c, outbox.Refusals{Notes: c.Notes, Shelf: blockedShelf, Now: c.Now, First: blockedWait, Most: blockedWait}}
}

// putOff puts a message off where the bot may not post, for a day in all.
func (r *refusals) putOff(ctx context.Context, channel snowflake, cause error) error {
	_, err := r.PutOff(ctx, string(channel), blockedFor, fmt.Errorf("the bot may not post in channel %s, and needs View Channels, Send Messages and Attach Files there: %w", channel, cause))
	var failed *bot.PostError
	if errors.As(err, &failed) && failed.Permanent {
		failed.Gone = true
	}
	return err
}

// hope tries at once what waits to be posted in a channel where somebody does
// something: they may have let the bot post there.
func (r *refusals) hope(ctx context.Context, channel snowflake) {
	if _, refused, err := r.Since(ctx, string(channel)); err == nil && refused {
		r.Host.Retry(ctx, func(ch bot.ChannelID) bool { return ch == channelID(channel) })
	}
}
