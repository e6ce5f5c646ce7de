package loops

import (
	"context"
	"crypto/rand"
	"strconv"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// usualLife is the default length of a lease. If a process is killed, others can take over
// after that time.
const usualLife = 10 * time.Second

// stayFor returns the interval between renewals of a lease.
func (l *Loops) stayFor() time.Duration { return l.life * 3 / 10 }

// A Lease is the lease under whose name a loop makes claims. If the loop stalls until the
// lease expires, it continues under another name: other processes may have taken over what
// it had claimed, and the rest is free.
type Lease struct {
	l    *Loops
	loop string

	mu    sync.Mutex
	name  bot.Holder
	lives int       // number of names so far
	until time.Time // end of the lease; zero before it begins

	stop context.CancelFunc
	all  sync.WaitGroup
}

// Hold takes a lease and renews it until End.
func (l *Loops) Hold(ctx context.Context, loop string) *Lease { return l.hold(ctx, loop, 0) }

// hold works like Hold, for a loop that has already used some names.
func (l *Loops) hold(ctx context.Context, loop string, lives int) *Lease {
	ctx, stop := context.WithCancel(ctx)
	o := &Lease{l: l, loop: loop, stop: stop, lives: lives}
	o.begin()
	o.all.Go(func() {
		tick := time.NewTicker(l.stayFor())
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := o.stay(ctx); err != nil && ctx.Err() == nil {
					l.log.Error("can't renew claims", "loop", loop, "error", err)
				}
			}
		}
	})
	return o
}

// begin starts a new lease with a new name.
func (o *Lease) begin() {
	o.lives++
	o.until = time.Time{}
	o.name = bot.Holder(o.l.name + " " + o.loop)
	if o.lives > 1 {
		o.name += bot.Holder(" " + strconv.Itoa(o.lives))
	}
}

// Name returns the name under which the loop makes claims now.
func (o *Lease) Name() bot.Holder {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.name
}

// Claim returns the name under which the loop makes claims now. held reports whether claims
// under that name certainly still hold. They don't if the process, or its connection to the
// store, has stalled for long.
func (o *Lease) Claim() (name bot.Holder, held func() bool) {
	name = o.Name()
	return name, func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.name == name && o.lasts()
	}
}

// StartOver starts a new lease after a claim that failed. The store may have granted the
// claim under the current name although the reply was lost; it becomes free when that
// name's lease expires.
func (o *Lease) StartOver(ctx context.Context) {
	if ctx.Err() != nil {
		return // End releases everything
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begin()
}

// stay renews the lease.
func (o *Lease) stay(ctx context.Context) error {
	for {
		o.mu.Lock()
		if o.isExpired() {
			o.begin()
		}
		name, until := o.name, o.l.now().Add(o.l.life)
		o.mu.Unlock()
		if err := o.l.store.Stay(ctx, name, until); err != nil {
			return err
		}
		o.mu.Lock()
		stays := o.name == name && !o.isExpired() // the renewal may have come too late
		if stays {
			o.until = until
		}
		o.mu.Unlock()
		if stays {
			return nil
		}
	}
}

// isExpired reports whether the lease has expired. o.mu must be held.
func (o *Lease) isExpired() bool { return !o.until.IsZero() && !o.lasts() }

// lasts reports whether the lease has begun and certainly still lasts. It doesn't if the clock has been
// put back, since others don't wait until the time comes again. o.mu must be held.
func (o *Lease) lasts() bool {
	left := o.until.Sub(o.l.now())
	return 0 < left && left < 2*o.l.life
}

// remaining returns how long the lease still lasts.
func (o *Lease) remaining() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.until.Sub(o.l.now())
}

// Refresh renews the lease if that is due.
func (o *Lease) Refresh(ctx context.Context) error {
	o.mu.Lock()
	due := o.until.Sub(o.l.now()) < o.l.life-o.l.stayFor()
	o.mu.Unlock()
	if !due {
		return nil
	}
	return o.stay(ctx)
}

// End stops renewing the lease and releases all claims.
func (o *Lease) End(ctx context.Context) {
	o.stop()
	o.all.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := o.l.store.Leave(ctx, o.Name()); err != nil {
		o.l.log.Warn("can't release claims; others get them in a moment", "loop", o.loop, "error", err)
	}
}

// newName returns a random name for a process.
func newName() string { return rand.Text()[:8] }
