package simtest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/simtest"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/gametest"
)

// told is the outcome of a call: whether it was carried out, and what the caller learned.
type told struct {
	done bool
	err  error
	took time.Duration
}

// calls makes n calls from a process.
func calls(t *testing.T, w *simtest.World, name string, steps, n int) (all []told) {
	p, ctx := w.Start(t.Context(), name, steps)
	for i := range n {
		var one told
		began := time.Now()
		one.err = p.Call(ctx, simtest.StoreParty, fmt.Sprint("call ", i), func() error { one.done = true; return nil })
		one.took = time.Since(began)
		all = append(all, one)
	}
	return all
}

// Each seed stands for one history, different seeds for different ones.
func TestSeedDeterminesHistory(t *testing.T) {
	lived := func(seed uint64) (all []told, trace uint64) {
		synctest.Test(t, func(t *testing.T) {
			w := simtest.NewWorld(seed)
			all = calls(t, w, "p", 0, 300)
			_, trace = w.Steps()
		})
		return all, trace
	}
	first, trace := lived(7)
	if again, same := lived(7); !slices.Equal(first, again) || trace != same {
		t.Error("a seed has two histories")
	}
	if other, _ := lived(8); slices.Equal(first, other) {
		t.Error("two seeds have the same history")
	}
}

// In trouble a call or its answer may get lost. In the calm neither does, and everything is quick.
func TestTroubleAndCalm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simtest.NewWorld(1)
		var lost, unheard, late int
		for _, c := range calls(t, w, "in trouble", 0, 2000) {
			switch {
			case errors.Is(c.err, simtest.ErrLost) && c.done:
				unheard++
			case errors.Is(c.err, simtest.ErrLost):
				lost++
			case c.err != nil || !c.done:
				t.Fatalf("a call became %+v", c)
			case c.took > 10*time.Millisecond:
				late++
			}
		}
		if lost == 0 || unheard == 0 || late == 0 {
			t.Errorf("%d calls were lost, %d answers, and %d were late", lost, unheard, late)
		}
		w.Calm()
		for _, c := range calls(t, w, "in the calm", 0, 2000) {
			if c.err != nil || !c.done || c.took > 10*time.Millisecond {
				t.Fatalf("in the calm a call became %+v", c)
			}
		}
	})
}

// A process ends between any two of its steps, before or after its call is carried out. From then
// on nothing it does has an effect.
func TestProcessEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for steps := 1; steps <= 12; steps++ {
			w := simtest.NewWorld(3)
			dead := false
			for i, c := range calls(t, w, "p", steps, 8) {
				if dead && (c.done || c.err == nil) {
					t.Errorf("of %d steps: call %d comes after the end, and became %+v", steps, i, c)
				}
				dead = dead || errors.Is(c.err, simtest.ErrDead)
			}
			if n, _ := w.Steps(); !dead || n != steps {
				t.Errorf("of %d steps it made %d", steps, n)
			}
		}
		w := simtest.NewWorld(3)
		p, ctx := w.Start(t.Context(), "killed", 0)
		p.Kill()
		if err := p.Call(ctx, simtest.StoreParty, "anything", func() error { t.Error("a dead process has an effect"); return nil }); err == nil || !p.Dead() || ctx.Err() == nil {
			t.Errorf("a killed process is told %v", err)
		}
	})
}

// While a session holds a room, others can't change it. Afterwards they can, and a change may run
// twice, as if another came between.
func TestLockedRoomBlocksChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simtest.NewWorld(5)
		w.Calm()
		p, ctx := w.Start(t.Context(), "p", 0)
		store := p.Store(memory.New())
		runs := 0
		changes := func(request string) error {
			return store.Update(ctx, "test:room", request, func(*bot.Room) error { runs++; return nil })
		}
		unlock := w.Lock("test:room")
		if err := changes("early"); !errors.Is(err, simtest.ErrBusy) || runs > 0 {
			t.Errorf("while it is held: %v", err)
		}
		if err := store.Update(ctx, "test:other", "beside", func(*bot.Room) error { return nil }); err != nil {
			t.Errorf("another room: %v", err)
		}
		unlock()
		const requests = 100
		for i := range requests {
			gametest.Must(t, changes(fmt.Sprint("request ", i)))
		}
		if runs <= requests || runs > requests*3/2 {
			t.Errorf("%d changes were tried %d times", requests, runs)
		}
		ended, end := context.WithCancel(ctx)
		end()
		if err := store.Update(ended, "test:room", "late", func(*bot.Room) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("with its context over: %v", err)
		}
	})
}

// Now and then a process is suspended, or its line to one party hangs or refuses calls, for up to
// the history's longest pause. In the calm none of it happens.
func TestOutages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simtest.NewWorld(11)
		w.Pauses = 4 * time.Minute
		p, ctx := w.Start(t.Context(), "p", 0)
		var hung, refused, beside int // calls of the store; of the platform while the store was away
		for i := range 20000 {
			began := time.Now()
			err := p.Call(ctx, simtest.StoreParty, fmt.Sprint("store ", i), func() error { return nil })
			hung += map[bool]int{true: 1}[time.Since(began) > 10*time.Second]
			if !errors.Is(err, simtest.ErrLost) || time.Since(began) > 100*time.Millisecond {
				continue
			}
			refused++
			if p.Call(ctx, simtest.PlatformParty, fmt.Sprint("platform ", i), func() error { return nil }) == nil {
				beside++
			}
		}
		if hung < 5 || refused < 100 || beside < refused/2 {
			t.Errorf("%d calls hung, %d were refused, and beside %d of these another party was within reach", hung, refused, beside)
		}
		w.Calm()
		for i, c := range calls(t, w, "in the calm", 0, 5000) {
			if c.err != nil || c.took > 10*time.Millisecond {
				t.Fatalf("in the calm call %d became %+v", i, c)
			}
		}
	})
}
