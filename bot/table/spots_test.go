package table_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestSpotsOfValidWords compares what the move generator finds for a typed word with what
// the rules find on every square, in random games, for words in all their spellings: whole,
// with blanks named, with squares left to the board.
func TestSpotsOfValidWords(t *testing.T) {
	words := strings.Fields(gametest.SmallList)
	found := 0
	for seed := range uint64(gametest.Share(6)) {
		rules := game.Classic()
		rules.Challenge = game.Void
		rng := rand.New(rand.NewPCG(seed, 3))
		var s game.State
		for _, e := range gametest.RandomGame(t, seed, 2, rules) {
			if s = s.Apply(e); s.Phase != game.Playing || len(s.Seats[s.Turn].Rack) == 0 {
				continue
			}
			rack := s.Seats[s.Turn].Rack
			if rng.IntN(2) == 0 {
				rack = rack[1:] + game.TilesOf(game.Blank)
			}
			for range 30 {
				word := words[rng.IntN(len(words))]
				typed := word
				switch i := rng.IntN(len(word)); rng.IntN(5) {
				case 0:
					typed = word[:i] + "?" + word[i:]
				case 1:
					typed = word[:i] + "." + word[i+1:]
				case 2:
					typed = word[:i] + "(" + word[i:i+1] + ")" + word[i+1:]
				}
				sp, err := game.ParseSpelling(s.Equipment.Tiles, typed)
				if err != nil {
					t.Fatal(typed, err)
				}
				want := s.Rules.Spots(s.Equipment, &s.Board, rack, sp, bottest.Small(t))
				got, err := table.ValidSpots(table.Table{State: s}, rack, sp, bottest.Small(t))
				if err != nil || len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d, event %d: %s from %s: %v\n got %v\nwant %v\n%s", seed, s.Number, typed, s.Equipment.Tiles.Print(rack), err, got, want, gametest.Picture(s.Equipment, s.Board))
				}
				found += len(want)
			}
		}
	}
	if found < gametest.Share(200) {
		t.Errorf("only %d spots: not much was tested", found)
	}
}

// A word that leaves a square to the board goes where the board has a letter for it.
func TestSpotsThroughTile(t *testing.T) {
	rules := game.Classic()
	rules.Challenge = game.Void
	eq := gametest.Equipment(t)
	s := game.State{Phase: game.Playing, Rules: rules, Equipment: eq, Board: gametest.Board(t, eq, "\n 8 .......HORN")}
	sp, err := game.ParseSpelling(eq.Tiles, "FA.M")
	gametest.Must(t, err)
	spots, err := table.ValidSpots(table.Table{State: s}, gametest.Tiles(t, eq, "FAMQIES"), sp, bottest.Small(t))
	if err != nil || len(spots) != 1 || spots[0].Move.Dir != game.Down {
		t.Errorf("FARM through the R of HORN has the spots %+v, %v", spots, err)
	}
}
