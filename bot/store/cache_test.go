package store_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// stored is a log as a store has it.
func stored(t *testing.T, log []game.Event) (data [][]byte) {
	for _, e := range log {
		d, err := record.MarshalEvent(store.TileSet(log), e)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, d)
	}
	return data
}

// grown reads the first n events through a cache, and counts the rows that it takes.
func grown(t *testing.T, c *store.Cache, version, n int, data [][]byte) (list []game.Event, rows int) {
	list, err := c.Grown(1, version, n, func(from int) ([][]byte, error) {
		rows += n - from
		return data[from:n], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, rows
}

// What is known of a log that only grows isn't read again, nor compared but for its
// last event.
func TestCacheReadsWhatIsNew(t *testing.T) {
	log := gametest.Log(t, 60)
	data := stored(t, log)
	var c store.Cache
	first, _ := grown(t, &c, 1, 20, data)
	for i, step := range []struct{ version, n, rows int }{{1, 20, 1}, {2, 21, 2}, {2, 5, 1}, {1, 20, 1}, {7, 60, 40}, {6, 30, 1}, {9, 60, 1}} {
		list, rows := grown(t, &c, step.version, step.n, data)
		if rows != step.rows {
			t.Errorf("step %d: %d rows were read, want %d", i, rows, step.rows)
		}
		if !reflect.DeepEqual(list, log[:step.n]) {
			t.Fatalf("step %d: not the first %d events", i, step.n)
		}
		if i == 0 && &list[0] != &first[0] {
			t.Error("the same events lie elsewhere when they are read again")
		}
	}
}

// A log that may have changed otherwise than by growing is compared whole, until it was
// read in a later version, whoever still reads an earlier one meanwhile.
func TestCacheDoubts(t *testing.T) {
	log := gametest.Log(t, 30)
	ann := log[1].Fact.(game.Joined).Person
	renamed := slices.Clone(log)
	for i, e := range log[:20] {
		renamed[i] = e.Renamed(ann.ID, game.Person{ID: "gone", Name: "Gone"})
	}
	before, after := stored(t, log), stored(t, renamed)
	var c store.Cache
	for i, step := range []struct {
		doubt, version, n int
		renamed           bool
	}{
		{0, 4, 30, false},
		{5, 5, 30, true},  // the writer itself
		{0, 4, 30, false}, // somebody who began before
		{0, 5, 30, true},
		{0, 4, 25, false},
		{0, 6, 30, true},
		{0, 4, 30, false},
		{0, 7, 30, true},
		{0, 8, 30, true},
	} {
		if step.doubt > 0 {
			c.Doubt(step.doubt)
		}
		data, want := before, log
		if step.renamed {
			data, want = after, renamed
		}
		if list, _ := grown(t, &c, step.version, step.n, data); !reflect.DeepEqual(list, want[:step.n]) {
			t.Fatalf("step %d: not the events of version %d", i, step.version)
		}
	}
	if _, rows := grown(t, &c, 8, 30, after); rows != 1 {
		t.Errorf("%d rows are read when the log has settled, want 1", rows)
	}
}

// Somebody else reads more of a log while it is read, of which a part is the same.
func TestCacheBesideAnotherReader(t *testing.T) {
	log := gametest.Log(t, 60)
	data := stored(t, log)
	var c store.Cache
	grown(t, &c, 1, 2, data)
	other := append(slices.Clone(data[:3]), data[4])
	list, err := c.Grown(1, 2, len(other), func(from int) ([][]byte, error) {
		if _, err := c.Events(1, data[:4]); err != nil {
			t.Error(err)
		}
		return other[from:], nil
	})
	if want := append(slices.Clone(log[:3]), log[4]); err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("read %d events, want %d: %v", len(list), len(want), err)
	}
}
