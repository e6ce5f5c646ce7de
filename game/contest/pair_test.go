package contest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// field returns a contest of n single players, strongest first.
func field(n int, seed uint64) *Contest {
	c := &Contest{Seed: Seed{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24)}}
	for i := range n {
		c.Enter(Entrant{Player: Player{Name: fmt.Sprintf("P%d", i+1), Rating: 3000 - i}})
	}
	return c
}

// play gives each open game of the latest round a result.
func play(c *Contest, rng *rand.Rand) {
	r := &c.Rounds[len(c.Rounds)-1]
	for i := range r.Pairings {
		for g := range r.Pairings[i].Games {
			game := &r.Pairings[i].Games[g]
			if game.Result.Over() {
				continue
			}
			switch rng.IntN(20) {
			case 0:
				game.Result = Result{How: Played, Scores: [2]int{400, 400}}
			case 1:
				game.Result = Forfeit(Side(rng.IntN(2)))
			default:
				game.Result = Result{How: Played, Scores: [2]int{250 + rng.IntN(300), 250 + rng.IntN(300)}}
			}
		}
	}
}

func mustPair(t testing.TB, c *Contest, m Method) Round {
	t.Helper()
	r, err := c.Pair(m)
	if err != nil {
		t.Fatalf("round %d: %v", len(c.Rounds)+1, err)
	}
	return r
}

func pairsOf(r Round) (all [][2]No) {
	for _, p := range r.Pairings {
		all = append(all, [2]No{p.A, p.B})
	}
	return all
}

// TestBergerTables compares the tables with those FIDE prints for 4, 6 and 8 players
// (Handbook C.05, Annex 1).
func TestBergerTables(t *testing.T) {
	for n, want := range map[int][][][2]int{
		4: {{{1, 4}, {2, 3}}, {{4, 3}, {1, 2}}, {{2, 4}, {3, 1}}},
		6: {{{1, 6}, {2, 5}, {3, 4}}, {{6, 4}, {5, 3}, {1, 2}}, {{2, 6}, {3, 1}, {4, 5}},
			{{6, 5}, {1, 4}, {2, 3}}, {{3, 6}, {4, 2}, {5, 1}}},
		8: {{{1, 8}, {2, 7}, {3, 6}, {4, 5}}, {{8, 5}, {6, 4}, {7, 3}, {1, 2}}, {{2, 8}, {3, 1}, {4, 7}, {5, 6}},
			{{8, 6}, {7, 5}, {1, 4}, {2, 3}}, {{3, 8}, {4, 2}, {5, 1}, {6, 7}}, {{8, 7}, {1, 6}, {2, 5}, {3, 4}}, {{4, 8}, {5, 3}, {6, 2}, {7, 1}}},
	} {
		if got := Berger(n); !reflect.DeepEqual(got, want) {
			t.Errorf("%d players: %v, want %v", n, got, want)
		}
		if got := Berger(n - 1); !reflect.DeepEqual(got, want) {
			t.Errorf("%d players: %v, want the table of %d", n-1, got, n)
		}
	}
	for n := range 60 {
		met, balance := map[[2]int]int{}, map[int]int{}
		for _, r := range Berger(n) {
			for _, p := range r {
				met[[2]int{min(p[0], p[1]), max(p[0], p[1])}]++
				if max(p[0], p[1]) <= n {
					balance[p[0]]++
					balance[p[1]]--
				}
			}
		}
		even := n + n%2
		if n > 0 && len(met) != even*(even-1)/2 {
			t.Fatalf("%d players: %d pairs meet", n, len(met))
		}
		for p, b := range balance {
			if b < -1 || b > 1 {
				t.Fatalf("%d players: %d goes first %d times more than second", n, p, b)
			}
		}
	}
}

func TestRoundRobin(t *testing.T) {
	for n := 2; n <= 21; n++ {
		c := field(n, uint64(n))
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		rounds := 2 * (n + n%2 - 1)
		for range rounds {
			c.Rounds = append(c.Rounds, mustPair(t, c, Method{Kind: RoundRobin}))
			play(c, rng)
		}
		for pair, times := range c.meetings() {
			if times != 2 {
				t.Fatalf("%d players: %v met %d times", n, pair, times)
			}
		}
		for _, s := range c.Standings(-1) {
			if s.Firsts != s.Seconds || s.Byes != 2*(n%2) {
				t.Fatalf("%d players: %+v", n, s)
			}
		}
	}
}

