package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	rows "github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
)

var _ store.Carrier = (*DB)(nil)

// keyCarried is the key in the bucket meta under which an unfinished file has the number of its
// records.
var keyCarried = []byte("carried")

// Records implements [store.Carrier].
func (d *DB) Records(ctx context.Context, fn func(store.Record) error) error {
	return d.read(ctx, func(tx *txn) error {
		return eachRecord(ctx, tx, func(r store.Record, err error) error {
			if err != nil {
				return err
			}
			return fn(r)
		})
	})
}

// eachRecord calls fn with all records, and with the error of each one that can't be read.
func eachRecord(ctx context.Context, tx *txn, fn func(store.Record, error) error) error {
	for _, b := range []struct {
		bucket []byte
		record func(tx *txn, k, v []byte) (store.Record, error)
	}{
		{bucketTables, tableRecord}, {bucketReceipts, receiptRecord}, {bucketPosts, postRecord}, {bucketTimers, timerRecord},
		{bucketNotes, noteRecord}, {bucketLines, lineRecord}, {bucketLineKeys, lineKeyRecord},
	} {
		if tx.Tx.Bucket(b.bucket) == nil && tx.format >= keyed {
			continue
		}
		var failed error
		c := tx.Bucket(b.bucket).Cursor()
		c.skip = func(err error) { failed = errors.Join(failed, fn(nil, damage{err})) }
		for k, v := c.First(); k != nil; k, v = c.Next() {
			if err := errors.Join(ctx.Err(), failed); err != nil {
				return err
			}
			var r store.Record
			err := try(func() (err error) {
				r, err = b.record(tx, k, v)
				return err
			})
			if err != nil {
				err = fmt.Errorf("read %s: %w", b.bucket, err)
			}
			if err := fn(r, err); err != nil {
				return err
			}
		}
		if failed != nil {
			return failed
		}
	}
	return fn(store.Counters{Tables: tx.counter(bucketTables), Posts: tx.counter(bucketPosts), Timers: tx.counter(bucketTimers)}, nil)
}

func tableRecord(tx *txn, k, _ []byte) (store.Record, error) {
	var r tableRow
	if err := mustRow(tx.Bucket(bucketTables), k, &r); err != nil {
		return nil, err
	}
	t := store.Table{ID: bot.TableID(lastNumber(k)), Channel: bot.ChannelID(r.Channel)}
	for _, p := range r.Seated {
		t.Seated = append(t.Seated, game.PlayerID(p))
	}
	c := tx.Bucket(bucketEvents).Cursor()
	last, _ := seekBefore(c, number(uint64(t.ID)+1))
	if !bytes.HasPrefix(last, k) {
		return t, nil
	}
	stored, err := eventRows(tx, c, t.ID, 0, int(min(lastNumber(last), math.MaxInt32))+1)
	for _, data := range stored {
		t.Events = append(t.Events, bytes.Clone(data))
	}
	return t, err
}

func receiptRecord(tx *txn, k, _ []byte) (store.Record, error) {
	var r receiptRow
	if err := mustRow(tx.Bucket(bucketReceipts), k, &r); err != nil {
		return nil, err
	}
	ch, request, _, err := cutNames(k)
	return store.Receipt{
		Channel: bot.ChannelID(ch), Request: request, Filed: r.Filed.UTC(),
		Receipt: bot.Receipt{Table: bot.TableID(r.Table), From: r.From, To: r.To},
	}, err
}

func postRecord(tx *txn, k, _ []byte) (store.Record, error) {
	var r postRow
	err := mustRow(tx.Bucket(bucketPosts), k, &r)
	return store.Post{Post: r.post(lastNumber(k)), Until: r.Until.UTC()}, err
}

func timerRecord(tx *txn, k, _ []byte) (store.Record, error) {
	var r timerRow
	err := mustRow(tx.Bucket(bucketTimers), k, &r)
	return store.Timer{Timer: bot.Timer{ID: lastNumber(k), At: r.At.UTC(), Channel: bot.ChannelID(r.Channel), Table: bot.TableID(r.Table), Number: r.Number, Kind: r.Kind}}, err
}

func noteRecord(_ *txn, k, v []byte) (store.Record, error) {
	adapter, shelf, key, err := cutNames(k)
	return store.Note{Adapter: adapter, Shelf: shelf, Key: string(key), Value: bytes.Clone(v)}, err
}

// lineRecord reads a row of an older format's journals, like lineKeyRecord, as the note that
// migrateKey makes of it.
func lineRecord(_ *txn, k, v []byte) (store.Record, error) {
	adapter, journal, number, err := cutNames(k)
	if err != nil || len(number) != 8 {
		return nil, fmt.Errorf("the key %x is damaged", k)
	}
	return store.Note{Adapter: adapter, Shelf: journal, Key: rows.EntryKey(lastNumber(number)), Value: bytes.Clone(v)}, nil
}

