package bolt

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"
)

// errUnchanged means that a writer had nothing to write, which isn't an error. It doesn't wait
// for the disk, unless other writers of its transaction changed something: it may have read
// that.
var errUnchanged = errors.New("unchanged")

// A refusal is the error of a writer that hasn't written anything yet, so that the other writes in
// the transaction stand.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// mostTogether limits how many writes are committed together.
const mostTogether = 200

// A writeQueue is the queue of the writers.
type writeQueue struct {
	mu      sync.Mutex
	waiting []*writer
	busy    bool // whether a commit is running
	hurry   bool // whether a waiting writer isn't patient, or has waited long enough
	soon    bool // whether endPatience will be called
}

// A writer waits for its turn with a transaction, does its part in the caller's goroutine,
// where a panic of the caller belongs, and waits until it is on disk.
type writer struct {
	fn   func(*txn) error
	turn chan *txn
	part chan error // outcome of the part
	end  chan error // outcome of the transaction
	err  error      // for the writer at the end
}

// errPanic is the outcome of a writer that panicked.
var errPanic = errors.New("it panicked")

// write runs fn in a transaction that is on disk when write returns nil. Writers that arrive while
// another waits for the disk share the next transaction; none waits for company. fn runs again if
// another writer in its transaction fails after it has begun to write.
func (d *DB) write(ctx context.Context, fn func(*txn) error) error {
	return d.writeAfter(ctx, 0, fn)
}

// patience limits how long a write waits for company if nobody waits for it: the end of a post or a
// timer. On a busy host most of these go to disk with the next move.
const patience = 5 * time.Millisecond

// writePatiently works like write for changes that may wait for company.
func (d *DB) writePatiently(ctx context.Context, fn func(*txn) error) error {
	return d.writeAfter(ctx, patience, fn)
}

// writeAfter works like write for changes that wait for company, but no longer than wait.
func (d *DB) writeAfter(ctx context.Context, wait time.Duration, fn func(*txn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &writer{fn: fn, turn: make(chan *txn), part: make(chan error), end: make(chan error, 1)}
	d.queue.mu.Lock()
	d.queue.waiting = append(d.queue.waiting, w)
	if wait == 0 {
		d.hurry()
	} else if !d.queue.soon {
		d.queue.soon = true
		time.AfterFunc(wait, d.endPatience)
	}
	d.queue.mu.Unlock()
	for {
		select {
		case tx := <-w.turn:
			w.do(tx)
		case err := <-w.end:
			return d.noteDamage(err)
		}
	}
}

// endPatience commits the writes that have waited, if no other has come.
func (d *DB) endPatience() {
	d.queue.mu.Lock()
	defer d.queue.mu.Unlock()
	d.queue.soon = false
	if len(d.queue.waiting) > 0 {
		d.hurry()
	}
}

// hurry starts to commit the waiting writes, unless that is under way. The queue must be
// locked.
func (d *DB) hurry() {
	d.queue.hurry = true
	if !d.queue.busy {
		d.queue.busy = true
		go d.commit()
	}
}

// do does a writer's part. A panic of the caller's stays a panic; any other comes from damage in
// the file.
func (w *writer) do(tx *txn) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	err := errPanic
	defer func() {
		if !tx.theirs {
			err = damageError(tx.DB().Path(), err, recover())
		}
		w.part <- err
	}()
	err = w.fn(tx)
}

// takeWriter removes the first waiting writer for a transaction; for a new transaction, only if
// a writer is in a hurry. If there is none, no commit is running any more.
func (l *writeQueue) takeWriter(begins bool) *writer {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 || begins && !l.hurry {
		l.busy = !begins
		return nil
	}
	w := l.waiting[0]
	l.waiting = l.waiting[1:]
	l.hurry = l.hurry && len(l.waiting) > 0
	return w
}

// commit commits waiting writes until no writer is in a hurry.
func (d *DB) commit() {
	for w := d.queue.takeWriter(true); w != nil; w = d.queue.takeWriter(true) {
		again := []*writer{w}
		for len(again) > 0 {
			again = d.commitTogether(again)
		}
	}
}

// commitTogether commits the parts of the first writers, and of others that are waiting by then. If one
// fails after it has begun to write, it returns the others, which must do their parts again.
func (d *DB) commitTogether(first []*writer) (again []*writer) {
	tx, err := d.begin()
	if err != nil {
		for _, w := range first {
			w.end <- err
		}
		return nil
	}
	var done []*writer
	changed := false
	for {
		var w *writer
		if len(first) > 0 {
			w, first = first[0], first[1:]
		} else if len(done) < mostTogether {
			w = d.queue.takeWriter(false)
		}
		if w == nil {
			break
		}
		w.err = nil
		w.turn <- tx
		err := <-w.part
		var refused refusal
		switch {
		case err == nil:
			changed = true
		case err == errUnchanged:
		case errors.As(err, &refused):
			w.err = refused.error
		default:
			d.cache.Doubt(tx.ID())
			d.rollback(tx)
			w.end <- err
			return append(done, first...)
		}
		done = append(done, w)
	}
	err = d.end(tx, changed)
	for _, w := range done {
		if w.err == nil || err != nil {
			w.end <- err
		} else {
			w.end <- w.err
		}
	}
	return nil
}

// begin begins a transaction for writers.
func (d *DB) begin() (tx *txn, err error) {
	err = d.checkInPlace()
	if stuck := d.stuck.Load(); stuck != nil {
		err = stuck
	}
	if err != nil {
		return nil, err
	}
	err = guard(d.bolt.Path(), func() error {
		begun, err := d.bolt.Begin(true)
		tx = &txn{Tx: begun, format: d.format}
		return err
	})
	d.noteStuck(err)
	return tx, err
}

// end commits a transaction, and returns an error if the file was removed or replaced
// meanwhile, because what was written to it is lost. If nothing changed, it rolls the
// transaction back, which writes nothing.
func (d *DB) end(tx *txn, changed bool) error {
	if !changed {
		d.rollback(tx)
		return nil
	}
	id := tx.ID()
	err := guard(d.bolt.Path(), tx.Commit)
	if err != nil {
		d.cache.Doubt(id)
		d.rollback(tx)
		return err
	}
	return d.checkInPlace()
}

// rollback rolls a transaction back.
func (d *DB) rollback(tx *txn) { d.noteStuck(guard(d.bolt.Path(), tx.Rollback)) }

// noteStuck records that a transaction met damage at its beginning or end. bbolt's writer lock then
// stays locked, so later writers are refused instead of waiting for ever.
func (d *DB) noteStuck(err error) {
	var found *DamagedError
	if errors.As(err, &found) {
		d.stuck.Store(found)
	}
}
