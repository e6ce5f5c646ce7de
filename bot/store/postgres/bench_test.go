package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/game/gametest"
)

// BenchmarkTurnBesideBusyRoom measures a turn while the neighbour's room is quiet, then locked with a
// thousand waiting, then hot with a hundred and fifty at work in it: the 99th percentile of each,
// in one run.
func BenchmarkTurnBesideBusyRoom(b *testing.B) {
	db, err := postgres.Open(b.Context(), postgres.Config{URL: database(b), Connections: 10, Now: time.Now})
	gametest.Must(b, err)
	defer db.Close()
	post(b, db, den, "first")
	n := 0
	measure := func() time.Duration {
		var took []time.Duration
		for range 300 {
			n++
			began := time.Now()
			post(b, db, "web:neighbour", fmt.Sprint(n))
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		return took[len(took)*99/100]
	}
	for b.Loop() {
		measure()
		quiet := measure()
		free := postgres.LockRoom(b, db, den)
		const many = 1000
		ctx, stop := context.WithCancel(b.Context())
		var all sync.WaitGroup
		for i := range many {
			all.Go(func() { db.Update(ctx, den, fmt.Sprint("waits ", i), turn(b)) })
		}
		postgres.AwaitTurns(b, db, many)
		locked := measure()
		stop()
		all.Wait()
		free()
		ctx, stop = context.WithCancel(b.Context())
		for i := range 150 {
			all.Go(func() {
				for m := 0; ctx.Err() == nil; m++ {
					db.Update(ctx, den, fmt.Sprint("hot ", i, m), turn(b))
				}
			})
		}
		hot := measure()
		stop()
		all.Wait()
		b.ReportMetric(float64(quiet.Microseconds()), "quiet-p99-µs")
		b.ReportMetric(float64(locked)/float64(quiet), "locked/quiet")
		b.ReportMetric(float64(hot)/float64(quiet), "hot/quiet")
	}
}
