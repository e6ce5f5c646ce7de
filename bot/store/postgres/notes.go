package postgres

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
)

// Notes returns the rows of one adapter.
func (d *DB) Notes(adapter string) bot.Notes { return notes{d, adapter} }

type notes struct {
	db      *DB
	adapter string
}

func (n notes) name() []byte { return []byte(n.adapter) }

func (n notes) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	value, err := n.db.look(ctx, question{kind: oneNote, a: n.adapter, b: shelf, c: key})
	if err != nil {
		return nil, err
	}
	return slices.Clone(value.([]byte)), nil
}

// GetAll implements [bot.Notes].
func (n notes) GetAll(ctx context.Context, shelf string, keys ...string) ([][]byte, error) {
	qs := make([]question, len(keys))
	for i, key := range keys {
		qs[i] = question{kind: oneNote, a: n.adapter, b: shelf, c: key}
	}
	answers, err := n.db.lookAll(ctx, qs)
	if err != nil {
		return nil, err
	}
	values := make([][]byte, len(keys))
	for i, a := range answers {
		values[i] = slices.Clone(a.([]byte))
	}
	return values, nil
}

// putNote puts a value, or removes it.
func (n notes) putNote(b *pgx.Batch, shelf, key string, value []byte) {
	if value == nil {
		b.Queue("delete from notes where adapter = $1 and shelf = $2 and key = $3", n.name(), []byte(shelf), []byte(key))
		return
	}
	speak(b, dialectOfNote(n.adapter, shelf, value))
	b.Queue("insert into notes (adapter, shelf, key, value) values ($1, $2, $3, $4) on conflict (adapter, shelf, key) do update set value = excluded.value",
		n.name(), []byte(shelf), []byte(key), value)
}

// Put implements [bot.Notes]. It is serializable so that a concurrent Change notices it.
func (n notes) Put(ctx context.Context, shelf, key string, value []byte) error {
	defer n.db.memory(ctx).invalidate(ofNotes)
	return n.db.conns.transact(ctx, serializable, func(b *pgx.Batch) { n.putNote(b, shelf, key, value) })
}

func (n notes) Keys(ctx context.Context, shelf string) ([]string, error) {
	keys, err := n.db.look(ctx, question{kind: allKeys, a: n.adapter, b: shelf})
	if err != nil {
		return nil, err
	}
	return slices.Clone(keys.([]string)), nil
}

func (n notes) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	found, err := n.db.look(ctx, n.rowsQuestion(shelf, prefix, after, limit))
	if err != nil {
		return nil, err
	}
	list := slices.Clone(found.([]bot.Row))
	for i, row := range list {
		list[i].Value = slices.Clone(row.Value)
	}
	return list, nil
}

func (n notes) rowsQuestion(shelf, prefix, after string, limit int) question {
	return question{kind: someRows, a: n.adapter, b: shelf, c: prefix, d: after, n: int64(limit)}
}

// prefixEnd returns the first name after all those with a prefix, or nil if there is none.
func prefixEnd(prefix string) []byte {
	b := []byte(prefix)
	for len(b) > 0 {
		if last := len(b) - 1; b[last] < math.MaxUint8 {
			b[last]++
			return b
		}
		b = b[:len(b)-1]
	}
	return nil
}

// Change implements [bot.Notes]. It calls fn again if another has changed what it read.
func (n notes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	defer n.db.memory(ctx).invalidate(ofNotes)
	delivery := bot.Concludes(ctx)
	var locks []string
	if delivery != nil {
		locks = []string{postsLock(delivery.Post.Channel)}
	}
	err := n.db.conns.withLocks(ctx, func(ctx context.Context, s session) error {
		r := &rows{notes: n, ctx: ctx, session: s, known: map[question][]byte{}}
		r.put = &pgx.Batch{}
		n.db.conns.begin(r.put, serializable)
		var waits bool  // whether the post still waits
		var fence int64 // the claim's
		if delivery != nil {
			lockRoomOf(r.put, delivery.Post)
			scan(r.put.Queue("select fence from posts where id = $1 for update", int64(delivery.Post.ID)), &waits, &fence)
		}
		begun := r.put.Len()
		if err := fn(r); err != nil {
			return cmpErr(r.err, err)
		}
		if delivery != nil && !r.begun {
			r.read(func(*pgx.Batch) {}) // shows who holds the post
		}
		switch {
		case r.err != nil:
			return r.err
		case delivery != nil && waits && fence != int64(delivery.Post.Fence):
			return bot.ErrLost
		case delivery != nil:
			unqueue(r.put, delivery.Post)
		}
		if r.begun || r.put.Len() > begun {
			r.put.Queue("commit")
			return n.db.conns.resolve(ctx, r.id, s.send(ctx, r.put))
		}
		return nil
	}, locks...)
	if err == nil && delivery != nil {
		delivery.Conclude()
	}
	return err
}

