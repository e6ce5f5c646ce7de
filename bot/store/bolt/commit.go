package bolt

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"
)

// errUnchanged says that there is nothing to write: no error, and no waiting
// for the disk but for what it was found in.
var errUnchanged = errors.New("unchanged")

// A refusal is an error of somebody who has written nothing yet, so that what
// others wrote in the same transaction stays.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// mostTogether is how many are committed together at most.
const mostTogether = 200

// A line has those who want to write.
type line struct {
	mu      sync.Mutex
	waiting []*writer
	busy    bool // somebody commits
	hurry   bool // somebody who waits isn't patient, or has waited long enough
	soon    bool // endPatience will be called
}

// A writer waits for its turn with a transaction, does its part in its own
// goroutine, and waits until that is on disk. The meter of a request measures the part that
// is the request's own.
type writer struct {
	fn   func(*txn) error
	turn chan *txn
	part chan error // what came of the part
	end  chan error // what came of all
	err  error      // to be given to it at the end
}

// errPanic is the part of a writer that didn't come back.
var errPanic = errors.New("it panicked")

// write runs fn in a transaction that is on disk when write returns nil. Those
// who come while another waits for the disk share the next transaction, and
// none waits for company. fn runs again when another in its transaction failed
// after it had begun to write.
func (d *DB) write(ctx context.Context, fn func(*txn) error) error {
	return d.writeAfter(ctx, 0, fn)
}

// patience is how long a write waits for company while nobody waits for it: the end of
// a post or a timer. On a busy host most of these go to disk with the next move.
const patience = 5 * time.Millisecond

// writePatiently is write for what may wait for company.
func (d *DB) writePatiently(ctx context.Context, fn func(*txn) error) error {
	return d.writeAfter(ctx, patience, fn)
}

// writeAfter is write for what waits for company for a time at most.
func (d *DB) writeAfter(ctx context.Context, wait time.Duration, fn func(*txn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &writer{fn: fn, turn: make(chan *txn), part: make(chan error), end: make(chan error, 1)}
	d.line.mu.Lock()
	d.line.waiting = append(d.line.waiting, w)
	if wait == 0 {
		d.hurry()
	} else if !d.line.soon {
		d.line.soon = true
		time.AfterFunc(wait, d.endPatience)
	}
	d.line.mu.Unlock()
	for {
		select {
		case tx := <-w.turn:
			w.do(tx)
		case err := <-w.end:
			return err
		}
	}
}

// endPatience has those served who have waited, if nobody has come.
func (d *DB) endPatience() {
	d.line.mu.Lock()
	defer d.line.mu.Unlock()
	d.line.soon = false
	if len(d.line.waiting) > 0 {
		d.hurry()
	}
}

// hurry has those served who wait. The line is locked.
func (d *DB) hurry() {
	d.line.hurry = true
	if !d.line.busy {
		d.line.busy = true
		go d.commit()
	}
}

// do is a writer's part. A panic of the caller's stays its own; any other comes of the
// file's damage.
func (w *writer) do(tx *txn) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	err := errPanic
	defer func() {
		if !tx.theirs {
			err = damaged(tx.DB().Path(), err, recover())
		}
		w.part <- err
	}()
	err = w.fn(tx)
}

// next takes the first who waits into a transaction; into one that is to begin, if
// anybody is in a hurry. Otherwise the line is free.
func (l *line) next(begins bool) *writer {
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

// commit serves the line until nobody is in a hurry.
func (d *DB) commit() {
	for w := d.line.next(true); w != nil; w = d.line.next(true) {
		again := []*writer{w}
		for len(again) > 0 {
			again = d.together(again)
		}
	}
}

// together commits what writers do, and those who wait by then. When one fails
// who had begun to write, the others are to do it again.
func (d *DB) together(first []*writer) (again []*writer) {
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
			w = d.line.next(false)
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
			d.undo(tx)
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
	err = d.stillThere()
	if stuck := d.stuck.Load(); stuck != nil {
		err = stuck
	}
	if err != nil {
		return nil, err
	}
	err = guarded(d.bolt.Path(), func() error {
		begun, err := d.bolt.Begin(true)
		tx = &txn{Tx: begun, format: d.format}
		return err
	})
	d.noteStuck(err)
	return tx, err
}

// end commits a transaction. One that changed nothing is undone, as it may have read what
// is not on disk yet.
func (d *DB) end(tx *txn, changed bool) error {
	if !changed {
		d.undo(tx)
		return nil
	}
	id := tx.ID()
	err := guarded(d.bolt.Path(), tx.Commit)
	if err != nil {
		d.cache.Doubt(id)
		d.undo(tx)
	}
	return err
}

// undo ends a transaction, and nothing is changed.
func (d *DB) undo(tx *txn) { d.noteStuck(guarded(d.bolt.Path(), tx.Rollback)) }

// noteStuck notes that a transaction met damage as it began or ended: bbolt holds the lock of
// its writers then for good, so that who comes next is refused and doesn't wait.
func (d *DB) noteStuck(err error) {
	var found *DamagedError
	if errors.As(err, &found) {
		d.stuck.Store(found)
	}
}
