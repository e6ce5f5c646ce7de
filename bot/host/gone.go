package host

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// ChannelGone is for adapters to say that a channel is gone, with the threads
// beside it; see [bot.Host].
func (e *engine) ChannelGone(ctx context.Context, ch bot.ChannelID) error {
	threads, err := e.settings.Threads(ctx, ch)
	return errors.Join(err, e.channelsGone(ctx, append(threads, ch)))
}

// HomeGone is for adapters to say that a home is gone, or has removed us; see
// [bot.Host].
func (e *engine) HomeGone(ctx context.Context, home string) error {
	all, err := e.settings.ChannelsOf(ctx, home)
	return errors.Join(err, e.channelsGone(ctx, all))
}

func (e *engine) channelsGone(ctx context.Context, all []bot.ChannelID) error {
	var failed []error
	for _, ch := range all {
		for _, f := range e.goes {
			failed = append(failed, f.ChannelGone(ctx, ch))
		}
	}
	return errors.Join(failed...)
}

// MemberLeft is for adapters to say that somebody has left a home; see
// [bot.Host].
func (e *engine) MemberLeft(ctx context.Context, home string, who game.PlayerID) error {
	var failed []error
	for _, f := range e.leaves {
		failed = append(failed, f.MemberLeft(ctx, home, who))
	}
	return errors.Join(failed...)
}
