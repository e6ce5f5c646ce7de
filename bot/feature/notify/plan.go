package notify

import (
	"context"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// leastPoints returns the choices of the option least of /plan.
func leastPoints(context.Context, bot.Request) (all []bot.Choice) {
	for n := 20; n <= 80; n += 10 {
		all = append(all, bot.Choice{Value: strconv.Itoa(n), Label: text.Say("{n, plural, one {# point} other {# points}}", n)})
	}
	return all
}

// A plan is a play that a player prepares for their next turn. It is private: it is stored
// in the notes rather than in the table's events, and nothing that others see depends on
// it.
//
// A commit that changes a table marks its channel, and the timers' loop then checks whether
// the turn of a plan there has come. Marks are only hints: a host checks every plan when it
// starts.

// planKind is the kind of the post that tells a player about their plan.
const planKind = "plan"

type storedPlan struct {
	V     int    `json:"v"`
	ID    string `json:"id"`   // ID of the request that made it
	Name  string `json:"name"` // name of its owner
	Word  string `json:"word"` // in the notation of game.ParseSpelling
	At    string `json:"at"`
	Least int    `json:"least,omitempty"` // minimum score in points; below it the plan is dropped
	Play  bool   `json:"play,omitempty"`  // whether to play it rather than offer it
	// Number is the table's number of events when the turn came, or 0 before.
	Number  int    `json:"number,omitempty"`
	Dropped string `json:"dropped,omitempty"` // why the plan was dropped; "" if it is offered
}

func planOptions() []bot.Option {
	return []bot.Option{
		{Name: "word", Help: "The whole word. Leave it out to see your plan.", Kind: bot.Word},
		{Name: "at", Help: input.Square.Help, Kind: bot.Square, Completes: true},
		{Name: "least", Help: "How many points it must score; below that, it's dropped", Kind: bot.Pick, Completes: true},
		{Name: "do", Help: "What to do when your turn comes", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "offer", Label: text.Say("Offer it to me as a button")}, {Value: "play", Label: text.Say("Play it for me")}, {Value: "drop", Label: text.Say("Drop my plan")},
		}},
	}
}

// A planKey names a plan's channel, table and player.
type planKey = shelf.Pair[shelf.Channel, shelf.Pair[shelf.Table, shelf.Person]]

func keyOfPlan(ch bot.ChannelID, t bot.TableID, who game.PlayerID) planKey {
	return shelf.Both(shelf.Channel(ch), shelf.Both(shelf.Table(t), shelf.Person(who)))
}

