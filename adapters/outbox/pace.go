package outbox

import (
	"context"
	"sync"
	"time"
)

// A Rate is so many calls in a time. The zero Rate has no limit.
type Rate struct {
	Most int
	In   time.Duration
}

// A Pace keeps calls apart as a platform wants them, by the names of its limits. It is safe
// for concurrent use.
type Pace struct {
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) bool // waits; false if it was stopped before
	Held  func(time.Duration)                       // is told of each wait for a turn

	mu    sync.Mutex
	calls map[string]*calls
}

// calls are those of one limit: when the latest were made, or will be.
type calls struct {
	rate  Rate
	times []time.Time // at most rate.Most
}

// free returns when the next call may be made.
func (c *calls) free(now time.Time) time.Time {
	if len(c.times) < c.rate.Most {
		return now
	}
	if at := c.times[len(c.times)-c.rate.Most].Add(c.rate.In); at.After(now) {
		return at
	}
	return now
}

func (c *calls) add(at time.Time) {
	c.times = append(c.times[max(0, len(c.times)-c.rate.Most+1):], at)
}

// mostLimits is how many limits are kept until those that are over are looked for.
const mostLimits = 1000

// of returns the calls of a limit. It needs the lock.
func (p *Pace) of(name string, r Rate, now time.Time) *calls {
	if p.calls == nil {
		p.calls = map[string]*calls{}
	}
	c := p.calls[name]
	if c == nil {
		if len(p.calls) >= mostLimits {
			for other, c := range p.calls {
				if !c.times[len(c.times)-1].Add(c.rate.In).After(now) {
					delete(p.calls, other)
				}
			}
		}
		c = &calls{}
		p.calls[name] = c
	}
	c.rate = r
	return c
}

// TakeNow takes a call's turn if it is now, and reports whether it is.
func (p *Pace) TakeNow(name string, r Rate) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	c := p.of(name, r, now)
	if c.free(now).After(now) {
		return false
	}
	c.add(now)
	return true
}

// Take waits for a call's turn. The error says that the wait was stopped before.
func (p *Pace) Take(ctx context.Context, name string, r Rate) error {
	p.mu.Lock()
	now := p.Now()
	c := p.of(name, r, now)
	at := c.free(now)
	c.add(at)
	p.mu.Unlock()
	if !at.After(now) {
		return ctx.Err()
	}
	p.Held(at.Sub(now))
	if p.Sleep(ctx, at.Sub(now)) {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return context.Canceled
}

// Done notes that a call ends just now: the next is kept apart from its end, for it may
// have taken its time.
func (p *Pace) Done(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.calls[name]
	if c == nil || len(c.times) == 0 {
		return
	}
	if last := &c.times[len(c.times)-1]; last.Before(p.Now()) {
		*last = p.Now()
	}
}
