// Package tasks keeps count of what an adapter has under way.
package tasks

import (
	"sync"
)

// Tasks are what is under way. Unlike a sync.WaitGroup they can be waited for
// while others begin. The zero value is none.
type Tasks struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when there are none; nil while nobody waits
}

// Go does something beside.
func (t *Tasks) Go(do func()) {
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
	go func() {
		defer t.done()
		do()
	}()
}

func (t *Tasks) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n--; t.n == 0 && t.idle != nil {
		close(t.idle)
		t.idle = nil
	}
}

// Wait waits until nothing is under way.
func (t *Tasks) Wait() {
	t.mu.Lock()
	if t.n == 0 {
		t.mu.Unlock()
		return
	}
	if t.idle == nil {
		t.idle = make(chan struct{})
	}
	idle := t.idle
	t.mu.Unlock()
	<-idle
}
