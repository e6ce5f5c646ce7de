package words_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A tie that the rules break is announced with the reason. Other endings have none.
func TestTiesAreExplained(t *testing.T) {
	for _, c := range []struct {
		name    string
		rules   game.Rules
		scores  [2]int
		winners []int
		want    string
	}{
		{"more before the racks were settled", game.Match(), [2]int{120, 121}, []int{1}, "The totals are equal, and Bob had more before leftover tiles were counted: 121 to 120."},
		{"one has more", game.Match(), [2]int{120, 130}, []int{1}, ""},
		{"equal before too", game.Match(), [2]int{120, 120}, []int{0, 1}, ""},
		{"rules that break no tie", game.Classic(), [2]int{120, 121}, []int{0, 1}, ""},
	} {
		eq := gametest.Equipment(t)
		s := game.State{Phase: game.Playing, Rules: c.rules, Equipment: eq, Board: gametest.Board(t, eq, "")}
		s.Seats = []game.Seat{{Person: game.Person{ID: "a", Name: "Ann"}, Score: c.scores[0]}, {Person: game.Person{ID: "b", Name: "Bob"}, Score: c.scores[1]}}
		f := game.Ended{Reason: game.PassedEnd, Winners: c.winners, Adjust: []int{-3, -4}, Racks: []game.Tiles{gametest.Tiles(t, eq, "AEE"), gametest.Tiles(t, eq, "AEEE")}}
		if c.scores[1] == c.scores[0] {
			f.Adjust[1] = -3
		}
		told := words.EndSentence(s, f).String()
		if strings.Contains(told, "equal") != (c.want != "") || !strings.Contains(told, c.want) {
			t.Errorf("%s: %s", c.name, told)
		}
	}
}
