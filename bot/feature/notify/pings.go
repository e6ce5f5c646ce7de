package notify

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file notifies players of their turns, where and when they want it, and only of what
// needs an answer. Each turn is announced once, by setting:
//
//	here     the message with the move names and notifies the player; in their
//	         quiet hours it doesn't, and a call follows when those end
//	dm       a direct message, after quiet hours if it falls in them; a call in the
//	         channel if direct messages are refused
//	digest   the next digest, at 8, or at 8 and 18, lists all their games
//	silent   nothing
//
// Where all play at once, turns of ten minutes or more are announced to players who have set how: by
// the message of the turn, which names them, or by direct message. See atonce.go.
//
// In a game with a pace, the player is reminded when a quarter of the turn's time is left
// and again when two hours are left, never in quiet hours.

// Kinds of the timers and posts that notify players.
const (
	turnKind   = "turn"   // timer: a turn has begun; decide when to notify its player
	sentKind   = "sent"   // turnKind of earlier releases, for turns that sent the player their rack
	callKind   = "call"   // a call to a turn
	remindKind = "remind" // a reminder that time is nearly up
	digestKind = "digest" // a list of all games that wait for a player
)

// reminders returns when to remind a player of a turn.
func reminders(w settings.Wishes, s game.State) []time.Time {
	deadline, ok := s.Deadline()
	if !ok {
		return nil
	}
	seat := s.Seats[s.Turn]
	total := s.Pace.Spent(s.Began, deadline, seat.Away)
	var all []time.Time
	for _, left := range []time.Duration{s.Pace.Turn / 4, 2 * time.Hour} {
		at := s.Pace.After(s.Began, max(0, total-left), seat.Away)
		if w.IsQuiet(at) {
			// Move it to the end of the quiet hours, or to before their begin if the end is
			// too late.
			if at = w.Quiet.End(at, w.Zone); deadline.Sub(at) < time.Hour {
				at = w.Quiet.Begin(at.Add(-time.Minute), w.Zone)
			}
		}
		if n := len(all); at.After(s.Began) && (n == 0 || at.Sub(all[n-1]) >= time.Hour) {
			all = append(all, at)
		}
	}
	return all
}

// timers returns the timers that announce a new turn, remind a player whose clock has
// changed, or call one who has come back early.
func (f *Feature) timers(ctx context.Context, s feature.Step) []bot.Timer {
	before, after, now := s.Start, s.After, s.Last().At
	if after.Rules.PlayAtOnce() {
		return timersAtOnce(s)
	}
	if after.Phase != game.Playing || after.Seats[after.Turn].Person.ID.IsRobot() || after.Seats[after.Turn].Vacant {
		return nil
	}
	t := bot.Timer{At: now, Number: after.Number}
	was, _ := before.Deadline()
	is, paced := after.Deadline()
	if before.Phase != game.Playing || before.Turn != after.Turn || before.Turns != after.Turns || !before.Began.Equal(after.Began) {
		t.Kind = turnKind
		player := after.Seats[after.Turn].Person.ID
		adopted := slices.ContainsFunc(s.Done, func(e game.Event) bool { _, is := e.Fact.(game.Adopted); return is })
		if before.Phase != game.Playing || adopted {
			return []bot.Timer{t} // an absent player hasn't been marked away here yet: see package pace
		}
		w, err := f.wishes(ctx, player, s.Before.ID)
		if err != nil {
			f.desk.Log().Error("can't read a person's turn notifications; retrying", "table", s.Before.ID, "error", err)
			return []bot.Timer{t}
		}
		return callTimers(after, w, t)
	}
	var all []bot.Timer
	if paced && !was.Equal(is) {
		t.Kind = remindKind
		all = append(all, t)
	}
	if until, away := before.Seats[before.Turn].AwayUntil(now); away {
		if back, ok := absenceEnd(after, until); ok && back.Before(until) { // the player came back early
			t.Kind, t.At = callKind, back
			all = append(all, t)
		}
	}
	return all
}

// absenceEnd returns when the absence ended in which the turn began. ok is false if there was
// none, or it hasn't ended by now.
func absenceEnd(s game.State, now time.Time) (at time.Time, ok bool) {
	at = s.Began
	for _, span := range s.Seats[s.Turn].Away {
		if !at.Before(span.From) && at.Before(span.Until) {
			at = span.Until
		}
	}
	return at, at.After(s.Began) && !at.After(now)
}

// findAwaited returns the player to move and their wishes. ok is false if the turn that the
// timer belongs to is over.
func (f *Feature) findAwaited(ctx context.Context, t table.Table, n int) (p bot.User, w settings.Wishes, ok bool, err error) {
	if !t.SameTurn(n) {
		return p, w, false, nil
	}
	p = t.Seats[t.Turn].Person
	w, err = f.wishes(ctx, p.ID, t.ID)
	return p, w, err == nil, err
}

