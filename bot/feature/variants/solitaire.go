package variants

import (
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Solitaire returns the feature of games for one player, which have a total and no winner.
func Solitaire() feature.Feature {
	return feature.Feature{Variant: &table.Variant{
		Name:  "solitaire",
		Label: text.Say("Solitaire: just you, with all the tiles, for the best total"),
		Help: text.Lines(
			text.Say("You play alone with all the tiles, for the best total. The game starts at once. Words are looked up as you play them. It ends when you've used every tile, when you stop with {end}, or after six scoreless turns in a row; leftover tiles count against you.", text.Code("/end")),
			text.Say("A turn: {play} scores 14, and you draw four tiles.", text.Code("/play horn 8h"))),
		Tell: tellSolitaire,
	}}
}

func tellSolitaire(before game.State, f game.Fact) (table.Telling, bool) {
	switch f := f.(type) {
	case game.Started:
		return table.Telling{Sentence: text.Say("The game begins: a table for one.")}, true
	case game.Dealt:
		who := text.PlainName(before.Seats[f.First].Person)
		return table.Telling{Sentence: text.Say("{who} draws {n, plural, one {# tile} other {# tiles}}.", who, len(f.Racks[f.First])), Caption: text.Say("{who} plays alone", who)}, true
	case game.Agreed:
		return table.Telling{Sentence: text.Say("{who} ends the game here.", text.Name(before.Seats[f.Seat].Person))}, true
	case game.Ended:
		seat := before.Seats[0]
		total := text.Say("{who}'s total is {score}", text.PlainName(seat.Person), seat.Score+f.Adjust[0])
		lines := []text.Text{nil, text.Say("{total}.", text.Strong(total))}
		switch left := f.Racks[0]; {
		case f.Reason == game.WentOut:
			lines[0] = text.Say("Every tile is on the board.")
		case f.Reason == game.AbandonedEnd || f.Reason == game.StoppedEnd:
			return table.Telling{Sentence: text.Say("The game is given up at {n, plural, one {# point} other {# points}}.", seat.Score), Caption: text.Say("Given up at {n, plural, one {# point} other {# points}}", seat.Score)}, true
		case f.Adjust[0] < 0:
			lines[0] = text.Say("{tiles} left, which costs {n, plural, one {# point} other {# points}}.", words.SpacedTiles(before.Equipment.Tiles, left), -f.Adjust[0])
		}
		return table.Telling{Sentence: text.Lines(lines...), Caption: total}, true
	}
	return table.Telling{}, false
}
