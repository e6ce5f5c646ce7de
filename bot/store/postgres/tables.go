package postgres

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// Update implements [bot.Store]. It calls fn again if the database was away, or another host began
// the channel's first table meanwhile.
func (d *DB) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	d.memory(ctx).invalidate(ofTables)
	changed := false
	err := d.conns.withLocks(ctx, func(ctx context.Context, s session) (err error) {
		changed, err = d.update(ctx, s, ch, request, fn)
		return err
	}, roomLock(ch))
	if err == nil && changed {
		d.hintChannel(ch)
	}
	return d.noteDamage(err)
}

// A held is a channel's room, with its row locked if it has one.
type held struct {
	*bot.Room
	known   bool     // whether it has a row
	seated  [][]byte // players seated at its table
	rows    *logRows // the rows read of its events
	request string   // the request for which it is held
}

// update tries an Update once. changed reports whether others need a hint.
func (d *DB) update(ctx context.Context, s session, ch bot.ChannelID, request string, fn func(*bot.Room) error) (changed bool, err error) {
	h, err := d.lockRoom(ctx, s, ch, request)
	if err != nil {
		return false, err
	}
	end := d.memory(ctx).shareSession(s)
	err = fn(h.Room)
	if end(); err != nil {
		return false, err
	}
	begins, err := store.Check(h.Room)
	if err != nil || !store.Changes(h.Room) {
		return false, err
	}
	if err := d.storeRoom(ctx, s, h, begins); err != nil {
		return false, err
	}
	return !store.Refuses(h.Room), nil
}

// lockRoom begins a transaction, locks a channel's room and reads it.
func (d *DB) lockRoom(ctx context.Context, s session, ch bot.ChannelID, request string) (*held, error) {
	h := &held{Room: &bot.Room{Channel: ch}, request: request}
	var filed bool
	var found bot.Receipt
	b := &pgx.Batch{}
	d.conns.begin(b, committed)
	scan(b.Queue("select r.table_id, t.seated from rooms r left join tables t on t.id = r.table_id where r.channel = $1 for update of r", []byte(ch)), &h.known, &h.Table, &h.seated)
	h.rows = d.logs.askLatest(b, ch)
	scan(b.Queue("select table_id, first, past from receipts where channel = $1 and request = $2", []byte(ch), []byte(request)), &filed, &found.Table, &found.From, &found.To)
	sent := d.memory(ctx).addNotes(b, &d.logs)
	if err := s.send(ctx, b); err != nil {
		return nil, err
	}
	sent()
	if !h.known {
		// Ignore what another host has begun since the row was looked for, since there was nothing
		// to lock. Adding to the room will fail, and everything is read again.
		h.rows, filed = &logRows{channel: []byte(ch)}, false
	}
	if filed {
		h.Receipt = &found
	}
	log, err := d.logs.read(h.rows)
	if err != nil {
		return nil, err
	}
	h.Events = log.events
	d.memory(ctx).learn(ch, log)
	return h, nil
}

// storeRoom stores what was added to a room, and ends the transaction.
func (d *DB) storeRoom(ctx context.Context, s session, h *held, begins bool) error {
	table, rows, events := h.Table, h.rows, len(h.Events)
	if begins {
		b, found := &pgx.Batch{}, false
		scan(b.Queue("select nextval('table_ids')"), &found, &table)
		if err := s.send(ctx, b); err != nil {
			return err
		}
		rows, events = &logRows{channel: []byte(h.Channel), table: table}, 0
	}
	b := &pgx.Batch{}
	switch {
	case !h.known:
		b.Queue("insert into rooms (channel, table_id) values ($1, $2)", []byte(h.Channel), int64(table))
	case begins, len(h.Posts) > 0:
		// New posts change the row too. A delivery that concludes in a serializable transaction has
		// its snapshot from before it got the row's lock, so it doesn't see them and wouldn't make the
		// next one the head. The changed row makes it fail and try again.
		b.Queue("update rooms set table_id = $2 where channel = $1", []byte(h.Channel), int64(table))
	}
	added, err := fill(b, h.Room, table, begins, h.seated, rows.chain)
	if err != nil {
		return err
	}
	if h.File != nil {
		h.File.Table = table
		file(b, h.Channel, h.request, *h.File, d.now())
	}
	b.Queue("commit")
	if err := s.send(ctx, b); err != nil {
		// A repetition is safe if it would find the receipt.
		if isConnectionLost(err) && (h.request == "" || h.File == nil) {
			err = &unsureError{err}
		}
		return err
	}
	if len(added) > 0 {
		d.cacheAppended(ctx, rows, events, added)
	}
	return nil
}

