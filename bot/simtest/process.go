package simtest

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
)

// A Process is a simulated process, from its start to its end. Its calls to others go through
// [Process.Call].
type Process struct {
	Name string

	own   ownClock
	skew  time.Duration // of the clock that it reads in the store
	clock *store.Clock

	w       *World
	changes chan struct{} // its connections for changes
	end     context.CancelFunc

	mu    sync.Mutex
	dead  bool
	left  int // steps until it ends; 0 if it runs until it is stopped
	queue map[string]chan struct{}
	hints map[string]arrival // the latest, by text
	told  bool               // whether it got any hint since it last looked
	down  map[Party]outage
	ended chan struct{} // closed when an outage ends before its time
	deaf  bool          // whether it gets no hints; see World.Silent
}

// A Party is what a process calls.
type Party string

// The parties of a history.
const (
	StoreParty    Party = "store"
	PlatformParty Party = "platform"
)

// An outage is a time in which nothing reaches a party. The empty party stands for all of them: then
// the process itself is suspended.
type outage struct {
	from, until time.Time
	refuses     bool // whether calls fail at once instead of hanging
	untilClaim  bool // whether it ends soon after another process claims something
}

func (o outage) covers(t time.Time) bool { return !t.Before(o.from) && t.Before(o.until) }

// Start starts a process under a new name. It ends with its context, or after the given number of
// steps unless that is 0.
func (w *World) Start(ctx context.Context, name string, steps int) (*Process, context.Context) {
	ctx, end := context.WithCancel(ctx)
	p := &Process{Name: name, w: w, end: end, left: steps, changes: make(chan struct{}, w.Connections), queue: map[string]chan struct{}{}, hints: map[string]arrival{}, told: true, down: map[Party]outage{}, ended: make(chan struct{})}
	w.mu.Lock()
	w.processes = append(w.processes, p)
	w.mu.Unlock()
	p.deaf = w.Silent && w.OneIn(2, "deafness of "+name)
	p.own = ownClock{began: time.Now()}
	if w.WrongClocks > 0 {
		p.own.off = w.Between(-w.WrongClocks, w.WrongClocks, "clock of "+name)
		p.own.jump = w.Between(-w.WrongClocks, w.WrongClocks, "jump of the clock of "+name)
		p.own.jumps = p.own.began.Add(w.Between(time.Second, time.Hour, "time of the jump of the clock of "+name))
		p.own.drift = w.Below(2*mostDrift+1, "drift of the clock of "+name) - mostDrift
	}
	if w.Skew > 0 {
		p.skew = w.Between(-w.Skew/2, w.Skew/2, "skew of "+name)
	}
	p.clock = store.NewClock(p.own.now, p.own.elapsed)
	p.clock.Read()(p.storeTime())
	return p, ctx
}

// Now returns the time that the process goes by: the store's, as far as it knows.
func (p *Process) Now() time.Time { return p.clock.Now() }

// storeTime returns the time on the store's clock as the process would read it now.
func (p *Process) storeTime() time.Time { return time.Now().Add(p.skew) }

// An ownClock is the clock of the machine that a process runs on.
type ownClock struct {
	began time.Time
	off   time.Duration // of its time of day at the start
	jumps time.Time     // when its time of day jumps
	jump  time.Duration
	drift int // in millionths
}

// mostDrift is what a bad quartz may drift, in millionths.
const mostDrift = 500

// elapsed returns the time since the process began. It drifts and doesn't jump.
func (c ownClock) elapsed() time.Duration {
	d := time.Since(c.began)
	return d + d/1_000_000*time.Duration(c.drift)
}

// now returns the time of day.
func (c ownClock) now() time.Time {
	at := c.began.Add(c.off + c.elapsed())
	if time.Now().After(c.jumps) {
		at = at.Add(c.jump)
	}
	return at
}

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

// travel waits for a message's journey, on which it may get lost. Its length is decided before the
// process may be suspended, so that what goes on together afterwards does so in the seed's order.
func (p *Process) travel(ctx context.Context, to Party, what string) (lost, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err // without a decision, since a caller may or may not notice this before it calls
	}
	what = p.Name + " " + what + purpose(ctx)
	took := p.w.Between(time.Microsecond, quick, what)
	if !p.w.isCalm() {
		switch p.w.Below(200, "trouble of "+what) {
		case 0:
			took, lost = lostTime+took, ErrLost
		case 1, 2:
			took = p.w.Between(quick, slow, what)
		}
	}
	refused, err := p.waitOutages(ctx, to, what, time.Second+took)
	if err != nil {
		return nil, err
	}
	if !sleep(ctx, took) {
		return nil, ctx.Err()
	}
	return cmp.Or(lost, refused), nil
}

