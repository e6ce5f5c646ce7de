package host

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shown"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// An Intent turns a request into an action on the table as it stands. Its
// *game.RuleErrors and *refusals are the person's to mend.
type Intent func(t table.Table) (game.Action, error)

// Change is the one way in which a request changes a table: load, judge,
// append, queue, commit; then the answer. A request seen before changes
// nothing, and is answered from what came of it then.
func (h *Host) Change(ctx context.Context, req bot.Request, want Intent) (bot.Reply, error) {
	receipt, did, err := h.Commit(ctx, req, want)
	if err != nil {
		return bot.Reply{}, err
	}
	return h.answerTo(ctx, req, receipt, did, want)
}

// Commit is change without the answer: for those who read none. The step has the
// table that the request met, and what was done there; it is nil where that was done
// before.
func (h *Host) Commit(ctx context.Context, req bot.Request, want Intent) (bot.Receipt, *Step, error) {
	secret, err := h.NewSecret()
	if err != nil {
		return bot.Receipt{}, nil, err
	}
	news, err := shown.In(ctx, h.Notes, req.Channel)
	if err != nil {
		return bot.Receipt{}, nil, err
	}
	var receipt *bot.Receipt
	var did *Step
	err = h.Store.Update(ctx, req.Channel, req.ID, func(r *bot.Room) error {
		if receipt, did = r.Receipt, nil; receipt != nil {
			return nil
		}
		t, err := h.Replay(r.Channel, r.Table, r.Events)
		if err != nil {
			return err
		}
		done, err := h.Judge(t, req, want, game.Env{Now: h.Now(), Cause: req.ID, Secret: secret, Posted: news.Since(t)})
		switch {
		case words.IsMistake(err):
			r.File, r.Refused = &bot.Receipt{From: len(r.Events), To: len(r.Events)}, true
		case err != nil:
			return err
		default:
			h.Fill(ctx, r, t, req.User.ID, done)
		}
		receipt, did = r.File, &Step{Before: t, Done: done}
		return nil
	})
	if err != nil {
		return bot.Receipt{}, nil, err
	}
	if receipt.From < receipt.To {
		h.Committed(req.Channel)
	}
	return *receipt, did, nil
}

// NewSecret makes what a table's draws come from.
func (h *Host) NewSecret() (secret game.Secret, err error) {
	_, err = io.ReadFull(h.Random, secret[:])
	return secret, err
}

// Ask answers a request that asks before it changes anything: it refuses what would
// be refused anyway, and otherwise puts the question. It leaves no receipt, as
// nothing can come of it.
func (h *Host) Ask(ctx context.Context, req bot.Request, want Intent, question func(t table.Table) bot.Reply) (bot.Reply, error) {
	t, err := h.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if _, err := h.Judge(t, req, want, game.Env{Now: h.Now(), Cause: req.ID}); err != nil {
		return h.OrExplain(t, req, err)
	}
	return question(t), nil
}

// answerTo is the outcome of a request. What was changed stays changed, so where the
// outcome can't be shown the person is still told that.
func (h *Host) answerTo(ctx context.Context, req bot.Request, r bot.Receipt, did *Step, want Intent) (reply bot.Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		if err != nil && r.From < r.To {
			h.Log.Error("can't show what was done", "request", req.Reference(), "error", err)
			reply, err = bot.Reply{Text: text.Say("That is done; the channel has the news. {rack} shows your tiles.", text.Code("/rack"))}, nil
		}
	}()
	return h.outcome(ctx, req, r, did, want)
}

// outcome is the answer to a request that has been carried out or refused.
func (h *Host) outcome(ctx context.Context, req bot.Request, r bot.Receipt, did *Step, want Intent) (bot.Reply, error) {
	t, err := h.leftBy(ctx, req, r, did)
	if err != nil {
		return bot.Reply{}, err
	}
	if r.From < r.To {
		return h.answer(ctx, t, r.From, req)
	}
	// It is judged at the time of what it met, for it is refused again.
	var then time.Time
	if n := len(t.Events); n > 0 {
		then = t.Events[n-1].At
	}
	if _, err := h.Judge(t, req, want, game.Env{Now: then, Cause: req.ID}); err != nil {
		return h.OrExplain(t, req, err)
	}
	// It was refused for a reason that has gone: a word list was missing.
	return words.Sorry(req), nil
}

// leftBy is the table as a request left it.
func (h *Host) leftBy(ctx context.Context, req bot.Request, r bot.Receipt, did *Step) (t table.Table, err error) {
	var events []game.Event
	switch {
	case did != nil && r.From > 0:
		return did.Before.With(did.Done), nil
	case did != nil:
		events = did.Done
	case r.Table != 0:
		if _, events, err = h.Store.Events(ctx, r.Table, r.To); err != nil {
			return t, fmt.Errorf("load table %d: %w", r.Table, err)
		}
	}
	return h.Replay(req.Channel, r.Table, events)
}

// answer is what a person whose request changed the table is told in private.
func (h *Host) answer(ctx context.Context, t table.Table, from int, req bot.Request) (bot.Reply, error) {
	o := Outcome{Request: req, Table: t, Seat: -1}
	var err error
	if o.Before, err = t.At(from); err != nil {
		return bot.Reply{}, err
	}
	if seat, seated := t.SeatOf(req.User.ID); seated {
		o.Seat = seat
	}
	if _, timed := t.Events[from].Fact.(game.Timed); timed && from+1 < len(t.Events) {
		from++
	}
	o.Fact = t.Events[from].Fact
	for _, f := range slices.Backward(h.Parts) {
		if f.Answer == nil {
			continue
		}
		if r, ok, err := f.Answer(ctx, h, o); ok || err != nil {
			return r, err
		}
	}
	return bot.Reply{Text: text.Say("Done.")}, nil
}

