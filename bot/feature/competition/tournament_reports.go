package competition

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file handles results that players report, and games that don't begin.
//
// Two equal reports make the result, and so does one report that the other side confirms.
// Reports that contradict each other go to the director. If only one side has reported, the
// pair gets one more wait; then the director decides, and nobody forfeits. Pairs that
// haven't begun when the wait is over forfeit, unless they are more than a quarter of the
// round: then the director decides too.

// A claim is a result reported by one side.
type claim struct {
	spot
	Game   int `json:"game"`
	Side   contest.Side
	By     string `json:"by"`
	Scores [2]int `json:"scores"`
	Denied bool   `json:"denied,omitempty"` // the other side disputes it
}

// claims returns the reports of the next game at a spot.
func (e *rounds) claims(s spot) (all []claim) {
	for _, c := range e.Claims {
		if c.spot == s && c.Game == e.nextGame(s) {
			all = append(all, c)
		}
	}
	return all
}

// disputes lists the spots whose results the director has to decide: reports contradict
// each other, or a report is unconfirmed after the round's waits.
func (e *event) disputes() (all []spot) {
	for _, c := range e.Claims {
		if said := e.claims(c.spot); len(said) > 0 && (len(said) > 1 || said[0].Denied || e.Held == e.Begun) && !slices.Contains(all, c.spot) {
			all = append(all, c.spot)
		}
	}
	return all
}

// claim records a report of one side. If the other side has reported the same, it becomes
// the result. If the other side's report contradicts it, claim returns that.
func (e *event) claim(said claim) (d change, other *claim, err error) {
	if e.nextGame(said.spot) != said.Game {
		return d, nil, words.Refusing("That game already has a result.")
	}
	for _, c := range e.claims(said.spot) {
		if c.Side != said.Side && c.Scores == said.Scores {
			return e.overrule(said.spot, said.Game, contest.Result{How: contest.Played, Scores: said.Scores}), nil, nil
		}
		if c.Side != said.Side {
			other = &c
		}
	}
	e.Claims = slices.DeleteFunc(e.Claims, func(c claim) bool {
		return c.spot == said.spot && (c.Game != said.Game || c.Side == said.Side)
	})
	e.Claims = append(e.Claims, said)
	return d, other, nil
}

// report handles a player's report of their game.
func (f *tournaments) report(ctx context.Context, req bot.Request, e event, s spot, side contest.Side, scores [2]int) (bot.Reply, error) {
	if side == contest.B {
		scores[0], scores[1] = scores[1], scores[0]
	}
	other := person(e.player(s, side.Other()))
	said := claim{spot: s, Game: e.nextGame(s), Side: side, By: e.player(s, side).ID, Scores: scores}
	var theirs *claim
	e, err := f.act(ctx, e.No, req.ID, req.User, func(e *event) (d change, err error) {
		d, theirs, err = e.claim(said)
		return d, err
	})
	if err != nil {
		return bot.Reply{}, err
	}
	mine, his := scores[side], scores[side.Other()]
	if _, counts := e.findCaused(req.ID); counts {
		return bot.Reply{Text: text.Say("You both say {mine} to {theirs}, so it counts.", mine, his)}, nil
	}
	if err := feature.Once(ctx, f.desk, e.Channel, "tournament:"+req.ID+":claim", func(r *feature.Room) {
		r.Post(bot.Post{From: e.No, To: said.Round*roundNumber + said.Pairing, For: other.ID, Kind: claimPost, At: f.desk.Now().UTC()})
		if theirs != nil {
			e.callDirectors(r, f.desk.Now().UTC())
		}
	}); err != nil {
		return bot.Reply{}, err
	}
	if theirs != nil {
		return bot.Reply{Text: text.Say("You say {mine} to {theirs}, but {who} says: {who} {other}, you {yours}. The director decides: {director}.", mine, his, text.Name(other), theirs.Scores[side.Other()], theirs.Scores[side], text.List(nameSpans(e.Directors)))}, nil
	}
	return bot.Reply{Text: text.Say("{who} is asked to confirm {mine} to {theirs}. It counts then, or when the director enters it.", text.Name(other), mine, his)}, nil
}

