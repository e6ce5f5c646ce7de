package movegen_test

import (
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// TestPlayOut checks that the same seed gives the same game, and that its board is a legal final
// position: connected valid words from available tiles, from which something can be removed.
func TestPlayOut(t *testing.T) {
	words, eq := shipped(t), gametest.Equipment(t)
	seen := map[game.Board]bool{}
	for n := range 4 {
		seed := game.NewSeed(game.Secret{byte(n)}, []string{"ann", "bob"})
		good := func(b *game.Board) bool { return game.Removal(*b, words, 6) != nil }
		b, err := movegen.PlayOut(words, eq, game.Classic(), seed, good)
		gametest.Must(t, err)
		again, _ := movegen.PlayOut(words, eq, game.Classic(), seed, good)
		if again != b || seen[b] {
			t.Errorf("seed %d: the board is another one the second time, or another seed's", n)
		}
		seen[b] = true
		if !game.IsConnected(&b, words) || b.Tile(eq.Layout.Start()) == game.NoTile {
			t.Errorf("seed %d: that is no board of words:\n%s", n, gametest.Picture(eq, b))
		}
		if left, ok := eq.Tiles.All().Minus(b.Tiles().Faces()); !ok || len(left) > 14 {
			t.Errorf("seed %d: %d tiles on the board", n, len(b.Tiles()))
		}
	}
}

// TestPlayOutWithoutGames checks that the board is empty if every game is rejected.
func TestPlayOutWithoutGames(t *testing.T) {
	b, err := movegen.PlayOut(shipped(t), gametest.Equipment(t), game.Classic(), game.Seed{}, func(*game.Board) bool { return false })
	if err != nil || !b.Empty() {
		t.Errorf("a board that nobody wanted (%v)", err)
	}
}
