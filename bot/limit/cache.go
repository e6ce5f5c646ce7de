package limit

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A Cache keeps results for a while, and computes each once if several callers ask at the same
// time. It is safe for concurrent use.
type Cache struct {
	now  func() time.Time
	size func(any) int
	most int // bytes

	mu    sync.Mutex
	of    map[any]*result
	order []*result // computed results, oldest first
	bytes int
}

// A result is being made until done is closed.
type result struct {
	key, value any
	done       chan struct{}
	size       int
	until      time.Time
}

// keptFor is short, because a result may name a person whom another process forgets.
const keptFor = 5 * time.Minute

var errPanicked = errors.New("it panicked")

// NewCache returns a cache that holds at most most bytes; size estimates a result's.
func NewCache(now func() time.Time, most int, size func(any) int) *Cache {
	return &Cache{now: now, size: size, most: most, of: map[any]*result{}}
}

// Get returns the result for a key, and calls do if there is none. If another caller's do
// fails, perhaps because they hung up, it calls its own. A nil key is never kept.
func (c *Cache) Get(ctx context.Context, key any, do func() (any, error)) (any, error) {
	for key != nil {
		r, ours := c.find(key)
		if ours {
			return c.make(r, do)
		}
		select {
		case <-r.done:
			if !r.until.IsZero() {
				return r.value, nil
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return do()
}

// find returns the result for a key. If ours is true, the caller makes it.
func (c *Cache) find(key any) (r *result, ours bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.order) > 0 && !c.now().Before(c.order[0].until) {
		c.drop()
	}
	if r := c.of[key]; r != nil {
		return r, false
	}
	r = &result{key: key, done: make(chan struct{})}
	c.of[key] = r
	return r, true
}

func (c *Cache) make(r *result, do func() (any, error)) (value any, err error) {
	err = errPanicked
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err == nil {
			r.value, r.size, r.until = value, c.size(value), c.now().Add(keptFor)
		}
		close(r.done)
		switch {
		case c.of[r.key] != r: // Clear was called meanwhile
		case err != nil || r.size > c.most/4:
			delete(c.of, r.key)
		default:
			c.order = append(c.order, r)
			for c.bytes += r.size; c.bytes > c.most; {
				c.drop()
			}
		}
	}()
	return do()
}

// drop forgets the oldest result. c.mu is held.
func (c *Cache) drop() {
	delete(c.of, c.order[0].key)
	c.bytes -= c.order[0].size
	c.order = c.order[1:]
}

// Clear forgets all results, even ones that are still being computed.
func (c *Cache) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.of)
	c.order, c.bytes = nil, 0
}
