package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A process reads only the events of a table that it doesn't know. It sees what others have done to
// the known ones, and what the database has lost.
func TestKnownEventsArentReread(t *testing.T) {
	t.Parallel()
	at := database(t)
	a, b := open(t, at), open(t, at)
	change := changes(t, at)
	sees := func(db *postgres.DB, n int, name string) {
		t.Helper()
		id, latest, err := db.Table(t.Context(), den)
		gametest.Must(t, err)
		_, all, err := db.Events(t.Context(), id, -1)
		if err != nil || len(latest) != n || len(all) != n {
			t.Fatalf("there are %d and %d events, want %d (%v)", len(latest), len(all), n, err)
		}
		if text := fmt.Sprintf("%+v", all); !strings.Contains(text, name) {
			t.Errorf("the events don't name %s: %s", name, text)
		}
		if _, some, err := db.Events(t.Context(), id, n-1); err != nil || len(some) != n-1 {
			t.Errorf("of the first %d events there are %d (%v)", n-1, len(some), err)
		}
	}
	n := 0
	more := func(db *postgres.DB) {
		t.Helper()
		n++
		post(t, db, den, fmt.Sprint("request ", n))
	}
	for range 4 {
		more(a)
	}
	sees(b, 4, "Ann")
	id, events, err := a.Table(t.Context(), den)
	gametest.Must(t, err)

	first := events[0].People()[0]
	gametest.Must(t, a.Rename(t.Context(), id, first.ID, game.Person{ID: "web:eve", Name: "Eve"}))
	sees(b, 4, "Eve")

	more(a)
	sees(b, 5, "Eve")
	change("delete from events where number > 2")
	sees(b, 3, "Eve")
	more(a)
	sees(b, 4, "Eve")

	change("update events set data = 'none' where number = 0")
	more(a)
	sees(b, 5, "Eve")
	if _, _, err := open(t, at).Table(t.Context(), den); err == nil {
		t.Error("a process that knows nothing reads all without an error")
	}
}
