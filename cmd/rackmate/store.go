package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/postgres"
)

// A database stores everything: in a data file or in PostgreSQL.
type database interface {
	bot.Store
	store.Carrier
	Notes(adapter string) bot.Notes
	// Now returns the time that all hosts on the database go by.
	Now() time.Time
	// Trouble returns the problems with the stored data found so far.
	Trouble() []error
	Close() error
}

// isURL reports whether data is a PostgreSQL database rather than a file.
func isURL(data string) bool {
	return strings.HasPrefix(data, "postgres://") || strings.HasPrefix(data, "postgresql://")
}

// openDatabase opens a database and creates the data file if it is missing. now is the clock of a data
// file; PostgreSQL has its own.
func openDatabase(ctx context.Context, data string, connections int, now func() time.Time) (database, error) {
	db, err := openUnfinished(ctx, data, connections, now)
	if err != nil {
		return nil, err
	}
	_, unfinished, err := db.CountRecords(ctx)
	if err == nil && unfinished {
		err = fmt.Errorf("%s is an unfinished copy: repeat the same \"rackmate copy\" to continue", shownData(data))
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// openUnfinished opens a database that may be an incomplete copy.
func openUnfinished(ctx context.Context, data string, connections int, now func() time.Time) (database, error) {
	if isURL(data) {
		return postgres.Open(ctx, postgres.Config{URL: data, Connections: connections})
	}
	return bolt.Open(data, now)
}

// keepPrivate makes a data file unreadable to other users, and logs that. A file copied back from
// elsewhere may have become readable.
func keepPrivate(data string, log *slog.Logger) {
	if isURL(data) || runtime.GOOS == "windows" {
		return
	}
	// Opening anything but a file may block forever or have side effects.
	if info, err := os.Stat(data); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.Open(data)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 {
		return
	}
	if err := f.Chmod(0o600); err != nil {
		log.Warn("other users of this computer may read the data file, which holds racks and secrets, and I can't change that; use chmod 600", "file", data, "mode", info.Mode().String(), "error", err)
		return
	}
	log.Warn("other users of this computer could read the data file, which holds racks and secrets; now only its owner can", "file", data, "mode", info.Mode().String())
}

// openData opens a database, or a data file that no host has open. It doesn't create one.
func openData(ctx context.Context, data string) (database, error) {
	if !isURL(data) {
		if _, err := os.Stat(data); err != nil {
			return nil, fmt.Errorf("no data file %s: name yours with --data", data)
		}
	}
	return openDatabase(ctx, data, 0, time.Now)
}

// shownData returns data for display, without a password.
func shownData(data string) string {
	if !isURL(data) {
		return data
	}
	u, err := url.Parse(data)
	if err != nil {
		return "the database"
	}
	q := u.Query()
	for _, secret := range []string{"password", "sslpassword"} {
		if q.Has(secret) {
			q.Set(secret, "xxxxx") // as Redacted does
		}
	}
	u.RawQuery = q.Encode()
	return u.Redacted()
}

// processName returns this process's name among the hosts on a database.
func processName() string {
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	return fmt.Sprintf("%s:%d:%s", name, os.Getpid(), time.Now().UTC().Format("20060102T150405.000"))
}
