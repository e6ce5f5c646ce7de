package host

import (
	"context"
	"runtime/debug"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/input"
)

// Complete lists what could be meant by the option being typed, best first, at
// most 25. req.Args has the options typed so far, that one included.
func (h *Host) Complete(ctx context.Context, req bot.Request, option string) (offers []bot.Choice) {
	defer func() {
		if r := recover(); r != nil {
			h.Log.Error("completion panicked", "channel", req.Channel, "command", req.Command, "panic", r, "stack", string(debug.Stack()))
			offers = nil
		}
	}()
	const most = 25
	to := h.TongueFor(ctx, req)
	begun := bot.Unaccented(req.Args[option])
	for _, c := range h.choices(ctx, req, option) {
		label := option == "language" && strings.HasPrefix(bot.Unaccented(c.Label.In(to).String()), begun) // its name
		if (label || strings.HasPrefix(bot.Unaccented(c.Value), begun)) && len(offers) < most {
			offers = append(offers, c)
		}
	}
	return bot.ChoicesIn(to, offers)
}

// choices are all values that an option which completes can have.
func (h *Host) choices(ctx context.Context, req bot.Request, option string) []bot.Choice {
	c, ok := h.command(req.Command)
	if !ok || c.Complete[option] == nil {
		return nil
	}
	return c.Complete[option](ctx, h, req)
}

// Squares are the places that the typed word can go to, best score first.
func Squares(ctx context.Context, h *Host, req bot.Request) []bot.Choice {
	t, err := h.Load(ctx, req)
	if err != nil {
		return nil
	}
	return input.Squares(h.Lists, t, req)
}
