package robot_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

// TestRobotAgreesToEnd checks that a robot agrees to end a game if it can't lose by it, if the game is lost
// beyond hope, and if no one can play any more.
func TestRobotAgreesToEnd(t *testing.T) {
	eq := gametest.Equipment(t)
	small, err := lexicon.Build("small", eq.Tiles.Alphabet(), strings.NewReader(strings.ReplaceAll(gametest.SmallList, " ", "\n")))
	if err != nil {
		t.Fatal(err)
	}
	mind := robot.NewMind(small, nil, nil)
	for _, c := range []struct {
		name        string
		board, rack string
		bag         int
		own, theirs int
		want        bool
	}{
		{"on the first turn", "", "RAINSTE", 86, 0, 0, false},
		{"behind by what a few turns bring", "8 .......HORN", "RAINSTE", 60, 20, 90, false},
		{"ahead by more than its own rack costs", "8 .......HORN", "RAINSTE", 60, 90, 60, true},
		{"ahead by less, so that the racks decide", "8 .......HORN", "QZINSTE", 60, 70, 60, false},
		{"far ahead on the second turn", "8 .......HORN", "QZINSTE", 80, 114, 60, true},
		{"behind by more than all its tiles can bring", "8 .......HORN", "RA", 0, 20, 60, true},
		{"behind by what they might", "8 .......HORN", "FA", 0, 20, 45, false},
		{"nobody can play any more", "8 .......HORN", "VV", 0, 30, 32, true},
	} {
		s := game.State{Phase: game.Playing, Rules: game.Club(), Equipment: eq, Board: gametest.Board(t, eq, c.board)}
		s.Bag = eq.Tiles.All()[:c.bag]
		s.Seats = []game.Seat{{Score: c.theirs, Rack: gametest.Tiles(t, eq, "VVC")}, {Score: c.own, Rack: gametest.Tiles(t, eq, c.rack)}}
		if got, err := mind.Agrees(s, 1); got != c.want || err != nil {
			t.Errorf("%s: agrees %t, %v", c.name, got, err)
		}
	}
}
