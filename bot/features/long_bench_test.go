package features_test

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game/gametest"
)

// BenchmarkLongLog measures a command at tables with few and with many events, with the store's
// cache warm and cold. Compare cpu-us/op; the rest is the disk.
func BenchmarkLongLog(b *testing.B) {
	quiet := func(c *host.Config) { c.Log = slog.New(slog.DiscardHandler) }
	for _, events := range []int{20, 100, 600} {
		first := newWorld(b, quiet)
		first.Passes(parlour, events-3)
		_, log, err := first.Config.Store.Table(b.Context(), parlour)
		gametest.Must(b, err)
		for _, warm := range []bool{true, false} {
			b.Run(fmt.Sprintf("events=%d/warm=%t", len(log), warm), func(b *testing.B) {
				db, err := bolt.Open(filepath.Join(b.TempDir(), "tables"), time.Now)
				gametest.Must(b, err)
				defer db.Close()
				w := newWorld(b, quiet, func(c *host.Config) { c.Store, c.Notes = db, db.Notes("host") })
				var used time.Duration
				for i := 0; b.Loop(); i++ {
					b.StopTimer()
					ch := bot.ChannelID(fmt.Sprint(parlour, "-", i))
					put(b, db, ch, log)
					if warm {
						if _, _, err := db.Table(b.Context(), ch); err != nil {
							b.Fatal(err)
						}
					}
					who := people[[]string{"ann", "bob"}[(events-3)%2]]
					b.StartTimer()
					before := cpuTime(b)
					if r := w.Host.Handle(b.Context(), bot.Request{ID: string(ch), Channel: ch, User: who, Command: "pass", Args: map[string]string{"sure": "true"}}); r.Refused {
						b.Fatal(r.Text)
					}
					used += cpuTime(b) - before
				}
				b.ReportMetric(float64(used.Microseconds())/float64(b.N), "cpu-us/op")
			})
		}
	}
}

// cpuTime returns the processor time that the process has used.
func cpuTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	gametest.Must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
