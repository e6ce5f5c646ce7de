package play

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// This file implements the vote on the order of turns: the poll in the channel and the command
// behind its buttons. An order is written as the players' numbers, from 1: "213" puts the second
// player first.

// orderKind is the kind of timers that end a vote.
const orderKind = "order"

func orderChoices() []bot.Choice {
	return []bot.Choice{
		{Value: game.Drawn.String(), Label: text.Say("Drawn: each player draws a tile, and the one closest to A goes first")},
		{Value: game.Random.String(), Label: text.Say("Random: the order of all players is drawn at random")},
		{Value: game.Voted.String(), Label: text.Say("Voted: the players vote on the order")},
	}
}

func (f *Feature) vote(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.desk.Change(ctx, req, func(t table.Table) (game.Action, error) {
		text := strings.ToLower(req.Args["order"])
		if text == table.AnyOrder {
			return game.Vote{}, nil
		}
		var order []int
		for _, r := range text {
			order = append(order, int(r-'1'))
		}
		return game.Vote{Order: order}, nil
	})
}