// fill adds what was added to a room to a batch. added are the events as stored.
func fill(b *pgx.Batch, room *bot.Room, table bot.TableID, begins bool, were [][]byte, behind chain) (added [][]byte, err error) {
	set := store.TileSet(room.Events)
	if begins {
		set = store.TileSet(room.Append)
	}
	dialect := 1
	for _, e := range room.Append {
		v, err := record.MarshalEvent(set, e)
		if err != nil {
			return nil, err
		}
		added, dialect = append(added, v), max(dialect, dialectOf(v))
		b.Queue("insert into events (table_id, number, link, data) values ($1, $2, $3, $4)", int64(table), e.Number, behind.add(v), v)
	}
	speak(b, dialect)
	indexPeople(b, table, room.Append)
	if len(room.Append) > 0 {
		seated := bytesOf(room.Seated)
		if begins {
			b.Queue("insert into tables (id, channel, seated) values ($1, $2, $3)", int64(table), []byte(room.Channel), seated)
		}
		if begins || !slices.EqualFunc(seated, were, slices.Equal) {
			seat(b, table, seated, begins)
		}
	}
	for _, p := range room.Posts {
		b.Queue(`insert into posts (id, platform, channel, player, table_id, first, past, kind, at, until, head)
			values (nextval('post_ids'), $1, $2, $3, $4, $5, $6, $7, $8, $9,
				not exists (select 1 from posts where channel = $2 and player = $3))`,
			[]byte(room.Channel.Platform()), []byte(room.Channel), []byte(p.For), int64(table), p.From, p.To, []byte(p.Kind), timeBytes(p.At), timeBytes(time.Time{}))
	}
	for _, t := range room.Timers {
		b.Queue("insert into timers (id, at, channel, table_id, number, kind) values (nextval('timer_ids'), $1, $2, $3, $4, $5)",
			timeBytes(t.At), []byte(room.Channel), int64(table), t.Number, []byte(t.Kind))
	}
	return added, nil
}

// seat stores who is playing at a table.
func seat(b *pgx.Batch, table bot.TableID, seated [][]byte, begins bool) {
	if !begins {
		b.Queue("update tables set seated = $2 where id = $1", int64(table), seated)
		b.Queue("delete from playing where table_id = $1 and not (player = any($2))", int64(table), seated)
	}
	for _, p := range seated {
		b.Queue("insert into playing (player, table_id) values ($1, $2) on conflict do nothing", p, int64(table))
	}
}

// indexPeople indexes the people whom a table's events name.
func indexPeople(b *pgx.Batch, table bot.TableID, list []game.Event) {
	named := map[game.PlayerID]bool{}
	for _, e := range list {
		for _, p := range e.People() {
			if !named[p.ID] {
				named[p.ID] = true
				b.Queue("insert into named (player, table_id) values ($1, $2) on conflict do nothing", []byte(p.ID), int64(table))
			}
		}
	}
}

// A receipt is kept for two days. Now and then old ones are purged.
const (
	receiptLife = 48 * time.Hour
	purgeEvery  = 16 // receipts
	purgeAtOnce = 100
)

// file stores a receipt, unless request is empty, because then it couldn't be found.
func file(b *pgx.Batch, ch bot.ChannelID, request string, r bot.Receipt, now time.Time) {
	if request == "" {
		return
	}
	b.Queue(`insert into receipts (channel, request, table_id, first, past, filed) values ($1, $2, $3, $4, $5, $6)
		on conflict (channel, request) do update set table_id = excluded.table_id, first = excluded.first, past = excluded.past, filed = excluded.filed`,
		[]byte(ch), []byte(request), int64(r.Table), r.From, r.To, timeBytes(now))
	if rand.N(purgeEvery) == 0 {
		b.Queue(`with old as materialized (select channel, request from receipts where filed < $1 order by filed limit $2 for update skip locked)
			delete from receipts where (channel, request) in (select channel, request from old)`, timeBytes(now.Add(-receiptLife)), purgeAtOnce)
	}
}

