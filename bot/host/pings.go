package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file tells people that it is their turn, where and when they want to
// hear of it, and nobody of what needs no answer. A turn is told once:
//
//	here     the message with the move names the player, who is notified; in
//	         their quiet hours it doesn't, and they are called when those end
//	dm       they are called in a direct message; in quiet hours when those end;
//	         where it is refused, in the channel
//	digest   the next digest, at 8, or at 8 and 18, has all their games
//	silent   they are not called
//
// A game with a pace reminds its player when a quarter of the turn's time is
// left, and again when two hours are, never in quiet hours.

// The kinds of the timers and posts that call people.
const (
	turnKind   = "turn"   // timer: a turn has begun, see when its player is to be told
	sentKind   = "sent"   // the same, and their rack is on its way to them because of it
	callKind   = "call"   // it is somebody's turn
	remindKind = "remind" // and the time for it is nearly up
	digestKind = "digest" // all the games that wait for somebody
)

// The ways to be told of a turn.
const (
	pingHere   = "here"
	pingDM     = "dm"
	pingSilent = "silent"
	pingOnce   = "digest"
	pingTwice  = "digest2"
)

func pingChoices() []bot.Choice {
	return []bot.Choice{
		{Value: pingHere, Label: "In the channel of the game"}, {Value: pingDM, Label: "By direct message"}, {Value: pingSilent, Label: "Not at all"},
		{Value: pingOnce, Label: "All my games once a day"}, {Value: pingTwice, Label: "All my games twice a day"},
	}
}

// Wishes are how somebody wants to be told of a turn at a table.
type wishes struct {
	ping  string
	quiet daySpan
	zone  *time.Location
	dm    string // on, off, or "": as ping says
}

// racks reports whether they want their rack by direct message: without a word
// of theirs only where that is what tells them of their turn.
func (w wishes) racks() bool { return w.dm == "on" || w.dm == "" && w.ping == pingDM }

func (h *Host) wishesOf(ctx context.Context, who game.PlayerID, t bot.TableID) (wishes, error) {
	s, err := h.settingsOf(ctx, who)
	if err != nil {
		return wishes{}, err
	}
	w := wishes{ping: s.Ping, zone: s.location(), dm: s.dm()}
	w.quiet, _ = parseDaySpan(s.Quiet)
	if own, ok := s.Games[t]; ok {
		w.ping = own
	}
	if w.ping == "" {
		w.ping = pingHere
	}
	if bot.IsRobot(who) {
		w.ping = pingSilent
	}
	if w.ping == pingDM || w.digests() {
		refused, err := h.refuses(ctx, who)
		if err != nil {
			return wishes{}, err
		}
		if refused {
			w.ping = pingHere
		}
	}
	return w, nil
}

func (w wishes) isQuiet(at time.Time) bool { return w.quiet.has(at, w.zone) }

func (w wishes) digests() bool { return w.ping == pingOnce || w.ping == pingTwice }

// nextDigest is when the next digest is due.
func (w wishes) nextDigest(now time.Time) time.Time {
	times := []int{8 * 60}
	if w.ping == pingTwice {
		times = append(times, 18*60)
	}
	return w.quiet.end(nextTimeOfDay(now, w.zone, times...), w.zone)
}

// reminders are when a player is to be reminded of a turn.
func (w wishes) reminders(s game.State) []time.Time {
	deadline, ok := s.Deadline()
	if !ok {
		return nil
	}
	seat := s.Seats[s.Turn]
	total := s.Pace.Spent(s.Began, deadline, seat.Away)
	var all []time.Time
	for _, left := range []time.Duration{s.Pace.Turn / 4, 2 * time.Hour} {
		at := s.Pace.After(s.Began, max(0, total-left), seat.Away)
		if w.isQuiet(at) {
			// When the quiet hours are over; where that is too late, before
			// they begin.
			if at = w.quiet.end(at, w.zone); deadline.Sub(at) < time.Hour {
				at = w.quiet.begin(at.Add(-time.Minute), w.zone)
			}
		}
		if n := len(all); at.After(s.Began) && (n == 0 || at.Sub(all[n-1]) >= time.Hour) {
			all = append(all, at)
		}
	}
	return all
}

