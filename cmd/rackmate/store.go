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

// A database is where everything is kept: a file of data, or PostgreSQL.
type database interface {
	bot.Store
	store.Carrier
	Notes(adapter string) bot.Notes
	// Trouble lists what is wrong with what is stored, as far as it has shown.
	Trouble() []error
	Close() error
}

// isURL reports whether data is a PostgreSQL database rather than a file.
func isURL(data string) bool {
	return strings.HasPrefix(data, "postgres://") || strings.HasPrefix(data, "postgresql://")
}

// openDatabase opens what everything is kept in. It makes a file that isn't
// there.
func openDatabase(ctx context.Context, data string, connections int) (database, error) {
	db, err := openUnfinished(ctx, data, connections)
	if err != nil {
		return nil, err
	}
	_, unfinished, err := db.Carried(ctx)
	if err == nil && unfinished {
		err = fmt.Errorf("%s is a copy that isn't finished: give the same \"rackmate copy\" once more, which goes on with it", shownData(data))
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// openUnfinished opens a database that may be an unfinished copy.
func openUnfinished(ctx context.Context, data string, connections int) (database, error) {
	if isURL(data) {
		return postgres.Open(ctx, postgres.Config{URL: data, Connections: connections, Now: time.Now})
	}
	return bolt.Open(data, time.Now)
}

// keepPrivate takes a file of data away from other users' eyes, and says so in the log:
// copied back from elsewhere it may have come to be open to all.
func keepPrivate(data string, log *slog.Logger) {
	if isURL(data) || runtime.GOOS == "windows" {
		return
	}
	// To open what is no file may wait for ever, or do something.
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

// openData opens a database, or a file of data that no host runs on. It makes
// none.
func openData(ctx context.Context, data string) (database, error) {
	if !isURL(data) {
		if _, err := os.Stat(data); err != nil {
			return nil, fmt.Errorf("there is no data file %s: name yours with --data", data)
		}
	}
	return openDatabase(ctx, data, 0)
}

// shownData returns data for people to read, without a password.
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
			q.Set(secret, "xxxxx") // as Redacted has it
		}
	}
	u.RawQuery = q.Encode()
	return u.Redacted()
}

// processName returns this process's name among the processes of a database.
func processName() string {
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	return fmt.Sprintf("%s:%d:%s", name, os.Getpid(), time.Now().UTC().Format("20060102T150405.000"))
}