// TestSwissByHalves checks two Swiss rounds of eight: the upper half meets the lower, then
// winners meet winners.
func TestSwissByHalves(t *testing.T) {
	c := field(8, 1)
	first := mustPair(t, c, Method{Kind: Swiss})
	for i, p := range first.Pairings {
		if pairOf(p.A, p.B) != [2]No{No(i + 1), No(i + 5)} {
			t.Fatalf("the first round is %v", pairsOf(first))
		}
		side := A
		if p.B == No(i+1) {
			side = B
		}
		res := Result{How: Played}
		res.Scores[side], res.Scores[side.Other()] = 400+10*(8-i), 400
		first.Pairings[i].Games[0].Result = res
	}
	c.Rounds = append(c.Rounds, first)
	// 1 to 4 have won by 80, 70, 60, 50; 8 lost by 50 and leads the losers.
	want := map[[2]No]bool{{1, 3}: true, {2, 4}: true, {6, 8}: true, {5, 7}: true}
	second := mustPair(t, c, Method{Kind: Swiss})
	for _, p := range second.Pairings {
		if !want[pairOf(p.A, p.B)] {
			t.Errorf("the second round is %v", pairsOf(second))
		}
	}
	if koth := mustPair(t, c, Method{Kind: KingOfTheHill}); !slices.ContainsFunc(koth.Pairings, func(p Pairing) bool { return pairOf(p.A, p.B) == [2]No{1, 2} }) {
		t.Errorf("King of the hill is %v", pairsOf(koth))
	}
}

// costOf returns the cost of a round's pairings.
func costOf(ranks []Standing, costs [][]int64, r Round) (sum int64) {
	at := map[No]int{}
	for i, s := range ranks {
		at[s.No] = i
	}
	for _, p := range r.Pairings {
		if p.B != 0 {
			sum += costs[at[p.A]][at[p.B]]
		}
	}
	return sum
}

// TestRoundsHaveLeastCost plays tournaments of up to 10 players and compares each round with all
// possible matchings: none has fewer repeats or costs less.
func TestRoundsHaveLeastCost(t *testing.T) {
	for seed := range some(500) {
		rng := rand.New(rand.NewPCG(seed, 7))
		c := field(2+rng.IntN(9), seed)
		if rng.IntN(3) == 0 && len(c.Entrants) > 3 {
			c.Entrants[0].Avoids = []No{2}
		}
		for range 7 {
			m := Method{Kind: []Kind{Swiss, Swiss, Australian, KingOfTheHill}[rng.IntN(4)]}
			r := mustPair(t, c, m)
			ranks := c.playing(len(c.Rounds) + 1)
			if len(ranks)%2 == 1 {
				bye := r.Pairings[len(r.Pairings)-1]
				at := byeFor(ranks)
				if !bye.Bye() || bye.A != ranks[at].No {
					t.Fatalf("seed %d: the bye is %+v", seed, bye)
				}
				for i, s := range ranks {
					if s.Byes < ranks[at].Byes || s.Byes == ranks[at].Byes && i > at {
						t.Fatalf("seed %d: %d has the bye before %d", seed, bye.A, s.No)
					}
				}
				ranks = slices.Delete(ranks, at, at+1)
			}
			costs := newDraw(c, m.Kind, ranks).costs()
			got, want := costOf(ranks, costs, r), tryAll(len(ranks), func(i, j int) int64 { return costs[i][j] })
			if got != want {
				t.Fatalf("seed %d: %s round %d costs %d, the least is %d", seed, m.Kind, len(c.Rounds)+1, got, want)
			}
			met := c.meetings()
			repeat := func(a, b No) int64 { return int64(min(met[pairOf(a, b)], 1)) }
			var repeats int64
			for _, p := range r.Pairings {
				if p.B != 0 {
					repeats += repeat(p.A, p.B)
				}
			}
			least := tryAll(len(ranks), func(i, j int) int64 { return repeat(ranks[i].No, ranks[j].No) })
			if m.Kind != KingOfTheHill && least == 0 && repeats > 0 && len(c.Entrants[0].Avoids) == 0 {
				t.Fatalf("seed %d: %d repeats where there need be none", seed, repeats)
			}
			lead := map[No]int{}
			for _, s := range c.Standings(-1) {
				lead[s.No] = s.Firsts - s.Seconds
			}
			for _, p := range r.Pairings {
				if p.B != 0 && lead[p.A] > lead[p.B] {
					t.Fatalf("seed %d: %d goes first against %d, who did so less often", seed, p.A, p.B)
				}
			}
			if again := mustPair(t, c, m); !reflect.DeepEqual(r, again) {
				t.Fatalf("seed %d: the same round is paired otherwise", seed)
			}
			c.Rounds = append(c.Rounds, r)
			play(c, rng)
		}
	}
}

