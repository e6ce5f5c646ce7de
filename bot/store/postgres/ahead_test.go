package postgres_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rackmate/rackmate/bot"
)

// An errand reads once what its kind needs, also of people and places that are
// new, and sees what it changed itself; the next errand sees what others changed.
func TestErrands(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	notes := db.Notes("host")
	read := func(ch, who string, keys ...string) []string {
		t.Helper()
		ctx := bot.OnErrand(t.Context(), "command play", ch, who)
		var got []string
		for _, key := range keys {
			v, err := notes.Get(ctx, "house", key)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(v))
		}
		rows, err := notes.Scan(ctx, "plans", who, "", 5)
		if err != nil {
			t.Fatal(err)
		}
		return append(got, fmt.Sprint(len(rows)))
	}
	for _, one := range [][2]string{{"channel web:den", "quiet"}, {"player web:ann", "Ann"}} {
		if err := notes.Put(t.Context(), "house", one[0], []byte(one[1])); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		read("web:den", "web:ann", "channel web:den", "player web:ann", "den")
	}
	before := db.RoundTrips()
	if got := fmt.Sprint(read("web:hall", "web:bob", "channel web:hall", "player web:bob", "hall")); got != "[   0]" {
		t.Errorf("elsewhere: %s", got)
	}
	if got := fmt.Sprint(read("web:den", "web:ann", "channel web:den", "player web:ann", "den")); got != "[quiet Ann  0]" {
		t.Errorf("in the den: %s", got)
	}
	if n := db.RoundTrips() - before; n != 2 {
		t.Errorf("two errands take %d round trips", n)
	}

	ctx := bot.OnErrand(t.Context(), "command play", "web:den", "web:ann")
	get := func() string {
		t.Helper()
		part := bot.OnErrand(ctx, "a part", "web:ann")
		v, err := notes.Get(part, "house", "player web:ann")
		if err != nil {
			t.Fatal(err)
		}
		return string(v)
	}
	was := get()
	if err := notes.Put(t.Context(), "house", "player web:ann", []byte("Anne")); err != nil { // another's
		t.Fatal(err)
	}
	if still := get(); was != "Ann" || still != "Ann" {
		t.Errorf("an errand reads %q, then %q", was, still)
	}
	if err := notes.Change(ctx, func(r bot.Rows) error { return r.Put("house", "other", []byte("x")) }); err != nil {
		t.Fatal(err)
	}
	if now := get(); now != "Anne" {
		t.Errorf("after a change of its own an errand reads %q", now)
	}

	// What an errand has stored at a table it needn't read.
	post(t, db, den, "first")
	ctx = bot.OnErrand(t.Context(), "command pass", string(den))
	if err := db.Update(ctx, den, "second", turn(t)); err != nil {
		t.Fatal(err)
	}
	before = db.RoundTrips()
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
	if n := db.RoundTrips() - before; n != 0 {
		t.Errorf("%d round trips for what was just stored", n)
	}
	post(t, db, den, "third")
	if _, now, err := db.Table(bot.OnErrand(t.Context(), "command pass", string(den)), den); err != nil || len(now) != 3 {
		t.Error("the next errand reads", len(now), err)
	}
	if _, _, err := db.Events(ctx, 99, -1); err != bot.ErrNoTable {
		t.Error("no such table:", err)
	}
}

// What an errand reads again after it changed something is read together too.
func TestErrandsThatChange(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	notes := db.Notes("host")
	var last int64 // round trips of the second reading
	for range 3 {
		ctx := bot.OnErrand(t.Context(), "command new", "web:den")
		read := func(want string) {
			t.Helper()
			for _, key := range []string{"a", "b", "c"} {
				if v, err := notes.Get(ctx, "house", key); err != nil || string(v) != want {
					t.Errorf("%s is %q, %v; want %q", key, v, err, want)
				}
			}
		}
		set := func(ctx context.Context, to string) {
			t.Helper()
			for _, key := range []string{"a", "b", "c"} {
				if err := notes.Put(ctx, "house", key, []byte(to)); err != nil {
					t.Fatal(err)
				}
			}
		}
		set(t.Context(), "before")
		read("before")
		set(ctx, "after")
		before := db.RoundTrips()
		read("after")
		last = db.RoundTrips() - before
	}
	if last != 1 {
		t.Errorf("what was changed is read in %d round trips", last)
	}
}

// What an errand reads to change it is asked for together, and what it has put it
// knows.
func TestChangesOfErrands(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	notes := db.Notes("host")
	count := func(ch string) (trips int64) {
		t.Helper()
		before := db.RoundTrips()
		if err := notes.Change(bot.OnErrand(t.Context(), "timer record", ch), func(rows bot.Rows) error {
			for _, shelf := range []string{"a", "b", "a", "c"} {
				was, err := rows.Get(shelf, ch)
				if err != nil {
					return err
				}
				if err := rows.Put(shelf, ch, append(was, '.')); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return db.RoundTrips() - before
	}
	for range 3 {
		count("web:den")
	}
	if n := count("web:hall"); n != 2 {
		t.Errorf("a change takes %d round trips, want 2", n)
	}
	for shelf, want := range map[string]string{"a": "......", "b": "...", "c": "..."} {
		if got, err := notes.Get(t.Context(), shelf, "web:den"); err != nil || string(got) != want {
			t.Errorf("%s is %q, want %q (%v)", shelf, got, want, err)
		}
	}
}

// What errands read together is known also while many of one name are under way.
func TestErrandsAtOnce(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	notes := db.Notes("host")
	const many = 100
	var all [many]context.Context
	for i := range all {
		ch, who := fmt.Sprintf("web:dm.a%05d.b%05d", i, i), fmt.Sprintf("web:a%05d", i)
		all[i] = bot.OnErrand(t.Context(), "command play", ch, who)
	}
	read := func(i int) {
		t.Helper()
		for _, key := range []string{"a%05d", "b%05d", "web:dm.a%05[1]d.b%05[1]d"} {
			if _, err := notes.Get(all[i], "house", fmt.Sprintf(key, i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Each has begun before the others ask.
	for i := range all {
		if _, err := notes.Get(all[i], "house", "all"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 4 {
		read(i)
	}
	before := db.RoundTrips()
	read(many - 1)
	if n := db.RoundTrips() - before; n != 1 {
		t.Errorf("one of many errands takes %d round trips", n)
	}
}
