package data_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/lexicon"
)

// boxes holds the contents of each box, counted from the sources named by letters: X cdot/Xanado,
// M domino14/macondo, Q quackle, S Scrabble3D 4.0, W eehouse/xwords, K kamilmielnik/scrabble-solver,
// G vthorsteinsson/GoSkrafl, N mideind/Netskrafl, B wI2L/scrabbler, H hanshuebner/html-scrabble,
// L warren-bank/fork-Xanado. They agree on every tile; sources that differ were not used. A language
// not listed here is checked against the totals in its own file.
var boxes = map[string]struct {
	tiles, points, vowels int
	agree, differ         string
}{
	"en": {100, 187, 42, "XMQSWKBH", ""},
	"es": {100, 192, 44, "XMSWK", ""},
	"ca": {100, 189, 42, "MSW", "X"},
	"fr": {102, 197, 45, "XMQSWKLB", "H"},
	"de": {102, 202, 38, "XMSWKLH", "B"},
	"it": {120, 293, 57, "XSLB", "W"},
	"nl": {102, 230, 37, "XMSWLB", "H"},
	"pl": {100, 190, 39, "XMQKB", "WGN"},
	"pt": {120, 204, 52, "XSWBH", ""},
	"sv": {100, 194, 35, "XQSWB", ""},
	"da": {100, 247, 36, "XWLB", ""},
	"nb": {100, 202, 34, "XMQNB", ""},
	"fi": {101, 218, 45, "W", "XSLB"},
	"hu": {100, 235, 38, "XSWLH", ""},
	"cs": {100, 205, 39, "XWLH", "B"},
	"sk": {100, 267, 42, "XSWB", ""},
	"sl": {100, 180, 40, "XMB", "H"},
	"hr": {103, 182, 43, "XL", ""},
	"ro": {100, 211, 41, "XSWK", "B"},
	"tr": {100, 201, 40, "XQSWK", ""},
	"el": {104, 206, 51, "XQSWLB", ""},
	"ru": {104, 224, 42, "S", "XQ"},
	"uk": {104, 234, 43, "XB", ""},
	"cy": {105, 194, 46, "X", ""},
	"ga": {100, 187, 43, "XL", "S"},
	"he": {104, 229, 0, "S", "XL"},
	"is": {100, 227, 40, "GN", "B"},
	"eo": {100, 185, 36, "XL", ""},
	"lt": {104, 233, 48, "B", "XL"},
	"lv": {104, 250, 43, "XLB", ""},
	"et": {102, 209, 46, "XLB", "H"},
	"bg": {102, 227, 42, "XLB", ""},
	"eu": {100, 233, 47, "XWL", ""},
}

func openLanguage(t *testing.T, code string) *language.Language {
	t.Helper()
	text, err := data.Language(code)
	gametest.Must(t, err)
	l, err := language.Parse(text)
	gametest.Must(t, err)
	return l
}

func TestLanguagesHaveTilesOfTheirBoxes(t *testing.T) {
	for _, code := range data.Languages() {
		l := openLanguage(t, code)
		for _, wrong := range l.Check() {
			t.Errorf("%s: %s", code, wrong)
		}
		if l.Code != code || l.Source == "" {
			t.Errorf("%s.json is the language %q, from %q", code, l.Code, l.Source)
		}
	}
	for code, box := range boxes {
		l := openLanguage(t, code)
		tiles, vowels := l.Tiles.All(), 0
		for i := range len(tiles) {
			if l.Tiles.Vowel(tiles.At(i)) {
				vowels++
			}
		}
		if len(tiles) != box.tiles || l.Tiles.Sum(tiles) != box.points || vowels != box.vowels {
			t.Errorf("%s, %s: %d tiles, %d points, %d vowels", code, l.Name, len(tiles), l.Tiles.Sum(tiles), vowels)
		}
		if len(box.agree) == 0 || strings.Contains(l.Source, "Differ:") != (box.differ != "") || strings.Count(l.Source, ";") != max(0, len(box.agree)-1)+max(0, len(box.differ)-1) {
			t.Errorf("%s: the sources are %s and %s; its file names %s", code, box.agree, box.differ, l.Source)
		}
		if l.Tiles.RightToLeft() != (code == "he") {
			t.Errorf("%s reads in the wrong direction", code)
		}
	}
	old, en := openTileSet(t, "english"), openLanguage(t, "en").Tiles
	if old.Faces() != en.Faces() || old.All() != en.All() || old.Name() != en.Name() {
		t.Error("English isn't the tile set english")
	}
}

