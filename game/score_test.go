package game_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestTally lists boards, plays, and the words formed with their scores, computed by hand from
// values and premium squares.
func TestTally(t *testing.T) {
	const horn = ` 8 .......HORN`
	for _, c := range []struct {
		name, board, play string
		words             string
		total             int
	}{
		{"the start doubles the first word (000 scoring 3)",
			"", "8H HORN", "HORN 14", 14},
		{"a double letter, then the doubled word (000 scoring 3)",
			"", "8D HORNS", "HORNS 24", 24}, // (2x4+1+1+1+1)x2
		{"premiums count once (000 scoring 5)",
			horn, "8H ....S", "HORNS 9", 9}, // S on a double letter; H's premium is used up
		{"a triple letter, down (document 003)",
			horn, "J6 FA.M", "FARM 17", 17},
		{"a blank scores nothing on a double letter (000 scoring 1)",
			"", "8D hORNS", "HORNS 8", 8},
		{"but doubles the word on the start (000 scoring 6)",
			"", "8H hORN", "HORN 6", 6},
		{"a blank on the board scores nothing later",
			` 8 .......hORN`, "8H ....S", "HORNS 5", 5},
		{"a premium counts in both words (000 scoring 7)",
			horn, "L8 SO", "SO 3 HORNS 9", 12}, // S doubled in both
		{"a parallel word: every cross word is scored (000 scoring 4)",
			horn, "9H OE", "OE 3 HO 5 OE 3", 11}, // I9 doubles the letter
		{"a doubled word in the cross word only where the new tile lies",
			` 4 .........B
 5 .........O
`, "6H LAB", "LAB 11 BOB 13", 24},
		{"two doubled words: four times (000 scoring 3)",
			`
 8 ....E..HORN
 9 ....E
10 ....L
`, "E5 STE...S", "STEEELS 28", 28},
		{"two tripled words: nine times (000 scoring 3)",
			`
 4 A
 5 I
 6 N
 7 ET
`, "A1 STR....S", "STRAINES 72", 72},
		{"fifty for seven tiles, after multiplying (000 scoring 8)",
			"", "8H RETAINS", "RETAINS 16", 66}, // (7+1)x2, L8 doubles the I
		{"seven tiles with a blank, and one through",
			horn, "H2 STRANG.s", "STRANGHS 12", 62},
		{"six tiles: no bonus",
			"", "8H RETAIN", "RETAIN 14", 14},
		{"one tile at the joint of two words: the main word first",
			`
 7 .......A
 8 ......A
`, "8G .B", "AB 8 AB 8", 16}, // the star was free
		{"two words joined in one",
			` 8 ...AB.ORE`, "8D ..H...", "ABHORE 11", 11},
		{"down, through tiles at both ends",
			`
 8 .......H
10 .......R
`, "H8 .O.", "HOR 6", 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			eq := gametest.Equipment(t)
			board := gametest.Board(t, eq, c.board)
			before := board
			m := gametest.Move(t, eq, c.play)
			got, err := game.Classic().Tally(eq, &board, m)
			if err != nil {
				t.Fatal(err, gametest.Picture(eq, board))
			}
			var words []string
			sum := 0
			for _, w := range got.Words {
				words = append(words, fmt.Sprintf("%s %d", strings.ToUpper(eq.Tiles.Print(w.Tiles)), w.Score))
				sum += w.Score
			}
			if list := strings.Join(words, " "); list != c.words || got.Total != c.total {
				t.Errorf("%s forms %s, %d points; want %s, %d", c.play, list, got.Total, c.words, c.total)
			}
			if got.Total != sum+got.Bonus {
				t.Errorf("%d is not %d and the bonus of %d", got.Total, sum, got.Bonus)
			}
			if w := got.Words[0]; w.At != m.At || w.Dir != m.Dir || len(w.Tiles) != len(m.Tiles) {
				t.Errorf("the main word is not the first: %+v", w)
			}
			if board != before {
				t.Error("the tiles were laid")
			}
			// The words match the tiles on the board after the play.
			board.Lay(m)
			for _, w := range got.Words {
				for i := range len(w.Tiles) {
					if board.Tile(w.At.Step(w.Dir, i)) != w.Tiles.At(i) {
						t.Errorf("%s is not at %s", eq.Tiles.Print(w.Tiles), w.At.At(w.Dir))
					}
				}
			}
			board.Lift(m)
			if board != before {
				t.Error("the tiles were not taken up as they were laid")
			}
		})
	}
}

