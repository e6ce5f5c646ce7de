package features_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestIdleHostCost measures the processor time of an idle host with a thousand places that have a
// daily board, four leagues and three tournaments: at most 0.2 % of a core.
func TestIdleHostCost(t *testing.T) {
	const idle = 50 * time.Minute
	places := gametest.Rounds(100, 1000)
	for _, store := range []string{"memory", "bolt"} {
		t.Run(store, func(t *testing.T) {
			featuretest.InSpring(t, func(t *testing.T) {
				w := newWorld(t, func(c *host.Config) {
					c.Life, c.Log = 0, slog.New(slog.DiscardHandler)
					c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Aside: featuretest.BesideThere}} }
					if store == "bolt" {
						db, err := bolt.Open(filepath.Join(t.TempDir(), "tables"), time.Now)
						gametest.Must(t, err)
						t.Cleanup(func() { db.Close() })
						c.Store, c.Notes = db, db.Notes("host")
					}
				})
				in := func(ch bot.ChannelID, who bot.User, line string) {
					t.Helper()
					req := w.Request(who, line)
					req.Channel, req.Manager = ch, true
					if r := w.Host.Handle(t.Context(), req); r.Refused {
						t.Fatalf("%s: %s", line, r.Text)
					}
				}
				for i := range places {
					in(bot.ChannelID(fmt.Sprint("test:daily", i)), bottest.People["mod"], fmt.Sprintf("/settings for:channel daily:%d:00 zone:UTC", i%24))
				}
				for i := range 7 {
					ch, kind := bot.ChannelID(fmt.Sprint("test:contest", i)), "/league"
					if i >= 4 {
						kind = "/tournament"
					}
					in(ch, bottest.People["mod"], kind+" new name:Cup")
					for _, who := range strings.Fields("ann bob cat dan") {
						in(ch, bottest.People[who], kind+" join")
					}
				}
				defer w.Run("web")()
				ctx, stop := context.WithCancel(t.Context())
				var jobs sync.WaitGroup
				for _, job := range strings.Fields("backups leavers forgetting") {
					jobs.Go(func() {
						w.Host.RunElected(ctx, job, func(ctx context.Context) error { <-ctx.Done(); return nil })
					})
				}
				defer jobs.Wait()
				defer stop()
				time.Sleep(time.Until(time.Now().Truncate(time.Hour).Add(time.Hour + 5*time.Minute))) // boards are due on the hour
				synctest.Wait()
				w.Posts.Take()
				before := cpuTime(t)
				time.Sleep(idle)
				share := 100 * float64(cpuTime(t)-before) / float64(idle)
				t.Logf("%.4f %% of a core", share)
				if posts := len(w.Posts.Take()); posts > 0 {
					t.Errorf("the idle host posted %d messages", posts)
				}
				if share > 0.2 {
					t.Errorf("it uses %.4f %% of a core, want 0.2 %% at most", share)
				}
			})
		})
	}
}
