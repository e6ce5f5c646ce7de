package loops_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/gametest"
)

var errDown = errors.New("the store is down")

// looped returns the loops of a process over a store, and their log.
func looped(store bot.Store) (*loops.Loops, *strings.Builder) {
	var log strings.Builder
	return loops.New(store, "one", 0, time.Now, slog.New(slog.NewTextHandler(&log, nil))), &log
}

// asks reports whether an agenda queries the store for a kind of timers, and otherwise when it
// will. It doesn't answer the query.
func asks(a *loops.Agenda, kind string, now time.Time) (asked bool, next time.Time) {
	next, _ = a.Query(kind, now, func() (time.Time, bool, error) {
		asked = true
		return time.Time{}, true, nil
	})
	return asked, next
}

// answers answers an agenda's query: the next timer is due at a time.
func answers(t *testing.T, a *loops.Agenda, now, next time.Time) {
	t.Helper()
	asked := false
	_, err := a.Query("", now, func() (time.Time, bool, error) {
		asked = true
		return next, false, nil
	})
	if !asked || err != nil {
		t.Fatalf("the store is queried: %t, %v", asked, err)
	}
}

// The loops learn of posts and timers added to the store here: posts by channel, timers by
// due time.
func TestLoopsHearOfNewPosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l, _ := looped(store)
		hears := l.Hear(store)
		answers(t, &l.Agenda, time.Now(), time.Time{})
		if ask, next := asks(&l.Agenda, "", time.Now()); ask || !next.IsZero() {
			t.Errorf("where the store has none it is asked again (%t), or the next is due at %v", ask, next)
		}
		gametest.Must(t, hears.Update(t.Context(), "test:cellar", "", func(r *bot.Room) error {
			r.Posts = []bot.Post{{Kind: "news"}}
			return nil
		}))
		since := l.Posted.Since()
		due := time.Now().Add(20 * time.Second)
		gametest.Must(t, hears.Update(t.Context(), "test:den", "", func(r *bot.Room) error {
			r.Append = gametest.Log(t, 2)
			r.Posts = []bot.Post{{To: 2}}
			r.Timers = []bot.Timer{{At: due, Kind: "late"}}
			return nil
		}))
		if !since("test:den") || since("test:attic") || since("test:cellar") {
			t.Error("where posts were queued isn't known")
		}
		if l.Posted.Since()("test:den") {
			t.Error("what was queued before counts as queued since")
		}
		if ask, next := asks(&l.Agenda, "", time.Now()); ask || !next.Equal(due) {
			t.Errorf("the next is due at %v (%t), want %v", next, ask, due)
		}
		time.Sleep(20 * time.Second)
		if ask, _ := asks(&l.Agenda, "", time.Now()); !ask {
			t.Error("a timer is due, and the store isn't asked")
		}
	})
}

// TestEarliestTimerWakesLoop checks that the loop looks when the earliest of its timers is due, in
// whatever order they were set, and whatever the store has reported.
func TestEarliestTimerWakesLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begins := time.Now()
		for _, order := range [][]int{{20, 5, 40}, {5, 20, 40}, {40, 20, 5}, {5}, {20}} {
			store := memory.New()
			l, _ := looped(store)
			answers(t, &l.Agenda, begins, begins.Add(10*time.Second)) // the store has one
			want := begins.Add(10 * time.Second)
			for _, seconds := range order {
				at := begins.Add(time.Duration(seconds) * time.Second)
				gametest.Must(t, l.Hear(store).Update(t.Context(), "test:den", "", func(r *bot.Room) error {
					r.Timers = []bot.Timer{{At: at, Kind: "late"}}
					return nil
				}))
				want = loops.Earlier(want, at)
			}
			if ask, next := asks(&l.Agenda, "", begins); ask || !next.Equal(want) {
				t.Errorf("timers after %v seconds and one of others after 10: the next is due after %v", order, next.Sub(begins))
			}
		}
	})
}

