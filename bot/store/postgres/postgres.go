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
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/cost"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game/record"
)

// A DB is a database that is open. It is a [bot.Store].
type DB struct {
	pool *pgxpool.Pool
	// leases is by what holders say that they live: nobody else has that connection.
	leases *pgxpool.Pool
	// changes are who may have a connection for changes; the others are for reading.
	changes chan struct{}
	turns   turns
	pooled  bool // what is between us and the database gives each transaction another connection
	now     func() time.Time
	cache   store.Cache
	rooms   rooms
	trips   atomic.Int64
	store.Troubles
	*hub
}

var _ bot.Store = (*DB)(nil)

const (
	// statementTime is how long a statement may take, and lockTime how long it may wait
	// for a lock; then the connection serves others for a moment.
	statementTime = 10 * time.Second
	lockTime      = 2 * time.Second
	// idleTime is how long a transaction may wait for its host, and so how long
	// one that stands still can hold a room's lock against the others.
	idleTime = 4 * time.Second
	// patience is how long something is tried again that failed because the
	// database was away or another was faster.
	patience = 15 * time.Second
)

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
	config, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("read the database's address: %w", err)
	}
	connections := 10
	if c.Connections > 0 {
		connections = c.Connections
	}
	config.MaxConns = int32(max(connections-1, 2)) // one is for leases
	if c.dial != nil {
		config.ConnConfig.DialFunc = c.dial
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "rackmate"
	}
	d := &DB{now: c.Now, changes: make(chan struct{}, max(config.MaxConns*2/3, 1))}
	if d.pooled, err = isPooled(ctx, config.ConnConfig); err != nil {
		return nil, fmt.Errorf("open the database: %w", rightsOf(err))
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		// Else the notes of a reading are planned each time, which takes longer than to
		// find them. What doesn't know the setting does without.
		var unknown *pgconn.PgError
		if _, err := conn.Exec(ctx, "set plan_cache_mode = force_generic_plan", pgx.QueryExecModeSimpleProtocol); err != nil && !errors.As(err, &unknown) {
			return err
		}
		_, err := conn.Exec(ctx, "set "+strings.Join(limits(), "; set "), pgx.QueryExecModeSimpleProtocol)
		return err
	}
	if d.pooled {
		// No connection is ours for longer than a transaction: it keeps no prepared
		// statement of ours, and no setting.
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
		config.AfterConnect = nil
	}
	if d.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	one := config.Copy()
	one.MaxConns = 1
	if d.leases, err = pgxpool.NewWithConfig(ctx, one); err != nil {
		d.pool.Close()
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := d.migrate(ctx); err != nil {
		d.pool.Close()
		d.leases.Close()
		var newer *NewerError
		if errors.As(err, &newer) {
			return nil, err
		}
		return nil, fmt.Errorf("open the database: %w", rightsOf(err))
	}
	d.hub = newHub(d.pool, d.pooled)
	return d, nil
}

// limits are the settings by which nothing keeps a connection for long.
func limits() []string {
	return []string{
		fmt.Sprintf("statement_timeout = %d", statementTime.Milliseconds()),
		fmt.Sprintf("lock_timeout = %d", lockTime.Milliseconds()),
		fmt.Sprintf("idle_in_transaction_session_timeout = %d", idleTime.Milliseconds()),
	}
}

// isPooled reports whether something stands between us and the database that shares out
// its connections, as PgBouncer does. It tells each client a process that isn't the
// server's. Where it gives each transaction another connection, a statement that was
// prepared is nowhere, or somebody else's, a setting is lost, and LISTEN hears nothing;
// so none of these is used behind it.
func isPooled(ctx context.Context, config *pgx.ConnConfig) (bool, error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return false, err
	}
	defer conn.Close(ctx)
	var process uint32
	err = conn.QueryRow(ctx, "select pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&process)
	return process != conn.PgConn().PID(), err
}

// begin begins a transaction.
func (d *DB) begin(b *pgx.Batch, isolation string) {
	b.Queue("begin isolation level " + isolation)
	if d.pooled {
		for _, limit := range limits() {
			b.Queue("set local " + limit)
		}
	}
}

// Close waits for what is going on and closes the connections.
func (d *DB) Close() error {
	d.hub.close()
	d.pool.Close()
	d.leases.Close()
	return nil
}

