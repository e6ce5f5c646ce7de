package contest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// elsewhere returns rounds of a round robin as imported from other software: the same
// people with other numbers and in another order.
func elsewhere(t *testing.T, n, rounds int, seed uint64) (c *Contest, all []Round) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	there := field(n, seed)
	for range rounds {
		there.Rounds = append(there.Rounds, mustPair(t, there, Method{Kind: RoundRobin}))
		play(there, rng)
	}
	numbers := rng.Perm(n)
	for _, r := range there.Rounds {
		took := Round{Method: Method{Kind: RoundRobin, Imported: true}}
		for _, p := range r.Pairings {
			p.A = No(numbers[p.A-1] + 1)
			if p.B != 0 {
				p.B = No(numbers[p.B-1] + 1)
			}
			took.Pairings = append(took.Pairings, p)
		}
		rng.Shuffle(len(took.Pairings), func(i, j int) {
			took.Pairings[i], took.Pairings[j] = took.Pairings[j], took.Pairings[i]
		})
		all = append(all, took)
	}
	return field(n, seed+1), all
}

// TestImportedRoundRobinContinues checks that a round robin continued from imported rounds makes
// everybody meet once, whatever the other software's table was, and also after a restart.
func TestImportedRoundRobinContinues(t *testing.T) {
	for seed := range some(120) {
		rng := rand.New(rand.NewPCG(seed, 6))
		n := 3 + rng.IntN(14)
		cycle := n - 1 + n%2
		c, rounds := elsewhere(t, n, 1+rng.IntN(cycle+2), seed)
		c.Rounds = rounds
		for len(c.Rounds) < 2*cycle {
			stored, err := json.Marshal(c)
			gametest.Must(t, err)
			var again Contest
			gametest.Must(t, json.Unmarshal(stored, &again))
			r := mustPair(t, c, Method{Kind: RoundRobin})
			if same := mustPair(t, &again, Method{Kind: RoundRobin}); !reflect.DeepEqual(r, same) {
				t.Fatalf("seed %d: paired as %v, and after a restart as %v", seed, r, same)
			}
			c.Rounds = append(c.Rounds, r)
			play(c, rng)
		}
		for k := range 2 {
			met := map[[2]No]int{}
			for _, r := range c.Rounds[k*cycle : (k+1)*cycle] {
				for _, p := range r.Pairings {
					met[[2]No{min(p.A, p.B), max(p.A, p.B)}]++
				}
			}
			for pair, times := range met {
				if times != 1 {
					t.Fatalf("seed %d, cycle %d: %v met %d times", seed, k+1, pair, times)
				}
			}
			if want := (n + n%2) * cycle / 2; len(met) != want {
				t.Fatalf("seed %d, cycle %d: %d pairs met, of %d", seed, k+1, len(met), want)
			}
		}
		for _, s := range c.Standings(-1) {
			if d := s.Firsts - s.Seconds; len(rounds) == 1 && (d < -3 || d > 3) {
				t.Errorf("seed %d: %d moves first in %d games and second in %d", seed, s.No, s.Firsts, s.Seconds)
			}
		}
	}
}

// TestRoundsAfterImportNeverChange checks that the following rounds never change: they
// depend on the contest's lots.
func TestRoundsAfterImportNeverChange(t *testing.T) {
	c := field(6, 1)
	won := []Game{{Result: Result{How: Played, Scores: [2]int{400, 300}}}}
	c.Rounds = []Round{{Method: Method{Kind: RoundRobin, Imported: true}, Pairings: []Pairing{{A: 1, B: 2, Games: won}, {A: 3, B: 4, Games: won}, {A: 5, B: 6, Games: won}}}}
	var follow []string
	for range 4 {
		c.Rounds = append(c.Rounds, mustPair(t, c, Method{Kind: RoundRobin}))
		var round []string
		for _, p := range c.Rounds[len(c.Rounds)-1].Pairings {
			round = append(round, fmt.Sprint(p.A, "-", p.B))
		}
		follow = append(follow, strings.Join(round, " "))
	}
	if got, want := strings.Join(follow, ", "), "4-1 2-6 5-3, 1-5 2-4 6-3, 3-1 2-5 6-4, 6-1 3-2 4-5"; got != want {
		t.Errorf("there follow %s, want %s", got, want)
	}
}
