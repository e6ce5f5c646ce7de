package host

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Change changes a table for a request: it loads the table, judges the action, appends events,
// queues posts, commits, and then answers. Requests change tables in no other way. A repeated
// request changes nothing and is answered from its earlier outcome.
func (d *desk) Change(ctx context.Context, req bot.Request, want feature.Intent) (bot.Reply, error) {
	receipt, did, err := d.commit(ctx, req, want)
	if err != nil {
		return bot.Reply{}, err
	}
	return d.answerTo(ctx, req, receipt, did, want)
}

// A change records what a request did, and the table before.
type change struct {
	before *table.Table
	done   []game.Event
}

// commit does what Change does, without the answer. did is nil if the request was carried out
// before.
func (d *desk) commit(ctx context.Context, req bot.Request, want feature.Intent) (receipt bot.Receipt, did *change, err error) {
	secret, err := d.Secret()
	if err != nil {
		return receipt, nil, err
	}
	var filed *bot.Receipt
	err = d.Update(ctx, req.Channel, req.ID, func(r *feature.Room) error {
		if filed, did = r.Receipt(), nil; filed != nil {
			return nil
		}
		r.Env.Secret = secret
		done, err := r.Do(req, want)
		if err != nil {
			return err
		}
		filed, did = r.Filed(), &change{&r.Table, done}
		return nil
	})
	if err != nil {
		return receipt, nil, err
	}
	return *filed, did, nil
}

// Update changes a channel's table, or posts something there; see [feature.Desk].
func (d *desk) Update(ctx context.Context, ch bot.ChannelID, cause string, fn func(*feature.Room) error) error {
	news, err := d.shown.In(ctx, ch)
	if err != nil {
		return err
	}
	changed := false
	err = d.Store.Update(ctx, ch, cause, func(r *bot.Room) error {
		t, err := d.replay(r.Channel, r.Table, r.Events)
		if err != nil {
			return err
		}
		err = fn(feature.NewRoom(ctx, r, t, game.Env{Now: d.Now(), Cause: cause, Posted: news.Since(t)}, d))
		if changed = len(r.Append)+len(r.Posts)+len(r.Timers) > 0; !changed && !r.Refused {
			r.File = nil // a request that changed nothing needs no receipt
		}
		return err
	})
	if err == nil && changed {
		d.wakeAfterCommit(ch)
	}
	return err
}

// Secret makes the secret for a table's draws.
func (d *desk) Secret() (secret game.Secret, err error) {
	_, err = io.ReadFull(d.Random, secret[:])
	return secret, err
}

// answerTo returns the answer to a request. What was changed stays changed, so if the answer can't
// be shown, the person at least learns that it is done.
func (d *desk) answerTo(ctx context.Context, req bot.Request, r bot.Receipt, did *change, want feature.Intent) (reply bot.Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		if err != nil && r.From < r.To {
			d.Log().Error("can't show a change", "request", req.Reference(), "error", err)
			reply, err = bot.Reply{Text: text.Say("Done. The channel has the news, and {rack} shows your tiles.", text.Code("/rack"))}, nil
		}
	}()
	return d.outcome(ctx, req, r, did, want)
}

// outcome returns the answer to a request that was carried out or refused.
func (d *desk) outcome(ctx context.Context, req bot.Request, r bot.Receipt, did *change, want feature.Intent) (bot.Reply, error) {
	t, err := d.tableAfter(ctx, req, r, did)
	if err != nil {
		return bot.Reply{}, err
	}
	if r.From < r.To {
		return d.answer(ctx, t, r.From, req)
	}
	// Judge it at the time of the last event, so that it is refused again.
	var then time.Time
	if n := len(t.Events); n > 0 {
		then = t.Events[n-1].At
	}
	if _, err := d.Decide(t, req, want, game.Env{Now: then, Cause: req.ID}); err != nil {
		return feature.OrExplain(t, req, err)
	}
	// The reason for the refusal is gone: a word list was missing.
	return words.Sorry(req), nil
}

// tableAfter returns the table as a request left it.
func (d *desk) tableAfter(ctx context.Context, req bot.Request, r bot.Receipt, did *change) (t table.Table, err error) {
	var events []game.Event
	switch {
	case did != nil && r.From > 0:
		return did.before.With(did.done), nil
	case did != nil:
		events = did.done
	case r.Table != 0:
		if _, events, err = d.Store.Events(ctx, r.Table, r.To); err != nil {
			return t, fmt.Errorf("load table %d: %w", r.Table, err)
		}
	}
	return d.replay(req.Channel, r.Table, events)
}

// answer returns the private reply to a person whose request changed the table.
func (d *desk) answer(ctx context.Context, t table.Table, from int, req bot.Request) (bot.Reply, error) {
	o := feature.Outcome{Request: req, Table: t, Seat: -1}
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
	for _, f := range slices.Backward(d.features) {
		if f.Answer == nil {
			continue
		}
		if r, ok, err := f.Answer(ctx, o); ok || err != nil {
			return r, err
		}
	}
	return bot.Reply{Text: text.Say("Done.")}, nil
}

