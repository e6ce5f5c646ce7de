package game

// large returns the variant with a board of 21 squares a side and every tile twice, but otherwise
// ordinary rules.
func large() Variant {
	return Variant{
		Name:   "21x21",
		Layout: "large-21",
		Tiles: func(set *TileSet) (*TileSet, error) {
			return set.withKinds("doubled", func(k Kind) Kind { k.Count *= 2; return k })
		},
		Robots: true,
		GCG:    true,
	}
}

// withKinds returns a set with the same letters and changed tiles, under a name that says how.
func (s *TileSet) withKinds(how string, change func(Kind) Kind) (*TileSet, error) {
	kinds := s.Kinds()
	for i := range kinds {
		kinds[i] = change(kinds[i])
	}
	last := len(kinds) - 1
	set, err := NewTileSet(s.name+" "+how, kinds[:last], kinds[last])
	if err != nil {
		return nil, err
	}
	return set.WithFolding(s.alphabet.Folding()), nil
}
