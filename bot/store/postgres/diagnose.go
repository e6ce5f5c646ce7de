package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Diagnose connects to a database without changing anything, and returns its version and its time.
// If the role can't create tables there, the error says which right it lacks.
func Diagnose(ctx context.Context, url string) (version string, now time.Time, err error) {
	conns, err := connect(ctx, Config{URL: url, Connections: 1})
	if err != nil {
		return "", now, err
	}
	defer conns.close()
	var may bool
	err = conns.pool.QueryRow(ctx, "select current_setting('server_version'), now(), coalesce(has_schema_privilege(current_schema(), 'usage') and has_schema_privilege(current_schema(), 'create'), false)").Scan(&version, &now, &may)
	if err != nil {
		return "", now, fmt.Errorf("ask the database: %w", asRightsError(err))
	}
	if !may {
		err = &RightsError{errors.New("it may not make tables in the schema")}
	}
	return version, now, err
}
