package postgres

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
)

// Notes are the rows of one adapter.
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

// Ahead is [bot.Notes.Ahead].
func (n notes) Ahead(ctx context.Context, keys ...bot.NoteKey) {
	for _, k := range keys {
		n.db.memory(ctx).wish(question{kind: oneNote, a: n.adapter, b: k.Shelf, c: k.Key})
	}
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

// Put is serializable, as Change is, which must see it.
func (n notes) Put(ctx context.Context, shelf, key string, value []byte) error {
	defer n.db.memory(ctx).changed(ofNotes)
	return n.db.conns.all(ctx, serializable, func(b *pgx.Batch) { n.putNote(b, shelf, key, value) })
}

func (n notes) Keys(ctx context.Context, shelf string) ([]string, error) {
	keys, err := n.db.look(ctx, question{kind: allKeys, a: n.adapter, b: shelf})
	if err != nil {
		return nil, err
	}
	return slices.Clone(keys.([]string)), nil
}

func (n notes) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	found, err := n.db.look(ctx, n.rows(shelf, prefix, after, limit))
	if err != nil {
		return nil, err
	}
	list := slices.Clone(found.([]bot.Row))
	for i, row := range list {
		list[i].Value = slices.Clone(row.Value)
	}
	return list, nil
}

func (n notes) rows(shelf, prefix, after string, limit int) question {
	return question{kind: someRows, a: n.adapter, b: shelf, c: prefix, d: after, n: int64(limit)}
}

