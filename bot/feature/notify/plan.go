package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// leastPoints are for /plan.
func leastPoints(_ context.Context, h *host.Host, _ bot.Request) (all []bot.Choice) {
	for n := 20; n <= 80; n += 10 {
		all = append(all, bot.Choice{Value: strconv.Itoa(n), Label: text.Say("{n, plural, one {# point} other {# points}}", n)})
	}
	return all
}

// A plan is what somebody means to play at their next turn. It is theirs alone:
// it stands in the notes, not in the table's events, and nothing that others
// see depends on there being one.
//
// A commit that changes a table marks its channel, and the timers' loop then
// looks whether the turn has come for a plan there. What is marked is a hint:
// a host that starts looks at every plan.

// plansShelf has the plans by channel, table and player.
const plansShelf = "plans"

// planKind is the kind of the post that tells somebody of their plan.
const planKind = "plan"

type storedPlan struct {
	V     int    `json:"v"`
	ID    string `json:"id"`   // of the request that made it
	Name  string `json:"name"` // whose it is
	Word  string `json:"word"` // as game.ParseSpelling reads it
	At    string `json:"at"`
	Least int    `json:"least,omitempty"` // points; with fewer it is dropped
	Play  bool   `json:"play,omitempty"`  // play it, rather than offer it
	// Number is 0 until the turn has come; then how many events the table had.
	Number  int    `json:"number,omitempty"`
	Dropped string `json:"dropped,omitempty"` // why; "": it is offered
}

func planOptions() []bot.Option {
	return []bot.Option{
		{Name: "word", Help: "The whole word; leave out to see your plan", Kind: bot.Word},
		{Name: "at", Help: input.Square.Help, Kind: bot.Square, Completes: true},
		{Name: "least", Help: "How many points it must score; with fewer it is dropped", Kind: bot.Pick, Completes: true},
		{Name: "do", Help: "What to do when your turn comes", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "offer", Label: text.Say("Offer it to me with one press")}, {Value: "play", Label: text.Say("Play it for me")}, {Value: "drop", Label: text.Say("Drop my plan")},
		}},
	}
}

func planKey(ch bot.ChannelID, t bot.TableID, who game.PlayerID) string {
	return notes.Key(string(ch), notes.TableKey(t), string(who))
}

// plan keeps what somebody means to play, shows it, or drops it.
func plan(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	t, err := h.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	seat, err := t.Seat(req)
	if err != nil {
		return h.OrExplain(t, req, err)
	}
	key := planKey(t.Channel, t.ID, req.User.ID)
	var p storedPlan
	had, err := notes.Read(ctx, h.Notes, plansShelf, key, &p)
	if err != nil {
		return bot.Reply{}, err
	}
	switch do := req.Args["do"]; {
	case do == "drop":
		if err := h.Notes.Put(ctx, plansShelf, key, nil); err != nil {
			return bot.Reply{}, err
		}
		return bot.Reply{Text: text.Say("You have no plan for this game now.")}, nil
	case do != "" && do != "offer" && do != "play":
		return bot.Reply{}, words.NoChoice("do", do, "offer", "play", "drop")
	case req.Args["word"] == "" && !had:
		return bot.Reply{Text: text.Say("You have no plan for this game. {plan} makes one for your next turn; nobody else sees it.", text.Code("/plan horn 8h"))}, nil
	case req.Args["word"] == "":
		return bot.Reply{Text: planned(h, t, seat, p)}, nil
	case had && p.ID == req.ID:
		return bot.Reply{Text: planned(h, t, seat, p)}, nil // asked for again
	case t.Variant.Place != nil:
		return words.Refuse(text.Sentences(text.Say("There are no plans in {variant}, for others may cover the same letters.", t.Rules.Variant), words.WhatToDo(t))), nil
	case t.Phase == game.Playing && t.Turn == seat:
		return words.Refuse(text.Say("It's your turn: {play} plays it now.", text.Code(words.Typed("play", req.Args)))), nil
	}
	m, err := input.Play(h.Lists, t, req)
	if err != nil {
		return h.OrExplain(t, req, err)
	}
	p = storedPlan{V: 1, ID: req.ID, Name: req.User.Name, At: m.At.At(m.Dir), Play: req.Args["do"] == "play"}
	if p.Word, err = wholeSpelling(t, m); err != nil {
		return h.OrExplain(t, req, err)
	}
	if least := req.Args["least"]; least != "" {
		if p.Least, err = strconv.Atoi(least); err != nil || p.Least < 0 {
			return words.Refuse(text.Say("{typed} is no number of points. For instance {plan}.", text.Code(text.Shorten(least, bot.MaxName)), text.Code("/plan horn 8h least:20"))), nil
		}
	}
	if why := unfit(h, t, seat, p); why != nil {
		return h.OrExplain(t, req, why)
	}
	if err := notes.Write(ctx, h.Notes, plansShelf, key, p); err != nil {
		return bot.Reply{}, err
	}
	h.Committed(t.Channel) // the turn may have come meanwhile
	return bot.Reply{Text: planned(h, t, seat, p)}, nil
}

