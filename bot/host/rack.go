package host

import (
	"context"
	"hash/fnv"
	"math/rand/v2"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// ShowRack shows a player their rack, in the order that the request asks for.
func (h *Host) ShowRack(ctx context.Context, t table.Table, seat int, req bot.Request) bot.Reply {
	rack := t.RackOf(seat)
	switch req.Args["order"] {
	case "sort":
		rack = rack.Sorted()
	case "shuffle":
		// The request's id is what is random: the same request gets the same
		// answer.
		hash := fnv.New64a()
		hash.Write([]byte(req.ID))
		b := []byte(rack)
		rand.New(rand.NewPCG(hash.Sum64(), uint64(t.Number))).Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		rack = game.Tiles(b)
	}
	r := bot.Reply{
		Text:    bot.Say("Your rack: ", bot.Strong(words.Spaced(t.Equipment.Tiles, rack))),
		Picture: h.rackPicture(h.RendererFor(ctx, t.Channel, req.Dark), t, seat, rack),
		Buttons: table.RackButtons(t),
		Rack:    true,
		Menus:   table.ExchangeMenus(t, seat),
	}
	for i := range len(rack) {
		r.Tiles = append(r.Tiles, bot.Tile{Text: t.Equipment.Tiles.Text(rack.At(i)), Value: t.Equipment.Tiles.Value(rack.At(i))})
	}
	if rack == "" {
		r.Text, r.Buttons = bot.Say("Your rack is empty: you have played all your tiles."), nil
	}
	if own := t.Variant.Rack; own != nil && t.Phase == game.Playing {
		return own(t, seat, r)
	}
	return r
}
