package game

// solitaire returns the variant for one player with the whole bag, who tries for the highest total
// (document 002, variations). No one can challenge, so words are checked when played, and the
// player may end the game alone. Tiles left count against the total as usual.
func solitaire() Variant {
	return Variant{
		Name: "solitaire",
		GCG:  true,
		Rules: func(r Rules) Rules {
			r.MinPlayers, r.MaxPlayers, r.Games = 1, 1, 0
			r.Order = Drawn
			r.Challenge = Void
			r.Agreement = true
			r.Unrated = true
			return r
		},
	}
}
