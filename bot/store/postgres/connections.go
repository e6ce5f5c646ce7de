package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// connections controls access to the database: who gets a connection when, and for how long.
type connections struct {
	pool *pgxpool.Pool
	// leases is the connection on which holders renew their lives; nothing else uses it.
	leases *pgxpool.Pool
	// changes bounds the connections used for changes; the others are for reading.
	changes chan struct{}
	turns   turns
	pooled  bool // whether a pooler gives each transaction another connection
	trips   atomic.Int64
}

const (
	// statementTime limits a statement, and lockTime its wait for a lock; then the connection
	// serves others for a moment.
	statementTime = 10 * time.Second
	lockTime      = 2 * time.Second
	// idleTime limits how long a transaction waits for its host, and thus how long a host that
	// hangs can hold a room's lock.
	idleTime = 4 * time.Second
)

// connect opens the connections of a configuration.
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
		return nil, fmt.Errorf("open the database: %w", explainConnect(asRightsError(err)))
	}
	config.AfterConnect = prepare
	if all.pooled {
		// A connection is ours only for a transaction, so it keeps none of our prepared statements
		// and settings.
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

// prepare sets up a connection of our own.
func prepare(ctx context.Context, conn *pgx.Conn) error {
	// Otherwise each query for a reading's notes is planned again, which takes longer than running
	// it. Databases that don't know the setting do without.
	var unknown *pgconn.PgError
	if _, err := conn.Exec(ctx, "set plan_cache_mode = force_generic_plan", pgx.QueryExecModeSimpleProtocol); err != nil && !errors.As(err, &unknown) {
		return err
	}
	_, err := conn.Exec(ctx, "set "+strings.Join(limits(), "; set "), pgx.QueryExecModeSimpleProtocol)
	return err
}

// limits returns the settings that keep anything from using a connection for long.
func limits() []string {
	return []string{
		fmt.Sprintf("statement_timeout = %d", statementTime.Milliseconds()),
		fmt.Sprintf("lock_timeout = %d", lockTime.Milliseconds()),
		fmt.Sprintf("idle_in_transaction_session_timeout = %d", idleTime.Milliseconds()),
	}
}

// isPooled reports whether a pooler such as PgBouncer stands between us and the database. It is
// recognized because it reports a process id that isn't the server's. A pooler that gives each
// transaction another connection breaks prepared statements, settings and LISTEN, so none of these
// is used behind it.
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

// explainConnect adds to the error of a failed connection what the operator can check. The error never
// contains the password.
func explainConnect(err error) error {
	var pg *pgconn.PgError
	var failed *pgconn.ConnectError
	switch {
	case !errors.As(err, &failed) || errors.Is(err, context.Canceled):
		return err
	case !errors.As(err, &pg):
		return fmt.Errorf("can't connect (%w): check that PostgreSQL runs, that --data names its server, port and database, and that no firewall keeps this host away", &attemptsError{failed})
	case strings.HasPrefix(pg.Code, "28"): // the user isn't let in
		return fmt.Errorf("%w: check the user in --data and the password in PGPASSWORD, and that pg_hba.conf lets that user in from here", pg)
	case pg.Code == "3D000":
		return fmt.Errorf("%w: create it with createdb, or name another database with --data", pg)
	}
	return err
}

// An attemptsError describes a failed connection in one line. pgx lists each attempt on a line of its
// own, with and without TLS.
type attemptsError struct{ *pgconn.ConnectError }

func (e *attemptsError) Error() string {
	var all []string
	for line := range strings.SplitSeq(strings.TrimPrefix(e.Unwrap().Error(), "hostname resolving error: "), "\n") {
		if !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return strings.Join(all, "; ")
}

// unsynced makes a commit not wait for the disk. A crash of the database may undo the transaction,
// but only together with all later ones.
const unsynced = "set local synchronous_commit = off"

const (
	committed    = "read committed" // for transactions that lock a row first
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

// A session is a connection taken from the pool.
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

// send sends statements in one round trip and passes the results to their callbacks.
func (s session) send(ctx context.Context, b *pgx.Batch) error {
	s.trips.Add(1)
	err := s.SendBatch(ctx, b).Close()
	var pg *pgconn.PgError
	var line net.Error // pgx doesn't always close the connection after such an error
	if err != nil && ctx.Err() == nil && !errors.As(err, &pg) && (errors.As(err, &line) || s.Conn.Conn().IsClosed()) {
		s.Conn.Conn().Close(ctx)
		return fmt.Errorf("%w: %w", errLine, err)
	}
	return err
}

// end returns the connection to the pool, without a transaction.
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

// withConnection calls do with a connection.
func (c *connections) withConnection(ctx context.Context, do func(context.Context, session) error) error {
	s, err := c.session(ctx, c.pool)
	if err != nil {
		return err
	}
	defer s.end()
	return do(ctx, s)
}

// withSession calls do with a connection that waits for no lock, until it succeeds or fails for good.
func (c *connections) withSession(ctx context.Context, do func(context.Context, session) error) error {
	return retry(ctx, func(ctx context.Context) error { return c.withConnection(ctx, do) })
}

// runLease runs statements by which a holder renews its life or stands for a job. They have a
// connection of their own, so that nothing else delays them.
func (c *connections) runLease(ctx context.Context, fill func(*pgx.Batch)) error {
	return retry(ctx, func(ctx context.Context) error {
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

// withLocks calls do with one of the connections for changes, after waiting for the locks that the
// keys name. It gives up if it waits too long.
func (c *connections) withLocks(ctx context.Context, do func(context.Context, session) error, locks ...string) error {
	waiting, cancel := context.WithTimeoutCause(ctx, patience, errBusy)
	defer cancel()
	for _, lock := range locks {
		leave, err := c.turns.take(waiting, lock)
		if err != nil {
			return err
		}
		defer leave()
	}
	return retry(ctx, func(ctx context.Context) error {
		select {
		case c.changes <- struct{}{}:
		case <-waiting.Done():
			return context.Cause(waiting)
		}
		defer func() { <-c.changes }()
		return c.withConnection(ctx, do)
	})
}

// ask runs statements that need no transaction, in one round trip.
func (c *connections) ask(ctx context.Context, fill func(*pgx.Batch)) error {
	return c.withSession(ctx, func(ctx context.Context, s session) error {
		b := &pgx.Batch{}
		fill(b)
		return s.send(ctx, b)
	})
}

// transact runs statements in a transaction, in one round trip. If the connection breaks, it may run
// them twice.
func (c *connections) transact(ctx context.Context, isolation string, fill func(*pgx.Batch), locks ...string) error {
	return c.withLocks(ctx, func(ctx context.Context, s session) error {
		b := &pgx.Batch{}
		c.begin(b, isolation)
		fill(b)
		b.Queue("commit")
		return s.send(ctx, b)
	}, locks...)
}

// claim runs statements that claim something, or finish what was claimed, without waiting for the
// disk. A crash of the database may thus undo a claim, but not if its holder has since committed
// something that waits for the disk. Fencing numbers come from the clock, so another holder's claim
// after the crash has a different one.
func (c *connections) claim(ctx context.Context, fill func(*pgx.Batch), locks ...string) error {
	return c.transact(ctx, committed, func(b *pgx.Batch) {
		b.Queue(unsynced)
		fill(b)
	}, locks...)
}
