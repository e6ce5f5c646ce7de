package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// Picture draws the picture of a message again, for a platform that doesn't
// keep them. dark says that whoever looks has a dark screen. The error is
// ErrNoPicture where there is none: no such table in the channel, no such
// number, nothing dealt yet, no seat.
//
// It trusts p.To: the platform makes sure that this is who asks.
func (h *Host) Picture(ctx context.Context, p bot.Posted, dark bool) (*bot.Picture, error) {
	if p.Number < 1 {
		return nil, bot.ErrNoPicture
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
	t, err := h.Replay(ch, p.Table, events)
	if err != nil {
		return nil, err
	}
	var picture *bot.Picture
	if t.Played() {
		picture = h.BoardPicture(h.RendererFor(ctx, t.Channel, dark), view.Of(t))
	}
	if draw := h.posts[p.Kind].Picture; draw != nil {
		if picture, err = draw(ctx, h, t, dark); err != nil {
			return nil, bot.ErrNoPicture
		}
	}
	if p.To != "" {
		seat, ok := t.SeatOf(p.To)
		if !ok || !t.Played() {
			return nil, bot.ErrNoPicture
		}
		picture = h.ShowRack(ctx, t, seat, bot.Request{Dark: dark}).Picture
	}
	if picture == nil {
		return nil, bot.ErrNoPicture
	}
	m := bot.Message{Channel: ch}
	if p.To != "" {
		m.To = &bot.User{ID: p.To}
	}
	return picture.In(h.tongueOf(ctx, m)), nil
}

// PostedBoard is what everybody is shown of a table, nil before the tiles are
// dealt. For a platform that asks later it isn't drawn yet.
func (h *Host) PostedBoard(ctx context.Context, t table.Table) *bot.Picture {
	if !t.Played() {
		return nil
	}
	if p := h.Platform(t.Channel); p.AsksLater && !p.Plain && h.Renderer != nil {
		return bot.Drawn(func(to *text.Tongue) bot.Picture {
			v := view.View(t, to)
			return bot.Picture{Alt: text.Plain(v.Alt()), Size: v.Size()}
		})
	}
	return h.BoardPicture(h.RendererFor(ctx, t.Channel, false), view.Of(t))
}

// RendererFor draws for a channel, and perhaps for somebody whose screen is dark.
// What those who manage the place have chosen comes before both. It is nil where
// no pictures are drawn.
func (h *Host) RendererFor(ctx context.Context, ch bot.ChannelID, dark bool) *imaging.Renderer {
	p := h.Platform(ch)
	if p.Plain || h.Renderer == nil {
		return nil
	}
	name, err := h.HouseRule(ctx, ch, "theme")
	if err != nil {
		h.Log.Error("can't look up the theme of a channel", "channel", ch, "error", err)
	} else if theme, err := imaging.ParseTheme(name); err == nil {
		return h.Renderer(theme)
	}
	name = cmp.Or(p.Theme, imaging.Light.String())
	if dark {
		name = cmp.Or(p.Dark, name)
	}
	theme, err := imaging.ParseTheme(name)
	if err != nil {
		h.Log.Error("a platform has no such theme", "platform", p.Name, "error", err)
	}
	return h.Renderer(theme)
}

// BoardPicture draws a view.
func (h *Host) BoardPicture(r *imaging.Renderer, v func(*text.Tongue) imaging.View) *bot.Picture {
	return Draw(h, r, v, (*imaging.Renderer).PNG)
}

// rackPicture draws a rack, for its owner alone.
func (h *Host) rackPicture(r *imaging.Renderer, t table.Table, seat int, rack game.Tiles) *bot.Picture {
	return Draw(h, r, func(to *text.Tongue) imaging.RackCard {
		return imaging.RackCard{
			Tiles: t.Equipment.Tiles, Rack: rack, Tongue: to,
			Caption: text.Say("Your score is {n}", t.Seats[seat].Score).In(to).String(),
			Note:    text.Item("{n} unseen", len(t.HiddenFrom(seat))).In(to).String(),
		}
	}, (*imaging.Renderer).Rack)
}

// Draw is a picture of something, as it looks in a tongue. It has the words alone
// where there is no renderer or the picture can't be drawn: they are worth having
// without it.
func Draw[Look interface{ Alt() string }](h *Host, r *imaging.Renderer, look func(*text.Tongue) Look, draw func(*imaging.Renderer, Look) ([]byte, error)) *bot.Picture {
	return bot.Drawn(func(to *text.Tongue) bot.Picture {
		what := look(to)
		p := bot.Picture{Alt: text.Plain(what.Alt())}
		if r != nil {
			var err error
			began := h.Now()
			if p.PNG, err = draw(r, what); err != nil {
				h.Log.Error("can't draw a picture", "error", err)
			}
			h.Observer.Drew(h.Now().Sub(began))
		}
		return p
	})
}
