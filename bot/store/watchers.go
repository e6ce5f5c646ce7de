package store

import (
	"context"
	"sync"
)

// Watchers are the functions in this process that receive hints. The zero value is ready for use.
type Watchers[H any] struct {
	mu  sync.Mutex
	all map[*func(H)]bool
}

// Watch calls fn with each hint until ctx is done. fn must return quickly.
func (w *Watchers[H]) Watch(ctx context.Context, fn func(H)) error {
	w.mu.Lock()
	if w.all == nil {
		w.all = map[*func(H)]bool{}
	}
	w.all[&fn] = true
	w.mu.Unlock()
	<-ctx.Done()
	w.mu.Lock()
	delete(w.all, &fn)
	w.mu.Unlock()
	return nil
}

// Hint gives a hint to all watchers.
func (w *Watchers[H]) Hint(h H) {
	w.mu.Lock()
	var all []func(H)
	for fn := range w.all {
		all = append(all, *fn)
	}
	w.mu.Unlock()
	for _, fn := range all {
		fn(h)
	}
}
