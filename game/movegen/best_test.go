package movegen_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/robot"
)

// bestOfAll returns the equity of the best play by checking all of them.
func bestOfAll(plays []movegen.Play, rack game.Tiles, keep []movegen.Equity) (equity movegen.Equity, ok bool) {
	all := 1<<len(rack) - 1
	for i := range plays {
		e := movegen.Points(int(plays[i].Score)) + keep[all&^int(plays[i].Uses(rack))]
		if !ok || e > equity {
			equity, ok = e, true
		}
	}
	return equity, ok
}

// randomKeep returns random values of leaves, the same for equal tiles.
func randomKeep(rng *rand.Rand, rack game.Tiles, most int32) []movegen.Equity {
	keep := make([]movegen.Equity, 1<<len(rack))
	seen := map[game.Tiles]movegen.Equity{}
	for i := range keep {
		var kept []byte
		for k := range len(rack) {
			if i>>k&1 != 0 {
				kept = append(kept, rack[k])
			}
		}
		t := game.Tiles(kept)
		if _, ok := seen[t]; !ok {
			seen[t] = movegen.Equity(rng.Int32N(2*most+1) - most)
		}
		keep[i] = seen[t]
	}
	return keep
}

func checkBest(t *testing.T, g *movegen.Generator, b *game.Board, rack game.Tiles, keep []movegen.Equity) {
	t.Helper()
	want, some := bestOfAll(g.Plays(b, rack), rack, keep)
	best, got, ok := g.Best(b, rack, keep)
	if ok != some || got != want {
		t.Errorf("the best play is worth %d (%v), want %d (%v)", got, ok, want, some)
	}
	if !ok {
		return
	}
	// It is one of the plays, and worth what Best says.
	if own, _ := bestOfAll([]movegen.Play{best}, rack, keep); own != got {
		t.Errorf("%v is worth %d, not %d", best.Move(), own, got)
	}
	for _, p := range g.Plays(b, rack) {
		if p.Score == best.Score && p.Uses(rack) == best.Uses(rack) {
			return
		}
	}
	t.Errorf("%v is none of the plays", best.Move())
}

func TestBestPlayBeatsAllOthers(t *testing.T) {
	eq := gametest.Equipment(t)
	g := newGenerator(t, shipped(t), eq)
	rng := rand.New(rand.NewPCG(5, 1))
	for _, p := range positions(t, eq) {
		t.Run(p.cgp, func(t *testing.T) {
			rack := p.Racks[0].Sorted()
			checkBest(t, g, &p.Board, rack, make([]movegen.Equity, 1<<len(rack)))
			checkBest(t, g, &p.Board, rack, randomKeep(rng, rack, 30_000))
			checkBest(t, g, &p.Board, rack, randomKeep(rng, rack, 1_000_000))
		})
	}
}

// TestBestPlayWithBlanks checks racks with blanks, which stand for every letter,
// in words of every length.
func TestBestPlayWithBlanks(t *testing.T) {
	eq := gametest.Equipment(t)
	g := newGenerator(t, shipped(t), eq)
	rng := rand.New(rand.NewPCG(5, 2))
	for i, p := range positions(t, eq)[:gametest.Share(200)] {
		rack := []byte(p.Racks[0])
		for k := range min(len(rack), 1+i%3) { // with three blanks not every letter is tried
			rack[k] = byte(game.Blank)
		}
		sorted := game.Tiles(rack).Sorted()
		checkBest(t, g, &p.Board, sorted, randomKeep(rng, sorted, 30_000))
		if t.Failed() {
			t.Fatalf("%s with %s", p.cgp, eq.Tiles.Print(sorted))
		}
	}
}

func TestBestAllocatesNothingOnceWarm(t *testing.T) {
	eq := gametest.Equipment(t)
	g := newGenerator(t, shipped(t), eq)
	all, keep := positions(t, eq)[:50], make([]movegen.Equity, 128)
	work := func() {
		for i := range all {
			g.Best(&all[i].Board, all[i].Racks[0], keep)
		}
	}
	for i := range all {
		all[i].Racks[0] = all[i].Racks[0].Sorted()
	}
	work()
	n := testing.AllocsPerRun(1, work)
	for try := 0; n != 0 && try < 5; try++ { // the runtime sometimes allocates
		n = testing.AllocsPerRun(1, work)
	}
	if n != 0 {
		t.Errorf("%g allocations in %d positions", n, len(all))
	}
}

