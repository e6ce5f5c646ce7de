// Package loops runs the loops of a host, beside those of other processes on the
// same store.
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

// Loops are those of one process. It is safe for concurrent use.
type Loops struct {
	Agenda Agenda // of the timers
	Posted Posted
	Aside  Aside

	store     bot.Store
	elections elections
	name      string
	life      time.Duration
	now       func() time.Time
	log       *slog.Logger

	mu    sync.Mutex
	wakes map[string]chan struct{}
}

// New makes the loops of a process. Its name is its own among all that share the
// store; "" stands for a random one. What a process that was killed had is others'
// after a life; 0 stands for ten seconds.
func New(store bot.Store, name string, life time.Duration, now func() time.Time, log *slog.Logger) *Loops {
	if name == "" {
		name = newName()
	}
	l := &Loops{store: store, name: name, life: cmp.Or(life, usualLife), now: now, log: log, elections: elections{turn: make(chan struct{}, 1)}, wakes: map[string]chan struct{}{}}
	l.Agenda.every = l.look()
	return l
}

// wake is the signal that a commit may have brought work for a loop.
func (l *Loops) wake(platform string) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wakes[platform] == nil {
		l.wakes[platform] = make(chan struct{}, 1)
	}
	return l.wakes[platform]
}

// Rouse wakes a loop, if it isn't awake already.
func (l *Loops) Rouse(platform string) {
	select {
	case l.wake(platform) <- struct{}{}:
	default:
	}
}

// look is how often a loop looks at the store by itself, for what other processes put
// there and what those that died left: each minute, with the usual life.
func (l *Loops) look() time.Duration { return 6 * l.life }

// afterFailure is how long a loop waits after it failed.
const afterFailure = time.Minute

// Run calls work, and again whenever it is roused or the time comes that work
// named, until ctx is done.
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
		case <-l.wake(name):
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// pause keeps a loop from running hot while the store fails.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}

// Backoff is how long to wait after a number of failures: a second, doubled for
// each, and ten minutes at most.
func Backoff(tries int) time.Duration {
	return min(time.Second<<min(tries, 10), 10*time.Minute)
}

// Persist does something that must be noted in the store, until it is, somebody
// else has taken over, or the host stops. It reports whether it was noted.
func (l *Loops) Persist(ctx context.Context, what string, do func(context.Context) error) bool {
	for {
		// What was done is noted even while the host shuts down.
		err := do(context.WithoutCancel(ctx))
		switch {
		case err == nil:
			return true
		case errors.Is(err, bot.ErrLost):
			l.log.Warn("somebody else has taken over meanwhile", "doing", what)
			return false
		}
		l.log.Error("can't note it in the store", "doing", what, "error", err)
		if ctx.Err() != nil {
			return false
		}
		pause(ctx)
	}
}

// lateness is how long others have to see to what they commit themselves.
const lateness = 200 * time.Millisecond

// Watch rouses a loop when another process may have left it work, until ctx is
// done. It does so late, for whoever commits something has what is needed for
// the rest at hand.
func (l *Loops) Watch(ctx context.Context, loop string) {
	var coming atomic.Bool
	err := l.store.Watch(ctx, func(ch bot.ChannelID) {
		if loop != "" && ch != "" && ch.Platform() != loop {
			return
		}
		if loop != "" {
			l.Posted.note(ch)
		}
		if l.Agenda.Own(ch) || !coming.CompareAndSwap(false, true) {
			return
		}
		time.AfterFunc(lateness, func() {
			coming.Store(false)
			if loop == "" {
				l.Agenda.Everywhere()
			}
			l.Rouse(loop)
		})
	})
	if err != nil && ctx.Err() == nil {
		l.log.Error("can't watch the store; looking at it now and then", "error", err)
	}
}
