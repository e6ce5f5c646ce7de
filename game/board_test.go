package game_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestParseAt(t *testing.T) {
	for _, c := range []struct {
		text string
		sq   game.Square
		dir  game.Dir
		want string
	}{
		{"8H", game.Square{Row: 7, Col: 7}, game.Across, "8H"},
		{"H8", game.Square{Row: 7, Col: 7}, game.Down, "H8"},
		{" h8 ", game.Square{Row: 7, Col: 7}, game.Down, "H8"},
		{"15o", game.Square{Row: 14, Col: 14}, game.Across, "15O"},
		{"A1", game.Square{}, game.Down, "A1"},
		{"21U", game.Square{Row: 20, Col: 20}, game.Across, "21U"},
	} {
		sq, dir, err := game.ParseAt(c.text)
		if err != nil || sq != c.sq || dir != c.dir || sq.At(dir) != c.want {
			t.Errorf("%q: %s %s, %v", c.text, sq, dir, err)
		}
	}
	for _, bad := range []string{"", "8", "H", "0H", "H0", "08H", "H08", "22A", "A22", "V1", "1V", "-1H", "H-1", "+8H", "H+8", "8HH", "HH8", "8H8", "H8H", "８H", "8 H", "8é", "é8", "99999999999999999999H", "H\x00", "\xff8"} {
		if sq, dir, err := game.ParseAt(bad); err == nil {
			t.Errorf("%q is read as %s", bad, sq.At(dir))
		}
	}
}

func TestStandardLayout(t *testing.T) {
	l := gametest.Equipment(t).Layout
	count := map[game.Premium]int{}
	for row := range 15 {
		for col := range 15 {
			p := l.Premium(game.Square{Row: row, Col: col})
			count[p]++
			for _, mirror := range []game.Square{{Row: col, Col: row}, {Row: 14 - row, Col: col}, {Row: row, Col: 14 - col}} {
				if l.Premium(mirror) != p {
					t.Errorf("%s and %s differ", game.Square{Row: row, Col: col}, mirror)
				}
			}
		}
	}
	// Document 000, playing equipment.
	for p, want := range map[game.Premium]int{game.Plain: 164, game.DoubleLetter: 24, game.TripleLetter: 12, game.DoubleWord: 17, game.TripleWord: 8} {
		if count[p] != want {
			t.Errorf("%d squares of premium %d, want %d", count[p], p, want)
		}
	}
	if l.Size() != 15 || l.Start().String() != "H8" {
		t.Errorf("size %d, start %s", l.Size(), l.Start())
	}
	for sq, on := range map[game.Square]bool{{}: true, {Row: 14, Col: 14}: true, {Row: 15}: false, {Col: 15}: false, {Row: -1}: false, {Col: -1}: false} {
		if l.On(sq) != on {
			t.Errorf("On(%v) is %v", sq, !on)
		}
	}
}

func TestParseLayout(t *testing.T) {
	for _, c := range []struct{ name, text, err string }{
		{"the least", "*.\n..", ""},
		{"CRLF and a blank line after", "*.\r\n..\r\n\r\n", ""},
		{"one row", "*", "1 rows"},
		{"nothing", "", "1 rows"},
		{"too many rows", strings.Repeat(strings.Repeat(".", 22)+"\n", 22), "22 rows"},
		{"not square", "*..\n...", "row 1"},
		{"ragged", "*..\n..\n...", "row 2"},
		{"an unknown square", "*..\n.x.\n...", "row 2"},
		{"no start", "...\n...\n...", "0 start"},
		{"two starts", "*..\n...\n..+", "2 start"},
	} {
		l, err := game.ParseLayout(c.name, c.text)
		if c.err == "" && (err != nil || l.Size() != 2 || l.Start() != game.Square{}) {
			t.Errorf("%s: %v, %v", c.name, l, err)
		}
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %v, want one that says %q", c.name, err, c.err)
		}
	}
}

func TestBoard(t *testing.T) {
	var b game.Board
	if !b.Empty() || b.Tiles() != "" {
		t.Error("the zero board is not empty")
	}
	eq := gametest.Equipment(t)
	b = gametest.Board(t, eq, "\n 1 ..B\n 8 .......HoRN\n")
	if b.Empty() || b.Tiles() != gametest.Tiles(t, eq, "BHoRN") {
		t.Errorf("on the board lie %s", eq.Tiles.Print(b.Tiles()))
	}
	for _, off := range []game.Square{{Row: -1}, {Col: -1}, {Row: game.MaxSize}, {Col: game.MaxSize}, {Row: 1 << 60, Col: 1 << 60}} {
		if b.Tile(off) != game.NoTile {
			t.Errorf("%v has a tile", off)
		}
	}
}
