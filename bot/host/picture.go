package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// Picture draws the picture of a message again, for a platform that doesn't keep pictures. dark is
// whether the viewer has a dark screen. It returns ErrNoPicture if there is none: no such table in
// the channel, no such number, nothing dealt yet, or no seat.
//
// The caller must have authenticated p.To.
func (h *commands) Picture(ctx context.Context, p bot.Posted, dark bool) (*bot.Picture, error) {
	return chargeFor(ctx, h.limits, bot.Asker{Person: p.To}, func(ctx context.Context) (*bot.Picture, error) {
		to := h.postLocale(ctx, messageOf(p))
		drawn, err := h.cache.Get(ctx, posted{p, h.rendererFor(ctx, p.Channel, dark), to}, func() (any, error) {
			picture, err := h.postedPicture(ctx, p, dark)
			return picture.In(to), err
		})
		picture, _ := drawn.(*bot.Picture)
		return picture, err
	})
}

// A posted is the cache key of a message's picture.
type posted struct {
	bot.Posted
	in *imaging.Renderer
	to *text.Locale
}

// messageOf returns the channel and recipient of a picture's message.
func messageOf(p bot.Posted) bot.Message {
	m := bot.Message{Channel: p.Channel}
	if p.To != "" {
		m.To = &bot.User{ID: p.To}
	}
	return m
}

// postedPicture draws the picture of a message. The caller chooses its language.
func (h *commands) postedPicture(ctx context.Context, p bot.Posted, dark bool) (*bot.Picture, error) {
	if p.Number < 1 {
		return nil, bot.ErrNoPicture
	}
	if own := h.posts[p.Kind]; own.Apart {
		return h.drawOwn(ctx, p, own, dark)
	}
	ch, events, err := h.Store.Events(ctx, p.Table, p.Number)
	switch {
	case errors.Is(err, bot.ErrNoTable):
		return nil, bot.ErrNoPicture
	case err != nil:
		return nil, fmt.Errorf("load table %d: %w", p.Table, err)
	case ch != p.Channel || len(events) < p.Number:
		return nil, bot.ErrNoPicture
	}
	t, err := h.replay(ch, p.Table, events)
	if err != nil {
		return nil, err
	}
	var picture *bot.Picture
	if t.IsDealt() {
		picture = h.Painter(ctx, t.Channel, dark).Board(view.Of(t))
	}
	if draw := h.posts[p.Kind].Picture; draw != nil {
		if picture, err = draw(ctx, t, dark); err != nil {
			return nil, bot.ErrNoPicture
		}
	}
	if p.To != "" {
		seat, ok := t.SeatOf(p.To)
		if !ok || !t.IsDealt() {
			return nil, bot.ErrNoPicture
		}
		picture = h.Rack(ctx, t, seat, bot.Request{Dark: dark}).Picture
	}
	if picture == nil {
		return nil, bot.ErrNoPicture
	}
	return picture, nil
}

// drawOwn draws the picture of a post that isn't about a table.
func (h *commands) drawOwn(ctx context.Context, p bot.Posted, own feature.Posting, dark bool) (*bot.Picture, error) {
	if own.Drawn == nil || p.To != "" {
		return nil, bot.ErrNoPicture
	}
	picture, err := own.Drawn(ctx, p, dark)
	if err != nil {
		return nil, err
	}
	return picture.In(h.postLocale(ctx, bot.Message{Channel: p.Channel})), nil
}

// postedBoard returns the public picture of a table, or nil before the tiles are dealt. For a
// platform that asks later it isn't drawn yet.
func (h *desk) postedBoard(ctx context.Context, t table.Table) *bot.Picture {
	if !t.IsDealt() {
		return nil
	}
	if p := h.Platform(t.Channel); p.AsksLater && !p.Plain && h.Renderer != nil {
		return bot.LazyPicture(func(to *text.Locale) bot.Picture {
			v := view.View(t, to)
			return bot.Picture{Alt: text.Plain(v.Alt()), Size: v.Size()}
		})
	}
	return h.Painter(ctx, t.Channel, false).Board(view.Of(t))
}

// Painter returns a painter that draws for a channel, on a dark screen if dark is set. It draws nothing if
// there are no pictures.
func (h *desk) Painter(ctx context.Context, ch bot.ChannelID, dark bool) feature.Painter {
	return feature.Painter{Renderer: h.rendererFor(ctx, ch, dark), Now: h.Now, Drew: func(took time.Duration, err error) {
		if err != nil {
			h.Log().Error("can't draw a picture", "error", err)
		}
		h.Observer.Drew(took)
	}}
}

// rendererFor returns the renderer of the theme that a place has set, or else of the platform's
// theme for a light or dark screen.
func (h *desk) rendererFor(ctx context.Context, ch bot.ChannelID, dark bool) *imaging.Renderer {
	p := h.Platform(ch)
	if p.Plain || h.Renderer == nil {
		return nil
	}
	name, err := h.Rule(ctx, ch, settings.Theme)
	if err != nil {
		h.Log().Error("can't look up the theme of a channel", "channel", ch, "error", err)
	} else if theme, err := imaging.ParseTheme(name); err == nil {
		return h.Renderer(theme)
	}
	name = cmp.Or(p.Theme, imaging.Light.String())
	if dark {
		name = cmp.Or(p.Dark, name)
	}
	theme, err := imaging.ParseTheme(name)
	if err != nil {
		h.Log().Error("unknown theme on a platform", "platform", p.Name, "error", err)
	}
	return h.Renderer(theme)
}

// rackPicture draws a rack for its owner only.
func rackPicture(p feature.Painter, t table.Table, seat int, rack game.Tiles) *bot.Picture {
	return feature.Draw(p, func(to *text.Locale) imaging.RackCard {
		return imaging.RackCard{
			Tiles: t.Equipment.Tiles, Rack: rack, Locale: to,
			Caption: text.Say("Your score is {n}", t.Seats[seat].Score).In(to).String(),
			Note:    text.Item("{n} unseen", len(t.UnseenBy(seat))).In(to).String(),
		}
	}, (*imaging.Renderer).Rack)
}
