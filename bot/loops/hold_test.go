package loops_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/gametest"
)

// Two processes compete for a job. When the one that has it stops, the other takes over
// within seconds, and they never run it at the same time.
func TestJobMovesWhenHolderStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		var mu sync.Mutex
		var at []string
		now := 0
		stand := func(name string) context.CancelFunc {
			c := w.Config
			c.Name, c.Life = name, 0
			ctx, cancel := context.WithCancel(t.Context())
			go host.New(c).RunElected(ctx, "gateway", func(ctx context.Context) error {
				mu.Lock()
				at = append(at, name)
				if now++; now > 1 {
					t.Error("two have the job")
				}
				mu.Unlock()
				<-ctx.Done()
				mu.Lock()
				now--
				mu.Unlock()
				return nil
			})
			return cancel
		}
		stopA := stand("a")
		synctest.Wait()
		stopB := stand("b")
		time.Sleep(time.Minute)
		stopA()
		time.Sleep(3 * time.Second)
		synctest.Wait()
		stopB()
		synctest.Wait()
		if !slices.Equal(at, []string{"a", "b"}) {
			t.Errorf("the job was with %v", at)
		}
	})
}

// A deaf store answers nothing while it is away: calls fail, or they hang until it is back.
type deaf struct {
	bot.Store
	away  *atomic.Bool
	hangs bool
}

func (d deaf) wait(ctx context.Context) error {
	for d.away.Load() {
		if !d.hangs {
			return errors.New("away")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return nil
}

func (d deaf) Stay(ctx context.Context, h bot.Holder, until time.Time) error {
	return cmp.Or(d.wait(ctx), d.Store.Stay(ctx, h, until))
}

func (d deaf) Elect(ctx context.Context, h bot.Holder, job string, now time.Time) (bool, error) {
	if err := d.wait(ctx); err != nil {
		return false, err
	}
	return d.Store.Elect(ctx, h, job, now)
}

func (d deaf) Holders(ctx context.Context, now time.Time) ([]bot.Holding, error) {
	if err := d.wait(ctx); err != nil {
		return nil, err
	}
	return d.Store.Holders(ctx, now)
}

// TestJobEndsWithLease checks that a process that can't reach the store gives up its job before
// another can have it, whether the store's calls fail or hang, and keeps it through a short trouble.
func TestJobEndsWithLease(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := featuretest.New(t)
			store := deaf{w.Config.Store, &atomic.Bool{}, hangs}
			c := w.Config
			c.Store, c.Name, c.Life = store, "one", 10*time.Second
			var runs atomic.Bool
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan error)
			go func() {
				done <- host.New(c).RunElected(ctx, "gateway", func(ctx context.Context) error {
					runs.Store(true)
					<-ctx.Done()
					runs.Store(false)
					return nil
				})
			}()
			time.Sleep(time.Minute)
			if !runs.Load() {
				t.Fatal("the only process isn't elected")
			}
			store.away.Store(true)
			time.Sleep(5 * time.Second)
			if !runs.Load() {
				t.Errorf("hangs=%t: the job ended after five seconds, within its lease", hangs)
			}
			time.Sleep(6 * time.Second)
			if runs.Load() {
				t.Errorf("hangs=%t: the job goes on after its lease", hangs)
			}
			store.away.Store(false)
			time.Sleep(time.Minute)
			if !runs.Load() {
				t.Errorf("hangs=%t: the job doesn't come back with the store", hangs)
			}
			stop()
			<-done
		})
	}
}

// A lapsing store rejects renewals for a while.
type lapsing struct {
	bot.Store
	from, to time.Time
}

func (l lapsing) Stay(ctx context.Context, h bot.Holder, until time.Time) error {
	if now := time.Now(); now.After(l.from) && now.Before(l.to) {
		return errors.New("away")
	}
	return l.Store.Stay(ctx, h, until)
}

// After a process has stalled for longer than its lease, its claims belong to another
// process or are free.
func TestExpiredLeaseReleasesClaims(t *testing.T) {
	for _, others := range []int{1, 0} {
		synctest.Test(t, func(t *testing.T) {
			w := featuretest.New(t)
			w.Passes("test:a", 1)
			ctx, stop := context.WithCancel(t.Context())
			var all sync.WaitGroup
			c := w.Config
			now := time.Now()
			c.Store, c.Name, c.Life = lapsing{c.Store, now.Add(time.Second), now.Add(15 * time.Second)}, "slow", 0
			all.Go(func() {
				host.New(c).Deliver(ctx, "test", featuretest.SlowPosts{Poster: &w.Posts, Takes: 20 * time.Second})
			})
			synctest.Wait()
			for range others {
				c := w.Config
				c.Name, c.Life = "other", 0
				all.Go(func() { host.New(c).Deliver(ctx, "test", &w.Posts) })
			}
			time.Sleep(5 * time.Minute)
			synctest.Wait()
			if got := featuretest.Numbers(w.Posts.Take(), "test:a"); len(got) != 1 {
				t.Errorf("beside %d others: delivered %v", others, got)
			}
			stop()
			all.Wait()
		})
	}
}

