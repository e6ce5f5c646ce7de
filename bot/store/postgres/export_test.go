package postgres

import (
	"context"
	"runtime"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// Through makes a database's connections with dial.
func (c Config) Through(dial pgconn.DialFunc) Config {
	c.dial = dial
	return c
}

// LockRoom keeps the row of a room locked, on a connection of its own, until free is called.
func LockRoom(tb testing.TB, d *DB, ch bot.ChannelID) (free func()) {
	tb.Helper()
	ctx := context.Background()
	conn, err := pgx.ConnectConfig(ctx, d.conns.pool.Config().ConnConfig)
	if err == nil {
		_, err = conn.Exec(ctx, "begin", pgx.QueryExecModeSimpleProtocol)
	}
	if err == nil {
		_, err = conn.Exec(ctx, "select 1 from rooms where channel = $1 for update", pgx.QueryExecModeSimpleProtocol, []byte(ch))
	}
	gametest.Must(tb, err)
	return func() { conn.Close(ctx) }
}

// AwaitTurns waits until n callers want to change something.
func AwaitTurns(tb testing.TB, d *DB, n int) {
	tb.Helper()
	for {
		d.conns.turns.mu.Lock()
		sum := 0
		for _, q := range d.conns.turns.by {
			sum += q.n
		}
		d.conns.turns.mu.Unlock()
		if sum >= n {
			return
		}
		runtime.Gosched()
	}
}

// TableFiles returns the files of the tables, relative to the server's folder.
func TableFiles(tb testing.TB, d *DB) (files []string) {
	rows, err := d.conns.pool.Query(tb.Context(), "select pg_relation_filepath(c.oid) from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r' and pg_relation_size(c.oid) > 0")
	gametest.Must(tb, err)
	files, err = pgx.CollectRows(rows, pgx.RowTo[string])
	gametest.Must(tb, err)
	return files
}

// Dialect makes all events have a dialect until the test ends.
func Dialect(tb testing.TB, dialect int) {
	was := dialectOf
	dialectOf = func([]byte) int { return dialect }
	tb.Cleanup(func() { dialectOf = was })
}

// NoteDialect makes all rows of a shelf have a dialect until the test ends.
func NoteDialect(tb testing.TB, of string, dialect int) {
	was := dialectOfNote
	dialectOfNote = func(_, shelf string, _ []byte) int {
		if shelf == of {
			return dialect
		}
		return 1
	}
	tb.Cleanup(func() { dialectOfNote = was })
}

// Listening returns how many connections to the database are listening.
func Listening(tb testing.TB, d *DB) (n int) {
	tb.Helper()
	err := d.conns.pool.QueryRow(tb.Context(), "select count(*) from pg_stat_activity where datname = current_database() and query = 'listen "+topic+"' and state = 'idle'").Scan(&n)
	gametest.Must(tb, err)
	return n
}
