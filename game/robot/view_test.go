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

// TestViewHidesTiles checks that two games that differ only in hidden tiles have equal
// views.
func TestViewHidesTiles(t *testing.T) {
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

// dealtAnew returns the game with everything that a seat can't see dealt again.
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
			rack := s.Seats[latest.Seat].Rack
			latest.Rack, latest.Drew = rack, rack[:len(latest.Drew)] // the number drawn is visible
		}
		s.Latest = &latest
	}
	return s
}

// TestViewHasPreviousTurn checks that a view has the opponent's previous play or exchange.
func TestViewHasPreviousTurn(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	plays, exchanges := 0, 0
	for n := range uint64(6) {
		var s game.State
		for _, e := range gametest.RandomGame(t, seed+n, 2, game.Classic()) {
			s = s.Apply(e)
			if s.Phase != game.Playing {
				continue
			}
			var want robot.TurnView
			switch f := e.Fact.(type) {
			case game.Played:
				plays++
				want = robot.TurnView{Seat: f.Seat, Move: f.Move, Points: f.Score, Tiles: len(f.Move.LaidSquares()), Drew: len(f.Drew)}
			case game.Exchanged:
				exchanges++
				want = robot.TurnView{Seat: f.Seat, Move: game.Move{Kind: game.ExchangeTiles}, Tiles: len(f.Put), Drew: len(f.Drew)}
			case game.Passed, game.Dealt:
				if b := robot.See(s, s.Turn).Before; b != nil {
					t.Errorf("seed %d, game %d, event %d: nothing was laid or put back, but %+v", seed, n, e.Number, b)
				}
				continue
			default:
				continue
			}
			if got := robot.See(s, 1-want.Seat).Before; got == nil || *got != want {
				t.Errorf("seed %d, game %d, event %d: %+v, not %+v", seed, n, e.Number, got, want)
			}
			if own := robot.See(s, want.Seat).Before; own != nil {
				t.Errorf("seed %d, game %d, event %d: the turn of the player's own is another's", seed, n, e.Number)
			}
		}
	}
	if plays < 20 || exchanges < 2 {
		t.Errorf("seed %d: only %d plays and %d exchanges", seed, plays, exchanges)
	}
}
