// Package postgres is the [bot.Store] on a PostgreSQL database, for any number
// of hosts at once. It has the notes of adapters too.
//
// Updates of a channel take the lock of its row in rooms, for rooms are hot:
// where hundreds answer the same duplicate round, optimism would lose most of
// its tries. Statements go out in batches, as many as can without knowing what
// the one before found: an Update is two round trips, most else is one. What a
// reading says that it reads is asked for together (see reading.go).
//
// Posts and timers are claimed by SKIP LOCKED. What their holders have counts
// while their row in holders does.
//
// # What waits for the disk
//
// Moves, notes, lines and what is queued with them are on disk when they are
// reported done. A turn waits for that twice: with the Update, and with the line
// that concludes its post. What may be lost in a crash of the database doesn't
// wait: a claim, the end of a post or a timer (it comes again, with its key), a hint.
//
// # Hints
//
// Commits are told to other processes by NOTIFY, after the commit and
// gathered, so that no commit waits for another's. All of this process watch
// by one connection that listens. Every few seconds, and where there is no
// LISTEN, they are told to look everywhere.
//
// # Connections
//
// A third of the connections is for reading alone, one for saying that holders live, and
// one listens. Who changes a room waits for its turn in this process first (see turns.go),
// and gives the connection to others while the row stays locked: so a hot room, or one
// that is locked, holds up nobody else.
//
// Behind PgBouncer, or whatever else shares out connections, nothing is used that outlives
// a transaction: no prepared statements, no settings of a session, no LISTEN.
//
// # SQL
//
// Only such SQL is used as CockroachDB's documentation has too, so that what
// speaks PostgreSQL's wire can serve. Not used for that: advisory locks, ctid,
// exclusion constraints, triggers, functions and other procedural code, LISTEN
// as more than a hint, subqueries in ON CONFLICT, aggregates of bytea, LOCK
// TABLE, unlogged tables, savepoints, and types beyond bigint, boolean, bytea
// and its arrays.
//
// # Caveats
//
// A key is at most some 2,600 bytes long with its shelf, or it doesn't go into
// an index.
//
// The clocks of the hosts must agree to within a second or two: a life of holders is
// compared with the clock of whoever claims. A clock that is wrong makes claims move
// too early, which does no harm, as they are fenced.
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

// A DB is a database that is open. It is a [bot.Store].
type DB struct {
	conns  *connections
	logs   logs
	habits habits
	now    func() time.Time
	store.Troubles
	*hub
}

var _ bot.Store = (*DB)(nil)

// Config is how to open a database.
type Config struct {
	// URL is as libpq has it: postgres://user@host/name?sslmode=verify-full. What
	// it doesn't say is taken from the environment (PGPASSWORD, PGSSLROOTCERT and
	// so on). Several hosts are tried in turn.
	URL string
	// Connections are the most at a time; 0 is 10.
	Connections int
	Now         func() time.Time // dates receipts

	dial pgconn.DialFunc // for tests
}

// Open opens a database, and makes the tables when they aren't there. The
// errors to expect are *[NewerError] and those of the connection.
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
		return nil, fmt.Errorf("open the database: %w", rightsOf(err))
	}
	return &DB{now: c.Now, conns: conns, hub: newHub(conns.pool, conns.pooled)}, nil
}

// Close waits for what is going on and closes the connections.
func (d *DB) Close() error {
	d.hub.close()
	d.conns.close()
	return nil
}

// RoundTrips counts how often the database has been asked.
func (d *DB) RoundTrips() int64 { return d.conns.trips.Load() }

// scan reads a column of one row into a value, and says whether there was one.
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

// Times are as in the keys of package bolt.

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
