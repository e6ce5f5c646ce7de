package store_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// records returns one record of each kind that a store carries.
func records() []store.Record {
	return []store.Record{
		store.Table{ID: 7, Channel: "web:den", Seated: []game.PlayerID{"ann"}, Events: [][]byte{[]byte("abc"), []byte("de")}},
		store.Receipt{Channel: "web:den", Request: "r1", Receipt: bot.Receipt{Table: 7, To: 2}, Filed: start},
		store.Post{Post: bot.Post{ID: 1, Channel: "web:den", Table: 7, To: 2}, Until: start},
		store.Timer{Timer: bot.Timer{ID: 1, At: start, Table: 7}},
		store.Note{Adapter: "host", Shelf: "house", Key: "channel web:den", Value: []byte("{}")},
		store.Note{Adapter: "web", Shelf: "said/den", Key: "7ffffffffffffffe", Value: []byte("hello")},
		store.Counters{Tables: 7, Posts: 1, Timers: 1},
	}
}

// sums returns the checksums of some records.
func sums(t *testing.T, all ...store.Record) store.Sums {
	t.Helper()
	s := store.Sums{}
	for _, r := range all {
		gametest.Must(t, s.Add(r))
	}
	return s
}

// Copies are equal in any order. If a record is missing or differs, the operator learns what it is
// part of, with the number of records.
func TestCopiesAreCompared(t *testing.T) {
	all := records()
	whole := sums(t, all...)
	backwards := store.Sums{}
	for i := range all {
		gametest.Must(t, backwards.Add(all[len(all)-1-i]))
	}
	if parts := whole.Differ(backwards); len(parts) > 0 {
		t.Errorf("in another order %v differ", parts)
	}
	for i, part := range []string{
		"table 7", "the receipts", "the posts that wait", "the timers", `the notes "house" of host`,
		`the notes "said/den" of web`, "the counters",
	} {
		copied := store.Sums{}
		for k, r := range all {
			if k != i {
				gametest.Must(t, copied.Add(r))
			}
		}
		if got, want := whole.Differ(copied), []string{part + " (1 and 0)"}; !reflect.DeepEqual(got, want) {
			t.Errorf("without record %d: %q, want %q", i, got, want)
		}
		if got, want := copied.Differ(whole), []string{part + " (0 and 1)"}; !reflect.DeepEqual(got, want) {
			t.Errorf("with record %d alone: %q, want %q", i, got, want)
		}
	}
	other := records()
	other[5] = store.Note{Adapter: "web", Shelf: "said/den", Key: "7ffffffffffffffe", Value: []byte("hallo")}
	other[6] = store.Counters{Tables: 8, Posts: 1, Timers: 1}
	want := []string{"the counters (1 and 1)", `the notes "said/den" of web (1 and 1)`}
	if got := whole.Differ(sums(t, other...)); !reflect.DeepEqual(got, want) {
		t.Errorf("with another message: %q, want %q", got, want)
	}
}

// Tables are counted once with all their events, and nothing else counts as a table.
func TestTablesAreCounted(t *testing.T) {
	all := append(records(), store.Table{ID: 8}, store.Note{Adapter: "host", Shelf: "table 9"})
	if n := sums(t, all...).Tables(); n != 2 {
		t.Errorf("%d tables, want 2", n)
	}
}

// A record's size grows with its contents, so that batches of them stay small.
func TestRecordsHaveSizes(t *testing.T) {
	small := store.Counters{}.Size()
	for i, more := range []int{5, 0, 0, 0, 2, 5, 0} {
		if r := records()[i]; r.Size() != small+more {
			t.Errorf("%T has %d bytes, want %d more than the smallest, %d", r, r.Size(), more, small)
		}
	}
}

// A stored table names everybody who was ever at it, each once. If it can't be read, it names
// nobody.
func TestStoredTablesNamePeople(t *testing.T) {
	log := gametest.Log(t, 20)
	table := store.Table{ID: 7, Events: stored(t, log)}
	all, err := table.PeopleNamed()
	if want := []game.PlayerID{"ann", "bob"}; err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("named are %v, %v; want %v", all, err, want)
	}
	table.Events[3] = []byte("{")
	if all, err := table.PeopleNamed(); !errors.Is(err, bot.ErrUnreadable) || all != nil {
		t.Errorf("of a damaged table: %v, %v", all, err)
	}
}
