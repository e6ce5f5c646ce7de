package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot/store"
)

// A Summary sums up a data file in a few numbers by which its operator recognizes it.
type Summary struct {
	Tables int
	People int       // people named by the tables' events
	Last   time.Time // time of the latest event; zero if there is none
}

// problems collects what is wrong with a file, up to mostFound problems.
type problems []error

const mostFound = 100

func (p *problems) add(err error) {
	if err != nil && len(*p) < mostFound {
		*p = append(*p, err)
	}
}

// Check verifies a whole data file that no host has open, without changing it: its pages, the seal
// and content of each row, and that every table can be read and its events form a chain. It counts
// what is there, and returns up to a hundred problems. In a file of an older format, which has no
// seals, it finds less.
func Check(ctx context.Context, path string) (s Summary, found []error) {
	var all problems
	all.add(guard(path, func() error {
		if info, err := os.Stat(path); err == nil && info.Size() == 0 {
			return &DamagedError{path, errors.New("it is empty")}
		}
		b, err := openBolt(path, bbolt.Options{ReadOnly: true})
		if err != nil {
			return err
		}
		defer b.Close()
		if err := checkWhole(b); err != nil {
			return &DamagedError{path, err}
		}
		all.add(checkMetas(path, b.Info().PageSize))
		return b.View(func(tx *bbolt.Tx) (err error) {
			s, err = check(ctx, tx, all.add)
			return err
		})
	}))
	return s, all
}

func check(ctx context.Context, bare *bbolt.Tx, fail func(error)) (s Summary, err error) {
	if err := checkPages(bare); err != nil {
		return s, &DamagedError{bare.DB().Path(), err}
	}
	sound := true
	for range bare.Check() { // read to the end, or bbolt's goroutine hangs
		sound = false
	}
	if !sound {
		return s, &DamagedError{bare.DB().Path(), errMisfit}
	}
	format, unfinished, err := formatOf(bare)
	if err != nil {
		return s, err
	}
	if unfinished {
		return s, errors.New("an upgrade of the file to a newer format was interrupted: start the host, which finishes it")
	}
	tx := &txn{Tx: bare, format: format}
	if format >= sealed {
		checkMeta(tx, fail)
	}
	// These buckets have only keys; the others are read below.
	for _, name := range [][]byte{bucketLatest, bucketPlaying, bucketNamed, bucketFiled, bucketQueues, bucketHeads, bucketAlarms} {
		if bytes.Equal(name, bucketNamed) && format < 2 {
			continue
		}
		c := tx.Bucket(name).Cursor()
		c.skip = fail
		for k, _ := c.First(); k != nil; k, _ = c.Next() {
			if err := ctx.Err(); err != nil {
				return s, err
			}
		}
	}
	s.People = countPeople(tx)
	// Each row's content is read as for a copy.
	err = eachRecord(ctx, tx, func(r store.Record, err error) error {
		fail(err)
		t, ok := r.(store.Table)
		if !ok || err != nil {
			return ctx.Err()
		}
		s.Tables++
		var cache store.Cache
		list, err := cache.Events(t.ID, t.Events)
		fail(err)
		if n := len(list); n > 0 && list[n-1].At.After(s.Last) {
			s.Last = list[n-1].At
		}
		return ctx.Err()
	})
	return s, err
}

// checkMeta checks every row of the bucket meta, even if damage has changed its key, and that no
// counter is missing.
func checkMeta(tx *txn, fail func(error)) {
	b := tx.Bucket(bucketMeta)
	c := b.b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if bytes.Equal(k, keySchema) { // formatOf has compared it
			continue
		}
		_, err := b.open(k, v)
		fail(err)
	}
	for _, of := range [][]byte{bucketTables, bucketPosts, bucketTimers} {
		fail(try(func() error {
			tx.counter(of)
			return nil
		}))
	}
}

// countPeople returns how many people the tables' events name.
func countPeople(tx *txn) (n int) {
	if tx.format < 2 {
		return 0
	}
	var before []byte
	c := tx.Bucket(bucketNamed).Cursor()
	c.skip = func(error) {} // reported elsewhere
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		if person := k[:len(k)-len(number(0))]; !bytes.Equal(person, before) {
			before = person
			n++
		}
	}
	return n
}

// checkWhole checks that a file is as long as it should be, has its buckets, and leads to their rows
// without a cycle. Of a large file it reads one page in a hundred.
func checkWhole(b *bbolt.DB) error {
	return b.View(func(tx *bbolt.Tx) error {
		info, err := os.Stat(b.Path())
		if err != nil {
			return err
		}
		if info.Size() < tx.Size() {
			return fmt.Errorf("it has %d bytes of %d", info.Size(), tx.Size())
		}
		if err := checkBranches(tx); err != nil {
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
