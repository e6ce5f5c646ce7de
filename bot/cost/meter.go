package cost

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// A Meter measures what one request costs. It belongs to the goroutine that carries
// the request out. A nil Meter measures nothing.
type Meter struct {
	clock func() time.Duration // how long this thread has had a processor; nil: nobody knows

	mu    sync.Mutex
	spent bot.Cost
	busy  bool
	since time.Duration
}

type meterKey struct{}

// Begin starts to measure what is done for a context. stop must be called by the same
// goroutine.
func Begin(ctx context.Context, clock func() time.Duration) (_ context.Context, m *Meter, stop func()) {
	m = &Meter{clock: clock}
	return context.WithValue(ctx, meterKey{}, m), m, m.Busy()
}

// MeterOf is the meter of a context, nil where there is none.
func MeterOf(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

// Busy says that the goroutine computes until back is called, and Idle that it waits.
func (m *Meter) Busy() (back func()) { return m.turn(true) }

// Idle says that the goroutine waits until back is called.
func (m *Meter) Idle() (back func()) { return m.turn(false) }

// turn changes between computing and waiting. A goroutine that computes keeps its
// thread, whose time is known; one that waits doesn't, for there may be a thousand.
func (m *Meter) turn(busy bool) (back func()) {
	if m == nil || !m.set(busy) {
		return func() {}
	}
	return func() { m.set(!busy) }
}

func (m *Meter) set(busy bool) (changed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.busy == busy {
		return false
	}
	m.busy = busy
	if m.clock == nil {
		return true
	}
	if busy {
		runtime.LockOSThread()
		m.since = m.clock()
		return true
	}
	m.spent.CPU += max(m.clock()-m.since, 0)
	runtime.UnlockOSThread()
	return true
}

// Commit counts a change of the store.
func (m *Meter) Commit() {
	if m != nil {
		m.mu.Lock()
		m.spent.Commits++
		m.mu.Unlock()
	}
}

// Answer counts bytes of an answer.
func (m *Meter) Answer(bytes int) {
	if m != nil {
		m.mu.Lock()
		m.spent.Bytes += bytes
		m.mu.Unlock()
	}
}

// Spent is what was measured so far.
func (m *Meter) Spent() bot.Cost {
	if m == nil {
		return bot.Cost{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.spent
	if m.busy && m.clock != nil {
		c.CPU += max(m.clock()-m.since, 0)
	}
	return c
}
