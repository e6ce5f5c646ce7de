package outbox

import (
	"context"
	"sync"
	"time"
)

// A Rate is a number of calls in a period. The zero Rate has no limit.
type Rate struct {
	Most int
	In   time.Duration
}

// A Pace limits the rate of calls to a platform, by the names of its limits. It is safe for
// concurrent use.
type Pace struct {
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error // waits; returns an error if stopped before
	Held  func(time.Duration)                        // receives each wait for a turn

	mu    sync.Mutex
	calls map[string]*calls
}

// A calls records the latest calls under one limit, including planned ones.
type calls struct {
	rate  Rate
	times []time.Time // at most rate.Most
}

// free returns when the next n calls may be made.
func (c *calls) free(now time.Time, n int) time.Time {
	i := len(c.times) - c.rate.Most + n - 1
	if i < 0 {
		return now
	}
	if at := c.times[i].Add(c.rate.In); at.After(now) {
		return at
	}
	return now
}

func (c *calls) add(at time.Time) {
	c.times = append(c.times[max(0, len(c.times)-c.rate.Most+1):], at)
}

// mostLimits is the number of limits above which expired ones are removed.
const mostLimits = 1000

// callsUnder returns the calls under a limit. The caller must hold the lock.
func (p *Pace) callsUnder(name string, r Rate, now time.Time) *calls {
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

// TakeNow takes a turn if n are free now, and reports whether it did.
func (p *Pace) TakeNow(name string, r Rate, n int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	c := p.callsUnder(name, r, now)
	if c.free(now, n).After(now) {
		return false
	}
	c.add(now)
	return true
}

// Take waits for a turn. It returns an error if the wait was stopped.
func (p *Pace) Take(ctx context.Context, name string, r Rate) error {
	p.mu.Lock()
	now := p.Now()
	c := p.callsUnder(name, r, now)
	at := c.free(now, 1)
	c.add(at)
	p.mu.Unlock()
	if !at.After(now) {
		return ctx.Err()
	}
	p.Held(at.Sub(now))
	return p.Sleep(ctx, at.Sub(now))
}

// Done records that a call ends now: the gap before the next starts at its end, because the
// call may have taken long.
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
