//go:build unix

package robot

import (
	"context"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// BenchmarkEndings solves 50 endings of 13 or 14 tiles whose bag has just become empty, from games
// of the static robot against itself, and reports the CPU time of each until it is proven. Each
// gets at most twice the 5 s that it should take. Run it with -benchtime 1x, and with -v for a line
// on each.
func BenchmarkEndings(b *testing.B) {
	eq := gametest.Equipment(b)
	rules := game.Classic()
	gen := newGenerator(b, gametest.ShippedList(b, "en-former"), eq, rules)
	const (
		limit     = 5 * time.Second
		positions = int(2 * limit / positionWork)
	)
	endings := freshEndings(b, eq, gen, 50)
	for b.Loop() {
		var took []time.Duration
		sum, late := time.Duration(0), 0
		for i, e := range endings {
			s := newSolver(gen, rules, eq.Tiles)
			before := cpu(b)
			found := s.solve(context.Background(), e, positions, 1)
			t := cpu(b) - before
			if !found.exact || t > limit {
				late++
			}
			took = append(took, t)
			sum += t
			b.Logf("%d: %s against %s gains %d, proven: %v, %.2f s", i, eq.Tiles.Print(e.racks[0]), eq.Tiles.Print(e.racks[1]), found.lines[0].value, found.exact, t.Seconds())
		}
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2].Seconds(), "s/median")
		b.ReportMetric(sum.Seconds()/float64(len(took)), "s/mean")
		b.ReportMetric(took[len(took)-1].Seconds(), "s/worst")
		b.ReportMetric(float64(late), "late")
	}
}

// freshEndings returns n endings with 13 or 14 tiles left whose bag has just become empty, from the
// first games that have one.
func freshEndings(tb testing.TB, eq game.Equipment, gen *movegen.Generator, n int) (all []ending) {
	leaves := trained(tb, eq.Tiles, nil)
	for seed := uint64(1); len(all) < n; seed++ {
		board, racks, ok := playToEmptyBag(eq, gen, leaves, seed)
		if ok && len(racks[0])+len(racks[1]) >= 13 {
			all = append(all, newEnding(&board, racks, 0, 0))
		}
	}
	return all
}

// cpu returns the processor time that the process has used.
func cpu(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
