package game

// solitaire returns the variant for one player, with the whole bag, for the best total (document 002,
// variations). Nobody is there to challenge, so words are looked up as they are
// played; and a lone player may end the game alone. Tiles that are left count
// against the total, as ever.
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