// tellClaim asks a player to confirm the opponent's report.
func (f *tournaments) tellClaim(ctx context.Context, e *event, post bot.Post, m bot.Message) (bot.Message, error) {
	for _, c := range e.Claims {
		side, ok := e.side(c.spot, []game.PlayerID{post.For})
		if !ok || side == c.Side || c.Denied || !slices.Contains(e.claims(c.spot), c) || c.Round*roundNumber+c.Pairing != post.To {
			continue
		}
		m.To = e.user(post.For)
		m.Text = text.Say("{name}, round {n}. {who} says: {who} {theirs}, you {yours}. Correct?", text.Strong(e.Name), c.Round, text.Name(person(e.player(c.spot, c.Side))), c.Scores[c.Side], c.Scores[side])
		args := append(spotArgs(c.spot), "score", formatScores(c.Scores))
		m.Buttons = []bot.Button{e.button(text.Say("Confirm"), bot.Primary, "agree", args...), e.button(text.Say("That's wrong"), bot.Ordinary, "agree", append(spotArgs(c.spot), "say", "no")...)}
		return m, nil
	}
	return m, feature.ErrNothingToTell
}

func formatScores(scores [2]int) string {
	return strconv.Itoa(scores[0]) + "-" + strconv.Itoa(scores[1])
}