// wholeSpelling writes a play as a word with the letters on the board, for
// some of its squares may be taken when it is made.
func wholeSpelling(t table.Table, m game.Move) (string, error) {
	tally, err := t.Rules.Tally(t.Equipment, &t.Board, m)
	if err != nil {
		return "", err
	}
	word := []byte(tally.Words[0].Tiles)
	for i := range word {
		if m.Tiles.At(i) == game.NoTile {
			word[i] = byte(game.LetterTile(game.Tile(word[i]).Letter())) // whatever lies there
		}
	}
	m.Tiles = game.Tiles(word)
	return table.Spelling(t.Equipment.Tiles, m), nil
}

// planned tells somebody their plan.
func planned(h *host.Host, t table.Table, seat int, p storedPlan) text.Text {
	word := text.Strong(p.plain(t))
	switch {
	case p.Dropped != "":
		return text.Sentences(text.Say("Your plan, {word} at {at}{least, plural, =0 {} other { for at least #}}, was dropped:", word, p.At, p.Least), whyDropped(h, t, seat, p))
	case p.Number > 0:
		return text.Say("It's your turn, and your plan still fits: {word} at {at}{least, plural, =0 {} other { for at least #}}.", word, p.At, p.Least)
	case p.Play:
		return text.Say("When your turn comes I play {word} at {at}{least, plural, =0 {} other { for at least #}}, if it still fits. {drop} drops it. Nobody else sees this.", word, p.At, p.Least, text.Code("/plan do:drop"))
	}
	return text.Say("When your turn comes I offer you {word} at {at}{least, plural, =0 {} other { for at least #}}, if it still fits. {play} with the word plays it for you; {drop} drops it. Nobody else sees this.", word, p.At, p.Least, text.Code("/plan do:play"), text.Code("/plan do:drop"))
}

// whyDropped says why a plan was dropped; the table is still as it was then.
func whyDropped(h *host.Host, t table.Table, seat int, p storedPlan) text.Text {
	why := unfit(h, t, seat, p)
	if why == nil || !words.IsMistake(why) {
		return text.Plain(p.Dropped)
	}
	return words.Explain(t, bot.Request{User: t.Seats[seat].Person, Args: map[string]string{"word": p.plain(t)}}, why).Text
}

// plain is the planned word as people say it.
func (p storedPlan) plain(t table.Table) string {
	return t.Equipment.Tiles.Alphabet().Upper(strings.NewReplacer("[", "", "]", "", "?", "").Replace(p.Word))
}

// move is the planned play on the board as it is now.
func planMove(h *host.Host, t table.Table, p storedPlan, who game.PlayerID) (game.Move, error) {
	return input.Play(h.Lists, t, bot.Request{User: bot.User{ID: who}, Args: map[string]string{"word": p.Word, "at": p.At}})
}

// unfit is why a plan can't be played now, were it its owner's turn; nil when
// it can. It is a mistake, in the sense of isMistake.
func unfit(h *host.Host, t table.Table, seat int, p storedPlan) error {
	m, err := planMove(h, t, p, t.Seats[seat].Person.ID)
	if err != nil {
		return err
	}
	tally, err := t.Rules.Tally(t.Equipment, &t.Board, m)
	if err != nil {
		return err
	}
	if tally.Total < p.Least {
		return words.Refusing("{word} at {at} scores {score} now, and you want at least {least}.", p.plain(t), p.At, tally.Total, p.Least)
	}
	if t.Rules.Challenge != game.Void {
		return nil
	}
	dict, err := h.Dictionary(t.State)
	if err != nil {
		return err
	}
	if bad := tally.Phonies(dict); len(bad) > 0 {
		return &game.RuleError{Code: game.NotAWord, Words: bad}
	}
	return nil
}

// everyPlan marks all channels that have plans.
func everyPlan(ctx context.Context, h *host.Host) error {
	return notes.ReadEach(ctx, h.Notes, plansShelf, "", func(row bot.Row) error {
		ch, _, _ := strings.Cut(row.Key, "\x00")
		h.Changed(bot.ChannelID(ch))
		return nil
	})
}

// followPlansIn looks at the plans in a channel whose table has changed.
func followPlansIn(ctx context.Context, h *host.Host, ch bot.ChannelID) error {
	rows, err := h.Notes.Scan(ctx, plansShelf, notes.Key(string(ch), ""), "", 100)
	if err != nil || len(rows) == 0 {
		return err
	}
	t, err := h.Load(ctx, bot.Request{Channel: ch})
	if err != nil {
		return err
	}
	for _, row := range rows {
		parts := strings.Split(row.Key, "\x00")
		var p storedPlan
		if err := json.Unmarshal(row.Value, &p); err != nil {
			return fmt.Errorf("read plan: %w", err)
		}
		who := game.PlayerID(parts[len(parts)-1])
		if err := followPlan(ctx, h, t, row.Key, parts[1] == notes.TableKey(t.ID), who, p); err != nil {
			return err
		}
	}
	return nil
}

