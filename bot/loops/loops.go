// Package loops runs the loops of a host, alongside other processes on the same store.
package loops

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Loops holds the loops of one process. It is safe for concurrent use.
type Loops struct {
	Agenda  Agenda // for timers
	Posted  Posted
	Retries Retries

	store     bot.Store
	elections elections
	name      string
	life      time.Duration
	now       func() time.Time
	log       *slog.Logger

	own ownHints

	mu    sync.Mutex
	wakes map[string]*wake
}

// A wake holds the signals that wake a loop.
type wake struct {
	now  chan struct{} // signals that a commit may have brought work
	soon atomic.Bool   // whether rouseSoon was called a moment ago
}

// New returns the loops of a process. Its name must be unique among the processes that
// share the store; "" chooses a random one. life is the length of leases, after which
// others take over from a killed process; 0 means ten seconds.
func New(store bot.Store, name string, life time.Duration, now func() time.Time, log *slog.Logger) *Loops {
	if name == "" {
		name = newName()
	}
	l := &Loops{store: store, name: name, life: cmp.Or(life, usualLife), now: now, log: log, elections: elections{turn: make(chan struct{}, 1)}, wakes: map[string]*wake{}}
	l.Agenda.every = l.look()
	return l
}

// wake returns the wake of a loop.
func (l *Loops) wake(platform string) *wake {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wakes[platform] == nil {
		l.wakes[platform] = &wake{now: make(chan struct{}, 1)}
	}
	return l.wakes[platform]
}

// Rouse wakes a loop if it isn't awake already.
func (l *Loops) Rouse(platform string) {
	select {
	case l.wake(platform).now <- struct{}{}:
	default:
	}
}

// lateness sets how long other processes have to handle their own commits.
const lateness = 200 * time.Millisecond

// rouseSoon wakes a loop after others' commits. It waits a little first, since the process that
// commits something is best placed to handle the rest.
func (l *Loops) rouseSoon(platform string) {
	w := l.wake(platform)
	if !w.soon.CompareAndSwap(false, true) {
		return
	}
	time.AfterFunc(lateness, func() {
		w.soon.Store(false)
		if platform == "" {
			l.Agenda.Reset()
		}
		l.Rouse(platform)
	})
}

// look returns how often a loop checks the store unprompted, for work left by other
// processes: each minute with the default life.
func (l *Loops) look() time.Duration { return 6 * l.life }

// WasPutBack reports whether the clock has been put back since the caller's latest look, whose time of
// day it updates.
func (l *Loops) WasPutBack(latest *time.Time) bool {
	was := *latest
	*latest = l.now().Round(0)
	return latest.Before(was.Add(-time.Minute)) // not merely corrected a little
}

// afterFailure sets how long a loop waits after a failure.
const afterFailure = time.Minute

// Run calls work, and calls it again whenever the loop is woken or the time that work
// returned has come, until ctx is done.
func (l *Loops) Run(ctx context.Context, name string, work func() (next time.Time, err error)) error {
	for ctx.Err() == nil {
		var next time.Time
		err := Guard(func() (err error) {
			next, err = work()
			return err
		})
		wait := l.look()
		if err != nil && ctx.Err() == nil {
			l.log.Error("loop failed", "loop", name, "error", err)
			wait = afterFailure
		} else if !next.IsZero() {
			wait = min(wait, max(next.Sub(l.now()), time.Millisecond))
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-l.wake(name).now:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// pause keeps a loop from spinning while the store fails.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}

// Backoff returns how long to wait after a number of failures: a second, doubled for each
// failure, and at most ten minutes.
func Backoff(tries int) time.Duration {
	return min(time.Second<<min(tries, 10), 10*time.Minute)
}

// Persist retries a write to the store until it succeeds, another process has taken over,
// or the host stops. It reports whether the write succeeded.
func (l *Loops) Persist(ctx context.Context, what string, do func(context.Context) error) bool {
	for {
		// Write even while the host shuts down, since the action is done.
		err := do(context.WithoutCancel(ctx))
		switch {
		case err == nil:
			return true
		case errors.Is(err, bot.ErrLost):
			l.log.Warn("another process has taken over", "doing", what)
			return false
		}
		l.log.Error("can't write to the store", "doing", what, "error", err)
		if ctx.Err() != nil {
			return false
		}
		pause(ctx)
	}
}

// Watch wakes a loop a moment after another process may have left it work, until ctx is done.
func (l *Loops) Watch(ctx context.Context, loop string) {
	err := l.store.Watch(ctx, func(ch bot.ChannelID) {
		if loop != "" && ch != "" && ch.Platform() != loop {
			return
		}
		if loop != "" {
			l.Posted.note(ch)
		}
		if !l.own.hear(loop, ch) {
			l.rouseSoon(loop)
		}
	})
	if err != nil && ctx.Err() == nil {
		l.log.Error("can't watch the store; polling it instead", "error", err)
	}
}
