package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rackmate/rackmate/game"
)

// english is the equipment of nearly every game: the standard board, the
// English tiles.
func english(tb testing.TB) game.Equipment { return equipment(tb, "standard-15", "english") }

func equipment(tb testing.TB, layout, tiles string) game.Equipment {
	tb.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", "data", filepath.FromSlash(name)))
		if err != nil {
			tb.Fatal(err)
		}
		return string(text)
	}
	l, err := game.ParseLayout(layout, read("layouts/"+layout+".txt"))
	if err != nil {
		tb.Fatal(err)
	}
	set, err := game.ParseTileSet(tiles, read("tilesets/"+tiles+".tsv"))
	if err != nil {
		tb.Fatal(err)
	}
	return game.Equipment{Layout: l, Tiles: set}
}

// spanish is a tiny set in which LL is a tile beside L, on a board of 5 by 5.
func spanish(tb testing.TB) game.Equipment {
	tb.Helper()
	l, err := game.ParseLayout("five", ".....\n.....\n..+..\n.....\n.....")
	if err != nil {
		tb.Fatal(err)
	}
	set, err := game.ParseTileSet("little-spanish", "A\t9\t1\tv\nL\t4\t1\nLL\t1\t8\nO\t8\t1\tv\n?\t2\t0")
	if err != nil {
		tb.Fatal(err)
	}
	return game.Equipment{Layout: l, Tiles: set}
}
