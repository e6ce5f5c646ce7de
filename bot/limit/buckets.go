// Package limit keeps one person or network from using up a host. [Buckets] count what
// each may do, a [Budget] counts work, a [Queue] bounds how much heavy work runs at once,
// and a [Cache] shares its results.
package limit

import (
	"sync"
	"time"
)

// Buckets are token buckets by key: each holds up to a burst of tokens and refills at a
// rate per second. They are safe for concurrent use.
type Buckets[K comparable] struct {
	// Shared returns the number of processes that share the limits, each of which counts
	// for itself. Nil means one.
	Shared func() int

	now         func() time.Time
	rate, burst float64

	mu    sync.Mutex
	of    map[K]bucket
	prune int // number of buckets at which full ones are dropped
}

// A bucket held left tokens at the time at. It is in debt if left is negative.
type bucket struct {
	left float64
	at   time.Time
}

const mostBuckets = 10_000

// NewBuckets returns buckets that all start full.
func NewBuckets[K comparable](now func() time.Time, rate, burst float64) *Buckets[K] {
	return &Buckets[K]{now: now, rate: rate, burst: burst, of: map[K]bucket{}, prune: mostBuckets}
}

// limits returns this process's share of the limits.
func (b *Buckets[K]) limits() (rate, burst float64) {
	if b.Shared == nil {
		return b.rate, b.burst
	}
	n := float64(max(b.Shared(), 1))
	return b.rate / n, max(b.burst/n, 1)
}

// level returns the tokens in k's bucket, negative if it is in debt.
func (b *Buckets[K]) level(k K) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tokensLeft(k, b.now())
}

// tokensLeft returns what level does, with b.mu held.
func (b *Buckets[K]) tokensLeft(k K, now time.Time) float64 {
	rate, burst := b.limits()
	one, ok := b.of[k]
	if !ok {
		return burst
	}
	return min(burst, one.left+rate*max(now.Sub(one.at), 0).Seconds())
}

// Wait returns how long until k's bucket holds a token, 0 if it does.
func (b *Buckets[K]) Wait(k K) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.until(k, b.now())
}

func (b *Buckets[K]) until(k K, now time.Time) time.Duration {
	rate, _ := b.limits()
	return time.Duration(max(1-b.tokensLeft(k, now), 0) / rate * float64(time.Second))
}

// Take takes a token. If there is none, it takes nothing and returns how long to wait.
func (b *Buckets[K]) Take(k K) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if wait = b.until(k, now); wait == 0 {
		b.spend(k, 1, now)
	}
	return wait
}

// Spend takes n tokens even if the bucket goes into debt. A negative n gives tokens back.
func (b *Buckets[K]) Spend(k K, n float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spend(k, n, b.now())
}

func (b *Buckets[K]) spend(k K, n float64, now time.Time) {
	_, burst := b.limits()
	if len(b.of) >= b.prune {
		for k := range b.of {
			if b.tokensLeft(k, now) >= burst {
				delete(b.of, k)
			}
		}
		b.prune = max(mostBuckets, 2*len(b.of))
	}
	b.of[k] = bucket{min(b.tokensLeft(k, now)-n, burst), now}
}