// turnTimers see to it that the player of a turn that has begun is told, and
// that one whose clock has changed is reminded in time.
func (h *Host) turnTimers(s step) []bot.Timer {
	before, after, now := s.Start, s.After, s.last().At
	if after.Phase != game.Playing || bot.IsRobot(after.Seats[after.Turn].Person.ID) || after.Seats[after.Turn].Vacant {
		return nil
	}
	t := bot.Timer{At: now, Number: after.Number}
	was, _ := before.Deadline()
	is, paced := after.Deadline()
	if before.Phase != game.Playing || before.Turn != after.Turn || before.Turns != after.Turns || !before.Began.Equal(after.Began) {
		t.Kind = turnKind
		if player := after.Seats[after.Turn].Person.ID; slices.Contains(s.Sent, player) && h.platform(s.Before.Channel).TurnRacks {
			t.Kind = sentKind
		}
		return []bot.Timer{t}
	}
	var all []bot.Timer
	if paced && !was.Equal(is) {
		t.Kind = remindKind
		all = append(all, t)
	}
	if back, ok := cameBack(after, now); ok && back.Equal(now) {
		if was, away := before.Seats[before.Turn].AwayUntil(now); away && was.After(now) {
			t.Kind = callKind
			all = append(all, t)
		}
	}
	return all
}

// cameBack is when the absence ended in which the turn began, if it was over at a
// time.
func cameBack(s game.State, now time.Time) (at time.Time, ok bool) {
	at = s.Began
	for _, span := range s.Seats[s.Turn].Away {
		if !at.Before(span.From) && at.Before(span.Until) {
			at = span.Until
		}
	}
	return at, at.After(s.Began) && !at.After(now)
}

// awaited loads the player whose turn a timer is about; ok is false when that
// turn is over.
func (h *Host) awaited(ctx context.Context, t table, n int) (p bot.User, w wishes, ok bool, err error) {
	if !t.sameTurn(n) {
		return p, w, false, nil
	}
	p = t.Seats[t.Turn].Person
	w, err = h.wishesOf(ctx, p.ID, t.ID)
	return p, w, err == nil, err
}

// planCall looks when the player of a turn that has begun is to be told of it.
func (h *Host) planCall(ctx context.Context, timer bot.Timer) error {
	return h.atTable(ctx, timer, func(r *bot.Room, t table, env game.Env) error {
		_, w, ok, err := h.awaited(ctx, t, timer.Number)
		if err != nil || !ok {
			return err
		}
		next := bot.Timer{Kind: callKind, Number: t.Number}
		back, away := t.Seats[t.Turn].AwayUntil(env.Now)
		switch {
		case away:
			next.At = back
		case w.ping == pingDM && (timer.Kind != sentKind || !w.racks()):
			next.At = env.Now
		case w.digests():
			next.Kind, next.At = digestKind, w.nextDigest(env.Now)
		}
		if !next.At.IsZero() {
			r.Timers = append(r.Timers, next)
		}
		for _, at := range w.reminders(t.State) {
			if at.After(env.Now) {
				r.Timers = append(r.Timers, bot.Timer{At: at, Kind: remindKind, Number: timer.Number})
				break // which sets the next one
			}
		}
		r.File = &bot.Receipt{From: t.Number, To: t.Number}
		return nil
	})
}

// lateBy is how late a timer may fire to be told by itself. What falls due
// while no host is up is told in one digest to each person.
const lateBy = 15 * time.Minute

// callTurn tells a player that it is their turn.
func (h *Host) callTurn(ctx context.Context, timer bot.Timer) error {
	return h.atTable(ctx, timer, func(r *bot.Room, t table, env game.Env) error {
		p, w, ok, err := h.awaited(ctx, t, timer.Number)
		if err != nil || !ok || w.ping == pingSilent {
			return err
		}
		if back, ok := cameBack(t.State, env.Now); ok {
			then, err := t.at(min(timer.Number, t.Number))
			if err != nil {
				return err
			}
			if _, longer := then.Seats[t.Turn].AwayUntil(back); longer {
				return nil // they came back before that: another timer calls them
			}
		}
		next := bot.Timer{Kind: callKind, Number: t.Number}
		back, away := t.Seats[t.Turn].AwayUntil(env.Now)
		switch {
		case away:
			next.At = back
		case w.digests():
			next.Kind, next.At = digestKind, w.nextDigest(env.Now)
		case w.isQuiet(env.Now):
			next.At = w.quiet.end(env.Now, w.zone)
		case env.Now.Sub(timer.At) > lateBy:
			next.Kind, next.At = digestKind, env.Now
		default:
			call(r, t, callKind, p, w, env.Now)
		}
		if !next.At.IsZero() {
			r.Timers = append(r.Timers, next)
		}
		r.File = &bot.Receipt{From: t.Number, To: t.Number}
		return nil
	})
}

