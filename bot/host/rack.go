package host

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Rack shows a player their rack, in the order that the request asks for.
func (h *desk) Rack(ctx context.Context, t table.Table, seat int, req bot.Request) bot.Reply {
	rack := table.OrderedRack(t, seat, req)
	r := bot.Reply{
		Text:    text.Say("Your rack: {tiles}", text.Strong(words.SpacedTiles(t.Equipment.Tiles, rack))),
		Picture: rackPicture(h.Painter(ctx, t.Channel, req.Dark), t, seat, rack),
		Buttons: table.RackButtons(t),
		Rack:    true,
		Menus:   table.ExchangeMenus(t, seat),
	}
	for i := range len(rack) {
		r.Tiles = append(r.Tiles, bot.Tile{Text: t.Equipment.Tiles.Text(rack.At(i)), Value: t.Equipment.Tiles.Value(rack.At(i))})
	}
	if rack == "" {
		r.Text, r.Buttons = text.Say("Your rack is empty: you have played all your tiles."), nil
	}
	if own := t.Variant.Rack; own != nil && t.Phase == game.Playing {
		r = own(t, seat, r)
	}
	if !h.Platform(t.Channel).Boards {
		var err error
		if r.Buttons, err = h.withMore(ctx, t, r.Buttons); err != nil {
			h.Log().Error("can't add buttons to a rack", "table", t.ID, "error", err)
		}
	}
	return r
}

// Board adds the board and its buttons to a public message.
func (h *desk) Board(ctx context.Context, t table.Table, m *bot.Message) (err error) {
	m.Picture = h.postedBoard(ctx, t)
	m.Buttons, err = h.withMore(ctx, t, table.PublicButtons(t))
	return err
}

// withMore adds the features' extra buttons. If there is no room, they are left out, but in a
// finished game they replace the last buttons. A primary one comes first and is then the only
// primary one.
func (h *desk) withMore(ctx context.Context, t table.Table, all []bot.Button) ([]bot.Button, error) {
	for _, f := range h.features {
		if f.Buttons == nil {
			continue
		}
		more, err := f.Buttons(ctx, t)
		room := bot.MostButtons - len(more)
		if err != nil || len(all) > room && t.Phase != game.Over {
			return all, err
		}
		all = append(slices.Clone(all[:min(room, len(all))]), more...)
		if k := len(all) - len(more); len(more) > 0 && more[0].Style == bot.Primary {
			for i := range all[:k] {
				if all[i].Style == bot.Primary {
					all[i].Style = bot.Ordinary
				}
			}
			all = append(slices.Clone(more), all[:k]...)
		}
	}
	return all, nil
}
