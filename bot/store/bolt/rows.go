package bolt

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot/store"
)

// sealed is the first format whose rows have seals.
const sealed = 3

// sealSize is the length of a seal in bytes. The seal follows the row's content.
const sealSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal returns the checksum of a row: CRC-32C of its bucket's name, its key and its value. The
// length of the key is included, so that the border between key and value can't move.
func seal(bucket, key, value []byte) uint32 {
	sum := crc32.Update(0, castagnoli, bucket) ^ uint32(len(key))
	return crc32.Update(crc32.Update(sum, castagnoli, key), castagnoli, value)
}

// appendSeal returns a value as it is stored.
func appendSeal(bucket, key, value []byte) []byte {
	stored := append(make([]byte, 0, len(value)+sealSize), value...)
	return binary.BigEndian.AppendUint32(stored, seal(bucket, key, value))
}

// A damage is the panic value for a row that isn't as it was written, wherever it is read. The code
// that begins a transaction recovers it; see guard.
type damage struct{ error }

func (d damage) Unwrap() error { return d.error }

// try runs a function that reads a few rows, and returns damage there as an error, so that it
// affects nothing else.
func try(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			found, ok := r.(damage)
			if !ok {
				panic(r)
			}
			err = found
		}
	}()
	return fn()
}

// A txn is a transaction whose rows are checked against their seals.
type txn struct {
	*bbolt.Tx
	format int
	theirs bool // the caller's code is running, so a panic isn't the file's damage
}

// call runs the caller's code.
func (tx *txn) call(fn func() error) error {
	tx.theirs = true // stays set if fn panics
	err := fn()
	tx.theirs = false
	return err
}

// Bucket returns a bucket. It panics with a damage if the bucket is missing.
func (tx *txn) Bucket(name []byte) *bucket {
	b := tx.Tx.Bucket(name)
	if b == nil {
		panic(damage{fmt.Errorf("the bucket %s is missing", name)})
	}
	return &bucket{b, name, tx.format >= sealed}
}

// counter returns the last number assigned in a bucket.
func (tx *txn) counter(of []byte) uint64 {
	if tx.format < sealed {
		return tx.Tx.Bucket(of).Sequence()
	}
	v := tx.Bucket(bucketMeta).Get(counterKey(of))
	if len(v) != 8 { // a sealed file has all of them from the beginning
		panic(damage{fmt.Errorf("the row %q of %s is missing", counterKey(of), bucketMeta)})
	}
	return lastNumber(v)
}

func (tx *txn) setCounter(of []byte, n uint64) error {
	if tx.format < sealed {
		return tx.Tx.Bucket(of).SetSequence(n)
	}
	return tx.Bucket(bucketMeta).Put(counterKey(of), number(n))
}

// next assigns the next number in a bucket.
func (tx *txn) next(of []byte) (uint64, error) {
	n := tx.counter(of) + 1
	return n, tx.setCounter(of, n)
}

func counterKey(of []byte) []byte { return append([]byte("last of "), of...) }

// A bucket is a bbolt bucket with sealed rows.
type bucket struct {
	b      *bbolt.Bucket
	name   []byte
	sealed bool
}

// Get returns a value, or nil if there is none. An empty value isn't nil.
func (b *bucket) Get(key []byte) []byte {
	v := b.b.Get(key)
	if v == nil {
		return nil
	}
	v, err := b.open(key, v)
	if err != nil {
		panic(damage{err})
	}
	return v
}

func (b *bucket) Put(key, value []byte) error {
	if b.sealed {
		value = appendSeal(b.name, key, value)
	}
	return b.b.Put(key, value)
}

func (b *bucket) Delete(key []byte) error { return b.b.Delete(key) }

// open removes the seal from a value, and returns an error if it doesn't match.
func (b *bucket) open(key, stored []byte) ([]byte, error) {
	if !b.sealed {
		return stored, nil
	}
	end := len(stored) - sealSize
	if end < 0 || binary.BigEndian.Uint32(stored[end:]) != seal(b.name, key, stored[:end]) {
		return nil, fmt.Errorf("the row %x of %s isn't as it was written", key, b.name)
	}
	return stored[:end:end], nil
}

