package game_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// spanish is a small tile set with the difficult cases of two-character tiles.
const spanish = "A\t4\t1\tv\nC\t2\t3\nCH\t1\t5\nH\t2\t4\nL\t2\t1\nLL\t1\t8\nO\t4\t1\tv\n?\t2\t0\n"

func TestEnglishSet(t *testing.T) {
	s := gametest.Equipment(t).Tiles
	all := s.All()
	if len(all) != 100 || all != all.Sorted() || all.Count(game.Blank) != 2 {
		t.Errorf("%d tiles, %d blanks", len(all), all.Count(game.Blank))
	}
	if got := s.Sum(all); got != 187 {
		t.Errorf("all the tiles are worth %d points, want 187", got)
	}
	// Document 000, table 1.
	counts := map[string][2]int{
		"A": {9, 1}, "B": {2, 3}, "C": {2, 3}, "D": {4, 2}, "E": {12, 1}, "F": {2, 4}, "G": {3, 2}, "H": {2, 4}, "I": {9, 1},
		"J": {1, 8}, "K": {1, 5}, "L": {4, 1}, "M": {2, 3}, "N": {6, 1}, "O": {8, 1}, "P": {2, 3}, "Q": {1, 10}, "R": {6, 1},
		"S": {4, 1}, "T": {6, 1}, "U": {4, 1}, "V": {2, 4}, "W": {2, 4}, "X": {1, 8}, "Y": {2, 4}, "Z": {1, 10}, "?": {2, 0},
	}
	for _, k := range s.Kinds() {
		if want := counts[k.Text]; k.Count != want[0] || k.Value != want[1] || k.Vowel != strings.Contains("AEIOU", k.Text) {
			t.Errorf("%+v, want %v", k, want)
		}
		delete(counts, k.Text)
	}
	if len(counts) > 0 {
		t.Errorf("not there: %v", counts)
	}
}

func TestParseTileSet(t *testing.T) {
	for _, c := range []struct{ name, text, err string }{
		{"comments, an empty line, CRLF, no blank", "# c\r\n\r\nA\t1\t1\tv\r\nB\t2\t3\r\n", ""},
		{"tiles of two characters", spanish, ""},
		{"nothing", "", "no tiles"},
		{"no tiles", "A\t0\t1\n", "no tiles"},
		{"too few fields", "A\t1\t1\nB\t1\n", "line 2"},
		{"too many", "A\t1\t1\tv\tx\n", "line 1"},
		{"an unknown mark", "A\t1\t1\tx\n", "line 1"},
		{"the line is counted from the top", "\n\n# c\nA\tone\t1\n", "line 4"},
		{"junk after a number", "A\t1\t1x\n", "line 1"},
		{"two numbers in a field", "A\t1 2\t3\n", "line 1"},
		{"two blanks", "A\t1\t1\n?\t1\t0\n?\t1\t0\n", "line 3"},
		{"a letter twice", "A\t1\t1\na\t1\t1\n", "duplicate"},
		{"fewer than none", "A\t-1\t1\n", "impossible"},
		{"ever so many", "A\t100000\t1\n", "impossible"},
		{"a letter that can't be typed", "A\t1\t1\n(\t1\t1\n", "letter 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := game.ParseTileSet("test", c.text)
			if c.err == "" && err != nil {
				t.Fatal(err)
			}
			if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Fatalf("%v, want one that says %q", err, c.err)
			}
			if err == nil && len(s.All()) == 0 {
				t.Error("no tiles")
			}
		})
	}
}