// A NewerError says that the database's tables are such as a newer rackmate
// makes, which this one can't go on with.
type NewerError struct{ Needs, Know int }

func (e *NewerError) Error() string {
	return fmt.Sprintf("the database was brought up to date by a newer rackmate (it needs format %d, and this one knows up to %d): run the newer one; nothing has been touched", e.Needs, e.Know)
}

//go:embed migrations
var migrations embed.FS

// compatible is the oldest format that hosts of the program before this one
// knew and can go on with, while they are replaced one after another. A host of format 1
// raises no edition: a name that it takes out of a game meanwhile may stand in what
// others have read before, until they are replaced or have read other games since.
const compatible = 1

// dialectOf and dialectOfNote are those of [record], but for tests.
var (
	dialectOf     = record.DialectOf
	dialectOfNote = record.DialectOfNote
)

// speaksSince is the first format whose programs look for the dialect of the events.
const speaksSince = 3

// speak notes the highest dialect of events or rows that are taken in, with them: programs
// that don't know it are not to begin any more.
func speak(b *pgx.Batch, dialect int) {
	if dialect > 1 {
		b.Queue("insert into meta (key, version) values ('dialect', $1) on conflict (key) do update set version = excluded.version where meta.version < excluded.version", dialect)
		b.Queue("update meta set version = $1 where key = 'needs' and version < $1", speaksSince)
	}
}

// migrate brings the tables up to date, under a lock, by whoever comes first.
func (d *DB) migrate(ctx context.Context) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	return d.again(ctx, func(ctx context.Context) error {
		if _, err := d.pool.Exec(ctx, "create table if not exists meta (key bytea primary key, version bigint not null)"); err != nil {
			return err
		}
		if _, err := d.pool.Exec(ctx, "insert into meta (key, version) values ('schema', 0), ('needs', 0) on conflict do nothing"); err != nil {
			return err
		}
		return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			var schema, needs int
			if err := tx.QueryRow(ctx, "select version from meta where key = 'schema' for update").Scan(&schema); err != nil {
				return err
			}
			if err := tx.QueryRow(ctx, "select version from meta where key = 'needs'").Scan(&needs); err != nil {
				return err
			}
			var dialect int
			if err := tx.QueryRow(ctx, "select coalesce(max(version), 1) from meta where key = 'dialect'").Scan(&dialect); err != nil {
				return err
			}
			switch {
			case dialect > record.Dialect:
				return &NewerError{dialect, record.Dialect}
			case needs > len(steps):
				return &NewerError{needs, len(steps)}
			case schema >= len(steps):
				return nil
			}
			for n := schema + 1; n <= len(steps); n++ {
				sql, err := migrations.ReadFile(fmt.Sprintf("migrations/%d.sql", n))
				if err != nil {
					return err
				}
				if _, err := tx.Exec(ctx, string(sql), pgx.QueryExecModeSimpleProtocol); err != nil {
					return fmt.Errorf("bring the database to format %d: %w", n, err)
				}
			}
			if _, err := tx.Exec(ctx, "update meta set version = $1 where key = 'schema'", len(steps)); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "update meta set version = $1 where key = 'needs' and version < $1", compatible)
			return err
		})
	})
}

// An unsureError is a failure after which it isn't known whether something was
// done, and must not be done again.
type unsureError struct{ err error }

func (e *unsureError) Error() string {
	return "it isn't known whether this was stored: " + e.err.Error()
}
func (e *unsureError) Unwrap() error { return e.err }

// again does something until it succeeds, fails in a way that another try won't
// mend, or patience ends. What is done twice must do no harm.
func (d *DB) again(ctx context.Context, do func(context.Context) error) error {
	defer cost.MeterOf(ctx).Idle()()
	began := time.Now()
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := do(ctx)
		if err == nil || !passing(err) || time.Since(began) > patience {
			return err
		}
		pause := time.NewTimer(wait/2 + rand.N(wait))
		select {
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		case <-pause.C:
		}
	}
}

