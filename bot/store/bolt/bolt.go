// Package bolt is the [bot.Store] in one file, for a host that is one process:
// the default, with nothing to set up. It has the notes of adapters too.
//
// The file is a bbolt database. A bucket is a table of rows in the order of
// their keys, and a key is made of names, numbers and times (see keys.go), so
// that what is wanted next always lies next to what was there last:
//
//	meta      "schema"                      the version of all this
//	tables    table                         tableRow
//	latest    channel                       table
//	events    table, number                 an event, by package record
//	playing   player, table                 -
//	named     player, table                 - (whom the events name)
//	receipts  channel, request              receiptRow
//	filed     time, channel, request        -
//	posts     post                          postRow
//	lanes     channel, player, post         -
//	heads     platform, time, post          - (the first post of each lane)
//	timers    timer                         timerRow
//	alarms    time, timer                   -
//	notes     adapter, shelf, key           a value
//
// Each row ends with a seal: four bytes, the CRC-32C of the bucket's name, the key and the
// value (see rows.go). It is compared whenever the row is read, so that one that isn't as
// it was written is never taken for what it says. An event has its [record.Link] before
// it, so that a table's events are a chain. The bucket meta has the last numbers that were
// given out too, for bbolt's own have no seal; its row "schema" alone has none, for older
// programs to read.
//
// Rows are JSON with a version. Their types are not those of package bot, so
// that those can change while what was stored stays readable: fields are added
// or left out here, never renamed.
//
// # Caveats
//
// Claims and hints are kept in memory, for nobody else can have the file open:
// with the process all its holders die.
//
// There is one writer at a time, and fn runs while Update is the one. A method
// of the store that writes must not be called from it.
//
// What is written while a commit waits for the disk is committed together after
// it (see commit.go), but not in bbolt's Batch, which waits for company up to
// 10 ms, and rolls back everybody's and runs them again when one fails.
//
// What a transaction reads is the file's memory, and is gone after it. Nothing
// of that may leave this package; it is copied or decoded first.
package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
)

var (
	bucketMeta     = []byte("meta")
	bucketTables   = []byte("tables")
	bucketLatest   = []byte("latest")
	bucketEvents   = []byte("events")
	bucketPlaying  = []byte("playing")
	bucketNamed    = []byte("named")
	bucketReceipts = []byte("receipts")
	bucketFiled    = []byte("filed")
	bucketPosts    = []byte("posts")
	bucketLanes    = []byte("lanes")
	bucketHeads    = []byte("heads")
	bucketTimers   = []byte("timers")
	bucketAlarms   = []byte("alarms")
	bucketNotes    = []byte("notes")
	bucketLines    = []byte("lines")    // until format 3
	bucketLineKeys = []byte("linekeys") // until format 3
)

// A DB is a data file that is open. It is a [bot.Store].
type DB struct {
	bolt   *bbolt.DB
	file   *os.File     // as it was opened
	seen   atomic.Int64 // when it was seen there last, in nanoseconds
	format int
	now    func() time.Time

	cache    store.Cache
	line     line
	stuck    atomic.Pointer[DamagedError] // what has kept a transaction from its end
	troubles store.Troubles

	store.Claims
	store.Watchers[bot.ChannelID]

	mu    sync.Mutex
	hints map[string]*store.Watchers[bot.Hint] // by adapter
}

// An InUseError says that another process has the data file open.
type InUseError struct{ Path string }

func (e *InUseError) Error() string {
	return fmt.Sprintf("the data file %s is in use: another rackmate is running with it; stop that one first, or give this one a file of its own", e.Path)
}

// A NewerError says that a newer rackmate has written the data file.
type NewerError struct {
	Path         string
	What         string // that is too new: "format", or "dialect of events"
	Schema, Know int    // the file's, and the newest known here
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("the data file %s was written by a newer rackmate (its %s is %d, and this one knows up to %d): run the newer one; the file has not been touched", e.Path, e.What, e.Schema, e.Know)
}

// A ForeignError says that a file is something else than a data file.
type ForeignError struct {
	Path string
	Err  error // what is wrong with it
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s is no data file of rackmate, or a damaged one (%v): give another file, or put a backup in its place", e.Path, e.Err)
}

func (e *ForeignError) Unwrap() error { return e.Err }

