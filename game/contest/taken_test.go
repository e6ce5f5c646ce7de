package contest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// elsewhere is rounds of a kind, as other software would have them: the same people under
// other numbers and in another order.
func elsewhere(t *testing.T, kind Kind, n, rounds int, seed uint64) (c *Contest, all []Round) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	there := field(n, seed)
	for range rounds {
		there.Rounds = append(there.Rounds, mustPair(t, there, Method{Kind: kind}))
		play(there, rng)
		for r := &there.Rounds[len(there.Rounds)-1]; kind == Knockout && !r.Over(there.Format); {
			play(there, rng)
		}
		r := &there.Rounds[len(there.Rounds)-1]
		for i := range r.Pairings { // no draws, for nobody could tell who went on
			if p := &r.Pairings[i]; kind == Knockout && p.B != 0 && p.Games[0].Result.Scores[0] == p.Games[0].Result.Scores[1] {
				p.Games[0].Result = Result{How: Played, Scores: [2]int{400, 300}}
			}
		}
	}
	numbers := rng.Perm(n)
	for _, r := range there.Rounds {
		took := Round{Method: Method{Kind: ByHand}}
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

// A round robin goes on from rounds that were played elsewhere so that everybody meets
// everybody once, whatever the table was there, also after a restart.
func TestRoundRobinGoesOn(t *testing.T) {
	for seed := range some(120) {
		rng := rand.New(rand.NewPCG(seed, 6))
		n := 3 + rng.IntN(14)
		cycle := n - 1 + n%2
		c, rounds := elsewhere(t, RoundRobin, n, 1+rng.IntN(cycle+2), seed)
		if err := c.Take(RoundRobin, rounds); err != nil {
			t.Fatalf("seed %d: %d of %d rounds: %v", seed, len(rounds), cycle, err)
		}
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

// A knock-out goes on from rounds that were played elsewhere: the winners meet, two by two,
// until one is left.
func TestKnockoutGoesOn(t *testing.T) {
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 7))
		n := 2 + rng.IntN(30)
		total := 0
		for 1<<total < n {
			total++
		}
		c, rounds := elsewhere(t, Knockout, n, 1+rng.IntN(total), seed)
		if err := c.Take(Knockout, rounds); err != nil {
			t.Fatalf("seed %d: %d of %d rounds: %v", seed, len(rounds), total, err)
		}
		for len(c.Rounds) < total {
			c.Rounds = append(c.Rounds, mustPair(t, c, Method{Kind: Knockout}))
			play(c, rng)
			for r := &c.Rounds[len(c.Rounds)-1]; ; play(c, rng) {
				for i := range r.Pairings {
					r.Pairings[i].PlayOff(c.Format)
				}
				if r.Over(c.Format) {
					break
				}
			}
		}
		lost := map[No]int{}
		for k, r := range c.Rounds {
			if want := 1 << (total - k - 1); len(r.Pairings) != want {
				t.Fatalf("seed %d: round %d has %d pairings, not %d", seed, k+1, len(r.Pairings), want)
			}
			for i, p := range r.Pairings {
				w, ok := p.Winner(c.Format)
				if !ok {
					t.Fatalf("seed %d: round %d: %v is open", seed, k+1, p)
				}
				if o := p.Opponent(w); o != 0 {
					lost[o]++
				}
				if k+1 < len(c.Rounds) && !c.Rounds[k+1].Pairings[i/2].Has(w) {
					t.Fatalf("seed %d: %d wins in round %d and isn't in the pairing that it feeds", seed, w, k+1)
				}
			}
		}
		for no, times := range lost {
			if times != 1 {
				t.Fatalf("seed %d: %d lost %d times", seed, no, times)
			}
		}
		if len(lost) != n-1 {
			t.Fatalf("seed %d: %d lost, of %d", seed, len(lost), n)
		}
		if _, err := c.Pair(Method{Kind: Knockout}); !errors.Is(err, ErrWon) {
			t.Fatalf("seed %d: after the last round: %v", seed, err)
		}
	}
}

// Pairings as other software has them.
func beats(a, b No) Pairing {
	return Pairing{A: a, B: b, Games: []Game{{Result: Result{How: Played, Scores: [2]int{400, 300}}}}}
}

func drew(a, b No) Pairing {
	return Pairing{A: a, B: b, Games: []Game{{Result: Result{How: Played, Scores: [2]int{300, 300}}}}}
}

func bye(no No) Pairing    { return Pairing{A: no} }
func missed(no No) Pairing { return Pairing{A: no, Missed: true} }

