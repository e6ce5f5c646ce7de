package loops

import (
	"context"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// An Agenda knows when there may be something to do for the timers' loop, so that
// the store isn't asked after each commit. What this process sets it hears of;
// what others set it is told late, for they see to it themselves.
type Agenda struct {
	every time.Duration // how often the store is asked about everything, for what others left

	mu   sync.Mutex
	soon map[string]time.Time // the earliest that was set here since it was looked at, by kind
	next map[string]time.Time // by group of kinds, as the store said
	at   time.Time            // when the store was asked about everything last
	look int                  // how often it was to be asked about everything
	busy map[bot.ChannelID]int
}

// begin and end are around an Update of this process.
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

// Own reports whether a hint of a channel comes of what this process is doing
// there, which rouses the loops by itself.
func (a *Agenda) Own(ch bot.ChannelID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.busy[ch] > 0
}

// Everywhere forgets what the store said.
func (a *Agenda) Everywhere() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next = nil
	a.look++
}

// set hears of a timer.
func (a *Agenda) set(t bot.Timer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.soon == nil {
		a.soon = map[string]time.Time{}
	}
	a.soon[t.Kind] = Earlier(a.soon[t.Kind], t.At)
}

// Due reports whether the store is to be asked for timers of some kinds, and
// otherwise when the next of them falls due. asked notes what the store says:
// when the next falls due after all that was claimed.
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

// Hear is a store that lets the loops hear of the posts and timers that are added to
// it here.
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
	// After an error too: it may have been stored.
	for _, t := range timers {
		s.l.Agenda.set(t)
	}
	if len(timers) > 0 {
		s.l.Rouse("")
	}
	if len(posts) > 0 {
		s.l.Posted.note(ch)
		s.l.Rouse(ch.Platform())
	}
	return err
}

// Earlier is the earlier of two times of which the zero time is none.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
