package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
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
		picture = h.BoardPicture(h.RendererFor(ctx, t.Channel, dark), view.View(t))
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
	return picture, nil
}

// PostedBoard is what everybody is shown of a table, nil before the tiles are
// dealt. For a platform that asks later it isn't drawn yet.
func (h *Host) PostedBoard(ctx context.Context, t table.Table) *bot.Picture {
	if !t.Played() {
		return nil
	}
	v := view.View(t)
	if p := h.Platform(t.Channel); p.AsksLater && !p.Plain && h.Renderer != nil {
		return &bot.Picture{Alt: bot.Plain(v.Alt()), Size: v.Size()}
	}
	return h.BoardPicture(h.RendererFor(ctx, t.Channel, false), v)
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
func (h *Host) BoardPicture(r *imaging.Renderer, v imaging.View) *bot.Picture {
	return h.Draw(r, v.Alt(), func() ([]byte, error) { return r.PNG(v) })
}

// rackPicture draws a rack, for its owner alone.
func (h *Host) rackPicture(r *imaging.Renderer, t table.Table, seat int, rack game.Tiles) *bot.Picture {
	card := imaging.RackCard{
		Tiles: t.Equipment.Tiles, Rack: rack,
		Caption: fmt.Sprintf("Your score is %d", t.Seats[seat].Score),
		Note:    fmt.Sprintf("%d unseen", len(t.HiddenFrom(seat))),
	}
	return h.Draw(r, card.Alt(), func() ([]byte, error) { return r.Rack(card) })
}

// Draw has the words alone where there is no renderer or the picture can't
// be drawn: they are worth having without it.
func (h *Host) Draw(r *imaging.Renderer, alt string, draw func() ([]byte, error)) *bot.Picture {
	p := &bot.Picture{Alt: bot.Plain(alt)}
	if r != nil {
		var err error
		began := h.Now()
		if p.PNG, err = draw(); err != nil {
			h.Log.Error("can't draw a picture", "error", err)
		}
		h.Observer.Drew(h.Now().Sub(began))
	}
	return p
}
