package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Games lists the games that a person is playing, those in which they are to move first, and then
// the tables that wait for them because they were invited.
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
	for _, f := range h.features {
		if f.Invited == nil {
			continue
		}
		tables, err := f.Invited(ctx, who)
		if err != nil {
			return nil, err
		}
		for _, t := range tables {
			all = append(all, bot.Game{Channel: t.Channel, Table: t.ID, Invited: true, Text: words.Invitation(t), Rack: bot.Reply{Buttons: []bot.Button{words.JoinButton(t)}}})
		}
	}
	return all, nil
}
