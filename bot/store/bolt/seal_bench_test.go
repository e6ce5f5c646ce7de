package bolt

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// BenchmarkSeals measures what the store does for a play within a transaction: the room is read,
// the event is stored with two posts, a timer and a receipt, and these are removed. A file with
// seals and links and one without them take turns. Seals may cost at most 3 % of a whole command,
// some 20 µs.
func BenchmarkSeals(b *testing.B) {
	type arm struct {
		name string
		d    *DB
		tx   *txn
		ch   bot.ChannelID
		took []time.Duration
	}
	dir := b.TempDir()
	sealing, err := Open(filepath.Join(dir, "with.db"), time.Now)
	gametest.Must(b, err)
	defer sealing.Close()
	arms := []*arm{{name: "without", d: OpenUnsealed(b, filepath.Join(dir, "without.db"))}, {name: "with", d: sealing}}
	for _, a := range arms {
		begun, err := a.d.bolt.Begin(true)
		gametest.Must(b, err)
		defer begun.Rollback()
		a.tx = &txn{Tx: begun, format: a.d.format}
	}
	log, now := gametest.Log(b, 31), time.Now()
	must := func(err error) {
		gametest.Must(b, err)
	}
	plays := 0
	play := func(a *arm) {
		d, tx := a.d, a.tx
		if plays%20 == 0 {
			a.ch = bot.ChannelID(fmt.Sprint("web:", plays))
			must(save(tx, &bot.Room{Channel: a.ch, Append: log[:30], Seated: []game.PlayerID{"ann", "bob"}}, "", true, now))
		}
		began := time.Now()
		request := fmt.Sprint("request ", plays)
		room, err := d.load(tx, a.ch, request)
		must(err)
		e := log[30]
		e.Number = len(room.Events)
		room.Append = []game.Event{e}
		room.Posts = []bot.Post{{From: e.Number, To: e.Number + 1}, {From: e.Number, To: e.Number + 1, For: "ann"}}
		room.Timers = []bot.Timer{{At: now}}
		room.Seated = []game.PlayerID{"ann", "bob"}
		room.File = &bot.Receipt{From: e.Number, To: e.Number + 1}
		must(save(tx, room, request, false, now))
		for i := range 2 {
			must(remove(tx, bot.Post{ID: uint64(2*plays + i + 1)}))
		}
		_, err = removeTimer(tx, uint64(plays+1))
		must(err)
		a.took = append(a.took, time.Since(began))
	}
	for b.Loop() {
		play(arms[plays%2]) // alternate the order
		play(arms[1-plays%2])
		plays++
	}
	// Report the median, which neither garbage collection nor other work affects.
	middle := map[string]float64{}
	for _, a := range arms {
		slices.Sort(a.took)
		middle[a.name] = float64(a.took[len(a.took)/2])
		b.ReportMetric(middle[a.name], a.name+"-ns/play")
	}
	b.ReportMetric(middle["with"]-middle["without"], "more-ns/play")
}
