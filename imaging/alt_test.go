package imaging_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

func checkAlt(t testing.TB, v imaging.View) {
	t.Helper()
	alt := v.Alt()
	if n := utf8.RuneCountInString(alt); n > imaging.MaxAlt {
		t.Errorf("the alternative text has %d characters: %s", n, alt)
	}
	if !utf8.ValidString(alt) || strings.ContainsAny(alt, "\n\r\t") {
		t.Errorf("the alternative text isn't one line: %q", alt)
	}
}

func TestAlt(t *testing.T) {
	v := imaging.View{
		Equipment: standard(), Bag: 70, Caption: "Ann played HORN at 8H for 14",
		Players: []imaging.Player{{Name: "Ann", Score: 14, Note: "24:10"}, {Name: "Bo", ToMove: true, Note: "25:00"}},
	}
	const head = "Ann played HORN at 8H for 14. Ann 14, 24:10. Bo 0, to move, 25:00. "
	for _, c := range []struct {
		name string
		do   func()
		want string
	}{
		{"no tiles yet", func() {}, head + "70 tiles in the bag. The board is empty."},
		{"a play", func() { put(t, &v, "8H HORN") }, head + "70 tiles in the bag. Row 8: H HORN."},
		{"a blank, and two runs in a row", func() { put(t, &v, "H8 .At"); put(t, &v, "10A CAB"); v.Bag = 1 },
			head + "1 tile in the bag. Row 8: H HORN. Row 9: H A. Row 10: A CAB, H t. Lower case is a blank."},
		{"a proposal, the bag hidden", func() { v.Preview, v.Bag, v.Caption = true, -1, "Would it fit?" },
			"Would it fit? Not played yet. Ann 14, 24:10. Bo 0, to move, 25:00. Row 8: H HORN. Row 9: H A. Row 10: A CAB, H t. Lower case is a blank."},
		{"over", func() { v.Preview, v.Over, v.Caption, v.Board = false, true, "Ann\nwins", game.Board{} },
			"Ann wins. Ann 14, 24:10. Bo 0, 25:00. The board is empty."},
	} {
		c.do()
		if got := v.Alt(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestAltOfSpecialBoards checks that uncovered printed letters are in lower case, like
// blanks on other boards, and that removed tiles are named.
func TestAltOfSpecialBoards(t *testing.T) {
	views := kinds(t)
	for _, c := range []struct{ view, alt, line, key string }{
		{"printed", "Row 2: D R. Row 3: D A. Row 4: C hOUse. Row 5: D i, F i. Row 6: D o, F r. Row 7: F e. Row 8: F north. Row 9: J o. Row 10: J r. Row 11: J n. Lower case is printed, with no tile on it.",
			" 4 . . h O U s e . . . . . .\n", "* start  abc printed"},
		{"gone", "Taken off: K5, K6, K8, K9, K10, K11, K12. Row 1:", "12 ' . . - . . . ' . . × - . . '\n", "* start  × taken off"},
	} {
		v := views[c.view]
		checkAlt(t, v)
		if alt := v.Alt(); !strings.Contains(alt, c.alt) {
			t.Errorf("%s: %q isn't in %s", c.view, c.alt, alt)
		}
		text := v.Text()
		if !strings.Contains(text, c.line) || !strings.HasSuffix(text, c.key) {
			t.Errorf("%s: neither %q nor %q is in\n%s", c.view, c.line, c.key, text)
		}
	}
}

func TestAltOfGame(t *testing.T) {
	for i, v := range positions(t) {
		checkAlt(t, v)
		if alt := v.Alt(); strings.Contains(alt, "Left out") {
			t.Errorf("position %d of an ordinary game doesn't fit: %s", i, alt)
		}
	}
}

// scatter fills part of a board with random tiles.
func scatter(t testing.TB, v *imaging.View, tiles int, rng *rand.Rand) {
	t.Helper()
	n := v.Equipment.Layout.Size()
	for range tiles {
		v.Board.Put(game.Square{Row: rng.IntN(n), Col: rng.IntN(n)}, game.LetterTile(lexicon.Letter(1+rng.IntN(26))))
	}
}

// TestAltOmitsDistantRows checks that on a board that doesn't fit, the rows around the last play are
// included and those left out are named.
func TestAltOmitsDistantRows(t *testing.T) {
	v := imaging.View{Equipment: game.Equipment{Layout: plain(t, 21), Tiles: standard().Tiles}, Bag: 0,
		Players: []imaging.Player{{Name: "Ann"}, {Name: "Bo"}}}
	for row := range 21 {
		for col := row % 2; col < 21; col += 2 {
			v.Board.Put(game.Square{Row: row, Col: col}, game.LetterTile(1))
		}
	}
	put(t, &v, "15C WORDS")
	checkAlt(t, v)
	alt := v.Alt()
	for _, want := range []string{" Row 14: ", " Row 15: ", " Row 16: ", " Left out here: rows 1 to "} {
		if !strings.Contains(alt, want) {
			t.Errorf("no %q in %s", want, alt)
		}
	}
	if strings.Contains(alt, " Row 1: ") {
		t.Errorf("row 1 is there although it is furthest away: %s", alt)
	}
}

func TestAltOfLongTexts(t *testing.T) {
	v := imaging.View{Equipment: standard(), Caption: strings.Repeat("word ", 300)}
	for range 40 {
		v.Players = append(v.Players, imaging.Player{Name: strings.Repeat("山", 90), Note: strings.Repeat("note ", 90)})
	}
	scatter(t, &v, 100, rand.New(rand.NewPCG(5, 6)))
	checkAlt(t, v)
	if alt := v.Alt(); !strings.Contains(alt, "word…") || !strings.Contains(alt, "more players.") {
		t.Errorf("cut badly: %s", alt)
	}
}

func TestRackAlt(t *testing.T) {
	if got, want := rackCard(t, "AQ?").Alt(), "Your rack: A, Q, blank. Your score is 208. 30 unseen."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := rackCard(t, "").Alt(), "Your rack is empty. Your score is 208. 30 unseen."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTextBoard(t *testing.T) {
	for name, v := range kinds(t) {
		s := v.Text()
		n := v.Equipment.Layout.Size()
		if lines := strings.Count(s, "\n"); lines != n+1 {
			t.Errorf("%s: %d lines above the key, want %d", name, lines, n+1)
		}
		if len(s) > 1950 {
			t.Errorf("%s: %d bytes are too many for a message", name, len(s))
		}
	}
}