// A countingStore counts queries about claims.
type countingStore struct {
	bot.Store
	stays, elections, looks *atomic.Int32
}

func (s countingStore) Stay(ctx context.Context, h bot.Holder, until time.Time) error {
	s.stays.Add(1)
	return s.Store.Stay(ctx, h, until)
}

func (s countingStore) Elect(ctx context.Context, h bot.Holder, job string, now time.Time) (bool, error) {
	s.elections.Add(1)
	return s.Store.Elect(ctx, h, job, now)
}

func (s countingStore) Holders(ctx context.Context, now time.Time) ([]bot.Holding, error) {
	s.looks.Add(1)
	return s.Store.Holders(ctx, now)
}

// Processes that compete for a hundred jobs query all of them at once. A process without a
// job renews no lease, and when a process ends, others take its jobs within seconds.
func TestAllJobsAreQueriedAtOnce(t *testing.T) {
	const processes, jobs = 4, 100
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		var stays, elections, looks, running atomic.Int32
		var has [processes]atomic.Int32
		var stops [processes]context.CancelFunc
		var all sync.WaitGroup
		for i := range processes {
			c := w.Config
			c.Name, c.Life, c.Store = fmt.Sprint("p", i), 0, countingStore{c.Store, &stays, &elections, &looks}
			h := host.New(c)
			ctx, stop := context.WithCancel(t.Context())
			stops[i] = stop
			for job := range jobs {
				all.Go(func() {
					time.Sleep(time.Duration((job*7+i*jobs/processes)%jobs) * 10 * time.Millisecond)
					if err := h.RunElected(ctx, fmt.Sprint("job ", job), func(ctx context.Context) error {
						running.Add(1)
						has[i].Add(1)
						<-ctx.Done()
						has[i].Add(-1)
						running.Add(-1)
						return nil
					}); err != nil {
						t.Error(err)
					}
				})
			}
		}
		time.Sleep(10 * time.Second)
		if n := running.Load(); n != jobs {
			t.Errorf("%d jobs run, want %d", n, jobs)
		}
		stays.Store(0)
		elections.Store(0)
		looks.Store(0)
		time.Sleep(time.Minute)
		t.Logf("in a minute: %d look who has the jobs, %d stand for one, %d say that they live", looks.Load(), elections.Load(), stays.Load())
		if looks.Load() > processes*120+processes || elections.Load() > 0 || stays.Load() > jobs*21 {
			t.Error("that is more often than needed")
		}
		if has[0].Load() == 0 {
			t.Error("the first process has no job")
		}
		stops[0]()
		time.Sleep(3 * time.Second)
		if n := running.Load(); n != jobs || has[0].Load() > 0 {
			t.Errorf("when a process has ended %d jobs run, %d of them there", n, has[0].Load())
		}
		for _, stop := range stops {
			stop()
		}
		all.Wait()
	})
}

// TestLeaseEndsWhenClockIsPutBack checks that nothing counts as held until a time comes again. After the
// next renewal the loop goes on under another name.
func TestLeaseEndsWhenClockIsPutBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		off := time.Duration(0)
		now := func() time.Time { return time.Now().Add(off).UTC() } // without a monotonic reading, as of a database
		store := memory.New()
		l := loops.New(store, "one", 0, now, slog.New(slog.DiscardHandler))
		h := l.Hold(t.Context(), "test")
		defer h.End(t.Context())
		gametest.Must(t, h.Refresh(t.Context()))
		first, held := h.Claim()
		for _, jump := range []time.Duration{time.Second, -2 * time.Second, time.Second} {
			if off += jump; !held() {
				t.Errorf("after a correction by %v it is lost", jump)
			}
		}
		if off = -time.Hour; held() {
			t.Error("what it claimed before the clock was put back counts as held")
		}
		time.Sleep(4 * time.Second)
		if name, held := h.Claim(); name == first || !held() {
			t.Errorf("after the next renewal it claims as %q, and holds that: %t", name, held())
		}
	})
}
