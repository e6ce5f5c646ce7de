// Package simtest simulates processes on one store in virtual time. Messages between them are lost,
// delayed and reordered, processes end between any two steps, and clocks differ. A seed stands for
// one history. Each random number depends on what it decides and how often that was decided before,
// so it doesn't matter which of two concurrent goroutines comes first.
package simtest

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// A World runs processes. Make it with [NewWorld] in a synctest bubble.
type World struct {
	Connections int // for changes, of each process
	// HintsOnly makes a process find only what hints mention, nothing by looking.
	HintsOnly bool
	// Silent makes some processes get no hints, and no report of their loss, until the calm, and if
	// Deaf is set in the calm too.
	Silent, Deaf bool
	// Endless is called once when the history has far more steps than any that comes to an end.
	Endless func()
	// Pauses is the longest time that a process is suspended, or its line to a party down, now and
	// then; 0 means never.
	Pauses time.Duration
	// WrongClocks is how far a process's own clock may be off at its start, and jump later, in either
	// direction. Skew is the greatest difference between the clocks that two processes read in the store.
	WrongClocks, Skew time.Duration

	seed uint64

	mu     sync.Mutex
	asked  map[uint64]uint64 // how often each decision was made, by hash
	calm   bool
	locked map[string]chan struct{} // rooms, which only one changes at a time
	steps  int
	trace  uint64

	processes []*Process
	failover  [2]time.Time // from when until when the store takes no writes
}

// mostSteps is more than a history has that ends.
const mostSteps = 400_000

// NewWorld begins a history.
func NewWorld(seed uint64) *World {
	return &World{Connections: 4, seed: seed, asked: map[uint64]uint64{}, locked: map[string]chan struct{}{}}
}

// Chance returns the seed's next random number for a decision.
func (w *World) Chance(what string) uint64 {
	key := hash(what)
	w.mu.Lock()
	w.asked[key]++
	n := w.asked[key]
	w.mu.Unlock()
	return mix(mix(w.seed^key) + n)
}

// OneIn reports true once in n times on average.
func (w *World) OneIn(n uint64, what string) bool { return w.Chance(what)%n == 0 }

// Trouble works like OneIn while there is trouble. In the calm it reports false.
func (w *World) Trouble(n uint64, what string) bool { return !w.isCalm() && w.OneIn(n, what) }

// Below returns a number below n.
func (w *World) Below(n int, what string) int { return int(w.Chance(what) % uint64(n)) }

// Between returns a duration from least up to, but excluding, most.
func (w *World) Between(least, most time.Duration, what string) time.Duration {
	return least + time.Duration(w.Chance(what)%uint64(most-least))
}

// hash returns the same number in every process, as does mix, so that a seed means the same
// everywhere.
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

// Calm ends all trouble: from now on nothing is lost or late, and no process ends by chance.
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

func (w *World) step(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.steps++; w.steps == mostSteps && w.Endless != nil {
		w.Endless()
	}
	w.trace = mix(w.trace ^ hash(what))
}

// Steps returns how many steps the processes have made: a call is one, its answer another.
// Histories with the same steps have the same trace.
func (w *World) Steps() (n int, trace uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.steps, w.trace
}

// checkWritable begins a failover of the store now and then, and returns ErrReadOnly during one.
func (w *World) checkWritable(what string) error {
	fails := w.Pauses > 0 && w.Trouble(4000, "failover at "+what)
	length := w.Between(time.Second, time.Minute, "length of the failover at "+what)
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if fails && !now.Before(w.failover[1]) {
		from := now.Add(time.Nanosecond)
		w.failover = [2]time.Time{from, from.Add(length)}
	}
	if !w.calm && !now.Before(w.failover[0]) && now.Before(w.failover[1]) {
		return ErrReadOnly
	}
	return nil
}

// Lock locks a room in the store until unlock is called, like a session that hangs.
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

// The errors of calls.
var (
	// ErrDead is returned when the process has ended; nobody learns the outcome of its call.
	ErrDead = errors.New("the process has ended")
	// ErrLost is returned when a message got lost.
	ErrLost = errors.New("the line is gone")
	// ErrBusy is returned when others changed a room for too long.
	ErrBusy = fmt.Errorf("%w for too long", bot.ErrBusy)
	// ErrReadOnly is returned for writes while a standby becomes the primary.
	ErrReadOnly = errors.New("cannot execute in a read-only transaction")
)
