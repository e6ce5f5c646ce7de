package game_test

import (
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// busyBoard is a position late in a game.
const busyBoard = `
   ABCDEFGHIJKLMNO
 3 .........J
 4 .......COAT
 5 .....V...R
 6 .....I
 7 .....N....W
 8 .PLAnETS..O.E
 9 .A.....T..LID
10 .S.....O..F.E
11 .T.....R....N
12 HEN...HEN
`

func BenchmarkReplay(b *testing.B) {
	log := gametest.Log(b, 60)
	for b.Loop() {
		if _, err := game.Replay(log); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTally(b *testing.B) {
	eq := gametest.Equipment(b)
	board := gametest.Board(b, eq, busyBoard)
	rules := game.Classic()
	m := gametest.Move(b, eq, "13F TONES")
	for b.Loop() {
		if _, err := rules.Tally(eq, &board, m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSpots(b *testing.B) {
	eq := gametest.Equipment(b)
	board := gametest.Board(b, eq, busyBoard)
	rack := gametest.Tiles(b, eq, "ATERSW?")
	word, err := game.ParseSpelling(eq.Tiles, "WATER")
	gametest.Must(b, err)
	for name, dict := range map[string]game.Dictionary{"geometry": nil, "dictionary": gametest.SmallDictionary(b)} {
		b.Run(name, func(b *testing.B) {
			spots := 0
			for b.Loop() {
				spots = len(game.Classic().Spots(eq, &board, rack, word, dict))
			}
			b.ReportMetric(float64(spots), "spots")
		})
	}
}
