// Package bolt implements [bot.Store] in one file, for a host that is a single process: the
// default, which needs no setup. It also stores the adapters' notes.
//
// The file is a bbolt database. A bucket is a table of rows in the order of their keys. Keys
// consist of names, numbers and times (see keys.go), so that what is needed next always lies next
// to what was needed before:
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
//	heads     platform, time, post          - (the first post of each queue)
//	timers    timer                         timerRow
//	alarms    time, timer                   -
//	notes     adapter, shelf, key           a value
//
// Each row ends with a seal: four bytes, the CRC-32C of the bucket's name, the key and the value
// (see rows.go). It is checked whenever the row is read, so that a changed row is never believed.
// An event is preceded by its [record.Link], so that a table's events form a chain. The bucket meta
// also has the counters, because bbolt's own have no seal. Its row "schema" has no seal either, so
// that older programs can read it.
//
// Rows are versioned JSON. Their types differ from those in package bot, which can therefore change
// while stored rows stay readable: here fields are added or dropped, never renamed.
//
// # Caveats
//
// Claims and hints are kept in memory, because no other process can have the file open: all holders
// die with the process.
//
// There is one writer at a time, and fn runs inside Update's transaction. It must not call a method
// of the store that writes.
//
// Writes that arrive while a commit waits for the disk are committed together after it (see
// commit.go). This doesn't use bbolt's Batch, which waits up to 10 ms for more writes, and rolls
// all of them back and runs them again if one fails.
//
// What a transaction reads is the file's mapped memory, and invalid after it. It must be copied or
// decoded before it leaves this package.
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
	bucketQueues   = []byte("lanes")
	bucketHeads    = []byte("heads")
	bucketTimers   = []byte("timers")
	bucketAlarms   = []byte("alarms")
	bucketNotes    = []byte("notes")
	bucketLines    = []byte("lines")    // until format 3
	bucketLineKeys = []byte("linekeys") // until format 3
)

// A DB is an open data file. It is a [bot.Store].
type DB struct {
	bolt   *bbolt.DB
	file   *os.File // as it was opened
	format int
	now    func() time.Time

	cache    store.Cache
	queue    writeQueue
	stuck    atomic.Pointer[DamagedError] // damage that kept a transaction from ending
	troubles store.Troubles

	store.Claims
	store.Watchers[bot.ChannelID]

	mu    sync.Mutex
	hints map[string]*store.Watchers[bot.Hint] // by adapter
}

// An InUseError means that another process has the data file open.
type InUseError struct{ Path string }

func (e *InUseError) Error() string {
	return fmt.Sprintf("the data file %s is in use: another rackmate is running with it; stop that one first, or give this one a file of its own", e.Path)
}

// A NewerError means that a newer rackmate wrote the data file.
type NewerError struct {
	Path         string
	What         string // what is too new: "format", or "dialect of events"
	Schema, Know int    // the file's, and the newest one known here
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("the data file %s was written by a newer rackmate (its %s is %d, and this one knows up to %d): run the newer one; the file has not been touched", e.Path, e.What, e.Schema, e.Know)
}

// A ForeignError means that a file isn't a data file.
type ForeignError struct {
	Path string
	Err  error // what is wrong with it
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s isn't a Rackmate data file, or is damaged (%v): name another file, or put a backup in its place", e.Path, e.Err)
}

func (e *ForeignError) Unwrap() error { return e.Err }

// A DamagedError means that a data file isn't as it was written: it is cut off, or bits have
// changed.
type DamagedError struct {
	Path string
	Err  error // the damage found
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the data file %s is damaged (%v): stop the host, keep the file, and put the latest backup in its place; rackmate check FILE tells whether a backup is sound", e.Path, e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// Is reports whether a target is [bot.ErrUnreadable].
func (e *DamagedError) Is(target error) bool { return target == bot.ErrUnreadable }

// guard runs a function that reads the file. It returns damage as an error, whether it shows as
// an error or a panic with a damage, as a panic of bbolt, or as a fault of the mapped memory.
func guard(path string, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { err = damageError(path, err, recover()) }()
	return fn()
}

// damageError returns the error for a function that ended with an error or a panic.
func damageError(path string, err error, panicked any) error {
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
	return &DamagedError{path, errMisfit}
}

// errMisfit replaces what bbolt says of its pages, which means nothing to an operator.
var errMisfit = errors.New("its pages don't fit together")

// Now returns the time that the host goes by: its own, since no other process uses the file.
func (d *DB) Now() time.Time { return d.now() }

// Open opens a data file, or creates it, readable only by this user, if it doesn't exist. now is
// its clock. The errors to expect are *[InUseError], *[NewerError], *[ForeignError], *[DamagedError]
// and file system errors.
func Open(path string, now func() time.Time) (d *DB, err error) {
	err = guard(path, func() (err error) {
		d, err = open(path, now)
		return err
	})
	return d, err
}

func open(path string, now func() time.Time) (*DB, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		if err := create(path); err != nil {
			var why *fs.PathError
			if errors.As(err, &why) {
				err = why.Err // the path is a temporary file's
			}
			return nil, fmt.Errorf("can't create data file %s: %w. Create its folder, owned by the user who runs the host, or name another file with --data", path, err)
		}
	case err == nil && info.IsDir():
		return nil, &ForeignError{path, errors.New("it is a folder")}
	case err == nil && !info.Mode().IsRegular():
		return nil, &ForeignError{path, fmt.Errorf("it isn't a file (mode %s)", info.Mode())}
	case err == nil && info.Size() == 0:
		return nil, &DamagedError{path, errors.New("it is empty, which no data file ever is; if there never was anything in it, remove it")}
	}
	d := &DB{format: keyed, now: now, hints: map[string]*store.Watchers[bot.Hint]{}}
	b, err := openBolt(path, bbolt.Options{OpenFile: d.openFile})
	if err != nil {
		return nil, err
	}
	d.bolt = b
	if err := checkWhole(b); err != nil {
		b.Close()
		return nil, &DamagedError{path, err}
	}
	if err := migrate(b); err != nil {
		b.Close()
		return nil, err
	}
	if err := d.checkInPlace(); err != nil {
		b.Close()
		return nil, err
	}
	return d, nil
}

