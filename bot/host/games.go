package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Games lists the games that a person is playing; games in which they are to move come first.
func (h *commands) Games(ctx context.Context, who game.PlayerID) ([]bot.Game, error) {
	mine, _, err := feature.Playing(ctx, h.desk, who)
	if err != nil {
		return nil, err
	}
	var all []bot.Game
	for _, g := range mine {
		all = append(all, bot.Game{
			Channel: g.Channel, Table: g.ID, Turn: g.IsTurn(),
			Text: words.StandingFor(g.Table, g.Seat), Rack: h.Rack(ctx, g.Table, g.Seat, bot.Request{}),
		})
	}
	return all, nil
}
