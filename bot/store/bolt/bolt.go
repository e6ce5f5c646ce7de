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
//	lines     adapter, journal, number      a line
//	linekeys  adapter, journal, key         a line's number
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
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
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
	bucketLines    = []byte("lines")
	bucketLineKeys = []byte("linekeys")

	keySchema = []byte("schema")
)

// A DB is a data file that is open. It is a [bot.Store].
type DB struct {
	bolt *bbolt.DB
	now  func() time.Time

	cache    store.Cache
	line     line
	refusals refusals

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
	Schema, Know int // versions: the file's, and the newest known here
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("the data file %s was written by a newer rackmate (its format is %d, and this one knows up to %d): run the newer one; the file has not been touched", e.Path, e.Schema, e.Know)
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

// guarded runs what reads the file. Damage shows as a panic, or as a fault of
// the memory that the file is mapped to.
func guarded(path string, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = &DamagedError{path, fmt.Errorf("%v", r)}
		}
	}()
	return fn()
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
	case err == nil && info.Size() == 0:
		return nil, &DamagedError{path, errors.New("it is empty, which no data file ever is; if there never was anything in it, remove it")}
	}
	b, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, &InUseError{path}
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch),
		err != nil && strings.HasPrefix(err.Error(), "file size too small"): // bbolt has no error of its own for it
		return nil, &ForeignError{path, err}
	case err != nil:
		return nil, fmt.Errorf("open data file: %w", err)
	}
	if err := whole(b); err != nil {
		b.Close()
		return nil, &DamagedError{path, err}
	}
	if err := migrate(b); err != nil {
		b.Close()
		return nil, err
	}
	return &DB{bolt: b, now: now, hints: map[string]*store.Watchers[bot.Hint]{}}, nil
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

// whole looks whether a file is as long as it should be, and has its buckets. It
// takes no longer for a large file.
func whole(b *bbolt.DB) error {
	return b.View(func(tx *bbolt.Tx) error {
		info, err := os.Stat(b.Path())
		if err != nil {
			return err
		}
		if info.Size() < tx.Size() {
			return fmt.Errorf("it has %d bytes of %d", info.Size(), tx.Size())
		}
		if err := checkEnds(tx); err != nil {
			return err
		}
		return tx.ForEach(func(name []byte, bucket *bbolt.Bucket) error {
			for _, end := range []func() ([]byte, []byte){bucket.Cursor().First, bucket.Cursor().Last} {
				end()
			}
			return nil
		})
	})
}

// A Summary says in a few numbers what a data file has, so that its operator
// recognizes it.
type Summary struct {
	Tables int
	People int       // whom the tables' events name
	Last   time.Time // when something happened last at a table; zero where nothing did
}

// Check looks through the whole file: its structure, and that every table can
// be read. It counts what is there, and gives all that is wrong, up to a hundred.
func (d *DB) Check(ctx context.Context) (s Summary, found []error) {
	err := guarded(d.bolt.Path(), func() error {
		return d.bolt.View(func(tx *bbolt.Tx) error {
			if err := checkPages(tx); err != nil {
				found = append(found, err)
				return nil
			}
			for err := range tx.Check() { // to its end, or it goes on for ever
				if len(found) < 100 {
					found = append(found, err)
				}
			}
			if len(found) > 0 {
				return nil
			}
			s.People = people(tx)
			return tx.Bucket(bucketTables).ForEach(func(k, _ []byte) error {
				s.Tables++
				var cache store.Cache
				list, err := events(tx, &cache, bot.TableID(lastNumber(k)), -1)
				if err != nil && len(found) < 100 {
					found = append(found, err)
				}
				if n := len(list); n > 0 && list[n-1].At.After(s.Last) {
					s.Last = list[n-1].At
				}
				return ctx.Err()
			})
		})
	})
	if err != nil {
		found = append(found, err)
	}
	return s, found
}

// people is how many people the tables' events name.
func people(tx *bbolt.Tx) (n int) {
	var before []byte
	c := tx.Bucket(bucketNamed).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		if person := k[:len(k)-len(number(0))]; !bytes.Equal(person, before) {
			before = person
			n++
		}
	}
	return n
}

// migrations bring a file from one version to the next: the first one from
// version 0, which is an empty file, to 1.
func migrations() []func(*bbolt.Tx) error {
	return []func(*bbolt.Tx) error{makeBuckets, nameEverybody}
}

// migrate brings a file up to date, all the way or not at all.
func migrate(b *bbolt.DB) error {
	steps := migrations()
	schema, empty := 0, true
	if err := b.View(func(tx *bbolt.Tx) error {
		if meta := tx.Bucket(bucketMeta); meta != nil {
			if v := meta.Get(keySchema); len(v) == 8 {
				schema = int(binary.BigEndian.Uint64(v))
			}
		}
		k, _ := tx.Cursor().First()
		empty = k == nil
		return nil
	}); err != nil {
		return err
	}
	switch {
	case schema == len(steps):
		return nil
	case schema > len(steps):
		return &NewerError{b.Path(), schema, len(steps)}
	case schema == 0 && !empty:
		return &ForeignError{b.Path(), errors.New("another program's database")}
	}
	return b.Update(func(tx *bbolt.Tx) error {
		for _, step := range steps[schema:] {
			if err := step(tx); err != nil {
				return fmt.Errorf("bring data file %s up to date: %w", b.Path(), err)
			}
		}
		return tx.Bucket(bucketMeta).Put(keySchema, number(uint64(len(steps))))
	})
}

func makeBuckets(tx *bbolt.Tx) error {
	for _, name := range [][]byte{
		bucketMeta, bucketTables, bucketLatest, bucketEvents, bucketPlaying, bucketReceipts, bucketFiled, bucketPosts,
		bucketLanes, bucketHeads, bucketTimers, bucketAlarms, bucketNotes, bucketLines, bucketLineKeys,
	} {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return nil
}

// nameEverybody makes the index of the people whom events name.
func nameEverybody(tx *bbolt.Tx) error {
	if _, err := tx.CreateBucket(bucketNamed); err != nil {
		return err
	}
	var cache store.Cache
	return tx.Bucket(bucketTables).ForEach(func(k, _ []byte) error {
		table := bot.TableID(lastNumber(k))
		list, err := events(tx, &cache, table, -1)
		if err != nil {
			return err
		}
		return note(tx, table, list)
	})
}

// Close waits for what is going on and closes the file.
func (d *DB) Close() error { return d.bolt.Close() }

// Backup writes a copy of the file, as it is at this moment, while the store
// goes on. An Update that makes the file larger waits until the copy is
// written, so w should be a file rather than a network.
func (d *DB) Backup(w io.Writer) error {
	return d.bolt.View(func(tx *bbolt.Tx) error {
		_, err := tx.WriteTo(w)
		return err
	})
}

// read runs fn on the store as it is at this moment. It waits for no writer.
func (d *DB) read(ctx context.Context, fn func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return guarded(d.bolt.Path(), func() error { return d.bolt.View(fn) })
}
