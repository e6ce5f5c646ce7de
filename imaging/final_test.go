package imaging_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/imaging"
)

// finals returns final cards of games of two, of four, and of the shortest game.
func finals() map[string]imaging.FinalCard {
	player := func(name, note, best string, bingos, score int, gains ...int) imaging.Finalist {
		p := imaging.Finalist{Player: imaging.Player{Name: name, Score: score, Note: note}, Best: best, Bingos: bingos}
		total := 0
		for _, g := range gains {
			total += g
			p.Totals = append(p.Totals, total)
		}
		return p
	}
	doug := player("Doug Fraser", "won", "RELIGION at K5 for 78", 2, 398, 24, 18, 31, 66, 9, 27, 0, 78, 22, 41, 16, 33, 12, 14)
	emely := player("Emely_93", "", "ZAX at 4D for 45", 0, 352, 20, 26, 11, 45, 38, 22, 30, 19, 24, 15, 41, 28, 18, 21)
	return map[string]imaging.FinalCard{
		"huge": {Players: []imaging.Finalist{player("Ann", "", "", 0, math.MaxInt, 1, 2, 3), player("Bo", "", "", 9, math.MinInt, -4)}},
		"two":  {Caption: "Game over: Doug Fraser wins by 46", Players: []imaging.Finalist{doug, emely}},
		"four": {Caption: "Game over: Doug Fraser wins by 46", Players: []imaging.Finalist{
			player("Alexandra the Great of Macedon", "", "QUIXOTRY at 15A for 365, and no end of things to say about it", 1, 365, 0, 0, 365),
			emely, player("דנה כהן", "out", "", 0, -12), doug,
		}},
		"many": {Caption: "Game over: a tie", Players: []imaging.Finalist{emely, doug, emely, doug, emely, doug, doug}},
		"none": {Caption: "Game over before it began", Players: []imaging.Finalist{player("Ann", "", "", 0, 0), player("Bo", "", "", 0, 0)}},
	}
}

func TestFinalCard(t *testing.T) {
	for name, card := range finals() {
		for _, theme := range imaging.Themes() {
			b, err := renderer(t, theme).Final(card)
			if err != nil {
				t.Fatal(name, err)
			}
			if decode(t, b); len(b) > 60_000 {
				t.Errorf("%s: %d bytes", name, len(b))
			}
		}
	}
	if _, err := renderer(t, imaging.Light).Final(imaging.FinalCard{}); err == nil {
		t.Error("a card without players: no error")
	}
}

func TestFinalAlt(t *testing.T) {
	const want = "Game over: Doug Fraser wins by 46. Doug Fraser 398, won. Best play RELIGION at K5 for 78, 2 bingos. " +
		"Emely_93 352. Best play ZAX at 4D for 45."
	if got := finals()["two"].Alt(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	card := finals()["many"]
	for i := range card.Players {
		card.Players[i].Name, card.Players[i].Best = strings.Repeat("name ", 99), strings.Repeat("山", 999)
	}
	if n := len([]rune(card.Alt())); n > imaging.MaxAlt {
		t.Errorf("%d characters", n)
	}
}
