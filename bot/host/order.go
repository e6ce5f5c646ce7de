package host

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file has the vote on the order in which the players take their turns:
// the poll in the channel, and the command that its buttons stand for. An order
// is written as the numbers of the players, from 1, one after another: "213"
// puts the second first.

// orderKind is the kind of the timers that end a vote.
const orderKind = "order"

// anyOrder is the vote that leaves it to the others.
const anyOrder = "any"

func orderOptions() []bot.Option {
	return []bot.Option{{Name: "order", Help: "The players' numbers in that order, such as 213, or any", Kind: bot.Pick, Required: true, Completes: true}}
}

func orderChoices() []bot.Choice {
	return []bot.Choice{
		{Value: game.Drawn.String(), Label: "Drawn: each draws a tile, who is nearest to A begins"},
		{Value: game.Random.String(), Label: "Random: the order of all players is drawn"},
		{Value: game.Voted.String(), Label: "Voted: the players vote on the order"},
	}
}

func (h *Host) vote(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, func(t table) (game.Action, error) {
		text := strings.ToLower(req.Args["order"])
		if text == anyOrder {
			return game.Vote{}, nil
		}
		var order []int
		for _, r := range text {
			order = append(order, int(r-'1'))
		}
		return game.Vote{Order: order}, nil
	})
}

// votes are the orders that can be voted for, and their names.
func (t table) votes() []bot.Choice {
	var all []bot.Choice
	for _, order := range t.Orders() {
		value, names := "", []string{}
		for _, seat := range order {
			value += string(rune('1' + seat))
			names = append(names, t.Seats[seat].Person.Name)
		}
		label := strings.Join(names, ", ")
		if len(order) == 2 {
			label = names[0] + " first"
		}
		all = append(all, bot.Choice{Value: value, Label: label})
	}
	return all
}

// pollButtons and pollMenus are what the players vote with: a button for each
// order while there is room for all of them, else a menu.
func pollButtons(t table) []bot.Button {
	var all []bot.Button
	if votes := t.votes(); len(votes) < bot.MostButtons {
		for _, v := range votes {
			all = append(all, t.button(bot.Shorten(v.Label, bot.MaxLabel), "vote", bot.Primary, map[string]string{"order": v.Value}))
		}
	}
	return append(all, t.button("Any order", "vote", bot.Ordinary, map[string]string{"order": anyOrder}))
}

func pollMenus(t table) []bot.Menu {
	if t.Phase != game.Voting {
		return nil // there may be a hundred players, who have no end of orders
	}
	votes := t.votes()
	if len(votes) < bot.MostButtons {
		return nil
	}
	return []bot.Menu{{ID: bot.ButtonID(t.ID, t.Number, "vote", map[string]string{"order": ""}), Label: "The order to vote for", Choices: votes, Most: 1}}
}

// pollLine calls those who have not voted: by their names after the first time.
func pollLine(t table, opens bool, now game.State) bot.Text {
	if now.Phase != game.Voting {
		return nil
	}
	var wait, numbers []bot.Text
	for i, seat := range t.Seats {
		numbers = append(numbers, bot.Say(i+1, " ", bot.Name(seat.Person)))
		switch {
		case seat.Voted:
		case opens:
			wait = append(wait, bot.Say(bot.Mention(seat.Person)))
		default:
			wait = append(wait, bot.Say(bot.Name(seat.Person)))
		}
	}
	line := bot.Say(listingOf(wait), verb(len(wait), " has", " have"), " until ", clock(t.Until), " to vote on the order of play. ")
	return bot.Say(line, "By number they are ", listingOf(numbers), ": ", bot.Code("/vote "+t.votes()[1].Value), " would have them play ", t.votes()[1].Label, ".")
}

// orderSentence tells of what settles the order.
func orderSentence(before game.State, f game.Fact) bot.Text {
	names := func(order []int) string {
		var all []string
		for _, seat := range order {
			all = append(all, before.Seats[seat].Person.Name)
		}
		return strings.Join(all, ", ")
	}
	switch f := f.(type) {
	case game.Polled:
		return bot.Say("The players vote on the order. Of those that most vote for one is drawn.")
	case game.Balloted:
		if len(f.Order) == 0 {
			return bot.Say(bot.Name(before.Seats[f.Seat].Person), " leaves the order to the others.")
		}
		return bot.Say(bot.Name(before.Seats[f.Seat].Person), " votes for ", names(f.Order), ".")
	case game.Ordered:
		if f.Among == 1 {
			return bot.Say("The order of play, by the votes: ", names(f.Order), ".")
		}
		return bot.Say("The order of play, drawn from ", f.Among, ": ", names(f.Order), ".")
	}
	return nil
}

// countVotes ends a vote when its time is over.
func (h *Host) countVotes(ctx context.Context, timer bot.Timer) error {
	return h.atTable(ctx, timer, func(r *bot.Room, t table, env game.Env) error {
		if t.Phase != game.Voting || t.Until.After(env.Now) {
			return nil
		}
		done, err := h.judge(t, bot.Request{}, always(game.TimeUp{}), env)
		if err != nil {
			return err
		}
		h.fill(r, t, "", done)
		return nil
	})
}
