package bolt

import (
	"bytes"
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// indexPeople indexes the people whom a table's events name.
func indexPeople(tx *txn, table bot.TableID, list []game.Event) error {
	for _, e := range list {
		for _, p := range e.People() {
			if err := tx.Bucket(bucketNamed).Put(appendNumber(name(p.ID), uint64(table)), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// tablesOf lists a player's tables in an index of players, or all its tables if p is "".
func tablesOf(tx *txn, index []byte, p game.PlayerID) (tables []bot.TableID) {
	prefix := name(p)
	if p == "" {
		prefix = nil
	}
	c := tx.Bucket(index).Cursor()
	for k, _ := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		tables = append(tables, bot.TableID(lastNumber(k)))
	}
	if p == "" {
		slices.Sort(tables)
		tables = slices.Compact(tables)
	}
	return tables
}

// TablesPlayed implements [bot.Store].
func (d *DB) TablesPlayed(ctx context.Context, p game.PlayerID) (tables []bot.TableID, err error) {
	err = d.read(ctx, func(tx *txn) error {
		tables = tablesOf(tx, bucketPlaying, p)
		return nil
	})
	return tables, err
}

// TablesNaming implements [bot.Store].
func (d *DB) TablesNaming(ctx context.Context, p game.PlayerID) (tables []bot.TableID, err error) {
	err = d.read(ctx, func(tx *txn) error {
		tables = tablesOf(tx, bucketNamed, p)
		return nil
	})
	return tables, err
}

// Rename implements [bot.Store].
func (d *DB) Rename(ctx context.Context, table bot.TableID, from game.PlayerID, to game.Person) error {
	return d.write(ctx, func(tx *txn) error {
		var row tableRow
		if ok, err := getRow(tx.Bucket(bucketTables), number(uint64(table)), &row); err != nil {
			return err
		} else if !ok {
			return bot.ErrNoTable
		}
		list, err := events(tx, &d.cache, table, -1)
		if err != nil {
			return err
		}
		d.cache.Doubt(tx.ID())
		list = slices.Clone(list) // the list is shared
		set := store.TileSet(list)
		changed := false // once an event has changed, the links behind it change
		for i, e := range list {
			_, data := cutLink(tx, tx.Bucket(bucketEvents).Get(eventKey(table, i)))
			if slices.ContainsFunc(e.People(), func(p game.Person) bool { return p.ID == from }) {
				changed, list[i] = true, e.Rename(from, to)
				if data, err = record.MarshalEvent(set, list[i]); err != nil {
					return err
				}
			}
			if !changed {
				continue
			}
			if err := putEvent(tx, table, i, data); err != nil {
				return err
			}
		}
		if err := tx.Bucket(bucketNamed).Delete(appendNumber(name(from), uint64(table))); err != nil {
			return err
		}
		if err := indexPeople(tx, table, list); err != nil {
			return err
		}
		var seated []game.PlayerID
		for _, p := range row.Seated {
			if p == string(from) {
				p = string(to.ID)
			}
			seated = append(seated, game.PlayerID(p))
		}
		if err := seat(tx, table, bot.ChannelID(row.Channel), seated, false); err != nil {
			return err
		}
		if from == to.ID {
			return nil
		}
		return dropPosts(tx, row.Channel, table, from)
	})
}

// dropPosts removes a player's private posts about a table.
func dropPosts(tx *txn, ch string, table bot.TableID, who game.PlayerID) error {
	prefix := queueKey(postRow{Channel: ch, For: string(who)})
	var waiting []uint64
	c := tx.Bucket(bucketQueues).Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		waiting = append(waiting, lastNumber(k))
	}
	for _, id := range waiting {
		var r postRow
		if err := mustRow(tx.Bucket(bucketPosts), number(id), &r); err != nil {
			return err
		}
		if r.Table != uint64(table) {
			continue
		}
		if err := unqueue(tx, r, id); err != nil {
			return err
		}
	}
	return nil
}

// Erase implements [bot.Store].
func (d *DB) Erase(ctx context.Context, who, as game.PlayerID) error {
	e := store.NewErasure(who, as)
	var found keysByBucket
	if err := d.read(ctx, func(tx *txn) error {
		found = seek(tx, e)
		return nil
	}); err != nil {
		return err
	}
	return d.write(ctx, func(tx *txn) error {
		if len(found) == 0 {
			return errUnchanged
		}
		return erase(tx, e, found)
	})
}

// keysByBucket lists keys of rows by the names of their buckets.
type keysByBucket map[string][][]byte

// seek finds the rows that may name a person, without holding up writers.
func seek(tx *txn, e store.Erasure) keysByBucket {
	found, part := keysByBucket{}, e.Part()
	for _, bucket := range [][]byte{bucketTables, bucketLatest, bucketReceipts, bucketFiled, bucketPosts, bucketTimers, bucketNotes} {
		c := tx.Bucket(bucket).Cursor()
		c.skip = func(error) {} // a damaged row names nobody
		for k, v := c.First(); k != nil; k, v = c.Next() {
			if bytes.Contains(k, part) || bytes.Contains(v, part) {
				found[string(bucket)] = append(found[string(bucket)], bytes.Clone(k))
			}
		}
	}
	return found
}

// erase removes or changes the rows found, if they still exist.
func erase(tx *txn, e store.Erasure, found keysByBucket) error {
	for _, k := range found[string(bucketPosts)] {
		var r postRow
		if ok, err := getRow(tx.Bucket(bucketPosts), k, &r); err != nil {
			return err
		} else if id := lastNumber(k); ok && e.Post(r.post(id)) {
			if err := unqueue(tx, r, id); err != nil {
				return err
			}
		}
	}
	for _, k := range found[string(bucketTimers)] {
		var r timerRow
		if ok, err := getRow(tx.Bucket(bucketTimers), k, &r); err != nil {
			return err
		} else if ok && e.Names(r.Channel) {
			if _, err := removeTimer(tx, lastNumber(k)); err != nil {
				return err
			}
		}
	}
	for _, k := range found[string(bucketTables)] {
		var r tableRow
		if ok, err := getRow(tx.Bucket(bucketTables), k, &r); err != nil {
			return err
		} else if now := e.Without(r.Channel); ok && now != r.Channel {
			r.Channel = now
			if err := changeRow(tx.Bucket(bucketTables), k, &r); err != nil {
				return err
			}
		}
	}
	latest := tx.Bucket(bucketLatest)
	for _, k := range found[string(bucketLatest)] {
		ch, _, err := cutName(k)
		if err != nil {
			return err
		}
		v := bytes.Clone(latest.Get(k))
		if now := e.Without(string(ch)); v != nil && now != string(ch) {
			if err := latest.Delete(k); err != nil {
				return err
			}
			if err := latest.Put(name(now), v); err != nil {
				return err
			}
		}
	}
	if err := eraseReceipts(tx, e, bucketReceipts, found, 0); err != nil {
		return err
	}
	if err := eraseReceipts(tx, e, bucketFiled, found, timeSize); err != nil {
		return err
	}
	return eraseNotes(tx, e, found[string(bucketNotes)])
}

// eraseReceipts deletes the rows found in a bucket of receipts that name a person. The names in
// their keys begin at an offset.
func eraseReceipts(tx *txn, e store.Erasure, in []byte, found keysByBucket, at int) error {
	for _, k := range found[string(in)] {
		ch, request, err := cutName(k[at:])
		if err != nil {
			return err
		}
		if e.Names(string(ch)) || e.Names(string(request)) {
			if err := tx.Bucket(in).Delete(k); err != nil {
				return err
			}
		}
	}
	return nil
}

func eraseNotes(tx *txn, e store.Erasure, keys [][]byte) error {
	notes := tx.Bucket(bucketNotes)
	for _, k := range keys {
		_, shelf, key, err := cutNames(k)
		if err != nil {
			return err
		}
		value := bytes.Clone(notes.Get(k))
		now, keep := e.Note(shelf, string(key), value)
		switch {
		case value == nil:
		case !keep:
			err = notes.Delete(k)
		case !bytes.Equal(now, value):
			err = notes.Put(k, now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
