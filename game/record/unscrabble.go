package record

import (
	"fmt"

	"github.com/rackmate/rackmate/game"
)

// liftedV1 stores squares column first, as "H8", and the tiles in the same order.
type liftedV1 struct {
	Seat    int      `json:"seat"`
	Squares []string `json:"squares"`
	Tiles   string   `json:"tiles"`
	Score   int      `json:"score"`
	Last    bool     `json:"last,omitempty"`
}

func storeLifted(w *notation, f game.Lifted) liftedV1 {
	s := liftedV1{Seat: f.Seat, Tiles: w.print(f.Tiles), Score: f.Score, Last: f.Last}
	for _, sq := range f.Squares {
		s.Squares = append(s.Squares, sq.String())
	}
	return s
}

func (s *liftedV1) fact(r *notation) game.Fact {
	f := game.Lifted{Seat: s.Seat, Tiles: r.read(s.Tiles), Score: s.Score, Last: s.Last}
	for _, text := range s.Squares {
		sq, dir, err := game.ParseAt(text)
		if err == nil && dir != game.Down {
			err = fmt.Errorf("%q isn't a square: write its column first", text)
		}
		r.fail(err)
		f.Squares = append(f.Squares, sq)
	}
	return f
}
