package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
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
	t, err := h.tableOf(ch, p.Table, events)
	if err != nil {
		return nil, err
	}
	picture := h.postedBoard(ctx, t, dark)
	if draw := h.posts[p.Kind].Picture; draw != nil {
		if picture, err = draw(h, ctx, t, dark); err != nil {
			return nil, bot.ErrNoPicture
		}
	}
	if p.To != "" {
		seat, ok := t.SeatOf(p.To)
		if !ok || !t.played() {
			return nil, bot.ErrNoPicture
		}
		picture = h.rackReply(ctx, t, seat, bot.Request{Dark: dark}).Picture
	}
	if picture == nil {
		return nil, bot.ErrNoPicture
	}
	return picture, nil
}

// postedBoard is what everybody is shown of a table, nil before the tiles are
// dealt.
func (h *Host) postedBoard(ctx context.Context, t table, dark bool) *bot.Picture {
	if !t.played() {
		return nil
	}
	return h.boardPicture(h.renderer(ctx, t.Channel, dark), view(t))
}

// renderer draws for a channel, and perhaps for somebody whose screen is dark.
// What those who manage the place have chosen comes before both. It is nil where
// no pictures are drawn.
func (h *Host) renderer(ctx context.Context, ch bot.ChannelID, dark bool) *imaging.Renderer {
	p := h.platform(ch)
	if p.Plain || h.Renderer == nil {
		return nil
	}
	name, err := h.houseRule(ctx, ch, "theme")
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
