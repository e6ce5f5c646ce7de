package tasks

import "sync"

// Locks holds locks by name. The zero value has none locked.
type Locks struct{ byName sync.Map }

// Lock acquires the lock of a name until unlock is called.
func (l *Locks) Lock(name string) (unlock func()) {
	// testing/synctest knows how to wait for a channel, but not for a mutex.
	c, _ := l.byName.LoadOrStore(name, make(chan struct{}, 1))
	held := c.(chan struct{})
	held <- struct{}{}
	return func() { <-held }
}