func bytesOf(players []game.PlayerID) [][]byte {
	all := [][]byte{}
	for _, p := range players {
		all = append(all, []byte(p))
	}
	return all
}

// Table implements [bot.Store].
func (d *DB) Table(ctx context.Context, ch bot.ChannelID) (bot.TableID, []game.Event, error) {
	found, err := d.look(ctx, question{kind: latest, a: string(ch)})
	if err != nil {
		return 0, nil, err
	}
	log := found.(stored)
	return log.table, log.events, nil
}

// Events implements [bot.Store]. A reading reads all events, since it often wants several prefixes.
func (d *DB) Events(ctx context.Context, table bot.TableID, n int) (bot.ChannelID, []game.Event, error) {
	q := question{kind: wholeLog, n: int64(table), m: int64(max(n, -1))}
	if bot.ReadingOf(ctx) != nil {
		q.m = -1
	}
	found, err := d.look(ctx, q)
	if err != nil {
		return "", nil, err
	}
	log := found.(stored)
	if log.table == 0 {
		return "", nil, bot.ErrNoTable
	}
	if n >= 0 && n < len(log.events) {
		log.events = log.events[:n:n]
	}
	return bot.ChannelID(log.channel), log.events, nil
}

// TablesPlayed implements [bot.Store].
func (d *DB) TablesPlayed(ctx context.Context, p game.PlayerID) ([]bot.TableID, error) {
	return d.tablesOf(ctx, question{kind: playing, a: string(p)})
}

// TablesNaming implements [bot.Store].
func (d *DB) TablesNaming(ctx context.Context, p game.PlayerID) ([]bot.TableID, error) {
	return d.tablesOf(ctx, question{kind: named, a: string(p)})
}

func (d *DB) tablesOf(ctx context.Context, q question) ([]bot.TableID, error) {
	tables, err := d.look(ctx, q)
	if err != nil {
		return nil, err
	}
	return slices.Clone(tables.([]bot.TableID)), nil
}

// Rename implements [bot.Store].
func (d *DB) Rename(ctx context.Context, table bot.TableID, from game.PlayerID, to game.Person) error {
	defer d.memory(ctx).invalidate(ofTables)
	return d.conns.withLocks(ctx, func(ctx context.Context, s session) error { return d.rename(ctx, s, table, from, to) })
}

func (d *DB) rename(ctx context.Context, s session, table bot.TableID, from game.PlayerID, to game.Person) error {
	var (
		found  bool
		name   []byte
		seated [][]byte
	)
	b := &pgx.Batch{}
	d.conns.begin(b, committed)
	b.Queue("select 1 from rooms where channel = (select channel from tables where id = $1) for update", int64(table))
	scan(b.Queue("select channel, seated from tables where id = $1 for update", int64(table)), &found, &name, &seated)
	rows := d.logs.askRows(b, &logRows{of: table}, table, math.MaxInt64) // all of them, as stored
	if err := s.send(ctx, b); err != nil {
		return err
	}
	if !found {
		return bot.ErrNoTable
	}
	log, err := d.logs.read(rows)
	if err != nil {
		return err
	}
	list := slices.Clone(log.events) // the list is shared
	set := store.TileSet(list)
	b = &pgx.Batch{}
	var anew chain // a changed event changes the links behind it
	for i, e := range list {
		v := rows.data[i]
		if slices.ContainsFunc(e.People(), func(p game.Person) bool { return p.ID == from }) {
			list[i] = e.Rename(from, to)
			if v, err = record.MarshalEvent(set, list[i]); err != nil {
				return err
			}
		}
		b.Queue("update events set link = $3, data = $4 where table_id = $1 and number = $2", int64(table), e.Number, anew.add(v), v)
	}
	b.Queue("update tables set edition = edition + 1, linked = edition + 1 where id = $1", int64(table))
	b.Queue("delete from named where player = $1 and table_id = $2", []byte(from), int64(table))
	indexPeople(b, table, list)
	for i, p := range seated {
		if string(p) == string(from) {
			seated[i] = []byte(to.ID)
		}
	}
	seat(b, table, seated, false)
	if from != to.ID {
		// The queue's next waiting post becomes its head.
		b.Queue("delete from posts where table_id = $1 and player = $2 and channel = $3", int64(table), []byte(from), name)
		b.Queue("update posts set head = true where id in (select id from posts where channel = $1 and player = $2 order by id limit 1)", name, []byte(from))
	}
	b.Queue("commit")
	return s.send(ctx, b)
}

