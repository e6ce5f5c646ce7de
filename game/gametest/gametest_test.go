package gametest_test

import (
	"reflect"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestPictureReadsBack(t *testing.T) {
	eq := gametest.Equipment(t)
	want := gametest.Board(t, eq, `
   ABCDEFGHIJKLMNO
 1 A.............Z
 5 ..........F
 7 .......HoRN
`)
	if got := want.Tile(game.Square{Row: 6, Col: 8}); eq.Tiles.Text(got) != "o" {
		t.Errorf("I7 has %s, want the blank played as O", eq.Tiles.Text(got))
	}
	picture := gametest.Picture(eq, want)
	if got := gametest.Board(t, eq, picture); got != want {
		t.Errorf("drawn and read again:\n%s\nwas\n%s", gametest.Picture(eq, got), picture)
	}
}

func TestRandomGameIsTheSameForASeed(t *testing.T) {
	a := gametest.RandomGame(t, 7, 3, game.Club())
	b := gametest.RandomGame(t, 7, 3, game.Club())
	if len(a) != len(b) {
		t.Fatalf("%d events, then %d", len(a), len(b))
	}
	for i := range a {
		if !reflect.DeepEqual(a[i].Fact, b[i].Fact) || !a[i].At.Equal(b[i].At) {
			t.Fatalf("event %d: %+v, then %+v", i, a[i], b[i])
		}
	}
}

func TestLogHasRequestedLength(t *testing.T) {
	if got := len(gametest.Log(t, 60)); got != 60 {
		t.Errorf("%d events", got)
	}
}
