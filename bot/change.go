package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rackmate/rackmate/game"
)

// An intent turns a request into an action on the table as it stands. Its
// *game.RuleErrors and *refusals are the person's to mend.
type intent func(t table) (game.Action, error)

// A refusal is a request that can't be carried out for a reason that the rules
// of the game know nothing of.
type refusal struct{ reply Reply }

func (r *refusal) Error() string { return r.reply.Text.String() }

// change is the one way in which a request changes a table: load, judge,
// append, queue, commit; then the answer. A request seen before changes
// nothing, and is answered from what came of it then.
func (h *Host) change(ctx context.Context, req Request, want intent) (Reply, error) {
	var secret game.Secret
	if _, err := io.ReadFull(h.Random, secret[:]); err != nil {
		return Reply{}, err
	}
	var receipt *Receipt
	err := h.Store.Update(ctx, req.Channel, req.ID, func(r *Room) error {
		if receipt = r.Receipt; receipt != nil {
			return nil
		}
		t, err := table{Channel: r.Channel, ID: r.Table, Events: r.Events}.replayed()
		if err != nil {
			return err
		}
		done, err := h.judge(t, req, secret, want)
		switch {
		case isMistake(err):
			r.File = &Receipt{From: len(r.Events), To: len(r.Events)}
		case err != nil:
			return err
		default:
			fill(r, t, req.User.ID, done)
		}
		receipt = r.File
		return nil
	})
	if err != nil {
		return Reply{}, err
	}
	h.rouse(req.Channel)
	return h.outcome(ctx, req, *receipt, want)
}

// outcome is the answer to a request that has been carried out or refused.
func (h *Host) outcome(ctx context.Context, req Request, r Receipt, want intent) (Reply, error) {
	t := table{Channel: req.Channel, ID: r.Table}
	if r.Table != 0 {
		var err error
		if _, t.Events, err = h.Store.Events(ctx, r.Table, r.To); err != nil {
			return Reply{}, fmt.Errorf("load table %d: %w", r.Table, err)
		}
	}
	t, err := t.replayed()
	if err != nil {
		return Reply{}, err
	}
	if r.From < r.To {
		return h.answer(t, r.From, req)
	}
	if _, err := h.judge(t, req, game.Secret{}, want); isMistake(err) {
		return h.explain(t, req, err), nil
	}
	return sorry(), nil
}

// judge says what a request does to a table.
func (h *Host) judge(t table, req Request, secret game.Secret, want intent) ([]game.Event, error) {
	if req.Table != 0 && req.Table != t.ID {
		return nil, &refusal{refuse(say("That button belongs to an earlier table. ", code("/board"), " shows the one that is open now."))}
	}
	action, err := want(t)
	if err != nil {
		return nil, err
	}
	env := game.Env{Now: h.Now(), Cause: req.ID, Secret: secret}
	if t.Phase == game.Playing || t.Phase == game.Closing {
		if env.Dict, err = h.lexicon(t.Lexicon); err != nil {
			return nil, &refusal{refuse(say("This table can't go on: ", err.Error(), ". Please ask whoever runs it to bring the list back."))}
		}
	}
	return game.Decide(t.State, req.User, action, env)
}

func isMistake(err error) bool {
	var rule *game.RuleError
	var other *refusal
	return errors.As(err, &rule) || errors.As(err, &other)
}

// fill puts what happened into a room: the events, the posts that tell of
// them, the timers, who plays now, the receipt.
func fill(r *Room, before table, by game.PlayerID, done []game.Event) {
	from, to := done[0].Number, done[len(done)-1].Number+1
	r.Append = done
	r.File = &Receipt{From: from, To: to}
	r.Posts = append(r.Posts, Post{Channel: r.Channel, From: from, To: to})
	after := before.State
	if from == 0 {
		after = game.State{}
	}
	racks := racksOf(after)
	for _, e := range done {
		after = after.Apply(e)
		if last, ok := e.Fact.(game.LastPlay); ok {
			r.Timers = append(r.Timers, Timer{At: last.Until, Channel: r.Channel})
		}
	}
	if after.Phase == game.Over {
		return
	}
	for id, rack := range racksOf(after) {
		// Who asked has the new rack in the reply.
		if id != by && rack != racks[id] {
			r.Posts = append(r.Posts, Post{Channel: r.Channel, From: from, To: to, For: id})
		}
	}
	slices.SortStableFunc(r.Posts, func(a, b Post) int { return cmp.Compare(a.For, b.For) })
	if after.Phase == game.Playing || after.Phase == game.Closing {
		for _, i := range after.Active() {
			r.Seated = append(r.Seated, after.Seats[i].Person.ID)
		}
	}
}

func racksOf(s game.State) map[game.PlayerID]game.Tiles {
	racks := map[game.PlayerID]game.Tiles{}
	for _, seat := range s.Seats {
		if seat.Rack != "" {
			racks[seat.Person.ID] = seat.Rack.Sorted()
		}
	}
	return racks
}
