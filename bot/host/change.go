package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// An intent turns a request into an action on the table as it stands. Its
// *game.RuleErrors and *refusals are the person's to mend.
type intent func(t table) (game.Action, error)

// A refusal is a request that can't be carried out for a reason that the rules
// of the game know nothing of.
type refusal struct{ reply bot.Reply }

func (r *refusal) Error() string { return r.reply.Text.String() }

func refusing(parts ...any) *refusal { return &refusal{refuse(bot.Say(parts...))} }

// change is the one way in which a request changes a table: load, judge,
// append, queue, commit; then the answer. A request seen before changes
// nothing, and is answered from what came of it then.
func (h *Host) change(ctx context.Context, req bot.Request, want intent) (bot.Reply, error) {
	receipt, err := h.commit(ctx, req, want)
	if err != nil {
		return bot.Reply{}, err
	}
	return h.told(ctx, req, receipt, want)
}

// commit is change without the answer: for those who read none.
func (h *Host) commit(ctx context.Context, req bot.Request, want intent) (bot.Receipt, error) {
	secret, err := h.newSecret()
	if err != nil {
		return bot.Receipt{}, err
	}
	shown, err := h.postedIn(ctx, req.Channel)
	if err != nil {
		return bot.Receipt{}, err
	}
	var receipt *bot.Receipt
	err = h.Store.Update(ctx, req.Channel, req.ID, func(r *bot.Room) error {
		if receipt = r.Receipt; receipt != nil {
			return nil
		}
		t, err := h.tableOf(r.Channel, r.Table, r.Events)
		if err != nil {
			return err
		}
		done, err := h.judge(t, req, want, game.Env{Now: h.Now(), Cause: req.ID, Secret: secret, Posted: shown.since(t)})
		switch {
		case isMistake(err):
			r.File = &bot.Receipt{From: len(r.Events), To: len(r.Events)}
		case err != nil:
			return err
		default:
			h.fill(r, t, req.User.ID, done)
		}
		receipt = r.File
		return nil
	})
	if err != nil {
		return bot.Receipt{}, err
	}
	if receipt.From < receipt.To {
		h.committed(req.Channel)
	}
	return *receipt, nil
}

// newSecret makes what a table's draws come from.
func (h *Host) newSecret() (secret game.Secret, err error) {
	_, err = io.ReadFull(h.Random, secret[:])
	return secret, err
}

// ask answers what asks before it changes anything: it refuses what would be
// refused anyway, and otherwise puts the question. It leaves no receipt, for
// nothing can come of it.
func (h *Host) ask(ctx context.Context, req bot.Request, want intent, question func(t table) bot.Reply) (bot.Reply, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if _, err := h.judge(t, req, want, game.Env{Now: h.Now(), Cause: req.ID}); err != nil {
		return h.orExplain(t, req, err)
	}
	return question(t), nil
}

// told is the outcome of a request. What was changed stays changed, so where the
// outcome can't be shown the person is still told that.
func (h *Host) told(ctx context.Context, req bot.Request, r bot.Receipt, want intent) (reply bot.Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		if err != nil && r.From < r.To {
			h.Log.Error("can't show what was done", "request", req.ID, "error", err)
			reply, err = bot.Reply{Text: bot.Say("That is done; the channel has the news. ", bot.Code("/rack"), " shows your tiles.")}, nil
		}
	}()
	return h.outcome(ctx, req, r, want)
}

// outcome is the answer to a request that has been carried out or refused.
func (h *Host) outcome(ctx context.Context, req bot.Request, r bot.Receipt, want intent) (bot.Reply, error) {
	var events []game.Event
	if r.Table != 0 {
		var err error
		if _, events, err = h.Store.Events(ctx, r.Table, r.To); err != nil {
			return bot.Reply{}, fmt.Errorf("load table %d: %w", r.Table, err)
		}
	}
	t, err := h.tableOf(req.Channel, r.Table, events)
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
	if _, err := h.judge(t, req, want, game.Env{Now: then, Cause: req.ID}); err != nil {
		return h.orExplain(t, req, err)
	}
	// It was refused for a reason that has gone: a word list was missing.
	return sorry(), nil
}

