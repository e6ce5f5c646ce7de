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

// limits bound what people can have the host compute.
type limits struct {
	now    func() time.Time
	budget *limit.Budget
	queue  *limit.Queue
	cache  *limit.Cache
}

// mostCached is the size of the results that are kept, in bytes.
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

// What a request counts for, whatever it takes: its answer and posts cost at least the
// one, and what takes longer than the other waits for the store or has a place in the
// queue. Until it is over it counts for the most, which bounds how many run at once.
const (
	leastWork = 2 * time.Millisecond
	mostWork  = 200 * time.Millisecond
)

// A counted request is paid for by the person and the network that it comes from.
type counted struct{ queued atomic.Int64 } // nanoseconds in the queue, which are counted there

type countedKey struct{}

// count carries out a request and counts it. The error is a [*limit.Busy] if
// they have used up their part of the host.
func (l *limits) count(ctx context.Context, a bot.Asker, do func(context.Context)) error {
	ctx = bot.AskedBy(ctx, a)
	if ctx.Value(countedKey{}) != nil { // part of a request that is counted
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

// inTurnKey marks the contexts of heavy work that has its turn.
type inTurnKey struct{}

// Heavy does work that takes a processor for long, in its turn; see [feature.Heavy].
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
		if busy := l.budget.Check(a, true); busy != nil { // used up while they waited
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

// Charge counts work that will be done later because of who asks now.
func (l *limits) Charge(ctx context.Context, work time.Duration) error {
	a := bot.AskerOf(ctx)
	if busy := l.budget.Check(a, true); busy != nil {
		return refusal(busy)
	}
	l.budget.Spend(a, work)
	return nil
}

// refusal returns an error as features know it.
func refusal(err error) error {
	var busy *limit.Busy
	if errors.As(err, &busy) {
		return &words.Refusal{Reply: words.Refuse(sayBusy(busy))}
	}
	return err
}

// sayBusy asks a person to wait.
func sayBusy(b *limit.Busy) text.Text {
	again := soon(b.Wait)
	switch b.Whose {
	case limit.Person:
		return text.Say("You've kept me busy, and others are waiting. Try again in {time}.", again)
	case limit.Host:
		return text.Say("Many people want something big from me right now. Try again in {time}.", again)
	}
	return text.Say("People on your network have kept me busy, and others are waiting. Try again in {time}.", again)
}

// soon puts a wait into words.
func soon(d time.Duration) text.Text {
	if d > 90*time.Second {
		return text.Say("{n, plural, one {a minute} other {# minutes}}", int(math.Ceil(d.Minutes())))
	}
	return text.Say("{n, plural, one {a second} other {# seconds}}", max(1, int(math.Ceil(d.Seconds()))))
}

// busyError returns an error as adapters know it.
func busyError(err error) error {
	var busy *limit.Busy
	if errors.As(err, &busy) {
		return &bot.BusyError{Text: sayBusy(busy), Wait: busy.Wait}
	}
	return err
}
