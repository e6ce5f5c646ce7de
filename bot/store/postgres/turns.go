package postgres

import (
	"context"
	"fmt"
	"sync"

	"github.com/rackmate/rackmate/bot"
)

// turns makes callers that want the same database lock wait for each other in this process, in
// order of arrival, before they take a connection. So a room that is hot, or whose row is locked,
// uses one connection however many wait. The zero value is ready for use.
type turns struct {
	mu sync.Mutex
	by map[string]*queue
}

type queue struct {
	first chan struct{} // has room for the caller whose turn it is
	n     int           // callers that have the turn or wait for it
}

// errBusy is returned when something waited too long for its turn.
var errBusy = fmt.Errorf("%w: gave up after %v", bot.ErrBusy, patience)

// take waits for a turn at something until ctx is done. leave ends the turn.
func (t *turns) take(ctx context.Context, what string) (leave func(), err error) {
	t.mu.Lock()
	if t.by == nil {
		t.by = map[string]*queue{}
	}
	q := t.by[what]
	if q == nil {
		q = &queue{first: make(chan struct{}, 1)}
		t.by[what] = q
	}
	q.n++
	t.mu.Unlock()
	left := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if q.n--; q.n == 0 {
			delete(t.by, what)
		}
	}
	select {
	case q.first <- struct{}{}:
		return func() { <-q.first; left() }, nil
	case <-ctx.Done():
		left()
		return nil, context.Cause(ctx)
	}
}

// roomLock returns the key of a room's lock, and postsLock the key for finishing its posts.
func roomLock[S ~string](channel S) string  { return "room " + string(channel) }
func postsLock[S ~string](channel S) string { return "posts " + string(channel) }
