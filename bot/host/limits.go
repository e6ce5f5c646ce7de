package host

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/limit"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// limits bounds how much people can make the host compute.
type limits struct {
	now    func() time.Time
	budget *limit.Budget
	queue  *limit.Queue
	cache  *limit.Cache
}

// mostCached is the size of the cache in bytes.
const mostCached = 32 << 20

func newLimits(c Config) *limits {
	processors := runtime.GOMAXPROCS(0)
	budget := limit.NewBudget(c.Now, c.PersonShare, processors)
	return &limits{c.Now, budget, limit.NewQueue(budget, processors, c.Observer.Queue), limit.NewCache(c.Now, mostCached, sizeOf)}
}

// sizeOf estimates how many bytes a result takes.
func sizeOf(v any) int {
	const usual = 4 << 10
	switch v := v.(type) {
	case []byte:
		return usual + len(v)
	case *bot.Picture:
		if v != nil {
			return usual + len(v.PNG)
		}
	case []bot.File:
		n := usual
		for _, f := range v {
			n += len(f.Data)
		}
		return n
	}
	return usual
}

// A request costs at least leastWork, for its answer and posts, and at most mostWork: in a
// longer one the rest is waiting, for the store or in the queue. While it runs it is charged
// mostWork, which bounds how many requests run at once.
const (
	leastWork = 2 * time.Millisecond
	mostWork  = 200 * time.Millisecond
)

// A counted request is charged to the person and the network that it comes from.
type counted struct{ queued atomic.Int64 } // nanoseconds in the queue, which are counted there

type countedKey struct{}

// count carries out a request and charges its cost. If the requester has used up their share of the
// host, it does nothing and returns why.
func (l *limits) count(ctx context.Context, a bot.Asker, do func(context.Context)) (busy *limit.Busy) {
	ctx = bot.AskedBy(ctx, a)
	if ctx.Value(countedKey{}) != nil { // part of a counted request
		do(ctx)
		return nil
	}
	a = bot.AskerOf(ctx)
	if busy := l.budget.Check(a, false); busy != nil {
		l.budget.Spend(a, leastWork/10)
		return busy
	}
	began, c := l.now(), &counted{}
	l.budget.Spend(a, leastWork+mostWork)
	defer func() {
		took := l.now().Sub(began) - time.Duration(c.queued.Load())
		l.budget.Spend(a, min(max(took, 0), mostWork)-mostWork)
	}()
	do(context.WithValue(ctx, countedKey{}, c))
	return nil
}

// chargeFor works like count for a request that has a result. It returns a *[bot.BusyError] if the
// requester has used up their share of the host.
func chargeFor[T any](ctx context.Context, l *limits, a bot.Asker, do func(context.Context) (T, error)) (made T, err error) {
	if busy := l.count(ctx, a, func(ctx context.Context) { made, err = do(ctx) }); busy != nil {
		err = &bot.BusyError{Text: sayBusy(busy), Wait: busy.Wait}
	}
	return made, err
}

// inTurnKey marks the contexts of heavy work whose turn has come.
type inTurnKey struct{}

// Heavy runs work that keeps a processor busy, in its turn; see [feature.Heavy].
func (l *limits) Heavy(ctx context.Context, key any, do func(context.Context) (any, error)) (any, error) {
	if ctx.Value(inTurnKey{}) != nil {
		return do(ctx)
	}
	began := l.now()
	made, err := l.cache.Get(ctx, key, func() (any, error) {
		a := bot.AskerOf(ctx)
		if busy := l.budget.Check(a, true); busy != nil {
			return nil, busy
		}
		leave, err := l.queue.Enter(ctx, a)
		if err != nil {
			return nil, err
		}
		entered := l.now()
		defer func() {
			took := l.now().Sub(entered)
			l.budget.Spend(a, took)
			leave(took)
		}()
		if busy := l.budget.Check(a, true); busy != nil { // used up while waiting
			return nil, busy
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return do(context.WithValue(ctx, inTurnKey{}, true))
	})
	if c, ok := ctx.Value(countedKey{}).(*counted); ok {
		c.queued.Add(int64(l.now().Sub(began)))
	}
	return made, refusal(err)
}

// Charge charges the requester for work that will be done later.
func (l *limits) Charge(ctx context.Context, work time.Duration) error {
	a := bot.AskerOf(ctx)
	if busy := l.budget.Check(a, true); busy != nil {
		return refusal(busy)
	}
	l.budget.Spend(a, work)
	return nil
}

// refusal turns a *limit.Busy into a *words.Refusal, and returns other errors unchanged.
func refusal(err error) error {
	var busy *limit.Busy
	if errors.As(err, &busy) {
		return &words.Refusal{Reply: words.Refuse(sayBusy(busy))}
	}
	return err
}

// sayBusy asks a person to wait.
func sayBusy(b *limit.Busy) text.Text {
	again := describeWait(b.Wait)
	switch b.Owner {
	case limit.Person:
		return text.Say("You've kept me busy, and others are waiting. Try again in {time}.", again)
	case limit.Host:
		return text.Say("Many people want something big from me right now. Try again in {time}.", again)
	}
	return text.Say("People on your network have kept me busy, and others are waiting. Try again in {time}.", again)
}

// describeWait describes a wait in words.
func describeWait(d time.Duration) text.Text {
	if d > 90*time.Second {
		return text.Say("{n, plural, one {a minute} other {# minutes}}", int(math.Ceil(d.Minutes())))
	}
	return text.Say("{n, plural, one {a second} other {# seconds}}", max(1, int(math.Ceil(d.Seconds()))))
}