// TestBestPlayOnOtherBoards checks other boards, alphabets, bonuses and more
// blanks: see newWorld.
func TestBestPlayOnOtherBoards(t *testing.T) {
	found := 0
	for seed := range uint64(gametest.Share(300)) {
		w := newWorld(t, seed)
		g := newGenerator(t, w.x, w.eq)
		if seed%2 == 0 {
			var err error
			if g, err = movegen.New(w.x, w.eq, w.rules); err != nil {
				t.Fatal(err)
			}
		}
		var b game.Board
		for turn := range 12 {
			rack := w.rack().Sorted()
			for _, most := range []int32{0, 5_000, 100_000} {
				checkBest(t, g, &b, rack, randomKeep(w.rng, rack, most))
			}
			if t.Failed() {
				t.Fatalf("seed %d, turn %d, rack %s, board %s, layout\n%s", seed, turn,
					w.eq.Tiles.Print(rack), w.eq.Tiles.Print(b.Tiles()), w.eq.Layout.Text)
			}
			plays := slices.Clone(g.Plays(&b, rack))
			found += min(1, len(plays))
			w.change(&b, plays)
		}
	}
	if found < gametest.Share(1000) {
		t.Errorf("only %d positions had plays: not much was tested", found)
	}
}

func TestNoBestPlay(t *testing.T) {
	eq := gametest.Equipment(t)
	g := newGenerator(t, shipped(t), eq)
	var b game.Board
	if _, _, ok := g.Best(&b, "", []movegen.Equity{0}); ok {
		t.Error("a play without tiles")
	}
	v, _ := eq.Tiles.Parse("VVV")
	if _, _, ok := g.Best(&b, v, make([]movegen.Equity, 8)); ok {
		t.Error("a play of VVV on an empty board")
	}
	if _, _, ok := g.Best(&b, v, make([]movegen.Equity, 7)); ok {
		t.Error("a play though there are too few values")
	}
	long := eq.Tiles.All()[:game.MaxSize+1]
	if _, _, ok := g.Best(&b, long, nil); ok {
		t.Error("a play from a rack longer than any line")
	}
}

// TestSameSearchCountsSameWork checks that a repeated search counts the same work, and that a
// blank takes more.
func TestSameSearchCountsSameWork(t *testing.T) {
	eq := gametest.Equipment(t)
	lex := shipped(t)
	lex.Jumbles()
	work := func(g *movegen.Generator, p *position, rack game.Tiles) (ofPlays, ofBest int) {
		start := g.Work()
		g.Plays(&p.Board, rack)
		ofPlays = g.Work() - start
		g.Best(&p.Board, rack, make([]movegen.Equity, 1<<len(rack)))
		return ofPlays, g.Work() - start - ofPlays
	}
	used, fresh := newGenerator(t, lex, eq), newGenerator(t, lex, eq)
	blank := 0
	for _, p := range positions(t, eq)[:60] {
		rack := p.Racks[0].Sorted()
		plays, best := work(used, &p, rack)
		if again, bestAgain := work(fresh, &p, rack); plays == 0 || best == 0 || again != plays || bestAgain != best {
			t.Fatalf("%s: the work of all plays is %d and then %d, of the best %d and %d", p.cgp, plays, again, best, bestAgain)
		}
		if rack.Count(game.Blank) > 0 {
			continue
		}
		withBlank := (rack[1:] + game.TilesOf(game.Blank)).Sorted()
		if more, _ := work(used, &p, withBlank); more < 2*plays {
			t.Errorf("%s: the work of all plays is %d, and with a blank %d", p.cgp, plays, more)
		}
		blank++
	}
	if blank < 20 {
		t.Errorf("only %d racks were tried with a blank", blank)
	}
}

// BenchmarkBest finds the best play by equity of each of the 400 positions; ns/op is for one of
// them.
func BenchmarkBest(b *testing.B) {
	eq := gametest.Equipment(b)
	x := shipped(b)
	g := newGenerator(b, x, eq)
	file, err := data.Leaves("english")
	gametest.Must(b, err)
	leaves, err := robot.OpenLeaves(eq.Tiles, file)
	gametest.Must(b, err)
	all := positions(b, eq)
	for i := range all {
		all[i].Racks[0] = all[i].Racks[0].Sorted()
	}
	x.Jumbles() // build the index once
	b.ReportAllocs()
	i := 0
	var keep [128]movegen.Equity
	for b.Loop() {
		p := &all[i%len(all)]
		i++
		leaves.OfRack(p.Racks[0], keep[:])
		g.Best(&p.Board, p.Racks[0], keep[:])
	}
}
