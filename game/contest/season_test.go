package contest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// some returns how many of n seeds to try: all in long runs, otherwise a third.
func some(n uint64) uint64 {
	return gametest.Rounds(n/3, n)
}

func division(n int, seed uint64) *Contest {
	var players []Player
	for i := range n {
		players = append(players, Player{ID: fmt.Sprint("p", i), Name: fmt.Sprint("P", i), Rating: 1500 + i})
	}
	return NewDivision(Seed{byte(seed), byte(seed >> 8)}, players)
}

// TestDivisionPlaysAllPairs checks in every size that all meet once (twice below five), and that first
// moves are balanced.
func TestDivisionPlaysAllPairs(t *testing.T) {
	for n := 2; n <= 20; n++ {
		c := division(n, uint64(n))
		times := 1
		if n < DoubleBelow {
			times = 2
		}
		met := c.meetings()
		if len(met) != n*(n-1)/2 {
			t.Fatalf("of %d only %d pairs meet", n, len(met))
		}
		for pair, m := range met {
			if m != times {
				t.Fatalf("of %d %v meet %d times", n, pair, m)
			}
		}
		balanced(t, c)
	}
}

func balanced(t *testing.T, c *Contest) {
	t.Helper()
	for _, s := range c.Table() {
		if d := s.Firsts - s.Seconds; d < -1 || d > 1 {
			t.Fatalf("%d goes first %d times and second %d times", s.No, s.Firsts, s.Seconds)
		}
	}
}

// A season plays a division in a random order determined by a seed: at most three games at
// once per player, until all games are over. Some players may leave.
type season struct {
	*Contest
	rng     *rand.Rand
	running map[Ref]bool
}

func newSeason(n int, seed uint64) *season {
	return &season{division(n, seed), rand.New(rand.NewPCG(seed, 33)), map[Ref]bool{}}
}

func (s *season) begin(t *testing.T) {
	for _, at := range s.Begin(3, func(r Ref) bool { return s.running[r] }) {
		s.running[at] = true
	}
	busy := map[No]int{}
	for at, p := range s.Games() {
		if s.running[at] && !p.Games[0].Result.Over() {
			busy[p.A]++
			busy[p.B]++
		}
	}
	for no, n := range busy {
		if n > 3 {
			t.Fatalf("%d plays %d games at once", no, n)
		}
	}
}

func (s *season) result() Result {
	switch s.rng.IntN(12) {
	case 0:
		return Result{How: Played, Scores: [2]int{400, 400}}
	case 1:
		return Forfeit(Side(s.rng.IntN(2)))
	}
	return Result{How: Played, Scores: [2]int{300 + s.rng.IntN(200), 300 + s.rng.IntN(200)}}
}

// step ends a running game, and reports whether there was one.
func (s *season) step() bool {
	var open []Ref
	for at, p := range s.Games() {
		if s.running[at] && !p.Games[0].Result.Over() {
			open = append(open, at)
		}
	}
	if len(open) == 0 {
		return false
	}
	p, _ := s.Game(open[s.rng.IntN(len(open))])
	p.Games[0].Result = s.result()
	return true
}

// TestPossiblePlacesHold checks that ranges hold to the end and only narrow, whichever players
// leave and when, and that first moves stay balanced as far as running games allow.
func TestPossiblePlacesHold(t *testing.T) {
	for seed := range some(400) {
		s := newSeason(4+int(seed)%8, seed)
		leavers := s.rng.IntN(4)
		before := s.Possible()
		for {
			s.begin(t)
			if leavers > 0 && s.rng.IntN(15) == 0 {
				no := No(1 + s.rng.IntN(len(s.Entrants)))
				if s.Entrants[no-1].Out == 0 && len(s.Entrants)-3 > 1 {
					s.Withdraw(no)
					s.Balance(func(r Ref) bool { return s.running[r] })
					leavers--
				}
			} else if !s.step() {
				break
			}
			now := s.Possible()
			for no, r := range now {
				if b := before[no]; r.Best < b.Best || r.Worst > b.Worst {
					t.Fatalf("seed %d: %d could come in %v, and now in %v", seed, no, b, r)
				}
				if r.Best > r.Worst {
					t.Fatalf("seed %d: %d has the range %v", seed, no, r)
				}
			}
			before = now
		}
		if !s.Finished() {
			t.Fatalf("seed %d: games are left", seed)
		}
		for _, st := range s.Table() {
			r, ok := before[st.No]
			if ok != (st.Place > 0) || ok && r != (Range{st.Place, st.Place}) {
				t.Fatalf("seed %d: %d came in %d, the range was %v", seed, st.No, st.Place, r)
			}
		}
	}
}

