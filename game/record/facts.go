package record

import (
	"fmt"

	"github.com/rackmate/rackmate/game"
)

// A factCodec is how a variant's fact is stored.
type factCodec struct {
	kind string
	// store makes the stored form, or gives nil for other facts.
	store  func(*notation, game.Fact) any
	stored func() stored
}

// codecOf makes a codec of a fact and its stored form.
func codecOf[F game.Fact, S any, P interface {
	*S
	stored
}](kind string, store func(*notation, F) S) factCodec {
	return factCodec{
		kind: kind,
		store: func(w *notation, f game.Fact) any {
			if f, ok := f.(F); ok {
				return store(w, f)
			}
			return nil
		},
		stored: func() stored { return P(new(S)) },
	}
}

// facts are the facts that variants of the game have beside the common ones.
// Each is registered here, and stands with its stored form in a file of its
// variant.
func facts() []factCodec {
	return []factCodec{
		codecOf("parted", storeParted), codecOf("preferred", storePreferred),
		codecOf("set-up", storeSetUp),
		codecOf("rack-drawn", storeRackDrawn),
		codecOf("turn-opened", storeTurnOpened),
		codecOf("submitted", storeSubmitted),
		codecOf("turn-scored", storeTurnScored),
		codecOf("lifted", storeLifted),
	}
}

// setUpV1: boards are rows of tiles, the empty rows at the end left out.
type setUpV1 struct {
	Board   []string `json:"board,omitempty"`
	Printed []string `json:"printed,omitempty"`
	Aside   bool     `json:"aside,omitempty"`
	Fitted  bool     `json:"fitted,omitempty"`
}

func storeSetUp(w *notation, f game.SetUp) setUpV1 {
	return setUpV1{w.board(&f.Board), w.board(&f.Printed), f.Aside, f.Fitted}
}

func (s *setUpV1) fact(r *notation) game.Fact {
	return game.SetUp{Board: r.readBoard(s.Board), Printed: r.readBoard(s.Printed), Aside: s.Aside, Fitted: s.Fitted}
}

// board writes each row up to its last tile.
func (n *notation) board(b *game.Board) []string {
	var rows []string
	var last int
	for row := range game.MaxSize {
		var tiles []game.Tile
		end := 0
		for col := range game.MaxSize {
			t := b.Tile(game.Square{Row: row, Col: col})
			if tiles = append(tiles, t); t != game.NoTile {
				end, last = col+1, row+1
			}
		}
		rows = append(rows, n.print(game.TilesOf(tiles[:end]...)))
	}
	return rows[:last]
}

func (n *notation) readBoard(rows []string) game.Board {
	var b game.Board
	for row, text := range rows {
		tiles := n.read(text)
		if row >= game.MaxSize || len(tiles) > game.MaxSize {
			n.fail(fmt.Errorf("a board has %d squares a side at most", game.MaxSize))
			return b
		}
		for col := range len(tiles) {
			b.Put(game.Square{Row: row, Col: col}, tiles.At(col))
		}
	}
	return b
}