func TestTiles(t *testing.T) {
	eq := gametest.Equipment(t)
	ts := gametest.Tiles(t, eq, "QU.iZ?")
	if got := ts.Faces(); got != gametest.Tiles(t, eq, "QU?Z?") {
		t.Errorf("the faces are %s", eq.Tiles.Print(got))
	}
	if got := ts.Faces().Sorted(); got != gametest.Tiles(t, eq, "QUZ??") {
		t.Errorf("sorted: %s", eq.Tiles.Print(got))
	}
	if got := eq.Tiles.Sum(ts); got != 21 {
		t.Errorf("Q, U and Z are worth %d, and the rest nothing", got)
	}
	rack := gametest.Tiles(t, eq, "AABC")
	if left, ok := rack.Minus(gametest.Tiles(t, eq, "CA")); !ok || left != gametest.Tiles(t, eq, "AB") {
		t.Errorf("AABC without CA is %s", eq.Tiles.Print(left))
	}
	if left, ok := rack.Minus(gametest.Tiles(t, eq, "AAA")); ok || left != rack {
		t.Errorf("AABC without AAA is %s", eq.Tiles.Print(left))
	}
	i := game.BlankAs(9)
	if !i.IsBlank() || i.Letter() != 9 || i.Face() != game.Blank || game.LetterTile(9).Face() != game.LetterTile(9) || game.Blank.Letter() != 0 {
		t.Error("a blank played as I is not what it should be")
	}
	for tile, want := range map[game.Tile]bool{game.NoTile: false, 1: true, 26: true, 27: false, 99: false, game.Blank: true, game.BlankAs(26): true, game.BlankAs(27): false} {
		if eq.Tiles.Has(tile) != want {
			t.Errorf("Has(%d) is %v", tile, !want)
		}
		if got := eq.Tiles.Value(tile); !want && got != 0 {
			t.Errorf("tile %d, which isn't there, is worth %d", tile, got)
		}
	}
}

// TestPrintTiles checks that printed tiles parse to the same, even if a tile prints as several
// characters, or two tiles look like another.
func TestPrintTiles(t *testing.T) {
	es, err := game.ParseTileSet("spanish", spanish)
	gametest.Must(t, err)
	const c, ch, h, l, ll, o = 2, 3, 4, 5, 6, 7
	for _, test := range []struct {
		tiles game.Tiles
		want  string
	}{
		{"", ""},
		{game.TilesOf(ch, o), "[CH]O"},
		{game.TilesOf(c, h), "[C]H"},
		{game.TilesOf(l, o, l), "LOL"},
		{game.TilesOf(l, l), "[L]L"},
		{game.TilesOf(l, l, l), "L[L]L"},
		{game.TilesOf(l, ll), "L[LL]"},
		{game.TilesOf(ll, l), "[LL]L"},
		{game.TilesOf(game.BlankAs(ll), game.BlankAs(l), l), "[ll][l]L"},
		{game.TilesOf(l, game.NoTile, l, game.Blank), "L.L?"},
	} {
		got := es.Print(test.tiles)
		if got != test.want {
			t.Errorf("%q prints as %s, want %s", test.tiles, got, test.want)
		}
		if back, err := es.Parse(got); err != nil || back != test.tiles {
			t.Errorf("%s reads as %q, %v; want %q", got, back, err, test.tiles)
		}
	}
	for _, bad := range []string{"Ñ", "A1", "[", "[]", "[LLL]", "A\xff"} {
		if ts, err := es.Parse(bad); err == nil {
			t.Errorf("%q reads as %q", bad, ts)
		}
	}
}

// TestSpellingInSpanish checks that digraphs are read as one tile unless brackets separate them.
func TestSpellingInSpanish(t *testing.T) {
	es, err := game.ParseTileSet("spanish", spanish)
	gametest.Must(t, err)
	eq := game.Equipment{Layout: gametest.Equipment(t).Layout, Tiles: es}
	for _, c := range []struct{ rack, typed, want string }{
		{"[CH]OLLAA", "CHOLLA", "8H [CH]O[LL]A"},
		{"[C]HOLLAA", "cholla", ""}, // a C and an H aren't a CH
		{"[C]HO[L]LA", "[c][h]o[l][l]a", "8H [C]HO[L]LA"},
		{"?O[LL]A", "CHOLLA", "8H [ch]O[LL]A"},
		{"[CH]O?A", "CHO?LLA", "8H [CH]O[ll]A"},
	} {
		var board game.Board
		rack, err := es.Parse(c.rack)
		gametest.Must(t, err)
		m, err := game.Place(eq, &board, rack, game.Square{Row: 7, Col: 7}, game.Across, spelled(t, eq, c.typed))
		if c.want == "" {
			if e := ruleError(t, err); e.Code != game.NotOnRack || es.Text(e.Tile) != "CH" {
				t.Errorf("%s from %s: %v, %s", c.typed, c.rack, e, es.Text(e.Tile))
			}
			continue
		}
		if err != nil || m.Text(es) != c.want {
			t.Errorf("%s from %s: %s, %v; want %s", c.typed, c.rack, m.Text(es), err, c.want)
		}
	}
}
