package host

import (
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// solitaire is told as the game of one player: there is a total, and no winner.
func solitaire() Feature {
	return Feature{
		Variant: &variant{
			name:  "solitaire",
			label: "Solitaire: you alone, with all the tiles, for the best total",
			help: bot.Say("You play alone with all the tiles, for the best total. The game begins at once. Words are looked up as you play them. ",
				"It ends when you have used every tile, when you say so with ", bot.Code("/end"), ", or after six turns without points in a row; tiles that are left count against you.\n",
				"A turn: ", bot.Code("/play horn 8h"), " scores 14, and you draw four tiles."),
			tell: tellSolitaire,
		},
	}
}

func tellSolitaire(before game.State, f game.Fact) (telling, bool) {
	switch f := f.(type) {
	case game.Started:
		return telling{Sentence: bot.Say("The game begins: a table for one.", chosenLine(before))}, true
	case game.Dealt:
		who := before.Seats[f.First].Person.Name
		return telling{Sentence: bot.Say(who, " draws ", count(len(f.Racks[f.First]), "tile"), "."), Caption: who + " plays alone"}, true
	case game.Agreed:
		return telling{Sentence: bot.Say(bot.Name(before.Seats[f.Seat].Person), " ends the game here.")}, true
	case game.Ended:
		seat := before.Seats[0]
		total := fmt.Sprintf("%s's total is %d", seat.Person.Name, seat.Score+f.Adjust[0])
		lines := []bot.Text{nil, bot.Say(bot.Strong(total), "."), secretLine(before)}
		switch left := f.Racks[0]; {
		case f.Reason == game.WentOut:
			lines[0] = bot.Say("Every tile is on the board.")
		case f.Reason == game.ForsakenEnd || f.Reason == game.StoppedEnd:
			return telling{Sentence: bot.Say("The game is given up at ", count(seat.Score, "point"), ".\n", secretLine(before)), Caption: "Given up at " + count(seat.Score, "point")}, true
		case f.Adjust[0] < 0:
			lines[0] = bot.Say(spaced(before.Equipment.Tiles, left), " left, which costs ", count(-f.Adjust[0], "point"), ".")
		}
		return telling{Sentence: joined(slices.DeleteFunc(lines, func(l bot.Text) bool { return len(l) == 0 }), "\n"), Caption: total}, true
	}
	return telling{}, false
}
