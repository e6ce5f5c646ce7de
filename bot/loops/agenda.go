package loops

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// An Agenda tracks when the timers' loop may have something to do, so that it needn't query the
// store after each commit. It learns of this process's timers at once. It learns of other
// processes' timers after a delay, since those processes handle them.
type Agenda struct {
	every time.Duration // interval of full queries of the store, for what others left

	mu   sync.Mutex
	slow []string             // kinds that are queried one by one; the others are queried together
	due  map[string]time.Time // when to query the store, by slow kind or "": zero for never, missing for now
	at   time.Time            // time of the last full query
}

// QueryApart sets the kinds of timers that the loop queries one by one. All others are queried
// together, as the kind "".
func (a *Agenda) QueryApart(kinds []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.slow, a.due = kinds, nil
}

// Reset makes the loop query the store for all kinds.
func (a *Agenda) Reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.due = nil
}

// set records a timer.
func (a *Agenda) set(t bot.Timer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kind := ""
	if slices.Contains(a.slow, t.Kind) {
		kind = t.Kind
	}
	if at, known := a.due[kind]; known {
		a.due[kind] = Earlier(at, t.At)
	}
}

// Query calls claim if timers of a kind may be due, and returns when the next may be. claim
// returns the store's answer: when the next timer is due after all that were claimed. more
// reports whether others may be due now. Then, and after an error, the next Query calls claim
// again.
func (a *Agenda) Query(kind string, now time.Time, claim func() (next time.Time, more bool, err error)) (next time.Time, err error) {
	a.mu.Lock()
	if now.Sub(a.at) >= a.every || now.Before(a.at) {
		a.at, a.due = now, nil
	}
	next, known := a.due[kind]
	if known && (next.IsZero() || next.After(now)) {
		a.mu.Unlock()
		return next, nil
	}
	if a.due == nil {
		a.due = map[string]time.Time{}
	}
	a.due[kind] = time.Time{} // for timers that are set meanwhile
	a.mu.Unlock()

	again := true
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		switch at, known := a.due[kind]; {
		case again:
			delete(a.due, kind)
		case known: // no Reset came meanwhile
			next = Earlier(at, next)
			a.due[kind] = next
		}
	}()
	next, more, err := claim()
	again = more || err != nil
	return next, err
}

// Hear returns a store that tells the loops of posts and timers added through it.
func (l *Loops) Hear(s bot.Store) bot.Store { return notifyingStore{s, l} }

type notifyingStore struct {
	bot.Store
	l *Loops
}

func (s notifyingStore) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	var posts []bot.Post
	var timers []bot.Timer
	changed := false
	s.l.own.begin(ch)
	err := s.Store.Update(ctx, ch, request, func(r *bot.Room) error {
		err := fn(r)
		posts, timers = r.Posts, r.Timers
		changed = len(r.Append)+len(posts)+len(timers) > 0 || r.File != nil && !r.Refused
		return err
	})
	for _, loop := range s.l.own.end(ch, changed && err == nil) {
		s.l.rouseSoon(loop)
	}
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
