package host

import "github.com/rackmate/rackmate/bot"

// large needs no words beyond its label: it is ordinary play on more squares.
func large() Feature {
	return Feature{
		Variant: &variant{
			name:  "21x21",
			label: "21x21: a larger board with every tile twice",
			help: bot.Say("The ordinary game on a board of 21 by 21 squares, with 200 tiles. The first word covers K11, in the middle.\n"+
				"A turn: ", bot.Code("/play horn 11k"), " reads across from row 11, column K; the start doubles it."),
		},
	}
}
