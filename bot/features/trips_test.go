package features_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// Each thing that people do takes as few round trips to a distant database as possible: one for
// everything it reads, and two to change a table.
func TestRoundTripsPerCommand(t *testing.T) {
	db, err := postgres.Open(t.Context(), postgres.Config{URL: pgtest.Shared(t).Database(t), Now: time.Now})
	gametest.Must(t, err)
	t.Cleanup(func() { db.Close() })
	w := newWorld(t, pictures(t), func(c *host.Config) { c.Store, c.Notes = db, db.Notes("host") })
	w.Passes(parlour, 6)
	for range 3 {
		for _, who := range []string{"ann", "bob"} {
			for _, line := range []string{"/pass", "/pass", "/rack", "/board", "/board picture"} {
				w.Host.Handle(t.Context(), w.Request(people[who], line))
			}
		}
	}
	for _, c := range []struct {
		who, line string
		refused   bool
		most      int64
	}{
		{"ann", "/pass", false, 3},
		{"ann", "/pass", true, 3},
		{"bob", "/rack", false, 1},
		{"bob", "/board picture", false, 1},
		{"bob", "/board", false, 3},
		{"bob", "/pass", false, 3},
	} {
		before := db.RoundTrips()
		r := w.Host.Handle(t.Context(), w.Request(people[c.who], c.line))
		if n := db.RoundTrips() - before; r.Refused != c.refused || n > c.most {
			t.Errorf("%s's %s: refused %t, %d round trips, want %t and at most %d: %s", c.who, c.line, r.Refused, n, c.refused, c.most, r.Text)
		}
	}
}
