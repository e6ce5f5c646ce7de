package game

// junior returns the variant with a smaller board and simpler scoring (document 002, variations): 13
// squares a side without premiums, and a point for every letter of every word that a play forms. So
// every tile is worth one, blanks too, and there is no bonus.
func junior() Variant {
	return Variant{
		Name:   "junior",
		Layout: "junior-13",
		Rules: func(r Rules) Rules {
			r.Bonus, r.BonusTiles = 0, 0
			return r
		},
		Tiles:  func(set *TileSet) (*TileSet, error) { return set.withKinds("junior", ofOnePoint) },
		Robots: true,
		GCG:    true,
	}
}

// ofOnePoint returns a tile kind with a value of one.
func ofOnePoint(k Kind) Kind { k.Value = 1; return k }
