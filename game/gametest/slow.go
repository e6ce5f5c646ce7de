package gametest

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// SlowPlays returns a function that returns, as typed, the play of the player to move that uses the
// fewest tiles, so that a game is long: more than 60 moves with standard English tiles. It returns
// "" if there is no play.
func SlowPlays(t testing.TB, list *lexicon.Lexicon, rules game.Rules) func(game.State) (word, at string) {
	t.Helper()
	gen, err := movegen.New(list, Equipment(t), rules)
	if err != nil {
		t.Fatal(err)
	}
	return func(s game.State) (word, at string) {
		rack := s.RackOf(s.Turn)
		plays := gen.Plays(&s.Board, rack)
		if len(plays) == 0 {
			return "", ""
		}
		fewest := 0
		tiles := func(i int) int { return bits.OnesCount32(plays[i].Uses(rack)) }
		for i := range plays {
			if tiles(i) < tiles(fewest) {
				fewest = i
			}
		}
		m := plays[fewest].Move()
		var b strings.Builder
		square := m.At
		for i := range len(m.Tiles) {
			tile := m.Tiles.At(i)
			if tile == game.NoTile {
				tile = s.Board.Tile(square)
			} else if tile.IsBlank() {
				b.WriteString("?")
			}
			b.WriteString(s.Equipment.Tiles.Alphabet().Text(tile.Letter()))
			square = square.Step(m.Dir, 1)
		}
		return strings.ToLower(b.String()), strings.ToLower(m.At.At(m.Dir))
	}
}
