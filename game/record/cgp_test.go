package record_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

const emptyRows = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15"

func TestParseCGP(t *testing.T) {
	eq := gametest.Equipment(t)
	p, err := record.ParseCGP(eq, "15/15/15/15/15/15/15/6HoRN5/15/15/15/15/15/15/15  AEIPRT?/  -5/14 2 lex en;  ti 10/20;")
	gametest.Must(t, err)
	for at, want := range map[string]string{"8F": ".", "8G": "H", "8H": "o", "8J": "N", "8K": ".", "9H": "."} {
		sq, _, _ := game.ParseAt(at)
		if got := eq.Tiles.Text(p.Board.Tile(sq)); got != want {
			t.Errorf("on %s lies %q, want %q", at, got, want)
		}
	}
	if got := eq.Tiles.Print(p.Racks[0]); got != "AEIPRT?" || p.Racks[1] != "" {
		t.Errorf("racks %q and %q", got, eq.Tiles.Print(p.Racks[1]))
	}
	if !reflect.DeepEqual(p.Scores, []int{-5, 14}) || p.Scoreless != 2 {
		t.Errorf("scores %d, scoreless turns %d", p.Scores, p.Scoreless)
	}
	if !reflect.DeepEqual(p.Ops, []string{"lex en", "ti 10/20"}) {
		t.Errorf("operations %q", p.Ops)
	}
	want := "15/15/15/15/15/15/15/6HoRN5/15/15/15/15/15/15/15 AEIPRT?/ -5/14 2 lex en; ti 10/20;"
	if got := p.CGP(eq); got != want {
		t.Errorf("written as %q\nwant %q", got, want)
	}
}

func TestCGPWithLongTiles(t *testing.T) {
	eq := spanish(t)
	for _, s := range []string{
		"5/5/1A[LL]O1/5/5 AO/L[LL] 0/0 0",
		"5/5/A[L]LOA/5/5 [L]L/ 0/0 0", // two tiles L, not one LL
		"5/5/A[l]LOA/5/5 / 0/0 0",
		"5/5/1A[ll]O1/5/5 // 0/0/0 0",
	} {
		p, err := record.ParseCGP(eq, s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
		} else if got := p.CGP(eq); got != s {
			t.Errorf("%s is written as %s", s, got)
		}
	}
}

func TestParseCGPErrors(t *testing.T) {
	eq := gametest.Equipment(t)
	row := func(row string) string { return strings.Replace(emptyRows, "15", row, 1) + " AB/CD 0/0 0" }
	for name, c := range map[string]struct{ cgp, want string }{
		"nothing":              {"", "missing board"},
		"no turns":             {emptyRows + " A/B 0/0", "missing number of scoreless turns"},
		"another size":         {"5/5/5/5/5 A/B 0/0 0", "the board has 5 rows, but the layout standard-15 has 15"},
		"a short row":          {row("7AB"), "row 1 has 9 squares, but the layout standard-15 has 15"},
		"a long row":           {row("13ABC"), "row 1, column 16: the row is longer than 15 squares"},
		"a long run":           {row("7A8"), "row 1, column 9: 8 empty squares don't fit in a row of 15"},
		"a run of none":        {row("7A0"), "row 1, column 9: 0 empty"},
		"no tile":              {row("7A6É"), `row 1, column 15: 'É' isn't a tile of the english set`},
		"a blank unnamed":      {row("7?7"), `row 1, column 8: '?' isn't a tile`},
		"a dot":                {row("7.7"), `row 1, column 8: '.' isn't a tile`},
		"a blank with letter":  {emptyRows + " AB/Cd 0/0 0", "rack 2: Cd: a rack holds letters in upper case"},
		"a rack of a 1":        {emptyRows + " A1/CD 0/0 0", `rack 1: '1' not in the alphabet`},
		"one rack":             {emptyRows + " ABC 0 0", "1 racks: want one for each"},
		"a rack of many":       {emptyRows + " " + strings.Repeat("A", 22) + "/ 0/0 0", "rack 1: 22 tiles are too many"},
		"a score too few":      {emptyRows + " A/B 0 0", "1 scores for 2 racks"},
		"a score of a letter":  {emptyRows + " A/B 0/x 0", `score 2: "x" isn't a number`},
		"scoreless turns of x": {emptyRows + " A/B 0/0 x", `scoreless turns: "x" isn't a count`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := record.ParseCGP(eq, c.cgp)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func FuzzParseCGP(f *testing.F) {
	f.Add(emptyRows + " / 0/0 0")
	f.Add("15/15/15/15/15/15/15/6HoRN5/15/15/15/15/15/15/15 AEIPRT?/ -5/14 2 lex en; ti 10/20;")
	f.Add("15/15/15/15/15/15/15/6HoRN5/15/15/15/15/15/15/15 A/B/C/D 1/2/3/4 0")
	f.Add("5/5/A[L]LOA/5/5 [L]L/ 0/0 0")
	boards := []game.Equipment{gametest.Equipment(f), spanish(f)}
	f.Fuzz(func(t *testing.T, s string) {
		for _, eq := range boards {
			p, err := record.ParseCGP(eq, s)
			if err != nil {
				continue
			}
			again, err := record.ParseCGP(eq, p.CGP(eq))
			if err != nil || !reflect.DeepEqual(p, again) {
				t.Errorf("%q is written as %q, which reads as %v (%v)", s, p.CGP(eq), again, err)
			}
		}
	})
}
