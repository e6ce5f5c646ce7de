package game_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// printed returns a game of junior-starter on a board with these words. The racks are some of their
// letters.
func printed(t *testing.T, picture string, racks ...string) *table {
	t.Helper()
	rules, eq := gametest.EquipVariant(t, vary(game.Classic(), "junior-starter"))
	g := &table{T: t}
	facts := []game.Fact{game.Opened{Rules: rules, Equipment: eq, Seats: len(racks), Host: gametest.People[0]}}
	deal := game.Dealt{First: ann}
	for i, rack := range racks {
		facts = append(facts, game.Joined{Person: gametest.People[i]})
		deal.Racks = append(deal.Racks, gametest.Tiles(t, eq, rack))
	}
	var events []game.Event
	for i, f := range append(facts, game.Started{}, game.SetUp{Printed: gametest.Board(t, eq, picture), Fitted: true}, deal) {
		events = append(events, game.Event{Number: i, Cause: "deal", Fact: f})
	}
	var err error
	if g.s, err = game.Replay(events); err != nil {
		t.Fatal(err)
	}
	g.env.Dict = gametest.SmallDictionary(t)
	return g
}

// threeWords has HORN, IN through its last letter, and RED through its R.
const threeWords = `
 6 ......I
 7 ...HORN
 8 .....E.
 9 .....D.`

// TestStarter checks that children cover printed words with tiles (002 variations). Completing a
// word scores a point, completing two at once scores two.
func TestStarter(t *testing.T) {
	g := printed(t, threeWords, "HORI", "NED")
	for _, turn := range []struct {
		seat int
		move string
		want int
	}{
		{ann, "7D HO", 0},
		{bob, "", 0}, // N can't be covered yet: R comes first in HORN, I in IN
		{ann, "7F R", 0},
		{bob, "F8 ED", 1}, // completes RED: its R is covered by HORN's
		{ann, "G6 I", 0},
		{bob, "7G N", 2}, // the last letter of HORN and of IN
	} {
		if turn.move == "" {
			g.refused(turn.seat, game.Play{Move: g.move("7G N")}, game.NotNext)
			g.refused(turn.seat, game.Play{Move: g.move("G7 N")}, game.NotNext)
			g.pass(turn.seat)
			continue
		}
		if got := g.plays(turn.seat, turn.move); got != turn.want {
			t.Errorf("%s scores %d, want %d", turn.move, got, turn.want)
		}
	}
	g.wantEnd(game.StuckEnd, []int{0, 0}, bob)
	if g.s.Seats[bob].Score != 3 {
		t.Errorf("Bob has %d points", g.s.Seats[bob].Score)
	}
}

// TestStarterRefuses checks that covering the wrong letters is rejected and changes nothing.
func TestStarterRefuses(t *testing.T) {
	g := printed(t, threeWords, "HORN", "EDI")
	for _, c := range []struct {
		move string
		code game.Code
	}{
		{"7D HOR", game.WrongCount},
		{"7E OR", game.NotNext},
		{"7D RO", game.NotNext},
		{"7F RN", game.NotNext},
		{"7D H.R", game.NotNext},
		{"F7 R.", game.NotNext},
		{"D7 H", game.NotPrinted}, // no word runs down there
		{"2B HO", game.NotPrinted},
		{"13M HO", game.OffBoard},
		{"7D ED", game.NotOnRack},
	} {
		g.refused(ann, game.Play{Move: g.move(c.move)}, c.code)
	}
	g.refused(bob, game.Play{Move: g.move("F8 ED")}, game.NotYourTurn)
	g.refused(ann, game.Challenge{}, game.NoChallenge)
	g.refused(ann, game.Submit{}, game.NotHere)
	g.refused(ann, game.Hint{}, game.NoHints)
	g.refused(ann, game.Exchange{Tiles: g.tiles("H")}, game.BagTooSmall)
	g.plays(ann, "7D HO")
	g.refused(bob, game.Play{Move: g.move("7D HO")}, game.NotOnRack)
	g.pass(bob)
	g.plays(ann, "7F RN")
	g.refused(bob, game.Play{Move: g.move("7G I")}, game.AllCovered)
}

