package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// Identities returns all identities of a person, on every platform, who first.
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

// asSeated returns a request at a table as made by the identity that sits there: a person linked by
// /link owns the seats of all their identities.
func (h *desk) asSeated(ctx context.Context, req bot.Request, t table.Table) (bot.Request, error) {
	if _, seated := t.SeatOf(req.User.ID); seated {
		return req, nil
	}
	ids, err := h.Identities(ctx, req.User.ID)
	return seatOf(ids, req, t), err
}

// seatRequest works like asSeated for the table that a request is about. It loads no table for a
// person with a single identity.
func (h *desk) seatRequest(ctx context.Context, req bot.Request) (bot.Request, error) {
	ids, err := h.Identities(ctx, req.User.ID)
	if err != nil || len(ids) == 1 {
		return req, err
	}
	t, err := h.Load(ctx, req)
	return seatOf(ids, req, t), err
}

// seatOf returns a request as made by the first of the requester's identities that sits at a table.
func seatOf(ids []game.PlayerID, req bot.Request, t table.Table) bot.Request {
	for _, id := range ids { // the requester's own comes first
		if seat, seated := t.SeatOf(id); seated {
			if id != req.User.ID {
				req.User = t.Seats[seat].Person
			}
			break
		}
	}
	return req
}
