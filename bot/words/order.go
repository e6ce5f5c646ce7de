package words

import (
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// pollLine asks the players who haven't voted to vote. It notifies them only when the poll
// opens.
func pollLine(t table.Table, opens bool, now game.State) text.Text {
	if now.Phase != game.Voting {
		return nil
	}
	var wait []text.Span
	var numbers []text.Text
	for i, seat := range t.Seats {
		numbers = append(numbers, text.Glue(i+1, " ", text.Name(seat.Person)))
		switch {
		case seat.Voted:
		case opens:
			wait = append(wait, text.Mention(seat.Person))
		default:
			wait = append(wait, text.Name(seat.Person))
		}
	}
	vote := t.Votes()[1]
	return text.Say("{n, plural, one {{players} has} other {{players} have}} until {time} to vote on the order of play. The players' numbers are {numbers}: {vote} means {order}.",
		len(wait), text.List(wait), Clock(t.Until), text.List(numbers), text.Code("/vote "+vote.Value), vote.Label)
}

// orderSentence describes an event of settling the order.
func orderSentence(before game.State, f game.Fact) text.Text {
	names := func(order []int) text.Text {
		var all []text.Text
		for _, seat := range order {
			all = append(all, text.Text{text.PlainName(before.Seats[seat].Person)})
		}
		return text.Join(all, ", ")
	}
	switch f := f.(type) {
	case game.Polled:
		return text.Say("The players vote on the order. If several get the most votes, one of them is drawn.")
	case game.Balloted:
		if len(f.Order) == 0 {
			return text.Say("{who} leaves the order to the others.", text.Name(before.Seats[f.Seat].Person))
		}
		return text.Say("{who} votes for {names}.", text.Name(before.Seats[f.Seat].Person), names(f.Order))
	case game.Ordered:
		if f.Among == 1 {
			return text.Say("The order of play, by the votes: {names}.", names(f.Order))
		}
		return text.Say("The order of play, drawn from {among}: {names}.", f.Among, names(f.Order))
	}
	return nil
}
