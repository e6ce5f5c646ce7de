package discord

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/bot"
)

// refusals stores the channels where the bot may not post, or can't until it is used there.
type refusals struct {
	*common
	outbox.Refusals
}

const (
	// blockedWait is the wait between tries where the bot may not post: the permission may
	// be granted.
	blockedWait = 10 * time.Minute
	// visitWait is the interval of checks for a visit with a valid token. A visit that
	// reaches this process triggers a try at once.
	visitWait = 5 * time.Minute
	// blockedFor is how long to keep trying.
	blockedFor = 24 * time.Hour
)

func newRefusals(c *common) *refusals {
	return &refusals{c, outbox.Refusals{Notes: c.Notes, Shelf: blockedShelf, Now: c.Now, First: blockedWait, Most: blockedWait}}
}

// putOff postpones a message for a channel where the bot may not post, for up to a day.
func (r *refusals) putOff(ctx context.Context, channel snowflake, cause error) error {
	_, err := r.PutOff(ctx, string(channel), blockedFor, fmt.Errorf("the bot may not post in channel %s, and needs View Channels, Send Messages and Attach Files there: %w", channel, cause))
	var failed *bot.PostError
	if errors.As(err, &failed) && failed.Permanent {
		failed.Gone = true
	}
	return err
}

// hope retries the messages waiting for a channel when the bot is used there: it may have
// been granted the permission.
func (r *refusals) hope(ctx context.Context, channel snowflake) {
	if _, refused, err := r.Since(ctx, string(channel)); err == nil && refused {
		r.Host.Retry(ctx, func(ch bot.ChannelID) bool { return ch == channelID(channel) })
	}
}