// purpose returns what a call is for, so that calls that several goroutines make at the same instant
// get a random number each, in whatever order they run.
func purpose(ctx context.Context) (s string) {
	r := bot.ReadingOf(ctx)
	if r == nil {
		return ""
	}
	kind, about, _ := r.Now()
	s = " for " + kind
	for _, names := range about {
		for _, name := range names {
			s += " " + name
		}
	}
	return s
}

// waitOutages begins an outage now and then, and waits until nothing holds up a message to a party.
// It returns ErrLost as refused if the message can't get through. It looks again after each interval,
// which must be an odd one, so that no deadline ends at the same instant.
func (p *Process) waitOutages(ctx context.Context, to Party, what string, interval time.Duration) (refused, err error) {
	now := time.Now()
	if p.w.Pauses > 0 && p.w.Trouble(2000, "outage of "+what) {
		from := now.Add(time.Nanosecond) // what happens at this very instant isn't affected, in whatever order
		o := outage{from: from, until: from.Add(p.w.Between(p.w.Pauses/2400, p.w.Pauses, "length of the outage of "+what))}
		of := Party("")
		if p.w.OneIn(2, "line of the outage of "+what) {
			of, o.refuses = to, p.w.OneIn(2, "kind of the outage of "+what)
		} else {
			o.untilClaim = p.w.OneIn(2, "end of the outage of "+what)
		}
		p.mu.Lock()
		if o.until.After(p.down[of].until) {
			p.down[of] = o
		}
		p.mu.Unlock()
	}
	for !p.w.isCalm() {
		now := time.Now()
		p.mu.Lock()
		process, line, ended := p.down[""], p.down[to], p.ended
		p.mu.Unlock()
		until := now
		switch {
		case process.covers(now):
			until = process.until
		case line.covers(now) && line.refuses:
			return ErrLost, nil
		case line.covers(now):
			until = line.until
		default:
			return nil, nil
		}
		if !sleepUntil(ctx, min(until.Sub(now), interval), ended) {
			return nil, ctx.Err()
		}
	}
	return nil, nil
}

// endOutages ends the outages of other processes that last until a process claims something: the
// worst moment to come back.
func (p *Process) endOutages() {
	p.w.mu.Lock()
	others := slices.Clone(p.w.processes)
	p.w.mu.Unlock()
	for _, other := range others {
		if other == p {
			continue
		}
		other.mu.Lock()
		now := time.Now()
		if o := other.down[""]; o.untilClaim && o.covers(now) {
			o.untilClaim, o.until = false, now.Add(p.w.Between(time.Microsecond, 2*quick, "early end of the outage of "+other.Name))
			other.down[""] = o
			close(other.ended)
			other.ended = make(chan struct{})
		}
		other.mu.Unlock()
	}
}

// sleepUntil works like sleep, and also ends when early is closed.
func sleepUntil(ctx context.Context, d time.Duration, early chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-early:
	case <-timer.C:
	}
	return true
}

// sleep reports whether it slept for the whole duration.
func sleep(ctx context.Context, d time.Duration) bool { return sleepUntil(ctx, d, nil) }

// Call calls another party: the store, or a platform. The request may get lost on its way there, or
// the answer on its way back, and the process may end before and after.
func (p *Process) Call(ctx context.Context, to Party, what string, do func() error) error {
	// Travel before the step: calls that start together then arrive at different times, in an order
	// that the seed determines.
	lost, err := p.travel(ctx, to, what)
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
	if lost, err = p.travel(ctx, to, "answer to "+what); err != nil {
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
	for _, one := range waits {
		select {
		case one <- struct{}{}:
			defer func() { <-one }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	// A change takes time, so that waiting changes come one after another.
	if !sleep(ctx, p.w.Between(time.Microsecond, quick, p.Name+" change of "+room)) {
		return context.Cause(ctx)
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
	never bool // whether not even the loss is reported
}

// hintComes returns how long a hint travels: all watchers in a process get it together, whichever
// of them the store tells first.
func (p *Process) hintComes(what string) arrival {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.hints[what]
	if !ok || !c.given.Equal(time.Now()) {
		c = arrival{given: time.Now(), wait: p.w.Between(time.Microsecond, quick, p.Name+" hint "+what)}
		if p.w.Trouble(10, p.Name+" trouble of hint "+what) {
			// Some time later the connection reports that something was lost.
			c.wait, c.lost = p.w.Between(5*time.Second, 45*time.Second, p.Name+" lost hint "+what), true
		}
		c.never = p.deaf && (p.w.Deaf || !p.w.isCalm())
		p.hints[what] = c
	}
	return c
}

// hint delivers a hint a moment later, or, if it is lost, the report that something was lost.
func (p *Process) hint(ctx context.Context, what string, fn func(lost bool)) {
	c := p.hintComes(what)
	time.AfterFunc(c.wait, func() {
		if ctx.Err() == nil && !p.Dead() && !c.never && !(c.lost && p.w.HintsOnly) {
			p.hear()
			fn(c.lost)
		}
	})
}