// callTimers returns the timers that call the player of a new turn and remind them of it.
// look is the timer that handles the turn.
func callTimers(s game.State, w settings.Wishes, look bot.Timer) (all []bot.Timer) {
	back, away := s.Seats[s.Turn].AwayUntil(look.At)
	switch {
	case away:
		all = append(all, bot.Timer{Kind: callKind, At: back, Number: s.Number})
	case w.Ping == settings.PingDM:
		all = append(all, bot.Timer{Kind: callKind, At: look.At, Number: s.Number})
	case w.Digests():
		all = append(all, bot.Timer{Kind: digestKind, At: w.NextDigest(look.At), Number: s.Number})
	}
	for _, at := range reminders(w, s) {
		if at.After(look.At) {
			return append(all, bot.Timer{Kind: remindKind, At: at, Number: look.Number}) // it sets the next one
		}
	}
	return all
}

// planCall sets callTimers for a turn whose timers couldn't be set when it began.
func (f *Feature) planCall(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t, env := r.Table, r.Env
		if t.Rules.PlayAtOnce() {
			return f.callAtOnce(ctx, r, timer.Number)
		}
		_, w, ok, err := f.findAwaited(ctx, t, timer.Number)
		if err != nil || !ok {
			return err
		}
		timer.At = env.Now
		r.Timer(callTimers(t.State, w, timer)...)
		return nil
	})
}

// lateBy limits how late a timer may fire and still send a message of its own. Messages
// due while no host is up are merged into one digest for each player.
const lateBy = 15 * time.Minute

// callTurn notifies a player of their turn.
func (f *Feature) callTurn(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t, env := r.Table, r.Env
		p, w, ok, err := f.findAwaited(ctx, t, timer.Number)
		if err != nil || !ok || w.Ping == settings.PingSilent {
			return err
		}
		if back, ok := absenceEnd(t.State, env.Now); ok {
			then, err := t.At(min(timer.Number, t.Number))
			if err != nil {
				return err
			}
			if _, longer := then.Seats[t.Turn].AwayUntil(back); longer {
				return nil // they came back early: another timer calls them
			}
		}
		next := bot.Timer{Kind: callKind, Number: t.Number}
		back, away := t.Seats[t.Turn].AwayUntil(env.Now)
		switch {
		case away:
			next.At = back
		case w.Digests():
			next.Kind, next.At = digestKind, w.NextDigest(env.Now)
		case w.IsQuiet(env.Now):
			next.At = w.Quiet.End(env.Now, w.Zone)
		case env.Now.Sub(timer.At) > lateBy:
			next.Kind, next.At = digestKind, env.Now
		default:
			call(r, t, callKind, p, w, env.Now)
		}
		if !next.At.IsZero() {
			r.Timer(next)
		}
		return nil
	})
}

// call queues the post that notifies a player of their turn, in the way they wish.
func call(r *feature.Room, t table.Table, kind string, p bot.User, w settings.Wishes, now time.Time) {
	post := bot.Post{From: t.Number, To: t.Number, Kind: kind, At: now}
	if w.Ping != settings.PingHere {
		post.For = p.ID
	}
	r.Post(post)
}

// remindTurn reminds a player whose time is nearly up.
func (f *Feature) remindTurn(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t, env := r.Table, r.Env
		p, w, ok, err := f.findAwaited(ctx, t, timer.Number)
		deadline, _ := t.Deadline() // zero once the opponents are to decide
		if err != nil || !ok || !deadline.After(env.Now) {
			return err
		}
		for n := timer.Number; n < t.Number; n++ {
			then, err := t.At(n)
			if err != nil {
				return err
			}
			if was, _ := then.Deadline(); !was.Equal(deadline) {
				return nil // the clock has stopped since: another timer reminds
			}
		}
		_, away := t.Seats[t.Turn].AwayUntil(env.Now)
		until := deadline // when a digest stops being useful
		tell := false
		for _, at := range reminders(w, t.State) {
			if at.After(env.Now) {
				r.Timer(bot.Timer{At: at, Kind: remindKind, Number: timer.Number})
				until = at
				break
			}
			tell = tell || at.Equal(timer.At) && w.Ping != settings.PingSilent && !away
		}
		switch {
		case !tell:
		case env.Now.Sub(timer.At) <= lateBy && !w.IsQuiet(env.Now):
			call(r, t, remindKind, p, w, env.Now)
		default:
			if at := w.Quiet.End(env.Now, w.Zone); at.Before(until) {
				r.Timer(bot.Timer{At: at, Kind: digestKind, Number: timer.Number})
			}
		}
		return nil
	})
}

// A storedDigest records a player's last digest and the timer that sent it.
type storedDigest struct {
	V     int       `json:"v"`
	At    time.Time `json:"at"`
	Timer uint64    `json:"timer"`
}