// Judge says what a request does to a table. It finds env's dictionary.
func (h *Host) Judge(t table.Table, req bot.Request, want Intent, env game.Env) ([]game.Event, error) {
	if req.Table != 0 && req.Table != t.ID {
		return nil, words.Refusing("That button belongs to an earlier table. {board} shows the one that is here now.", text.Code("/board"))
	}
	action, err := want(t)
	if err != nil {
		return nil, err
	}
	if _, ok := actionOf(action).(game.Open); ok && t.Deserted(env.Now) {
		t.State, t.Variant = game.State{}, table.Variant{}
	}
	if game.LooksUp(t.State, actionOf(action)) {
		dict, err := h.Dictionary(t.State)
		if err != nil {
			return nil, err
		}
		env.Dict = dict
		for _, f := range h.Parts {
			if f.SetUp != nil && f.Variant.Name == t.Variant.Name {
				env.SetUp = func(seed game.Seed) (game.SetUp, error) { return f.SetUp(h, t.State, dict, seed) }
			}
		}
	}
	return h.decide(t.State, req.User, action, env)
}

// OrExplain answers a person's mistake; other errors stay errors.
func (h *Host) OrExplain(t table.Table, req bot.Request, err error) (bot.Reply, error) {
	if words.IsMistake(err) {
		return words.Explain(t, req, err), nil
	}
	return bot.Reply{}, err
}

// Fill puts what happened into a room: the events, the posts that tell of
// them, the timers, the players seated, the receipt.
func (h *Host) Fill(ctx context.Context, r *bot.Room, before table.Table, by game.PlayerID, done []game.Event) {
	from, to := done[0].Number, done[len(done)-1].Number+1
	r.Append = done
	r.File = &bot.Receipt{From: from, To: to}
	if !table.Private(before, done) {
		r.Posts = append(r.Posts, bot.Post{Channel: r.Channel, From: from, To: to})
	}
	did := Step{Before: before, Start: before.State, Done: done}
	if from == 0 {
		did.Start = game.State{}
	}
	did.After = did.Start
	for _, e := range done {
		did.After = did.After.Apply(e)
	}
	after := did.After
	if after.Phase != game.NoTable && after.Phase != game.Lobby && after.Phase != game.Over {
		for _, i := range after.Active() {
			if id := after.Seats[i].Person.ID; !id.IsRobot() {
				r.Seated = append(r.Seated, id)
			}
		}
		did.Sent = h.sendsRacks(r.Channel, by, did)
	}
	for _, f := range h.Parts {
		if f.Timers != nil {
			r.Timers = append(r.Timers, f.Timers(ctx, h, did)...)
		}
	}
	for _, id := range did.Sent {
		r.Posts = append(r.Posts, bot.Post{Channel: r.Channel, From: from, To: to, For: id})
	}
}

// sendsRacks lists those who are sent their rack: where it has changed, or their
// turn has come on a platform where racks aren't always in view. by, the asker,
// has the new rack in the reply.
func (h *Host) sendsRacks(ch bot.ChannelID, by game.PlayerID, did Step) (sent []game.PlayerID) {
	had, racks := table.Racks(did.Start), table.Racks(did.After)
	turnCame := did.After.Phase == game.Playing && did.Start.Turn != did.After.Turn && h.Platform(ch).TurnRacks
	for _, i := range did.After.Active() {
		id := did.After.Seats[i].Person.ID
		if !id.IsRobot() && id != by && (racks[id] != had[id] || turnCame && i == did.After.Turn && racks[id] != "") {
			sent = append(sent, id)
		}
	}
	return sent
}

// Always is the intent that is the same whatever the table looks like.
func Always(a game.Action) Intent {
	return func(table.Table) (game.Action, error) { return a, nil }
}

// A Seating is an action of a person's, or none, after which robots sit down,
// or one takes a free seat in a game.
type Seating struct {
	game.Action
	Robots []game.Person
	Adopts bool
}

// actionOf is the action that a seating is of.
func actionOf(a game.Action) game.Action {
	if s, ok := a.(Seating); ok {
		return s.Action
	}
	return a
}

// decide says what an action does to a table, and what robots do at once
// because of it.
func (h *Host) decide(s game.State, by game.Person, a game.Action, env game.Env) ([]game.Event, error) {
	var all []game.Event
	do := func(by game.Person, a game.Action) error {
		events, err := game.Decide(s, by, a, env)
		for _, e := range events {
			if e.Number == 0 {
				s = game.State{} // a new table, where one is over
			}
			s = s.Apply(e)
		}
		all = append(all, events...)
		return err
	}
	seats, isSeating := a.(Seating)
	if isSeating {
		a = seats.Action
	}
	if a != nil {
		if err := do(by, a); err != nil {
			return nil, err
		}
	}
	for _, p := range seats.Robots {
		var sits game.Action = game.Join{}
		if seats.Adopts {
			sits = game.Adopt{}
		}
		if err := do(p, sits); err != nil {
			return nil, err
		}
	}
	for {
		p, a := h.atOnce(s)
		if a == nil {
			return all, nil
		}
		if err := do(p, a); err != nil {
			return nil, fmt.Errorf("end a table without people: %w", err)
		}
	}
}

// atOnce is what somebody does at once because of how a table stands.
func (h *Host) atOnce(s game.State) (game.Person, game.Action) {
	for _, f := range h.Parts {
		if f.AtOnce == nil {
			continue
		}
		if p, a := f.AtOnce(s); a != nil {
			return p, a
		}
	}
	return game.Person{}, nil
}
