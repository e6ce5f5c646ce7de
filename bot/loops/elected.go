package loops

import (
	"context"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Elected runs something in one process at a time: whoever is elected to a job
// runs it until ctx is done, or it has lost the job, and then stands again. It stands
// only where nobody living has the job, as far as is known.
func (l *Loops) Elected(ctx context.Context, job string, run func(context.Context) error) error {
	var me *Hold // nil while somebody else has the job
	lives := 0
	rest := func() {
		if me != nil {
			me.End(ctx)
			lives, me = me.lives, nil
		}
	}
	defer rest()
	tick := time.NewTicker(l.lookFor())
	defer tick.Stop()
	held := func() bool { return false }
	var done chan error
	var running sync.WaitGroup
	defer running.Wait()
	stop := func() {}
	defer func() { stop() }()
	for {
		has, known := l.holderOf(ctx, job)
		elected, err := false, error(nil)
		switch {
		case ctx.Err() != nil:
			return nil
		case me == nil && known && has != "":
		case done != nil && known && has == me.Name() && held():
			elected = true
		default:
			if me == nil {
				me = l.hold(ctx, job, lives)
			}
			if err = me.Refresh(ctx); err == nil {
				name, alive := me.Claim()
				if elected, err = l.store.Elect(ctx, name, job, l.now()); elected {
					held = alive
				}
			}
		}
		switch {
		case ctx.Err() != nil:
		case err != nil:
			l.log.Error("can't stand for a job", "job", job, "error", err)
			elected = done != nil && held() // until the life is over, it is ours
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case elected && done == nil:
			l.log.Info("elected", "job", job)
			own, cancel := context.WithCancel(ctx)
			stop = cancel
			done = make(chan error, 1)
			running.Go(func() { done <- l.keepRunning(own, job, run) })
		case !elected && done != nil:
			l.log.Warn("the job is somebody else's now", "job", job)
			stop()
			<-done
			done = nil
		}
		if done == nil && err == nil {
			rest()
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

// lookFor is how often a job is looked at.
func (l *Loops) lookFor() time.Duration { return l.stayFor() / 3 }

// elections are who has which job. The store is asked for all jobs of a process at once,
// however many it stands for.
type elections struct {
	turn chan struct{} // to look
	at   time.Time     // when the store was asked
	who  map[string]bot.Holder
	err  error
}

// holderOf is who has a job, "" for nobody living. It isn't known where the store can't
// say. It may be as old as half the time between two looks.
func (l *Loops) holderOf(ctx context.Context, job string) (who bot.Holder, known bool) {
	e := &l.elections
	select {
	case e.turn <- struct{}{}:
		defer func() { <-e.turn }()
	case <-ctx.Done():
		return "", false
	}
	if now := l.now(); now.Sub(e.at) >= l.lookFor()/2 || now.Before(e.at) {
		var living []bot.Holding
		living, e.err = l.store.Holders(ctx, now)
		e.at, e.who = now, map[string]bot.Holder{}
		for _, h := range living {
			for _, job := range h.Jobs {
				e.who[job] = h.Holder
			}
		}
	}
	return e.who[job], e.err == nil
}

// keepRunning runs something, and after a panic again, in a while.
func (l *Loops) keepRunning(ctx context.Context, job string, run func(context.Context) error) error {
	for tries := 0; ; tries++ {
		var ended error
		panicked := Guard(func() error {
			ended = run(ctx)
			return nil
		})
		if panicked == nil {
			return ended
		}
		wait := Backoff(tries)
		l.log.Error("a job panicked, and begins again", "job", job, "error", panicked, "wait", wait)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}
