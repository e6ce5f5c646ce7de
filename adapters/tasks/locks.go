package tasks

import "sync"

// Locks are locks by name. The zero value has none locked.
type Locks struct{ byName sync.Map }

// Lock takes the lock of a name until unlock is called.
func (l *Locks) Lock(name string) (unlock func()) {
	// A channel, and not a mutex, is something that testing/synctest knows to wait for.
	c, _ := l.byName.LoadOrStore(name, make(chan struct{}, 1))
	held := c.(chan struct{})
	held <- struct{}{}
	return func() { <-held }
}
