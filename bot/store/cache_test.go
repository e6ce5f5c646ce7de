package store_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// stored returns a log as a store has it.
func stored(t *testing.T, log []game.Event) (data [][]byte) {
	for _, e := range log {
		d, err := record.MarshalEvent(store.TileSet(log), e)
		gametest.Must(t, err)
		data = append(data, d)
	}
	return data
}

// grown reads the first n events through a cache, and counts the rows that it reads.
func grown(t *testing.T, c *store.Cache, version, n int, data [][]byte) (list []game.Event, rows int) {
	list, err := c.Extend(1, version, n, func(from int) ([][]byte, error) {
		rows += n - from
		return data[from:n], nil
	})
	gametest.Must(t, err)
	return list, rows
}

// The cached part of a log that only grows isn't read again, and only its last event is compared.
func TestCacheReadsOnlyNewEvents(t *testing.T) {
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

// A log that may have changed other than by growing is compared as a whole until it has been read
// in a later version, even if others still read an earlier one.
func TestCacheComparesChangedLog(t *testing.T) {
	log := gametest.Log(t, 30)
	ann := log[1].Fact.(game.Joined).Person
	renamed := slices.Clone(log)
	for i, e := range log[:20] {
		renamed[i] = e.Rename(ann.ID, game.Person{ID: "gone", Name: "Gone"})
	}
	before, after := stored(t, log), stored(t, renamed)
	var c store.Cache
	for i, step := range []struct {
		doubt, version, n int
		renamed           bool
	}{
		{0, 4, 30, false},
		{5, 5, 30, true},  // the writer itself
		{0, 4, 30, false}, // a reader that began before
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

// Another caller reads more of a log while it is read, part of which is the same.
func TestCacheWithConcurrentReader(t *testing.T) {
	log := gametest.Log(t, 60)
	data := stored(t, log)
	var c store.Cache
	grown(t, &c, 1, 2, data)
	other := append(slices.Clone(data[:3]), data[4])
	list, err := c.Extend(1, 2, len(other), func(from int) ([][]byte, error) {
		if _, err := c.Events(1, data[:4]); err != nil {
			t.Error(err)
		}
		return other[from:], nil
	})
	if want := append(slices.Clone(log[:3]), log[4]); err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("read %d events, want %d: %v", len(list), len(want), err)
	}
}

// A log that was dropped is read again as a whole; until then the cache says how far it is known,
// and in which version.
func TestDroppedLogIsReread(t *testing.T) {
	log := gametest.Log(t, 30)
	data := stored(t, log)
	var c store.Cache
	grown(t, &c, 4, 30, data)
	for n, want := range map[int]int{0: 0, 1: 0, 2: 1, 30: 29, 99: 29} {
		if got := c.CachedLog(1).Last(n); got != want {
			t.Errorf("the last known of the first %d is event %d, want %d", n, got, want)
		}
	}
	if known := c.CachedLog(1); known.Version() != 4 {
		t.Errorf("known by version %d, want 4", known.Version())
	}
	c.Forget(1)
	if known := c.CachedLog(1); known.Last(30) != 0 || known.Version() != 0 {
		t.Errorf("forgotten, and known up to event %d by version %d", known.Last(30), known.Version())
	}
	if _, rows := grown(t, &c, 4, 30, data); rows != 30 {
		t.Errorf("%d rows are read of a log that was forgotten, want 30", rows)
	}
}

// A store that reads only the events behind the cached ones learns if these aren't what it has.
func TestCacheReadsLaterEvents(t *testing.T) {
	log := gametest.Log(t, 30)
	data := stored(t, log)
	for name, tt := range map[string]struct {
		known, from int
		data        [][]byte
		want        int // events
		ok          bool
	}{
		"all of it":                      {0, 0, data, 30, true},
		"no events at all":               {0, 0, nil, 0, true},
		"what has come since":            {20, 20, data[20:], 30, true},
		"the last known and those since": {20, 19, data[19:], 30, true},
		"nothing new":                    {20, 19, data[19:20], 20, true},
		"fewer than are known":           {20, 4, data[4:6], 6, true},
		"the last known is another":      {20, 19, data[20:], 0, false},
		"the last known is missing":      {20, 19, nil, 0, false},
		"a gap between":                  {20, 22, data[22:], 0, false},
	} {
		var c store.Cache
		if tt.known > 0 {
			grown(t, &c, 1, tt.known, data)
		}
		events, ok, err := c.DecodeBehind(1, 2, c.CachedLog(1), tt.from, tt.data)
		if err != nil || ok != tt.ok || len(events) != tt.want || tt.want > 0 && !reflect.DeepEqual(events, log[:tt.want]) {
			t.Errorf("%s: %d events, %t, %v", name, len(events), ok, err)
		}
	}
}

// If a store fails or returns too little, that is an error, and nothing is cached.
func TestFailedReadIsNotCached(t *testing.T) {
	log := gametest.Log(t, 30)
	data := stored(t, log)
	for name, tt := range map[string]struct {
		rows func(from int) ([][]byte, error)
		says string
	}{
		"no rows":       {func(int) ([][]byte, error) { return nil, errOff }, errOff.Error()},
		"too few":       {func(from int) ([][]byte, error) { return data[from:25], nil }, "table 1 has 25 events, not 30"},
		"a damaged one": {func(from int) ([][]byte, error) { return append(slices.Clone(data[from:29]), []byte("{")), nil }, "read table 1, event 29"},
	} {
		for _, known := range []int{0, 20} {
			var c store.Cache
			if known > 0 {
				grown(t, &c, 1, known, data)
			}
			if _, err := c.Extend(1, 2, 30, tt.rows); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s, %d known: %v", name, known, err)
			}
			if list, rows := grown(t, &c, 2, 30, data); rows != 30-max(known-1, 0) || !reflect.DeepEqual(list, log) {
				t.Errorf("%s, %d known: %d rows are read then", name, known, rows)
			}
		}
	}
}