// call queues what tells a player of their turn, in the way they wish.
func call(r *bot.Room, t table, kind string, p bot.User, w wishes, now time.Time) {
	post := bot.Post{Channel: r.Channel, From: t.Number, To: t.Number, Kind: kind, At: now}
	if w.ping != pingHere {
		post.For = p.ID
	}
	r.Posts = append(r.Posts, post)
}

// remindTurn reminds a player whose time is nearly up.
func (h *Host) remindTurn(ctx context.Context, timer bot.Timer) error {
	return h.atTable(ctx, timer, func(r *bot.Room, t table, env game.Env) error {
		p, w, ok, err := h.awaited(ctx, t, timer.Number)
		deadline, paced := t.Deadline()
		if err != nil || !ok || !paced || !deadline.After(env.Now) {
			return err
		}
		for n := timer.Number; n < t.Number; n++ {
			then, err := t.at(n)
			if err != nil {
				return err
			}
			if was, _ := then.Deadline(); !was.Equal(deadline) {
				return nil // the clock was stopped since: another timer reminds
			}
		}
		r.File = &bot.Receipt{From: t.Number, To: t.Number}
		_, away := t.Seats[t.Turn].AwayUntil(env.Now)
		until := deadline // until when a digest is of use
		tell := false
		for _, at := range w.reminders(t.State) {
			if at.After(env.Now) {
				r.Timers = append(r.Timers, bot.Timer{At: at, Kind: remindKind, Number: timer.Number})
				until = at
				break
			}
			tell = tell || at.Equal(timer.At) && w.ping != pingSilent && !away
		}
		switch {
		case !tell:
		case env.Now.Sub(timer.At) <= lateBy && !w.isQuiet(env.Now):
			call(r, t, remindKind, p, w, env.Now)
		default:
			if at := w.quiet.end(env.Now, w.zone); at.Before(until) {
				r.Timers = append(r.Timers, bot.Timer{At: at, Kind: digestKind, Number: timer.Number})
			}
		}
		return nil
	})
}

// The shelf of the host's notes that has when each player had their last
// digest, and from which timer.
const digestShelf = "digests"

type storedDigest struct {
	V     int       `json:"v"`
	At    time.Time `json:"at"`
	Timer uint64    `json:"timer"`
}

// digest sends a player the list of all games that wait for them. Each of these
// has a timer for it; the first that fires sends it.
func (h *Host) digest(ctx context.Context, timer bot.Timer) error {
	_, t, err := h.loaded(ctx, timer.Table)
	if err != nil {
		return err
	}
	p, w, ok, err := h.awaited(ctx, t, timer.Number)
	if err != nil || !ok || w.ping == pingSilent {
		return err
	}
	now := h.Now()
	mine := false
	later := bot.Timer{Kind: digestKind, At: w.quiet.end(now, w.zone), Number: t.Number}
	back, away := t.Seats[t.Turn].AwayUntil(now)
	if away {
		later.Kind, later.At = callKind, back
	}
	if !away && !w.isQuiet(now) {
		err = h.Notes.Change(ctx, func(rows bot.Rows) error {
			b, err := rows.Get(digestShelf, string(p.ID))
			if err != nil {
				return err
			}
			var last storedDigest
			if b != nil {
				if err := json.Unmarshal(b, &last); err != nil {
					return fmt.Errorf("read the last digest of %s: %w", p.ID, err)
				}
			}
			// One that was sent just now, and after the turn began, has it.
			if mine = last.Timer == timer.ID; mine || now.Sub(last.At) < time.Hour && !last.At.Before(t.Began) && !now.Before(last.At) {
				return nil
			}
			mine = true
			b, err = json.Marshal(storedDigest{V: 1, At: now, Timer: timer.ID})
			if err != nil {
				return err
			}
			return rows.Put(digestShelf, string(p.ID), b)
		})
		if err != nil || !mine {
			return err
		}
	}
	return h.atTable(ctx, timer, func(r *bot.Room, t table, env game.Env) error {
		if mine {
			r.Posts = append(r.Posts, bot.Post{Channel: r.Channel, From: t.Number, To: t.Number, For: p.ID, Kind: digestKind, At: env.Now})
		} else {
			r.Timers = append(r.Timers, later)
		}
		r.File = &bot.Receipt{From: t.Number, To: t.Number}
		return nil
	})
}