// agree confirms or disputes the opponent's report.
func (f *tournaments) agree(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, a, err := f.requireAsker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	s := readSpot(req.Args)
	side, ok := e.side(s, a.ids)
	_, again := e.findCaused(req.ID)
	if again {
		return bot.Reply{Text: text.Say("Confirmed. The result counts.")}, nil
	}
	if e.pairingAt(s) == nil || len(e.claims(s)) == 0 {
		return bot.Reply{}, words.Refusing("There's nothing left to confirm there.")
	}
	theirs := slices.DeleteFunc(e.claims(s), func(c claim) bool { return c.Side == side })
	if !ok || len(theirs) == 0 {
		return bot.Reply{}, words.Refusing("Only the other player can confirm that.")
	}
	switch c := theirs[0]; {
	case req.Args["say"] == "no":
		return f.deny(ctx, req, e, c)
	case req.Args["score"] != formatScores(c.Scores):
		return bot.Reply{}, words.Refusing("Another result has been reported since. Look at the latest message.")
	}
	mine := theirs[0]
	mine.Side = side
	if _, err := f.act(ctx, e.No, req.ID, req.User, func(e *event) (change, error) {
		d, _, err := e.claim(mine)
		return d, err
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Confirmed. The result counts.")}, nil
}

// deny records that a player disputes the opponent's report, and notifies the directors.
func (f *tournaments) deny(ctx context.Context, req bot.Request, e event, c claim) (bot.Reply, error) {
	e, err := f.update(ctx, e.No, func(e *event) error {
		for i := range e.Claims {
			e.Claims[i].Denied = e.Claims[i].Denied || e.Claims[i] == c
		}
		return nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	if err := feature.Once(ctx, f.desk, e.Channel, "tournament:"+req.ID+":denied", func(r *feature.Room) { e.callDirectors(r, f.desk.Now().UTC()) }); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Then it doesn't count. What was it? Report your result, and the director decides: {who}.", text.List(nameSpans(e.Directors))), Buttons: []bot.Button{e.reportButton(c.spot)}}, nil
}

// reportButton returns a button that asks a player for the result of their game.
func (e *event) reportButton(s spot) bot.Button {
	return e.button(text.Say("Report result"), bot.Primary, "result", append(spotArgs(s), "score", "")...)
}

// callDirectors posts the directors' message again, so that they are notified.
func (e *event) callDirectors(r *feature.Room, at time.Time) {
	e.postDirectors(r, directorPost, e.toRound(e.Begun), at)
}

// postDirectors adds a post to each director.
func (e *event) postDirectors(r *feature.Room, kind string, to int, at time.Time) {
	for _, d := range e.Directors {
		r.Post(bot.Post{From: e.No, To: to, For: d.ID, Kind: kind, At: at})
	}
}

// disputedReports lists the reports that the director has to decide on, with a button for each
// report of the first spot.
func (e *event) disputedReports() (lines []text.Text, buttons []bot.Button) {
	for i, s := range e.disputes() {
		a, b := e.nameOf(e.pairingAt(s).A), e.nameOf(e.pairingAt(s).B)
		for _, c := range e.claims(s) {
			lines = append(lines, text.Say("Table {n}: {who} says {a} {x}, {b} {y}.", s.Pairing, text.Name(person(e.player(s, c.Side))), a, c.Scores[0], b, c.Scores[1]))
			if i == 0 {
				buttons = append(buttons, e.button(text.Say("Table {n}: {score}", s.Pairing, formatScores(c.Scores)), bot.Primary, "result", append(spotArgs(s), "by", "director", "score", formatScores(c.Scores))...))
			}
		}
	}
	return lines, buttons
}

// forfeitOf returns the forfeit of a spot whose game hasn't begun. If it has begun, or has a
// reported result, ok is false.
func (e *event) forfeitOf(s spot) (r contest.Result, ok bool) {
	p := e.place(s)
	if p == nil || p.Channel == "" || p.Round != e.Begun || e.isPaired() || e.nextGame(s) != 0 || len(p.Sat) > 1 || len(e.claims(s)) > 0 {
		return r, false
	}
	for _, side := range []contest.Side{contest.A, contest.B} {
		if len(p.Sat) == 1 && p.Sat[0] == e.player(s, side).ID {
			return contest.Forfeit(side.Other()), true
		}
	}
	return contest.Result{How: contest.LostByBoth}, true
}

// absentees lists the spots of the current round whose games haven't begun; of is the
// number of all its spots.
func (e *event) absentees() (all []spot, of int) {
	for _, p := range e.Places {
		if p.Round != e.Begun {
			continue
		}
		of++
		if _, ok := e.forfeitOf(p.spot); ok {
			all = append(all, p.spot)
		}
	}
	return all, of
}

// endWait ends the wait of a round: players who haven't sat down forfeit, pairs with a
// report get one more wait, and the rest goes to the director.
func (f *tournaments) endWait(ctx context.Context, timer bot.Timer) error {
	no, round := timer.Number/roundNumber, timer.Number%roundNumber
	e, found, err := f.get(ctx, no)
	if err != nil || !found || e.Phase != under || e.Begun != round || e.isPaired() {
		return err
	}
	absent, of := e.absentees()
	if hold := len(absent)*4 > of || timer.Kind == waitAgainKind && len(e.Claims) > 0; hold {
		if e, err = f.update(ctx, no, func(e *event) error { e.Held = round; return nil }); err != nil {
			return err
		}
		if err := feature.Once(ctx, f.desk, e.Channel, fmt.Sprintf("tournament:%d:held:%d:%s", no, round, timer.Kind), func(r *feature.Room) { e.callDirectors(r, f.desk.Now().UTC()) }); err != nil {
			return err
		}
	} else if len(absent) > 0 {
		if _, err := f.forfeitAbsent(ctx, no, fmt.Sprintf("wait:%d", round), bot.User{}); err != nil {
			return err
		}
	}
	if timer.Kind == waitAgainKind || len(e.Claims) == 0 {
		return nil
	}
	return feature.Once(ctx, f.desk, e.Channel, fmt.Sprintf("tournament:%d:wait again:%d", no, round), func(r *feature.Room) {
		r.Timer(bot.Timer{At: f.desk.Now().Add(e.Wait), Kind: waitAgainKind, Number: timer.Number})
	})
}

// forfeitAbsent makes the players who haven't sat down forfeit.
func (f *tournaments) forfeitAbsent(ctx context.Context, no int, cause string, by bot.User) (event, error) {
	return f.acts(ctx, no, cause, by, func(e *event) (all []change, err error) {
		absent, _ := e.absentees()
		for _, s := range absent {
			if r, ok := e.forfeitOf(s); ok {
				all = append(all, e.overrule(s, 0, r))
			}
		}
		return all, nil
	})
}

// forfeitAll carries out the director's decision that players who haven't sat down forfeit.
func (f *tournaments) forfeitAll(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, _, err := f.loadDirected(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if e, err = f.forfeitAbsent(ctx, e.No, req.ID, req.User); err != nil {
		return bot.Reply{}, err
	}
	return f.panel(ctx, &e, true)
}
