package table_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// Cached states equal replayed ones, whatever the order of requests.
func TestCachedStatesEqualReplayed(t *testing.T) {
	log := gametest.RandomGame(t, 5, 3, game.Classic())
	var r table.Replays
	for n := 1; n <= len(log); n++ {
		for _, k := range []int{n, n, max(1, n-1), max(1, n-7), n} {
			got, err := r.Replay(nil, "web:den", 1, log[:k])
			gametest.Must(t, err)
			want, err := game.Replay(log[:k])
			gametest.Must(t, err)
			if !reflect.DeepEqual(got.State, want) {
				t.Fatalf("after %d of %d events:\n got %+v\nwant %+v", k, n, got.State, want)
			}
			if got, err = got.At(max(1, k-1)); err != nil || got.Number != max(1, k-1) {
				t.Fatalf("at %d events there are %d, error %v", max(1, k-1), got.Number, err)
			}
		}
	}
}

// A table with more events has the same states as one replayed from all events.
func TestMoreEventsExtendReplay(t *testing.T) {
	log := gametest.RandomGame(t, 5, 3, game.Classic())
	for from := 1; from < len(log); from++ {
		before, err := table.Variants(nil).Replay("web:den", 1, log[:from:from])
		gametest.Must(t, err)
		after := before.With(log[from:])
		for _, n := range []int{len(log), from, from + 1, max(1, from-1)} {
			got, err := after.At(n)
			gametest.Must(t, err)
			want, err := game.Replay(log[:n])
			gametest.Must(t, err)
			if !reflect.DeepEqual(got.State, want) || !reflect.DeepEqual(got.Events, log[:n]) {
				t.Fatalf("of %d events and the others, after %d:\n got %+v\nwant %+v", from, n, got.State, want)
			}
		}
		if len(before.Events) != from || before.Number != from {
			t.Fatalf("the table before has %d events and is at %d; want %d", len(before.Events), before.Number, from)
		}
	}
}

// Other events of the same table, such as those with another name for a player, are
// replayed from the start.
func TestOtherEventsAreReplayed(t *testing.T) {
	log := gametest.RandomGame(t, 5, 2, game.Classic())
	var r table.Replays
	if _, err := r.Replay(nil, "web:den", 1, log); err != nil {
		t.Fatal(err)
	}
	other := slices.Clone(log)
	ann := other[1].Fact.(game.Joined).Person
	for i, e := range other {
		other[i] = e.Rename(ann.ID, game.Person{ID: "former", Name: "Somebody"})
	}
	got, err := r.Replay(nil, "web:den", 1, other)
	gametest.Must(t, err)
	if name := got.Seats[0].Person.Name; name != "Somebody" {
		t.Errorf("the first seat is %q's, want the name in the events", name)
	}
	broken := slices.Clone(log)
	broken[3].Number = 7
	if _, err := r.Replay(nil, "web:den", 1, broken); err == nil {
		t.Error("a log with a wrong number was replayed")
	}
}
