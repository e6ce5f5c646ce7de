package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file chooses the language of what the host says. Where that can't be looked
// up it is English.

// tongueFor is the language of an answer: the one that its reader chose, else the
// one that the platform knows of them, else the place's.
func (h *Host) tongueFor(ctx context.Context, req bot.Request) *bot.Tongue {
	if t, ok := h.chosen(ctx, req.User.ID); ok {
		return t
	}
	if t, ok := h.Tongues.Match(req.Locale); ok {
		return t
	}
	return h.tongueAt(ctx, req.Channel)
}

// tongueOf is the language of a post: the place's, or where it is for somebody
// alone, the one that they chose.
func (h *Host) tongueOf(ctx context.Context, m bot.Message) *bot.Tongue {
	if m.To != nil {
		if t, ok := h.chosen(ctx, m.To.ID); ok {
			return t
		}
	}
	return h.tongueAt(ctx, m.Channel)
}

// chosen is the language that somebody chose, if they did.
func (h *Host) chosen(ctx context.Context, who game.PlayerID) (*bot.Tongue, bool) {
	if !h.Tongues.Several() {
		return nil, true
	}
	for _, f := range h.Parts {
		if f.Speaks == nil {
			continue
		}
		code, err := f.Speaks(ctx, h, who)
		if err != nil {
			h.Log.Error("can't look up somebody's language", "user", who, "error", err)
		}
		if t, ok := h.Tongues.Called(code); ok {
			return t, true
		}
	}
	return nil, false
}

func (h *Host) tongueAt(ctx context.Context, ch bot.ChannelID) *bot.Tongue {
	t, err := h.TongueOf(ctx, ch)
	if err != nil {
		h.Log.Error("can't look up the language of a channel", "channel", ch, "error", err)
	}
	return t
}
