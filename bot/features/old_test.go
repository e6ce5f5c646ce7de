package features_test

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// Even in PostgreSQL only the names disappear. This includes names in games after table numbers
// that were never used.
func TestNamesInOldGamesAreForgottenInPostgres(t *testing.T) {
	const after = 400 * 24 * time.Hour
	server := pgtest.Shared(t)
	url := server.Database(t)
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Now: clock})
	gametest.Must(t, err)
	t.Cleanup(func() { db.Close() })
	w := newWorld(t, func(c *host.Config) {
		c.Store, c.Notes, c.ForgetAfter, c.Now = db, db.Notes("host"), after, clock
	})
	q, ann := bot.User{ID: "test:q-7341", Name: "Quixotina"}, people["ann"]
	does := func(ch bot.ChannelID, who bot.User, line string) {
		t.Helper()
		req := w.Request(who, line)
		req.Channel = ch
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatalf("%s: %s", line, r.Text)
		}
	}
	games := map[string]bot.TableID{}
	plays := func(name string) {
		t.Helper()
		ch := bot.ChannelID("test:" + name)
		does(ch, q, "/new seats:2")
		does(ch, ann, "/join")
		does(ch, q, "/note Quixotina was here")
		id, _, err := db.Table(t.Context(), ch)
		gametest.Must(t, err)
		games[name] = id
		if name != "goes on" {
			w.Host.Handle(t.Context(), bot.Request{ID: "end " + name, Channel: ch, User: ann, Command: "resign", Table: id})
		}
	}
	plays("old")
	plays("goes on")
	gametest.Must(t, server.SQLIn(pgtest.Name(url), "select nextval('table_ids') from generate_series(1, 1000)"))
	plays("behind a gap")
	now = now.Add(after / 2)
	plays("young")
	now = now.Add(after/2 + time.Hour)
	ctx, stop := context.WithCancel(t.Context())
	var looking sync.WaitGroup
	looking.Go(func() {
		if err := w.Host.RunForgetting(ctx); err != nil {
			t.Error(err)
		}
	})
	last := fmt.Sprintf(`"next":%d`, games["behind a gap"]+1)
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		row, err := db.Notes("host").Get(t.Context(), "aging", "games")
		if strings.Contains(string(row), last) {
			break
		}
		if err != nil || time.Now().After(end) {
			t.Errorf("it came as far as %s, %v, and not to %s: %s", row, err, last, &w.Log)
			break
		}
	}
	stop()
	looking.Wait()
	gametest.Must(t, db.Records(t.Context(), func(r store.Record) error {
		var channel bot.ChannelID
		var text string
		switch r := r.(type) {
		case store.Table:
			channel, text = r.Channel, string(bytes.Join(r.Events, []byte("\n")))
		case store.Note:
			if r.Shelf != "table-notes" {
				return nil
			}
			id, _, _ := strings.Cut(r.Key, "\x00")
			for name, no := range games {
				if n, err := strconv.ParseUint(id, 16, 64); err == nil && bot.TableID(n) == no {
					channel, text = bot.ChannelID("test:"+name), r.Key+" "+string(r.Value)
				}
			}
		default:
			return nil
		}
		kept := channel == "test:goes on" || channel == "test:young"
		if channel == "" || strings.Contains(text, q.Name) != kept || strings.Contains(text, string(q.ID)) != kept {
			t.Errorf("of %q there is %s", channel, text)
		}
		return nil
	}))
	for who, want := range map[game.PlayerID]int{q.ID: 2, ann.ID: 2} {
		if named, err := db.TablesNaming(t.Context(), who); err != nil || len(named) != want {
			t.Errorf("%s is found in %v, %v, want %d games", who, named, err, want)
		}
	}
}
