package tasks_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/tasks"
)

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all tasks.Tasks
		all.Wait() // for none

		var done atomic.Int32
		for n := range 5 {
			all.Go(func() {
				time.Sleep(time.Duration(n) * time.Second)
				if done.Add(1) == 3 { // tasks may begin others, while somebody waits
					all.Go(func() { time.Sleep(time.Minute); done.Add(1) })
				}
			})
		}
		waiting := make(chan int32)
		for range 2 {
			go func() { all.Wait(); waiting <- done.Load() }()
		}
		for range 2 {
			if n := <-waiting; n != 6 {
				t.Errorf("the wait was over when %d of 6 were done", n)
			}
		}
		all.Wait()
	})
}

// What is to be done at a time is done then, though timers may be early; not where the
// adapter has ended.
func TestAt(t *testing.T) {
	clock := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	due := clock.Add(3 * time.Minute)
	now := func() time.Time { return clock }
	early := func(wait time.Duration) <-chan time.Time { // moves the clock by a minute at most, and fires at once
		clock = clock.Add(min(wait, time.Minute))
		fired := make(chan time.Time, 1)
		fired <- clock
		return fired
	}
	var all tasks.Tasks
	var done time.Time
	all.At(t.Context(), due, now, early, func() { done = clock })
	all.Wait()
	if !done.Equal(due) {
		t.Errorf("it was done at %s, and due at %s", done, due)
	}

	ended, end := context.WithCancel(t.Context())
	end()
	all.At(ended, due.Add(time.Hour), now, func(time.Duration) <-chan time.Time { return nil }, func() { t.Error("it was done after the end") })
	all.Wait()
}
