package host

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Sight returns the table in a channel, or the one that the request names, as the requester sees
// it. It returns ErrNoTable if there is none.
func (h *commands) Sight(ctx context.Context, req bot.Request) (bot.Sight, error) {
	return chargeFor(ctx, h.limits, askerOf(req), func(ctx context.Context) (bot.Sight, error) { return h.sight(ctx, req) })
}

func (h *commands) sight(ctx context.Context, req bot.Request) (bot.Sight, error) {
	t, err := h.Load(ctx, req)
	if err != nil {
		return bot.Sight{}, err
	}
	if t.Phase == game.NoTable || t.Phase == game.Over && t.End == nil {
		return bot.Sight{}, bot.ErrNoTable
	}
	if req, err = h.asSeated(ctx, req, t); err != nil {
		return bot.Sight{}, err
	}
	to := h.LocaleFor(ctx, req)
	s := bot.Sight{Scene: view.Scene(t, to, !h.Platform(t.Channel).Boards)}
	if err := h.runClocks(ctx, t, s.Players); err != nil {
		return bot.Sight{}, err
	}
	mine := -1
	if seat, err := t.Seat(req); err == nil {
		mine = seat
		s.Own = view.Own(t, seat)
		if !slices.ContainsFunc(s.Players, func(p bot.Player) bool { return p.Seat == seat }) {
			s.Players = append(s.Players, view.Player(t, seat, to))
		}
	}
	seat, played := t.SeatOf(req.User.ID)
	if played {
		s.Seat = &seat
	} else {
		seat = -1
	}
	for _, f := range h.features {
		if f.Sight == nil {
			continue
		}
		if err := f.Sight(ctx, t, seat, &s); err != nil {
			return bot.Sight{}, err
		}
	}
	for _, b := range table.SightButtons(t, mine) {
		s.Buttons = append(s.Buttons, bot.SightButton{ID: b.ID, Label: b.Label.In(to).String(), Style: b.Style})
	}
	return s, nil
}

// Draft returns what a play would form and score, for the player only: /try without its words and
// picture.
func (h *commands) Draft(ctx context.Context, req bot.Request) (bot.Draft, error) {
	return chargeFor(ctx, h.limits, askerOf(req), func(ctx context.Context) (bot.Draft, error) { return h.draft(ctx, req) })
}

func (h *commands) draft(ctx context.Context, req bot.Request) (bot.Draft, error) {
	t, err := h.Load(ctx, req)
	if err != nil {
		return bot.Draft{}, err
	}
	if req, err = h.asSeated(ctx, req, t); err != nil {
		return bot.Draft{}, err
	}
	if judge := t.Variant.Judge; judge != nil {
		return h.draftOf(ctx, req, t, judge)
	}
	m, err := input.Play(h.lists, t, req)
	if err == nil {
		var tally game.Tally
		if tally, err = t.Tally(m); err == nil {
			return h.judgeDraft(t, tally)
		}
	}
	if words.IsMistake(err) {
		return bot.Draft{Problem: words.Explain(t, req, err).Text.In(h.LocaleFor(ctx, req)).String()}, nil
	}
	return bot.Draft{}, err
}

// draftOf returns the draft of a variant's own play, scored by judge.
func (h *commands) draftOf(ctx context.Context, req bot.Request, t table.Table, judge table.Judge) (bot.Draft, error) {
	dict, err := h.lists.Dictionary(t.State)
	if err != nil {
		return bot.Draft{}, err
	}
	score, err := judge(t, req, dict)
	if words.IsMistake(err) {
		return bot.Draft{Problem: words.Explain(t, req, err).Text.In(h.LocaleFor(ctx, req)).String()}, nil
	}
	return bot.Draft{Score: score}, err
}

func (h *commands) judgeDraft(t table.Table, tally game.Tally) (bot.Draft, error) {
	var invalid []game.Tiles
	if t.Rules.Challenge == game.Void {
		dict, err := h.lists.Dictionary(t.State)
		if err != nil {
			return bot.Draft{}, err
		}
		invalid = tally.Phonies(dict)
	}
	return view.Draft(t, tally, invalid), nil
}

// runClocks sets what the clocks show now.
func (h *commands) runClocks(ctx context.Context, t table.Table, all []bot.Player) error {
	if !t.Ticks() {
		return nil
	}
	news, err := h.shown.In(ctx, t.Channel)
	if err != nil {
		return err
	}
	since := news.Since(t)
	for i, p := range all {
		c := bot.Clock{Left: t.Left(p.Seat, 0).Milliseconds()}
		if p.Seat == t.Turn && !since.IsZero() {
			c.Left, c.Runs = t.Left(p.Seat, h.Now().Sub(since)).Milliseconds(), true
		}
		all[i].Clock = &c
	}
	return nil
}