// TestTallyRefuses checks that the error about each play says what is wrong and where (000 play 1,
// 3 and 4).
func TestTallyRefuses(t *testing.T) {
	const horn = ` 8 .......HORN`
	for _, c := range []struct {
		name, board, play string
		code              game.Code
		square, there     string
	}{
		{"the first play beside the start", "", "8I HORN", game.MissesStart, "H8", ""},
		{"the first play above it", "", "H3 HORN", game.MissesStart, "H8", ""},
		{"one letter", "", "8H A", game.TooShort, "", ""},
		{"one letter, where it does make a word at right angles", horn, "7H O", game.TooShort, "", ""},
		{"far from the others (000 play 3)", horn, "1A AE", game.NotJoined, "", ""},
		{"corner to corner with the others", horn, "7L AE", game.NotJoined, "", ""},
		{"a letter is missing from the word's end", horn, "8L SO", game.NotWhole, "K8", "N"},
		{"and from its head", horn, "8D AFT.", game.Gap, "G8", ""},
		{"a tile follows the word", horn, "8F AS", game.NotWhole, "H8", "H"},
		{"a tile stands above the word", horn, "H9 OE", game.NotWhole, "H8", "H"},
		{"on a tile", horn, "8H AORN", game.Occupied, "H8", "H"},
		{"on the same tile", horn, "8H HORNS", game.Occupied, "H8", "H"},
		{"through an empty square", horn, "J7 A.S.", game.Gap, "J10", ""},
		{"no new tile", horn, "8H ....", game.NoTiles, "", ""},
		{"over the right edge", "", "8L HORNS", game.OffBoard, "", ""},
		{"over the foot", "", "H12 HORNS", game.OffBoard, "", ""},
		{"a blank without a letter", "", "8H HO?N", game.BlankUnnamed, "J8", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			eq := gametest.Equipment(t)
			board := gametest.Board(t, eq, c.board)
			m := gametest.Move(t, eq, c.play)
			_, err := game.Classic().Tally(eq, &board, m)
			e := ruleError(t, err)
			if e.Code != c.code || e.Move != m {
				t.Fatalf("%s: %v for %s, want %v", c.play, e, e.Move.Text(eq.Tiles), c.code)
			}
			if c.square != "" && e.Square.String() != c.square || c.there != "" && eq.Tiles.Text(e.There) != c.there {
				t.Errorf("%s: %s, where %s lies; want %s, %s", c.play, e.Square, eq.Tiles.Text(e.There), c.square, c.there)
			}
		})
	}
}

// TestTallyOtherBoards checks that size, start and premiums come from the layout.
func TestTallyOtherBoards(t *testing.T) {
	eq := gametest.Equipment(t)
	for _, c := range []struct {
		name, layout, play string
		total              int
	}{
		{"a start without premium", "...\n.+.\n...", "2A CAT", 5},
		{"a start in a corner", "*..\n...\n...", "1A CAT", 10},
		{"all tripled", "TTT\n+..\n...", "A1 CAT", 15},
		{"nine times", "T.T\n+..\n...", "A1 CAT", 15},
		{"each letter tripled, then doubled", "t..\n*..\nt..", "A1 CAT", 2 * (9 + 1 + 3)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			if eq.Layout, err = game.ParseLayout(c.name, c.layout); err != nil {
				t.Fatal(err)
			}
			var board game.Board
			got, err := game.Classic().Tally(eq, &board, gametest.Move(t, eq, c.play))
			if err != nil || got.Total != c.total {
				t.Errorf("%d, %v; want %d", got.Total, err, c.total)
			}
		})
	}
	t.Run("the largest board, to its last square", func(t *testing.T) {
		rows := slices.Repeat([]string{strings.Repeat(".", game.MaxSize)}, game.MaxSize)
		rows[game.MaxSize-1] = strings.Repeat(".", game.MaxSize-1) + "*"
		var err error
		if eq.Layout, err = game.ParseLayout("largest", strings.Join(rows, "\n")); err != nil {
			t.Fatal(err)
		}
		var board game.Board
		m := gametest.Move(t, eq, "21S CAT")
		got, err := game.Classic().Tally(eq, &board, m)
		if err != nil || got.Total != 10 {
			t.Errorf("%d, %v; want 10", got.Total, err)
		}
		board.Lay(m)
		if got, err = game.Classic().Tally(eq, &board, gametest.Move(t, eq, "U19 AT.")); err != nil || got.Total != 3 {
			t.Errorf("%d, %v; want 3", got.Total, err)
		}
	})
}

// TestBonus checks that the bonus comes from the rule set: 50 for 7 tiles in all documents.
func TestBonus(t *testing.T) {
	eq := gametest.Equipment(t)
	var board game.Board
	for _, c := range []struct {
		bonus, tiles int
		play         string
		want         int
	}{
		{50, 7, "8H RETAINS", 50},
		{50, 7, "8H RETAIN", 0},
		{50, 7, "8A RETAINERS", 50},
		{35, 6, "8H RETAIN", 35},
		{50, 0, "8H RETAINS", 0},
	} {
		r := game.Classic()
		r.Bonus, r.BonusTiles = c.bonus, c.tiles
		got, err := r.Tally(eq, &board, gametest.Move(t, eq, c.play))
		if err != nil || got.Bonus != c.want {
			t.Errorf("%s: a bonus of %d, %v; want %d", c.play, got.Bonus, err, c.want)
		}
	}
}