func lineKeyRecord(_ *txn, k, v []byte) (store.Record, error) {
	adapter, journal, key, err := cutNames(k)
	if err != nil || len(v) != 8 {
		return nil, fmt.Errorf("the key %x is damaged", k)
	}
	return store.Note{Adapter: adapter, Shelf: rows.Log(journal).KeyShelf(), Key: string(key), Value: strconv.AppendUint(nil, lastNumber(v), 10)}, nil
}

// noteKey returns the key of a note's row.
func noteKey(n store.Note) []byte { return append(appendName(name(n.Adapter), n.Shelf), n.Key...) }

// cutName splits a name from the beginning of a key.
func cutName(key []byte) (name, rest []byte, err error) {
	n, size := binary.Uvarint(key)
	if size <= 0 || n > uint64(len(key)-size) {
		return nil, nil, fmt.Errorf("the key %x is damaged", key)
	}
	return key[size : size+int(n)], key[size+int(n):], nil
}

// cutNames splits two names from the beginning of a key.
func cutNames(key []byte) (one, two string, rest []byte, err error) {
	first, rest, err := cutName(key)
	if err != nil {
		return "", "", nil, err
	}
	second, rest, err := cutName(rest)
	return string(first), string(second), rest, err
}

// CountRecords implements [store.Carrier].
func (d *DB) CountRecords(ctx context.Context) (n int, unfinished bool, err error) {
	err = d.read(ctx, func(tx *txn) error {
		if v := tx.Bucket(bucketMeta).Get(keyCarried); len(v) == 8 {
			n, unfinished = int(lastNumber(v)), true
		}
		return nil
	})
	return n, unfinished, err
}

// Finish implements [store.Carrier].
func (d *DB) Finish(ctx context.Context) error {
	return d.write(ctx, func(tx *txn) error { return tx.Bucket(bucketMeta).Delete(keyCarried) })
}

// Carry implements [store.Carrier].
func (d *DB) Carry(ctx context.Context, records []store.Record, n int) error {
	return d.write(ctx, func(tx *txn) error {
		for _, r := range records {
			if err := carryRecord(tx, r); err != nil {
				return err
			}
		}
		return tx.Bucket(bucketMeta).Put(keyCarried, number(uint64(n)))
	})
}

// carryRecord stores a record.
func carryRecord(tx *txn, r store.Record) error {
	switch r := r.(type) {
	case store.Table:
		return carryTable(tx, r)
	case store.Receipt:
		key := receiptKey(r.Channel, r.Request)
		if err := tx.Bucket(bucketFiled).Put(append(appendTime(nil, r.Filed), key...), nil); err != nil {
			return err
		}
		return putRow(tx.Bucket(bucketReceipts), key, &receiptRow{Table: uint64(r.Table), From: r.From, To: r.To, Filed: r.Filed})
	case store.Post:
		return enqueue(tx, postRow{Channel: string(r.Channel), Table: uint64(r.Table), From: r.From, To: r.To, For: string(r.For), Kind: r.Kind, At: r.At, Tries: r.Tries, Until: r.Until}, r.ID)
	case store.Timer:
		return putTimer(tx, timerRow{At: r.At, Channel: string(r.Channel), Table: uint64(r.Table), Number: r.Number, Kind: r.Kind}, r.ID)
	case store.Note:
		if err := tx.recordDialect(dialectOfNote(r.Adapter, r.Shelf, r.Value)); err != nil {
			return err
		}
		return tx.Bucket(bucketNotes).Put(noteKey(r), r.Value)
	case store.Counters:
		for bucket, n := range map[string]uint64{string(bucketTables): r.Tables, string(bucketPosts): r.Posts, string(bucketTimers): r.Timers} {
			if err := tx.setCounter([]byte(bucket), n); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("unknown kind of row %T", r)
}

func carryTable(tx *txn, t store.Table) error {
	if err := tx.Bucket(bucketLatest).Put(name(t.Channel), number(uint64(t.ID))); err != nil { // tables come in order
		return err
	}
	if err := seat(tx, t.ID, t.Channel, t.Seated, true); err != nil {
		return err
	}
	for n, data := range t.Events {
		if err := putEvent(tx, t.ID, n, data); err != nil {
			return err
		}
	}
	named, err := t.PeopleNamed()
	if err != nil {
		return err
	}
	for _, p := range named {
		if err := tx.Bucket(bucketNamed).Put(appendNumber(name(p), uint64(t.ID)), nil); err != nil {
			return err
		}
	}
	return nil
}