// ForEach calls fn with each row, in order.
func (b *bucket) ForEach(fn func(k, v []byte) error) error {
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if err := fn(k, v); err != nil {
			return err
		}
	}
	return nil
}

func (b *bucket) Cursor() *cursor { return &cursor{c: b.b.Cursor(), b: b} }

// A cursor iterates over the rows of a bucket.
type cursor struct {
	c *bbolt.Cursor
	b *bucket
	// skip is called with the errors of damaged rows, which are skipped; if it is nil, damage ends
	// the transaction.
	skip func(error)
}

func (c *cursor) First() (k, v []byte)          { return c.open(c.c.Next)(c.c.First()) }
func (c *cursor) Last() (k, v []byte)           { return c.open(c.c.Prev)(c.c.Last()) }
func (c *cursor) Next() (k, v []byte)           { return c.open(c.c.Next)(c.c.Next()) }
func (c *cursor) Prev() (k, v []byte)           { return c.open(c.c.Prev)(c.c.Prev()) }
func (c *cursor) Seek(key []byte) (k, v []byte) { return c.open(c.c.Next)(c.c.Seek(key)) }

// open opens the row at the cursor, or the next sound one.
func (c *cursor) open(on func() (k, v []byte)) func(k, v []byte) ([]byte, []byte) {
	return func(k, v []byte) ([]byte, []byte) {
		for ; k != nil; k, v = on() {
			opened, err := c.b.open(k, v)
			if err == nil {
				return k, opened
			}
			if c.skip == nil {
				panic(damage{err})
			}
			c.skip(err)
		}
		return nil, nil
	}
}

// rowVersion is the version of all rows here. A change that makes older rows unreadable needs a new
// version and a migration.
const rowVersion = 1

type version struct {
	V int `json:"v"`
}

func (v *version) set()        { v.V = rowVersion }
func (v *version) number() int { return v.V }

// A row is a pointer to one of the types below.
type row interface {
	set()
	number() int
}

type tableRow struct {
	version
	Channel string   `json:"channel"`
	Seated  []string `json:"seated,omitempty"`
}

type receiptRow struct {
	version
	Table uint64    `json:"table,omitempty"`
	From  int       `json:"from"`
	To    int       `json:"to"`
	Filed time.Time `json:"filed"`
}

type postRow struct {
	version
	Channel string    `json:"channel"`
	Table   uint64    `json:"table"`
	From    int       `json:"from"`
	To      int       `json:"to"`
	For     string    `json:"for,omitempty"`
	Kind    string    `json:"kind,omitempty"`
	At      time.Time `json:"at,omitzero"`
	Tries   int       `json:"tries,omitempty"`
	Until   time.Time `json:"until,omitzero"`
}

type timerRow struct {
	version
	At      time.Time `json:"at"`
	Channel string    `json:"channel"`
	Table   uint64    `json:"table"`
	Number  int       `json:"number,omitempty"`
	Kind    string    `json:"kind,omitempty"`
}

func putRow(b *bucket, key []byte, r row) error {
	r.set()
	v, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return b.Put(key, v)
}

// getRow reads a row. ok is false if there is none.
func getRow(b *bucket, key []byte, r row) (ok bool, err error) {
	v := b.Get(key)
	if v == nil {
		return false, nil
	}
	if err := json.Unmarshal(v, r); err != nil {
		return false, damage{fmt.Errorf("read row %x of %s: %w", key, b.name, err)}
	}
	if r.number() != rowVersion {
		return false, damage{fmt.Errorf("read row %x of %s: its version is %d, not %d", key, b.name, r.number(), rowVersion)}
	}
	return true, nil
}

// mustRow reads a row that another row, or an index key, points to.
func mustRow(b *bucket, key []byte, r row) error {
	ok, err := getRow(b, key, r)
	if err == nil && !ok {
		err = damage{fmt.Errorf("the row %x of %s is missing", key, b.name)}
	}
	return err
}

// changeRow replaces a row that was read. Fields of a newer version are kept.
func changeRow(b *bucket, key []byte, r row) error {
	old := b.Get(key)
	if old == nil {
		return putRow(b, key, r)
	}
	r.set()
	v, err := store.KeepUnknown(old, r)
	if err != nil {
		return err
	}
	return b.Put(key, v)
}
