package host_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A killedStore ends the host's work after some renamings, like a kill.
type killedStore struct {
	bot.Store
	left *int
}

var errKilled = errors.New("killed")

func (s killedStore) Rename(ctx context.Context, id bot.TableID, from game.PlayerID, to game.Person) error {
	if *s.left--; *s.left < 0 {
		return errKilled
	}
	return s.Store.Rename(ctx, id, from, to)
}

// The names in games are erased some time after a game's end, with the notes at its table. Other
// data about the players stays, and so do younger and unfinished games. An interrupted erasure is
// resumed.
func TestNamesInOldGamesAreForgotten(t *testing.T) {
	const after = 400 * 24 * time.Hour
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "tables")
		db, err := bolt.Open(path, time.Now)
		gametest.Must(t, err)
		left := 1 << 20
		w := newWorld(t, func(c *host.Config) {
			c.Store, c.Notes, c.ForgetAfter = killedStore{db, &left}, db.Notes("host"), after
		})
		q, ann := quixotina, bottest.People["ann"]
		begin := func(ch bot.ChannelID) {
			t.Helper()
			w.InHouse(ch, "", q, "/new seats:2")
			w.InHouse(ch, "", ann, "/join")
			w.InHouse(ch, "", q, "/note Quixotina was here")
		}
		end := func(ch bot.ChannelID, n bot.TableID) {
			t.Helper()
			w.Host.Handle(t.Context(), bot.Request{ID: fmt.Sprint("end ", n), Channel: ch, User: ann, Command: "resign", Table: n})
			if _, events, err := db.Events(t.Context(), n, -1); err != nil || !strings.Contains(fmt.Sprintf("%T", events[len(events)-1].Fact), "Ended") {
				t.Fatalf("table %d isn't over: %v", n, err)
			}
		}
		w.InHouse("test:one", "", q, "/settings ping:silent")
		for i := range 4 {
			begin(bot.ChannelID(fmt.Sprint("test:", i+1)))
		}
		w.InHouse("test:5", "", q, "/new seats:2") // and closes it
		w.InHouse("test:5", "", q, "/leave")
		end("test:1", 1)
		end("test:2", 2)
		if noted, err := db.Notes("host").Keys(t.Context(), "table-notes"); err != nil || len(noted) != 4 {
			t.Fatalf("noted down is %q, %v", noted, err)
		}
		names := func(id bot.TableID) (n int) {
			t.Helper()
			_, events, err := db.Events(t.Context(), id, -1)
			gametest.Must(t, err)
			for _, e := range events {
				for _, p := range e.People() {
					if p.ID == q.ID || p.ID == ann.ID {
						n++
					}
				}
			}
			return n
		}
		goes := func(d time.Duration) {
			ctx, stop := context.WithTimeout(t.Context(), d)
			defer stop()
			if err := w.Host.RunForgetting(ctx); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(after - 24*time.Hour)
		end("test:3", 3)
		goes(time.Hour)
		if names(1) == 0 || names(2) == 0 {
			t.Error("the names went a day too early")
		}
		left = 1 // then it is killed
		time.Sleep(25 * time.Hour)
		goes(time.Hour)
		if names(1) == 0 || !strings.Contains(w.Log.String(), "killed") {
			t.Errorf("it wasn't stopped in the middle of the first game: %s", &w.Log)
		}
		left = 1 << 20
		goes(time.Hour)
		if log := w.Log.String(); !strings.Contains(log, "msg=\"removed names from old games\" games=3") {
			t.Errorf("the operator reads\n%s", log)
		}
		for id, named := range map[bot.TableID]bool{1: false, 2: false, 3: true, 4: true, 5: false} {
			if (names(id) > 0) != named {
				t.Errorf("table %d names them: %t, want %t", id, !named, named)
			}
		}
		if set, err := db.Notes("host").Get(t.Context(), "settings", string(q.ID)); err != nil || set == nil {
			t.Errorf("her settings went with the games: %v", err)
		}
		time.Sleep(after)
		goes(7 * time.Hour)
		if names(3) > 0 || names(4) == 0 {
			t.Error("of the two that were left, the one that is over is to be forgotten")
		}
		end("test:4", 4)
		time.Sleep(after + time.Hour)
		goes(time.Hour)
		if names(4) > 0 {
			t.Error("a game that took long keeps its names")
		}
		gametest.Must(t, db.Close())
		for _, trace := range traces(t, path, bot.User{ID: "table-notes", Name: "Quixotina was here"}) {
			t.Errorf("what she noted down is kept: %s", trace)
		}
		for _, trace := range traces(t, path, bot.User{ID: "events", Name: string(q.ID)}) {
			if strings.HasPrefix(trace, "events") || strings.HasPrefix(trace, "named") {
				t.Errorf("an event still names her: %s", trace)
			}
		}
	})
}
