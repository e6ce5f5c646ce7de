package cost

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// How many may wait: of one person's heavy and quick pieces, such as the pictures of a
// page, and altogether.
const (
	mostOwn      = 4
	mostOwnQuick = 64
	mostWaiting  = 512
)

// A Queue lets heavy work begin: a piece of each person's at a time, first of those who
// have used least of the host. Half of the processors are left to what is quick. It is safe
// for concurrent use.
type Queue struct {
	budget     *Budget
	slots      int // pieces that run at once
	heavySlots int // of those, heavy ones
	noted      func(waiting, running int)

	mu      sync.Mutex
	waiting []*place // in the order that they came
	running map[string]int
	passing map[account]int
	busy    int
	heavy   int
	took    time.Duration // a heavy piece, on average
}

// A place is somebody's in the queue.
type place struct {
	who   bot.Asker
	key   string
	pay   []account // who pays
	heavy bool
	turn  chan *Busy // gets nil when it is their turn
}

// NewQueue makes a queue for a host with a number of processors. noted, if it isn't nil, is
// told how many pieces of work wait and how many run.
func NewQueue(budget *Budget, processors int, noted func(waiting, running int)) *Queue {
	slots := 2 * max(processors, 1) // what is quick may wait for the store
	if noted == nil {
		noted = func(int, int) {}
	}
	return &Queue{budget: budget, slots: slots, heavySlots: max(processors/2, 1), noted: noted, running: map[string]int{}, passing: map[account]int{}}
}

// keyOf is whose work it is: a person's, or a stranger's by their address. The
// host's own is nobody's.
func keyOf(who bot.Asker) string {
	if who.Person == "" && who.Address.IsValid() {
		return who.Address.String()
	}
	return string(who.Person)
}

// Enter waits until somebody's work may begin, and leave says that it is done, and how long
// that took. The error is a *[Busy], or that of ctx.
func (q *Queue) Enter(ctx context.Context, who bot.Asker, heavy bool) (leave func(took time.Duration), err error) {
	p := &place{who, keyOf(who), accountsOf(who), heavy, make(chan *Busy, 1)}
	q.mu.Lock()
	if busy := q.join(p); busy != nil {
		q.mu.Unlock()
		return nil, busy
	}
	q.mu.Unlock()
	if len(p.turn) == 0 {
		defer MeterOf(ctx).Idle()()
	}
	select {
	case busy := <-p.turn:
		if busy != nil {
			return nil, busy
		}
	case <-ctx.Done():
		q.mu.Lock()
		i := slices.Index(q.waiting, p)
		if i >= 0 {
			q.waiting = slices.Delete(q.waiting, i, i+1)
			q.noted(len(q.waiting), q.busy)
		}
		q.mu.Unlock()
		if i < 0 { // it was their turn, or they were sent away, just now
			if busy := <-p.turn; busy == nil {
				q.leave(p, 0)
			}
		}
		return nil, context.Cause(ctx)
	}
	return func(took time.Duration) { q.leave(p, took) }, nil
}

// frugal is how much somebody has left at least who needn't wait for anybody, and
// mostPassing how many requests of a person's or a network's do so at once: what those
// cost isn't known yet.
const frugal = .9

var mostPassing = map[Whose]int{Persons: 4, Households: 16, Streets: 16, Sites: 16}

// Pass lets through at once who has used little of the host lately: all who play. Others
// wait for their turn, so that a hundred who keep the host computing are a few at a time.
func (q *Queue) Pass(ctx context.Context, who bot.Asker) (leave func(took time.Duration), err error) {
	who.Channel = "" // whoever plays where many do has used nothing
	accounts := accountsOf(who)
	if q.budget == nil || len(accounts) == 0 {
		return func(time.Duration) {}, nil
	}
	if q.budget.levelOf(accounts) >= frugal && q.pass(accounts) {
		return func(time.Duration) { q.passed(accounts) }, nil
	}
	return q.Enter(ctx, who, false)
}

func (q *Queue) pass(accounts []account) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, a := range accounts {
		if q.passing[a] >= mostPassing[a.whose] {
			return false
		}
	}
	for _, a := range accounts {
		q.passing[a]++
	}
	return true
}

func (q *Queue) passed(accounts []account) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, a := range accounts {
		if q.passing[a]--; q.passing[a] == 0 {
			delete(q.passing, a)
		}
	}
}

// join puts somebody into the queue. Where it is full, the one goes who has used most of
// the host. q.mu is held.
func (q *Queue) join(p *place) *Busy {
	own := 0
	for _, w := range q.waiting {
		if w.key == p.key && p.key != "" && w.heavy == p.heavy {
			own++
		}
	}
	if own >= mostOwn && (p.heavy || own >= mostOwnQuick) {
		return &Busy{Persons, q.expected(own)}
	}
	if len(q.waiting) >= mostWaiting {
		last, least := -1, q.budget.levelOf(p.pay)
		for i, w := range q.waiting {
			if l := q.budget.levelOf(w.pay); l < least || last >= 0 && l == least {
				last, least = i, l
			}
		}
		if last < 0 {
			return &Busy{Hosts, q.expected(len(q.waiting))}
		}
		q.waiting[last].turn <- &Busy{Hosts, q.expected(len(q.waiting))}
		q.waiting = slices.Delete(q.waiting, last, last+1)
	}
	q.waiting = append(q.waiting, p)
	q.next()
	return nil
}

// expected is about how long n heavy pieces of work take.
func (q *Queue) expected(n int) time.Duration {
	return max(time.Second, q.took*time.Duration(n)/time.Duration(q.heavySlots))
}

// next lets those begin whose turn it is. q.mu is held.
func (q *Queue) next() {
	for q.busy < q.slots {
		best, most := -1, 0.0
		for i, w := range q.waiting {
			if w.heavy && q.heavy >= q.heavySlots || w.key != "" && q.running[w.key] > 0 {
				continue
			}
			if l := q.budget.levelOf(w.pay); best < 0 || l > most {
				best, most = i, l
			}
		}
		if best < 0 {
			break
		}
		p := q.waiting[best]
		q.waiting = slices.Delete(q.waiting, best, best+1)
		if p.heavy {
			// They may have used up what they had while they waited.
			if busy := q.budget.Check(p.who, true); busy != nil {
				p.turn <- busy
				continue
			}
			q.heavy++
		}
		q.busy++
		q.running[p.key]++
		p.turn <- nil
	}
	q.noted(len(q.waiting), q.busy)
}

func (q *Queue) leave(p *place, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy--
	if p.heavy {
		q.heavy--
		q.took += (took - q.took) / 8
	}
	if q.running[p.key]--; q.running[p.key] == 0 {
		delete(q.running, p.key)
	}
	q.next()
}
