package limit

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// The most pieces of work that may wait: of one person, of one network, and in all.
const (
	mostOfPerson  = 4
	mostOfNetwork = 16
	mostWaiting   = 256
)

// A Queue runs a few pieces of heavy work at a time; people who have used least come first.
// It is safe for concurrent use.
type Queue struct {
	budget *Budget
	slots  int
	noted  func(waiting, running int)

	mu      sync.Mutex
	waiting []*place
	running int
	took    time.Duration // average of a piece
}

// A place belongs to a waiting caller; turn is closed when their work may begin.
type place struct {
	who  bot.Asker
	turn chan struct{}
}

// NewQueue returns a queue that leaves half of the processors to quick work. It tells
// noted, which may be nil, how many pieces wait and run.
func NewQueue(budget *Budget, processors int, noted func(waiting, running int)) *Queue {
	if noted == nil {
		noted = func(int, int) {}
	}
	return &Queue{budget: budget, slots: max(processors/2, 1), noted: noted}
}

// Enter waits for the turn of who. The caller must call leave with how long the work took. The
// error is a [*Busy] if the queue is full, or the cause of ctx.
func (q *Queue) Enter(ctx context.Context, who bot.Asker) (leave func(took time.Duration), err error) {
	p := &place{who, make(chan struct{})}
	if busy := q.join(p); busy != nil {
		return nil, busy
	}
	select {
	case <-p.turn:
		return q.leave, nil
	case <-ctx.Done():
		q.quit(p)
		return nil, context.Cause(ctx)
	}
}

func (q *Queue) join(p *place) *Busy {
	q.mu.Lock()
	defer q.mu.Unlock()
	person, network := 0, 0
	n, public := NetworkOf(p.who.Address)
	for _, w := range q.waiting {
		if w.who.Person == p.who.Person {
			person++
		}
		if other, _ := NetworkOf(w.who.Address); other == n {
			network++
		}
	}
	expected := func(n int) time.Duration { return max(time.Second, q.took*time.Duration(n)/time.Duration(q.slots)) }
	switch {
	case p.who.Person != "" && person >= mostOfPerson:
		return &Busy{Person, expected(person)}
	case public && network >= mostOfNetwork:
		return &Busy{Network, expected(network)}
	case (p.who.Person != "" || public) && len(q.waiting) >= mostWaiting: // the host's own work always waits
		return &Busy{Host, expected(len(q.waiting))}
	}
	q.waiting = append(q.waiting, p)
	q.next()
	return nil
}

// next starts the callers whose turn has come. q.mu is held.
func (q *Queue) next() {
	for q.running < q.slots && len(q.waiting) > 0 {
		best, most := 0, q.budget.level(q.waiting[0].who)
		for i, w := range q.waiting[1:] {
			if l := q.budget.level(w.who); l > most {
				best, most = i+1, l
			}
		}
		close(q.waiting[best].turn)
		q.waiting = slices.Delete(q.waiting, best, best+1)
		q.running++
	}
	q.noted(len(q.waiting), q.running)
}

func (q *Queue) leave(took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	q.took += (took - q.took) / 8
	q.next()
}

// quit removes a caller that hung up, whose turn may have come just now.
func (q *Queue) quit(p *place) {
	q.mu.Lock()
	i := slices.Index(q.waiting, p)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.noted(len(q.waiting), q.running)
	}
	q.mu.Unlock()
	if i < 0 {
		q.leave(q.took)
	}
}