// digest sends a player the list of all games that wait for them. Each of these games has a
// timer for it; the first to fire sends the list.
func (f *Feature) digest(ctx context.Context, timer bot.Timer) error {
	t, err := feature.LoadTable(ctx, f.desk, timer.Table)
	if err != nil {
		return err
	}
	p, w, ok, err := f.findAwaited(ctx, t, timer.Number)
	if err != nil || !ok || w.Ping == settings.PingSilent {
		return err
	}
	now := f.desk.Now()
	mine := false
	later := bot.Timer{Kind: digestKind, At: w.Quiet.End(now, w.Zone), Number: t.Number}
	back, away := t.Seats[t.Turn].AwayUntil(now)
	if away {
		later.Kind, later.At = callKind, back
	}
	if !away && !w.IsQuiet(now) {
		err = f.digests.Change(ctx, shelf.Person(p.ID), func(last *storedDigest) (keep bool, err error) {
			// A digest sent recently, after the turn began, includes this game.
			if mine = last.Timer == timer.ID; mine || now.Sub(last.At) < time.Hour && !last.At.Before(t.Began) && !now.Before(last.At) {
				return last.V > 0, nil
			}
			mine = true
			*last = storedDigest{V: 1, At: now, Timer: timer.ID}
			return true, nil
		})
		if err != nil || !mine {
			return err
		}
	}
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t, env := r.Table, r.Env
		if mine {
			r.Post(bot.Post{From: t.Number, To: t.Number, For: p.ID, Kind: digestKind, At: env.Now})
		} else {
			r.Timer(later)
		}
		return nil
	})
}

// wants reports whether a private post should be sent to its person. In their quiet hours
// it returns an error that postpones the post.
func (f *Feature) wants(ctx context.Context, post bot.Post) (bool, error) {
	if post.For == "" {
		return true, nil
	}
	w, err := f.wishes(ctx, post.For, post.Table)
	if err != nil {
		return false, err
	}
	switch {
	case post.Kind == table.RackKind:
		return w.Racks() || post.From == post.To, nil
	case post.Kind == "" && (f.desk.Platform(post.Channel).Cards || w.Dm == "off" || w.Ping == settings.PingSilent || w.Digests()):
		return false, nil // don't send the rack: /rack shows it
	}
	if now := f.desk.Now(); w.IsQuiet(now) {
		return false, &bot.PostError{RetryAfter: w.Quiet.End(now, w.Zone).Sub(now), Err: errors.New("it is within the person's quiet hours")}
	}
	return true, nil
}

// callMessage writes the message of a post that calls a player. In a channel it also shows
// the board again.
func (f *Feature) callMessage(ctx context.Context, post bot.Post, _, t table.Table, m bot.Message) (bot.Message, error) {
	deadline, _ := t.Deadline() // zero once the opponents are to decide
	if !t.SameTurn(post.To) || post.Kind == remindKind && !deadline.After(f.desk.Now()) {
		return m, feature.ErrNothingToTell
	}
	p, until := t.Seats[t.Turn].Person, deadline
	if t.Rules.PlayAtOnce() {
		seat, ok := t.SeatOf(post.For)
		if !ok {
			return m, feature.ErrNothingToTell
		}
		p, until = t.Seats[seat].Person, t.Until
	}
	said := callText(p, until, post.Kind == remindKind)
	m.Line = text.Say("It was {who}'s turn.", text.PlainName(p))
	if post.For == "" {
		if err := f.Board(ctx, t, &m); err != nil {
			return m, err
		}
		var err error
		m.Text, err = f.hush(ctx, t, post, text.Lines(words.ScoreLine(t), said))
		return m, err
	}
	if post.For != p.ID {
		return m, feature.ErrNothingToTell
	}
	seat, _ := t.SeatOf(p.ID)
	line, err := feature.GameLine(ctx, f.desk, f.ways(), feature.OwnGame{Table: t, Seat: seat})
	if err != nil {
		return m, err
	}
	m.To = &p
	m.Text = text.Lines(said, line)
	m.Buttons = []bot.Button{t.Button(text.Say("My rack"), "rack", bot.Primary, nil)}
	if f.Front != nil {
		url, err := f.Front(ctx, t)
		if err != nil {
			return m, err
		}
		if url != "" {
			m.Buttons = slices.Insert(m.Buttons, 0, bot.Button{Label: text.Say("Play"), Link: url})
		}
	}
	return m, nil
}

// callText returns the sentence that calls a player to a turn, which ends at until unless that is zero.
func callText(p bot.User, until time.Time, again bool) text.Text {
	who := text.Mention(p)
	switch {
	case again:
		return text.Say("{who}, your time is nearly up. You have until {time}.", who, words.Clock(until))
	case !until.IsZero():
		return text.Say("{who}, it's your turn. You have until {time}.", who, words.Clock(until))
	}
	return text.Say("{who}, it's your turn.", who)
}

