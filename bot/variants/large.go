package variants

import (
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
)

// Large needs no words beyond its label: it is ordinary play on more squares.
func Large() host.Feature {
	return host.Feature{
		Variant: &table.Variant{
			Name:  "21x21",
			Label: bot.Say("21x21: a larger board with every tile twice"),
			Help: bot.Lines(
				bot.Say("The ordinary game on a board of 21 by 21 squares, with 200 tiles. The first word covers K11, in the middle."),
				bot.Say("A turn: {play} reads across from row 11, column K; the start doubles it.", bot.Code("/play horn 11k"))),
		},
	}
}
