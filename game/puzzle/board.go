package puzzle

import (
	"iter"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// wordsOn returns the words of two or more letters on a board, across and down.
func wordsOn(b *game.Board, size int) iter.Seq[lexicon.Word] {
	return func(yield func(lexicon.Word) bool) {
		for _, across := range []bool{true, false} {
			for i := range size {
				var word []byte
				for j := range size + 1 {
					t := game.NoTile
					switch {
					case j == size:
					case across:
						t = b.Tile(game.Square{Row: i, Col: j})
					default:
						t = b.Tile(game.Square{Row: j, Col: i})
					}
					if t != game.NoTile {
						word = append(word, byte(t.Letter()))
						continue
					}
					if len(word) >= lexicon.MinWord && !yield(lexicon.Word(word)) {
						return
					}
					word = nil
				}
			}
		}
	}
}
