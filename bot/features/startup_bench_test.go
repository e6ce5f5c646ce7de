package features_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// BenchmarkHostStart measures the start of a host over a file with waiting timers, from opening the
// file until the timers' loop is idle. The time doesn't depend on the number of timers.
func BenchmarkHostStart(b *testing.B) {
	for _, timers := range []int{100, 100_000} {
		b.Run(fmt.Sprintf("timers=%d", timers), func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "tables")
			db, err := bolt.Open(file, time.Now)
			gametest.Must(b, err)
			config := newWorld(b, func(c *host.Config) {
				c.Store, c.Notes, c.Log = db, db.Notes("host"), slog.New(slog.DiscardHandler)
			}).Config
			log := script(b, benchGame(b), 2, game.Classic()).events[:20]
			const perTable = 100
			for i := range timers / perTable {
				gametest.Must(b, db.Update(b.Context(), bot.ChannelID(fmt.Sprint("test:", i)), "", func(r *bot.Room) error {
					r.Append = log
					for n := range perTable {
						r.Timers = append(r.Timers, bot.Timer{At: time.Now().Add(time.Hour + time.Duration(n)*time.Minute), Kind: "watch", Number: len(log)})
					}
					return nil
				}))
			}
			gametest.Must(b, db.Close())
			for b.Loop() {
				db, err := bolt.Open(file, time.Now)
				gametest.Must(b, err)
				ctx, cancel := context.WithCancel(b.Context())
				looks := &countingDue{Store: db, looked: cancel}
				config.Store, config.Notes = looks, db.Notes("host")
				gametest.Must(b, host.New(config).RunTimers(ctx))
				if looks.due > 0 || looks.next.IsZero() {
					b.Fatalf("%d timers are due, the next at %v", looks.due, looks.next)
				}
				b.StopTimer()
				gametest.Must(b, db.Close())
				b.StartTimer()
			}
		})
	}
}

// A countingDue store signals when it has been asked for people's timers.
type countingDue struct {
	bot.Store
	looked func()
	due    int
	next   time.Time
}

func (c *countingDue) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	due, next, err := c.Store.ClaimTimers(ctx, h, k, now, limit)
	if k.Only == nil {
		c.due, c.next = c.due+len(due), next
		c.looked()
	}
	return due, next, err
}
