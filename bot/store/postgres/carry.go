package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
)

var _ store.Carrier = (*DB)(nil)

// Records implements [store.Carrier]. It reads in one transaction while hosts go on, and also reads
// the tables without records, so that damage there is found.
func (d *DB) Records(ctx context.Context, fn func(store.Record) error) error {
	conn, err := d.conns.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		for _, limit := range []string{"set local statement_timeout = 0", "set local idle_in_transaction_session_timeout = 0"} {
			if _, err := tx.Exec(ctx, limit); err != nil {
				return err
			}
		}
		if err := tableRecords(ctx, tx, fn); err != nil {
			return err
		}
		for _, q := range []struct {
			query  string
			record func(pgx.Rows) (store.Record, error)
		}{
			{"select channel, request, table_id, first, past, filed from receipts order by channel, request", receiptRecord},
			{"select id, channel, player, table_id, first, past, kind, at, tries, until from posts order by id", scanPostRecord},
			{"select id, at, channel, table_id, number, kind from timers order by id", timerRecord},
			{"select adapter, shelf, key, value from notes order by adapter, shelf, key", noteRecord},
		} {
			rows, err := tx.Query(ctx, q.query)
			if err != nil {
				return err
			}
			for rows.Next() {
				r, err := q.record(rows)
				if err == nil {
					err = fn(r)
				}
				if err != nil {
					rows.Close()
					return err
				}
			}
			if err := rows.Err(); err != nil {
				return err
			}
		}
		var last store.Counters
		for name, into := range counters(&last) {
			var called bool
			if err := tx.QueryRow(ctx, "select last_value, is_called from "+name).Scan(into, &called); err != nil {
				return err
			}
			if !called {
				*into = 0
			}
		}
		if err := fn(last); err != nil {
			return err
		}
		return readPages(ctx, tx)
	})
}

// readPages makes the database read all pages of the tables that aren't records, such as who plays
// at which tables. It verifies their checksums if it keeps any.
func readPages(ctx context.Context, tx pgx.Tx) error {
	for _, way := range []string{"enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan"} { // index scans skip the table's pages
		if _, err := tx.Exec(ctx, "set local "+way+" = off"); err != nil {
			return err
		}
	}
	for _, table := range []string{"meta", "rooms", "playing", "named", "holders", "jobs"} {
		if _, err := tx.Exec(ctx, "select count(*) from "+table); err != nil {
			return fmt.Errorf("read the table %s: %w", table, err)
		}
	}
	return nil
}

// counters returns the counter of each sequence.
func counters(c *store.Counters) map[string]*uint64 {
	return map[string]*uint64{"table_ids": &c.Tables, "post_ids": &c.Posts, "timer_ids": &c.Timers}
}

func tableRecords(ctx context.Context, tx pgx.Tx, fn func(store.Record) error) error {
	rows, err := tx.Query(ctx, "select t.id, t.channel, t.seated, t.linked = t.edition, e.number, e.link, e.data from tables t left join events e on e.table_id = t.id order by t.id, e.number")
	if err != nil {
		return err
	}
	defer rows.Close()
	var t store.Table
	var behind chain
	for rows.Next() {
		var (
			id                  bot.TableID
			channel, link, data []byte
			seated              [][]byte
			linked              bool
			number              *int
		)
		if err := rows.Scan(&id, &channel, &seated, &linked, &number, &link, &data); err != nil {
			return err
		}
		if id != t.ID {
			if t.ID != 0 {
				if err := fn(t); err != nil {
					return err
				}
			}
			t, behind = store.Table{ID: id, Channel: bot.ChannelID(channel)}, chain{table: id}
			if number != nil && *number != 0 {
				return &DamagedError{id, errors.New("event 0 is missing")}
			}
			for _, p := range seated {
				t.Seated = append(t.Seated, game.PlayerID(p))
			}
		}
		if number != nil {
			if err := behind.follow(linked, *number, link, data); err != nil {
				return err
			}
			t.Events = append(t.Events, data)
		}
	}
	if err := rows.Err(); err != nil || t.ID == 0 {
		return err
	}
	return fn(t)
}

func receiptRecord(rows pgx.Rows) (store.Record, error) {
	var channel, request, filed []byte
	var r store.Receipt
	err := rows.Scan(&channel, &request, &r.Table, &r.From, &r.To, &filed)
	r.Channel, r.Request, r.Filed = bot.ChannelID(channel), string(request), timeOf(filed)
	return r, err
}

func scanPostRecord(rows pgx.Rows) (store.Record, error) {
	var channel, player, kind, at, until []byte
	var p store.Post
	err := rows.Scan(&p.ID, &channel, &player, &p.Table, &p.From, &p.To, &kind, &at, &p.Tries, &until)
	p.Channel, p.For, p.Kind = bot.ChannelID(channel), game.PlayerID(player), string(kind)
	p.At, p.Until = timeOf(at), timeOf(until)
	return p, err
}

