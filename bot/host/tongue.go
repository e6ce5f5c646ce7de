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
func (h *commands) TongueFor(ctx context.Context, req bot.Request) *text.Tongue {
	return h.Tongue(ctx, req)
}

// Tongue is the language of what whoever asks is told in private.
func (e *engine) Tongue(ctx context.Context, req bot.Request) *text.Tongue {
	return e.tongue(ctx, req.User.ID, req.Locale, req.Channel)
}

// tongueOf is the language of a post: the place's, or where it is for somebody
// alone, theirs.
func (e *engine) tongueOf(ctx context.Context, m bot.Message) *text.Tongue {
	if m.To == nil {
		return e.tongue(ctx, "", "", m.Channel)
	}
	return e.tongue(ctx, m.To.ID, e.Platform(m.Channel).LocaleOf(ctx, m.To.ID), m.Channel)
}

func (e *engine) tongue(ctx context.Context, who game.PlayerID, locale string, ch bot.ChannelID) *text.Tongue {
	t, err := e.settings.Spoken(ctx, who, locale, ch)
	if err != nil && ctx.Err() == nil {
		e.Log.Error("can't look up a language", "user", who, "channel", ch, "error", err)
	}
	return t
}
