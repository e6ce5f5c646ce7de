package postgres

import (
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// What an errand reads (see [bot.Errand]) is asked of the database together: its
// first question takes along those that earlier errands of its name asked, in one
// round trip. Guesses are never the truth: one that was wrong was read for nothing,
// and one that is missing costs a round trip more.

// A question is what can be asked ahead: a kind, and what it is about.
type question struct {
	kind       kind
	a, b, c, d string
	n, m       int64
	nOf        int // in a habit: which of the errand's words n is, counted from 1
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

// A class is what an errand must read anew together, after it changed some of it.
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

// keepFor is how long an errand's answers count.
const keepFor = time.Second

// A memory is what an errand has read.
type memory struct {
	mu      sync.Mutex
	answers map[question]remembered
	changes [classes]int // by the errand itself
	parts   map[*bot.Errand]*part
	wishes  []question // what will be asked
	within  *session   // of an Update, while its function runs
}

type remembered struct {
	answer  any
	at      time.Time
	changes int // of its class, before it was asked
}

// A part is what habits know of an errand, or of a part of it.
type part struct {
	run   int // its number among those of its name, from 1 on; 0 until it is noted
	words []word
	asked map[question]bool
}

func newMemory() any {
	return &memory{answers: map[question]remembered{}, parts: map[*bot.Errand]*part{}}
}

// part is an errand, or a part of one, as habits know it. m is locked.
func (m *memory) part(e *bot.Errand) *part {
	p := m.parts[e]
	if p == nil {
		p = &part{words: words(e.Of), asked: map[question]bool{}}
		m.parts[e] = p
	}
	return p
}

// find gives an answer, where it still counts.
func (m *memory) find(q question) (answer any, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts(q)
}

// counts is find where m is locked.
func (m *memory) counts(q question) (answer any, found bool) {
	r, found := m.answers[q]
	if !found || r.changes != m.changes[q.class()] || time.Since(r.at) > keepFor {
		return nil, false
	}
	return r.answer, true
}

// look answers a question, from memory where an errand has asked it before.
func (d *DB) look(ctx context.Context, q question) (any, error) {
	e := bot.ErrandOf(ctx)
	if e == nil {
		answers, err := d.askAll(ctx, []question{q})
		if err != nil {
			return nil, err
		}
		return answers[0], nil
	}
	m := e.Keep(d, newMemory).(*memory)
	d.habits.note(e, m, q)
	if answer, found := m.find(q); found {
		return answer, nil
	}
	all := []question{q}
	guesses := d.habits.guess(e, m)
	m.mu.Lock()
	guesses = append(guesses, m.wishes...)
	m.wishes = nil
	before := m.changes
	stale := func(q question) bool { was, asked := m.answers[q]; return asked && was.changes != m.changes[q.class()] }
	again := stale(q)
	for _, g := range guesses {
		// What it has changed it hardly asks again, unless it does so now; what is too
		// old it does.
		_, known := m.counts(g)
		if !slices.Contains(all, g) && !known && (!stale(g) || again && g.class() == q.class()) {
			all = append(all, g)
		}
	}
	m.mu.Unlock()
	at := time.Now()
	answers, err := d.askAll(ctx, all)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, q := range all {
		m.answers[q] = remembered{answers[i], at, before[q.class()]}
	}
	return answers[0], nil
}

// wish takes questions along with the next that an errand asks.
func (d *DB) wish(ctx context.Context, all ...question) {
	if e := bot.ErrandOf(ctx); e != nil {
		m := e.Keep(d, newMemory).(*memory)
		m.mu.Lock()
		m.wishes = append(m.wishes, all...)
		m.mu.Unlock()
	}
}

// changed lets an errand read anew what it changes.
func (d *DB) changed(ctx context.Context, c class) {
	if e := bot.ErrandOf(ctx); e != nil {
		m := e.Keep(d, newMemory).(*memory)
		m.mu.Lock()
		m.changes[c]++
		m.mu.Unlock()
	}
}

// lend lets an errand ask by a session that it has already, so that those who hold
// all the connections don't wait for one more. It returns what ends that.
func (d *DB) lend(ctx context.Context, s session) (end func()) {
	e := bot.ErrandOf(ctx)
	if e == nil {
		return func() {}
	}
	m := e.Keep(d, newMemory).(*memory)
	set := func(s *session) {
		m.mu.Lock()
		m.within = s
		m.mu.Unlock()
	}
	set(&s)
	return func() { set(nil) }
}

// lent is the session that an errand asks by, nil where it takes one.
func (d *DB) lent(ctx context.Context) *session {
	e := bot.ErrandOf(ctx)
	if e == nil {
		return nil
	}
	m := e.Keep(d, newMemory).(*memory)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.within
}

// learned lets an errand know what it has just stored.
func (d *DB) learned(ctx context.Context, ch bot.ChannelID, log stored) {
	if e := bot.ErrandOf(ctx); e != nil {
		m := e.Keep(d, newMemory).(*memory)
		m.mu.Lock()
		defer m.mu.Unlock()
		now := remembered{log, time.Now(), m.changes[ofTables]}
		m.answers[question{kind: latest, a: string(ch)}] = now
		if log.table != 0 {
			m.answers[question{kind: wholeLog, n: int64(log.table), m: -1}] = now
		}
	}
}

// Habits are what errands ask, by their names.
type habits struct {
	mu sync.Mutex
	by map[string]*habit
}

// A habit is what errands of a name ask, with places for their words.
type habit struct {
	runs int // how many have begun
	last map[question]asking
}

// An asking is when a question came up: the last errand that asked it, and how many
// had begun when it did and when another one did before it. Hundreds may be under way
// at once, so their own numbers don't tell.
type asking struct{ by, at, before int }

const (
	// mostNames bounds the habits, and mostAsked one of them.
	mostNames = 500
	mostAsked = 300
	// habitual is within how many beginnings of errands a question must have come up
	// twice to be asked ahead.
	habitual = 32
	// mostAhead is how many are asked ahead.
	mostAhead = 60
	// mostParts is how many parts of an id can be words.
	mostParts = 4
)

// note notes that an errand asks something, also for those that it is a part of.
func (h *habits) note(e *bot.Errand, m *memory, q question) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.part(e).asked[q] {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for ; e != nil; e = e.Within {
		if h.by == nil || len(h.by) > mostNames {
			h.by = map[string]*habit{}
		}
		one := h.by[e.Name]
		if one == nil {
			one = &habit{last: map[question]asking{}}
			h.by[e.Name] = one
		}
		p := m.part(e)
		p.asked[q] = true
		if p.run == 0 {
			one.runs++
			p.run = one.runs
		}
		asked := without(q, e.Of, p.words)
		if was := one.last[asked]; was.by != p.run {
			one.last[asked] = asking{p.run, one.runs, was.at}
		}
		if len(one.last) > mostAsked {
			one.forget()
		}
	}
}

// forget forgets what has not been asked for long.
func (h *habit) forget() {
	maps.DeleteFunc(h.last, func(_ question, was asking) bool {
		return len(h.last) > mostAsked && was.at < h.runs-habitual
	})
}

// guess is what an errand will ask, as far as others of its name tell.
func (h *habits) guess(e *bot.Errand, m *memory) (all []question) {
	m.mu.Lock()
	words := m.part(e).words
	m.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.by[e.Name]
	if one == nil {
		return nil // there were too many others meanwhile
	}
	for q, was := range one.last {
		if was.before > 0 && was.before >= one.runs-habitual && len(all) < mostAhead {
			if q, ok := with(q, e.Of, words); ok {
				all = append(all, q)
			}
		}
	}
	return all
}

// words are what stands in an errand's keys, the longest first: its own, what those
// call a platform's own id, and the parts of that.
func words(of []string) (all []word) {
	var parts []word
	for i, s := range of {
		if len(s) < 3 {
			continue // it would be found everywhere
		}
		place := string(rune('0' + i))
		all = append(all, word{s, "\xff" + place + "\xff"})
		_, own, ok := strings.Cut(s, ":")
		if !ok || len(own) < 3 {
			continue
		}
		all = append(all, word{own, "\xfe" + place + "\xfe"})
		for n, part := range strings.FieldsFunc(own, func(r rune) bool { return r == '.' || r == '/' }) {
			if len(part) > 2 && len(part) < len(own) && n < mostParts {
				parts = append(parts, word{part, "\xfd" + place + string(rune('0'+n)) + "\xfd"})
			}
		}
	}
	all = append(all, parts...)
	slices.SortStableFunc(all, func(a, b word) int { return len(b.text) - len(a.text) })
	return all
}

type word struct{ text, place string }

// without is a question with places for what an errand is of, and its words.
func without(q question, of []string, words []word) question {
	q.a, q.b, q.c, q.d = takeOut(q.a, words), takeOut(q.b, words), takeOut(q.c, words), takeOut(q.d, words)
	if q.n > 0 && q.n < math.MaxInt64 {
		if i := slices.Index(of, strconv.FormatInt(q.n, 10)); i >= 0 {
			q.n, q.nOf = 0, i+1
		}
	}
	return q
}

// takeOut puts places into a text for the words in it.
func takeOut(s string, words []word) string {
	for _, w := range words {
		if len(w.text) <= len(s) {
			s = strings.ReplaceAll(s, w.text, w.place)
		}
	}
	return s
}

// putIn puts words into a text's places. ok is false where it has a place that no
// word belongs into.
func putIn(s string, words []word) (text string, ok bool) {
	for {
		// No place is UTF-8, so no text of its own has one.
		at := 0
		for at < len(s) && s[at] < '\xfd' {
			at++
		}
		if at == len(s) {
			return text + s, true
		}
		i := slices.IndexFunc(words, func(w word) bool { return strings.HasPrefix(s[at:], w.place) })
		if i < 0 {
			return "", false
		}
		text, s = text+s[:at]+words[i].text, s[at+len(words[i].place):]
	}
}

// with puts what an errand is of, and its words, into their places.
func with(q question, of []string, words []word) (_ question, ok bool) {
	for _, s := range []*string{&q.a, &q.b, &q.c, &q.d} {
		if *s, ok = putIn(*s, words); !ok {
			return q, false
		}
	}
	if q.nOf > len(of) {
		return q, false
	}
	if q.nOf > 0 {
		n, err := strconv.ParseInt(of[q.nOf-1], 10, 64)
		if err != nil { // it isn't there
			return q, false
		}
		q.n, q.nOf = n, 0
	}
	return q, true
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
