package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// This file chooses the language of what the host says. If it can't be looked up, it is English.

// TongueFor returns the language for private replies to the requester.
func (h *commands) TongueFor(ctx context.Context, req bot.Request) *text.Tongue {
	return h.Tongue(ctx, req)
}

// Tongue returns the language for private replies to the requester.
func (e *engine) Tongue(ctx context.Context, req bot.Request) *text.Tongue {
	return e.tongue(ctx, req.User.ID, req.Locale, req.Channel)
}

// tongueOf returns the language of a post: the recipient's if it is private, else the place's.
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