// Erase implements [bot.Store].
func (d *DB) Erase(ctx context.Context, who, as game.PlayerID) error {
	defer d.memory(ctx).invalidate(ofTables)
	defer d.memory(ctx).invalidate(ofNotes)
	e := store.NewErasure(who, as)
	return d.conns.withLocks(ctx, func(ctx context.Context, s session) error {
		b := &pgx.Batch{}
		d.conns.begin(b, committed)
		out := &pgx.Batch{} // what follows from what is found
		seek(b, out, e)
		if err := s.send(ctx, b); err != nil {
			return err
		}
		out.Queue("commit")
		return s.send(ctx, out)
	})
}

// seek queries the rows that may contain a person's id, and queues the changes that erase it. The
// database compares bytes; whether they are the id is decided here.
func seek(b, out *pgx.Batch, e store.Erasure) {
	part := e.Part()
	names := func(b []byte) bool { return e.Names(string(b)) }
	each(b.Queue("select id, channel from tables where position($1 in channel) > 0 for update", part), func(rows pgx.Rows) error {
		var id int64
		var ch []byte
		err := rows.Scan(&id, &ch)
		if names(ch) {
			out.Queue("update tables set channel = $2 where id = $1", id, []byte(e.Without(string(ch))))
		}
		return err
	})
	each(b.Queue("select channel from rooms where position($1 in channel) > 0 for update", part), func(rows pgx.Rows) error {
		var ch []byte
		err := rows.Scan(&ch)
		if names(ch) {
			out.Queue("update rooms set channel = $2 where channel = $1", ch, []byte(e.Without(string(ch))))
		}
		return err
	})
	each(b.Queue("select channel, request from receipts where position($1 in channel) > 0 or position($1 in request) > 0", part), func(rows pgx.Rows) error {
		var ch, request []byte
		err := rows.Scan(&ch, &request)
		if names(ch) || names(request) {
			out.Queue("delete from receipts where channel = $1 and request = $2", ch, request)
		}
		return err
	})
	each(b.Queue("select id, fence, channel, player from posts where position($1 in channel) > 0 or position($1 in player) > 0 for update", part), func(rows pgx.Rows) error {
		var id, fence int64
		var ch, player []byte
		err := rows.Scan(&id, &fence, &ch, &player)
		if p := (bot.Post{ID: uint64(id), Fence: uint64(fence), Channel: bot.ChannelID(ch), For: game.PlayerID(player)}); e.Post(p) {
			unqueue(out, p)
		}
		return err
	})
	each(b.Queue("select id, channel from timers where position($1 in channel) > 0", part), func(rows pgx.Rows) error {
		var id int64
		var ch []byte
		err := rows.Scan(&id, &ch)
		if names(ch) {
			out.Queue("delete from timers where id = $1", id)
		}
		return err
	})
	each(b.Queue("select adapter, shelf, key, value from notes where position($1 in shelf) > 0 or position($1 in key) > 0 or position($1 in value) > 0 for update", part), func(rows pgx.Rows) error {
		var adapter, shelf, key, value []byte
		err := rows.Scan(&adapter, &shelf, &key, &value)
		now, keep := e.Note(string(shelf), string(key), value)
		if !keep {
			out.Queue("delete from notes where adapter = $1 and shelf = $2 and key = $3", adapter, shelf, key)
		} else if !bytes.Equal(now, value) {
			out.Queue("update notes set value = $4 where adapter = $1 and shelf = $2 and key = $3", adapter, shelf, key, now)
		}
		return err
	})
}
