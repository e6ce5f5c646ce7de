// Package tasks counts an adapter's running tasks and waits for them.
package tasks

import (
	"sync"
)

// Tasks counts running tasks. Unlike with a sync.WaitGroup, new ones can start during
// Wait. The zero value is ready to use.
type Tasks struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when no task is left; nil if nobody waits
}

// Go runs a function in the background.
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

// Wait waits until no task is running.
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