// The store's answer is discarded after a minute, when the clock steps back, and when
// another process may have set a timer, even during the query.
func TestStoreIsQueriedAgain(t *testing.T) {
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	asked := func(a *loops.Agenda) { answers(t, a, now, now.Add(time.Hour)) }
	for name, tt := range map[string]struct {
		does func(*loops.Agenda)
		at   time.Time
		ask  bool
	}{
		"at once":              {asked, now, false},
		"a moment later":       {asked, now.Add(59 * time.Second), false},
		"a minute later":       {asked, now.Add(time.Minute), true},
		"the clock steps back": {asked, now.Add(-time.Second), true},
		"another may have set": {func(a *loops.Agenda) { asked(a); a.Reset() }, now, true},
		"meanwhile another may": {func(a *loops.Agenda) {
			a.Query("", now, func() (time.Time, bool, error) {
				a.Reset()
				return now.Add(time.Hour), false, nil
			})
		}, now, true},
		"the query failed": {func(a *loops.Agenda) {
			a.Query("", now, func() (time.Time, bool, error) { return now.Add(time.Hour), false, errDown })
		}, now, true},
		"another kind was asked for": {func(a *loops.Agenda) {
			a.QueryApart([]string{"slow"})
			answers(t, a, now, now.Add(time.Hour))
			a.Query("slow", now, func() (time.Time, bool, error) { return now, true, nil })
		}, now, false},
	} {
		l, _ := looped(memory.New())
		a := &l.Agenda
		tt.does(a)
		if ask, next := asks(a, "", tt.at); ask != tt.ask || !ask && !next.Equal(now.Add(time.Hour)) {
			t.Errorf("%s: it is asked: %t, the next at %v", name, ask, next)
		}
	}
}

// A task that must be stored is retried until it is, even while the host stops, but not
// after another process has taken over.
func TestPersist(t *testing.T) {
	for name, tt := range map[string]struct {
		fails   []error
		stopped bool
		noted   bool
		tries   int
	}{
		"at once":                 {nil, false, true, 1},
		"after two failures":      {[]error{errDown, errDown}, false, true, 3},
		"taken over":              {[]error{fmt.Errorf("sent: %w", bot.ErrLost)}, false, false, 1},
		"taken over after that":   {[]error{errDown, bot.ErrLost}, false, false, 2},
		"while it stops":          {nil, true, true, 1},
		"it fails while it stops": {[]error{errDown}, true, false, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			l, log := looped(memory.New())
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			if tt.stopped {
				stop()
			}
			tries := 0
			noted := l.Persist(ctx, "noting it", func(ctx context.Context) error {
				if ctx.Err() != nil {
					t.Errorf("%s: it is noted with a context that is over", name)
				}
				if tries++; tries <= len(tt.fails) {
					return tt.fails[tries-1]
				}
				return nil
			})
			if noted != tt.noted || tries != tt.tries {
				t.Errorf("%s: noted is %t after %d tries", name, noted, tries)
			}
			if said := strings.Count(log.String(), `doing="noting it"`); said != len(tt.fails) {
				t.Errorf("%s: %d failures are logged:\n%s", name, said, log)
			}
		})
	}
}

// A loop that starts over claims under another name, and can't rely on its earlier claims.
// A loop that ends keeps its name, under which it releases everything.
func TestStartOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l, _ := looped(store)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		h := l.Hold(ctx, "test")
		gametest.Must(t, h.Refresh(ctx))
		first, held := h.Claim()
		if !held() {
			t.Error("what is claimed isn't its own")
		}
		h.StartOver(ctx)
		second, _ := h.Claim()
		if second == first || held() {
			t.Errorf("after %q it claims as %q, and holds what it had: %t", first, second, held())
		}
		stop()
		h.StartOver(ctx)
		if last := h.Name(); last != second {
			t.Errorf("when it ends it claims as %q, and not as %q", last, second)
		}
		h.End(ctx)
		// Only the first lease, which no one ends, lasts until it expires.
		living, err := store.Holders(t.Context(), time.Now())
		if err != nil || len(living) != 1 || living[0].Holder != first {
			t.Errorf("the living are %v, %v", living, err)
		}
	})
}

// A hinting store gives some hints to its watcher.
type hinting struct {
	bot.Store
	hints []bot.ChannelID
	err   error
}

func (s hinting) Watch(_ context.Context, fn func(bot.ChannelID)) error {
	for _, ch := range s.hints {
		fn(ch)
	}
	return s.err
}

