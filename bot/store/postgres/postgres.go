// Package postgres implements [bot.Store] on a PostgreSQL database, for any number of hosts at
// once. It also stores the adapters' notes.
//
// Updates of a channel lock its row in rooms, because rooms are hot: if hundreds answer the same
// duplicate round, optimistic updates would mostly be retried. Statements are sent in batches, as
// many as possible without knowing the earlier results: an Update takes two round trips, most other
// calls one. What a reading is expected to read is asked for together (see reading.go).
//
// Posts and timers are claimed with SKIP LOCKED. A holder's claims are valid as long as its row in
// holders is.
//
// # Durability
//
// Moves, notes, log entries and what is queued with them are on disk when they are reported done. A
// turn waits for that twice: in the Update, and in the change that concludes its post. What may be
// lost in a crash of the database doesn't wait: a claim, the end of a post or a timer (which then
// comes again, with its key), a hint.
//
// # Hints
//
// Other processes learn of commits by NOTIFY, after the commit and in groups, so that no commit
// waits for another's. All watchers of a process share one connection that listens. Every few
// seconds, and without LISTEN more often, they get the hint to look everywhere.
//
// # Connections
//
// A third of the connections is only for reading, one renews the lives of holders, and one listens.
// A change of a room waits for its turn in this process first (see turns.go), and gives up its
// connection while the row stays locked: so a hot or locked room doesn't hold up the others.
//
// Behind PgBouncer or another pooler, nothing is used that outlives a transaction: no prepared
// statements, no session settings, no LISTEN.
//
// # SQL
//
// Only SQL that CockroachDB documents too is used, so that other databases with PostgreSQL's
// protocol can serve. Therefore these are avoided: advisory locks, ctid, exclusion constraints,
// triggers, functions and other procedural code, LISTEN as more than a hint, subqueries in ON
// CONFLICT, aggregates of bytea, LOCK TABLE, unlogged tables, savepoints, and types other than
// bigint, boolean, bytea and its arrays.
//
// # Clocks
//
// Hosts go by the database's clock, whatever their own show: [DB.Now] follows it, and each renewal of a
// life reads it. If it is put back, the next renewal shortens the lives of holders that died before.
//
// # Caveats
//
// A key with its shelf is limited to some 2,600 bytes; a longer one doesn't fit into an index.
package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
)

// A DB is an open database. It is a [bot.Store].
type DB struct {
	conns  *connections
	logs   logs
	habits habits
	clock  *store.Clock
	now    func() time.Time
	store.Troubles
	*hub
}

var _ bot.Store = (*DB)(nil)

// Config says how to open a database.
type Config struct {
	// URL has libpq's form: postgres://user@host/name?sslmode=verify-full. What it lacks comes from
	// the environment (PGPASSWORD, PGSSLROOTCERT and so on). Several hosts are tried in turn.
	URL string
	// Connections limits the simultaneous connections; 0 means 10.
	Connections int
	// Now replaces the database's clock in tests.
	Now func() time.Time

	dial pgconn.DialFunc // for tests
}

// Open opens a database, and creates the tables if they don't exist. The errors to expect are
// *[NewerError] and connection errors.
func Open(ctx context.Context, c Config) (*DB, error) {
	conns, err := connect(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, conns.pool); err != nil {
		conns.close()
		var newer *NewerError
		if errors.As(err, &newer) {
			return nil, err
		}
		return nil, fmt.Errorf("open the database: %w", asRightsError(err))
	}
	d := &DB{clock: store.NewClock(time.Now, store.Elapsed), now: c.Now, conns: conns, hub: newHub(conns.pool, conns.pooled)}
	if d.now == nil {
		d.now = d.clock.Now
	}
	if err := conns.runLease(ctx, d.readClock); err != nil {
		d.Close()
		return nil, fmt.Errorf("ask the database for its time: %w", err)
	}
	return d, nil
}

// Now returns the time on the database's clock.
func (d *DB) Now() time.Time { return d.now() }

// clockMicros is the time on the database's clock in microseconds.
const clockMicros = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"

// readClock adds a statement that reads the database's clock.
func (d *DB) readClock(b *pgx.Batch) {
	set := d.clock.Read()
	b.Queue("select " + clockMicros).QueryRow(func(row pgx.Row) error {
		var at int64
		err := row.Scan(&at)
		if err == nil {
			set(time.UnixMicro(at))
		}
		return err
	})
}

// Close waits for running operations and closes the connections.
func (d *DB) Close() error {
	d.hub.close()
	d.conns.close()
	return nil
}

// RoundTrips returns the number of round trips to the database.
func (d *DB) RoundTrips() int64 { return d.conns.trips.Load() }

// scan reads the columns of one row, and sets found if there was one.
func scan(q *pgx.QueuedQuery, found *bool, into ...any) {
	q.Query(func(rows pgx.Rows) error {
		*found = false
		for rows.Next() {
			*found = true
			if err := rows.Scan(into...); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// each calls fn on each row.
func each(q *pgx.QueuedQuery, fn func(pgx.Rows) error) {
	q.Query(func(rows pgx.Rows) error {
		for rows.Next() {
			if err := fn(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// timeBytes encodes a time as in the keys of package bolt.
func timeBytes(t time.Time) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(t.Unix())^1<<63)
	return binary.BigEndian.AppendUint32(b, uint32(t.Nanosecond()))
}

func timeOf(b []byte) time.Time {
	if len(b) != 12 {
		return time.Time{}
	}
	return time.Unix(int64(binary.BigEndian.Uint64(b)^1<<63), int64(binary.BigEndian.Uint32(b[8:]))).UTC()
}