func timerRecord(rows pgx.Rows) (store.Record, error) {
	var at, channel, kind []byte
	var t store.Timer
	err := rows.Scan(&t.ID, &at, &channel, &t.Table, &t.Number, &kind)
	t.At, t.Channel, t.Kind = timeOf(at), bot.ChannelID(channel), string(kind)
	return t, err
}

func noteRecord(rows pgx.Rows) (store.Record, error) {
	var adapter, shelf, key []byte
	var n store.Note
	err := rows.Scan(&adapter, &shelf, &key, &n.Value)
	n.Adapter, n.Shelf, n.Key = string(adapter), string(shelf), string(key)
	return n, err
}

// CountRecords implements [store.Carrier].
func (d *DB) CountRecords(ctx context.Context) (n int, unfinished bool, err error) {
	err = d.conns.ask(ctx, func(b *pgx.Batch) {
		scan(b.Queue("select version from meta where key = 'carried'"), &unfinished, &n)
	})
	return n, unfinished, err
}

// Finish implements [store.Carrier].
func (d *DB) Finish(ctx context.Context) error {
	return d.conns.ask(ctx, func(b *pgx.Batch) { b.Queue("delete from meta where key = 'carried'") })
}

// Carry implements [store.Carrier]. It isn't retried: the caller asks how far the copy came.
func (d *DB) Carry(ctx context.Context, records []store.Record, n int) error {
	c := copyBatch{b: &pgx.Batch{}}
	for _, r := range records {
		if err := c.take(r); err != nil {
			return err
		}
	}
	speak(c.b, c.dialect)
	c.b.Queue("insert into meta (key, version) values ('carried', $1) on conflict (key) do update set version = excluded.version", n)
	return pgx.BeginFunc(ctx, d.conns.pool, func(tx pgx.Tx) error {
		for _, name := range slices.Sorted(maps.Keys(c.rows)) {
			if _, err := tx.CopyFrom(ctx, pgx.Identifier{name}, columns[name], pgx.CopyFromRows(c.rows[name])); err != nil {
				return err
			}
		}
		return tx.SendBatch(ctx, c.b).Close()
	})
}

// columns lists the columns of the tables into which rows are copied.
var columns = map[string][]string{
	"tables":   {"id", "channel", "seated"},
	"events":   {"table_id", "number", "link", "data"},
	"playing":  {"player", "table_id"},
	"named":    {"player", "table_id"},
	"receipts": {"channel", "request", "table_id", "first", "past", "filed"},
	"timers":   {"id", "at", "channel", "table_id", "number", "kind"},
	"notes":    {"adapter", "shelf", "key", "value"},
}

// A copyBatch collects the rows that a transaction stores.
type copyBatch struct {
	rows map[string][][]any // by table
	b    *pgx.Batch
	// dialect is the highest of the events and the notes.
	dialect int
}

func (c *copyBatch) row(table string, values ...any) {
	if c.rows == nil {
		c.rows = map[string][][]any{}
	}
	c.rows[table] = append(c.rows[table], values)
}

func (c *copyBatch) take(r store.Record) error {
	switch r := r.(type) {
	case store.Table:
		named, err := r.PeopleNamed()
		if err != nil {
			return err
		}
		id := int64(r.ID)
		c.b.Queue("insert into rooms (channel, table_id) values ($1, $2) on conflict (channel) do update set table_id = excluded.table_id", []byte(r.Channel), id)
		c.row("tables", id, []byte(r.Channel), bytesOf(r.Seated))
		var behind chain
		for n, data := range r.Events {
			c.dialect = max(c.dialect, dialectOf(data))
			c.row("events", id, int64(n), behind.add(data), data)
		}
		for _, p := range bytesOf(r.Seated) {
			c.row("playing", p, id)
		}
		for _, p := range bytesOf(named) {
			c.row("named", p, id)
		}
	case store.Receipt:
		c.row("receipts", []byte(r.Channel), []byte(r.Request), int64(r.Table), int64(r.From), int64(r.To), timeBytes(r.Filed))
	case store.Post:
		c.b.Queue(`insert into posts (id, platform, channel, player, table_id, first, past, kind, at, tries, until, head)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, not exists (select 1 from posts where channel = $3 and player = $4))`,
			int64(r.ID), []byte(r.Channel.Platform()), []byte(r.Channel), []byte(r.For), int64(r.Table), r.From, r.To, []byte(r.Kind), timeBytes(r.At), r.Tries, timeBytes(r.Until))
	case store.Timer:
		c.row("timers", int64(r.ID), timeBytes(r.At), []byte(r.Channel), int64(r.Table), int64(r.Number), []byte(r.Kind))
	case store.Note:
		c.dialect = max(c.dialect, dialectOfNote(r.Adapter, r.Shelf, r.Value))
		c.row("notes", []byte(r.Adapter), []byte(r.Shelf), []byte(r.Key), r.Value)
	case store.Counters:
		for name, n := range counters(&r) {
			c.b.Queue("select setval($1, $2, $3)", name, max(int64(*n), 1), *n > 0)
		}
	default:
		return fmt.Errorf("unknown kind of row %T", r)
	}
	return nil
}
