package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
)

// inSeat makes a request at a table that of the identity that sits there: a
// person who is one with others by /link has their seats.
func (h *Host) inSeat(ctx context.Context, req bot.Request, t table.Table) (bot.Request, error) {
	if _, seated := t.SeatOf(req.User.ID); seated || req.User.ID == "" {
		return req, nil
	}
	for _, f := range h.Parts {
		if f.Identities == nil {
			continue
		}
		all, err := f.Identities(ctx, h, req.User.ID)
		if err != nil {
			return req, err
		}
		for _, id := range all {
			if seat, seated := t.SeatOf(id); seated {
				req.User = t.Seats[seat].Person
				return req, nil
			}
		}
	}
	return req, nil
}

// asSeated is inSeat for the table that a request is about. It loads none for
// those who are nobody else.
func (h *Host) asSeated(ctx context.Context, req bot.Request) (bot.Request, error) {
	for _, f := range h.Parts {
		if f.Identities == nil {
			continue
		}
		all, err := f.Identities(ctx, h, req.User.ID)
		if err != nil {
			return req, err
		}
		if len(all) < 2 {
			return req, nil
		}
	}
	t, err := h.Load(ctx, req)
	if err != nil {
		return req, err
	}
	return h.inSeat(ctx, req, t)
}
