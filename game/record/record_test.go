package record_test

import (
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// spanish returns a tiny set in which LL is a tile besides L, on a board of 5 by 5.
func spanish(tb testing.TB) game.Equipment {
	tb.Helper()
	l, err := game.ParseLayout("five", ".....\n.....\n..+..\n.....\n.....")
	gametest.Must(tb, err)
	set, err := game.ParseTileSet("little-spanish", "A\t9\t1\tv\nL\t4\t1\nLL\t1\t8\nO\t8\t1\tv\n?\t2\t0")
	gametest.Must(tb, err)
	return game.Equipment{Layout: l, Tiles: set}
}