// A DamagedError says that a data file is not as it was written: cut off, or
// with bits changed.
type DamagedError struct {
	Path string
	Err  error // what was found
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the data file %s is damaged (%v): stop the host, keep the file, and put the latest backup in its place; rackmate check FILE tells whether a backup is sound", e.Path, e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// Is reports whether a target is [bot.ErrUnreadable].
func (e *DamagedError) Is(target error) bool { return target == bot.ErrUnreadable }

// guarded runs what reads the file. Damage shows as an error or a panic with a damage,
// as a panic of bbolt's, or as a fault of the memory that the file is mapped to.
func guarded(path string, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { err = damaged(path, err, recover()) }()
	return fn()
}

// damaged is the error of what ended with an error or a panic.
func damaged(path string, err error, panicked any) error {
	var found damage
	switch {
	case panicked == nil && (!errors.As(err, &found) || errors.As(err, new(*DamagedError))):
		return err
	case panicked == nil:
		return &DamagedError{path, err}
	}
	if found, ok := panicked.(damage); ok {
		return &DamagedError{path, found.error}
	}
	// bbolt's words tell an operator nothing.
	return &DamagedError{path, errors.New("its pages don't fit together")}
}

// Open opens a data file, and makes it when it isn't there, for the eyes of
// this user alone. The clock dates receipts. The errors to expect are
// *[InUseError], *[NewerError], *[ForeignError], *[DamagedError] and those of the
// file system.
func Open(path string, now func() time.Time) (d *DB, err error) {
	err = guarded(path, func() (err error) {
		d, err = open(path, now)
		return err
	})
	return d, err
}

func open(path string, now func() time.Time) (*DB, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		if err := create(path); err != nil {
			return nil, fmt.Errorf("make data file %s: %w", path, err)
		}
	case err == nil && !info.Mode().IsRegular():
		return nil, &ForeignError{path, fmt.Errorf("it is no file, its mode is %s", info.Mode())}
	case err == nil && info.Size() == 0:
		return nil, &DamagedError{path, errors.New("it is empty, which no data file ever is; if there never was anything in it, remove it")}
	}
	d := &DB{format: keyed, now: now, hints: map[string]*store.Watchers[bot.Hint]{}}
	b, err := openBolt(path, bbolt.Options{OpenFile: d.openFile})
	if err != nil {
		return nil, err
	}
	d.bolt = b
	if err := whole(b); err != nil {
		b.Close()
		return nil, &DamagedError{path, err}
	}
	if err := migrate(b); err != nil {
		b.Close()
		return nil, err
	}
	if err := d.there(); err != nil {
		b.Close()
		return nil, err
	}
	return d, nil
}

// openBolt opens the database that a data file is.
func openBolt(path string, o bbolt.Options) (*bbolt.DB, error) {
	o.Timeout = time.Second
	b, err := bbolt.Open(path, 0o600, &o)
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, &InUseError{path}
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch),
		err != nil && strings.HasPrefix(err.Error(), "file size too small"): // bbolt has no error of its own for it
		return nil, &ForeignError{path, err}
	case err != nil:
		return nil, fmt.Errorf("open data file: %w", err)
	}
	return b, nil
}

// create makes a new data file under another name first, so that what is there
// under its own is whole at any moment.
func create(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".rackmate-new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := f.Close(); err != nil {
		return err
	}
	b, err := bbolt.Open(f.Name(), 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		return err
	}
	if err := errors.Join(migrate(b), b.Close()); err != nil {
		return err
	}
	// A link takes nobody else's file away, where there are links.
	err = os.Link(f.Name(), path)
	if errors.Is(err, fs.ErrExist) {
		return nil // somebody else was first
	}
	if err != nil {
		return os.Rename(f.Name(), path)
	}
	return nil
}

// Close waits for what is going on and closes the file.
func (d *DB) Close() error {
	if stuck := d.stuck.Load(); stuck != nil {
		return stuck // bbolt would wait for that transaction
	}
	return d.bolt.Close()
}

// Backup writes a copy of the file, as it is at this moment, while the store
// goes on. An Update that makes the file larger waits until the copy is
// written, so w should be a file rather than a network.
func (d *DB) Backup(w io.Writer) error {
	return d.bolt.View(func(tx *bbolt.Tx) error {
		_, err := tx.WriteTo(w)
		return err
	})
}

// Compact rewrites a file of data that nobody uses without its free pages, which may hold
// what was removed.
func Compact(path string) (err error) {
	from, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		return fmt.Errorf("compact %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	temp := path + ".compact"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	to, err := bbolt.Open(temp, 0o600, nil)
	if err == nil {
		err = errors.Join(bbolt.Compact(to, from, 1<<20), to.Sync(), to.Close())
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return fmt.Errorf("compact %s: %w", path, err)
	}
	return nil
}

// CopyUnlocked writes a copy of a data file without keeping anybody from it. whole says
// that nobody wrote to it meanwhile; otherwise the copy is worth nothing.
func CopyUnlocked(path string, w io.Writer) (whole bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	before, err := metas(f)
	if err != nil {
		return false, &DamagedError{path, err}
	}
	if _, err := io.Copy(w, f); err != nil {
		return false, err
	}
	after, err := metas(f)
	return bytes.Equal(before, after), err
}

// metas are the file's meta pages, one of which changes with each commit.
func metas(f io.ReaderAt) ([]byte, error) {
	const largest = 64 << 10 // page
	b := make([]byte, largest+headSize+metaSize)
	n, err := f.ReadAt(b, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	var both []byte
	for size := 1 << 10; size <= largest && size+headSize+metaSize <= n; size *= 2 {
		both = append(both, b[size:][:headSize+metaSize]...)
	}
	if len(both) == 0 && err == nil {
		err = fmt.Errorf("it has %d bytes", n)
	}
	return append(both, b[:headSize+metaSize]...), err
}

// read runs fn on the store as it is at this moment. It waits for no writer.
func (d *DB) read(ctx context.Context, fn func(*txn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return guarded(d.bolt.Path(), func() error {
		return d.bolt.View(func(tx *bbolt.Tx) error { return fn(&txn{Tx: tx, format: d.format}) })
	})
}