// passing reports whether an error may be gone at another try.
func passing(err error) bool {
	var unsure *unsureError
	if errors.As(err, &unsure) {
		return false
	}
	if brokeOff(err) || errors.Is(err, errAnew) {
		return true
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	switch pg.Code {
	case "23505", // another was faster
		"42710", "42P07", // and made the same table
		"25006", // a standby that is about to be the primary
		"25P03", // this host was too slow
		"53300", // too many connections
		"55P03", // a lock wasn't let go of in time
		"57014": // a statement took too long
		return true
	}
	return pg.Code[:2] == "40" // serialization
}

// errLine marks errors of the line to the database.
var errLine = errors.New("the line to the database broke")

// brokeOff reports whether the line to the database, or that itself, is the
// matter.
func brokeOff(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return strings.HasPrefix(pg.Code, "57P") || strings.HasPrefix(pg.Code, "08")
	}
	return errors.Is(err, errLine)
}

// RoundTrips counts how often the database has been asked.
func (d *DB) RoundTrips() int64 { return d.trips.Load() }

// A session is a connection that has been taken from the pool.
type session struct {
	*pgxpool.Conn
	trips *atomic.Int64
}

func (d *DB) session(ctx context.Context, pool *pgxpool.Pool) (session, error) {
	conn, err := pool.Acquire(ctx)
	var pg *pgconn.PgError
	if err != nil && ctx.Err() == nil && !errors.As(err, &pg) {
		err = fmt.Errorf("%w: %w", errLine, err)
	}
	return session{conn, &d.trips}, err
}

// send sends statements in one round trip, and reads what comes back by their
// callbacks.
func (s session) send(ctx context.Context, b *pgx.Batch) error {
	defer cost.MeterOf(ctx).Idle()()
	s.trips.Add(1)
	err := s.SendBatch(ctx, b).Close()
	var pg *pgconn.PgError
	var line net.Error // which pgx doesn't always take for the connection's end
	if err != nil && ctx.Err() == nil && !errors.As(err, &pg) && (errors.As(err, &line) || s.Conn.Conn().IsClosed()) {
		s.Conn.Conn().Close(ctx)
		return fmt.Errorf("%w: %w", errLine, err)
	}
	return err
}

// end gives the connection back, without a transaction.
func (s session) end() {
	if status := s.Conn.Conn().PgConn().TxStatus(); status != 'I' && !s.Conn.Conn().IsClosed() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		s.trips.Add(1)
		if _, err := s.Exec(ctx, "rollback"); err != nil {
			s.Conn.Conn().Close(ctx)
		}
	}
	s.Release()
}

// byConnection does something by a connection.
func (d *DB) byConnection(ctx context.Context, do func(context.Context, session) error) error {
	s, err := d.session(ctx, d.pool)
	if err != nil {
		return err
	}
	defer s.end()
	return do(ctx, s)
}

// inSession does something by a connection that waits for no lock, until that succeeds
// or can't be mended.
func (d *DB) inSession(ctx context.Context, do func(context.Context, session) error) error {
	return d.again(ctx, func(ctx context.Context) error { return d.byConnection(ctx, do) })
}

// lease does statements by which a holder says that it lives, or stands for a job: by a
// connection of their own, so that nothing else makes them wait.
func (d *DB) lease(ctx context.Context, fill func(*pgx.Batch)) error {
	return d.again(ctx, func(ctx context.Context) error {
		s, err := d.session(ctx, d.leases)
		if err != nil {
			return err
		}
		defer s.end()
		b := &pgx.Batch{}
		fill(b)
		return s.send(ctx, b)
	})
}

// ask does statements that need no transaction, in one round trip.
func (d *DB) ask(ctx context.Context, fill func(*pgx.Batch)) error {
	return d.inSession(ctx, func(ctx context.Context, s session) error {
		b := &pgx.Batch{}
		fill(b)
		return s.send(ctx, b)
	})
}

// all does statements all or none, in one round trip. It may do so twice when
// the line breaks.
func (d *DB) all(ctx context.Context, isolation string, fill func(*pgx.Batch), locks ...string) error {
	return d.changing(ctx, func(ctx context.Context, s session) error {
		b := &pgx.Batch{}
		d.begin(b, isolation)
		fill(b)
		b.Queue("commit")
		return s.send(ctx, b)
	}, locks...)
}

// unsynced lets a transaction not wait for the disk: what it did may be lost in a
// crash of the database, but not before what is committed later.
const unsynced = "set local synchronous_commit = off"

const (
	committed    = "read committed" // where a row is locked first
	serializable = "serializable"
)

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
