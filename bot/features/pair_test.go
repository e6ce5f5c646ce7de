package features_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// On PostgreSQL too, two hosts pair a round once, whichever gets the press, and a third that later
// gets the same press again changes nothing, to the byte.
func TestTwoHostsPairOnceOnPostgres(t *testing.T) {
	server := pgtest.Shared(t)
	url := server.Database(t)
	var all []*world
	for i := range 3 {
		db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Now: time.Now})
		gametest.Must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		all = append(all, newWorld(t, featuretest.Asides(), func(c *host.Config) {
			c.Store, c.Notes, c.Name = db, db.Notes("host"), fmt.Sprintf("h%d", i)
		}))
	}
	for _, does := range []string{"ann: /tournament new name:Spring rounds:3", "bob: /tournament join", "cat: /tournament join", "dan: /tournament join", "eve: /tournament join", "fay: /tournament join"} {
		who, line, _ := strings.Cut(does, ": ")
		if r := all[0].Does(people[who], line); r.Refused {
			t.Fatalf("%s: %s", does, r.Text)
		}
	}
	if r := all[0].Does(people["ann"], "/tournament close"); r.Refused {
		t.Fatal(r.Text)
	}
	req := all[0].Request(people["ann"], "/tournament pair")
	stored := func() string {
		t.Helper()
		b, err := all[0].Config.Notes.Get(t.Context(), "tournaments", "00000001")
		gametest.Must(t, err)
		return string(b)
	}
	var both sync.WaitGroup
	for _, w := range all[:2] {
		both.Go(func() { w.Host.Handle(t.Context(), req) })
	}
	both.Wait()
	paired := stored()
	if n := strings.Count(paired, `"kind":"pair"`); n != 1 {
		t.Errorf("two hosts pair %d times", n)
	}
	if r := all[2].Host.Handle(t.Context(), req); r.Refused || !strings.Contains(r.Text.String(), "Ann paired round 1.") {
		t.Errorf("a third host answers %s", r.Text)
	}
	if stored() != paired {
		t.Error("a third host changed the round")
	}
}
