package simtest

import (
	"context"
	"sync"
	"time"
)

// A Process is a simulated process, from its start to its end. Its calls to others go through
// [Process.Call].
type Process struct {
	Name string
	Skew time.Duration // of its clock

	w       *World
	changes chan struct{} // its connections for changes
	end     context.CancelFunc

	mu    sync.Mutex
	dead  bool
	left  int // steps until it ends; 0 if it runs until it is stopped
	queue map[string]chan struct{}
	hints map[string]arrival // the latest, by text
	told  bool               // whether it got any hint since it last looked
	still time.Time          // when it goes on, if it stands still
}

// Start starts a process under a new name. It ends with its context, or after the given number of
// steps unless that is 0.
func (w *World) Start(ctx context.Context, name string, steps int) (*Process, context.Context) {
	ctx, end := context.WithCancel(ctx)
	p := &Process{Name: name, w: w, end: end, left: steps, changes: make(chan struct{}, w.Connections), queue: map[string]chan struct{}{}, hints: map[string]arrival{}, told: true}
	return p, ctx
}

// Now returns the time on the process's clock.
func (p *Process) Now() time.Time { return time.Now().Add(p.Skew) }

// Kill ends the process: from now on nothing it does has an effect.
func (p *Process) Kill() {
	p.mu.Lock()
	p.dead = true
	p.mu.Unlock()
	p.end()
}

// Dead reports whether the process has ended.
func (p *Process) Dead() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead
}

// step counts a step, after which the process may end.
func (p *Process) step(what string) error {
	calm := p.w.isCalm()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return ErrDead
	}
	p.w.step(what)
	if p.left > 0 && !calm {
		if p.left--; p.left == 0 {
			p.dead = true
			p.end()
			return ErrDead
		}
	}
	return nil
}

// How long messages travel.
const (
	quick    = 2 * time.Millisecond
	slow     = 3 * time.Second
	lostTime = time.Second // until the sender gives up
)

// travel waits for a message's journey, on which it may get lost.
func (p *Process) travel(ctx context.Context, what string) (lost, err error) {
	if err := p.pauseIfDue(ctx); err != nil {
		return nil, err
	}
	what = p.Name + " " + what
	took := p.w.Between(time.Microsecond, quick, what)
	if !p.w.isCalm() {
		switch p.w.Below(200, "trouble of "+what) {
		case 0:
			took, lost = lostTime+took, ErrLost
		case 1, 2:
			took = p.w.Between(quick, slow, what)
		}
	}
	if !sleep(ctx, took) {
		return nil, ctx.Err()
	}
	return lost, nil
}

// pauseIfDue pauses the whole process now and then, and waits until it goes on: nothing leaves it
// and nothing arrives, as if it were suspended or its line were down.
func (p *Process) pauseIfDue(ctx context.Context) error {
	if p.w.Pauses > 0 && p.w.Trouble(2000, "pause of "+p.Name) {
		pause := p.w.Between(p.w.Pauses/100, p.w.Pauses, "length of the pause of "+p.Name)
		p.mu.Lock()
		p.still = time.Now().Add(pause)
		p.mu.Unlock()
	}
	for {
		p.mu.Lock()
		left := time.Until(p.still)
		p.mu.Unlock()
		if left <= 0 || p.w.isCalm() {
			return nil
		}
		if !sleep(ctx, min(left, time.Second)) {
			return ctx.Err()
		}
	}
}

// sleep reports whether it slept for the whole duration.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// Call calls another party: the store, or a platform. The request may get lost on its way there, or
// the answer on its way back, and the process may end before and after.
func (p *Process) Call(ctx context.Context, what string, do func() error) error {
	// Travel before the step: calls that start together then arrive at different times, in an order
	// that the seed determines.
	lost, err := p.travel(ctx, what)
	if err == nil {
		err = p.step(what)
	}
	if err == nil {
		err = lost
	}
	if err != nil {
		return err
	}
	did := do()
	if err := p.step(what); err != nil {
		return err
	}
	if lost, err = p.travel(ctx, "answer to "+what); err != nil {
		return err
	}
	if p.Dead() {
		return ErrDead
	}
	if lost != nil {
		return lost
	}
	return did
}

// patience limits how long a change waits for a room and a connection.
const patience = 5 * time.Second

// change runs a change of a room. It waits for other changes of the room in this process, then
// for a connection, then for the room itself.
func (p *Process) change(ctx context.Context, room string, do func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, ErrBusy)
	defer cancel()
	p.mu.Lock()
	if p.queue[room] == nil {
		p.queue[room] = make(chan struct{}, 1)
	}
	waits := []chan struct{}{p.queue[room], p.changes, p.w.room(room)}
	p.mu.Unlock()
	if p.w.QueueLate {
		waits = []chan struct{}{p.changes, waits[0], waits[2]}
	}
	for _, one := range waits {
		select {
		case one <- struct{}{}:
			defer func() { <-one }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return do()
}

// hear records that the process got a hint.
func (p *Process) hear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = true
}

// findsAnything reports whether a process that finds only what hints mention finds anything.
func (p *Process) findsAnything() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	told := p.told || !p.w.HintsOnly
	p.told = false
	return told
}

// An arrival describes when a hint arrives, and whether it is lost.
type arrival struct {
	given time.Time
	wait  time.Duration
	lost  bool
}

// hintComes returns how long a hint travels: all watchers in a process get it together, whichever
// of them the store tells first.
func (p *Process) hintComes(what string) (wait time.Duration, lost bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.hints[what]
	if !ok || !c.given.Equal(time.Now()) {
		c = arrival{time.Now(), p.w.Between(time.Microsecond, quick, p.Name+" hint "+what), false}
		if p.w.Trouble(10, p.Name+" trouble of hint "+what) {
			// Some time later the connection reports that something was lost.
			c.wait, c.lost = p.w.Between(5*time.Second, 45*time.Second, p.Name+" lost hint "+what), true
		}
		p.hints[what] = c
	}
	return c.wait, c.lost
}

// hint delivers a hint a moment later, or, if it is lost, the report that something was lost.
func (p *Process) hint(ctx context.Context, what string, fn func(lost bool)) {
	wait, lost := p.hintComes(what)
	time.AfterFunc(wait, func() {
		if ctx.Err() == nil && !p.Dead() && !(lost && p.w.HintsOnly) {
			p.hear()
			fn(lost)
		}
	})
}