// loaded is a table by its number, as it stands.
func (h *Host) loaded(ctx context.Context, id bot.TableID) (bot.ChannelID, table, error) {
	ch, events, err := h.Store.Events(ctx, id, -1)
	if err != nil {
		return "", table{}, fmt.Errorf("load table %d: %w", id, err)
	}
	t, err := h.tableOf(ch, id, events)
	return ch, t, err
}

// wanted reports whether somebody wants what is for them alone. In their quiet
// hours they want it later.
func (h *Host) wanted(ctx context.Context, post bot.Post) (bool, error) {
	w, err := h.wishesOf(ctx, post.For, post.Table)
	if err != nil {
		return false, err
	}
	if post.Kind == "" && (w.dm == "off" || w.ping == pingSilent || w.digests()) {
		return false, nil // their rack: /rack shows it
	}
	if post.Kind == "" && h.platform(post.Channel).TurnRacks && !w.racks() {
		return false, nil // the message with the move calls them, and My rack is under it
	}
	if post.Kind == "" && h.platform(post.Channel).TurnRacks {
		var s storedAway
		if _, err := h.look(ctx, awayShelf, string(post.For), &s); err != nil {
			return false, err
		}
		if _, away := s.until(h.Now()); away {
			_, t, err := h.loaded(ctx, post.Table)
			if err != nil {
				return false, err
			}
			if away, err := h.isAway(ctx, t, post.For); err != nil || away {
				return false, err
			}
		}
	}
	if now := h.Now(); w.isQuiet(now) {
		return false, &bot.PostError{RetryAfter: w.quiet.end(now, w.zone).Sub(now), Err: errors.New("it is within the person's quiet hours")}
	}
	return true, nil
}

// callMessage makes the message of a post that calls somebody. Where that is in
// the channel, it brings the board down again.
func (h *Host) callMessage(ctx context.Context, post bot.Post, _, t table, m bot.Message) (bot.Message, error) {
	deadline, paced := t.Deadline()
	if !t.sameTurn(post.To) || post.Kind == remindKind && paced && !deadline.After(h.Now()) {
		return m, errNothingToTell
	}
	p := t.Seats[t.Turn].Person
	text := bot.Say(bot.Mention(p), ", it's your turn", until(t.State), ".")
	if post.Kind == remindKind {
		text = bot.Say(bot.Mention(p), ", your time is nearly up: it's your turn", until(t.State), ".")
	}
	m.Line = bot.Say("It was ", p.Name, "'s turn.")
	if post.For == "" {
		m.Buttons = publicButtons(t)
		m.Picture = h.postedBoard(ctx, t, false)
		var err error
		m.Text, err = h.hushed(ctx, t, post, bot.Say(scoreLine(t), "\n", text))
		return m, err
	}
	if post.For != p.ID {
		return m, errNothingToTell
	}
	seat, _ := t.SeatOf(p.ID)
	line, err := h.gameLine(ctx, ownGame{t, seat})
	if err != nil {
		return m, err
	}
	m.To = &p
	m.Text = bot.Say(text, "\n", line)
	m.Buttons = []bot.Button{t.button("My rack", "rack", bot.Primary, nil)}
	return m, nil
}

// mostInDigest is how many games a digest lists.
const mostInDigest = 8

func (h *Host) digestMessage(ctx context.Context, post bot.Post, _, _ table, m bot.Message) (bot.Message, error) {
	all, err := h.playing(ctx, post.For)
	if err != nil {
		return m, err
	}
	now := h.Now()
	all = slices.DeleteFunc(all, func(g ownGame) bool {
		_, away := g.Seats[g.seat].AwayUntil(now)
		return away || !g.isTurn()
	})
	if len(all) == 0 {
		return m, errNothingToTell
	}
	who := all[0].Seats[all[0].seat].Person
	m.To = &who
	m.Text = bot.Say(verb(len(all), "One game waits", fmt.Sprint(len(all), " games wait")), " for you.")
	for _, g := range all[:min(len(all), mostInDigest)] {
		line, err := h.gameLine(ctx, g)
		if err != nil {
			return m, err
		}
		m.Text = bot.Say(m.Text, "\n", line)
	}
	if more := len(all) - mostInDigest; more > 0 {
		m.Text = bot.Say(m.Text, "\n", bot.Code("/games"), " lists the other ", more, ".")
	}
	m.Line = bot.Say("An earlier list of your games.")
	return m, nil
}