// byHand are rounds of pairings.
func byHand(all ...[]Pairing) (rounds []Round) {
	for _, pairings := range all {
		rounds = append(rounds, Round{Method: Method{Kind: ByHand}, Pairings: pairings})
	}
	return rounds
}

// An entrant who is in none of the rounds that were taken in missed them, and plays from the
// next on. One who is in the first alone has left after it, unless it is known when they left.
func TestWhoComesAndGoesElsewhere(t *testing.T) {
	c := field(6, 1)
	c.Entrants[5].Out = 7
	gametest.Must(t, c.Take(Swiss, byHand([]Pairing{beats(1, 2), beats(3, 4), bye(6)}, []Pairing{beats(1, 3), bye(2)})))
	for i, want := range []struct{ from, out int }{{0, 0}, {0, 0}, {0, 0}, {0, 2}, {3, 0}, {0, 7}} {
		if e := c.Entrants[i]; e.From != want.from || e.Out != want.out {
			t.Errorf("%d is there from round %d and out in %d, want %+v", e.No, e.From, e.Out, want)
		}
	}
	for i, r := range c.Rounds {
		if p := r.Pairings[len(r.Pairings)-1]; !reflect.DeepEqual(p, missed(5)) {
			t.Errorf("round %d ends with %+v, want 5 to have missed it", i+1, p)
		}
	}
}

// A round robin is of those who are there from its beginning.
func TestMembersOfARoundRobinElsewhere(t *testing.T) {
	c := field(6, 1)
	c.Entrants[0].From, c.Entrants[4].Out, c.Entrants[5].From = 1, 1, 2
	gametest.Must(t, c.Take(RoundRobin, byHand([]Pairing{beats(1, 2), beats(3, 4)})))
	c = field(4, 1)
	c.Entrants[0].From = 1
	var unfit *Unfit
	if err := c.Take(RoundRobin, byHand([]Pairing{beats(3, 2), bye(4)})); !errors.As(err, &unfit) || !slices.Equal(unfit.Who, []No{1}) {
		t.Errorf("without the first: %v", err)
	}
}