// past is the first name that is after all with a prefix, nil where there is
// none.
func past(prefix string) []byte {
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

// Change calls fn again when another changed what it read.
func (n notes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	defer n.db.memory(ctx).changed(ofNotes)
	return n.db.conns.changing(ctx, func(ctx context.Context, s session) error {
		r := &rows{notes: n, ctx: ctx, session: s, known: map[question][]byte{}}
		r.put = &pgx.Batch{}
		n.db.conns.begin(r.put, serializable)
		begun := r.put.Len()
		if err := fn(r); err != nil {
			return cmpErr(r.err, err)
		}
		if r.err != nil {
			return r.err
		}
		if r.begun || r.put.Len() > begun {
			r.put.Queue("commit")
			return s.send(ctx, r.put)
		}
		return nil
	})
}

// cmpErr is the store's own error where there was one, for fn may wrap it so
// that it isn't known again.
func cmpErr(own, err error) error {
	if own != nil && !errors.Is(err, own) {
		return errors.Join(own, err)
	}
	return err
}

// rows are notes inside a transaction. What is put waits for the next read, or
// for the commit.
type rows struct {
	notes
	ctx     context.Context
	session session
	put     *pgx.Batch
	begun   bool
	err     error // the first of the store

	known  map[question][]byte // of single notes
	wishes []question          // those that will be read
}

// read sends what was put so far and a question.
func (r *rows) read(fill func(*pgx.Batch)) error {
	if r.err != nil {
		return r.err
	}
	fill(r.put)
	r.begun = true
	r.err = r.session.send(r.ctx, r.put)
	r.put = &pgx.Batch{}
	return r.err
}

func (r *rows) one(shelf, key string) question {
	return question{kind: oneNote, a: r.adapter, b: shelf, c: key}
}

func (r *rows) Ahead(keys ...bot.NoteKey) {
	for _, k := range keys {
		r.wishes = append(r.wishes, r.one(k.Shelf, k.Key))
	}
}

func (r *rows) Get(shelf, key string) ([]byte, error) {
	q := r.one(shelf, key)
	if _, known := r.known[q]; !known {
		all := []question{q}
		for _, w := range r.wishes {
			if _, known := r.known[w]; !known && !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
		r.wishes = nil
		var answers []any
		if err := r.read(func(b *pgx.Batch) { answers = askAll(b, &r.db.logs, all) }); err != nil {
			return nil, err
		}
		for i, q := range all {
			r.known[q] = answers[i].([]byte)
		}
	}
	return slices.Clone(r.known[q]), r.err
}

func (r *rows) Put(shelf, key string, value []byte) error {
	value = slices.Clone(value)
	r.known[r.one(shelf, key)] = value
	r.putNote(r.put, shelf, key, value)
	return r.err
}

func (r *rows) Scan(shelf, prefix, after string, limit int) ([]bot.Row, error) {
	var list any
	if err := r.read(func(b *pgx.Batch) { r.rows(shelf, prefix, after, limit).ask(b, &r.db.logs, &list) }); err != nil {
		return nil, err
	}
	return list.([]bot.Row), nil
}

// Append takes the journal's lock, so that its numbers have no gaps and come in
// the order of the commits.
func (n notes) Append(ctx context.Context, journal, key string, line []byte) (at uint64, added bool, err error) {
	defer n.db.memory(ctx).changed(ofLines)
	if line == nil {
		line = []byte{}
	}
	delivery := bot.Concludes(ctx)
	var there bool // a post that is to be concluded
	var now int64  // its fence
	locks := []string{journalLock(n.adapter, journal)}
	if delivery != nil {
		locks = append([]string{postsLock(delivery.Post.Channel)}, locks...)
	}
	err = n.db.conns.changing(ctx, func(ctx context.Context, s session) error {
		b := &pgx.Batch{}
		n.db.conns.begin(b, committed)
		var post, fence int64 // of nothing
		if delivery != nil {
			post, fence = int64(delivery.Post.ID), int64(delivery.Post.Fence)
			lockRoomOf(b, delivery.Post)
			scan(b.Queue("select fence from posts where id = $1 for update", post), &there, &now)
		}
		b.Queue("select last from journals where adapter = $1 and name = $2 for update", n.name(), []byte(journal))
		each(b.Queue(`with found as (select number from linekeys where adapter = $1 and journal = $2 and key = $3),
			next as (insert into journals (adapter, name, last) select $1, $2, 1 where not exists (select 1 from found)
				and not exists (select 1 from posts where id = $5 and fence <> $6)
				on conflict (adapter, name) do update set last = journals.last + 1 returning last),
			line as (insert into lines (adapter, journal, number, data) select $1, $2, last, $4 from next returning number),
			named as (insert into linekeys (adapter, journal, key, number) select $1, $2, $3, number from line where $3 <> '' returning number)
			select number, false from found union all select number, true from line`, n.name(), []byte(journal), []byte(key), line, post, fence), func(rows pgx.Rows) error {
			return rows.Scan(&at, &added)
		})
		if delivery != nil {
			unqueue(b, delivery.Post)
		}
		b.Queue("commit")
		err = s.send(ctx, b)
		if err != nil && key == "" && brokeOff(err) {
			err = &unsureError{err}
		}
		return err
	}, locks...)
	switch {
	case err != nil:
		return 0, false, err
	case delivery != nil && there && now != int64(delivery.Post.Fence):
		return 0, false, bot.ErrLost
	case delivery != nil:
		delivery.Conclude()
	}
	if added {
		n.db.hintJournal(n.adapter, journal, at)
	}
	return at, added, nil
}

func (n notes) Replace(ctx context.Context, journal string, at uint64, line []byte) error {
	if line == nil {
		line = []byte{}
	}
	defer n.db.memory(ctx).changed(ofLines)
	return n.db.conns.ask(ctx, func(b *pgx.Batch) {
		b.Queue("update lines set data = $4 where adapter = $1 and journal = $2 and number = $3", n.name(), []byte(journal), int64(at), line)
	})
}

func (n notes) Drop(ctx context.Context, journal string) error {
	defer n.db.memory(ctx).changed(ofLines)
	return n.db.conns.all(ctx, committed, func(b *pgx.Batch) {
		b.Queue("select last from journals where adapter = $1 and name = $2 for update", n.name(), []byte(journal))
		b.Queue("delete from lines where adapter = $1 and journal = $2", n.name(), []byte(journal))
		b.Queue("delete from linekeys where adapter = $1 and journal = $2", n.name(), []byte(journal))
		b.Queue("delete from journals where adapter = $1 and name = $2", n.name(), []byte(journal))
	}, journalLock(n.adapter, journal))
}

func (n notes) Read(ctx context.Context, journal string, before uint64, limit int) ([]bot.Line, error) {
	if before == 0 || before > math.MaxInt64 {
		before = math.MaxInt64
	}
	found, err := n.db.look(ctx, question{kind: lines, a: n.adapter, b: journal, n: int64(before), m: int64(limit)})
	if err != nil {
		return nil, err
	}
	list := slices.Clone(found.([]bot.Line))
	for i, l := range list {
		list[i].Data = slices.Clone(l.Data)
	}
	slices.Reverse(list)
	return list, nil
}

// Tell is [bot.Notes.Tell].
func (n notes) Tell(ctx context.Context, text string) error {
	n.db.hintText(n.adapter, text)
	return ctx.Err()
}

// Watch is [bot.Notes.Watch].
func (n notes) Watch(ctx context.Context, fn func(bot.Hint)) error {
	return n.db.notesOf(n.adapter).Watch(ctx, fn)
}