// TestTilesSurviveEveryFormat checks that boards of every language can be written as GCG, CGP and
// log events and parsed to the same.
func TestTilesSurviveEveryFormat(t *testing.T) {
	text, err := data.Layout("standard-15")
	gametest.Must(t, err)
	layout, err := game.ParseLayout("standard-15", text)
	gametest.Must(t, err)
	rng := rand.New(rand.NewPCG(20, 26))
	for _, code := range data.Languages() {
		set := openLanguage(t, code).Tiles
		eq := game.Equipment{Layout: layout, Tiles: set}
		var all game.Tiles // every tile, plain and as a blank, in every order once
		for range 20 {
			n := set.Alphabet().Len()
			for _, i := range rng.Perm(2 * n) {
				l := lexicon.Letter(i%n + 1)
				all += game.TilesOf([]game.Tile{game.LetterTile(l), game.BlankAs(l)}[i/n])
			}
		}
		if back, err := set.Parse(set.Print(all)); err != nil || back != all {
			t.Errorf("%s: tiles written %q are read wrong (%v)", code, set.Print(all), err)
		}
		for part := all; len(part) >= 15*15; part = part[15*15:] {
			p := record.Position{Racks: []game.Tiles{part[:7].Faces(), ""}, Scores: []int{0, 0}}
			for i := range 15 * 15 {
				if i%7 > 0 {
					p.Board.Put(game.Square{Row: i / 15, Col: i % 15}, part.At(i))
				}
			}
			back, err := record.ParseCGP(eq, p.CGP(eq))
			if err != nil || back.Board != p.Board || back.Racks[0] != p.Racks[0] {
				t.Fatalf("%s: %s is read wrong (%v)", code, p.CGP(eq), err)
			}
		}
		opened := game.Event{Number: 1, At: time.Unix(0, 0), Cause: "r", Fact: game.Opened{Rules: game.Classic(), Equipment: eq, Host: game.Person{ID: "ann", Name: "Ann"}, Seats: 2}}
		log, err := record.MarshalLog([]game.Event{opened, {Number: 2, At: time.Unix(0, 0), Cause: "s", Fact: game.Dealt{Racks: []game.Tiles{all}}}})
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		events, err := record.UnmarshalLog(log)
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		stored := events[0].Fact.(game.Opened).Equipment.Tiles
		if events[1].Fact.(game.Dealt).Racks[0] != all || stored.Faces() != set.Faces() || !reflect.DeepEqual(stored.Alphabet().Folding(), set.Alphabet().Folding()) {
			t.Errorf("%s: the log is read wrong", code)
		}
		// Two plays, one through the other, with blanks.
		for n := 1; n+4 <= set.Alphabet().Len(); n++ {
			tiles := func(ls ...game.Tile) game.Tiles { return game.TilesOf(ls...) }
			a, b, c := game.LetterTile(lexicon.Letter(n)), game.BlankAs(lexicon.Letter(n+1)), game.LetterTile(lexicon.Letter(n+2))
			g := record.GCG{Players: []record.Player{{Nick: "ann"}}, Turns: []record.Turn{
				{Kind: record.Play, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: set.Print(tiles(a, b, c))},
				{Kind: record.Play, At: game.Square{Row: 6, Col: 8}, Dir: game.Down, Tiles: set.Print(tiles(c, game.NoTile, b))},
			}}
			total := 0
			var board game.Board
			for i, m := range []game.Move{
				{Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: tiles(a, b, c)},
				{Kind: game.PlayTiles, At: game.Square{Row: 6, Col: 8}, Dir: game.Down, Tiles: tiles(c, game.NoTile, b)},
			} {
				tally, err := game.Club().Tally(eq, &board, m)
				gametest.Must(t, err)
				board.Lay(m)
				total += tally.Total
				g.Turns[i].Score, g.Turns[i].Total = tally.Total, total
			}
			read, err := record.ParseGCG([]byte(g.String()))
			if err != nil {
				t.Fatalf("%s: %v\n%s", code, err, g)
			}
			rules := game.Club()
			rules.RackSize = 99
			set := game.Equipment{Layout: layout, Tiles: plenty(t, set)}
			result, err := record.Replay(rules, set, read)
			if err != nil || result.Boards[1] != board {
				t.Fatalf("%s: %v\n%s", code, err, g)
			}
		}
	}
}

// plenty returns a tile set with ten of each tile.
func plenty(t *testing.T, set *game.TileSet) *game.TileSet {
	t.Helper()
	kinds := set.Kinds()
	for i := range kinds {
		kinds[i].Count = 10
	}
	many, err := game.NewTileSet(set.Name(), kinds[:len(kinds)-1], kinds[len(kinds)-1])
	gametest.Must(t, err)
	return many
}
