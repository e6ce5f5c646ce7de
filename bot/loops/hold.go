package host

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// How long what a loop has claimed stays its own without a word of it, and how
// often it says that it lives. So what a process had that was killed goes on
// after a life.
const (
	life    = 10 * time.Second
	stayFor = 3 * time.Second
)

// A hold is the name by which a loop claims, while it lives.
type hold struct {
	h    *Host
	name bot.Holder

	mu    sync.Mutex
	until time.Time

	stop context.CancelFunc
	all  sync.WaitGroup
}

// hold lets a loop of the host live until its end.
func (h *Host) hold(ctx context.Context, loop string) *hold {
	ctx, stop := context.WithCancel(ctx)
	o := &hold{h: h, name: bot.Holder(h.Name + " " + loop), stop: stop}
	o.all.Go(func() {
		tick := time.NewTicker(stayFor)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := o.stay(ctx); err != nil && ctx.Err() == nil {
					h.Log.Error("can't keep what was claimed", "holder", o.name, "error", err)
				}
			}
		}
	})
	return o
}

// stay says that the loop lives.
func (o *hold) stay(ctx context.Context) error {
	until := o.h.Now().Add(life)
	if err := o.h.Store.Stay(ctx, o.name, until); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.until = until
	return nil
}

// refresh is stay where that is due.
func (o *hold) refresh(ctx context.Context) error {
	o.mu.Lock()
	due := o.until.Sub(o.h.Now()) < life-stayFor
	o.mu.Unlock()
	if !due {
		return nil
	}
	return o.stay(ctx)
}

// lives reports whether what was claimed is surely the loop's own still. It
// isn't after the process, or the line to the store, stood still for long.
func (o *hold) lives() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.until.After(o.h.Now())
}

// end gives everything back.
func (o *hold) end(ctx context.Context) {
	o.stop()
	o.all.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := o.h.Store.Leave(ctx, o.name); err != nil {
		o.h.Log.Warn("can't give back what was claimed; others get it in a moment", "holder", o.name, "error", err)
	}
}

// newName is a name for a process that was given none.
func newName() string { return rand.Text()[:8] }

// persist does something that must be noted in the store, until it is, somebody
// else has taken over, or the host stops. It reports whether it was noted.
func (h *Host) persist(ctx context.Context, what string, do func(context.Context) error) bool {
	for {
		// What was done is noted even while the host shuts down.
		err := do(context.WithoutCancel(ctx))
		switch {
		case err == nil:
			return true
		case errors.Is(err, bot.ErrLost):
			h.Log.Warn("somebody else has taken over meanwhile", "doing", what)
			return false
		}
		h.Log.Error("can't note it in the store", "doing", what, "error", err)
		if ctx.Err() != nil {
			return false
		}
		pause(ctx)
	}
}

// watch rouses a loop when another process may have left it work, until ctx is
// done.
func (h *Host) watch(ctx context.Context, loop string) {
	err := h.Store.Watch(ctx, func(ch bot.ChannelID) {
		if loop == "" || ch == "" || ch.Platform() == loop {
			h.Rouse(loop)
		}
	})
	if err != nil && ctx.Err() == nil {
		h.Log.Error("can't watch the store; looking at it now and then", "error", err)
	}
}

// Elected runs something in one process at a time: whoever is elected to a job
// runs it until ctx is done, or it has lost the job, and then stands again.
func (h *Host) Elected(ctx context.Context, job string, run func(context.Context) error) error {
	me := h.hold(ctx, job)
	defer me.end(ctx)
	tick := time.NewTicker(stayFor / 3)
	defer tick.Stop()
	var done chan error
	var running sync.WaitGroup
	defer running.Wait()
	stop := func() {}
	defer func() { stop() }()
	for {
		elected, err := false, me.refresh(ctx)
		if err == nil {
			elected, err = h.Store.Elect(ctx, me.name, job, h.Now())
		}
		switch {
		case ctx.Err() != nil:
		case err != nil:
			h.Log.Error("can't stand for a job", "job", job, "error", err)
			elected = done != nil && me.lives() // until the life is over, it is ours
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case elected && done == nil:
			h.Log.Info("elected", "job", job)
			own, cancel := context.WithCancel(ctx)
			stop = cancel
			done = make(chan error, 1)
			running.Go(func() { done <- run(own) })
		case !elected && done != nil:
			h.Log.Warn("the job is somebody else's now", "job", job)
			stop()
			<-done
			done = nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case err := <-done:
			return err
		}
	}
}
