package postgres_test

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/bot/store/storetest"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	pgtest.StopShared()
	os.Exit(code)
}

// database returns the URL of a new database with a host's tables. It is a copy, since creating
// them takes longer than most tests.
func database(t testing.TB) string {
	t.Helper()
	made.Do(func() {
		url := pgtest.Shared(t).Database(t)
		db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Now: time.Now})
		gametest.Must(t, err)
		db.Close()
		made.url = url
	})
	return pgtest.Shared(t).Copy(t, made.url)
}

var made struct {
	sync.Once
	url string
}

// changes returns a function that changes a database behind the hosts' backs.
func changes(t testing.TB, of string) func(sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), of)
	gametest.Must(t, err)
	t.Cleanup(func() { conn.Close(context.Background()) })
	return func(sql string) {
		t.Helper()
		_, err := conn.PgConn().Exec(t.Context(), sql).ReadAll()
		gametest.Must(t, err)
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	urls := map[string]string{} // by directory
	storetest.Run(t, func(t *testing.T, dir string, now func() time.Time) storetest.Store {
		mu.Lock()
		url := urls[dir]
		if url == "" {
			url = database(t)
			urls[dir] = url
		}
		mu.Unlock()
		db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 4, Now: now})
		gametest.Must(t, err)
		return db
	})
}
