package store

import (
	"slices"
	"sync"
)

// Troubles records what is wrong with rows that a store skipped so that the others could be read.
// The zero value is ready for use.
type Troubles struct {
	mu    sync.Mutex
	found []error
}

// mostTroubles limits how many are kept.
const mostTroubles = 20

// Note records a trouble, once.
func (t *Troubles) Note(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.found) < mostTroubles && !slices.ContainsFunc(t.found, func(was error) bool { return was.Error() == err.Error() }) {
		t.found = append(t.found, err)
	}
}

// Trouble lists the troubles.
func (t *Troubles) Trouble() []error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.found)
}