// hushed is a text for everybody that notifies only those who want that now. A
// player who is called to a turn that begins with what is told, and would want
// it but for the hour, is called when their quiet hours are over.
func (h *Host) hushed(ctx context.Context, t table, post bot.Post, text bot.Text) (bot.Text, error) {
	now := h.Now()
	for i, s := range text {
		if !s.Notify {
			continue
		}
		w, err := h.wishesOf(ctx, s.Person, t.ID)
		if err != nil {
			return nil, err
		}
		away, err := h.isAway(ctx, t, s.Person)
		if err != nil {
			return nil, err
		}
		text[i].Notify = w.ping == pingHere && !w.isQuiet(now) && !away
		if w.ping == pingHere && w.isQuiet(now) && !away && t.Phase == game.Playing && t.Seats[t.Turn].Person.ID == s.Person && !t.sameTurn(post.From) {
			if err := h.callLater(ctx, t, post, w.quiet.end(now, w.zone)); err != nil {
				return nil, err
			}
		}
	}
	return text, nil
}

func (h *Host) callLater(ctx context.Context, t table, post bot.Post, at time.Time) error {
	return h.Store.Update(ctx, t.Channel, "call:"+postKey(post), func(r *bot.Room) error {
		if r.Receipt == nil && r.Table == t.ID {
			r.Timers = append(r.Timers, bot.Timer{At: at, Kind: callKind, Number: post.To})
			r.File = &bot.Receipt{From: len(r.Events), To: len(r.Events)}
		}
		return nil
	})
}

// nudgeEvery is how long it takes until a player can be nudged again.
const nudgeEvery = 24 * time.Hour

// The shelf of the host's notes that has when each table's player was nudged.
const nudgeShelf = "nudges"

type storedNudge struct {
	V       int       `json:"v"`
	At      time.Time `json:"at"`
	Request string    `json:"request"`
}

// nudge calls the player whose turn it is once more, at an opponent's wish.
func (h *Host) nudge(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	seat, err := t.seat(req)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	switch {
	case t.Phase != game.Playing || t.Seats[t.Turn].Vacant:
		return refuse(bot.Say("Nobody is to move now. ", bot.Code("/board"), " shows how things stand.")), nil
	case t.Turn == seat:
		return refuse(notLate(t, req)), nil
	case bot.IsRobot(t.Seats[t.Turn].Person.ID):
		return refuse(bot.Say("A robot is thinking. Please wait.")), nil
	}
	p := t.Seats[t.Turn].Person
	var again time.Time
	now := h.Now()
	err = h.Notes.Change(ctx, func(rows bot.Rows) error {
		again = time.Time{}
		key := strconv.FormatUint(uint64(t.ID), 10)
		b, err := rows.Get(nudgeShelf, key)
		if err != nil {
			return err
		}
		var last storedNudge
		if b != nil {
			if err := json.Unmarshal(b, &last); err != nil {
				return fmt.Errorf("read the last nudge at table %d: %w", t.ID, err)
			}
		}
		if last.Request == req.ID {
			return nil
		}
		if next := last.At.Add(nudgeEvery); next.After(now) && !last.At.After(now) {
			again = next
			return nil
		}
		if b, err = json.Marshal(storedNudge{V: 1, At: now, Request: req.ID}); err != nil {
			return err
		}
		return rows.Put(nudgeShelf, key, b)
	})
	if err != nil {
		return bot.Reply{}, err
	}
	if !again.IsZero() {
		return refuse(bot.Say("A player can be nudged once a day: again from ", clock(again), " on. Please wait.")), nil
	}
	err = h.Store.Update(ctx, req.Channel, req.ID, func(r *bot.Room) error {
		if r.Receipt == nil && r.Table == t.ID {
			r.Timers = append(r.Timers, bot.Timer{At: now, Kind: callKind, Number: t.Number})
			r.File = &bot.Receipt{From: len(r.Events), To: len(r.Events)}
		}
		return nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	h.committed(req.Channel)
	return bot.Reply{Text: bot.Say(bot.Name(p), " is told once more, in the way and at the hours that they have chosen.")}, nil
}
