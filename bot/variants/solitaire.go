package variants

import (
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Solitaire is told as the game of one player: there is a total, and no winner.
func Solitaire() host.Feature {
	return host.Feature{
		Variant: &table.Variant{
			Name:  "solitaire",
			Label: bot.Say("Solitaire: you alone, with all the tiles, for the best total"),
			Help: bot.Glue("You play alone with all the tiles, for the best total. The game begins at once. Words are looked up as you play them. ",
				"It ends when you have used every tile, when you say so with ", bot.Code("/end"), ", or after six turns without points in a row; tiles that are left count against you.\n",
				"A turn: ", bot.Code("/play horn 8h"), " scores 14, and you draw four tiles."),
			Tell: tellSolitaire,
		},
	}
}

func tellSolitaire(before game.State, f game.Fact) (table.Telling, bool) {
	switch f := f.(type) {
	case game.Started:
		return table.Telling{Sentence: bot.Glue("The game begins: a table for one.")}, true
	case game.Dealt:
		who := before.Seats[f.First].Person.Name
		return table.Telling{Sentence: bot.Glue(who, " draws ", words.Count(len(f.Racks[f.First]), "tile"), "."), Caption: who + " plays alone"}, true
	case game.Agreed:
		return table.Telling{Sentence: bot.Glue(bot.Name(before.Seats[f.Seat].Person), " ends the game here.")}, true
	case game.Ended:
		seat := before.Seats[0]
		total := fmt.Sprintf("%s's total is %d", seat.Person.Name, seat.Score+f.Adjust[0])
		lines := []bot.Text{nil, bot.Glue(bot.Strong(total), "."), words.SecretLine()}
		switch left := f.Racks[0]; {
		case f.Reason == game.WentOut:
			lines[0] = bot.Glue("Every tile is on the board.")
		case f.Reason == game.ForsakenEnd || f.Reason == game.StoppedEnd:
			return table.Telling{Sentence: bot.Glue("The game is given up at ", words.Count(seat.Score, "point"), ".\n", words.SecretLine()), Caption: "Given up at " + words.Count(seat.Score, "point")}, true
		case f.Adjust[0] < 0:
			lines[0] = bot.Glue(words.Spaced(before.Equipment.Tiles, left), " left, which costs ", words.Count(-f.Adjust[0], "point"), ".")
		}
		return table.Telling{Sentence: words.Joined(slices.DeleteFunc(lines, func(l bot.Text) bool { return len(l) == 0 }), "\n"), Caption: total}, true
	}
	return table.Telling{}, false
}
