package host

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// Games lists the games that a person is in the middle of, those where they
// are to move first.
func (h *Host) Games(ctx context.Context, who game.PlayerID) ([]bot.Game, error) {
	mine, err := h.playing(ctx, who)
	if err != nil {
		return nil, err
	}
	var all []bot.Game
	for _, g := range mine {
		all = append(all, bot.Game{
			Channel: g.Channel, Table: g.ID, Turn: g.isTurn(),
			Text: standing(g.table), Rack: h.rackReply(ctx, g.table, g.seat, bot.Request{}),
		})
	}
	return all, nil
}

// An ownGame is a running game from one of its seats.
type ownGame struct {
	table
	seat int
}

func (g ownGame) isTurn() bool { return g.Phase == game.Playing && g.Turn == g.seat }

// playing lists the games that somebody, under any of these identities, is in
// the middle of, those where they are to move first.
func (h *Host) playing(ctx context.Context, identities ...game.PlayerID) ([]ownGame, error) {
	var all []ownGame
	for _, who := range identities {
		tables, err := h.Store.Playing(ctx, who)
		if err != nil {
			return nil, fmt.Errorf("list games: %w", err)
		}
		for _, id := range tables {
			ch, events, err := h.Store.Events(ctx, id, -1)
			if err != nil {
				return nil, fmt.Errorf("load table %d: %w", id, err)
			}
			t, err := h.tableOf(ch, id, events)
			if err != nil {
				return nil, err
			}
			seat, seated := t.SeatOf(who)
			if !seated || t.Phase != game.Playing && t.Phase != game.Closing {
				continue // it ended a moment ago
			}
			all = append(all, ownGame{t, seat})
		}
	}
	slices.SortStableFunc(all, func(a, b ownGame) int {
		switch {
		case a.isTurn() == b.isTurn():
			return 0
		case a.isTurn():
			return -1
		}
		return 1
	})
	return all, nil
}

func gamesOptions() []bot.Option {
	return []bot.Option{{Name: "page", Help: "Which page of a long list", Kind: bot.Words}}
}

// gamesAtOnce is how many games a page of /games has: their links are long.
const gamesAtOnce = 8

// games lists a person's games on all the surfaces that they have linked.
func (h *Host) games(ctx context.Context, req bot.Request) (bot.Reply, error) {
	ids, err := h.identities(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	all, err := h.playing(ctx, ids...)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(all) == 0 {
		t := bot.Say("You are in no game. ", bot.Code("/new"), " opens a table.")
		if len(ids) == 1 {
			t = bot.Say(t, " Do you play elsewhere too? ", bot.Code("/link"), " brings those games here.")
		}
		return bot.Reply{Text: t}, nil
	}
	turns := 0
	for _, g := range all {
		if g.isTurn() {
			turns++
		}
	}
	pages := (len(all) + gamesAtOnce - 1) / gamesAtOnce
	page, _ := strconv.Atoi(req.Args["page"])
	page = min(max(page, 1), pages)
	t := bot.Say("You are in ", count(len(all), "game"), "; ", verb(turns, "one waits", number(turns)+" wait"), " for you.")
	for _, g := range all[(page-1)*gamesAtOnce : min(page*gamesAtOnce, len(all))] {
		line, err := h.gameLine(ctx, g)
		if err != nil {
			return bot.Reply{}, err
		}
		t = bot.Say(t, "\n", line)
	}
	r := bot.Reply{Text: t}
	if page < pages {
		r.Buttons = []bot.Button{{ID: bot.ButtonID(0, 0, "games", map[string]string{"page": strconv.Itoa(page + 1)}), Label: fmt.Sprintf("Next, %d of %d", page+1, pages)}}
	}
	return r, nil
}

// gameLine is one of somebody's games in a line, with the way there.
func (h *Host) gameLine(ctx context.Context, g ownGame) (bot.Text, error) {
	t := bot.Say(bot.Name(g.Seats[g.Turn].Person), " is to move")
	switch {
	case g.Phase == game.Closing:
		t = bot.Say("The last play can be challenged until ", clock(g.Until))
	case g.isTurn():
		t = bot.Say(bot.Strong("Your move"), until(g.State))
	}
	t = bot.Say(t, " · ", scoreLine(g.table))
	link := h.platform(g.Channel).Link
	if link == nil {
		return t, nil
	}
	home, err := h.homeOf(ctx, g.Channel)
	if err != nil {
		return nil, err
	}
	if url := link(ctx, g.Channel, home); url != "" {
		t = bot.Say(t, " · ", bot.Span{Text: "open the board", Link: url})
	}
	return t, nil
}
