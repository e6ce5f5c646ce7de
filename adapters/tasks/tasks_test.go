package tasks_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/tasks"
)

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all tasks.Tasks
		all.Wait() // returns at once without tasks

		var done atomic.Int32
		for n := range 5 {
			all.Go(func() {
				time.Sleep(time.Duration(n) * time.Second)
				if done.Add(1) == 3 { // tasks may start others during Wait
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
