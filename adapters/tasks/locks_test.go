package tasks_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/adapters/tasks"
)

// TestLockStopsWithContext checks that a caller stops waiting for a lock when its context is done, and that
// the lock passes on afterwards.
func TestLockStopsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var locks tasks.Locks
		unlock := locks.Lock("a")
		locks.Lock("b")() // another name is free
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := errors.New("the caller is gone")
		waited := make(chan error, 1)
		go func() {
			_, err := locks.LockContext(ctx, "a")
			waited <- err
		}()
		synctest.Wait()
		cancel(gone)
		if err := <-waited; !errors.Is(err, gone) {
			t.Errorf("the wait ended with %v", err)
		}
		unlock()
		locks.Lock("a")()
	})
}
