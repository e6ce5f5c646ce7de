package postgres

import "github.com/jackc/pgx/v5/pgconn"

// Through has a database's connections made by dial.
func (c Config) Through(dial pgconn.DialFunc) Config {
	c.dial = dial
	return c
}
