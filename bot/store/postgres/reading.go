package postgres

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// What a reading (see [bot.Reading]) has said that it reads is asked of the database
// together with its next question, in one round trip.

// A question is what can be asked: a kind, and what it is about.
type question struct {
	kind       kind
	a, b, c, d string
	n, m       int64
}

type kind byte

const (
	oneNote  kind = iota // a adapter, b shelf, c key: []byte
	allKeys              // a adapter, b shelf: []string
	someRows             // a adapter, b shelf, c prefix, d after, n limit: []bot.Row
	lines                // a adapter, b journal, n before, m limit: []bot.Line
	latest               // a channel: stored
	wholeLog             // n table, m how many events, all with -1: stored
	playing              // a player: []bot.TableID
	named                // a player: []bot.TableID
)

// A stored is a table's events. Its table is 0 where there is none.
type stored struct {
	table   bot.TableID
	channel []byte
	events  []game.Event
}

// A class is what a reading must read anew together, after it changed some of it.
type class byte

const (
	ofNotes class = iota
	ofLines
	ofTables
	classes
)

func (q question) class() class {
	switch q.kind {
	case oneNote, allKeys, someRows:
		return ofNotes
	case lines:
		return ofLines
	}
	return ofTables
}

// keepFor is how long a reading's answers count.
const keepFor = time.Second

// A memory is what a reading has read.
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

// memory is that of a context's reading, nil where it is for none.
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
	answers, err := d.askAll(ctx, all)
	if err != nil {
		return nil, err
	}
	if m != nil {
		m.take(all, answers, at, changes)
	}
	return answers[0], nil
}

// wish takes questions along with the next that a reading asks.
func (d *DB) wish(ctx context.Context, all ...question) {
	if m := d.memory(ctx); m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.wishes = append(m.wishes, all...)
	}
}

// alongWith asks what notes a reading wishes by a batch that is sent anyway, and gives
// what keeps the answers once it has been sent.
func (d *DB) alongWith(ctx context.Context, b *pgx.Batch) (sent func()) {
	m := d.memory(ctx)
	if m == nil {
		return func() {}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.DeleteFunc(m.along(nil), func(q question) bool { return q.kind != oneNote })
	at, changes := time.Now(), m.changes
	answers := d.queueAll(b, all)
	return func() { m.take(all, answers, at, changes) }
}

// changed lets a reading read anew what it changes.
func (d *DB) changed(ctx context.Context, c class) {
	if m := d.memory(ctx); m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.changes[c]++
	}
}

// lend lets a reading ask by a session that it has already, so that those who hold
// all the connections don't wait for one more. It returns what ends that.
func (d *DB) lend(ctx context.Context, s session) (end func()) {
	m := d.memory(ctx)
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

// lent is the session that a reading asks by, nil where it takes one.
func (d *DB) lent(ctx context.Context) *session {
	m := d.memory(ctx)
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.within
}

// learned lets a reading know what it has just stored.
func (d *DB) learned(ctx context.Context, ch bot.ChannelID, log stored) {
	m := d.memory(ctx)
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

// askAll asks in one round trip.
func (d *DB) askAll(ctx context.Context, all []question) (answers []any, err error) {
	ask := func(ctx context.Context, s session) error {
		b := &pgx.Batch{}
		answers = d.queueAll(b, all)
		if err := s.send(ctx, b); err != nil {
			return err
		}
		for i, a := range answers {
			if l, ok := a.(*logRows); ok {
				if answers[i], err = l.read(d); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if s := d.lent(ctx); s != nil {
		return answers, ask(ctx, *s)
	}
	err = d.inSession(ctx, ask)
	return answers, err
}

// queueAll asks questions by as few statements as can be. The answers are there when
// those have been sent.
func (d *DB) queueAll(b *pgx.Batch, all []question) (answers []any) {
	answers = make([]any, len(all))
	var together []int // notes
	for i, q := range all {
		if q.kind == oneNote {
			together = append(together, i)
		} else {
			d.queue(b, q, &answers[i])
		}
	}
	if len(together) == 1 {
		d.queue(b, all[together[0]], &answers[together[0]])
	} else if len(together) > 1 {
		askNotes(b, all, together, answers)
	}
	return answers
}

// askNotes asks for several notes by one statement.
func askNotes(b *pgx.Batch, all []question, which []int, answers []any) {
	var adapters, shelves, keys [][]byte
	for _, i := range which {
		answers[i] = []byte(nil)
		adapters, shelves, keys = append(adapters, []byte(all[i].a)), append(shelves, []byte(all[i].b)), append(keys, []byte(all[i].c))
	}
	each(b.Queue(`select q.i, n.value from unnest($1::bytea[], $2::bytea[], $3::bytea[]) with ordinality as q(adapter, shelf, key, i),
		lateral (select value from notes where adapter = q.adapter and shelf = q.shelf and key = q.key limit 1) n`, adapters, shelves, keys), func(rows pgx.Rows) error {
		var i int
		var value []byte
		err := rows.Scan(&i, &value)
		if err == nil {
			answers[which[i-1]] = value
		}
		return err
	})
}

// queue asks one question.
func (d *DB) queue(b *pgx.Batch, q question, answer *any) {
	switch q.kind {
	case oneNote:
		var value []byte
		*answer = value
		each(b.Queue("select value from notes where adapter = $1 and shelf = $2 and key = $3", []byte(q.a), []byte(q.b), []byte(q.c)), func(rows pgx.Rows) error {
			err := rows.Scan(&value)
			*answer = value
			return err
		})
	case allKeys:
		var keys []string
		*answer = keys
		each(b.Queue("select key from notes where adapter = $1 and shelf = $2 order by key", []byte(q.a), []byte(q.b)), func(rows pgx.Rows) error {
			var key []byte
			err := rows.Scan(&key)
			keys = append(keys, string(key))
			*answer = keys
			return err
		})
	case someRows:
		var list []bot.Row
		*answer = list
		each(b.Queue("select key, value from notes where adapter = $1 and shelf = $2 and key >= $3 and (key > $4 or $4 = '') and ($5::bytea is null or key < $5) order by key limit $6",
			[]byte(q.a), []byte(q.b), []byte(q.c), []byte(q.d), past(q.c), max(q.n, 0)), func(rows pgx.Rows) error {
			var key, value []byte
			err := rows.Scan(&key, &value)
			list = append(list, bot.Row{Key: string(key), Value: value})
			*answer = list
			return err
		})
	case lines:
		var list []bot.Line
		*answer = list
		each(b.Queue("select number, data from lines where adapter = $1 and journal = $2 and number < $3 order by number desc limit $4",
			[]byte(q.a), []byte(q.b), q.n, max(q.m, 0)), func(rows pgx.Rows) error {
			var l bot.Line
			err := rows.Scan(&l.Number, &l.Data)
			list = append(list, l)
			*answer = list
			return err
		})
	case latest:
		*answer = d.askLatest(b, bot.ChannelID(q.a))
	case wholeLog:
		*answer = d.askLog(b, bot.TableID(q.n), q.m)
	case playing:
		q.askTables(b, "select table_id from playing where player = $1 order by table_id", answer)
	case named:
		q.askTables(b, "select table_id from named where player = $1 order by table_id", answer)
	}
}

func (q question) askTables(b *pgx.Batch, query string, answer *any) {
	var tables []bot.TableID
	*answer = tables
	each(b.Queue(query, []byte(q.a)), func(rows pgx.Rows) error {
		var id bot.TableID
		err := rows.Scan(&id)
		tables = append(tables, id)
		*answer = tables
		return err
	})
}
