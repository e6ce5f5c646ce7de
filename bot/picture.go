package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/imaging"
)

// A Posted names the picture of a message that was posted, as the message has
// them: its channel, table, number, and whom it was for.
type Posted struct {
	Channel ChannelID
	Table   TableID
	Number  int
	To      PlayerID // "": everybody in the channel; else this person alone
	Kind    string
}

// ErrNoPicture is what Host.Picture returns where no message could have had
// such a picture.
var ErrNoPicture = errors.New("there is no such picture")

// Picture draws the picture of a message again, for a platform that doesn't
// keep them. dark says that whoever looks has a dark screen. The error is
// ErrNoPicture where there is none: no such table in the channel, no such
// number, nothing dealt yet, no seat.
//
// It trusts p.To: the platform makes sure that this is who asks.
func (h *Host) Picture(ctx context.Context, p Posted, dark bool) (*Picture, error) {
	if p.Number < 1 {
		return nil, ErrNoPicture
	}
	ch, events, err := h.Store.Events(ctx, p.Table, p.Number)
	switch {
	case errors.Is(err, ErrNoTable):
		return nil, ErrNoPicture
	case err != nil:
		return nil, fmt.Errorf("load table %d: %w", p.Table, err)
	case ch != p.Channel || len(events) < p.Number:
		return nil, ErrNoPicture
	}
	t, err := table{Channel: ch, ID: p.Table, Events: events}.replayed()
	if err != nil {
		return nil, err
	}
	picture := h.postedBoard(ctx, t, dark)
	if p.Kind == reviewKind {
		m, err := h.reviewMessage(ctx, t, Message{}, dark)
		if err != nil {
			return nil, ErrNoPicture
		}
		picture = m.Picture
	}
	if p.To != "" {
		seat, ok := t.SeatOf(p.To)
		if !ok || !t.played() {
			return nil, ErrNoPicture
		}
		picture = h.rackReply(ctx, t, seat, Request{Dark: dark}).Picture
	}
	if picture == nil {
		return nil, ErrNoPicture
	}
	return picture, nil
}

// postedBoard is what everybody is shown of a table, nil before the tiles are
// dealt.
func (h *Host) postedBoard(ctx context.Context, t table, dark bool) *Picture {
	if !t.played() {
		return nil
	}
	return h.boardPicture(h.renderer(ctx, t.Channel, dark), view(t))
}

// renderer draws for a channel, and perhaps for somebody whose screen is dark.
// What those who manage the place have chosen comes before both. It is nil where
// no pictures are drawn.
func (h *Host) renderer(ctx context.Context, ch ChannelID, dark bool) *imaging.Renderer {
	r := h.Renderer(ch.Platform())
	if r == nil {
		return nil
	}
	if h.Theme != nil {
		name, err := h.houseRule(ctx, ch, "theme")
		if err != nil {
			h.Log.Error("can't look up the theme of a channel", "channel", ch, "error", err)
		} else if theme, err := imaging.ParseTheme(name); err == nil {
			return h.Theme(theme)
		}
	}
	if dark && h.Dark != nil {
		return h.Dark
	}
	return r
}
