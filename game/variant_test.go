package game_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// vary returns a rule set played as a variant.
func vary(r game.Rules, variant string) game.Rules {
	r.Variant = variant
	return r
}

// TestRandomGamesOfVariants plays whole games of every variant by every rule set with every number
// of players, and checks that tiles are preserved, games end, logs replay and draws can be verified
// (document 002, variations).
func TestRandomGamesOfVariants(t *testing.T) {
	for _, v := range game.Variants() {
		if v.Shared {
			continue // see TestRandomDuplicate
		}
		for i, rules := range game.RuleSets() {
			rules.Variant = v.Name
			varied, _ := gametest.EquipVariant(t, rules)
			for _, players := range sizes(varied, i) {
				for _, seed := range gameSeeds() {
					t.Run(fmt.Sprintf("%s/%s/%d players/seed %d", v.Name, rules.Name, players, seed), func(t *testing.T) {
						inspect(t, gametest.RandomGame(t, seed, players, rules))
					})
				}
			}
		}
	}
}

// inspect checks a whole game of any variant.
func inspect(t *testing.T, events []game.Event) {
	var s game.State
	for _, e := range events {
		s = s.Apply(e)
		if got, want := tilesOf(s), s.Equipment.Tiles.All(); got != want {
			t.Fatalf("after event %d, %T, there are the tiles %s, not %s", e.Number, e.Fact, s.Equipment.Tiles.Print(got), s.Equipment.Tiles.Print(want))
		}
	}
	if s.Phase != game.Over || s.End == nil {
		t.Error("the game has no end")
	}
	lines, err := record.MarshalLog(events)
	gametest.Must(t, err)
	back, err := record.UnmarshalLog(lines)
	gametest.Must(t, err)
	if again, err := game.Replay(back); err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("stored and replayed it is another game (%v):\n%+v\n%+v", err, again, s)
	}
	proof, err := record.NewProof(back)
	gametest.Must(t, err)
	if _, err := proof.Check(); err != nil {
		t.Errorf("the proof: %v", err)
	}
}

// tilesOf returns every tile of a game, wherever it is, sorted.
func tilesOf(s game.State) game.Tiles {
	all := s.Bag + s.Removed + s.Board.Tiles().Faces()
	for _, seat := range s.Seats {
		all += seat.Rack + seat.Taken
	}
	return all.Sorted()
}