// Judge returns what would be wrong with a change of a table.
func (d *desk) Judge(t table.Table, req bot.Request, want feature.Intent) error {
	_, err := d.Decide(t, req, want, game.Env{Now: d.Now(), Cause: req.ID})
	return err
}

// Decide returns what a request does to a table. It adds the dictionary to env.
func (d *desk) Decide(t table.Table, req bot.Request, want feature.Intent, env game.Env) ([]game.Event, error) {
	if req.Table != 0 && req.Table != t.ID {
		return nil, words.Refusing("That button belongs to an earlier table. {board} shows the current one.", text.Code("/board"))
	}
	action, err := want(t)
	if err != nil {
		return nil, err
	}
	if _, ok := actionOf(action).(game.Open); ok && t.IsDeserted(env.Now) {
		t.State, t.Variant = game.State{}, table.Variant{}
	}
	if game.LooksUp(t.State, actionOf(action)) {
		dict, err := d.lists.Dictionary(t.State)
		if err != nil {
			return nil, err
		}
		env.Dict = dict
		if set := t.Variant.SetUp; set != nil {
			env.SetUp = func(seed game.Seed) (game.SetUp, error) { return set(t.State, dict, seed) }
		}
	}
	return d.decide(t.State, req.User, action, env)
}

// Fill adds to a room what happened: the events, the posts about them, the timers, the players
// seated, the receipt.
func (d *desk) Fill(ctx context.Context, r *bot.Room, before table.Table, by game.PlayerID, done []game.Event) {
	from, to := done[0].Number, done[len(done)-1].Number+1
	r.Append = done
	r.File = &bot.Receipt{From: from, To: to}
	if !table.Private(before, done) {
		r.Posts = append(r.Posts, bot.Post{Channel: r.Channel, From: from, To: to})
	}
	did := feature.Step{Before: before, Start: before.State, Done: done}
	if from == 0 {
		did.Start = game.State{}
	}
	did.After = did.Start
	for _, e := range done {
		did.After = did.After.Apply(e)
	}
	after := did.After
	if table.IsRunning(after) {
		for _, i := range after.Active() {
			if id := after.Seats[i].Person.ID; !id.IsRobot() {
				r.Seated = append(r.Seated, id)
			}
		}
	}
	for _, f := range d.features {
		if f.Timers != nil {
			r.Timers = append(r.Timers, f.Timers(ctx, did)...)
		}
	}
	r.Posts = append(r.Posts, d.rackPosts(r.Channel, by, did)...)
}

// rackPosts returns the private posts to the players whose racks changed. They come after the
// public post, which people wait for. Without cards they leave out the requester, by, whose
// reply has the rack.
func (d *desk) rackPosts(ch bot.ChannelID, by game.PlayerID, did feature.Step) (all []bot.Post) {
	last := did.Last()
	post := bot.Post{Channel: ch, From: did.Done[0].Number, To: last.Number + 1}
	if d.Platform(ch).Cards {
		post.Kind, post.At = table.RackKind, last.At
		for _, post.For = range table.NewCards(ch.Platform(), did.Start, did.After) {
			all = append(all, post)
		}
		return all
	}
	if !table.IsRunning(did.After) {
		return nil
	}
	had, racks := table.Racks(did.Start), table.Racks(did.After)
	for _, i := range did.After.Active() {
		if post.For = did.After.Seats[i].Person.ID; !post.For.IsRobot() && post.For != by && racks[post.For] != had[post.For] {
			all = append(all, post)
		}
	}
	return all
}

// actionOf returns a seating's action, or the action itself.
func actionOf(a game.Action) game.Action {
	if s, ok := a.(feature.Seating); ok {
		return s.Action
	}
	return a
}

// decide returns what an action does to a table, including the robots' immediate reactions.
func (d *desk) decide(s game.State, by game.Person, a game.Action, env game.Env) ([]game.Event, error) {
	var all []game.Event
	do := func(by game.Person, a game.Action) error {
		events, err := game.Decide(s, by, a, env)
		for _, e := range events {
			if e.Number == 0 {
				s = game.State{} // a new table after one that is over
			}
			s = s.Apply(e)
		}
		all = append(all, events...)
		return err
	}
	seats, isSeating := a.(feature.Seating)
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
		p, a := d.doAtOnce(s)
		if a == nil {
			return all, nil
		}
		if err := do(p, a); err != nil {
			return nil, fmt.Errorf("end a table without people: %w", err)
		}
	}
}

// doAtOnce returns an immediate reaction to a table's state, if there is one.
func (d *desk) doAtOnce(s game.State) (game.Person, game.Action) {
	for _, f := range d.features {
		if f.AtOnce == nil {
			continue
		}
		if p, a := f.AtOnce(s); a != nil {
			return p, a
		}
	}
	return game.Person{}, nil
}