// openBolt opens a data file as a bbolt database.
func openBolt(path string, o bbolt.Options) (*bbolt.DB, error) {
	o.Timeout = time.Second
	b, err := bbolt.Open(path, 0o600, &o)
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, &InUseError{path}
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch),
		err != nil && strings.HasPrefix(err.Error(), "file size too small"): // bbolt has no error value for this
		return nil, &ForeignError{path, err}
	case err != nil:
		return nil, fmt.Errorf("open data file: %w", err)
	}
	return b, nil
}

// create makes a new data file under a temporary name first, so that the file under the final name
// is complete at any moment.
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
	// Unlike a rename, a link never replaces an existing file, if the file system supports links.
	err = os.Link(f.Name(), path)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process was first
	}
	if err != nil {
		return os.Rename(f.Name(), path)
	}
	return nil
}

// Leave implements [bot.Claims].
func (d *DB) Leave(ctx context.Context, h bot.Holder) error {
	err := d.Claims.Leave(ctx, h)
	if err == nil {
		d.Hint("")
	}
	return err
}

// Close waits for running transactions and closes the file.
func (d *DB) Close() error {
	if stuck := d.stuck.Load(); stuck != nil {
		return stuck // bbolt would wait for that transaction
	}
	return d.bolt.Close()
}

// Backup writes a copy of the file as it is at this moment, without removed data. The store can
// stay in use. An Update that makes the file larger waits until the copy is written, so w
// should be a file rather than a network.
func (d *DB) Backup(w io.Writer) error { return backUp(d.bolt, w) }

func backUp(b *bbolt.DB, w io.Writer) error {
	return b.View(func(tx *bbolt.Tx) error {
		to, err := omitFree(tx, w)
		if err != nil { // a damaged file is copied as it is
			_, err = tx.WriteTo(w)
			return err
		}
		_, err = tx.WriteTo(to)
		return err
	})
}

// BackupOf works like [DB.Backup] for a data file that no process has open. A file that can't be
// opened is copied as it is.
func BackupOf(path string, w io.Writer) error {
	err := guard(path, func() error {
		b, err := openBolt(path, bbolt.Options{ReadOnly: true})
		if err != nil {
			return &DamagedError{path, err}
		}
		return errors.Join(backUp(b, w), b.Close())
	})
	if !errors.As(err, new(*DamagedError)) {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// Compact rewrites an unused data file without its free pages, which may hold removed data.
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

// CopyUnlocked writes a copy of a data file without locking it. If whole is false, another process
// wrote to the file meanwhile and the copy is worthless.
func CopyUnlocked(path string, w io.Writer) (whole bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	before, err := readMetas(f)
	if err != nil {
		return false, &DamagedError{path, err}
	}
	if _, err := io.Copy(w, f); err != nil {
		return false, err
	}
	after, err := readMetas(f)
	return bytes.Equal(before, after), err
}

// readMetas returns the file's meta pages, one of which changes with each commit.
func readMetas(f io.ReaderAt) ([]byte, error) {
	const largest = 64 << 10 // page size
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

// read runs fn on the current state of the store. It doesn't wait for a writer.
func (d *DB) read(ctx context.Context, fn func(*txn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return d.noteDamage(guard(d.bolt.Path(), func() error {
		return d.bolt.View(func(tx *bbolt.Tx) error { return fn(&txn{Tx: tx, format: d.format}) })
	}))
}
