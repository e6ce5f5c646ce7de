package postgres

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A RightsError means that the database's role lacks a right that a host needs.
type RightsError struct{ Err error }

func (e *RightsError) Error() string {
	return fmt.Sprintf("the database's role lacks a right (%v): \"rackmate hosts --grants\" prints what it needs, for the database's owner to carry out", e.Err)
}

func (e *RightsError) Unwrap() error { return e.Err }

// asRightsError turns an error about missing rights into a RightsError.
func asRightsError(err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (pg.Code == "42501" || pg.Code == "3F000") { // 3F000: no schema may be used
		return &RightsError{err}
	}
	return err
}

// Grants returns the statements that give the role in a database's address what a host needs: to
// connect, and to create and own tables. The database's owner runs them while connected to it.
func Grants(url string) (string, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return "", fmt.Errorf("read the database's address: %w", err)
	}
	role, database := quote(config.User), quote(config.Database)
	return strings.Join([]string{
		"-- Create the role, unless it exists, and set its password with \\password.",
		"create role " + role + " login;",
		"grant connect on database " + database + " to " + role + ";",
		"-- Hosts make their tables and sequences in the schema, own them, and change them when a",
		"-- new version needs that. They need no extension, no function and no superuser.",
		"grant usage, create on schema public to " + role + ";",
		"",
	}, "\n"), nil
}

// quote returns a name quoted for SQL.
func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
