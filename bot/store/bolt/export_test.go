package bolt

import (
	"context"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game/gametest"
)

// OpenUnsealed creates a file of the format before the seals, for comparison.
func OpenUnsealed(tb testing.TB, path string) *DB {
	d := &DB{format: sealed - 1, now: time.Now, hints: map[string]*store.Watchers[bot.Hint]{}}
	b, err := openBolt(path, bbolt.Options{OpenFile: d.openFile})
	gametest.Must(tb, err)
	d.bolt = b
	gametest.Must(tb, b.Update(func(tx *bbolt.Tx) error {
		old := &txn{Tx: tx, format: sealed - 1}
		for _, step := range migrations() {
			if err := step(old); err != nil {
				return err
			}
		}
		return old.Bucket(bucketMeta).Put(keySchema, number(sealed-1))
	}))
	tb.Cleanup(func() { d.Close() })
	return d
}

// NextStep does the next step of a file's migration, a row at a time, and reports whether there is
// more.
func NextStep(tb testing.TB, path string) (more bool) {
	b, err := bbolt.Open(path, 0o600, nil)
	gametest.Must(tb, err)
	defer b.Close()
	gametest.Must(tb, b.Update(func(bare *bbolt.Tx) error {
		format, unfinished, err := formatOf(bare)
		if err != nil {
			return err
		}
		if err := migrateStep(&txn{Tx: bare, format: format}, unfinished, 1); err != nil {
			return err
		}
		format, unfinished, err = formatOf(bare)
		more = format < keyed || unfinished
		return err
	}))
	return more
}

// Check verifies an open file.
func (d *DB) Check(ctx context.Context) (s Summary, found []error) {
	var all problems
	all.add(guard(d.bolt.Path(), func() error {
		return d.bolt.View(func(tx *bbolt.Tx) (err error) {
			s, err = check(ctx, tx, all.add)
			return err
		})
	}))
	return s, all
}

// Dialect makes all events have a dialect until the test ends.
func Dialect(tb testing.TB, dialect int) {
	was := dialectOf
	dialectOf = func([]byte) int { return dialect }
	tb.Cleanup(func() { dialectOf = was })
}

// NoteDialect makes all rows of a shelf have a dialect until the test ends.
func NoteDialect(tb testing.TB, of string, dialect int) {
	was := dialectOfNote
	dialectOfNote = func(_, shelf string, _ []byte) int {
		if shelf == of {
			return dialect
		}
		return 1
	}
	tb.Cleanup(func() { dialectOfNote = was })
}

// WriteThrough makes bbolt pass each write to the file to a function, which may write it. bbolt has
// a field for this that only its own tests can set.
func WriteThrough(tb testing.TB, d *DB, through func(b []byte, off int64, write func([]byte, int64) (int, error)) (int, error)) {
	field := reflect.ValueOf(d.bolt).Elem().FieldByName("ops").FieldByName("writeAt")
	if field.Type() != reflect.TypeFor[func([]byte, int64) (int, error)]() {
		tb.Fatalf("bbolt's writeAt is a %s now", field.Type())
	}
	writeAt := (*func([]byte, int64) (int, error))(unsafe.Pointer(field.UnsafeAddr()))
	was := *writeAt
	*writeAt = func(b []byte, off int64) (int, error) { return through(b, off, was) }
}

// Syncs reports whether each commit waits for the disk.
func (d *DB) Syncs() bool { return !d.bolt.NoSync && !d.bolt.NoGrowSync && !d.bolt.NoFreelistSync }
