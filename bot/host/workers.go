package host

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Workers have the robots act whose timers are due, so many at once. A worker
// claims a timer when it is free for it, so that the processes that share a
// store share the thinking, and none thinks what another does.
type workers struct {
	h  *Host
	me *hold

	mu    sync.Mutex
	free  map[string]int         // workers, by the kind of timer
	again map[string][]bot.Timer // that failed, by kind
	all   sync.WaitGroup
}

func robotKinds() []string { return []string{robotKind, thinkerKind} }

func (h *Host) newWorkers(me *hold) *workers {
	return &workers{
		h: h, me: me, again: map[string][]bot.Timer{},
		free: map[string]int{robotKind: 1, thinkerKind: max(h.Thinkers, 1)},
	}
}

// claim gives the free workers what is due. The end of one's work rouses the
// loop, which calls it again.
func (w *workers) claim(ctx context.Context) (next time.Time, err error) {
	for _, kind := range robotKinds() {
		w.mu.Lock()
		free := w.free[kind]
		due := w.again[kind][:min(free, len(w.again[kind]))]
		w.again[kind] = w.again[kind][len(due):]
		w.mu.Unlock()
		if free > len(due) {
			more, later, err := w.h.Store.ClaimTimers(ctx, w.me.name, bot.Kinds{Only: []string{kind}}, w.h.Now(), free-len(due))
			if err != nil {
				return next, err
			}
			due = append(slices.Clone(due), more...)
			next = earlier(next, later)
		}
		for _, timer := range due {
			w.mu.Lock()
			w.free[kind]--
			w.mu.Unlock()
			w.all.Go(func() { w.work(ctx, timer) })
		}
	}
	return next, nil
}

// robotRetry is how long a robot that could not act waits until it tries again.
const robotRetry = time.Minute

func (w *workers) work(ctx context.Context, timer bot.Timer) {
	err := w.act(ctx, timer)
	if err == nil {
		err = w.h.Store.Fired(context.WithoutCancel(ctx), timer)
	}
	if errors.Is(err, bot.ErrLost) {
		err = nil
	}
	if err != nil && ctx.Err() == nil {
		w.h.Log.Error("a robot can't act", "table", timer.Table, "channel", timer.Channel, "error", err)
	}
	w.mu.Lock()
	w.free[timer.Kind]++
	w.mu.Unlock()
	w.h.rouse("")
	if err == nil {
		return
	}
	select {
	case <-ctx.Done():
		return
	case <-time.After(robotRetry):
	}
	w.mu.Lock()
	w.again[timer.Kind] = append(w.again[timer.Kind], timer)
	w.mu.Unlock()
	w.h.rouse("")
}

func (w *workers) act(ctx context.Context, timer bot.Timer) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return w.h.robotsAct(ctx, timer)
}

// wait waits for those at work.
func (w *workers) wait() { w.all.Wait() }
