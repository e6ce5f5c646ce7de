package bot

import (
	"context"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/game"
)

// A Game is one of a person's games as it stands, for their eyes only.
type Game struct {
	Channel ChannelID
	Table   TableID
	Turn    bool // it is theirs
	Text    Text // the scores, and who is to move
	Rack    Reply
}

// Games lists the games that a person is in the middle of, those where they
// are to move first.
func (h *Host) Games(ctx context.Context, who game.PlayerID) ([]Game, error) {
	tables, err := h.Store.Playing(ctx, who)
	if err != nil {
		return nil, fmt.Errorf("list games: %w", err)
	}
	var all []Game
	for _, id := range tables {
		ch, events, err := h.Store.Events(ctx, id, -1)
		if err != nil {
			return nil, fmt.Errorf("load table %d: %w", id, err)
		}
		t, err := table{Channel: ch, ID: id, Events: events}.replayed()
		if err != nil {
			return nil, err
		}
		seat, seated := t.SeatOf(who)
		if !seated || t.Phase != game.Playing && t.Phase != game.Closing {
			continue // it ended a moment ago
		}
		all = append(all, Game{
			Channel: ch, Table: id, Turn: t.Phase == game.Playing && t.Turn == seat,
			Text: standing(t), Rack: h.rackReply(t, seat, Request{}),
		})
	}
	slices.SortStableFunc(all, func(a, b Game) int {
		switch {
		case a.Turn == b.Turn:
			return 0
		case a.Turn:
			return -1
		}
		return 1
	})
	return all, nil
}
