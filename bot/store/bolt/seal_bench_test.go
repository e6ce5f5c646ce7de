package bolt

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// BenchmarkSeals is what the store does for a play, within a transaction: the room is
// read, the event stored with two posts, a timer and a receipt, and these are done away
// with. What it takes more with seals and links is to be at most 3 % of a whole command,
// some 20 µs.
func BenchmarkSeals(b *testing.B) {
	for _, name := range []string{"without", "with"} {
		b.Run(name, func(b *testing.B) {
			var d *DB
			path := filepath.Join(b.TempDir(), "rackmate.db")
			if name == "without" {
				d = OpenUnsealed(b, path)
			} else {
				var err error
				if d, err = Open(path, time.Now); err != nil {
					b.Fatal(err)
				}
				defer d.Close()
			}
			begun, err := d.bolt.Begin(true)
			if err != nil {
				b.Fatal(err)
			}
			defer begun.Rollback()
			tx := &txn{Tx: begun, format: d.format}
			log, now := gametest.Log(b, 31), time.Now()
			must := func(err error) {
				if err != nil {
					b.Fatal(err)
				}
			}
			ch, plays, posts := bot.ChannelID(""), 0, uint64(0)
			for b.Loop() {
				if plays%20 == 0 {
					b.StopTimer()
					ch = bot.ChannelID(fmt.Sprint("web:", plays))
					must(save(tx, &bot.Room{Channel: ch, Append: log[:30], Seated: []game.PlayerID{"ann", "bob"}}, "", true, now))
					b.StartTimer()
				}
				plays++
				request := fmt.Sprint("request ", plays)
				room, err := d.load(tx, ch, request)
				must(err)
				e := log[30]
				e.Number = len(room.Events)
				room.Append = []game.Event{e}
				room.Posts = []bot.Post{{From: e.Number, To: e.Number + 1}, {From: e.Number, To: e.Number + 1, For: "ann"}}
				room.Timers = []bot.Timer{{At: now}}
				room.Seated = []game.PlayerID{"ann", "bob"}
				room.File = &bot.Receipt{From: e.Number, To: e.Number + 1}
				must(save(tx, room, request, false, now))
				for range 2 {
					posts++
					must(remove(tx, bot.Post{ID: posts}))
				}
				_, err = turnOff(tx, uint64(plays))
				must(err)
			}
		})
	}
}
