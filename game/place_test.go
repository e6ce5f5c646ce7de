package game_test

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// spelled parses a typed word.
func spelled(t *testing.T, eq game.Equipment, text string) game.Spelling {
	t.Helper()
	sp, err := game.ParseSpelling(eq.Tiles, text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return sp
}

// ruleError returns err as a *RuleError.
func ruleError(t *testing.T, err error) *game.RuleError {
	t.Helper()
	var re *game.RuleError
	if !errors.As(err, &re) {
		t.Fatalf("got error %v, want a *game.RuleError", err)
	}
	return re
}

func TestParseSpelling(t *testing.T) {
	eq := gametest.Equipment(t)
	l := func(r rune) lexicon.Letter { return lexicon.Letter(r - 'A' + 1) }
	for _, c := range []struct {
		text string
		want game.Spelling
	}{
		{"AX", game.Spelling{{Letter: l('A')}, {Letter: l('X')}}},
		{" ax ", game.Spelling{{Letter: l('A')}, {Letter: l('X')}}},
		{"ＡＸ", game.Spelling{{Letter: l('A')}, {Letter: l('X')}}}, // full-width, from Japanese keyboards
		{"?AX", game.Spelling{{Letter: l('A'), Blank: true}, {Letter: l('X')}}},
		{"A?x", game.Spelling{{Letter: l('A')}, {Letter: l('X'), Blank: true}}},
		{"A.", game.Spelling{{Letter: l('A')}, {Through: true}}},
		{"(A)X", game.Spelling{{Letter: l('A'), Through: true}, {Letter: l('X')}}},
		{"R(EA).", game.Spelling{{Letter: l('R')}, {Letter: l('E'), Through: true}, {Letter: l('A'), Through: true}, {Through: true}}},
		{"(.A)X", game.Spelling{{Through: true}, {Letter: l('A'), Through: true}, {Letter: l('X')}}},
		{"", nil},
		{"()", nil},
		{"A?", nil},
		{"A??X", nil},
		{"?.", nil},
		{"?(A)", nil},
		{"(?A)", nil},
		{"A(X", nil},
		{"A)X", nil},
		{"((A))", nil},
		{"A B", nil},
		{"A1", nil},
		{"ñandú", game.Spelling{{Letter: l('N')}, {Letter: l('A')}, {Letter: l('N')}, {Letter: l('D')}, {Letter: l('U')}}},
		{"Ж", nil},
		{"A\xff", nil},
	} {
		got, err := game.ParseSpelling(eq.Tiles, c.text)
		if c.want == nil {
			if e := ruleError(t, err); e.Code != game.BadWord || e.Text != c.text {
				t.Errorf("%q: %v with the text %q", c.text, e, e.Text)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, %v, want %v", c.text, got, err, c.want)
		}
	}
}

// TestPlace lists typed words at a square, the rack, and the intended play: capitals for real
// tiles, lower case for blanks, "." for tiles played through.
func TestPlace(t *testing.T) {
	eq := gametest.Equipment(t)
	const horn = `
 7 ..........F
 8 .......HORN
`
	const hOrn = ` 8 .......HoRN`
	for _, c := range []struct {
		name, board, rack, at, typed, want string
	}{
		{"all from the rack", "", "HORNAEI", "8H", "HORN", "8H HORN"},
		{"down", "", "HORNAEI", "H8", "horn", "H8 HORN"},
		{"through tiles on the board", horn, "MOB", "H8", "HMOB", "H8 .MOB"},
		{"dots through", horn, "MOB", "H8", ".MOB", "H8 .MOB"},
		{"brackets through", horn, "MOB", "H8", "(H)MOB", "H8 .MOB"},
		{"an S on the end", horn, "S", "8H", "HORNS", "8H ....S"},
		{"through a blank", hOrn, "NE", "I7", "NOE", "I7 N.E"},
		{"the letter lacks, the blank serves", "", "HOR?AEI", "8H", "HORN", "8H HORn"},
		{"the real tile is preferred", "", "HORN?EI", "8H", "HORN", "8H HORN"},
		{"? forces the blank", "", "HORN?EI", "8H", "H?ORN", "8H HoRN"},
		{"both blanks", "", "HO??AEI", "8H", "HORN", "8H HOrn"},
		{"? takes one blank, a lacking letter the other", "", "HOR??EI", "8H", "?HORN", "8H hORn"},
		// D8 doubles the letter, H8 only the word: the blank goes to H8.
		{"the blank goes where it costs least", "", "EAGL?OO", "8D", "EAGLE", "8D EAGLe"},
		{"and in the other order", "", "EAGL?OO", "8H", "EAGLE", "8H eAGLE"},
		{"equal squares: the first", "", "ENTR?OO", "8G", "ENTER", "8G eNTER"},
		{"forced on the dear square", "", "EAGL?OO", "8D", "?EAGLE", "8D eAGLE"},
		{"three of a letter, two blanks, the cheap squares", "", "EVRG??O", "8D", "EVERGE", "8D EVeRGe"},
		// K9 is below the N of HORN: an O there counts in two words.
		{"a cross word makes a square dear", horn, "OZ?", "9K", "OOZ", "9K OoZ"},
	} {
		t.Run(c.name, func(t *testing.T) {
			board := gametest.Board(t, eq, c.board)
			want := gametest.Move(t, eq, c.want)
			at, dir, err := game.ParseAt(c.at)
			gametest.Must(t, err)
			got, err := game.Place(eq, &board, gametest.Tiles(t, eq, c.rack), at, dir, spelled(t, eq, c.typed))
			if err != nil || got != want {
				t.Errorf("%s %s with %s: %s, %v; want %s", c.at, c.typed, c.rack, got.Text(eq.Tiles), err, c.want)
			}
		})
	}
}

// TestPlaceRefuses checks that errors say which letter of a typed word is in the way, and where.
func TestPlaceRefuses(t *testing.T) {
	eq := gametest.Equipment(t)
	const horn = ` 8 .......HORN`
	for _, c := range []struct {
		name, board, rack, at, typed string
		code                         game.Code
		square, tile, there          string
	}{
		{"off the edge", "", "HORNAEI", "8M", "HORN", game.OffBoard, "", "", ""},
		{"off the foot", "", "HORNAEI", "H13", "HORN", game.OffBoard, "", "", ""},
		{"another letter lies there", horn, "FARMOOO", "J5", "FARM", game.Occupied, "J8", "M", "R"},
		{"a blank forced where the letter lies", horn, "FA?MOOO", "J6", "FA?RM", game.Occupied, "J8", "r", "R"},
		{"D8 needs the Q at D10", "", "AEINRS", "D8", "AEQ", game.NotOnRack, "D10", "Q", ""},
		{"the second of a letter lacks", "", "HORNAEI", "8H", "HORNN", game.NotOnRack, "L8", "N", ""},
		{"one blank can't be two letters", "", "HO?AEI", "8H", "HORN", game.NotOnRack, "K8", "N", ""},
		{"no blank to force", "", "HORNAEI", "8H", "HO?RN", game.NotOnRack, "J8", "?", ""},
		{"the forced blank is not there for another letter", "", "HON?AEI", "8H", "?HORN", game.NotOnRack, "J8", "R", ""},
		{"dots where nothing lies", "", "HORNAEI", "8H", "HO.N", game.Gap, "J8", "", ""},
		{"brackets where nothing lies", horn, "SSSSSSS", "8H", "HORN(S)", game.Gap, "L8", "", ""},
		{"brackets round another letter", horn, "SSSSSSS", "8H", "HO(S)NS", game.Occupied, "J8", "S", "R"},
		{"no new tile", horn, "SSSSSSS", "8H", "HORN", game.NoTiles, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			board := gametest.Board(t, eq, c.board)
			rack := gametest.Tiles(t, eq, c.rack)
			at, dir, err := game.ParseAt(c.at)
			gametest.Must(t, err)
			m, err := game.Place(eq, &board, rack, at, dir, spelled(t, eq, c.typed))
			e := ruleError(t, err)
			if e.Code != c.code {
				t.Fatalf("%v, want %v", e, c.code)
			}
			if c.square != "" && e.Square.String() != c.square {
				t.Errorf("at %v, want %s", e.Square, c.square)
			}
			if c.tile != "" && eq.Tiles.Text(e.Tile) != c.tile {
				t.Errorf("the tile is %s, want %s", eq.Tiles.Text(e.Tile), c.tile)
			}
			if c.there != "" && eq.Tiles.Text(e.There) != c.there {
				t.Errorf("there is %s, want %s", eq.Tiles.Text(e.There), c.there)
			}
			if e.Code == game.NotOnRack && e.Rack != rack {
				t.Errorf("the rack is %s, want %s", eq.Tiles.Print(e.Rack), c.rack)
			}
			if m.At != at || m.Dir != dir {
				t.Errorf("the move is at %s", m.At.At(m.Dir))
			}
		})
	}
}

func TestPlaceTakesNoSpelling(t *testing.T) {
	var b game.Board
	_, err := game.Place(gametest.Equipment(t), &b, "", game.Square{}, game.Across, nil)
	if e := ruleError(t, err); e.Code != game.NoTiles {
		t.Error(e)
	}
}

// TestPlaceLayout checks that the blank's square depends on the layout.
func TestPlaceLayout(t *testing.T) {
	eq := gametest.Equipment(t)
	var err error
	eq.Layout, err = game.ParseLayout("five", "t....\n.....\n..+..\n.....\n.....")
	gametest.Must(t, err)
	var b game.Board
	got, err := game.Place(eq, &b, gametest.Tiles(t, eq, "?GE"), game.Square{}, game.Across, spelled(t, eq, "EGE"))
	if want := gametest.Move(t, eq, "1A EGe"); err != nil || got != want {
		t.Errorf("%s, %v", got.Text(eq.Tiles), err)
	}
	if _, err := game.Place(eq, &b, gametest.Tiles(t, eq, "EAGLET"), game.Square{}, game.Across, spelled(t, eq, "EAGLET")); ruleError(t, err).Code != game.OffBoard {
		t.Errorf("six letters on a board of five: %v", err)
	}
}

// TestSpots checks where a word fits, best score first.
func TestSpots(t *testing.T) {
	eq := gametest.Equipment(t)
	dict := gametest.Words(t, "FARM HORN HORNS AS NA OS SO")
	const horn = ` 8 .......HORN`
	for _, c := range []struct {
		name, board, rack, typed string
		dict                     game.Dictionary
		want                     []string
	}{
		{"first play: everywhere over the start", "", "ASXXXXX", "AS", dict, []string{"8G AS 4", "8H AS 4", "H7 AS 4", "H8 AS 4"}},
		{"through one tile only", horn, "FAM", "FARM", dict, []string{"J6 FA.M 17"}},
		{"to the end of a word", horn, "S", "HORNS", dict, []string{"8H ....S 9"}},
		{"crossing with valid words", horn, "AS", "AS", dict, []string{"L7 AS 12", "9K AS 4"}},
		{"crossing and hooking, whatever they form", horn, "S", "OS", nil, []string{"I8 .S 3"}},
		{"not on the rack", horn, "XX", "AS", nil, nil},
		{"no place with valid words", horn, "XX", "XX", dict, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			board := gametest.Board(t, eq, c.board)
			var got []string
			for _, s := range game.Classic().Spots(eq, &board, gametest.Tiles(t, eq, c.rack), spelled(t, eq, c.typed), c.dict) {
				got = append(got, s.Move.Text(eq.Tiles)+" "+strconv.Itoa(s.Tally.Total))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestSpotsMatchPlacing compares with placing the tiles square by square.
func TestSpotsMatchPlacing(t *testing.T) {
	eq := gametest.Equipment(t)
	board := gametest.Board(t, eq, busyBoard)
	rack := gametest.Tiles(t, eq, "WATERS?")
	for _, word := range []string{"WATER", "AS", "TA", "STORES", "LIDS", "HAT", "W?ATER"} {
		sp := spelled(t, eq, word)
		got := map[game.Move]int{}
		last := -1
		for _, s := range game.Classic().Spots(eq, &board, rack, sp, nil) {
			if last >= 0 && s.Tally.Total > last {
				t.Errorf("%s: %d points after %d", word, s.Tally.Total, last)
			}
			got[s.Move], last = s.Tally.Total, s.Tally.Total
		}
		want := map[game.Move]int{}
		for _, d := range []game.Dir{game.Across, game.Down} {
			for row := range 15 {
				for col := range 15 {
					m, err := game.Place(eq, &board, rack, game.Square{Row: row, Col: col}, d, sp)
					if err != nil {
						continue
					}
					if tally, err := game.Classic().Tally(eq, &board, m); err == nil {
						want[m] = tally.Total
					}
				}
			}
		}
		if len(want) == 0 || !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
}
