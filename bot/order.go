package bot

import (
	"context"
	"strings"

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

func orderOptions() []Option {
	return []Option{{Name: "order", Help: "The players' numbers in that order, such as 213, or any", Kind: Pick, Required: true, Completes: true}}
}

func orderChoices() []Choice {
	return []Choice{
		{game.Drawn.String(), "Drawn: each draws a tile, who is nearest to A begins"},
		{game.Random.String(), "Random: the order of all players is drawn"},
		{game.Voted.String(), "Voted: the players vote on the order"},
	}
}

func (h *Host) vote(ctx context.Context, req Request) (Reply, error) {
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
func (t table) votes() []Choice {
	var all []Choice
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
		all = append(all, Choice{value, label})
	}
	return all
}

// pollButtons and pollMenus are what the players vote with: a button for each
// order while there is room for all of them, else a menu.
func pollButtons(t table) []Button {
	var all []Button
	if votes := t.votes(); len(votes) < mostButtons {
		for _, v := range votes {
			all = append(all, t.button(shorten(v.Label, maxLabel), "vote", Primary, map[string]string{"order": v.Value}))
		}
	}
	return append(all, t.button("Any order", "vote", Ordinary, map[string]string{"order": anyOrder}))
}

func pollMenus(t table) []Menu {
	if t.Phase != game.Voting {
		return nil // there may be a hundred players, who have no end of orders
	}
	votes := t.votes()
	if len(votes) < mostButtons {
		return nil
	}
	return []Menu{{ID: buttonID(t.ID, t.Number, "vote", map[string]string{"order": ""}), Label: "The order to vote for", Choices: votes, Most: 1}}
}

// pollLine calls those who have not voted: by their names after the first time.
func pollLine(t table, opens bool, now game.State) Text {
	if now.Phase != game.Voting {
		return nil
	}
	var wait, numbers []Text
	for i, seat := range t.Seats {
		numbers = append(numbers, say(i+1, " ", name(seat.Person)))
		switch {
		case seat.Voted:
		case opens:
			wait = append(wait, say(mention(seat.Person)))
		default:
			wait = append(wait, say(name(seat.Person)))
		}
	}
	line := say(listingOf(wait), verb(len(wait), " has", " have"), " until ", clock(t.Until), " to vote on the order of play. ")
	return say(line, "By number they are ", listingOf(numbers), ": ", code("/vote "+t.votes()[1].Value), " would have them play ", t.votes()[1].Label, ".")
}

// orderSentence tells of what settles the order.
func orderSentence(before game.State, f game.Fact) Text {
	names := func(order []int) string {
		var all []string
		for _, seat := range order {
			all = append(all, before.Seats[seat].Person.Name)
		}
		return strings.Join(all, ", ")
	}
	switch f := f.(type) {
	case game.Polled:
		return say("The players vote on the order. Of those that most vote for one is drawn.")
	case game.Balloted:
		if len(f.Order) == 0 {
			return say(name(before.Seats[f.Seat].Person), " leaves the order to the others.")
		}
		return say(name(before.Seats[f.Seat].Person), " votes for ", names(f.Order), ".")
	case game.Ordered:
		if f.Among == 1 {
			return say("The order of play, by the votes: ", names(f.Order), ".")
		}
		return say("The order of play, drawn from ", f.Among, ": ", names(f.Order), ".")
	}
	return nil
}

// countVotes ends a vote when its time is over.
func (h *Host) countVotes(ctx context.Context, timer Timer) error {
	return h.atTable(ctx, timer, func(r *Room, t table, env game.Env) error {
		if t.Phase != game.Voting || t.Until.After(env.Now) {
			return nil
		}
		done, err := h.judge(t, Request{}, always(game.TimeUp{}), env)
		if err != nil {
			return err
		}
		h.fill(r, t, "", done)
		return nil
	})
}
