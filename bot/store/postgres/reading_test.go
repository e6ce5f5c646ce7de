package postgres_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// What a reading has said that it reads comes with its first question, holds until the
// reading itself changes it, and is read anew by the next one.
func TestReadings(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	notes := db.Notes("host")
	for _, one := range [][2]string{{"channel web:den", "quiet"}, {"player web:ann", "Ann"}} {
		gametest.Must(t, notes.Put(t.Context(), "house", one[0], []byte(one[1])))
	}
	ctx := bot.ReadTogether(t.Context())
	notes.Ahead(ctx, bot.NoteKey{Shelf: "house", Key: "channel web:den"}, bot.NoteKey{Shelf: "house", Key: "player web:ann"}, bot.NoteKey{Shelf: "house", Key: "none"})
	db.Ahead(ctx, bot.Reads{Channel: den, Playing: "web:ann"})
	get := func(key, want string) {
		t.Helper()
		if v, err := notes.Get(bot.ReadTogether(ctx), "house", key); err != nil || string(v) != want {
			t.Errorf("%s is %q, %v; want %q", key, v, err, want)
		}
	}
	trips := func(want int64, do func()) {
		t.Helper()
		before := db.RoundTrips()
		do()
		if n := db.RoundTrips() - before; n != want {
			t.Errorf("%d round trips, want %d", n, want)
		}
	}
	trips(1, func() {
		get("channel web:den", "quiet")
		get("player web:ann", "Ann")
		get("none", "")
		if _, list, err := db.Table(ctx, den); err != nil || len(list) != 0 {
			t.Error(len(list), err)
		}
		if list, err := db.Playing(ctx, "web:ann"); err != nil || len(list) != 0 {
			t.Error(list, err)
		}
	})
	if err := notes.Put(t.Context(), "house", "player web:ann", []byte("Anne")); err != nil { // another's
		t.Fatal(err)
	}
	get("player web:ann", "Ann")
	gametest.Must(t, notes.Change(ctx, func(r bot.Rows) error { return r.Put("house", "other", []byte("x")) }))
	get("player web:ann", "Anne")

	// What a reading has stored at a table it needn't read, and what it wishes comes
	// along with the change.
	post(t, db, den, "first")
	ctx = bot.ReadTogether(t.Context())
	notes.Ahead(ctx, bot.NoteKey{Shelf: "house", Key: "player web:ann"})
	gametest.Must(t, db.Update(ctx, den, "second", turn(t)))
	trips(0, func() {
		get("player web:ann", "Anne")
		id, events, err := db.Table(ctx, den)
		if err != nil || len(events) != 2 {
			t.Fatal(len(events), err)
		}
		if _, two, err := db.Events(ctx, id, -1); err != nil || len(two) != 2 {
			t.Error(len(two), err)
		}
		if _, one, err := db.Events(ctx, id, 1); err != nil || len(one) != 1 {
			t.Error(len(one), err)
		}
	})
	post(t, db, den, "third")
	if _, now, err := db.Table(bot.ReadTogether(t.Context()), den); err != nil || len(now) != 3 {
		t.Error("the next reading has", len(now), err)
	}
	if _, _, err := db.Events(ctx, 99, -1); err != bot.ErrNoTable {
		t.Error("no such table:", err)
	}
}

// What a change says that it reads is asked for together, and what it has put it knows.
func TestReadsOfAChange(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	notes := db.Notes("host")
	for i := range 2 {
		before := db.RoundTrips()
		gametest.Must(t, notes.Change(t.Context(), func(rows bot.Rows) error {
			for _, shelf := range []string{"a", "b", "c"} {
				rows.Ahead(bot.NoteKey{Shelf: shelf, Key: "web:den"})
			}
			for _, shelf := range []string{"a", "b", "a", "c"} {
				was, err := rows.Get(shelf, "web:den")
				if err != nil {
					return err
				}
				if err := rows.Put(shelf, "web:den", append(was, '.')); err != nil {
					return err
				}
			}
			return nil
		}))
		if n := db.RoundTrips() - before; n != 2 {
			t.Errorf("change %d takes %d round trips, want 2", i+1, n)
		}
	}
	for shelf, want := range map[string]string{"a": "....", "b": "..", "c": ".."} {
		if got, err := notes.Get(t.Context(), shelf, "web:den"); err != nil || string(got) != want {
			t.Errorf("%s is %q, want %q (%v)", shelf, got, want, err)
		}
	}
}
