package host

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/loops"
)

// workers handles due timers of slow kinds, several of each kind at once. A worker claims a
// timer only when it is free, so that the processes on a store share the work, and each timer
// is handled once.
type workers struct {
	h  *alarms
	me *loops.Lease

	slow, quick []string // the kinds of timers that this host knows, slow and quick

	mu    sync.Mutex
	free  map[string]int         // free workers, by kind of timer
	again map[string][]bot.Timer // failed timers, by kind
	all   sync.WaitGroup
}

func (h *alarms) newWorkers(me *loops.Lease) *workers {
	w := &workers{h: h, me: me, quick: []string{}, again: map[string][]bot.Timer{}, free: map[string]int{}}
	for _, kind := range slices.Sorted(maps.Keys(h.due)) {
		if n := h.due[kind].Workers; n > 0 {
			w.slow, w.free[kind] = append(w.slow, kind), n
		} else {
			w.quick = append(w.quick, kind)
		}
	}
	h.loops.Agenda.QueryApart(w.slow)
	return w
}

// claim gives due timers to the free workers. When a worker finishes, it rouses the loop, which
// calls claim again.
func (w *workers) claim(ctx context.Context) (next time.Time, err error) {
	for _, kind := range w.slow {
		w.mu.Lock()
		free := w.free[kind]
		due := w.again[kind][:min(free, len(w.again[kind]))]
		w.again[kind] = w.again[kind][len(due):]
		w.mu.Unlock()
		if free > len(due) {
			only := bot.Kinds{Only: []string{kind}, Without: w.h.leftTables()}
			wanted := free - len(due)
			later, err := w.h.loops.Agenda.Query(kind, w.h.Now(), func() (next time.Time, more bool, err error) {
				claimed, next, err := w.h.Store.ClaimTimers(ctx, w.me.Name(), only, w.h.Now(), wanted)
				if err != nil {
					w.me.StartOver(ctx)
				}
				due = append(slices.Clone(due), claimed...)
				return next, len(claimed) == wanted, err
			})
			if err != nil {
				return next, err
			}
			next = loops.Earlier(next, later)
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

func (w *workers) work(ctx context.Context, timer bot.Timer) {
	began := w.h.Now()
	err := w.act(ctx, timer)
	w.h.Observer.Timer(timer.Kind, outcomeOf(err), w.h.Now().Sub(began))
	if err == nil {
		err = w.h.Store.RemoveTimers(context.WithoutCancel(ctx), timer)
	}
	if errors.Is(err, bot.ErrLost) {
		err = nil
	}
	if err != nil {
		w.h.setAsideTimer(ctx, timer, err)
		if w.h.leaveToOthers(ctx, timer, err) {
			err = nil
		}
	} else {
		w.h.loops.Retries.Remove(timerKey(timer))
	}
	w.mu.Lock()
	w.free[timer.Kind]++
	w.mu.Unlock()
	w.h.loops.Rouse("")
	if err == nil {
		return
	}
	select {
	case <-ctx.Done():
		return
	case <-time.After(w.h.loops.Retries.RetryAt(timerKey(timer)).Sub(w.h.Now())):
	}
	w.mu.Lock()
	w.again[timer.Kind] = append(w.again[timer.Kind], timer)
	w.mu.Unlock()
	w.h.loops.Rouse("")
}

func (w *workers) act(ctx context.Context, timer bot.Timer) error {
	return loops.Guard(func() error { return w.h.due[timer.Kind].Do(ctx, timer) })
}

// wait waits for the workers to finish.
func (w *workers) wait() { w.all.Wait() }