// followPlan does what is to be done about a plan on the table as it stands.
func followPlan(ctx context.Context, h *host.Host, t table.Table, key string, here bool, who game.PlayerID, p storedPlan) error {
	seat, seated := t.SeatOf(who)
	over := !here || !seated || t.Seats[seat].Out || t.Phase != game.Playing && t.Phase != game.Closing
	mine := !over && t.Phase == game.Playing && t.Turn == seat
	switch {
	case over, p.Number > 0 && !mine:
		_, err := replacePlan(ctx, h, key, p, nil)
		return err
	case !mine, p.Number > 0:
		return nil
	}
	why := unfit(h, t, seat, p)
	if why != nil && !words.IsMistake(why) {
		return why
	}
	if why == nil && p.Play {
		played, err := playPlan(ctx, h, t, seat, p)
		if err != nil {
			return err
		}
		if played {
			_, err = replacePlan(ctx, h, key, p, nil)
			return err
		}
		return nil // the table has changed, and is looked at again
	}
	was := p
	if why != nil {
		p.Dropped = whyDropped(h, t, seat, p).String()
	}
	p.Number = t.Number
	if replaced, err := replacePlan(ctx, h, key, was, &p); err != nil || !replaced {
		return err
	}
	return tellPlan(ctx, h, t, who, p)
}

// replacePlan replaces a plan by another, or by none where now is nil. It does nothing
// where the owner has changed or dropped the plan meanwhile.
func replacePlan(ctx context.Context, h *host.Host, key string, was storedPlan, now *storedPlan) (replaced bool, err error) {
	err = h.Notes.Change(ctx, func(rows bot.Rows) error {
		var is storedPlan
		found, err := notes.Get(rows, plansShelf, key, &is)
		if replaced = err == nil && found && is == was; !replaced {
			return err
		}
		if now == nil {
			return rows.Put(plansShelf, key, nil)
		}
		return notes.Put(rows, plansShelf, key, now)
	})
	return replaced, err
}

// playPlan plays what somebody planned, as their own request would, once.
func playPlan(ctx context.Context, h *host.Host, t table.Table, seat int, p storedPlan) (played bool, err error) {
	req := bot.Request{ID: "plan:" + p.ID, Channel: t.Channel, Table: t.ID, User: t.Seats[seat].Person}
	err = h.Store.Update(ctx, t.Channel, req.ID, func(r *bot.Room) error {
		if played = r.Receipt != nil; played {
			return nil
		}
		now, err := h.Replay(r.Channel, r.Table, r.Events)
		if err != nil || now.ID != t.ID || now.Number != t.Number {
			return err
		}
		done, err := h.Judge(now, req, func(t table.Table) (game.Action, error) {
			m, err := planMove(h, t, p, req.User.ID)
			return game.Play{Move: m}, err
		}, game.Env{Now: h.Now(), Cause: req.ID})
		if err != nil {
			return err
		}
		h.Fill(ctx, r, now, "", done) // they are sent their new rack
		played = true
		return nil
	})
	if err == nil {
		h.Committed(t.Channel)
	}
	return played, err
}

// tellPlan queues the note that tells somebody of their plan, once.
func tellPlan(ctx context.Context, h *host.Host, t table.Table, who game.PlayerID, p storedPlan) error {
	id := "told:" + p.ID
	err := h.Store.Update(ctx, t.Channel, id, func(r *bot.Room) error {
		if r.Receipt != nil || r.Table != t.ID {
			return nil
		}
		r.Posts = []bot.Post{{Channel: r.Channel, From: t.Number, To: t.Number, For: who, Kind: planKind}}
		r.File = &bot.Receipt{From: t.Number, To: t.Number}
		return nil
	})
	h.Rouse(t.Channel.Platform())
	return err
}

// planMessage tells a player in private of their plan. There is nothing to
// tell any more when the plan has gone, or the turn with it.
func planMessage(ctx context.Context, h *host.Host, post bot.Post, t, now table.Table, m bot.Message) (bot.Message, error) {
	seat, ok := t.SeatOf(post.For)
	var p storedPlan
	found, err := notes.Read(ctx, h.Notes, plansShelf, planKey(post.Channel, post.Table, post.For), &p)
	if err != nil {
		return m, err
	}
	if !ok || !found || p.Number != post.To || now.Number != post.To {
		return m, host.ErrNothingToTell
	}
	m.To = &t.Seats[seat].Person
	m.Text = planned(h, t, seat, p)
	m.Line = text.Say("An earlier plan of yours.")
	if p.Dropped == "" {
		label := text.Say("Play {word}", p.plain(t))
		if mv, err := planMove(h, t, p, post.For); err == nil {
			if tally, err := t.Rules.Tally(t.Equipment, &t.Board, mv); err == nil {
				label = text.Say("Play {word} for {score}", p.plain(t), tally.Total)
			}
			m.Buttons = []bot.Button{t.Button(label, "play", bot.Primary, map[string]string{"word": table.Spelling(t.Equipment.Tiles, mv), "at": p.At})}
		}
	}
	return m, nil
}
