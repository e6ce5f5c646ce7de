package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// recount queues a change of the latest message, if it still is the one that
// was to be changed.
func recount(ctx context.Context, h *Host, timer bot.Timer) error {
	return h.AtTable(ctx, timer, func(r *bot.Room, t table.Table, _ game.Env) error {
		if t.Phase != game.Playing || t.News() != timer.Number || t.News() == len(t.Events) {
			return nil
		}
		r.Posts = []bot.Post{{Channel: r.Channel, From: t.Number, To: t.Number, Kind: table.CountKind}}
		r.File = &bot.Receipt{From: t.Number, To: t.Number}
		return nil
	})
}
