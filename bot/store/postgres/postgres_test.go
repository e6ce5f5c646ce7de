package postgres_test

import (
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

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

// database is the URL of an empty database.
func database(t testing.TB) string {
	t.Helper()
	return pgtest.Shared(t).Database(t)
}

// changes is how a database is changed behind the hosts' backs.
func changes(t testing.TB, of string) func(sql string) {
	t.Helper()
	at, err := url.Parse(of)
	gametest.Must(t, err)
	return func(sql string) {
		t.Helper()
		gametest.Must(t, pgtest.Shared(t).SQLIn(at.Path[1:], sql))
	}
}

func TestStore(t *testing.T) {
	database(t)
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
