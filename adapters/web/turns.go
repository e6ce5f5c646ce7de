package web

import (
	"context"
	"sync"
)

// turns makes this process's writers to the same stream wait for each other. Otherwise the
// store would retry all their changes on a busy stream. The zero value is ready for use.
type turns struct {
	mu sync.Mutex
	of map[stream]*turn
}

type turn struct {
	taken chan struct{} // buffered; full while a writer has the turn
	n     int           // number of writers that have the turn or wait for it
}

// take waits for the turn at a stream until ctx is done, and returns a function that ends
// it.
func (ts *turns) take(ctx context.Context, s stream) (leave func(), err error) {
	ts.mu.Lock()
	if ts.of == nil {
		ts.of = map[stream]*turn{}
	}
	t := ts.of[s]
	if t == nil {
		t = &turn{taken: make(chan struct{}, 1)}
		ts.of[s] = t
	}
	t.n++
	ts.mu.Unlock()
	left := func() {
		ts.mu.Lock()
		defer ts.mu.Unlock()
		if t.n--; t.n == 0 {
			delete(ts.of, s)
		}
	}
	select {
	case t.taken <- struct{}{}:
		return func() { <-t.taken; left() }, nil
	case <-ctx.Done():
		left()
		return nil, context.Cause(ctx)
	}
}
