package loops

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// RunElected runs a job in one process at a time. The elected process runs it until ctx is
// done or the job is lost, and then becomes a candidate again. It tries to get the job only
// if no living process is known to have it.
func (l *Loops) RunElected(ctx context.Context, job string, run func(context.Context) error) error {
	c := &candidate{Loops: l, job: job, held: func() bool { return false }, stop: func() {}}
	defer c.endLease(ctx)
	tick := time.NewTicker(l.lookFor())
	defer tick.Stop()
	defer c.running.Wait()
	defer func() { c.stop() }()
	for {
		elected, err := c.electInTime(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			l.log.Error("can't compete for a job's lease", "job", job, "error", err)
			elected = c.done != nil && c.held() // it stays ours until the lease expires
		}
		switch {
		case elected && c.done == nil:
			c.begin(ctx, run)
		case !elected && c.done != nil:
			l.log.Warn("another process has the job now", "job", job)
			c.stop()
			<-c.done
			c.done = nil
		}
		if c.done == nil && err == nil {
			c.endLease(ctx)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case err := <-c.done:
			return err
		}
	}
}

// A candidate is this process's candidacy for a job.
type candidate struct {
	*Loops
	job   string
	me    *Lease      // nil while another process has the job
	lives int         // number of leases before
	held  func() bool // whether the lease of the election still holds

	done    chan error // result of the job; nil while it doesn't run here
	stop    func()
	running sync.WaitGroup
}

// electInTime works like elect. While the job runs here, it waits for the store no longer than the
// lease of the election lasts, since another process may have the job after that, and only a moment if
// that lease is over, as after a standstill.
func (c *candidate) electInTime(ctx context.Context) (elected bool, err error) {
	if c.done != nil {
		wait := c.lookFor()
		if c.held() {
			wait = c.me.remaining()
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, wait)
		defer cancel()
	}
	elected, err = c.elect(ctx)
	return elected, cmp.Or(err, ctx.Err())
}

// elect reports whether this process has the job. If no process is known to have it, it
// tries to get it.
func (c *candidate) elect(ctx context.Context) (elected bool, err error) {
	has, known := c.holderOf(ctx, c.job)
	switch {
	case ctx.Err() != nil || c.me == nil && known && has != "":
		return false, nil
	case c.done != nil && known && has == c.me.Name() && c.held():
		return true, nil
	case c.me == nil:
		c.me = c.hold(ctx, c.job, c.lives)
	}
	if err := c.me.Refresh(ctx); err != nil {
		return false, err
	}
	name, alive := c.me.Claim()
	if elected, err = c.store.Elect(ctx, name, c.job, c.now()); elected {
		c.held = alive
	}
	return elected, err
}

// begin starts the job.
func (c *candidate) begin(ctx context.Context, run func(context.Context) error) {
	c.log.Info("elected", "job", c.job)
	own, cancel := context.WithCancel(ctx)
	c.stop = cancel
	c.done = make(chan error, 1)
	c.running.Go(func() { c.done <- c.keepRunning(own, c.job, run) })
}

// endLease ends the lease used by the candidacy.
func (c *candidate) endLease(ctx context.Context) {
	if c.me != nil {
		c.me.End(ctx)
		c.lives, c.me = c.me.lives, nil
	}
}

// lookFor returns the interval between checks of a job.
func (l *Loops) lookFor() time.Duration { return l.stayFor() / 3 }

// elections caches which process has which job. The store is queried for all jobs of a
// process at once, however many it competes for.
type elections struct {
	turn chan struct{} // held by the goroutine that queries
	at   time.Time     // time of the last query
	who  map[string]bot.Holder
	err  error
}

// holderOf returns the process that has a job, or "" if none that lives does. known is
// false if the store can't tell. The answer may be as old as half the interval between
// checks.
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

// keepRunning runs a job and restarts it after a panic, with a growing delay.
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
		l.log.Error("a job panicked; restarting it", "job", job, "error", panicked, "wait", wait)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}