// The rounds that follow are the same for ever: by the lots of the contest.
func TestRoundsThatFollowOnesElsewhere(t *testing.T) {
	c := field(6, 1)
	gametest.Must(t, c.Take(RoundRobin, byHand([]Pairing{beats(1, 2), beats(3, 4), beats(5, 6)})))
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

// A knock-out goes on from rounds of which the last was drawn, by a play-off; from one in
// which two lost to nobody, whose place stays empty; and whoever is out may be named.
func TestKnockoutsThatGoOn(t *testing.T) {
	c := field(4, 1)
	gametest.Must(t, c.Take(Knockout, byHand([]Pairing{drew(1, 2), beats(3, 4)})))
	for _, p := range c.Rounds[0].Pairings {
		if want := map[bool]int{true: 2, false: 1}[p.Has(1)]; len(p.Games) != want {
			t.Errorf("%d and %d play %d games, want %d", p.A, p.B, len(p.Games), want)
		}
	}
	if !c.Rounds[0].Method.Taken || c.Rounds[0].Method.Kind != Knockout {
		t.Errorf("the round is by %+v", c.Rounds[0].Method)
	}
	c = field(4, 1)
	nobody := Pairing{A: 3, B: 4, Games: []Game{{Result: Result{How: LostByBoth}}}}
	if err := c.Take(Knockout, byHand([]Pairing{beats(1, 2), nobody}, []Pairing{bye(1)})); err != nil {
		t.Errorf("two lost to nobody: %v", err)
	}
	c = field(4, 1)
	if err := c.Take(Knockout, byHand([]Pairing{beats(1, 2), beats(3, 4)}, []Pairing{beats(1, 3), missed(2), bye(4)})); err != nil || len(c.Rounds[1].Pairings) != 1 {
		t.Errorf("with those who are out: %v", err)
	}
}

// What doesn't fit is named, and nothing is taken in.
func TestRoundsThatDoNotFit(t *testing.T) {
	// Two triangles that never met: no round is left for six.
	triangles := [][]Pairing{
		{beats(1, 4), beats(2, 5), beats(3, 6)}, {beats(1, 5), beats(2, 6), beats(3, 4)}, {beats(1, 6), beats(2, 4), beats(3, 5)},
	}
	for _, test := range []struct {
		says   string
		kind   Kind
		n      int
		rounds [][]Pairing
		want   Unfit
	}{
		{"two meet again", RoundRobin, 4, [][]Pairing{{beats(1, 2), beats(3, 4)}, {beats(2, 1), beats(3, 4)}}, Unfit{Why: UnfitAgain, Round: 2, Who: []No{1, 2}}},
		{"two miss a round, and then meet", RoundRobin, 4, [][]Pairing{{beats(1, 2), missed(3), missed(4)}, {beats(3, 4), beats(1, 2)}}, Unfit{Why: UnfitAgain, Round: 2, Who: []No{3, 4}}},
		{"a second bye", RoundRobin, 3, [][]Pairing{{beats(1, 2), bye(3)}, {beats(2, 1), bye(3)}}, Unfit{Why: UnfitAgain, Round: 2, Who: []No{1, 2}}},
		{"a bye again", RoundRobin, 5, [][]Pairing{{beats(1, 2), beats(3, 4), bye(5)}, {beats(1, 3), beats(2, 4), bye(5)}}, Unfit{Why: UnfitBye, Round: 2, Who: []No{5}}},
		{"four without a game", RoundRobin, 6, [][]Pairing{{beats(1, 2), missed(3), missed(4), bye(5), bye(6)}}, Unfit{Why: UnfitIdle, Round: 1, Who: []No{3, 4, 5, 6}}},
		{"three of five without a game", RoundRobin, 5, [][]Pairing{{beats(1, 2), missed(3), missed(4), bye(5)}}, Unfit{Why: UnfitIdle, Round: 1, Who: []No{3, 4, 5}}},
		{"nobody meets in a later cycle", RoundRobin, 3, [][]Pairing{
			{beats(1, 2), bye(3)}, {beats(1, 3), bye(2)}, {beats(2, 3), bye(1)}, {beats(1, 2), bye(3)}, {missed(1), missed(2), missed(3)},
		}, Unfit{Why: UnfitIdle, Round: 5, Who: []No{1, 2, 3}}},
		{"somebody is in no round", RoundRobin, 5, [][]Pairing{{beats(1, 2), beats(3, 4)}}, Unfit{Why: UnfitLate, Round: 1, Who: []No{5}}},
		{"no rounds are left", RoundRobin, 6, triangles, Unfit{Why: UnfitRest, Round: 3}},
		{"three pairings", Knockout, 6, [][]Pairing{{beats(1, 2), beats(3, 4), beats(5, 6)}}, Unfit{Why: UnfitSize, Round: 1, Count: 3}},
		{"a loser plays on", Knockout, 4, [][]Pairing{{beats(1, 2), beats(3, 4)}, {beats(1, 4)}}, Unfit{Why: UnfitOut, Round: 2, Who: []No{4}}},
		{"a draw", Knockout, 4, [][]Pairing{{beats(1, 2), drew(3, 4)}, {beats(1, 3)}}, Unfit{Why: UnfitDrawn, Round: 1, Who: []No{3, 4}}},
		{"two byes", Knockout, 4, [][]Pairing{{beats(1, 2), beats(3, 4)}, {bye(1), bye(3)}}, Unfit{Why: UnfitSize, Round: 2, Count: 2, Want: 1}},
		{"a round after the last", Knockout, 2, [][]Pairing{{beats(1, 2)}, {bye(1)}}, Unfit{Why: UnfitSize, Round: 2, Count: 1}},
		{"one who missed it", Knockout, 4, [][]Pairing{{beats(1, 2), bye(3), bye(4)}, {beats(1, 3), missed(4)}}, Unfit{Why: UnfitSize, Round: 1, Count: 3}},
		{"two who missed it", Knockout, 4, [][]Pairing{{beats(1, 2), missed(3), missed(4)}}, Unfit{Why: UnfitIdle, Round: 1, Who: []No{3, 4}}},
	} {
		c := field(test.n, 1)
		before, _ := json.Marshal(c)
		err := c.Take(test.kind, byHand(test.rounds...))
		var unfit *Unfit
		if !errors.As(err, &unfit) || !reflect.DeepEqual(*unfit, test.want) {
			t.Errorf("%s: %+v, want %+v", test.says, err, test.want)
		}
		if after, _ := json.Marshal(c); !slices.Equal(before, after) {
			t.Errorf("%s: something was taken in", test.says)
		}
	}
	// A forfeit, as files write it: one won and one lost without an opponent. Who left after
	// a round gives their opponent a bye.
	c := field(4, 1)
	gametest.Must(t, c.Take(Knockout, []Round{{Pairings: []Pairing{bye(1), missed(2), beats(3, 4)}}, {Pairings: []Pairing{bye(3), missed(2)}}}))
	if p := c.Rounds[0].Pairings; len(p) != 2 || len(c.Rounds[1].Pairings) != 1 || !slices.ContainsFunc(p, func(p Pairing) bool { return p.Opponent(1) == 2 }) {
		t.Errorf("took %v", c.Rounds)
	}
}
