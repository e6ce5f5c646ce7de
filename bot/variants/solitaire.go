package variants

import (
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
			Help: bot.Lines(
				bot.Say("You play alone with all the tiles, for the best total. The game begins at once. Words are looked up as you play them. It ends when you have used every tile, when you say so with {end}, or after six turns without points in a row; tiles that are left count against you.", bot.Code("/end")),
				bot.Say("A turn: {play} scores 14, and you draw four tiles.", bot.Code("/play horn 8h"))),
			Tell: tellSolitaire,
		},
	}
}

func tellSolitaire(before game.State, f game.Fact) (table.Telling, bool) {
	switch f := f.(type) {
	case game.Started:
		return table.Telling{Sentence: bot.Say("The game begins: a table for one.")}, true
	case game.Dealt:
		who := bot.Called(before.Seats[f.First].Person)
		return table.Telling{Sentence: bot.Say("{who} draws {n, plural, one {# tile} other {# tiles}}.", who, len(f.Racks[f.First])), Caption: bot.Say("{who} plays alone", who)}, true
	case game.Agreed:
		return table.Telling{Sentence: bot.Say("{who} ends the game here.", bot.Name(before.Seats[f.Seat].Person))}, true
	case game.Ended:
		seat := before.Seats[0]
		total := bot.Say("{who}'s total is {score}", bot.Called(seat.Person), seat.Score+f.Adjust[0])
		lines := []bot.Text{nil, bot.Say("{total}.", bot.Strong(total)), words.SecretLine()}
		switch left := f.Racks[0]; {
		case f.Reason == game.WentOut:
			lines[0] = bot.Say("Every tile is on the board.")
		case f.Reason == game.ForsakenEnd || f.Reason == game.StoppedEnd:
			return table.Telling{Sentence: bot.Lines(bot.Say("The game is given up at {n, plural, one {# point} other {# points}}.", seat.Score), words.SecretLine()), Caption: bot.Say("Given up at {n, plural, one {# point} other {# points}}", seat.Score)}, true
		case f.Adjust[0] < 0:
			lines[0] = bot.Say("{tiles} left, which costs {n, plural, one {# point} other {# points}}.", words.Spaced(before.Equipment.Tiles, left), -f.Adjust[0])
		}
		return table.Telling{Sentence: bot.Lines(lines...), Caption: total}, true
	}
	return table.Telling{}, false
}
