package postgres

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
)

// The store expects that a reading (see [bot.Reading]) asks what earlier ones of its kind asked
// (see [habits]). It asks the database for that together with the reading's next question, in
// one round trip.

// A class is a group of answers that a reading must read again after it changed one of them.
type class byte

const (
	ofNotes class = iota
	ofTables
	classes
)

// keepFor limits how long a reading's answers stay valid.
const keepFor = time.Second

// A memory holds the answers that a reading has read. It is nil, and its methods are still safe, if
// there is no reading.
type memory struct {
	mu      sync.Mutex
	answers map[question]remembered
	changes [classes]int // by the reading itself
	within  *session     // of an Update, while its function runs

	reading *bot.Reading
	habits  *habits
	version int // version of the reading that the forecast belongs to
	forecast
}

type remembered struct {
	answer  any
	at      time.Time
	changes int // of its class, before it was asked
}

// memory returns the memory of a context's reading, or nil if there is none.
func (d *DB) memory(ctx context.Context) *memory {
	r := bot.ReadingOf(ctx)
	if r == nil {
		return nil
	}
	return r.Keep(d, func() any { return &memory{answers: map[question]remembered{}, reading: r, habits: &d.habits} }).(*memory)
}

// expect finds out what the reading will ask, if its subject has changed. m is locked.
func (m *memory) expect() {
	if kind, about, version := m.reading.Now(); version != m.version {
		m.version = version
		m.begin(m.habits, kind, about)
	}
}

// cachedAnswer returns an answer if it is still valid. m is locked.
func (m *memory) cachedAnswer(q question) (answer any, found bool) {
	r, found := m.answers[q]
	if !found || r.changes != m.changes[q.class()] || time.Since(r.at) > keepFor {
		return nil, false
	}
	return r.answer, true
}

// addExpected adds the expected questions without a valid answer. m is locked.
func (m *memory) addExpected(all []question) []question {
	for _, w := range m.wishes {
		if _, known := m.cachedAnswer(w); !known && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	m.wishes = nil
	return all
}

// take stores answers with the time of their questions. m is not locked.
func (m *memory) take(all []question, answers []any, at time.Time, changes [classes]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, q := range all {
		m.answers[q] = remembered{answers[i], at, changes[q.class()]}
	}
}

// look answers a question, from memory if a reading has asked it before.
func (d *DB) look(ctx context.Context, q question) (any, error) {
	answers, err := d.lookAll(ctx, []question{q})
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}

// lookAll answers several questions in at most one round trip.
func (d *DB) lookAll(ctx context.Context, qs []question) ([]any, error) {
	all, m := qs, d.memory(ctx)
	answers := make([]any, len(qs))
	var changes [classes]int
	if m != nil {
		m.mu.Lock()
		m.expect()
		all = nil
		for i, q := range qs {
			m.note(q)
			if answer, known := m.cachedAnswer(q); known {
				answers[i] = answer
			} else {
				all = append(all, q)
			}
		}
		if len(all) > 0 {
			all, changes = m.addExpected(all), m.changes
		}
		m.mu.Unlock()
	}
	if len(all) == 0 {
		return answers, nil
	}
	at := time.Now()
	found, err := d.ask(ctx, all)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return found, nil
	}
	m.take(all, found, at, changes)
	for i, q := range qs {
		if j := slices.Index(all, q); j >= 0 {
			answers[i] = found[j]
		}
	}
	return answers, nil
}

// ask asks questions in one round trip.
func (d *DB) ask(ctx context.Context, all []question) (answers []any, err error) {
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
	if s := d.memory(ctx).sharedSession(); s != nil {
		err = do(ctx, *s)
	} else {
		err = d.conns.withSession(ctx, do)
	}
	return answers, d.noteDamage(err)
}

// addNotes adds the notes that the reading is expected to ask for to a batch that is sent anyway.
// sent stores the answers.
func (m *memory) addNotes(b *pgx.Batch, k *logs) (sent func()) {
	if m == nil {
		return func() {}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expect()
	notes := slices.DeleteFunc(m.addExpected(nil), func(q question) bool { return q.kind != oneNote })
	at, changes := time.Now(), m.changes
	answers := askAll(b, k, notes)
	return func() { m.take(notes, answers, at, changes) }
}

// invalidate makes the reading read again what it has changed.
func (m *memory) invalidate(c class) {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.changes[c]++
	}
}

// shareSession lets the reading use a session that it has already, so that callers that hold all the
// connections don't wait for one more. end stops that.
func (m *memory) shareSession(s session) (end func()) {
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

// sharedSession returns the session that the reading may use, or nil if it must take one.
func (m *memory) sharedSession() *session {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.within
}

// learn tells the reading what it has just stored.
func (m *memory) learn(ch bot.ChannelID, log stored) {
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
