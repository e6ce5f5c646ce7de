package words

import (
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// pollLine calls those who have not voted: by their names after the first time.
func pollLine(t table.Table, opens bool, now game.State) bot.Text {
	if now.Phase != game.Voting {
		return nil
	}
	var wait, numbers []bot.Text
	for i, seat := range t.Seats {
		numbers = append(numbers, bot.Glue(i+1, " ", bot.Name(seat.Person)))
		switch {
		case seat.Voted:
		case opens:
			wait = append(wait, bot.Glue(bot.Mention(seat.Person)))
		default:
			wait = append(wait, bot.Glue(bot.Name(seat.Person)))
		}
	}
	line := bot.Glue(ListingOf(wait), Verb(len(wait), " has", " have"), " until ", Clock(t.Until), " to vote on the order of play. ")
	return bot.Glue(line, "By number they are ", ListingOf(numbers), ": ", bot.Code("/vote "+t.Votes()[1].Value), " would have them play ", t.Votes()[1].Label, ".")
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
		return bot.Glue("The players vote on the order. Of those that most vote for one is drawn.")
	case game.Balloted:
		if len(f.Order) == 0 {
			return bot.Glue(bot.Name(before.Seats[f.Seat].Person), " leaves the order to the others.")
		}
		return bot.Glue(bot.Name(before.Seats[f.Seat].Person), " votes for ", names(f.Order), ".")
	case game.Ordered:
		if f.Among == 1 {
			return bot.Glue("The order of play, by the votes: ", names(f.Order), ".")
		}
		return bot.Glue("The order of play, drawn from ", f.Among, ": ", names(f.Order), ".")
	}
	return nil
}
