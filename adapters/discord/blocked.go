package discord

import (
	"context"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// refusals are the channels where the bot may not post, or can't until somebody uses
// it there.
type refusals struct{ *common }

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

// putOff puts a message off where the bot may not post, for a day in all.
func (r *refusals) putOff(ctx context.Context, channel snowflake, cause error) error {
	b, err := r.Notes.Get(ctx, blockedShelf, string(channel))
	if err != nil {
		return err
	}
	since := r.Now()
	if b == nil || since.UnmarshalText(b) != nil {
		since = r.Now()
		text, err := since.MarshalText()
		if err != nil {
			return err
		}
		if err := r.Notes.Put(ctx, blockedShelf, string(channel), text); err != nil {
			return err
		}
	}
	err = fmt.Errorf("the bot may not post in channel %s, and needs View Channels, Send Messages and Attach Files there: %w", channel, cause)
	if r.Now().Sub(since) >= blockedFor {
		return &bot.PostError{Permanent: true, Gone: true, Err: err}
	}
	return &bot.PostError{RetryAfter: blockedWait, Err: err}
}

// mark notes that the bot can't post in a channel now, for hope.
func (r *refusals) mark(ctx context.Context, channel snowflake) error {
	now, err := r.Now().UTC().MarshalText()
	if err != nil {
		return err
	}
	return r.Notes.Put(ctx, blockedShelf, string(channel), now)
}

// lift forgets that the bot could not post in a channel.
func (r *refusals) lift(ctx context.Context, channel snowflake) error {
	b, err := r.Notes.Get(ctx, blockedShelf, string(channel))
	if err == nil && b != nil {
		err = r.Notes.Put(ctx, blockedShelf, string(channel), nil)
	}
	return err
}

// hope tries at once what waits to be posted in a channel where somebody does
// something: they may have let the bot post there.
func (r *refusals) hope(ctx context.Context, channel snowflake) {
	if b, err := r.Notes.Get(ctx, blockedShelf, string(channel)); err == nil && b != nil {
		r.Host.Retry(ctx, func(ch bot.ChannelID) bool { return ch == channelID(channel) })
	}
}
