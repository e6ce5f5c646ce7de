package store

import (
	"sync"
	"time"
)

// began holds the time at which the process started.
var began = time.Now()

// A Clock shows the time of a store that several processes share: their own clocks may be wrong, jump
// and drift. It reads the store's clock now and then and counts elapsed time in between.
type Clock struct {
	own     func() time.Time     // shown until the first reading
	elapsed func() time.Duration // since any moment; never jumps

	mu   sync.Mutex
	read bool
	zero time.Time // the store's time when elapsed was 0
}

// NewClock returns a clock that hasn't been read yet: time.Now and [Elapsed] are a process's own.
func NewClock(own func() time.Time, elapsed func() time.Duration) *Clock {
	return &Clock{own: own, elapsed: elapsed}
}

// Now returns the store's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.read {
		return c.own()
	}
	return c.zero.Add(c.elapsed())
}

// Read begins a reading of the store's clock. The caller asks the store for its time and calls set
// with the answer. The store may have read its clock at any moment between, so the time shown changes
// no more than it must: a late answer changes little.
func (c *Clock) Read() (set func(at time.Time)) {
	asked := c.elapsed()
	return func(at time.Time) {
		answered := c.elapsed()
		at = at.UTC() // without a monotonic reading
		earliest, latest := at.Add(-answered), at.Add(-asked)
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case !c.read:
			c.zero, c.read = earliest.Add((answered-asked)/2), true
		case c.zero.Before(earliest):
			c.zero = earliest
		case c.zero.After(latest):
			c.zero = latest
		}
	}
}
