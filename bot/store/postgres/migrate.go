package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rackmate/rackmate/game/record"
)

// A NewerError means that a newer rackmate has changed the database's tables so that this one can't
// use them.
type NewerError struct{ Needs, Know int }

func (e *NewerError) Error() string {
	return fmt.Sprintf("the database was brought up to date by a newer rackmate (it needs format %d, and this one knows up to %d): run the newer one; nothing has been touched", e.Needs, e.Know)
}

//go:embed migrations
var migrations embed.FS

// compatible is the oldest format whose programs can run beside this one. Programs of format 3
// look for messages in tables that are gone, so all their hosts must be replaced at once.
const compatible = 4

// dialectOf and dialectOfNote are the functions of [record], replaceable in tests.
var (
	dialectOf     = record.DialectOf
	dialectOfNote = record.DialectOfNote
)

// speaksSince is the first format whose programs check the dialect of the events.
const speaksSince = 3

// speak records the highest dialect of the events or rows stored in the same transaction: programs
// that don't know it must not start any more.
func speak(b *pgx.Batch, dialect int) {
	if dialect > 1 {
		b.Queue("insert into meta (key, version) values ('dialect', $1) on conflict (key) do update set version = excluded.version where meta.version < excluded.version", dialect)
		b.Queue("update meta set version = $1 where key = 'needs' and version < $1", speaksSince)
	}
}

// migrate brings the tables up to date, under a lock; the first host does it.
func migrate(ctx context.Context, pool *pgxpool.Pool) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	return retry(ctx, func(ctx context.Context) error {
		if _, err := pool.Exec(ctx, "create table if not exists meta (key bytea primary key, version bigint not null)"); err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, "insert into meta (key, version) values ('schema', 0), ('needs', 0) on conflict do nothing"); err != nil {
			return err
		}
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
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
