package bolt

import (
	"bytes"
	"context"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// Update is [bot.Store.Update]. It calls fn again when another that was to be
// committed with it fails.
func (d *DB) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	changed := false
	var filed []string // of the refusals that were held back
	if err := d.write(ctx, func(tx *bbolt.Tx) error {
		changed, filed = false, nil
		room, err := d.load(tx, ch, request)
		if err != nil {
			return err
		}
		if err := fn(room); err != nil {
			return refusal{err}
		}
		begins, err := store.Check(room)
		if err != nil {
			return refusal{err}
		}
		if !store.Changes(room) {
			return errUnchanged
		}
		if store.Refuses(room) && request != "" {
			room.File.Table = room.Table
			if d.refusals.hold(ch, request, *room.File) {
				return errUnchanged
			}
		}
		for before, r := range d.refusals.of(ch) {
			if err := file(tx, ch, before, r, d.now()); err != nil {
				return err
			}
			filed = append(filed, before)
		}
		changed = true
		return save(tx, room, request, begins, d.now())
	}); err != nil {
		d.refusals.drop(ch, request)
		return err
	}
	if changed {
		d.refusals.drop(ch, filed...)
		d.Hint(ch)
	}
	return nil
}

func (d *DB) load(tx *bbolt.Tx, ch bot.ChannelID, request string) (*bot.Room, error) {
	room := &bot.Room{Channel: ch, Table: latest(tx, ch)}
	var err error
	if room.Events, err = events(tx, &d.cache, room.Table, -1); err != nil {
		return nil, err
	}
	if room.Receipt, err = receipt(tx, ch, request); room.Receipt == nil && err == nil {
		room.Receipt = d.refusals.find(ch, request)
	}
	return room, err
}

func save(tx *bbolt.Tx, room *bot.Room, request string, begins bool, now time.Time) error {
	table := room.Table
	if begins {
		n, err := tx.Bucket(bucketTables).NextSequence()
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
		if err := tx.Bucket(bucketEvents).Put(eventKey(table, e.Number), v); err != nil {
			return err
		}
	}
	if err := note(tx, table, room.Append); err != nil {
		return err
	}
	for _, p := range room.Posts {
		if err := queue(tx, postRow{Channel: string(room.Channel), Table: uint64(table), From: p.From, To: p.To, For: string(p.For), Kind: p.Kind, At: p.At.UTC()}); err != nil {
			return err
		}
	}
	for _, t := range room.Timers {
		if err := wind(tx, timerRow{At: t.At.UTC(), Channel: string(room.Channel), Table: uint64(table), Number: t.Number, Kind: t.Kind}); err != nil {
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

// latest is a channel's latest table, 0 where there is none.
func latest(tx *bbolt.Tx, ch bot.ChannelID) bot.TableID {
	v := tx.Bucket(bucketLatest).Get(name(ch))
	if v == nil {
		return 0
	}
	return bot.TableID(lastNumber(v))
}

// events are a table's first n events, all of them with n < 0.
func events(tx *bbolt.Tx, cache *store.Cache, table bot.TableID, n int) ([]game.Event, error) {
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
	return cache.Grown(table, tx.ID(), n, func(from int) (data [][]byte) {
		for k, v := c.Seek(eventKey(table, from)); len(data) < n-from && bytes.HasPrefix(k, prefix); k, v = c.Next() {
			data = append(data, v)
		}
		return data
	})
}

// seat notes who is playing at a table.
func seat(tx *bbolt.Tx, table bot.TableID, ch bot.ChannelID, players []game.PlayerID, begins bool) error {
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
	return putRow(tx.Bucket(bucketTables), number(id), &is)
}

// Table is [bot.Store.Table].
func (d *DB) Table(ctx context.Context, ch bot.ChannelID) (id bot.TableID, list []game.Event, err error) {
	err = d.read(ctx, func(tx *bbolt.Tx) error {
		id = latest(tx, ch)
		list, err = events(tx, &d.cache, id, -1)
		return err
	})
	return id, list, err
}

// Events is [bot.Store.Events].
func (d *DB) Events(ctx context.Context, table bot.TableID, n int) (ch bot.ChannelID, list []game.Event, err error) {
	err = d.read(ctx, func(tx *bbolt.Tx) error {
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