// A hint from another process marks where posts may wait, for its own platform only. The
// timers' loop checks everything a moment later.
func TestHintsMarkWaitingPosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, log := looped(hinting{memory.New(), []bot.ChannelID{"test:den", "test:hall", "web:den"}, nil})
		l.Watch(t.Context(), "test") // before that, posts may wait anywhere
		since := l.Posted.Since()
		l.Watch(t.Context(), "test")
		if !since("test:den") || !since("test:hall") || since("web:den") {
			t.Error("the hints noted are others")
		}
		answers(t, &l.Agenda, time.Now(), time.Time{})
		l.Watch(t.Context(), "")
		if ask, _ := asks(&l.Agenda, "", time.Now()); ask {
			t.Error("the store is asked before the other could see to it")
		}
		time.Sleep(time.Second)
		if ask, _ := asks(&l.Agenda, "", time.Now()); !ask {
			t.Error("the store isn't asked after another process's hint")
		}
		if log.Len() > 0 {
			t.Errorf("logged is\n%s", log)
		}
		// A hint about everything covers each channel, and a failed watch is logged.
		l, log = looped(hinting{memory.New(), []bot.ChannelID{""}, errDown})
		since = l.Posted.Since()
		l.Watch(t.Context(), "test")
		if !since("test:anywhere") || !strings.Contains(log.String(), errDown.Error()) {
			t.Errorf("everywhere is noted: %t; logged is %q", since("test:anywhere"), log)
		}
		time.Sleep(time.Second)
	})
}

// A hint about a channel that this process is changing may be about another process's commit. The
// loops look a moment later if more hints come than this process has made commits.
func TestHintDuringOwnUpdate(t *testing.T) {
	for name, tt := range map[string]struct {
		others, own int  // commits of others while this process updates, and of its own at once
		fails       bool // whether this process's update fails
		want        int  // looks
	}{
		"nothing else happens":            {0, 1, false, 0},
		"two at once of this process":     {0, 2, false, 0},
		"another commits":                 {1, 1, false, 1},
		"another commits, and this fails": {1, 1, true, 1},
		"two others, and two of this":     {2, 2, false, 1},
		"nobody commits":                  {0, 1, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := memory.New()
				l, _ := looped(store)
				hears := l.Hear(store)
				var looks, others atomic.Int32
				for _, loop := range []string{"", "test"} {
					go l.Watch(t.Context(), loop)
				}
				go l.Run(t.Context(), "test", func() (time.Time, error) { looks.Add(1); return time.Time{}, nil })
				synctest.Wait()
				looks.Store(0)
				commit := func(r *bot.Room) error {
					r.Timers = []bot.Timer{{At: time.Now().Add(time.Hour), Kind: "late"}}
					return nil
				}
				var own sync.WaitGroup
				others.Store(int32(tt.others))
				for range tt.own {
					own.Go(func() {
						first := true
						err := hears.Update(t.Context(), "test:den", "", func(r *bot.Room) error {
							if first {
								first = false
								time.Sleep(time.Millisecond) // so that all begin before the first ends
							}
							for others.Add(-1) >= 0 {
								gametest.Must(t, store.Update(t.Context(), "test:den", "", commit))
							}
							if tt.fails {
								return errDown
							}
							return commit(r)
						})
						if tt.fails != (err != nil) {
							t.Error(err)
						}
					})
				}
				own.Wait()
				time.Sleep(10 * time.Second)
				if n := looks.Load(); n != int32(tt.want) {
					t.Errorf("%d looks, want %d", n, tt.want)
				}
			})
		})
	}
}

// A loop works again at the time it named and when it is woken. After an error or a panic
// it continues a minute later.
func TestLoopContinuesAfterError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, log := looped(memory.New())
		start := time.Now()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var at []string
		gametest.Must(t, l.Run(ctx, "test", func() (time.Time, error) {
			at = append(at, time.Since(start).String())
			switch len(at) {
			case 1:
				return time.Now().Add(5 * time.Second), nil
			case 2:
				return time.Now().Add(time.Hour), nil // it still checks every minute
			case 3:
				l.Rouse("test")
				l.Rouse("test") // has no further effect
				return time.Time{}, nil
			case 4:
				return time.Time{}, errDown
			case 5:
				panic("a bug")
			}
			stop()
			return time.Time{}, nil
		}))
		if got, want := strings.Join(at, " "), "0s 5s 1m5s 1m5s 2m5s 3m5s"; got != want {
			t.Errorf("it works at %s, want %s", got, want)
		}
		if n := strings.Count(log.String(), "loop failed"); n != 2 {
			t.Errorf("%d failures are logged:\n%s", n, log)
		}
	})
}
