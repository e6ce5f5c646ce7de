package postgres_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// A reading asks at once what two before it have asked, about its own names. Its answers stay valid
// until the reading itself changes them.
func TestReadingsPrefetch(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	notes := db.Notes("host")
	for _, one := range [][2]string{{"channel web:den", "quiet"}, {"player web:ann", "Ann"}, {"player web:bob", "Bob"}} {
		gametest.Must(t, notes.Put(t.Context(), "house", one[0], []byte(one[1])))
	}
	get := func(ctx context.Context, key, want string) {
		t.Helper()
		if v, err := notes.Get(ctx, "house", key); err != nil || string(v) != want {
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
	looks := func(who, name string) {
		t.Helper()
		ctx := bot.ReadTogether(t.Context(), "/look", "web:"+who, string(den))
		get(ctx, "channel web:den", "quiet")
		get(ctx, "player web:"+who, name)
		get(ctx, "none", "")
		get(ctx, "none", "")
		if _, list, err := db.Table(ctx, den); err != nil || len(list) != 0 {
			t.Error(len(list), err)
		}
		if list, err := db.TablesPlayed(ctx, bot.PlayerID("web:"+who)); err != nil || len(list) != 0 {
			t.Error(list, err)
		}
	}
	trips(5, func() { looks("ann", "Ann") })
	trips(5, func() { looks("ann", "Ann") })
	for range 20 {
		trips(1, func() { looks("bob", "Bob") })
	}

	// Opponents become known with the table.
	meets := func(opponents ...string) {
		t.Helper()
		ctx := bot.ReadTogether(t.Context(), "/meet", "web:cat")
		get(ctx, "player web:cat", "")
		bot.ReadingOf(ctx).About(1, opponents...)
		for _, o := range opponents {
			get(ctx, "player "+o, map[string]string{"web:ann": "Ann", "web:bob": "Bob"}[o])
		}
	}
	for range 2 {
		trips(3, func() { meets("web:ann", "web:bob") })
	}
	trips(2, func() { meets("web:bob", "web:ann", "web:dan") })

	ctx := bot.ReadTogether(t.Context(), "/change", "web:ann")
	get(ctx, "player web:ann", "Ann")
	gametest.Must(t, notes.Put(t.Context(), "house", "player web:ann", []byte("Anne"))) // another's change
	get(ctx, "player web:ann", "Ann")
	gametest.Must(t, notes.Change(ctx, func(r bot.Rows) error { return r.Put("house", "other", []byte("x")) }))
	get(ctx, "player web:ann", "Anne")

	// A reading doesn't read again what it has stored at a table, and what it is expected to ask
	// comes along with the change.
	for range 2 {
		get(bot.ReadTogether(t.Context(), "/turn", "web:ann"), "player web:ann", "Anne")
	}
	post(t, db, den, "first")
	ctx = bot.ReadTogether(t.Context(), "/turn", "web:ann")
	gametest.Must(t, db.Update(ctx, den, "second", turn(t)))
	trips(0, func() {
		get(ctx, "player web:ann", "Anne")
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
	if _, now, err := db.Table(bot.ReadTogether(t.Context(), "/turn"), den); err != nil || len(now) != 3 {
		t.Error("the next reading has", len(now), err)
	}
	if _, _, err := db.Events(ctx, 99, -1); err != bot.ErrNoTable {
		t.Error("no such table:", err)
	}
}

// A change asks at once what two before it that began alike have asked, and knows what it has put.
// Several keys are one question.
func TestChangesPrefetch(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	notes := db.Notes("host")
	for i, want := range []int64{4, 4, 2, 2} {
		before := db.RoundTrips()
		who := fmt.Sprint("web:", i)
		gametest.Must(t, notes.Change(bot.ReadTogether(t.Context(), "/count", who), func(rows bot.Rows) error {
			for _, shelf := range []string{"a", "b", "a", "c"} {
				was, err := rows.Get(shelf, who)
				if err != nil {
					return err
				}
				if err := rows.Put(shelf, who, append(was, '.')); err != nil {
					return err
				}
			}
			return nil
		}))
		if n := db.RoundTrips() - before; n != want {
			t.Errorf("change %d takes %d round trips, want %d", i+1, n, want)
		}
	}
	before := db.RoundTrips()
	all, err := notes.GetAll(t.Context(), "a", "web:0", "web:9", "web:1")
	if n := db.RoundTrips() - before; err != nil || n != 1 || fmt.Sprintf("%s", all) != "[..  ..]" {
		t.Errorf("%d round trips, %q, %v", n, all, err)
	}
	gametest.Must(t, notes.Change(t.Context(), func(rows bot.Rows) error {
		all, err := rows.GetAll("a", "web:0", "web:9", "web:0")
		if fmt.Sprintf("%s", all) != "[..  ..]" {
			t.Errorf("in a change it has %q", all)
		}
		return err
	}))
}