func TestNoRepeatsIsRefused(t *testing.T) {
	c := field(4, 3)
	rng := rand.New(rand.NewPCG(3, 3))
	for range 3 {
		c.Rounds = append(c.Rounds, mustPair(t, c, Method{Kind: Swiss, NoRepeats: true}))
		play(c, rng)
	}
	if _, err := c.Pair(Method{Kind: Swiss, NoRepeats: true}); !errors.Is(err, ErrNoPairing) {
		t.Errorf("the fourth round of four: %v", err)
	}
	mustPair(t, c, Method{Kind: Swiss})
}

func TestImpossibleRounds(t *testing.T) {
	for n := range 2 {
		for _, k := range Kinds() {
			if _, err := field(n, 1).Pair(Method{Kind: k}); !errors.Is(err, ErrFew) {
				t.Errorf("%s of %d: %v", k, n, err)
			}
		}
	}
	if _, err := field(MaxEntrants+1, 1).Pair(Method{Kind: Swiss}); !errors.Is(err, ErrMany) {
		t.Errorf("too many: %v", err)
	}
	c := field(6, 1)
	c.Rounds = append(c.Rounds, mustPair(t, c, Method{Kind: Swiss}))
	var open *Undecided
	if _, err := c.Pair(Method{Kind: Swiss}); !errors.As(err, &open) || open.Round != 1 {
		t.Errorf("a round before isn't over: %v", err)
	}
	if _, err := c.Pair(Method{Kind: "fontes"}); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown: %v", err)
	}
}

func TestKnockout(t *testing.T) {
	for n := 2; n <= 40; n++ {
		c := field(n, uint64(n))
		rounds := 0
		for {
			r, err := c.Pair(Method{Kind: Knockout})
			if errors.Is(err, ErrWon) {
				break
			}
			gametest.Must(t, err)
			for i, p := range r.Pairings { // the better seed wins
				if p.B != 0 {
					side := A
					if p.A > p.B {
						side = B
					}
					r.Pairings[i].Games[0].Result = Forfeit(side.Other())
				}
			}
			c.Rounds = append(c.Rounds, r)
			rounds++
		}
		last := c.Rounds[rounds-1].Pairings
		if len(last) != 1 || pairOf(last[0].A, last[0].B) != [2]No{1, 2} {
			t.Errorf("of %d the last round is %v", n, last)
		}
	}
}

func TestKnockoutDrawNeedsAnotherGame(t *testing.T) {
	c := field(2, 1)
	r := mustPair(t, c, Method{Kind: Knockout})
	r.Pairings[0].Games[0].Result = Result{How: Played, Scores: [2]int{400, 400}}
	c.Rounds = append(c.Rounds, r)
	var open *Undecided
	if _, err := c.Pair(Method{Kind: Knockout}); err != nil && !errors.Is(err, ErrWon) || errors.As(err, &open) {
		t.Errorf("the last round: %v", err)
	}
	if _, won := c.Rounds[0].Pairings[0].Winner(c.Format); won {
		t.Error("a draw has a winner")
	}
	p := &c.Rounds[0].Pairings[0]
	p.Games = append(p.Games, Game{First: B, Result: Result{How: Played, Scores: [2]int{300, 301}}})
	if no, won := p.Winner(c.Format); !won || no != p.B {
		t.Errorf("after another game: %d, %v", no, won)
	}
}

