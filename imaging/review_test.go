package imaging_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/imaging"
)

// reviews returns review cards of an ordinary game, a faultless one, and an impossible one.
func reviews() map[string]imaging.ReviewCard {
	ann := imaging.ReviewedPlayer{Player: imaging.Player{Name: "Ann", Score: 398, Note: "won"}, Loss: 3.4, Accuracy: 92}
	bo := imaging.ReviewedPlayer{Player: imaging.Player{Name: "Bo", Score: 352}, Loss: 11, Accuracy: 78, Phonies: []string{"QUARZ"}}
	dana := imaging.ReviewedPlayer{Player: imaging.Player{Name: "דנה כהן"}, Loss: math.Inf(1), Accuracy: -1, Phonies: strings.Split(strings.Repeat("PHONY ", 99), " ")}
	return map[string]imaging.ReviewCard{
		"two": {Caption: "Ann won by 46", Players: []imaging.ReviewedPlayer{ann, bo}, Missed: []imaging.MissedPlay{
			{Turn: 12, Player: "Ann", Play: "QUARTZ 8D", Score: 74, Loss: 31},
			{Turn: 5, Player: "Bo", Play: "RELIGION K5", Score: 78, Loss: 24.5},
			{Turn: 21, Player: "Bo", Play: "ZAX 4D", Score: 45, Loss: 18.2},
		}},
		"perfect": {Players: []imaging.ReviewedPlayer{ann}},
		"odd": {Players: []imaging.ReviewedPlayer{dana, ann, bo, dana, ann, bo, dana, bo}, Missed: []imaging.MissedPlay{
			{Turn: math.MinInt, Player: strings.Repeat("name ", 99), Play: strings.Repeat("W", 999), Score: math.MaxInt, Loss: math.MaxFloat64},
			{}, {}, {}, {}, {}, {Loss: math.NaN()},
		}},
	}
}

func TestReviewCard(t *testing.T) {
	for name, card := range reviews() {
		for _, theme := range imaging.Themes() {
			b, err := renderer(t, theme).Review(card)
			if err != nil {
				t.Fatal(name, err)
			}
			if decode(t, b); len(b) > 60_000 {
				t.Errorf("%s: %d bytes", name, len(b))
			}
		}
		if n := len([]rune(card.Alt())); n > imaging.MaxAlt {
			t.Errorf("%s: %d characters", name, n)
		}
	}
	if _, err := renderer(t, imaging.Light).Review(imaging.ReviewCard{}); err == nil {
		t.Error("a card without players: no error")
	}
}

func TestReviewAlt(t *testing.T) {
	const want = "Ann won by 46. Ann 398, won. Gave away 3.4 points a turn, accuracy 92%. " +
		"Bo 352. Gave away 11 points a turn, accuracy 78%, a phony stood: QUARZ. " +
		"Turn 12, Ann: missed QUARTZ 8D for 74, which cost 31 points. Turn 5, Bo: missed RELIGION K5 for 78, which cost 24.5 points. " +
		"Turn 21, Bo: missed ZAX 4D for 45, which cost 18.2 points."
	if got := reviews()["two"].Alt(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