// cmpErr returns the store's own error, if there was one, because fn may have wrapped it beyond
// recognition.
func cmpErr(own, err error) error {
	if own != nil && !errors.Is(err, own) {
		return errors.Join(own, err)
	}
	return err
}

// rows are notes inside a transaction. Puts are sent with the next read or the commit.
type rows struct {
	notes
	ctx     context.Context
	session session
	put     *pgx.Batch
	begun   bool
	id      int64 // of the transaction, once it has begun
	err     error // the store's first error

	known map[question][]byte // single notes

	forecast // by the habit of changes that begin with the same question
}

// read sends the puts so far and a question.
func (r *rows) read(fill func(*pgx.Batch)) error {
	if r.err != nil {
		return r.err
	}
	if !r.begun {
		scan(r.put.Queue("select txid_current()"), new(bool), &r.id)
	}
	fill(r.put)
	r.begun = true
	r.err = r.session.send(r.ctx, r.put)
	r.put = &pgx.Batch{}
	return r.err
}

func (r *rows) rowQuestion(shelf, key string) question {
	return question{kind: oneNote, a: r.adapter, b: shelf, c: key}
}

func (r *rows) Get(shelf, key string) ([]byte, error) {
	values, err := r.GetAll(shelf, key)
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

func (r *rows) GetAll(shelf string, keys ...string) ([][]byte, error) {
	var all []question
	for _, key := range keys {
		q := r.rowQuestion(shelf, key)
		r.note(q)
		if _, known := r.known[q]; !known && !slices.Contains(all, q) {
			all = append(all, q)
		}
	}
	if len(all) > 0 {
		if _, err := r.ask(all); err != nil {
			return nil, err
		}
	}
	values := make([][]byte, len(keys))
	for i, key := range keys {
		values[i] = slices.Clone(r.known[r.rowQuestion(shelf, key)])
	}
	return values, r.err
}

// ask asks questions, and for the notes that are expected to follow.
func (r *rows) ask(all []question) (answers []any, err error) {
	for _, q := range r.wishes {
		if _, known := r.known[q]; !known && !slices.Contains(all, q) {
			all = append(all, q)
		}
	}
	r.wishes = nil
	if err := r.read(func(b *pgx.Batch) { answers = askAll(b, &r.db.logs, all) }); err != nil {
		return nil, err
	}
	for i, q := range all {
		if q.kind == oneNote {
			r.known[q] = answers[i].([]byte)
		}
	}
	return answers, nil
}

// note lets later changes that begin with the same question expect this one.
func (r *rows) note(q question) {
	reading := bot.ReadingOf(r.ctx)
	if reading == nil {
		return
	}
	if r.habit == nil {
		kind, about, _ := reading.Now()
		first, _ := patternOf(q, about)
		r.begin(&r.db.habits, kind+" changes "+first.b+" "+first.c, about)
	}
	r.forecast.note(q)
}

func (r *rows) Put(shelf, key string, value []byte) error {
	value = slices.Clone(value)
	r.known[r.rowQuestion(shelf, key)] = value
	r.putNote(r.put, shelf, key, value)
	return r.err
}

func (r *rows) Scan(shelf, prefix, after string, limit int) ([]bot.Row, error) {
	q := r.rowsQuestion(shelf, prefix, after, limit)
	r.note(q)
	answers, err := r.ask([]question{q})
	if err != nil {
		return nil, err
	}
	return answers[0].([]bot.Row), nil
}

// Tell implements [bot.Notes].
func (n notes) Tell(ctx context.Context, text string) error {
	n.db.hintText(n.adapter, text)
	return ctx.Err()
}

// Watch implements [bot.Notes].
func (n notes) Watch(ctx context.Context, fn func(bot.Hint)) error {
	return n.db.notesOf(n.adapter).Watch(ctx, fn)
}
