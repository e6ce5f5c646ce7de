package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// patience is how long something is tried again that failed because the
// database was away or another was faster.
const patience = 15 * time.Second

// An unsureError is a failure after which it isn't known whether something was
// done, and must not be done again.
type unsureError struct{ err error }

func (e *unsureError) Error() string {
	return "it isn't known whether this was stored: " + e.err.Error()
}
func (e *unsureError) Unwrap() error { return e.err }

// again does something until it succeeds, fails in a way that another try won't
// mend, or patience ends. What is done twice must do no harm.
func again(ctx context.Context, do func(context.Context) error) error {
	began := time.Now()
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := do(ctx)
		if err == nil || !passing(err) {
			return err
		}
		if time.Since(began) > patience {
			return waited(err)
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

// waited returns what patience ended with: [bot.ErrBusy] if others held a lock all the time.
func waited(err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == lockNotAvailable {
		return fmt.Errorf("%w: %w", errBusy, err)
	}
	return err
}

const lockNotAvailable = "55P03"

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
		"25006",          // a standby that is about to be the primary
		"25P03",          // this host was too slow
		"53300",          // too many connections
		lockNotAvailable, // a lock wasn't let go of in time
		"57014":          // a statement took too long
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
