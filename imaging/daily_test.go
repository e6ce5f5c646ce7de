package imaging_test

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
)

// TestDailyPictures checks that daily boards show the rack below the board, and that result cards
// don't reveal plays. With RACKMATE_PICTURES it writes them there for viewing.
func TestDailyPictures(t *testing.T) {
	eq := gametest.Equipment(t)
	board := imaging.DayBoard{
		View: imaging.View{Equipment: eq, Caption: "Daily board 329", Bag: -1, Board: gametest.Board(t, eq, `
  7 .......HORN
  8 .......A
  9 .......TUNA`)},
		Rack: gametest.Tiles(t, eq, "AEIQRST"),
	}
	card := imaging.DayCard{Title: "Rackmate 329 (en)", Tries: []int{31, 50, 76, 92, 100}, Caption: "100 % of the best in 5 tries", Note: "12 days in a row"}
	game := imaging.DayCard{Title: "Rackmate game 68 (en)", Tries: []int{31, 50, 76, 92, 100, 100, 0, 64, 80, 99, 12, 100, 100, 77, 41, 100, 8, 93}, Caption: "74 % of the best total in 18 rounds"}
	for theme := range map[imaging.Theme]bool{imaging.Light: true, imaging.Dark: true, imaging.ColourSafe: true} {
		r := bottest.Renderer(t, theme)
		for name, draw := range map[string]func() ([]byte, error){
			"board": func() ([]byte, error) { return r.Day(board) },
			"card":  func() ([]byte, error) { return r.DayCard(card) },
			"game":  func() ([]byte, error) { return r.DayCard(game) },
		} {
			b, err := draw()
			gametest.Must(t, err)
			if _, err := png.Decode(bytes.NewReader(b)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if dir := os.Getenv("RACKMATE_PICTURES"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, name+"-"+theme.String()+".png"), b, 0o600); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if alt := board.Alt(); !strings.HasPrefix(alt, "The rack: A, E, I, Q, R, S, T.") || !strings.Contains(alt, "HORN") {
		t.Errorf("the board's words are %q", alt)
	}
	if alt := card.Alt(); alt != "Rackmate 329 (en). The tries, of the best play's points: 31 %, 50 %, 76 %, 92 %, 100 %. 100 % of the best in 5 tries. 12 days in a row." {
		t.Errorf("the card's words are %q", alt)
	}
	if _, err := bottest.Renderer(t, imaging.Light).DayCard(imaging.DayCard{Title: "x"}); err == nil {
		t.Error("a card without tries is drawn")
	}
}
