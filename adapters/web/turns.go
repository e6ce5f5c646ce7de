package web

import (
	"context"
	"sync"
)

// turns let those who write to a stream in this process wait for each other, so that a
// busy stream doesn't have the store try them all again and again. The zero value is
// ready.
type turns struct {
	mu sync.Mutex
	of map[stream]*turn
}

type turn struct {
	taken chan struct{} // has room for the writer whose turn it is
	n     int           // writers that have it or wait for it
}

// take waits for a turn at a stream until ctx is done, and returns what ends it.
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
