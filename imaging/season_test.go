package imaging_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/imaging"
)

// seasons returns season cards of an ordinary server and an impossible one.
func seasons() map[string]imaging.SeasonCard {
	odd := imaging.SeasonCard{Title: strings.Repeat("long ", 99), Caption: strings.Repeat("W", 999), Facts: strings.Split(strings.Repeat("fact ", 99), " ")}
	for range 30 {
		odd.Lines = append(odd.Lines,
			imaging.SeasonLine{Name: "דנה כהן", Won: math.MaxInt, Games: math.MaxInt, Note: strings.Repeat("note ", 99)},
			imaging.SeasonLine{Won: -3, Games: math.MinInt}, imaging.SeasonLine{Name: strings.Repeat("name ", 99), Won: 5, Games: 2})
	}
	return map[string]imaging.SeasonCard{
		"usual": {
			Title: "The season, January to March 2026", Caption: "31 games played",
			Lines: []imaging.SeasonLine{
				{Name: "Ann", Won: 12, Games: 20, Note: "371.2 a game"}, {Name: "Bo", Won: 9, Games: 22, Note: "355.0 a game"},
				{Name: "Chloé", Won: 7, Games: 9, Note: "402.9 a game"}, {Name: "Dan", Won: 0, Games: 1, Note: "288.0 a game"},
			},
			Facts: []string{"Best play: QUARTZ for 74, by Ann", "Best game: 511 points, by Chloé", "Longest word: RELIGIONS, by Bo"},
		},
		"odd": odd,
	}
}

func TestSeasonCard(t *testing.T) {
	for name, card := range seasons() {
		for _, theme := range imaging.Themes() {
			b, err := renderer(t, theme).Season(card)
			if err != nil {
				t.Fatal(name, err)
			}
			if decode(t, b); len(b) > 20_000+3_000*len(card.Lines) {
				t.Errorf("%s: %d bytes", name, len(b))
			}
		}
		if n := len([]rune(card.Alt())); n > imaging.MaxAlt {
			t.Errorf("%s: %d characters", name, n)
		}
	}
	if _, err := renderer(t, imaging.Light).Season(imaging.SeasonCard{}); err == nil {
		t.Error("a card without players: no error")
	}
}

func TestSeasonAlt(t *testing.T) {
	const want = "The season, January to March 2026. 1: Ann, 12 of 20 won, 371.2 a game. 2: Bo, 9 of 22 won, 355.0 a game. " +
		"3: Chloé, 7 of 9 won, 402.9 a game. 4: Dan, 0 of 1 won, 288.0 a game. " +
		"Best play: QUARTZ for 74, by Ann. Best game: 511 points, by Chloé. Longest word: RELIGIONS, by Bo. 31 games played."
	if got := seasons()["usual"].Alt(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// BenchmarkSeason draws a card of forty players, which takes 5 ms.
func BenchmarkSeason(b *testing.B) {
	card := imaging.SeasonCard{Title: "Club, season 3, division 1", Caption: "212 games played"}
	for i := range 40 {
		card.Lines = append(card.Lines, imaging.SeasonLine{Name: fmt.Sprintf("Player number %d", i), Won: 39 - i, Games: 39, Note: fmt.Sprintf("+%d", 1000-50*i)})
	}
	r := renderer(b, imaging.Light)
	for b.Loop() {
		if _, err := r.Season(card); err != nil {
			b.Fatal(err)
		}
	}
}
