package loops

import (
	"context"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// An Agenda tracks when the timers' loop may have something to do, so that it needn't query
// the store after each commit. It hears at once of timers that this process sets, and
// with a delay of others', whose processes handle them.
type Agenda struct {
	every time.Duration // interval of full queries of the store, for what others left

	mu   sync.Mutex
	soon map[string]time.Time // earliest timer set here since the last query, by kind
	next map[string]time.Time // next due time by group of kinds, as the store reported
	at   time.Time            // time of the last full query
	look int                  // number of full queries requested
	busy map[bot.ChannelID]int
}

// begin marks the start of an Update of this process, and end its end.
func (a *Agenda) begin(ch bot.ChannelID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy == nil {
		a.busy = map[bot.ChannelID]int{}
	}
	a.busy[ch]++
}

func (a *Agenda) end(ch bot.ChannelID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy[ch]--; a.busy[ch] == 0 {
		delete(a.busy, ch)
	}
}

// isOwnHint reports whether a hint about a channel results from this process's own update there,
// which wakes the loops by itself.
func (a *Agenda) isOwnHint(ch bot.ChannelID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.busy[ch] > 0
}

// Reset discards what the store reported.
func (a *Agenda) Reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next = nil
	a.look++
}

// set records a timer.
func (a *Agenda) set(t bot.Timer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.soon == nil {
		a.soon = map[string]time.Time{}
	}
	a.soon[t.Kind] = Earlier(a.soon[t.Kind], t.At)
}

// Due reports whether the store should be queried for timers of some kinds, and otherwise
// when the next is due. After a query, call asked with the store's answer: when the next
// timer is due after all that were claimed.
func (a *Agenda) Due(group string, kinds bot.Kinds, now time.Time) (ask bool, next time.Time, asked func(next time.Time)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now.Sub(a.at) >= a.every || now.Before(a.at) {
		a.at, a.next = now, nil
	}
	next, known := a.next[group]
	for kind, at := range a.soon {
		if kinds.Has(kind) {
			next = Earlier(next, at)
			delete(a.soon, kind)
		}
	}
	if !known || !next.IsZero() && !next.After(now) {
		delete(a.next, group)
		look := a.look
		return true, time.Time{}, func(next time.Time) {
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.next == nil {
				a.next = map[string]time.Time{}
			}
			if a.look == look {
				a.next[group] = next
			}
		}
	}
	a.next[group] = next
	return false, next, nil
}

// Hear returns a store that tells the loops of posts and timers added through it.
func (l *Loops) Hear(s bot.Store) bot.Store { return heard{s, l} }

type heard struct {
	bot.Store
	l *Loops
}

func (s heard) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	s.l.Agenda.begin(ch)
	defer s.l.Agenda.end(ch)
	var posts []bot.Post
	var timers []bot.Timer
	err := s.Store.Update(ctx, ch, request, func(r *bot.Room) error {
		err := fn(r)
		posts, timers = r.Posts, r.Timers
		return err
	})
	// After an error too, since the update may have been stored.
	for _, t := range timers {
		s.l.Agenda.set(t)
	}
	if len(timers) > 0 && err != nil {
		s.l.Rouse("") // otherwise the caller does, when it has noted what changed
	}
	if len(posts) > 0 {
		s.l.Posted.note(ch)
		s.l.Rouse(ch.Platform())
	}
	return err
}

// Earlier returns the earlier of two times. The zero time stands for none.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
