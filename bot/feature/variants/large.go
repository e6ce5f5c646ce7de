package variants

import (
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
)

// Large returns the feature of games on the 21x21 board.
func Large() feature.Feature {
	return feature.Feature{Variant: &table.Variant{
		Name:  "21x21",
		Label: text.Say("21x21: a larger board with every tile twice"),
		Help: text.Lines(
			text.Say("The ordinary game on a 21 by 21 board, with 200 tiles. The first word covers K11, in the middle."),
			text.Say("A turn: {play} reads across from row 11, column K; the start doubles it.", text.Code("/play horn 11k"))),
	}}
}
