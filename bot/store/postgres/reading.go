package postgres

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
)

// What a reading (see [bot.Reading]) has said that it reads is asked of the database
// together with its next question, in one round trip.

// A class is what a reading must read anew together, after it changed some of it.
type class byte

const (
	ofNotes class = iota
	ofTables
	classes
)

// keepFor is how long a reading's answers count.
const keepFor = time.Second

// A memory is what a reading has read. Its methods are safe where there is no reading,
// and it is nil.
type memory struct {
	mu      sync.Mutex
	answers map[question]remembered
	changes [classes]int // by the reading itself
	wishes  []question   // what it will ask
	within  *session     // of an Update, while its function runs
}

type remembered struct {
	answer  any
	at      time.Time
	changes int // of its class, before it was asked
}

// memory is that of a context's reading, nil where there is none.
func (d *DB) memory(ctx context.Context) *memory {
	r := bot.ReadingOf(ctx)
	if r == nil {
		return nil
	}
	return r.Keep(d, func() any { return &memory{answers: map[question]remembered{}} }).(*memory)
}

// counts gives an answer, where it still counts. m is locked.
func (m *memory) counts(q question) (answer any, found bool) {
	r, found := m.answers[q]
	if !found || r.changes != m.changes[q.class()] || time.Since(r.at) > keepFor {
		return nil, false
	}
	return r.answer, true
}

// along adds to questions what is wished, and isn't known. m is locked.
func (m *memory) along(all []question) []question {
	for _, w := range m.wishes {
		if _, known := m.counts(w); !known && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	m.wishes = nil
	return all
}

// take keeps answers that were asked for at a time. m is not locked.
func (m *memory) take(all []question, answers []any, at time.Time, changes [classes]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, q := range all {
		m.answers[q] = remembered{answers[i], at, changes[q.class()]}
	}
}

// look answers a question, from memory where a reading has asked it before.
func (d *DB) look(ctx context.Context, q question) (any, error) {
	all := []question{q}
	m := d.memory(ctx)
	var changes [classes]int
	if m != nil {
		m.mu.Lock()
		answer, known := m.counts(q)
		if !known {
			all, changes = m.along(all), m.changes
		}
		m.mu.Unlock()
		if known {
			return answer, nil
		}
	}
	at := time.Now()
	answers, err := d.asked(ctx, all)
	if err != nil {
		return nil, err
	}
	if m != nil {
		m.take(all, answers, at, changes)
	}
	return answers[0], nil
}

// asked asks in one round trip.
func (d *DB) asked(ctx context.Context, all []question) (answers []any, err error) {
	do := func(ctx context.Context, s session) error {
		b := &pgx.Batch{}
		answers = askAll(b, &d.logs, all)
		if err := s.send(ctx, b); err != nil {
			return err
		}
		for i, a := range answers {
			if l, ok := a.(*logRows); ok {
				if answers[i], err = d.logs.read(l); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if s := d.memory(ctx).lent(); s != nil {
		err = do(ctx, *s)
	} else {
		err = d.conns.inSession(ctx, do)
	}
	return answers, err
}

// wish takes questions along with the next that the reading asks.
func (m *memory) wish(all ...question) {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.wishes = append(m.wishes, all...)
	}
}

// alongWith asks what notes the reading wishes by a batch that is sent anyway, and gives
// what keeps the answers once it has been sent.
func (m *memory) alongWith(b *pgx.Batch, k *logs) (sent func()) {
	if m == nil {
		return func() {}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	notes := slices.DeleteFunc(m.along(nil), func(q question) bool { return q.kind != oneNote })
	at, changes := time.Now(), m.changes
	answers := askAll(b, k, notes)
	return func() { m.take(notes, answers, at, changes) }
}

// changed lets the reading read anew what it changes.
func (m *memory) changed(c class) {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.changes[c]++
	}
}

// lend lets the reading ask by a session that it has already, so that those who hold
// all the connections don't wait for one more. It returns what ends that.
func (m *memory) lend(s session) (end func()) {
	if m == nil {
		return func() {}
	}
	set := func(s *session) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.within = s
	}
	set(&s)
	return func() { set(nil) }
}

// lent is the session that the reading asks by, nil where it takes one.
func (m *memory) lent() *session {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.within
}

// learned lets the reading know what it has just stored.
func (m *memory) learned(ch bot.ChannelID, log stored) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := remembered{log, time.Now(), m.changes[ofTables]}
	m.answers[question{kind: latest, a: string(ch)}] = now
	if log.table != 0 {
		m.answers[question{kind: wholeLog, n: int64(log.table), m: -1}] = now
	}
}
