package features_test

import (
	"log/slog"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// BenchmarkCommandOnStores measures what a command costs on each store, posts included: the processor time
// of this process, and on PostgreSQL the round trips. Compare two versions by running their test
// binaries in turn.
func BenchmarkCommandOnStores(b *testing.B) {
	lines := []string{"/pass", "/pass", "/rack", "/board", "/games", "/settings", "/top", "/check horn"}
	run := func(b *testing.B, w *world, trips func() int64) {
		w.Passes(parlour, 6)
		defer w.Run()()
		play := func() {
			for i, line := range lines {
				w.Host.Handle(b.Context(), w.Request(people[[]string{"ann", "bob"}[i%2]], line))
			}
			for waiting := true; waiting; runtime.Gosched() {
				ready, _, err := w.Config.Store.PendingPosts(b.Context(), "test", time.Now())
				gametest.Must(b, err)
				if waiting = len(ready) > 0; waiting {
					time.Sleep(time.Millisecond)
				}
			}
			w.Posts.Take()
		}
		for range 20 {
			play()
		}
		began, before := cpuTime(b), trips()
		for b.Loop() {
			play()
		}
		n := float64(b.N * len(lines))
		b.ReportMetric(float64(cpuTime(b)-began)/n, "cpu-ns/command")
		b.ReportMetric(float64(trips()-before)/n, "trips/command")
	}
	quiet := func(c *host.Config) { c.Log = slog.New(slog.DiscardHandler) }
	b.Run("bolt", func(b *testing.B) {
		db, err := bolt.Open(filepath.Join(b.TempDir(), "tables"), time.Now)
		gametest.Must(b, err)
		defer db.Close()
		run(b, newWorld(b, quiet, func(c *host.Config) { c.Store, c.Notes = db, db.Notes("host") }), func() int64 { return 0 })
	})
	b.Run("postgres", func(b *testing.B) {
		db, err := postgres.Open(b.Context(), postgres.Config{URL: pgtest.Shared(b).Database(b), Now: time.Now})
		gametest.Must(b, err)
		defer db.Close()
		run(b, newWorld(b, quiet, func(c *host.Config) { c.Store, c.Notes = db, db.Notes("host") }), db.RoundTrips)
	})
}
