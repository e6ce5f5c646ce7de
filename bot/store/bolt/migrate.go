package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game/record"
)

// migrations returns the steps from each format to the next, up to the last format without
// seals. The first step goes from format 0, which is an empty file, to 1.
func migrations() []func(*txn) error {
	return []func(*txn) error{makeBuckets, indexAllPeople}
}

var (
	// keySchema is the key of the format without a seal, keyFormat with one.
	keySchema = []byte("schema")
	keyFormat = []byte("format")
	// keyDialect is the key of the events' highest dialect, if that isn't 1.
	keyDialect = []byte("dialect")
	// keySealing is the key of the progress of a file that is being sealed.
	keySealing = []byte("sealing")
)

// formatOf returns a file's format, or 0 if it is empty. unfinished reports whether the migration
// to that format is still under way.
func formatOf(tx *bbolt.Tx) (format int, unfinished bool, err error) {
	path := tx.DB().Path()
	meta := tx.Bucket(bucketMeta)
	if meta == nil {
		if k, _ := tx.Cursor().First(); k == nil {
			return 0, false, nil
		}
		return 0, false, &ForeignError{path, errors.New("another program's database")}
	}
	if v := meta.Get(keySchema); len(v) == 8 {
		format = int(binary.BigEndian.Uint64(v))
	}
	stated := meta.Get(keyFormat)
	switch {
	case format == 0 && stated == nil:
		return 0, false, &ForeignError{path, errors.New("another program's database")}
	case format > keyed:
		return 0, false, &NewerError{path, "format", format, keyed}
	case (stated != nil) != (format >= sealed),
		stated != nil && !bytes.Equal(stated, appendSeal(bucketMeta, keyFormat, number(uint64(format)))):
		return 0, false, &DamagedError{path, fmt.Errorf("its format is %d in one place and another elsewhere", format)}
	}
	if format >= sealed {
		tx := &txn{Tx: tx, format: format}
		if dialect := tx.dialect(); dialect > record.Dialect {
			return 0, false, &NewerError{path, "dialect of events", dialect, record.Dialect}
		}
	}
	return format, meta.Get(keySealing) != nil || format == keyed && tx.Bucket(bucketLineKeys) != nil, nil
}

// dialectOf and dialectOfNote are the functions of [record], replaceable in tests.
var (
	dialectOf     = record.DialectOf
	dialectOfNote = record.DialectOfNote
)

// dialect returns the highest dialect of the events in the file.
func (tx *txn) dialect() int {
	if v := tx.Bucket(bucketMeta).Get(keyDialect); len(v) == 8 {
		return int(lastNumber(v))
	}
	return 1
}

// recordDialect records the dialect of what is stored.
func (tx *txn) recordDialect(dialect int) error {
	if dialect > 1 && dialect > tx.dialect() {
		return tx.Bucket(bucketMeta).Put(keyDialect, number(uint64(dialect)))
	}
	return nil
}

// migrate brings a file up to date. Up to the seals this is all or nothing; the later steps
// continue where they were interrupted.
func migrate(b *bbolt.DB) error {
	for {
		var format int
		var unfinished bool
		err := b.View(func(tx *bbolt.Tx) (err error) {
			format, unfinished, err = formatOf(tx)
			return err
		})
		if err != nil || format == keyed && !unfinished {
			return err
		}
		if err := b.Update(func(bare *bbolt.Tx) error { return migrateStep(&txn{Tx: bare, format: format}, unfinished, atOnce) }); err != nil {
			return fmt.Errorf("bring data file %s up to date: %w", b.Path(), err)
		}
	}
}

// migrateStep does the next step of a migration, with up to size bytes of rows.
func migrateStep(tx *txn, unfinished bool, size int) error {
	switch {
	case tx.format < sealed:
		for _, step := range migrations()[tx.format:] {
			if err := step(tx); err != nil {
				return err
			}
		}
		return beginSealing(tx)
	case tx.format == sealed && unfinished:
		return sealSome(tx, size)
	case tx.format == sealed:
		return tx.setFormat(keyed)
	}
	return migrateKeys(tx, size)
}

// setFormat records a file's format, so that no older program touches it.
func (tx *txn) setFormat(format int) error {
	tx.format = format
	meta := tx.Bucket(bucketMeta)
	if err := meta.Put(keyFormat, number(uint64(format))); err != nil {
		return err
	}
	return meta.b.Put(keySchema, number(uint64(format)))
}

func makeBuckets(tx *txn) error {
	for _, name := range [][]byte{
		bucketMeta, bucketTables, bucketLatest, bucketEvents, bucketPlaying, bucketReceipts, bucketFiled, bucketPosts,
		bucketQueues, bucketHeads, bucketTimers, bucketAlarms, bucketNotes, bucketLines, bucketLineKeys,
	} {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return nil
}

// indexAllPeople builds the index of the people whom events name.
func indexAllPeople(tx *txn) error {
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
		return indexPeople(tx, table, list)
	})
}