// TestCover checks the moves of typed words.
func TestCover(t *testing.T) {
	g := printed(t, threeWords, "HORE", "NDI")
	word := func(text string) game.Spelling {
		sp, err := game.ParseSpelling(g.s.Equipment.Tiles, text)
		gametest.Must(t, err)
		return sp
	}
	for _, c := range []struct {
		rack, word string
		most       int
		want       string
		code       game.Code
	}{
		{"HORE", "horn", 0, "7D HO", 0},
		{"HORE", "horn", 1, "7D H", 0},
		{"HRE", "horn", 0, "7D H", 0}, // as many as the tiles allow
		{"HRE", "horn", 2, "", game.NotOnRack},
		{"ORE", "horn", 0, "", game.NotOnRack},
		{"HORE", "red", 0, "F7 RE", 0},
		{"HORE", "horns", 0, "", game.NotPrinted},
		{"HORE", "h?orn", 0, "", game.NotPrinted},
		{"HORE", "(h)orn", 0, "", game.NotPrinted},
		{"HORE", "horn", 3, "", game.WrongCount},
		{"HORE", "horn", -1, "", game.WrongCount},
	} {
		m, err := g.s.CoverWord(g.tiles(c.rack), word(c.word), c.most)
		switch {
		case c.code != 0:
			if e := ruleError(t, err); e.Code != c.code {
				t.Errorf("%s of %s: %v, want %v", c.word, c.rack, e.Code, c.code)
			}
		case err != nil || m.Text(g.s.Equipment.Tiles) != c.want:
			t.Errorf("%s of %s: %s, %v; want %s", c.word, c.rack, m.Text(g.s.Equipment.Tiles), err, c.want)
		}
	}
	// Played through a tile on the board.
	g.s.Board.Lay(g.move("7E O"))
	if m, err := g.s.CoverWord(g.tiles("HRN"), word("horn"), 0); err != nil || m.Text(g.s.Equipment.Tiles) != "7D H.R" {
		t.Errorf("%s, %v", m.Text(g.s.Equipment.Tiles), err)
	}
}

// TestStarterWithoutTiles checks that a player without tiles misses the turn, that tiles leave play
// with a player, and that the game ends when no remaining tile fits.
func TestStarterWithoutTiles(t *testing.T) {
	g := printed(t, threeWords, "HO", "RNI", "ED")
	g.plays(ann, "7D HO")
	g.plays(bob, "7F R")
	g.plays(cat, "F8 E") // Ann has no tiles left and misses her turn
	g.wantTurn(bob)
	g.plays(bob, "G6 IN")
	g.wantTurn(cat)
	g.plays(cat, "F9 D")
	g.wantEnd(game.StuckEnd, []int{0, 0, 0}, bob)

	g = printed(t, threeWords, "HO", "RNI", "ED")
	g.plays(ann, "7D HO")
	g.does(bob, game.Resign{})
	if g.s.Phase != game.Over || g.s.End.Reason != game.StuckEnd {
		t.Errorf("phase %d, %+v", g.s.Phase, g.s.End)
	}
}

// TestStarterStalls checks that a game ends if no one covers anything.
func TestStarterStalls(t *testing.T) {
	g := printed(t, threeWords, "HORN", "EDI")
	for range 12 {
		g.pass(g.s.Turn)
	}
	g.wantEnd(game.ScorelessEnd, []int{0, 0}, ann, bob)
}

// TestStarterIsDrawnFor checks that a table with another turn order or challenge rule can't be
// opened.
func TestStarterIsDrawnFor(t *testing.T) {
	for _, r := range game.RuleSets() {
		rules, eq := gametest.EquipVariant(t, vary(r, "junior-starter"))
		if rules.Order != game.Drawn || rules.Challenge != game.Void || rules.Games != 0 {
			t.Errorf("%s: %+v", r.Name, rules)
		}
		rules.Order = game.Voted
		g := &table{T: t}
		g.refused(ann, game.Open{Rules: rules, Equipment: eq, Seats: 2}, game.BadSettings)
	}
}

// TestPrintedWordsHaveTheirTiles checks that words can't be printed if the set lacks tiles for
// their letters.
func TestPrintedWordsHaveTheirTiles(t *testing.T) {
	rules, eq := gametest.EquipVariant(t, vary(game.Classic(), "junior-starter"))
	for picture, fits := range map[string]bool{"\n 7 ...HORN": true, "\n 7 ...ZZZZ": false} {
		for fitted, want := range map[bool]bool{true: fits, false: true} {
			var events []game.Event
			for i, f := range []game.Fact{
				game.Opened{Rules: rules, Equipment: eq, Seats: 2, Host: gametest.People[0]},
				game.Joined{Person: gametest.People[0]}, game.Joined{Person: gametest.People[1]}, game.Started{},
				game.SetUp{Printed: gametest.Board(t, eq, picture), Fitted: fitted},
			} {
				events = append(events, game.Event{Number: i, Cause: "deal", Fact: f})
			}
			if _, err := game.Replay(events); (err == nil) != want {
				t.Errorf("printed is %s, fitted: %t: %v", picture, fitted, err)
			}
		}
	}
}

