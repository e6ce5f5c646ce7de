package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// This file chooses the language of what the host says. If it can't be looked up, it is English.

// LocaleFor returns the language for private replies to the requester.
func (e *engine) LocaleFor(ctx context.Context, req bot.Request) *text.Locale {
	return e.findLocale(ctx, req.User.ID, req.Locale, req.Channel)
}

// postLocale returns the language of a post: the recipient's if it is private, else the place's.
func (e *engine) postLocale(ctx context.Context, m bot.Message) *text.Locale {
	if m.To == nil {
		return e.findLocale(ctx, "", "", m.Channel)
	}
	return e.findLocale(ctx, m.To.ID, e.Platform(m.Channel).LocaleOf(ctx, m.To.ID), m.Channel)
}

func (e *engine) findLocale(ctx context.Context, who game.PlayerID, locale string, ch bot.ChannelID) *text.Locale {
	t, err := e.settings.PersonLocale(ctx, who, locale, ch)
	if err != nil && ctx.Err() == nil {
		e.Log.Error("can't look up a language", "user", who, "channel", ch, "error", err)
	}
	return t
}
