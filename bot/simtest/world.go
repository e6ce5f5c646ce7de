// Package simtest is for tests that simulate processes on one store, in virtual time:
// what lies between them loses, delays and reorders what is said, processes end between
// any two steps, and clocks differ. A seed stands for one history: chance is asked by
// who asks for what how often, so that it doesn't matter which of two goroutines that
// run at the same time asks first.
package simtest

import (
	"errors"
	"sync"
	"time"
)

// A World is where processes run. Make it with [NewWorld], in a bubble of synctest.
type World struct {
	// Connections is how many connections for changes each process has, and
	// QueueLate that those who want the same room wait for each other on a connection,
	// not before they take one.
	Connections int
	QueueLate   bool
	// HintsOnly says that a process finds nothing by looking, but only what it was told.
	HintsOnly bool

	seed uint64

	mu     sync.Mutex
	asked  map[uint64]uint64 // how often, by the hash of what
	calm   bool
	locked map[string]chan struct{} // rooms, that one changes at a time
	steps  int
	trace  uint64
}

// NewWorld begins a history.
func NewWorld(seed uint64) *World {
	return &World{Connections: 4, seed: seed, asked: map[uint64]uint64{}, locked: map[string]chan struct{}{}}
}

// Chance is a number that the seed has for something, another each time.
func (w *World) Chance(what string) uint64 {
	key := hash(what)
	w.mu.Lock()
	w.asked[key]++
	n := w.asked[key]
	w.mu.Unlock()
	return mix(mix(w.seed^key) + n)
}

// OneIn reports whether what happens once in n times happens now.
func (w *World) OneIn(n uint64, what string) bool { return w.Chance(what)%n == 0 }

// Trouble is OneIn while there is trouble, and false in the calm.
func (w *World) Trouble(n uint64, what string) bool { return !w.isCalm() && w.OneIn(n, what) }

// Below is a number below n.
func (w *World) Below(n int, what string) int { return int(w.Chance(what) % uint64(n)) }

// Between is a duration between two.
func (w *World) Between(least, most time.Duration, what string) time.Duration {
	return least + time.Duration(w.Chance(what)%uint64(most-least))
}

// hash and mix are the same in every process, so that a seed means the same.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Calm ends all trouble: nothing is lost, late or ends any more.
func (w *World) Calm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calm = true
}

func (w *World) isCalm() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calm
}

func (w *World) stepped(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.steps++
	w.trace = mix(w.trace ^ hash(what))
}

// Steps is how many steps processes have made: what was asked of the store or a platform
// is one, and what was answered another. trace is a number that histories of the same
// steps have in common.
func (w *World) Steps() (n int, trace uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.steps, w.trace
}

// Lock locks a room in the store, as a session that stands still may, until the room
// is unlocked.
func (w *World) Lock(room string) (unlock func()) {
	one := w.room(room)
	one <- struct{}{}
	return func() { <-one }
}

func (w *World) room(name string) chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.locked[name] == nil {
		w.locked[name] = make(chan struct{}, 1)
	}
	return w.locked[name]
}

// What becomes of a call.
var (
	// ErrDead says that the process has ended, so that nobody hears of what becomes of
	// what it had asked.
	ErrDead = errors.New("the process has ended")
	// ErrLost says that a message got lost.
	ErrLost = errors.New("the line is gone")
	// ErrBusy says that a room was changed by others for too long.
	ErrBusy = errors.New("too many want the same, and it took too long")
)