// TestPossiblePlacesAgainstAllOutcomes checks with up to nine open games that ranges
// contain the places of all outcomes, and that players with an open game reach both ends.
// (For a player without one, the others' spreads would have to match.)
func TestPossiblePlacesAgainstAllOutcomes(t *testing.T) {
	tried, most := 0, 0
	for seed := range uint64(60) {
		s := newSeason(5+int(seed)%5, seed)
		want := 1 + s.rng.IntN(9)
		var games []*Pairing
		for {
			s.begin(t)
			games = nil
			for _, p := range s.Games() {
				if !p.Games[0].Result.Over() {
					games = append(games, p)
				}
			}
			if len(games) <= want || !s.step() {
				break
			}
		}
		table := s.Table()
		if slices.ContainsFunc(table, func(st Standing) bool { return s.CanVoid(st.No) }) {
			continue // covered by another test: players can still leave
		}
		tried, most = tried+1, max(most, len(games))
		got := s.Possible()
		var all []No
		points, spread := make([]int, len(s.Entrants)+1), make([]int, len(s.Entrants)+1) // by number
		for _, st := range table {
			all = append(all, st.No)
			points[st.No], spread[st.No] = st.Points, st.Spread
		}
		place := func(no No, points, spread []int) int {
			at := 1
			for _, other := range all {
				if points[other] > points[no] || points[other] == points[no] && spread[other] > spread[no] {
					at++
				}
			}
			return at
		}
		seen := map[No]Range{}
		outcome := make([]int, len(games)) // halves of A
		pts, spr := make([]int, len(points)), make([]int, len(spread))
		end := func(margin func(p *Pairing) int, who ...No) {
			copy(pts, points)
			copy(spr, spread)
			for i, p := range games {
				pts[p.A] += outcome[i]
				pts[p.B] += 2 - outcome[i]
				m := (outcome[i] - 1) * margin(p)
				spr[p.A] += m
				spr[p.B] -= m
			}
			for _, no := range who {
				at := place(no, pts, spr)
				r, ok := seen[no]
				if !ok {
					r = Range{at, at}
				}
				seen[no] = Range{min(r.Best, at), max(r.Worst, at)}
			}
		}
		var try func(i int)
		try = func(i int) {
			if i < len(games) {
				for outcome[i] = range 3 {
					try(i + 1)
				}
				return
			}
			end(func(*Pairing) int { return 1 + s.rng.IntN(300) }, all...)
			if len(games) > 6 && s.rng.IntN(10) > 0 {
				return
			}
			for _, no := range all {
				end(func(p *Pairing) int {
					if p.Has(no) {
						return 100_000
					}
					return 1
				}, no)
			}
		}
		try(0)
		open := map[No]bool{}
		for _, p := range games {
			open[p.A], open[p.B] = true, true
		}
		for no, want := range seen {
			r := got[no]
			if r.Best > want.Best || r.Worst < want.Worst {
				t.Fatalf("seed %d: %d can come in %v, the range is %v", seed, no, want, r)
			}
			if r != want && open[no] && len(games) <= 6 {
				t.Errorf("seed %d: %d can come in %v, the range is wider: %v", seed, no, want, r)
			}
		}
	}
	if tried < 15 || most < 9 {
		t.Errorf("%d positions were tried, with %d games at most", tried, most)
	}
}

