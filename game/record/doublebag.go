package record

import "github.com/rackmate/rackmate/game"

type (
	partedV1 struct {
		Vowels string `json:"vowels"`
	}
	preferredV1 struct {
		Seat   int `json:"seat"`
		Vowels int `json:"vowels"`
	}
)

func storeParted(w *notation, f game.BagSplit) partedV1 { return partedV1{w.print(f.Vowels)} }

func (s *partedV1) fact(r *notation) game.Fact { return game.BagSplit{Vowels: r.read(s.Vowels)} }

func storePreferred(_ *notation, f game.Preferred) preferredV1 { return preferredV1(f) }

func (s *preferredV1) fact(*notation) game.Fact { return game.Preferred(*s) }
