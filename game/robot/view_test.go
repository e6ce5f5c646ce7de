package robot_test

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
)

// Two games that differ only in what a player can't know look the same.
func TestAViewHasNothingThatIsHidden(t *testing.T) {
	seed := time.Now().UnixNano()
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	views := 0
	for n := range uint64(8) {
		players := 2 + int(n%3)
		var s game.State
		for _, e := range gametest.RandomGame(t, uint64(seed)+n, players, game.RuleSets()[n%2]) {
			s = s.Apply(e)
			if s.Phase != game.Playing && s.Phase != game.Closing || len(s.Seats[0].Rack) == 0 {
				continue
			}
			for me := range s.Seats {
				views++
				if a, b := robot.See(s, me), robot.See(dealtAnew(rng, s, me), me); !reflect.DeepEqual(a, b) {
					t.Fatalf("seed %d, game %d, event %d: seat %d sees\n%+v\nand with other tiles hidden\n%+v", seed, n, e.Number, me, a, b)
				}
			}
		}
	}
	if views < 400 {
		t.Errorf("seed %d: only %d views", seed, views)
	}
}

// dealtAnew is the game with everything that a seat can't see dealt anew.
func dealtAnew(rng *rand.Rand, s game.State, me int) game.State {
	unseen := []byte(s.Unseen(me))
	rng.Shuffle(len(unseen), func(i, k int) { unseen[i], unseen[k] = unseen[k], unseen[i] })
	s.Seats = append([]game.Seat(nil), s.Seats...)
	for i := range s.Seats {
		if i != me {
			n := len(s.Seats[i].Rack)
			s.Seats[i].Rack, unseen = game.Tiles(unseen[:n]), unseen[n:]
		}
	}
	s.Bag = game.Tiles(unseen)
	for i := range s.Secret {
		s.Secret[i] = byte(rng.Uint32())
	}
	if s.Latest != nil {
		latest := *s.Latest
		if latest.Seat != me {
			latest.Rack, latest.Drew = s.Seats[latest.Seat].Rack, s.Seats[latest.Seat].Rack
		}
		s.Latest = &latest
	}
	return s
}
