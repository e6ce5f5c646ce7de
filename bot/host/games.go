package host

import (
	"context"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Games lists the games that a person is in the middle of, those where they
// are to move first.
func (h *Host) Games(ctx context.Context, who game.PlayerID) ([]bot.Game, error) {
	mine, err := h.Playing(ctx, who)
	if err != nil {
		return nil, err
	}
	var all []bot.Game
	for _, g := range mine {
		all = append(all, bot.Game{
			Channel: g.Channel, Table: g.ID, Turn: g.IsTurn(),
			Text: words.Standing(g.Table), Rack: h.ShowRack(ctx, g.Table, g.Seat, bot.Request{}),
		})
	}
	return all, nil
}

// An OwnGame is a running game from one of its seats.
type OwnGame struct {
	table.Table
	Seat int
}

// IsTurn reports whether it is their turn.
func (g OwnGame) IsTurn() bool { return g.Phase == game.Playing && g.Turn == g.Seat }

// Playing lists the games that somebody, under any of these identities, is in
// the middle of, those where they are to move first.
func (h *Host) Playing(ctx context.Context, identities ...game.PlayerID) ([]OwnGame, error) {
	var all []OwnGame
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
			t, err := h.Replay(ch, id, events)
			if err != nil {
				return nil, err
			}
			seat, seated := t.SeatOf(who)
			if !seated || t.Phase != game.Playing && t.Phase != game.Closing {
				continue // it ended a moment ago
			}
			all = append(all, OwnGame{t, seat})
		}
	}
	slices.SortStableFunc(all, func(a, b OwnGame) int {
		switch {
		case a.IsTurn() == b.IsTurn():
			return 0
		case a.IsTurn():
			return -1
		}
		return 1
	})
	return all, nil
}

// GameLine is one of somebody's games in a line, with the way there.
func (h *Host) GameLine(ctx context.Context, g OwnGame) (text.Text, error) {
	stands := text.Say("{who} is to move", text.Name(g.Seats[g.Turn].Person))
	switch {
	case g.Phase == game.Closing:
		stands = text.Say("The last play can be challenged until {time}", words.Clock(g.Until))
	case g.IsTurn():
		stands = text.Glue(text.Strong(text.Say("Your move")))
		if at, ok := g.Deadline(); ok {
			stands = text.Say("{call} until {time}", text.Strong(text.Say("Your move")), words.Clock(at))
		}
	}
	t := text.Glue(stands, " · ", words.ScoreLine(g.Table))
	link := h.Platform(g.Channel).Link
	if link == nil {
		return t, nil
	}
	home, err := h.HomeOf(ctx, g.Channel)
	if err != nil {
		return nil, err
	}
	if url := link(ctx, g.Channel, home); url != "" {
		t = text.Glue(t, " · ", text.Link(text.Item("open the board"), url))
	}
	return t, nil
}
