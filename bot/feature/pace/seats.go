package pace

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// unseat lets a manager of the place free a player's seat for someone else.
func (f *Feature) unseat(ctx context.Context, req bot.Request) (bot.Reply, error) {
	switch {
	case !req.Manager:
		return bot.Reply{}, words.Refusing("Only managers of this server can free another player's seat. A player can {resign}.", text.Code("/resign"))
	case len(req.People) != 1:
		return bot.Reply{}, words.Refusing("Say whose seat: {unseat}.", text.Code("/unseat @ann"))
	}
	who := req.People[0]
	return f.desk.Change(ctx, req, func(t table.Table) (game.Action, error) {
		if seat, seated := t.SeatOf(who.ID); !seated || t.Seats[seat].Out || t.Seats[seat].Vacant {
			return nil, words.Refusing("{who} has no seat in this game. {board} shows who does.", text.Name(who), text.Code("/board"))
		}
		return game.Vacate{Player: who.ID}, nil
	})
}
