package host

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/cost"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// A spending is who may use how much of the host, and what waits for a processor.
type spending struct {
	clock    func() time.Duration
	budget   *cost.Budget
	queue    *cost.Queue
	made     *cost.Made
	observer bot.Observer
}

// mostMade is how much of what was made lately is kept, in bytes.
const mostMade = 32 << 20

func newSpending(c Config) *spending {
	s := &spending{clock: c.CPU, observer: c.Observer}
	processors := runtime.GOMAXPROCS(0)
	s.budget = cost.NewBudget(c.Now, c.PersonShare, processors)
	s.queue = cost.NewQueue(s.budget, processors, c.Observer.Queue)
	s.made = cost.NewMade(c.Now, mostMade, sizeOf)
	return s
}

// sizeOf is about how many bytes something takes.
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

// measured carries out what somebody asks for. The error is a *[cost.Busy] where they
// have used up their part of the host.
func (s *spending) measured(ctx context.Context, name string, a bot.Asker, do func(context.Context, *cost.Meter)) error {
	ctx = bot.AskedBy(ctx, a)
	if cost.MeterOf(ctx) != nil { // a part of something
		do(ctx, cost.MeterOf(ctx))
		return nil
	}
	a = bot.AskerOf(ctx)
	if busy := s.budget.Check(a, false); busy != nil {
		s.budget.Charge(a, cost.Price(bot.Cost{}))
		return busy
	}
	leave, err := s.queue.Pass(ctx, a)
	if err != nil {
		return err
	}
	ctx, m, stop := cost.Begin(ctx, s.clock)
	paid := &payment{leave: sync.OnceFunc(func() { leave(0) })}
	ctx = context.WithValue(ctx, paymentKey{}, paid)
	defer func() {
		stop()
		spent := m.Spent()
		s.budget.Charge(a, cost.Price(spent)-paid.CPU)
		paid.leave()
		s.observer.Spent(name, spent)
	}()
	do(ctx, m)
	return nil
}

// A payment is what of a request is paid for already, and how it gives up its turn.
type payment struct {
	CPU   time.Duration
	leave func()
}

type paymentKey struct{}

// inTurnKey marks the contexts of what is in its turn: all that it does is.
type inTurnKey struct{}

// Heavy does work that takes a processor for long; see [feature.Heavy].
func (s *spending) Heavy(ctx context.Context, key any, do func(context.Context) (any, error)) (any, error) {
	made, err := s.inTurn(ctx, key, true, do)
	return made, refusal(err)
}

// Charge counts work that will be done later because of who asks now.
func (s *spending) Charge(ctx context.Context, work time.Duration) error {
	a := bot.AskerOf(ctx)
	if busy := s.budget.Check(a, true); busy != nil {
		return refusal(busy)
	}
	s.budget.Charge(a, work)
	return nil
}

// inTurn does something in its turn, or has it from somebody who did.
func (s *spending) inTurn(ctx context.Context, key any, heavy bool, do func(context.Context) (any, error)) (any, error) {
	if ctx.Value(inTurnKey{}) != nil {
		return do(ctx)
	}
	return s.made.Get(ctx, key, func() (any, error) {
		a, m := bot.AskerOf(ctx), cost.MeterOf(ctx)
		if busy := s.budget.Check(a, heavy); busy != nil {
			return nil, busy
		}
		paid, _ := ctx.Value(paymentKey{}).(*payment)
		if paid != nil { // another turn begins
			paid.leave()
		}
		leave, err := s.queue.Enter(ctx, a, heavy)
		if err != nil {
			return nil, err
		}
		before := m.Spent().CPU
		defer func() {
			took := m.Spent().CPU - before
			if paid != nil { // before the next of theirs begins
				s.budget.Charge(a, took)
				paid.CPU += took
			}
			leave(took)
		}()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return do(context.WithValue(ctx, inTurnKey{}, true))
	})
}

// refusal is an error as features know it.
func refusal(err error) error {
	var busy *cost.Busy
	if errors.As(err, &busy) {
		return &words.Refusal{Reply: words.Refuse(sayBusy(busy))}
	}
	return err
}

// sayBusy tells somebody that the host does no more for them now.
func sayBusy(b *cost.Busy) text.Text {
	again := soon(b.Wait)
	switch b.Whose {
	case cost.Persons:
		return text.Say("You've kept me busy, and others are waiting. Try again in {time}.", again)
	case cost.Rooms:
		return text.Say("This channel has kept me busy, and others are waiting. Try again in {time}.", again)
	case cost.Hosts:
		return text.Say("Many people want something big from me right now. Try again in {time}.", again)
	}
	return text.Say("People on your network have kept me busy, and others are waiting. Try again in {time}.", again)
}

// soon is a wait in words.
func soon(d time.Duration) text.Text {
	if d > 90*time.Second {
		return text.Say("{n, plural, one {a minute} other {# minutes}}", int(math.Ceil(d.Minutes())))
	}
	return text.Say("{n, plural, one {a second} other {# seconds}}", max(1, int(math.Ceil(d.Seconds()))))
}

// busyError is an error as adapters know it.
func busyError(err error) error {
	var busy *cost.Busy
	if errors.As(err, &busy) {
		return &bot.BusyError{Text: sayBusy(busy), Wait: busy.Wait}
	}
	return err
}
