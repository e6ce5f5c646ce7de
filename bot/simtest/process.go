package simtest

import (
	"context"
	"sync"
	"time"
)

// A Process is one that runs in a world, from its start to its end. What it asks of
// others goes by [Process.Call].
type Process struct {
	Name string
	Skew time.Duration // by which its clock differs

	w       *World
	changes chan struct{} // its connections for changes
	end     context.CancelFunc

	mu    sync.Mutex
	dead  bool
	left  int // steps until it ends; 0: it ends when it is stopped
	queue map[string]chan struct{}
	hints map[string]coming // the latest, by what they say
	told  bool              // of anything, since it last looked
}

// Start starts a process under a name that none had before. It ends with its context,
// or where steps isn't 0, after so many.
func (w *World) Start(ctx context.Context, name string, steps int) (*Process, context.Context) {
	ctx, end := context.WithCancel(ctx)
	p := &Process{Name: name, w: w, end: end, left: steps, changes: make(chan struct{}, w.Connections), queue: map[string]chan struct{}{}, hints: map[string]coming{}, told: true}
	return p, ctx
}

// Now is what its clock shows.
func (p *Process) Now() time.Time { return time.Now().Add(p.Skew) }

// Kill ends the process at once: nothing that it does from now on has an effect.
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

// step is one of the points at which a process may end.
func (p *Process) step(what string) error {
	calm := p.w.isCalm()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return ErrDead
	}
	p.w.stepped(what)
	if p.left > 0 && !calm {
		if p.left--; p.left == 0 {
			p.dead = true
			p.end()
			return ErrDead
		}
	}
	return nil
}

// How long things are on their way.
const (
	quick    = 2 * time.Millisecond
	slow     = 3 * time.Second
	lostTime = time.Second // until somebody gives up
)

// travel is a message's way, on which it may get lost.
func (p *Process) travel(ctx context.Context, what string) (lost, err error) {
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

// sleep reports whether it slept until the end.
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

// Call asks somebody else to do something: the store, a platform. It may get lost on its
// way there, or the answer on its way back, and the process may end before and after.
func (p *Process) Call(ctx context.Context, what string, do func() error) error {
	// The way comes before the step: what begins at one time goes on at several, in an
	// order that is the seed's.
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

// patience is how long a change waits for a room and a connection.
const patience = 5 * time.Second

// changing does something that changes a room: those here who want the same wait for
// each other, then for one of the connections, then for the room itself.
func (p *Process) changing(ctx context.Context, room string, do func() error) error {
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

// hear notes that the process was told of something.
func (p *Process) hear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = true
}

// looks reports whether a process that finds only what it was told of finds anything.
func (p *Process) looks() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	told := p.told || !p.w.HintsOnly
	p.told = false
	return told
}

// A coming is when a hint comes, and whether it is lost.
type coming struct {
	given time.Time
	wait  time.Duration
	lost  bool
}

// hintComes says how long a hint is on its way: all in a process who watch hear of it
// together, whichever of them the store tells first.
func (p *Process) hintComes(what string) (wait time.Duration, lost bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.hints[what]
	if !ok || !c.given.Equal(time.Now()) {
		c = coming{time.Now(), p.w.Between(time.Microsecond, quick, p.Name+" hint "+what), false}
		if p.w.Trouble(10, p.Name+" trouble of hint "+what) {
			// Somewhat later the line says that something was lost.
			c.wait, c.lost = p.w.Between(5*time.Second, 45*time.Second, p.Name+" lost hint "+what), true
		}
		p.hints[what] = c
	}
	return c.wait, c.lost
}

// hint has the process hear of something a moment later, or where that is lost, that
// something was lost.
func (p *Process) hint(ctx context.Context, what string, fn func(lost bool)) {
	wait, lost := p.hintComes(what)
	time.AfterFunc(wait, func() {
		if ctx.Err() == nil && !p.Dead() && !(lost && p.w.HintsOnly) {
			p.hear()
			fn(lost)
		}
	})
}