// judge says what a request does to a table. It finds env's dictionary.
func (h *Host) judge(t table, req bot.Request, want intent, env game.Env) ([]game.Event, error) {
	if req.Table != 0 && req.Table != t.ID {
		return nil, refusing("That button belongs to an earlier table. ", bot.Code("/board"), " shows the one that is here now.")
	}
	action, err := want(t)
	if err != nil {
		return nil, err
	}
	if _, ok := seated(action).(game.Open); ok && t.deserted(env.Now) {
		t.State, t.Variant = game.State{}, variant{}
	}
	if game.LooksUp(t.State, seated(action)) {
		dict, err := h.dictionary(t.State)
		if err != nil {
			return nil, err
		}
		env.Dict = dict
		for _, f := range h.features {
			if f.SetUp != nil && f.Variant.name == t.Variant.name {
				env.SetUp = func(seed game.Seed) (game.SetUp, error) { return f.SetUp(h, t.State, dict, seed) }
			}
		}
	}
	return h.decide(t.State, req.User, action, env)
}

// deserted reports whether nobody has come or gone in a lobby for a day. Those
// who sit there may never come back to close it, so it keeps nobody from
// opening another table.
func (t table) deserted(now time.Time) bool {
	life := 24 * time.Hour
	if t.Begins.ID != "" {
		life = rematchLife
	}
	return t.Phase == game.Lobby && now.Sub(t.Events[len(t.Events)-1].At) >= life
}

func isMistake(err error) bool {
	var rule *game.RuleError
	var other *refusal
	return errors.As(err, &rule) || errors.As(err, &other)
}

// orExplain answers a person's mistake; other errors stay errors.
func (h *Host) orExplain(t table, req bot.Request, err error) (bot.Reply, error) {
	if isMistake(err) {
		return explain(t, req, err), nil
	}
	return bot.Reply{}, err
}

// fill puts what happened into a room: the events, the posts that tell of
// them, the timers, who plays now, the receipt.
func (h *Host) fill(r *bot.Room, before table, by game.PlayerID, done []game.Event) {
	from, to := done[0].Number, done[len(done)-1].Number+1
	r.Append = done
	r.File = &bot.Receipt{From: from, To: to}
	if !private(before, done) {
		r.Posts = append(r.Posts, bot.Post{Channel: r.Channel, From: from, To: to})
	}
	did := step{Before: before, Start: before.State, Done: done}
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
			if id := after.Seats[i].Person.ID; !bot.IsRobot(id) {
				r.Seated = append(r.Seated, id)
			}
		}
		did.Sent = h.sendsRacks(r.Channel, by, did)
	}
	for _, f := range h.features {
		if f.Timers != nil {
			r.Timers = append(r.Timers, f.Timers(h, did)...)
		}
	}
	for _, id := range did.Sent {
		r.Posts = append(r.Posts, bot.Post{Channel: r.Channel, From: from, To: to, For: id})
	}
}

// sendsRacks lists those who are sent their rack: where it has changed, or their
// turn has come on a platform where racks aren't always in view. by, who asked,
// has the new rack in the reply.
func (h *Host) sendsRacks(ch bot.ChannelID, by game.PlayerID, did step) (sent []game.PlayerID) {
	had, racks := racksOf(did.Start), racksOf(did.After)
	turnCame := did.After.Phase == game.Playing && did.Start.Turn != did.After.Turn && h.platform(ch).TurnRacks
	for _, i := range did.After.Active() {
		id := did.After.Seats[i].Person.ID
		if !bot.IsRobot(id) && id != by && (racks[id] != had[id] || turnCame && i == did.After.Turn && racks[id] != "") {
			sent = append(sent, id)
		}
	}
	return sent
}

// racksOf is what each player holds, sorted.
func racksOf(s game.State) map[game.PlayerID]game.Tiles {
	racks := map[game.PlayerID]game.Tiles{}
	for _, seat := range s.Seats {
		racks[seat.Person.ID] = seat.Rack.Sorted()
	}
	return racks
}