func TestPairByHandAndSwap(t *testing.T) {
	c := field(5, 2)
	for why, pairs := range map[string][][2]No{
		MisfitUnknown: {{1, 9}},
		MisfitTwice:   {{1, 2}, {2, 3}},
		MisfitSelf:    {{1, 1}},
		MisfitLeft:    {{1, 2}, {3, 0}},
	} {
		var m *Misfit
		if _, err := c.Hand(pairs); !errors.As(err, &m) || m.Why != why {
			t.Errorf("%s: %v", why, err)
		}
	}
	r, err := c.Hand([][2]No{{1, 2}, {3, 4}, {5, 0}})
	gametest.Must(t, err)
	swapped, err := c.Swap(r, 2, 5)
	gametest.Must(t, err)
	if got := pairOf(swapped.Pairings[0].A, swapped.Pairings[0].B); got != [2]No{1, 5} || !swapped.Pairings[2].Bye() || swapped.Pairings[2].A != 2 {
		t.Errorf("swapped: %v", pairsOf(swapped))
	}
}

func TestLateEntriesAndAbsences(t *testing.T) {
	c := field(4, 5)
	rng := rand.New(rand.NewPCG(5, 5))
	c.Rounds = append(c.Rounds, mustPair(t, c, Method{Kind: Swiss}))
	play(c, rng)
	late := c.Enter(Entrant{Player: Player{Name: "Late"}})
	c.Entrants[0].Away = []int{2}
	r := mustPair(t, c, Method{Kind: Swiss})
	missed := r.Pairings[len(r.Pairings)-1]
	if !missed.Missed || missed.A != 1 {
		t.Errorf("who is away: %v", pairsOf(r))
	}
	c.Rounds = append(c.Rounds, r)
	play(c, rng)
	for _, s := range c.Standings(1) {
		if s.No == late && (s.Lost != 1 || s.Spread != -ForfeitSpread || s.Place != len(c.Entrants)) && s.Points != 0 {
			t.Errorf("a late entry stands at %+v", s)
		}
	}
	c.Entrants[1].Out = 3
	for _, p := range mustPair(t, c, Method{Kind: Swiss}).Pairings {
		if p.Has(2) {
			t.Errorf("who left is paired: %+v", p)
		}
	}
}

// TestTeamsMeetBoardByBoard checks that teams meet board by board, in order.
func TestTeamsMeetBoardByBoard(t *testing.T) {
	c := field(4, 9)
	c.Format.Boards = 3
	r := mustPair(t, c, Method{Kind: Swiss})
	p := r.Pairings[0]
	if len(p.Games) != 3 || p.Games[0].First != A || p.Games[1].First != B || p.Games[2].First != A || p.Games[2].Board != 3 {
		t.Fatalf("boards: %+v", p.Games)
	}
	p.Games[0].Result = Result{How: Played, Scores: [2]int{500, 300}}
	p.Games[1].Result = Result{How: Played, Scores: [2]int{390, 400}}
	if p.Over(c.Format) {
		t.Error("over with a board open")
	}
	p.Games[2].Result = Forfeit(A)
	if a, b := p.Score(A, c.Format), p.Score(B, c.Format); a.Points != 0 || b.Points != 2 || a.GamePoints != 2 || b.GamePoints != 4 || a.Spread != 140 || b.Spread != -140 {
		t.Errorf("A %+v B %+v", a, b)
	}
}

func TestBestOfThree(t *testing.T) {
	f := Format{Games: 3}
	p := Pairing{A: 1, B: 2, Games: []Game{{Result: Forfeit(B)}, {First: B}, {}}}
	if p.Over(f) || p.Score(A, f).Points != 0 {
		t.Error("over after one game")
	}
	p.Games[1].Result = Result{How: Played, Scores: [2]int{400, 300}}
	if !p.Over(f) || p.Score(A, f).Points != 2 || p.Score(A, f).Spread != 150 {
		t.Errorf("after two wins: %+v", p.Score(A, f))
	}
}