// TestCrosswords checks crosswords of many seeds: on the board, connected, every run a different
// word of the list, no letter used more often than there are tiles, of a good size, and
// reproducible.
func TestCrosswords(t *testing.T) {
	_, eq := gametest.EquipVariant(t, vary(game.Classic(), "junior-starter"))
	dict := gametest.SmallDictionary(t)
	var words []lexicon.Word
	for w := range dict {
		words = append(words, w)
	}
	slices.Sort(words)
	n := eq.Layout.Size()
	different := map[game.Board]bool{}
	for i := range gametest.Share(200) {
		t.Run(fmt.Sprint("seed ", i), func(t *testing.T) {
			seed := game.Seed{byte(i)}
			b, ok := game.Crossword(eq, words, seed)
			if again, _ := game.Crossword(eq, words, seed); again != b {
				t.Error("the same seed gives another crossword")
			}
			different[b] = true
			s := game.State{Equipment: eq, Printed: b}
			letters := b.Tiles()
			if !ok || len(letters) < 56 || len(s.PrintedWords()) < 12 {
				t.Errorf("%d letters, %d words", len(letters), len(s.PrintedWords()))
			}
			if _, ok := eq.Tiles.All().Minus(letters); !ok {
				t.Errorf("the letters are more than there are tiles: %s", eq.Tiles.Print(letters))
			}
			seen := map[lexicon.Word]bool{}
			for _, w := range s.PrintedWords() {
				word := game.ScoredWord{Tiles: w.Tiles}.Letters()
				if !dict.Has(word) || seen[word] || len(word) < game.ShortestPrinted || len(word) > game.LongestPrinted {
					t.Errorf("%s at %s", eq.Tiles.Print(w.Tiles), w.At.At(w.Dir))
				}
				seen[word] = true
			}
			// Connected, and on the board.
			var todo []game.Square
			reached := map[game.Square]bool{}
			visit := func(sq game.Square) {
				if b.Tile(sq) != game.NoTile && !reached[sq] {
					reached[sq] = true
					todo = append(todo, sq)
				}
			}
			visit(eq.Layout.Start())
			for len(todo) > 0 {
				sq := todo[0]
				todo = todo[1:]
				if sq.Row >= n || sq.Col >= n {
					t.Errorf("%s is off the board", sq)
				}
				for _, d := range []game.Dir{game.Across, game.Down} {
					visit(sq.Step(d, 1))
					visit(sq.Step(d, -1))
				}
			}
			if len(reached) != len(letters) {
				t.Errorf("%d of %d letters are joined:\n%s", len(reached), len(letters), gametest.Picture(eq, b))
			}
			if t.Failed() {
				t.Log(gametest.Picture(eq, b))
			}
		})
	}
	if n := gametest.Share(200); len(different)*40 < n*39 {
		t.Errorf("%d crosswords of %d seeds", len(different), n)
	}
	if _, ok := game.Crossword(eq, words[:3], game.Seed{}); ok {
		t.Error("three words make a crossword")
	}
}

// TestSmallestCrossword checks that 56 letters make a game and 55 don't.
func TestSmallestCrossword(t *testing.T) {
	_, eq := gametest.EquipVariant(t, vary(game.Classic(), "junior-starter"))
	words := slices.Sorted(maps.Keys(gametest.SmallDictionary(t)))
	for letters, some := range map[int][]lexicon.Word{55: words[:82], 56: words[:85]} {
		if b, ok := game.Crossword(eq, some, game.Seed{}); len(b.Tiles()) != letters || ok != (letters == 56) {
			t.Errorf("of %d words there is a crossword with %d letters, want %d; it makes a game: %t", len(some), len(b.Tiles()), letters, ok)
		}
	}
}

func BenchmarkCrossword(b *testing.B) {
	eq := gametest.Equipment(b)
	eq.Layout = gametest.Layouts(b)[0]
	var words []lexicon.Word
	for w := range gametest.SmallDictionary(b) {
		words = append(words, w)
	}
	slices.Sort(words)
	n := 0
	for b.Loop() {
		n++
		if _, ok := game.Crossword(eq, words, game.Seed{byte(n), byte(n >> 8)}); !ok {
			b.Fatal("no crossword")
		}
	}
}
