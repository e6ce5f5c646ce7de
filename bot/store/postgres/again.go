package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// patience limits how long an operation is retried that failed because the database was away or
// another host was faster.
const patience = 15 * time.Second

// An unsureError is a failure after which it is unknown whether something was done, so it must not
// be repeated.
type unsureError struct{ err error }

func (e *unsureError) Error() string {
	return "it isn't known whether this was stored: " + e.err.Error()
}
func (e *unsureError) Unwrap() error { return e.err }

// retry retries do until it succeeds, fails for good, or patience ends. do must be safe to repeat.
func retry(ctx context.Context, do func(context.Context) error) error {
	began := time.Now()
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := do(ctx)
		if err == nil || !isTransient(err) {
			return err
		}
		if time.Since(began) > patience {
			return busyError(err)
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

// busyError returns the error after patience has ended: [bot.ErrBusy] if others held a lock all the
// time.
func busyError(err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == lockNotAvailable {
		return fmt.Errorf("%w: %w", errBusy, err)
	}
	return err
}

const lockNotAvailable = "55P03"

// isTransient reports whether a retry may succeed after an error.
func isTransient(err error) bool {
	var unsure *unsureError
	if errors.As(err, &unsure) {
		return false
	}
	if isConnectionLost(err) || errors.Is(err, errAnew) {
		return true
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	switch pg.Code {
	case "23505", // another host was faster
		"42710", "42P07", // and created the same table
		"25006",          // a standby that is about to become the primary
		"25P03",          // this host was too slow
		"53300",          // too many connections
		lockNotAvailable, // a lock wasn't released in time
		"57014":          // a statement took too long
		return true
	}
	return pg.Code[:2] == "40" // serialization
}

// resolve returns the outcome of a transaction after its commit failed with err. If the
// connection broke, the transaction may have been committed, so resolve asks the database. A
// transaction without an id has read nothing, and can be repeated in any case.
func (c *connections) resolve(ctx context.Context, id int64, err error) error {
	if id == 0 || !errors.Is(err, errLine) {
		return err
	}
	var status *string
	broke := err
	err = c.ask(ctx, func(b *pgx.Batch) {
		b.Queue("select txid_status($1)", id).QueryRow(func(row pgx.Row) error {
			if err := row.Scan(&status); err != nil {
				return err
			}
			if status != nil && *status == "in progress" {
				return errLine // the database hasn't noticed that the connection broke
			}
			return nil
		})
	})
	switch {
	case err != nil:
		return &unsureError{err}
	case status != nil && *status == "committed":
		return nil
	case status != nil && *status == "aborted":
		return broke
	}
	return &unsureError{broke}
}

// errLine marks errors of the connection to the database.
var errLine = errors.New("the connection to the database broke")

// isConnectionLost reports whether the connection to the database, or the database itself, failed.
func isConnectionLost(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return strings.HasPrefix(pg.Code, "57P") || strings.HasPrefix(pg.Code, "08")
	}
	return errors.Is(err, errLine)
}