// TestPossiblePlacesAreExact compares byTrying with byAllOutcomes for random standings and
// open games.
func TestPossiblePlacesAreExact(t *testing.T) {
	for seed := range some(400) {
		rng := rand.New(rand.NewPCG(seed, 9))
		b := &bounds{}
		for i := range 2 + rng.IntN(13) {
			b.who = append(b.who, runner{no: No(i + 1), points: rng.IntN(6), spread: rng.IntN(5) - 2})
		}
		open := rng.IntN(7)
		if seed%80 == 0 {
			open = exactUpTo
		}
		for range open {
			x, y := rng.IntN(len(b.who)), rng.IntN(len(b.who)-1)
			if y >= x {
				y++
			}
			b.open = append(b.open, [2]int{x, y})
			b.who[x].open++
			b.who[y].open++
		}
		if got, want := b.byTrying(), b.byAllOutcomes(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %+v\ngot  %v\nwant %v", seed, b, got, want)
		}
	}
}

// byAllOutcomes finds places like byTrying, by comparing all pairs of players in every
// outcome.
func (b *bounds) byAllOutcomes() []Range {
	n := len(b.who)
	ranges := make([]Range, n)
	for i := range ranges {
		ranges[i] = Range{n, 1}
	}
	points, won, lost := make([]int, n), make([]int, n), make([]int, n)
	for i, p := range b.who {
		points[i] = p.points
	}
	var try func(game int)
	try = func(game int) {
		if game == len(b.open) {
			for i := range b.who {
				best, worst := 1, 1
				for j := range b.who {
					if i == j {
						continue
					}
					switch {
					case points[j] > points[i]:
						best++
						worst++
					case points[j] == points[i]:
						if least, sure := gap(b.who[j].spread-b.who[i].spread, won[j]+lost[i], lost[j]+won[i]); sure && least > 0 {
							best++
						}
						if least, sure := gap(b.who[i].spread-b.who[j].spread, won[i]+lost[j], lost[i]+won[j]); !sure || least < 0 {
							worst++
						}
					}
				}
				ranges[i] = Range{min(ranges[i].Best, best), max(ranges[i].Worst, worst)}
			}
			return
		}
		x, y := b.open[game][0], b.open[game][1]
		for halves := range 3 {
			points[x] += halves
			points[y] += 2 - halves
			switch halves {
			case 0:
				lost[x]++
				won[y]++
			case 2:
				won[x]++
				lost[y]++
			}
			try(game + 1)
			points[x] -= halves
			points[y] -= 2 - halves
			switch halves {
			case 0:
				lost[x]--
				won[y]--
			case 2:
				won[x]--
				lost[y]--
			}
		}
	}
	try(0)
	return ranges
}

// gap returns the smallest difference of two spreads: now is the current lead, each of
// raise games adds at least one to it, and each of lower games takes some away. If lower
// isn't 0, there is no smallest, and sure is false.
func gap(now, raise, lower int) (least int, sure bool) {
	return now + raise, lower == 0
}

func TestWithdrawals(t *testing.T) {
	s := newSeason(7, 1)
	games := func(no No) (all []*Pairing) {
		for _, p := range s.Games() {
			if p.Has(no) {
				all = append(all, p)
			}
		}
		return all
	}
	for i, p := range games(1) {
		if i < 3 {
			p.Games[0].Result = Result{How: Played, Scores: [2]int{400, 300}}
		}
	}
	for i, p := range games(2) {
		if i < 2 && !p.Has(1) {
			p.Games[0].Result = Result{How: Played, Scores: [2]int{400, 300}}
		}
	}
	if s.Withdraw(1) {
		t.Error("half of the games of 1 were over, and they are void")
	}
	for i, p := range games(1) {
		if how := p.Games[0].Result.How; (how == Played) != (i < 3) && !p.Has(2) {
			t.Errorf("game %d of 1: %v", i, how)
		}
	}
	if !s.Withdraw(3) {
		t.Error("fewer than half of the games of 3 were over, and they count")
	}
	for _, p := range games(3) {
		if how := p.Games[0].Result.How; how != Void {
			t.Errorf("a game of 3: %v", how)
		}
	}
	table := s.Table()
	if last := table[len(table)-1]; last.No != 3 || last.Place != 0 {
		t.Errorf("3 stands at %+v", last)
	}
	if s.Withdraw(3) || s.Withdraw(99) {
		t.Error("left twice")
	}
}

