package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Connections are how the database is asked: who has a connection when, and how long
// they may keep it.
type connections struct {
	pool *pgxpool.Pool
	// leases is by what holders say that they live: nobody else has that connection.
	leases *pgxpool.Pool
	// changes are who may have a connection for changes; the others are for reading.
	changes chan struct{}
	turns   turns
	pooled  bool // what is between us and the database gives each transaction another connection
	trips   atomic.Int64
}

const (
	// statementTime is how long a statement may take, and lockTime how long it may wait
	// for a lock; then the connection serves others for a moment.
	statementTime = 10 * time.Second
	lockTime      = 2 * time.Second
	// idleTime is how long a transaction may wait for its host, and so how long
	// one that stands still can hold a room's lock against the others.
	idleTime = 4 * time.Second
)

// connect makes the connections that a configuration asks for.
func connect(ctx context.Context, c Config) (*connections, error) {
	config, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("read the database's address: %w", err)
	}
	most := 10
	if c.Connections > 0 {
		most = c.Connections
	}
	config.MaxConns = int32(max(most-1, 2)) // one is for leases
	if c.dial != nil {
		config.ConnConfig.DialFunc = c.dial
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "rackmate"
	}
	all := &connections{changes: make(chan struct{}, max(config.MaxConns*2/3, 1))}
	if all.pooled, err = isPooled(ctx, config.ConnConfig); err != nil {
		return nil, fmt.Errorf("open the database: %w", rightsOf(err))
	}
	config.AfterConnect = prepare
	if all.pooled {
		// No connection is ours for longer than a transaction: it keeps no prepared
		// statement of ours, and no setting.
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
		config.AfterConnect = nil
	}
	if all.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	one := config.Copy()
	one.MaxConns = 1
	if all.leases, err = pgxpool.NewWithConfig(ctx, one); err != nil {
		all.pool.Close()
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return all, nil
}

func (c *connections) close() {
	c.pool.Close()
	c.leases.Close()
}

// prepare makes the settings of a connection that is ours.
func prepare(ctx context.Context, conn *pgx.Conn) error {
	// Else the notes of a reading are planned each time, which takes longer than to
	// find them. What doesn't know the setting does without.
	var unknown *pgconn.PgError
	if _, err := conn.Exec(ctx, "set plan_cache_mode = force_generic_plan", pgx.QueryExecModeSimpleProtocol); err != nil && !errors.As(err, &unknown) {
		return err
	}
	_, err := conn.Exec(ctx, "set "+strings.Join(limits(), "; set "), pgx.QueryExecModeSimpleProtocol)
	return err
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

// unsynced lets a transaction not wait for the disk: what it did may be lost in a
// crash of the database, but not before what is committed later.
const unsynced = "set local synchronous_commit = off"

const (
	committed    = "read committed" // where a row is locked first
	serializable = "serializable"
)

// begin begins a transaction.
func (c *connections) begin(b *pgx.Batch, isolation string) {
	b.Queue("begin isolation level " + isolation)
	if c.pooled {
		for _, limit := range limits() {
			b.Queue("set local " + limit)
		}
	}
}

// A session is a connection that has been taken from the pool.
type session struct {
	*pgxpool.Conn
	trips *atomic.Int64
}

func (c *connections) session(ctx context.Context, pool *pgxpool.Pool) (session, error) {
	conn, err := pool.Acquire(ctx)
	var pg *pgconn.PgError
	if err != nil && ctx.Err() == nil && !errors.As(err, &pg) {
		err = fmt.Errorf("%w: %w", errLine, err)
	}
	return session{conn, &c.trips}, err
}

// send sends statements in one round trip, and reads what comes back by their
// callbacks.
func (s session) send(ctx context.Context, b *pgx.Batch) error {
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
func (c *connections) byConnection(ctx context.Context, do func(context.Context, session) error) error {
	s, err := c.session(ctx, c.pool)
	if err != nil {
		return err
	}
	defer s.end()
	return do(ctx, s)
}

// inSession does something by a connection that waits for no lock, until that succeeds
// or can't be mended.
func (c *connections) inSession(ctx context.Context, do func(context.Context, session) error) error {
	return again(ctx, func(ctx context.Context) error { return c.byConnection(ctx, do) })
}

// lease does statements by which a holder says that it lives, or stands for a job: by a
// connection of their own, so that nothing else makes them wait.
func (c *connections) lease(ctx context.Context, fill func(*pgx.Batch)) error {
	return again(ctx, func(ctx context.Context) error {
		s, err := c.session(ctx, c.leases)
		if err != nil {
			return err
		}
		defer s.end()
		b := &pgx.Batch{}
		fill(b)
		return s.send(ctx, b)
	})
}

// changing does something by a connection that waits for locks: those that its keys name,
// by one of the connections for changes. It gives up when it had to wait for too long.
func (c *connections) changing(ctx context.Context, do func(context.Context, session) error, locks ...string) error {
	waiting, cancel := context.WithTimeoutCause(ctx, patience, errBusy)
	defer cancel()
	for _, lock := range locks {
		leave, err := c.turns.take(waiting, lock)
		if err != nil {
			return err
		}
		defer leave()
	}
	return again(ctx, func(ctx context.Context) error {
		select {
		case c.changes <- struct{}{}:
		case <-waiting.Done():
			return context.Cause(waiting)
		}
		defer func() { <-c.changes }()
		return c.byConnection(ctx, do)
	})
}

// ask does statements that need no transaction, in one round trip.
func (c *connections) ask(ctx context.Context, fill func(*pgx.Batch)) error {
	return c.inSession(ctx, func(ctx context.Context, s session) error {
		b := &pgx.Batch{}
		fill(b)
		return s.send(ctx, b)
	})
}

// all does statements all or none, in one round trip. It may do so twice when
// the line breaks.
func (c *connections) all(ctx context.Context, isolation string, fill func(*pgx.Batch), locks ...string) error {
	return c.changing(ctx, func(ctx context.Context, s session) error {
		b := &pgx.Batch{}
		c.begin(b, isolation)
		fill(b)
		b.Queue("commit")
		return s.send(ctx, b)
	}, locks...)
}

// claim does statements that claim something, or finish what was claimed, without
// waiting for the disk. A crash of the database may so forget a claim; what its holder
// commits after it, and waits for, keeps that too. Fencing numbers come of the clock,
// so that the claim of another after the crash has another one.
func (c *connections) claim(ctx context.Context, fill func(*pgx.Batch), locks ...string) error {
	return c.all(ctx, committed, func(b *pgx.Batch) {
		b.Queue(unsynced)
		fill(b)
	}, locks...)
}
