package host

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// ChannelGone is for adapters to say that a channel is gone, with the threads
// beside it; see [bot.Host].
func (h *Host) ChannelGone(ctx context.Context, ch bot.ChannelID) error {
	threads, err := h.Threads(ctx, ch)
	return errors.Join(err, h.channelsGone(ctx, append(threads, ch)))
}

// HomeGone is for adapters to say that a home is gone, or has removed us; see
// [bot.Host].
func (h *Host) HomeGone(ctx context.Context, home string) error {
	all, err := h.ChannelsOf(ctx, home)
	return errors.Join(err, h.channelsGone(ctx, all))
}

func (h *Host) channelsGone(ctx context.Context, all []bot.ChannelID) error {
	var failed []error
	for _, ch := range all {
		for _, f := range h.Parts {
			if f.ChannelGone != nil {
				failed = append(failed, f.ChannelGone(ctx, h, ch))
			}
		}
	}
	return errors.Join(failed...)
}

// MemberLeft is for adapters to say that somebody has left a home; see
// [bot.Host].
func (h *Host) MemberLeft(ctx context.Context, home string, who game.PlayerID) error {
	var failed []error
	for _, f := range h.Parts {
		if f.MemberLeft != nil {
			failed = append(failed, f.MemberLeft(ctx, h, home, who))
		}
	}
	return errors.Join(failed...)
}
