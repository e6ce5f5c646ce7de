package bolt_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/storetest"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, dir string, now func() time.Time) storetest.Store {
		return open(t, filepath.Join(dir, "rackmate.db"), now)
	})
}

// open opens a data file, and closes and checks it at the end of the test.
func open(t testing.TB, path string, now func() time.Time) *bolt.DB {
	t.Helper()
	db, err := bolt.Open(path, now)
	gametest.Must(t, err)
	t.Cleanup(func() {
		db.Close()
		check(t, path)
	})
	return db
}

// check looks for damage in a data file that isn't open.
func check(t testing.TB, path string) {
	t.Helper()
	raw(t, path, func(db *bbolt.DB) error {
		return db.View(func(tx *bbolt.Tx) error {
			var all []error
			for err := range tx.Check() {
				all = append(all, err)
			}
			return errors.Join(all...)
		})
	})
}

// raw opens a data file as a bbolt database.
func raw(t testing.TB, path string, fn func(*bbolt.DB) error) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: 10 * time.Second})
	gametest.Must(t, err)
	defer db.Close()
	if err := fn(db); err != nil {
		t.Error(err)
	}
}
