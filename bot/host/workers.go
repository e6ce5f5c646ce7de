package host

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Workers have the robots act whose timers are due, so many at once. What they
// know is no truth: another process may do the same, and a restart begins anew
// with the timers that are left in the store.
type workers struct {
	h *Host

	mu    sync.Mutex
	known map[uint64]bool        // timers in a queue, being seen to, or failed a moment ago
	queue map[string][]bot.Timer // by kind
	free  map[string]int         // workers, by the kind of timer
	all   sync.WaitGroup
}

func (h *Host) newWorkers() *workers {
	return &workers{
		h: h, known: map[uint64]bool{}, queue: map[string][]bot.Timer{},
		free: map[string]int{robotKind: 1, thinkerKind: max(h.Thinkers, 1)},
	}
}

// take queues the robots' timers for the workers, and returns the others.
func (w *workers) take(ctx context.Context, due []bot.Timer) (others []bot.Timer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, timer := range due {
		if _, robots := w.free[timer.Kind]; !robots {
			others = append(others, timer)
		} else if !w.known[timer.ID] {
			w.known[timer.ID] = true
			w.queue[timer.Kind] = append(w.queue[timer.Kind], timer)
			w.begin(ctx, timer.Kind)
		}
	}
	return others
}

// waiting is how many timers that are due and not yet removed are known.
func (w *workers) waiting() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.known)
}

// begin gives the first of a queue to a worker, where one is free.
func (w *workers) begin(ctx context.Context, kind string) {
	if w.free[kind] == 0 || len(w.queue[kind]) == 0 || ctx.Err() != nil {
		return
	}
	timer := w.queue[kind][0]
	w.queue[kind] = w.queue[kind][1:]
	w.free[kind]--
	w.all.Go(func() { w.work(ctx, timer) })
}

// robotRetry is how long a robot that could not act waits until it tries again.
const robotRetry = time.Minute

func (w *workers) work(ctx context.Context, timer bot.Timer) {
	err := w.act(ctx, timer)
	if err == nil {
		err = w.h.Store.Fired(context.WithoutCancel(ctx), timer)
	}
	if err != nil && ctx.Err() == nil {
		w.h.Log.Error("a robot can't act", "table", timer.Table, "channel", timer.Channel, "error", err)
	}
	w.mu.Lock()
	w.free[timer.Kind]++
	w.begin(ctx, timer.Kind)
	w.mu.Unlock()
	if err != nil {
		select {
		case <-ctx.Done():
		case <-time.After(robotRetry):
		}
	}
	w.mu.Lock()
	delete(w.known, timer.ID)
	w.mu.Unlock()
	if err != nil {
		w.h.rouse("")
	}
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
