package slack

import (
	"maps"
	"strings"
	"sync"
	"time"
)

// A cache holds values for a limited time. It may drop any of them, because they can be
// loaded again.
type cache struct {
	now  func() time.Time
	life time.Duration
	mu   *sync.Mutex
	has  map[string]cached
}

type cached struct {
	value string
	until time.Time
}

func newCache(now func() time.Time, life time.Duration) cache {
	return cache{now: now, life: life, mu: new(sync.Mutex), has: map[string]cached{}}
}

func (c cache) get(key string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.has[key]
	return v.value, ok && c.now().Before(v.until)
}

// count returns how many keys with a prefix have a value.
func (c cache) count(prefix string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, v := range c.has {
		if strings.HasPrefix(key, prefix) && c.now().Before(v.until) {
			n++
		}
	}
	return n
}

// add stores a value. If the key has one already, it changes nothing and returns false.
func (c cache) add(key, value string) bool {
	const most = 10_000
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if v, ok := c.has[key]; ok && now.Before(v.until) {
		return false
	}
	if len(c.has) >= most {
		for k, v := range c.has {
			if !now.Before(v.until) {
				delete(c.has, k)
			}
		}
		if len(c.has) >= most {
			clear(c.has)
		}
	}
	c.has[key] = cached{value, now.Add(c.life)}
	return true
}

// drop removes the value of a key.
func (c cache) drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.has, key)
}

// forget removes a value from all keys.
func (c cache) forget(value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.has, func(_ string, v cached) bool { return v.value == value })
}