// TestBalanceAfterWithdrawal checks that first moves are balanced after players leave, by changing games
// that haven't begun.
func TestBalanceAfterWithdrawal(t *testing.T) {
	for seed := range some(300) {
		s := newSeason(5+int(seed)%16, seed)
		s.Withdraw(No(1 + s.rng.IntN(len(s.Entrants))))
		s.Withdraw(No(1 + s.rng.IntN(len(s.Entrants))))
		s.Balance(func(Ref) bool { return false })
		balanced(t, s.Contest)
		met := s.meetings()
		if n := len(s.Entrants); len(met) != n*(n-1)/2 {
			t.Fatalf("seed %d: games were lost", seed)
		}
	}
}

// TestBalanceKeepsBalancedGames checks that balanced first moves stay as drawn.
func TestBalanceKeepsBalancedGames(t *testing.T) {
	for n := 5; n <= 12; n++ {
		s := newSeason(n, 1)
		drawn := fmt.Sprint(s.Rounds)
		if s.Balance(func(Ref) bool { return false }); fmt.Sprint(s.Rounds) != drawn {
			t.Errorf("of %d players first moves are\n%v, and were drawn to be\n%s", n, s.Rounds, drawn)
		}
	}
}

func TestPromotionAndRelegation(t *testing.T) {
	c := division(7, 1)
	for _, p := range c.Games() { // the lower number wins
		side := A
		if p.A > p.B {
			side = B
		}
		p.Games[0].Result = Forfeit(side.Other())
	}
	count := func(m map[No]Move) string {
		s := ""
		for no := No(1); no <= 7; no++ {
			s += map[Move]string{Stays: "-", Promoted: "u", Relegated: "d"}[m[no]]
		}
		return s
	}
	for _, tc := range []struct {
		up, down    int
		top, bottom bool
		want        string
	}{
		{2, 2, false, false, "uu---dd"}, {2, 2, true, false, "-----dd"}, {2, 2, false, true, "uu-----"},
		{3, 1, false, false, "uuu---d"}, {9, 9, false, false, "uuu-ddd"}, {2, 2, true, true, "-------"},
	} {
		if got := count(c.Moves(tc.up, tc.down, tc.top, tc.bottom)); got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
	}
	c.Entrants[0].Out = 1
	if got := count(c.Moves(2, 2, false, false)); got != "-uu--dd" {
		t.Errorf("the first left: %s", got)
	}
}

// ---- placement

func past(id string, ago, div, place int, m Move) Candidate {
	return Candidate{Player: Player{ID: id, Name: id, Rating: 1500}, Last: &Past{ago, div, place, m}}
}

func fresh(id string, rating int) Candidate {
	return Candidate{Player: Player{ID: id, Name: id, Rating: rating}}
}

func where(divisions [][]Candidate) map[string]int {
	at := map[string]int{}
	for d, all := range divisions {
		for _, c := range all {
			at[c.ID] = d + 1
		}
	}
	return at
}

// full returns the candidates after a season of several divisions of seven, two up and two
// down.
func full(divisions int) (all []Candidate) {
	for d := 1; d <= divisions; d++ {
		for place := 1; place <= 7; place++ {
			m := Stays
			if place <= 2 && d > 1 {
				m = Promoted
			} else if place >= 6 && d < divisions {
				m = Relegated
			}
			all = append(all, past(fmt.Sprintf("d%dp%d", d, place), 1, d, place, m))
		}
	}
	return all
}

// TestAvoidingPlayerSwapsWithNearest checks that a player who avoids another swaps
// with the nearest player of a neighbouring division who can go anywhere: the best of the
// one below, the last of the one above.
func TestAvoidingPlayerSwapsWithNearest(t *testing.T) {
	avoids := func(c Candidate, id string) Candidate {
		c.Avoids = []string{id}
		return c
	}
	for _, tc := range []struct {
		name string
		all  []Candidate
		want map[string]int
	}{
		{"from above", append(full(2), past("back", 2, 1, 5, Stays), avoids(past("shy", 2, 1, 6, Stays), "d1p3"), fresh("strong", 1900), fresh("weak", 1100)),
			map[string]int{"shy": 2, "strong": 1, "weak": 2, "back": 1}},
		{"from below", append(full(2), past("high", 2, 1, 1, Stays), past("low", 2, 1, 5, Stays), avoids(fresh("shy", 1500), "d2p4"), fresh("other", 1400)),
			map[string]int{"shy": 1, "low": 2, "high": 1, "other": 2}},
	} {
		at := where(Place(Seed{1}, SmallDivisions, tc.all))
		for id, division := range tc.want {
			if at[id] != division {
				t.Errorf("%s: %s is in %d, want %d (%v)", tc.name, id, at[id], division, at)
			}
		}
	}
}

