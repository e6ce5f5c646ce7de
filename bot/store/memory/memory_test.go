package memory_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/store/storetest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A store in memory has no restart; the test's directory stands for the store.
func TestStore(t *testing.T) {
	var stores sync.Map
	storetest.Run(t, func(t *testing.T, dir string, _ func() time.Time) storetest.Store {
		s, _ := stores.LoadOrStore(dir, memory.New())
		return plant(s.(*memory.Store))
	})
}

// An Update that comes between makes fn run again, on a room that includes it.
func TestUpdateRunsAgain(t *testing.T) {
	s := memory.New()
	event := func(n int, cause string) []game.Event {
		return []game.Event{{Number: n, Cause: cause, Fact: game.Closed{}}}
	}
	var seen []int
	gametest.Must(t, s.Update(t.Context(), "web:den", "slow", func(r *bot.Room) error {
		seen = append(seen, len(r.Events))
		if len(seen) == 1 {
			if err := s.Update(t.Context(), "web:den", "fast", func(r *bot.Room) error {
				r.Append = event(0, "fast")
				return nil
			}); err != nil {
				return err
			}
		}
		r.Append = event(len(r.Events), "slow")
		return nil
	}))
	if !slices.Equal(seen, []int{0, 1}) {
		t.Errorf("fn saw %v events, want none and then the one of the other update", seen)
	}
	_, events, err := s.Table(t.Context(), "web:den")
	if err != nil || len(events) != 2 || events[0].Cause != "fast" || events[1].Cause != "slow" {
		t.Errorf("events %+v, error %v", events, err)
	}
}
