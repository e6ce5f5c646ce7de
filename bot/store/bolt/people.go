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

// note indexes the people whom a table's events name.
func note(tx *txn, table bot.TableID, list []game.Event) error {
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

// Playing implements [bot.Store].
func (d *DB) Playing(ctx context.Context, p game.PlayerID) (tables []bot.TableID, err error) {
	err = d.read(ctx, func(tx *txn) error {
		tables = tablesOf(tx, bucketPlaying, p)
		return nil
	})
	return tables, err
}

// Named implements [bot.Store].
func (d *DB) Named(ctx context.Context, p game.PlayerID) (tables []bot.TableID, err error) {
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
				changed, list[i] = true, e.Renamed(from, to)
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
		if err := note(tx, table, list); err != nil {
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
		return dropPosts(tx, row.Channel, table, from)
	})
}

// dropPosts removes a player's private posts about a table.
func dropPosts(tx *txn, ch string, table bot.TableID, who game.PlayerID) error {
	prefix := laneKey(postRow{Channel: ch, For: string(who)})
	var waiting []uint64
	c := tx.Bucket(bucketLanes).Cursor()
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