func sizesOf(divisions [][]Candidate) (all []int) {
	for _, d := range divisions {
		all = append(all, len(d))
	}
	return all
}

func TestPlacement(t *testing.T) {
	without := func(all []Candidate, ids ...string) []Candidate {
		return slices.DeleteFunc(all, func(c Candidate) bool { return slices.Contains(ids, c.ID) })
	}
	for _, tc := range []struct {
		name  string
		all   []Candidate
		sizes []int
		want  map[string]int
	}{
		{"promotion and relegation by places", full(3), []int{7, 7, 7},
			map[string]int{"d1p1": 1, "d1p5": 1, "d1p6": 2, "d1p7": 2, "d2p1": 1, "d2p2": 1, "d2p3": 2, "d2p6": 3, "d3p1": 2, "d3p7": 3}},
		{"newcomers start low", append(full(2), fresh("weak", 1000), fresh("strong", 2100)), []int{7, 9},
			map[string]int{"weak": 2, "strong": 2, "d2p7": 2}},
		{"newcomers make a division at the bottom, by rating", append(full(1), fresh("a", 1900), fresh("b", 1800), fresh("c", 1700),
			fresh("d", 1600), fresh("e", 1500), fresh("f", 1400), fresh("g", 1300)), []int{7, 7},
			map[string]int{"a": 2, "g": 2, "d1p7": 1}},
		{"who comes back goes to where they were, where there is room", append(without(full(2), "d1p3"), past("back", 3, 1, 4, Stays)), []int{7, 7},
			map[string]int{"back": 1}},
		{"who comes back moves freely", append(without(full(2), "d2p3", "d2p4"), past("back", 2, 1, 4, Stays)), []int{7, 6},
			map[string]int{"back": 2, "d1p5": 1}},
		{"who was away too long is a newcomer", append(full(2), past("old", 5, 1, 1, Stays)), []int{7, 8}, map[string]int{"old": 2}},
		{"a small division is filled by the relegated, then by the best who stay", without(full(2), "d1p1", "d1p2", "d1p3", "d1p4", "d1p5"), nil,
			map[string]int{"d2p1": 1, "d1p6": 1, "d1p7": 1}},
		{"divisions close when people go", without(full(3), "d1p1", "d1p2", "d1p3", "d2p3", "d2p4", "d3p3", "d3p4"), []int{7, 7}, nil},
	} {
		got := Place(Seed{1}, SmallDivisions, tc.all)
		at := where(got)
		if tc.sizes != nil && !slices.Equal(sizesOf(got), tc.sizes) {
			t.Errorf("%s: sizes %v, want %v", tc.name, sizesOf(got), tc.sizes)
		}
		for id, d := range tc.want {
			if at[id] != d {
				t.Errorf("%s: %s is in %d, want %d (%v)", tc.name, id, at[id], d, at)
			}
		}
	}
	if got := Place(Seed{}, SmallDivisions, nil); len(got) > 1 || len(got) == 1 && len(got[0]) > 0 {
		t.Errorf("nobody: %v", got)
	}
	for n, want := range map[int][]int{1: {1}, 4: {4}, 9: {9}, 10: {5, 5}, 11: {6, 5}, 14: {7, 7}, 60: {8, 8, 8, 8, 7, 7, 7, 7}} {
		var all []Candidate
		for i := range n {
			all = append(all, fresh(fmt.Sprint(i), 1000+i))
		}
		if got := sizesOf(Place(Seed{}, SmallDivisions, all)); !slices.Equal(got, want) {
			t.Errorf("%d newcomers: %v, want %v", n, got, want)
		}
	}
	var all []Candidate
	for i := range 47 {
		all = append(all, fresh(fmt.Sprint(i), 1000+i))
	}
	if got := sizesOf(Place(Seed{}, LargeDivisions, all)); !slices.Equal(got, []int{16, 16, 15}) {
		t.Errorf("47 newcomers in large divisions: %v", got)
	}
}

