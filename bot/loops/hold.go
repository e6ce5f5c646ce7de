package loops

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// usualLife is how long what a loop has claimed stays its own without a word of it.
// So what a process had that was killed goes on after a life.
const usualLife = 10 * time.Second

// stayFor is how often a loop says that it lives.
func (l *Loops) stayFor() time.Duration { return l.life * 3 / 10 }

// A Hold is the name by which a loop claims, while it lives.
type Hold struct {
	l    *Loops
	name bot.Holder

	mu    sync.Mutex
	until time.Time

	stop context.CancelFunc
	all  sync.WaitGroup
}

// Hold lets a loop live until its end.
func (l *Loops) Hold(ctx context.Context, loop string) *Hold {
	ctx, stop := context.WithCancel(ctx)
	o := &Hold{l: l, name: bot.Holder(l.name + " " + loop), stop: stop}
	o.all.Go(func() {
		tick := time.NewTicker(l.stayFor())
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := o.stay(ctx); err != nil && ctx.Err() == nil {
					l.log.Error("can't keep what was claimed", "holder", o.name, "error", err)
				}
			}
		}
	})
	return o
}

// Name is what the loop claims under.
func (o *Hold) Name() bot.Holder { return o.name }

// stay says that the loop lives.
func (o *Hold) stay(ctx context.Context) error {
	until := o.l.now().Add(o.l.life)
	if err := o.l.store.Stay(ctx, o.name, until); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.until = until
	return nil
}

// Refresh is stay where that is due.
func (o *Hold) Refresh(ctx context.Context) error {
	o.mu.Lock()
	due := o.until.Sub(o.l.now()) < o.l.life-o.l.stayFor()
	o.mu.Unlock()
	if !due {
		return nil
	}
	return o.stay(ctx)
}

// Lives reports whether what was claimed is surely the loop's own still. It
// isn't after the process, or the line to the store, stood still for long.
func (o *Hold) Lives() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.until.After(o.l.now())
}

// End gives everything back.
func (o *Hold) End(ctx context.Context) {
	o.stop()
	o.all.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := o.l.store.Leave(ctx, o.name); err != nil {
		o.l.log.Warn("can't give back what was claimed; others get it in a moment", "holder", o.name, "error", err)
	}
}

// newName is a name for a process that was given none.
func newName() string { return rand.Text()[:8] }
