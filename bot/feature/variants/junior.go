package variants

import (
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
)

// Junior returns the feature of junior games, in which every tile scores one point.
func Junior() feature.Feature {
	return feature.Feature{Variant: &table.Variant{
		Name:  "junior",
		Label: text.Say("Junior: 13x13, no premium squares, a point for every letter of every word"),
		Help: text.Lines(
			text.Say("The ordinary game on a 13 by 13 board without premium squares. Every word that a play makes scores a point for each of its letters, blanks included. The first word covers G7, in the middle."),
			text.Say("A turn: {play} scores 4. Then {next} above it makes AH across, and AH and HO down: 6.", text.Code("/play horn 7g"), text.Code("/play ah 6g"))),
	}}
}