// TestSwissOfAnySize checks that Swiss tournaments of 2 to 500 players can be paired to the end.
func TestSwissOfAnySize(t *testing.T) {
	for _, n := range []int{2, 3, 17, 500} {
		c := field(n, uint64(n))
		rng := rand.New(rand.NewPCG(uint64(n), 2))
		for range 4 {
			c.Rounds = append(c.Rounds, mustPair(t, c, Method{Kind: Swiss}))
			play(c, rng)
		}
	}
}

func benchmark(b *testing.B, n, rounds int) {
	c := field(n, 1)
	rng := rand.New(rand.NewPCG(1, 1))
	for range rounds {
		c.Rounds = append(c.Rounds, mustPair(b, c, Method{Kind: Swiss}))
		play(c, rng)
	}
	b.ResetTimer()
	for b.Loop() {
		mustPair(b, c, Method{Kind: Swiss})
	}
}

func BenchmarkSwiss200(b *testing.B) { benchmark(b, 200, 10) }
func BenchmarkSwiss40(b *testing.B)  { benchmark(b, 40, 10) }

// TestPlayOff checks that a drawn knock-out pairing gets one more game at a time, with the first
// move alternating, until a side wins, and that a corrected result removes it.
func TestPlayOff(t *testing.T) {
	draw, win := Result{How: Played, Scores: [2]int{400, 400}}, Result{How: Played, Scores: [2]int{401, 400}}
	for _, f := range []Format{{}, {Games: 3}, {Boards: 2}} {
		c := field(4, 1)
		c.Format = f
		r := mustPair(t, c, Method{Kind: Knockout})
		p := &r.Pairings[0]
		base := len(p.Games)
		for i := range p.Games {
			p.Games[i].Result = draw
			p.PlayOff(f)
		}
		more := len(p.Games) - base
		if more != max(f.Boards, 1) || p.Over(f) || p.Games[base].First == p.Games[base-max(f.Boards, 1)].First {
			t.Fatalf("%+v: after a draw %d more games, over %v, %+v", f, more, p.Over(f), p.Games)
		}
		p.Games[0].Result = win // corrected
		p.PlayOff(f)
		if no, won := p.Winner(f); len(p.Games) != base || !won || no != p.A {
			t.Errorf("%+v: after a correction %d games, won %v", f, len(p.Games), won)
		}
		p.Games[0].Result = draw
		p.PlayOff(f)
		for i := base; i < base+more; i++ {
			p.Games[i].Result = draw
			p.PlayOff(f)
		}
		if len(p.Games) != base+2*more || p.Over(f) {
			t.Errorf("%+v: after another draw %d games", f, len(p.Games))
		}
		for i := base + more; i < len(p.Games); i++ {
			p.Games[i].Result = Result{How: LostByBoth}
			p.PlayOff(f)
		}
		if !p.Over(f) || !lostByBoth(*p, f) {
			t.Errorf("%+v: who both forfeit the deciding game go on", f)
		}
	}
}

// First moves stay even although one game in eight is void: hardly anyone moves first twice more
// often than second, or the other way round.
func TestFirstMovesAfterVoidGames(t *testing.T) {
	const seeds, players, rounds = 20, 61, 8
	uneven := 0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		c := &Contest{Seed: Seed{byte(seed)}}
		for i := range players {
			c.Enter(Entrant{Player: Player{ID: fmt.Sprint(i), Name: fmt.Sprint(i)}})
		}
		for range rounds {
			r := mustPair(t, c, Method{Kind: Swiss})
			c.Rounds = append(c.Rounds, r)
			for i := range r.Pairings {
				switch p := &r.Pairings[i]; {
				case p.B == 0:
				case rng.IntN(8) == 0:
					p.Games[0].Result = Result{How: Void}
				default:
					p.Games[0].Result = Result{How: Played, Scores: [2]int{rng.IntN(500), rng.IntN(500)}}
				}
			}
		}
		for _, s := range c.Standings(-1) {
			d := s.Firsts - s.Seconds
			if d < -3 || d > 3 {
				t.Errorf("seed %d: %d moves first %d times, second %d times", seed, s.No, s.Firsts, s.Seconds)
			}
			if d < -1 || d > 1 {
				uneven++
			}
		}
	}
	if share := float64(uneven) / (seeds * players); share > 0.12 {
		t.Errorf("%.1f%% of the players have uneven first moves, want at most 12%%", 100*share)
	}
}