// plan saves a player's plan, shows it, or drops it.
func (f *Feature) plan(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := f.desk.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	seat, err := t.Seat(req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	key := keyOfPlan(t.Channel, t.ID, req.User.ID)
	p, had, err := f.plans.Get(ctx, key)
	if err != nil {
		return bot.Reply{}, err
	}
	switch do := req.Args["do"]; {
	case do == "drop":
		if err := f.plans.Drop(ctx, key); err != nil {
			return bot.Reply{}, err
		}
		return bot.Reply{Text: text.Say("You have no plan for this game now.")}, nil
	case do != "" && do != "offer" && do != "play":
		return bot.Reply{}, words.NoChoice("do", do, "offer", "play", "drop")
	case req.Args["word"] == "" && !had:
		return bot.Reply{Text: text.Say("You have no plan for this game. {plan} makes one for your next turn; nobody else sees it.", text.Code("/plan horn 8h"))}, nil
	case req.Args["word"] == "":
		return bot.Reply{Text: f.describePlan(t, seat, p)}, nil
	case had && p.ID == req.ID:
		return bot.Reply{Text: f.describePlan(t, seat, p)}, nil // a repeated request
	case t.Variant.Place != nil:
		return words.Refuse(text.Sentences(text.Say("You can't make plans in {variant}, since others may cover the same letters.", t.Rules.Variant), words.WhatToDo(t))), nil
	case t.Phase == game.Playing && t.Turn == seat:
		return words.Refuse(text.Say("It's your turn: {play} plays it now.", text.Code(words.CommandLine("play", req.Args)))), nil
	}
	m, err := input.Play(f.desk.Lists(), t, req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	p = storedPlan{V: 1, ID: req.ID, Name: req.User.Name, At: m.At.At(m.Dir), Play: req.Args["do"] == "play"}
	if p.Word, err = wholeSpelling(t, m); err != nil {
		return feature.OrExplain(t, req, err)
	}
	if least := req.Args["least"]; least != "" {
		if p.Least, err = strconv.Atoi(least); err != nil || p.Least < 0 {
			return words.Refuse(text.Say("I can't read {typed} as a number of points. Try {plan}.", text.Code(text.Shorten(least, bot.MaxName)), text.Code("/plan horn 8h least:20"))), nil
		}
	}
	if why := f.checkFit(t, seat, p); why != nil {
		return feature.OrExplain(t, req, why)
	}
	if err := f.plans.Put(ctx, key, p); err != nil {
		return bot.Reply{}, err
	}
	f.Moved(t.Channel) // the turn may have come in the meantime
	return bot.Reply{Text: f.describePlan(t, seat, p)}, nil
}

// wholeSpelling returns the word of a play with its letters on the board, since some of its
// squares may be covered by the time it is made.
func wholeSpelling(t table.Table, m game.Move) (string, error) {
	tally, err := t.Rules.Tally(t.Equipment, &t.Board, m)
	if err != nil {
		return "", err
	}
	word := []byte(tally.Words[0].Tiles)
	for i := range word {
		if m.Tiles.At(i) == game.NoTile {
			word[i] = byte(game.LetterTile(game.Tile(word[i]).Letter())) // the letter, whichever tile holds it
		}
	}
	m.Tiles = game.Tiles(word)
	return table.Spelling(t.Equipment.Tiles, m), nil
}

// describePlan describes a plan to its owner.
func (f *Feature) describePlan(t table.Table, seat int, p storedPlan) text.Text {
	word := text.Strong(p.text(t))
	switch {
	case p.Dropped != "":
		return text.Sentences(text.Say("Your plan, {word} at {at}{least, plural, =0 {} other { for at least #}}, was dropped:", word, p.At, p.Least), f.dropReason(t, seat, p))
	case p.Number > 0:
		return text.Say("It's your turn, and your plan still fits: {word} at {at}{least, plural, =0 {} other { for at least #}}.", word, p.At, p.Least)
	case p.Play:
		return text.Say("When it's your turn, I'll play {word} at {at}{least, plural, =0 {} other { for at least #}}, if it still fits. {drop} drops it. Only you can see this.", word, p.At, p.Least, text.Code("/plan do:drop"))
	}
	return text.Say("When it's your turn, I'll offer you {word} at {at}{least, plural, =0 {} other { for at least #}}, if it still fits. To have it played for you, use {play} with the word; {drop} drops it. Only you can see this.", word, p.At, p.Least, text.Code("/plan do:play"), text.Code("/plan do:drop"))
}

// dropReason returns why a plan was dropped. The table hasn't changed since.
func (f *Feature) dropReason(t table.Table, seat int, p storedPlan) text.Text {
	why := f.checkFit(t, seat, p)
	if why == nil || !words.IsMistake(why) {
		return text.Plain(p.Dropped)
	}
	return words.Explain(t, bot.Request{User: t.Seats[seat].Person, Args: map[string]string{"word": p.text(t)}}, why).Text
}

// text returns the planned word as people write it.
func (p storedPlan) text(t table.Table) string {
	return t.Equipment.Tiles.Alphabet().Upper(strings.NewReplacer("[", "", "]", "", "?", "").Replace(p.Word))
}

// planMove returns the planned play on the board as it is now.
func (f *Feature) planMove(t table.Table, p storedPlan, who game.PlayerID) (game.Move, error) {
	return input.Play(f.desk.Lists(), t, bot.Request{User: bot.User{ID: who}, Args: map[string]string{"word": p.Word, "at": p.At}})
}

// checkFit returns why a plan couldn't be played if it were its owner's turn, or nil if it
// could. Such an error is a mistake in the sense of words.IsMistake; other errors are
// failures.
func (f *Feature) checkFit(t table.Table, seat int, p storedPlan) error {
	m, err := f.planMove(t, p, t.Seats[seat].Person.ID)
	if err != nil {
		return err
	}
	tally, err := t.Rules.Tally(t.Equipment, &t.Board, m)
	if err != nil {
		return err
	}
	if tally.Total < p.Least {
		return words.Refusing("{word} at {at} now scores {score}, and you want at least {least}.", p.text(t), p.At, tally.Total, p.Least)
	}
	if t.Rules.Challenge != game.Void {
		return nil
	}
	dict, err := f.desk.Lists().Dictionary(t.State)
	if err != nil {
		return err
	}
	if bad := tally.Phonies(dict); len(bad) > 0 {
		return &game.RuleError{Code: game.NotAWord, Words: bad}
	}
	return nil
}

// follow checks the plans in a channel whose table has changed. If ch is empty, it marks
// all channels that have plans, since the host starts.
func (f *Feature) follow(ctx context.Context, ch bot.ChannelID) error {
	if ch == "" {
		if err := f.introduceCards(ctx); err != nil {
			return err
		}
		return f.plans.Each(ctx, func(k planKey, _ storedPlan) error {
			f.Moved(bot.ChannelID(k.First))
			return nil
		})
	}
	var keys []shelf.Pair[shelf.Table, shelf.Person]
	var plans []storedPlan
	err := shelf.EachUnder(ctx, f.plans, shelf.Channel(ch), func(k shelf.Pair[shelf.Table, shelf.Person], p storedPlan) error {
		keys, plans = append(keys, k), append(plans, p)
		return nil
	})
	if err != nil || len(plans) == 0 {
		return err
	}
	t, err := f.desk.Load(ctx, bot.Request{Channel: ch})
	if err != nil {
		return err
	}
	for i, k := range keys {
		if err := f.followPlan(ctx, t, shelf.Both(shelf.Channel(ch), k), bot.TableID(k.First) == t.ID, game.PlayerID(k.Second), plans[i]); err != nil {
			return err
		}
	}
	return nil
}

// followPlan handles a plan on the table as it stands: it drops, offers or plays it.
func (f *Feature) followPlan(ctx context.Context, t table.Table, key planKey, here bool, who game.PlayerID, p storedPlan) error {
	seat, seated := t.SeatOf(who)
	over := !here || !seated || t.Seats[seat].Out || t.Phase != game.Playing && t.Phase != game.Closing
	mine := !over && t.Phase == game.Playing && t.Turn == seat
	switch {
	case over, p.Number > 0 && !mine:
		_, err := f.replacePlan(ctx, key, p, nil)
		return err
	case p.Number == t.Number && mine:
		return f.tellPlan(ctx, t, who, p) // a retry, in case it failed before
	case !mine, p.Number > 0:
		return nil
	}
	why := f.checkFit(t, seat, p)
	if why != nil && !words.IsMistake(why) {
		return why
	}
	if why == nil && p.Play {
		played, err := f.playPlan(ctx, t, seat, p)
		if err != nil {
			return err
		}
		if played {
			_, err = f.replacePlan(ctx, key, p, nil)
			return err
		}
		return nil // the table has changed and will be checked again
	}
	was := p
	if why != nil {
		p.Dropped = f.dropReason(t, seat, p).String()
	}
	p.Number = t.Number
	if replaced, err := f.replacePlan(ctx, key, was, &p); err != nil || !replaced {
		return err
	}
	return f.tellPlan(ctx, t, who, p)
}

// replacePlan replaces a plan, or deletes it if now is nil. It does nothing if the owner
// has changed or dropped the plan meanwhile.
func (f *Feature) replacePlan(ctx context.Context, key planKey, was storedPlan, now *storedPlan) (replaced bool, err error) {
	err = f.plans.Change(ctx, key, func(is *storedPlan) (keep bool, err error) {
		if replaced = is.V > 0 && *is == was; !replaced {
			return is.V > 0, nil
		}
		if now != nil {
			*is = *now
		}
		return now != nil, nil
	})
	return replaced, err
}

// playPlan makes the planned play once, like a request of its owner.
func (f *Feature) playPlan(ctx context.Context, t table.Table, seat int, p storedPlan) (played bool, err error) {
	req := bot.Request{ID: "plan:" + p.ID, Channel: t.Channel, Table: t.ID, User: t.Seats[seat].Person}
	err = f.desk.Update(ctx, t.Channel, req.ID, func(r *feature.Room) error {
		if played = r.Receipt() != nil; played || r.Table.ID != t.ID || r.Table.Number != t.Number {
			return nil
		}
		done, err := r.Judge(req, func(t table.Table) (game.Action, error) {
			m, err := f.planMove(t, p, req.User.ID)
			return game.Play{Move: m}, err
		})
		if err != nil {
			return err
		}
		r.Fill("", done) // sends their new rack
		played = true
		return nil
	})
	return played, err
}

// tellPlan queues the post that tells a player about their plan, once.
func (f *Feature) tellPlan(ctx context.Context, t table.Table, who game.PlayerID, p storedPlan) error {
	return feature.OnceAt(ctx, f.desk, t, "told:"+p.ID, func(r *feature.Room) {
		r.Post(bot.Post{From: t.Number, To: t.Number, For: who, Kind: planKind})
	})
}

// planMessage writes the private message about a plan. If the plan or its turn has gone,
// there is nothing to send.
func (f *Feature) planMessage(ctx context.Context, post bot.Post, t, now table.Table, m bot.Message) (bot.Message, error) {
	seat, ok := t.SeatOf(post.For)
	p, found, err := f.plans.Get(ctx, keyOfPlan(post.Channel, post.Table, post.For))
	if err != nil {
		return m, err
	}
	if !ok || !found || p.Number != post.To || now.Number != post.To {
		return m, feature.ErrNothingToTell
	}
	m.To = &t.Seats[seat].Person
	m.Text = f.describePlan(t, seat, p)
	m.Line = text.Say("Your earlier plan.")
	if p.Dropped == "" {
		label := text.Say("Play {word}", p.text(t))
		if mv, err := f.planMove(t, p, post.For); err == nil {
			if tally, err := t.Rules.Tally(t.Equipment, &t.Board, mv); err == nil {
				label = text.Say("Play {word} for {score}", p.text(t), tally.Total)
			}
			m.Buttons = []bot.Button{t.Button(label, "play", bot.Primary, map[string]string{"word": table.Spelling(t.Equipment.Tiles, mv), "at": p.At})}
		}
	}
	return m, nil
}
