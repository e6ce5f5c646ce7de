package robot

import (
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestVowelsBesidePremiumSquaresCostAnOpening uses the premium squares above and below G8 and I8,
// and beside H7 and H9.
func TestVowelsBesidePremiumSquaresCostAnOpening(t *testing.T) {
	eq, list := smallWorld(t)
	rules := game.Classic()
	a := newAppraiser(newGenerator(t, list, eq, rules), &rules, eq, &Leaves{})
	var empty game.Board
	for _, test := range []struct {
		play    string
		exposed int
	}{
		{"8F CAT", 1}, {"8G CAT", 0}, {"8H CAT", 1}, {"H7 CAT", 0}, {"H8 CAT", 1},
		{"8G ATE", 2}, {"8F ATE", 0}, {"8H CaT", 1},
	} {
		m := gametest.Move(t, eq, test.play)
		tally, err := rules.Tally(eq, &empty, m)
		if err != nil {
			t.Fatal(err)
		}
		a.weigh(&empty, m.Tiles.Faces(), 86, 0, 1)
		if got, want := a.equity(m, tally.Total), Points(tally.Total)-Equity(test.exposed)*exposed; got != want {
			t.Errorf("%s: equity %v, want %v", test.play, got.Float(), want.Float())
		}
	}
}
