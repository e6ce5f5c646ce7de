package host

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/game"
)

// Joined handles our arrival in a channel; see [bot.Host].
func (e *engine) Joined(ctx context.Context, ch bot.ChannelID, home, homeLocale string) error {
	var failed []error
	for _, f := range e.features {
		if f.Join != nil {
			failed = append(failed, f.Join(ctx, ch, home, homeLocale))
		}
	}
	return errors.Join(failed...)
}

// ChannelGone handles the end of a channel, with the threads beside it; see [bot.Host].
func (e *engine) ChannelGone(ctx context.Context, ch bot.ChannelID) error {
	threads, err := e.settings.Threads(ctx, ch)
	return errors.Join(err, e.endChannels(ctx, append(threads, ch)))
}

// HomeGone handles the end of a home, or our removal from it; see [bot.Host].
func (e *engine) HomeGone(ctx context.Context, home string) error {
	all, err := e.settings.ChannelsOf(ctx, home)
	return errors.Join(err, e.endChannels(ctx, all))
}

func (e *engine) endChannels(ctx context.Context, all []bot.ChannelID) error {
	var failed []error
	for _, ch := range all {
		failed = append(failed, e.leave(ctx, feature.Leaving{What: feature.ChannelGone, Channel: ch}))
	}
	return errors.Join(failed...)
}

// MemberLeft handles a person's departure from a home; see [bot.Host].
func (e *engine) MemberLeft(ctx context.Context, home string, who game.PlayerID) error {
	return e.leave(ctx, feature.Leaving{What: feature.MemberLeft, Home: home, Person: who})
}

// leave tells all features that a channel or a person is gone, even if some of them fail.
func (e *engine) leave(ctx context.Context, l feature.Leaving) error {
	var failed []error
	for _, f := range e.features {
		if f.Leave != nil {
			failed = append(failed, f.Leave(ctx, l))
		}
	}
	return errors.Join(failed...)
}
