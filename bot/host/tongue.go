package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// This file chooses the language of what the host says. Where that can't be looked
// up it is English.

// TongueFor is the language of what whoever asks is told in private.
func (h *Host) TongueFor(ctx context.Context, req bot.Request) *text.Tongue {
	return h.tongue(ctx, req.User.ID, req.Locale, req.Channel)
}

// tongueOf is the language of a post: the place's, or where it is for somebody
// alone, theirs.
func (h *Host) tongueOf(ctx context.Context, m bot.Message) *text.Tongue {
	if m.To == nil {
		return h.tongue(ctx, "", "", m.Channel)
	}
	return h.tongue(ctx, m.To.ID, h.Platform(m.Channel).LocaleOf(ctx, m.To.ID), m.Channel)
}

func (h *Host) tongue(ctx context.Context, who game.PlayerID, locale string, ch bot.ChannelID) *text.Tongue {
	t, err := h.Spoken(ctx, who, locale, ch, func() (code string, err error) {
		for _, f := range h.Parts {
			if f.Speaks != nil && code == "" && err == nil {
				code, err = f.Speaks(ctx, h, who)
			}
		}
		return code, err
	})
	if err != nil && ctx.Err() == nil {
		h.Log.Error("can't look up a language", "user", who, "channel", ch, "error", err)
	}
	return t
}