// buckets lists all buckets but meta, as of the format that introduced seals.
var buckets = [][]byte{
	bucketTables, bucketLatest, bucketEvents, bucketPlaying, bucketNamed, bucketReceipts, bucketFiled, bucketPosts,
	bucketQueues, bucketHeads, bucketTimers, bucketAlarms, bucketNotes, bucketLines, bucketLineKeys,
}

// beginSealing records that a file has the sealed format, so that no older program touches it, and
// that its rows aren't all sealed yet.
func beginSealing(tx *txn) error {
	meta := tx.Tx.Bucket(bucketMeta)
	carried := meta.Get(keyCarried)
	if carried != nil {
		carried = appendSeal(bucketMeta, keyCarried, carried)
	}
	tx.format = sealed
	for _, of := range [][]byte{bucketTables, bucketPosts, bucketTimers} {
		if err := tx.setCounter(of, tx.Tx.Bucket(of).Sequence()); err != nil {
			return err
		}
	}
	if carried != nil {
		if err := meta.Put(keyCarried, carried); err != nil {
			return err
		}
	}
	if err := tx.Bucket(bucketMeta).Put(keySealing, nil); err != nil {
		return err
	}
	return tx.setFormat(sealed)
}

// atOnce is roughly how many bytes of rows a step changes in one transaction.
const atOnce = 8 << 20

// sealSome seals the next rows without a seal, and records the last one: the index of its bucket in
// buckets, and its key.
func sealSome(tx *txn, atOnce int) error {
	meta := tx.Bucket(bucketMeta)
	at := bytes.Clone(meta.Get(keySealing))
	from, after := 0, []byte(nil)
	if len(at) > 0 {
		from, after = int(at[0]), at[1:]
	}
	size := 0
	for i := from; i < len(buckets); i, after = i+1, nil {
		b := tx.Bucket(buckets[i])
		var before []byte // the previous sealed row of events
		if len(after) > 0 {
			before = b.Get(after)
		}
		type pair struct{ k, v []byte }
		var rows []pair
		c := b.b.Cursor()
		k, v := c.First()
		if len(after) > 0 {
			if k, v = c.Seek(after); bytes.Equal(k, after) {
				k, v = c.Next()
			}
		}
		for ; k != nil && size < atOnce; k, v = c.Next() {
			rows = append(rows, pair{bytes.Clone(k), bytes.Clone(v)})
			size += len(k) + len(v)
		}
		for _, r := range rows {
			if bytes.Equal(buckets[i], bucketEvents) {
				r.v = withLink(after, before, r.k, r.v)
			}
			if err := b.Put(r.k, r.v); err != nil {
				return err
			}
			after, before = r.k, r.v
		}
		if k != nil {
			return meta.Put(keySealing, append([]byte{byte(i)}, after...))
		}
	}
	if err := meta.Delete(keySealing); err != nil {
		return err
	}
	return tx.setFormat(keyed)
}

// withLink returns an event of an older format with its link to the one before, if that is in the
// same table.
func withLink(keyBefore, before, key, data []byte) []byte {
	var link record.Link
	if table := key[:len(key)-8]; lastNumber(key) > 0 && bytes.HasPrefix(keyBefore, table) && len(before) >= len(link) {
		link = record.Link(before[:len(link)]).Next(before[len(link):])
	}
	return append(link[:], data...)
}

// keyed is the first format whose journals are notes.
const keyed = 4

// migrateKeys turns the next rows of the journals into notes, and removes the journals' buckets once
// they are empty.
func migrateKeys(tx *txn, atOnce int) error {
	for _, of := range [][]byte{bucketLines, bucketLineKeys} {
		from := tx.Tx.Bucket(of)
		if from == nil {
			continue
		}
		type pair struct{ k, v []byte }
		var rows []pair
		c := from.Cursor()
		k, v := c.First()
		for ; k != nil && atOnce > 0; k, v = c.Next() {
			rows = append(rows, pair{bytes.Clone(k), bytes.Clone(v)})
			atOnce -= len(k) + len(v)
		}
		for _, r := range rows {
			if err := migrateKey(tx, &bucket{from, of, true}, r.k, r.v); err != nil {
				return err
			}
			if err := from.Delete(r.k); err != nil {
				return err
			}
		}
		if k != nil {
			return nil
		}
		if err := tx.DeleteBucket(of); err != nil {
			return err
		}
	}
	return nil
}

// migrateKey turns a row of a journal into a note. A damaged row stays damaged: it keeps its seal,
// which doesn't match the new place.
func migrateKey(tx *txn, of *bucket, key, stored []byte) error {
	record := lineRecord
	if bytes.Equal(of.name, bucketLineKeys) {
		record = lineKeyRecord
	}
	value, damaged := of.open(key, stored)
	if damaged != nil {
		value = number(0)
	}
	r, err := record(tx, key, value)
	switch {
	case err != nil:
		return tx.Tx.Bucket(bucketNotes).Put(key, stored)
	case damaged != nil:
		return tx.Tx.Bucket(bucketNotes).Put(noteKey(r.(store.Note)), stored)
	}
	return carryRecord(tx, r)
}
