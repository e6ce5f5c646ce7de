package postgres

import (
	"context"
	"fmt"
	"sync"

	"github.com/rackmate/rackmate/bot"
)

// Turns let those who want the same lock of the database wait for each other in this
// process, in the order in which they came, before they take a connection. So a room that
// is hot, or whose row is locked, keeps one connection busy, however many wait. Its zero
// value is ready.
type turns struct {
	mu sync.Mutex
	by map[string]*queue
}

type queue struct {
	first chan struct{} // has room for whoever has the turn
	n     int           // who have it or wait for it
}

// errBusy says that something waited too long for its turn.
var errBusy = fmt.Errorf("%w, and it took too long", bot.ErrBusy)

// take waits for a turn at something until ctx is done, and returns what ends it.
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

// The keys of locks: of a room, and of those who finish its posts.
func roomLock[S ~string](channel S) string  { return "room " + string(channel) }
func postsLock[S ~string](channel S) string { return "posts " + string(channel) }