// TestPlacementHolds checks the rules over many seasons, with players who come, go, and
// return.
func TestPlacementHolds(t *testing.T) {
	for seed := range some(120) {
		rng := rand.New(rand.NewPCG(seed, 1))
		type person struct {
			rating int
			last   *Past
			season int
		}
		people := map[string]*person{}
		for season := 1; season <= 12; season++ {
			for range rng.IntN(9) + 10/season {
				people[fmt.Sprintf("n%d", len(people))] = &person{rating: 1000 + rng.IntN(1000)}
			}
			stay := 50 + rng.IntN(50)
			var all []Candidate
			for i := range len(people) {
				id := fmt.Sprintf("n%d", i)
				p := people[id]
				if p.last != nil && rng.IntN(100) >= stay {
					continue
				}
				c := Candidate{Player: Player{ID: id, Rating: p.rating}}
				if p.last != nil {
					last := *p.last
					last.Ago = season - p.season
					c.Last = &last
				}
				all = append(all, c)
			}
			divisions := Place(Seed{byte(seed)}, SmallDivisions, all)
			if again := Place(Seed{byte(seed)}, SmallDivisions, all); fmt.Sprint(sizesOf(again)) != fmt.Sprint(sizesOf(divisions)) || fmt.Sprint(where(again)) != fmt.Sprint(where(divisions)) {
				t.Fatalf("seed %d: placed otherwise the second time", seed)
			}
			placed := 0
			for d, div := range divisions {
				placed += len(div)
				if len(div) > SmallDivisions.Most+2 || len(div) < 3 && len(divisions) > 1 {
					t.Fatalf("seed %d season %d: sizes %v", seed, season, sizesOf(divisions))
				}
				for _, c := range div {
					if c.Last == nil || c.Last.Ago != 1 {
						continue
					}
					was, is := c.Last.Division, d+1
					if c.Last.Move == Stays && is > was || c.Last.Move == Promoted && was > 1 && is != was-1 && is > was-1 || is > was+1 {
						t.Fatalf("seed %d season %d: %s (%s) goes from %d down to %d; sizes %v", seed, season, c.ID, c.Last.Move, was, is, sizesOf(divisions))
					}
				}
			}
			if placed != len(all) {
				t.Fatalf("seed %d: %d of %d are placed", seed, placed, len(all))
			}
			for d, div := range divisions {
				up, down := 2, 2
				for i, c := range rng.Perm(len(div)) {
					m := Stays
					if d > 0 && i < up {
						m = Promoted
					} else if d+1 < len(divisions) && i >= len(div)-down {
						m = Relegated
					}
					p := people[div[c].ID]
					p.last, p.season = &Past{Division: d + 1, Place: i + 1, Move: m}, season
				}
			}
		}
	}
}

// TestPlacementSeparatesAvoiders checks that players who avoid each other are in
// different divisions if one of them can go anywhere, and that players who stay aren't
// moved for it.
func TestPlacementSeparatesAvoiders(t *testing.T) {
	where := func(all []Candidate, id string) int {
		for i, d := range Place(Seed{3}, SmallDivisions, all) {
			for _, c := range d {
				if c.ID == id {
					return i
				}
			}
		}
		return -1
	}
	var all []Candidate
	for i := range 14 {
		all = append(all, fresh(fmt.Sprintf("n%02d", i), 2000-10*i))
	}
	if where(all, "n02") != 0 || where(all, "n05") != 0 {
		t.Fatal("they aren't together without that")
	}
	all[2].Avoids = []string{"n05"}
	if where(all, "n02") == where(all, "n05") {
		t.Error("newcomers who avoid each other are in one division")
	}
	var stay []Candidate
	for i := range 14 {
		stay = append(stay, past(fmt.Sprintf("s%02d", i), 1, 1+i/7, 1+i%7, Stays))
	}
	stay[2].Avoids = []string{"s05"}
	if where(stay, "s02") != 0 || where(stay, "s05") != 0 {
		t.Error("somebody who stays was moved")
	}
}
