package record

import "github.com/rackmate/rackmate/game"

// setUpV1 stores boards as rows of tiles without the empty rows at the end.
type setUpV1 struct {
	Board   []string `json:"board,omitempty"`
	Printed []string `json:"printed,omitempty"`
	Aside   bool     `json:"aside,omitempty"`
	Fitted  bool     `json:"fitted,omitempty"`
}

func storeSetUp(w *notation, f game.SetUp) setUpV1 {
	return setUpV1{w.boardRows(&f.Board), w.boardRows(&f.Printed), f.Aside, f.Fitted}
}

func (s *setUpV1) fact(r *notation) game.Fact {
	return game.SetUp{Board: r.readBoard(s.Board), Printed: r.readBoard(s.Printed), Aside: s.Aside, Fitted: s.Fitted}
}
