package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// Identities are all that somebody is, on every surface, themselves first.
func (h *desk) Identities(ctx context.Context, who game.PlayerID) ([]game.PlayerID, error) {
	if who != "" {
		for _, f := range h.features {
			if f.Persons == nil {
				continue
			}
			if all, err := f.Persons.Identities(ctx, who); err != nil || len(all) > 1 {
				return all, err
			}
		}
	}
	return []game.PlayerID{who}, nil
}

// inSeat makes a request at a table that of the identity that sits there: a
// person who is one with others by /link has their seats.
func (h *desk) inSeat(ctx context.Context, req bot.Request, t table.Table) (bot.Request, error) {
	if _, seated := t.SeatOf(req.User.ID); seated {
		return req, nil
	}
	ids, err := h.Identities(ctx, req.User.ID)
	return seatOf(ids, req, t), err
}

// asSeated is inSeat for the table that a request is about. It loads none for
// those who are nobody else.
func (h *desk) asSeated(ctx context.Context, req bot.Request) (bot.Request, error) {
	ids, err := h.Identities(ctx, req.User.ID)
	if err != nil || len(ids) == 1 {
		return req, err
	}
	t, err := h.Load(ctx, req)
	return seatOf(ids, req, t), err
}

// seatOf makes a request that of the first of its asker's identities that sits
// at a table, where they don't sit there themselves.
func seatOf(ids []game.PlayerID, req bot.Request, t table.Table) bot.Request {
	for _, id := range ids { // the asker's own is the first
		if seat, seated := t.SeatOf(id); seated {
			if id != req.User.ID {
				req.User = t.Seats[seat].Person
			}
			break
		}
	}
	return req
}
