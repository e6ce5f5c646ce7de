package host

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// The shelf of the host's notes that has the home of each channel where a table
// was opened.
const homesShelf = "homes"

// keepHome notes which home a channel belongs to, for what is done later
// without a request.
func (h *Host) keepHome(ctx context.Context, ch bot.ChannelID, home string) error {
	if home == "" {
		return nil
	}
	known, err := h.homeOf(ctx, ch)
	if err != nil || known == home {
		return err
	}
	if err := h.Notes.Put(ctx, homesShelf, string(ch), []byte(home)); err != nil {
		return fmt.Errorf("keep the home of %s: %w", ch, err)
	}
	return nil
}

// homeOf is the home of a channel, "" when it isn't known.
func (h *Host) homeOf(ctx context.Context, ch bot.ChannelID) (string, error) {
	b, err := h.Notes.Get(ctx, homesShelf, string(ch))
	return string(b), err
}

// homeFor is the home that a request is made in.
func (h *Host) homeFor(ctx context.Context, req bot.Request) (string, error) {
	if req.Home != "" {
		return req.Home, nil
	}
	return h.homeOf(ctx, req.Channel)
}

func unseatOptions() []bot.Option {
	return []bot.Option{{Name: "player", Help: "Who loses the seat", Kind: bot.People, Required: false}}
}

// unseat lets whoever manages the place free a seat, for others to take.
func (h *Host) unseat(ctx context.Context, req bot.Request) (bot.Reply, error) {
	switch {
	case !req.Manager:
		return bot.Reply{}, refusing("Only those who manage the server can free somebody's seat. A player can ", bot.Code("/resign"), ".")
	case len(req.People) != 1:
		return bot.Reply{}, refusing("Say whose seat: ", bot.Code("/unseat @ann"), ".")
	}
	who := req.People[0]
	return h.change(ctx, req, func(t table) (game.Action, error) {
		if seat, seated := t.SeatOf(who.ID); !seated || t.Seats[seat].Out || t.Seats[seat].Vacant {
			return nil, refusing(bot.Name(who), " has no seat in this game. ", bot.Code("/board"), " shows who has.")
		}
		return game.Vacate{Player: who.ID}, nil
	})
}
