package loops

import (
	"context"
	"sync"
	"time"
)

// Elected runs something in one process at a time: whoever is elected to a job
// runs it until ctx is done, or it has lost the job, and then stands again.
func (l *Loops) Elected(ctx context.Context, job string, run func(context.Context) error) error {
	me := l.Hold(ctx, job)
	defer me.End(ctx)
	tick := time.NewTicker(l.stayFor() / 3)
	defer tick.Stop()
	held := func() bool { return false }
	var done chan error
	var running sync.WaitGroup
	defer running.Wait()
	stop := func() {}
	defer func() { stop() }()
	for {
		elected, err := false, me.Refresh(ctx)
		if err == nil {
			name, alive := me.Claim()
			if elected, err = l.store.Elect(ctx, name, job, l.now()); elected {
				held = alive
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
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case err := <-done:
			return err
		}
	}
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
