package tasks

import (
	"context"
	"sync"
)

// Locks holds locks by name. Names that nobody locks or waits for take no memory. The zero value is
// ready to use.
type Locks struct {
	mu     sync.Mutex
	byName map[string]*lock
}

type lock struct {
	held chan struct{} // full while the lock is held; testing/synctest can wait for a channel
	n    int           // number of callers that hold the lock or wait for it
}

// Lock acquires the lock of a name until unlock is called.
func (l *Locks) Lock(name string) (unlock func()) {
	unlock, _ = l.LockContext(context.Background(), name)
	return unlock
}

// LockContext acquires the lock of a name until unlock is called. It returns ctx's cause if ctx is
// done first.
func (l *Locks) LockContext(ctx context.Context, name string) (unlock func(), err error) {
	l.mu.Lock()
	if l.byName == nil {
		l.byName = map[string]*lock{}
	}
	one := l.byName[name]
	if one == nil {
		one = &lock{held: make(chan struct{}, 1)}
		l.byName[name] = one
	}
	one.n++
	l.mu.Unlock()
	leave := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if one.n--; one.n == 0 {
			delete(l.byName, name)
		}
	}
	select {
	case one.held <- struct{}{}:
		return func() { <-one.held; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, context.Cause(ctx)
	}
}
