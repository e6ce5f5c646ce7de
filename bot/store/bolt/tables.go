package bolt

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// Update implements [bot.Store]. It calls fn again if another write in the same transaction fails.
func (d *DB) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	changed := false
	if err := d.write(ctx, func(tx *txn) error {
		changed = false
		room, err := d.load(tx, ch, request)
		if err != nil {
			return err
		}
		if err := tx.call(func() error { return fn(room) }); err != nil {
			return refusal{err}
		}
		begins, err := store.Check(room)
		if err != nil {
			return refusal{err}
		}
		if !store.Changes(room) {
			return errUnchanged
		}
		changed = !store.Refuses(room)
		return save(tx, room, request, begins, d.now())
	}); err != nil {
		return err
	}
	if changed {
		d.Hint(ch)
	}
	return nil
}

func (d *DB) load(tx *txn, ch bot.ChannelID, request string) (*bot.Room, error) {
	room := &bot.Room{Channel: ch, Table: latest(tx, ch)}
	var err error
	if room.Events, err = events(tx, &d.cache, room.Table, -1); err != nil {
		return nil, err
	}
	room.Receipt, err = receipt(tx, ch, request)
	return room, err
}

func save(tx *txn, room *bot.Room, request string, begins bool, now time.Time) error {
	table := room.Table
	if begins {
		n, err := tx.next(bucketTables)
		if err != nil {
			return err
		}
		table = bot.TableID(n)
		if err := tx.Bucket(bucketLatest).Put(name(room.Channel), number(n)); err != nil {
			return err
		}
	}
	if len(room.Append) > 0 {
		if err := seat(tx, table, room.Channel, room.Seated, begins); err != nil {
			return err
		}
	}
	set := store.TileSet(room.Events)
	if begins {
		set = store.TileSet(room.Append)
	}
	for _, e := range room.Append {
		v, err := record.MarshalEvent(set, e)
		if err != nil {
			return err
		}
		if err := putEvent(tx, table, e.Number, v); err != nil {
			return err
		}
	}
	if err := indexPeople(tx, table, room.Append); err != nil {
		return err
	}
	for _, p := range room.Posts {
		if err := queue(tx, postRow{Channel: string(room.Channel), Table: uint64(table), From: p.From, To: p.To, For: string(p.For), Kind: p.Kind, At: p.At.UTC()}); err != nil {
			return err
		}
	}
	for _, t := range room.Timers {
		if err := addTimer(tx, timerRow{At: t.At.UTC(), Channel: string(room.Channel), Table: uint64(table), Number: t.Number, Kind: t.Kind}); err != nil {
			return err
		}
	}
	if room.File == nil {
		return nil
	}
	room.File.Table = table
	return file(tx, room.Channel, request, *room.File, now)
}

func eventKey(table bot.TableID, n int) []byte {
	return appendNumber(number(uint64(table)), uint64(n))
}

// putEvent stores an event with its link to the one before.
func putEvent(tx *txn, table bot.TableID, n int, data []byte) error {
	b := tx.Bucket(bucketEvents)
	if tx.format < sealed {
		return b.Put(eventKey(table, n), data)
	}
	if err := tx.recordDialect(dialectOf(data)); err != nil {
		return err
	}
	var link record.Link
	if n > 0 {
		before, data := cutLink(tx, b.Get(eventKey(table, n-1)))
		if data == nil {
			return damage{fmt.Errorf("event %d of table %d is missing", n-1, table)}
		}
		link = before.Next(data)
	}
	return b.Put(eventKey(table, n), append(link[:], data...))
}

// cutLink splits the link from an event. Rows of older formats have none.
func cutLink(tx *txn, row []byte) (link record.Link, data []byte) {
	if tx.format < sealed || len(row) < len(link) {
		return link, row
	}
	return record.Link(row[:len(link)]), row[len(link):]
}

// eventRows returns the data of a table's events from number from up to, but not including, n. It
// checks that none is missing and each has the link to the one before.
func eventRows(tx *txn, c *cursor, table bot.TableID, from, n int) (data [][]byte, err error) {
	prefix := number(uint64(table))
	var before record.Link
	for k, v := c.Seek(eventKey(table, from)); len(data) < n-from && bytes.HasPrefix(k, prefix); k, v = c.Next() {
		at := from + len(data)
		if lastNumber(k) != uint64(at) {
			break
		}
		link, d := cutLink(tx, v)
		if tx.format >= sealed && (at == 0 && link != before || len(data) > 0 && link != before.Next(data[len(data)-1])) {
			return nil, damage{fmt.Errorf("event %d of table %d doesn't follow the one before it", at, table)}
		}
		before, data = link, append(data, d)
	}
	if len(data) < n-from {
		return nil, damage{fmt.Errorf("event %d of table %d is missing", from+len(data), table)}
	}
	return data, nil
}

// latest returns a channel's latest table, or 0 if there is none.
func latest(tx *txn, ch bot.ChannelID) bot.TableID {
	v := tx.Bucket(bucketLatest).Get(name(ch))
	if v == nil {
		return 0
	}
	return bot.TableID(lastNumber(v))
}

// events returns a table's first n events, or all of them if n < 0.
func events(tx *txn, cache *store.Cache, table bot.TableID, n int) ([]game.Event, error) {
	prefix := number(uint64(table))
	end := number(uint64(table) + 1)
	if n >= 0 {
		end = eventKey(table, n)
	}
	c := tx.Bucket(bucketEvents).Cursor()
	last, _ := seekBefore(c, end)
	if !bytes.HasPrefix(last, prefix) {
		return nil, nil
	}
	n = int(lastNumber(last)) + 1
	return cache.Extend(table, tx.ID(), n, func(from int) ([][]byte, error) { return eventRows(tx, c, table, from, n) })
}

// seat stores who is playing at a table.
func seat(tx *txn, table bot.TableID, ch bot.ChannelID, players []game.PlayerID, begins bool) error {
	id := uint64(table)
	var was tableRow
	if _, err := getRow(tx.Bucket(bucketTables), number(id), &was); err != nil {
		return err
	}
	is := tableRow{Channel: string(ch)}
	for _, p := range players {
		is.Seated = append(is.Seated, string(p))
	}
	if !begins && slices.Equal(is.Seated, was.Seated) {
		return nil
	}
	playing := tx.Bucket(bucketPlaying)
	for _, p := range was.Seated {
		if err := playing.Delete(appendNumber(name(p), id)); err != nil {
			return err
		}
	}
	for _, p := range is.Seated {
		if err := playing.Put(appendNumber(name(p), id), nil); err != nil {
			return err
		}
	}
	return changeRow(tx.Bucket(bucketTables), number(id), &is)
}

// Table implements [bot.Store].
func (d *DB) Table(ctx context.Context, ch bot.ChannelID) (id bot.TableID, list []game.Event, err error) {
	err = d.read(ctx, func(tx *txn) error {
		id = latest(tx, ch)
		list, err = events(tx, &d.cache, id, -1)
		return err
	})
	return id, list, err
}

// Events implements [bot.Store].
func (d *DB) Events(ctx context.Context, table bot.TableID, n int) (ch bot.ChannelID, list []game.Event, err error) {
	err = d.read(ctx, func(tx *txn) error {
		var row tableRow
		if ok, err := getRow(tx.Bucket(bucketTables), number(uint64(table)), &row); err != nil {
			return err
		} else if !ok {
			return bot.ErrNoTable
		}
		ch = bot.ChannelID(row.Channel)
		list, err = events(tx, &d.cache, table, n)
		return err
	})
	return ch, list, err
}
