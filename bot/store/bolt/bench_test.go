package bolt_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

func benchStore(b *testing.B) *bolt.DB {
	return open(b, filepath.Join(b.TempDir(), "rackmate.db"), time.Now)
}

// BenchmarkTable loads a game of 60 events.
func BenchmarkTable(b *testing.B) {
	db := benchStore(b)
	play(b, db, den, gametest.Log(b, 60))
	b.ReportAllocs()
	for b.Loop() {
		if _, events, err := db.Table(b.Context(), den); err != nil || len(events) != 60 {
			b.Fatal(len(events), err)
		}
	}
}

// BenchmarkUpdate measures a play in the middle of a game: 30 events are loaded, one is appended
// with two posts, a timer and a receipt, and is on disk.
func BenchmarkUpdate(b *testing.B) {
	db := benchStore(b)
	events := gametest.Log(b, 60)
	first := events[30]
	n := 0
	for b.Loop() {
		ch := bot.ChannelID(fmt.Sprint("web:", n/20))
		if n%20 == 0 {
			b.StopTimer()
			play(b, db, ch, events[:30])
			b.StartTimer()
		}
		gametest.Must(b, db.Update(b.Context(), ch, fmt.Sprint(n), func(r *bot.Room) error {
			e := first
			e.Number = len(r.Events)
			r.Append = []game.Event{e}
			r.Posts = []bot.Post{{From: 30, To: 31}, {From: 30, To: 31, For: "ann"}}
			r.Timers = []bot.Timer{{At: time.Now().Add(time.Hour)}}
			r.Seated = []game.PlayerID{"ann", "bob"}
			r.File = &bot.Receipt{From: 30, To: 31}
			return nil
		}))
		n++
	}
}

// BenchmarkRepeatedUpdate measures a request that was carried out before.
func BenchmarkRepeatedUpdate(b *testing.B) {
	db := benchStore(b)
	play(b, db, den, gametest.Log(b, 60)[:30])
	for b.Loop() {
		gametest.Must(b, db.Update(b.Context(), den, "r", func(r *bot.Room) error { return nil }))
	}
}

// crowded returns a store with n timers in the future, and n posts in two queues.
func crowded(b *testing.B, n int) *bolt.DB {
	db := benchStore(b)
	gametest.Must(b, db.Update(b.Context(), den, "", func(r *bot.Room) error {
		r.Append = gametest.Log(b, 60)[:1]
		for i := range n {
			r.Posts = append(r.Posts, bot.Post{For: []game.PlayerID{"", "ann"}[i%2]})
			r.Timers = append(r.Timers, bot.Timer{At: start.Add(time.Duration(i) * time.Second)})
		}
		return nil
	}))
	return db
}

// BenchmarkDueTimers reads the ten due timers: the time doesn't depend on how many wait.
func BenchmarkDueTimers(b *testing.B) {
	for _, timers := range []int{100, 100_000} {
		b.Run(fmt.Sprintf("timers=%d", timers), func(b *testing.B) {
			db := crowded(b, timers)
			for b.Loop() {
				if due, _, err := db.DueTimers(b.Context(), start.Add(9*time.Second), 1000); err != nil || len(due) != 10 {
					b.Fatal(len(due), err)
				}
			}
		})
	}
}

// BenchmarkPendingPosts reads the heads of 100,000 posts in two queues.
func BenchmarkPendingPosts(b *testing.B) {
	db := crowded(b, 100_000)
	for b.Loop() {
		if ready, _, err := db.PendingPosts(b.Context(), "web", start); err != nil || len(ready) != 2 {
			b.Fatal(len(ready), err)
		}
	}
}
