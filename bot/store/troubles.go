package store

import (
	"slices"
	"sync"
)

// Troubles are what a store found wrong with rows that it passed over, so that what is
// behind them goes on. Its zero value is ready.
type Troubles struct {
	mu    sync.Mutex
	found []error
}

// mostTroubles bounds what is kept of them.
const mostTroubles = 20

// Note notes one, once.
func (t *Troubles) Note(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.found) < mostTroubles && !slices.ContainsFunc(t.found, func(was error) bool { return was.Error() == err.Error() }) {
		t.found = append(t.found, err)
	}
}

// Trouble lists them.
func (t *Troubles) Trouble() []error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.found)
}
