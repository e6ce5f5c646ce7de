package words

import (
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// pollLine calls those who have not voted: by their names after the first time.
func pollLine(t table.Table, opens bool, now game.State) bot.Text {
	if now.Phase != game.Voting {
		return nil
	}
	var wait []bot.Span
	var numbers []bot.Text
	for i, seat := range t.Seats {
		numbers = append(numbers, bot.Glue(i+1, " ", bot.Name(seat.Person)))
		switch {
		case seat.Voted:
		case opens:
			wait = append(wait, bot.Mention(seat.Person))
		default:
			wait = append(wait, bot.Name(seat.Person))
		}
	}
	vote := t.Votes()[1]
	return bot.Say("{n, plural, one {{players} has} other {{players} have}} until {time} to vote on the order of play. By number they are {numbers}: {vote} would have them play {order}.",
		len(wait), bot.List(wait), Clock(t.Until), bot.List(numbers), bot.Code("/vote "+vote.Value), vote.Label)
}

// orderSentence tells of what settles the order.
func orderSentence(before game.State, f game.Fact) bot.Text {
	names := func(order []int) bot.Text {
		var all []bot.Text
		for _, seat := range order {
			all = append(all, bot.Text{bot.Called(before.Seats[seat].Person)})
		}
		return bot.Joined(all, ", ")
	}
	switch f := f.(type) {
	case game.Polled:
		return bot.Say("The players vote on the order. Of those that most vote for one is drawn.")
	case game.Balloted:
		if len(f.Order) == 0 {
			return bot.Say("{who} leaves the order to the others.", bot.Name(before.Seats[f.Seat].Person))
		}
		return bot.Say("{who} votes for {names}.", bot.Name(before.Seats[f.Seat].Person), names(f.Order))
	case game.Ordered:
		if f.Among == 1 {
			return bot.Say("The order of play, by the votes: {names}.", names(f.Order))
		}
		return bot.Say("The order of play, drawn from {among}: {names}.", f.Among, names(f.Order))
	}
	return nil
}
