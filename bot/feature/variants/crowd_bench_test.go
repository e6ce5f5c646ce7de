package variants_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// BenchmarkCrowd measures what one more person costs at a crowded table of duplicate in a
// file: to join its lobby, and to submit a play. A join counts until the channel has been
// notified. TMPDIR=/dev/shm leaves the disk out.
func BenchmarkCrowd(b *testing.B) {
	const more = 8
	for _, what := range []string{"join", "submit"} {
		for _, seated := range []int{10, 300} {
			b.Run(fmt.Sprintf("%s/%d", what, seated), func(b *testing.B) {
				db, err := bolt.Open(filepath.Join(b.TempDir(), "tables"), time.Now)
				gametest.Must(b, err)
				defer db.Close()
				w := featuretest.New(b, func(c *host.Config) { c.Store, c.Log = db, slog.New(slog.DiscardHandler) }, featuretest.Pictures(b))
				told := make(chan bool)
				w.Posts.Fail = func(bot.Message) error { told <- true; return nil }
				ctx, cancel := context.WithCancel(b.Context())
				var delivering sync.WaitGroup
				delivering.Go(func() { w.Host.Deliver(ctx, "test", &w.Posts) })
				defer delivering.Wait()
				defer cancel()
				for i := 0; b.Loop(); i++ {
					b.StopTimer()
					ch := bot.ChannelID(fmt.Sprintf("%s-%d", featuretest.Parlour, i))
					log := duplicateTable(b, time.Now(), seated)
					if what == "join" {
						log = slices.DeleteFunc(log, func(e game.Event) bool { return e.Number > seated })
					}
					featuretest.Put(b, db, ch, log)
					if _, _, err := db.Table(ctx, ch); err != nil { // read the table once, as in a lobby that people join
						b.Fatal(err)
					}
					b.StartTimer()
					for k := range more {
						req := bot.Request{ID: fmt.Sprint(ch, k), Channel: ch, Command: "join", User: player(seated + k)}
						if what == "submit" {
							req.Command, req.Args, req.User = "submit", map[string]string{"word": "horn", "at": "8h"}, player(k)
						}
						if r := w.Host.Handle(ctx, req); r.Refused {
							b.Fatal(r.Text)
						}
						if what == "join" {
							<-told
						}
						w.Posts.Take()
					}
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N*more), "ns/person")
			})
		}
	}
}
