package loops

import (
	"context"
	"crypto/rand"
	"strconv"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// usualLife is how long what a loop has claimed stays its own without a word of it.
// So what a process had that was killed goes on after a life.
const usualLife = 10 * time.Second

// stayFor is how often a loop says that it lives.
func (l *Loops) stayFor() time.Duration { return l.life * 3 / 10 }

// A Hold is the name by which a loop claims, while it lives. When it stood still for
// longer than that, it lives on under another name: what it had claimed may be others'
// by now, and what nobody took is free.
type Hold struct {
	l    *Loops
	loop string

	mu    sync.Mutex
	name  bot.Holder
	lives int       // how many names it has had
	until time.Time // the end of this life; zero before its beginning

	stop context.CancelFunc
	all  sync.WaitGroup
}

// Hold lets a loop live until its end.
func (l *Loops) Hold(ctx context.Context, loop string) *Hold { return l.hold(ctx, loop, 0) }

// hold is Hold for a loop that has had some names.
func (l *Loops) hold(ctx context.Context, loop string, lives int) *Hold {
	ctx, stop := context.WithCancel(ctx)
	o := &Hold{l: l, loop: loop, stop: stop, lives: lives}
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
					l.log.Error("can't keep what was claimed", "loop", loop, "error", err)
				}
			}
		}
	})
	return o
}

// begin begins a life.
func (o *Hold) begin() {
	o.lives++
	o.until = time.Time{}
	o.name = bot.Holder(o.l.name + " " + o.loop)
	if o.lives > 1 {
		o.name += bot.Holder(" " + strconv.Itoa(o.lives))
	}
}

// Name is what the loop claims under now.
func (o *Hold) Name() bot.Holder {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.name
}

// Claim is what the loop claims under now. held reports whether what it claims by
// that is surely its own still. It isn't after the process, or the line to the store,
// stood still for long.
func (o *Hold) Claim() (name bot.Holder, held func() bool) {
	name = o.Name()
	return name, func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.name == name && o.until.After(o.l.now())
	}
}

// StartOver begins another life, after a claim that failed: what was claimed is held by
// a name that lives, and nobody here may know of it, as the answer was lost. It is free
// when the former life ends.
func (o *Hold) StartOver(ctx context.Context) {
	if ctx.Err() != nil {
		return // End gives everything back
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begin()
}

// stay says that the loop lives.
func (o *Hold) stay(ctx context.Context) error {
	for {
		o.mu.Lock()
		if o.ended() {
			o.begin()
		}
		name, until := o.name, o.l.now().Add(o.l.life)
		o.mu.Unlock()
		if err := o.l.store.Stay(ctx, name, until); err != nil {
			return err
		}
		o.mu.Lock()
		stays := o.name == name && !o.ended() // it may have come too late
		if stays {
			o.until = until
		}
		o.mu.Unlock()
		if stays {
			return nil
		}
	}
}

// ended reports whether a life is over. o.mu is held.
func (o *Hold) ended() bool { return !o.until.IsZero() && !o.until.After(o.l.now()) }

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

// End gives everything back.
func (o *Hold) End(ctx context.Context) {
	o.stop()
	o.all.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := o.l.store.Leave(ctx, o.Name()); err != nil {
		o.l.log.Warn("can't give back what was claimed; others get it in a moment", "loop", o.loop, "error", err)
	}
}

// newName is a name for a process that was given none.
func newName() string { return rand.Text()[:8] }