// mostInDigest is the number of games that a digest lists.
const mostInDigest = 8

func (f *Feature) digestMessage(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	all, _, err := feature.Playing(ctx, f.desk, post.For)
	if err != nil {
		return m, err
	}
	now := f.desk.Now()
	all = slices.DeleteFunc(all, func(g feature.OwnGame) bool {
		_, away := g.Seats[g.Seat].AwayUntil(now)
		return away || !g.IsTurn()
	})
	if len(all) == 0 {
		return m, feature.ErrNothingToTell
	}
	who := all[0].Seats[all[0].Seat].Person
	m.To = &who
	m.Text = text.Say("{n, plural, one {One game is waiting} other {# games are waiting}} for you.", len(all))
	for _, g := range all[:min(len(all), mostInDigest)] {
		line, err := feature.GameLine(ctx, f.desk, f.ways(), g)
		if err != nil {
			return m, err
		}
		m.Text = text.Lines(m.Text, line)
	}
	if more := len(all) - mostInDigest; more > 0 {
		m.Text = text.Lines(m.Text, text.Say("{games} lists the other {n}.", text.Code("/games"), more))
	}
	m.Line = text.Say("An earlier list of your games.")
	return m, nil
}

// hush returns a public text that notifies only players who want that now. If the turn that
// begins with this post belongs to a player in quiet hours, it schedules a call for the end
// of those hours.
func (f *Feature) hush(ctx context.Context, t table.Table, post bot.Post, said text.Text) (text.Text, error) {
	bot.ReadingOf(ctx).About(bot.AboutPlayers, t.PlayerNames()...)
	now := f.desk.Now()
	var failed error
	said = said.CallOnly(func(who game.PlayerID) bool {
		var away bool
		w, err := f.wishes(ctx, who, t.ID)
		if err == nil {
			away, err = f.Away.IsAway(ctx, t, who)
		}
		wanted := w.Ping == settings.PingHere && !away
		if err == nil && wanted && w.IsQuiet(now) && t.Phase == game.Playing && !t.Rules.PlayAtOnce() && t.Seats[t.Turn].Person.ID == who && !t.SameTurn(post.From) {
			err = f.callLater(ctx, t, post, w.Quiet.End(now, w.Zone))
		}
		failed = errors.Join(failed, err)
		return wanted && !w.IsQuiet(now)
	})
	if failed == nil && t.Rules.PlayAtOnce() {
		return f.addCalls(ctx, t, post, said)
	}
	return said, failed
}

func (f *Feature) callLater(ctx context.Context, t table.Table, post bot.Post, at time.Time) error {
	return feature.OnceAt(ctx, f.desk, t, "call:"+post.Key(), func(r *feature.Room) {
		r.Timer(bot.Timer{At: at, Kind: callKind, Number: post.To})
	})
}

// nudgeEvery is the time until a player can be nudged again.
const nudgeEvery = 24 * time.Hour

// A storedNudge records when the player to move at a table was last nudged.
type storedNudge struct {
	V       int       `json:"v"`
	At      time.Time `json:"at"`
	Request string    `json:"request"`
}

// nudge calls the player to move once more, at an opponent's request.
func (f *Feature) nudge(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := f.desk.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	seat, err := t.Seat(req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	switch {
	case t.Phase != game.Playing || t.Seats[t.Turn].Vacant:
		return words.Refuse(text.Say("It's nobody's turn right now. {board} shows how things stand.", text.Code("/board"))), nil
	case t.Turn == seat:
		return words.Refuse(words.NotLate(t, req)), nil
	case t.Seats[t.Turn].Person.ID.IsRobot():
		return words.Refuse(text.Say("A robot is thinking. Please wait.")), nil
	}
	p := t.Seats[t.Turn].Person
	var again time.Time
	now := f.desk.Now()
	err = f.nudges.Change(ctx, shelf.Mark(strconv.FormatUint(uint64(t.ID), 10)), func(last *storedNudge) (keep bool, err error) {
		again = time.Time{}
		next := last.At.Add(nudgeEvery)
		switch {
		case last.V > 0 && last.Request == req.ID:
		case next.After(now) && !last.At.After(now):
			again = next
		default:
			*last = storedNudge{V: 1, At: now, Request: req.ID}
		}
		return true, nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	if !again.IsZero() {
		return words.Refuse(text.Say("You can nudge a player once a day. You can do it again from {time}.", words.Clock(again))), nil
	}
	if err := feature.OnceAt(ctx, f.desk, t, req.ID, func(r *feature.Room) {
		r.Timer(bot.Timer{At: now, Kind: callKind, Number: t.Number})
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("{who} will be reminded, in the way and at the hours they've chosen.", text.Name(p))}, nil
}
