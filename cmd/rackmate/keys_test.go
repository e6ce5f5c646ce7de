package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game/gametest"
)

var plainKey = []byte("thirty-two bytes of a cookie key")

// withKeys fills a store like hosts that kept keys unsealed.
func withKeys(t *testing.T, data string) {
	t.Helper()
	db, err := openDatabase(t.Context(), data, 0, time.Now)
	gametest.Must(t, err)
	gametest.Must(t, db.Notes("web").Put(t.Context(), "secret", "cookie", plainKey))
	gametest.Must(t, db.Notes(hostNotes).Put(t.Context(), "keys", "tables", append([]byte("of tables "), plainKey...)))
	gametest.Must(t, db.Notes("web").Put(t.Context(), "people", "ann", []byte("Ann")))
	gametest.Must(t, db.Close())
}

// sealing opens a store as a host does, with a key setting, and runs fn with it.
func sealing(t *testing.T, data, key string, fn func(raw, sealed database)) error {
	t.Helper()
	raw, err := openDatabase(t.Context(), data, 0, time.Now)
	gametest.Must(t, err)
	c := &serveConfig{data: data, key: key}
	sealed, raw, err := c.sealedOf(t.Context(), raw, slog.New(slog.DiscardHandler))
	if raw != nil {
		defer raw.Close()
	}
	if err == nil {
		fn(raw, sealed)
	}
	return err
}

func cookieOf(t *testing.T, db database) []byte {
	t.Helper()
	key, err := db.Notes("web").Get(t.Context(), "secret", "cookie")
	gametest.Must(t, err)
	return key
}

// TestKeysStayOutOfBackups checks that a host seals the keys of an old file at its first start:
// they stay the same to the host, and neither the file nor a backup has them unsealed. A backup
// without the key file gets new keys.
func TestKeysStayOutOfBackups(t *testing.T) {
	dir := t.TempDir()
	data, backup := filepath.Join(dir, "rackmate.db"), filepath.Join(dir, "backup.db")
	withKeys(t, data)
	for range 2 {
		gametest.Must(t, sealing(t, data, "", func(raw, sealed database) {
			if got := cookieOf(t, sealed); !bytes.Equal(got, plainKey) {
				t.Errorf("the host reads the key as %q", got)
			}
			gametest.Must(t, sealed.Notes("web").Change(t.Context(), func(rows bot.Rows) error {
				if got, err := rows.Get("secret", "cookie"); err != nil || !bytes.Equal(got, plainKey) {
					t.Errorf("in a change the key is %q, %v", got, err)
				}
				return rows.Put("secret", "push", append([]byte("push "), plainKey...))
			}))
			if got, err := sealed.Notes("web").Get(t.Context(), "people", "ann"); err != nil || string(got) != "Ann" {
				t.Errorf("other rows: %q, %v", got, err)
			}
			os.Remove(backup)
			f, err := os.Create(backup)
			gametest.Must(t, err)
			gametest.Must(t, copyStore(t.Context(), raw, data, f))
			gametest.Must(t, f.Close())
		}))
	}
	for _, name := range []string{data, backup} {
		b, err := os.ReadFile(name)
		gametest.Must(t, err)
		if bytes.Contains(b, plainKey) {
			t.Errorf("%s has a key in clear", filepath.Base(name))
		}
	}
	if info, err := os.Stat(data + keySuffix); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key file: %v, %v", info, err)
	}
	gametest.Must(t, sealing(t, backup, "", func(_, sealed database) {
		if got := cookieOf(t, sealed); got != nil {
			t.Errorf("a backup alone lets its reader sign cookies with %q", got)
		}
	}))
}

// TestKeySetting checks that a wrong key is rejected, and that a new key may precede the old one.
func TestKeySetting(t *testing.T) {
	data := filepath.Join(t.TempDir(), "rackmate.db")
	withKeys(t, data)
	one, two := base64.StdEncoding.EncodeToString(plainKey), base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
	for key, want := range map[string]string{"short": "openssl rand", "": ""} {
		if err := sealing(t, data, key, func(database, database) {}); want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("with the key %q: %v", key, err)
		}
	}
	fromFile, err := os.ReadFile(data + keySuffix)
	gametest.Must(t, err)
	reads := func(_, sealed database) {
		if got := cookieOf(t, sealed); !bytes.Equal(got, plainKey) {
			t.Errorf("the key is read as %q", got)
		}
	}
	gametest.Must(t, sealing(t, data, one+","+string(fromFile), reads))
	if err := sealing(t, data, two, func(database, database) {}); err == nil || !strings.Contains(err.Error(), keySetting) {
		t.Errorf("with another key: %v", err)
	}
}

// TestKeysInDatabase checks that hosts on a database share a key. Without one, keys are stored
// unsealed there and backups omit them.
func TestKeysInDatabase(t *testing.T) {
	data := pgtest.Shared(t).Database(t)
	withKeys(t, data)
	copied := func() []byte {
		db, err := openDatabase(t.Context(), data, 0, time.Now)
		gametest.Must(t, err)
		defer db.Close()
		var b bytes.Buffer
		gametest.Must(t, copyDatabase(context.Background(), db, &b))
		return b.Bytes()
	}
	if bytes.Contains(copied(), plainKey) {
		t.Error("a backup has a key in clear")
	}
	key := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
	gametest.Must(t, sealing(t, data, key, func(raw, sealed database) {
		if got := cookieOf(t, sealed); !bytes.Equal(got, plainKey) || bytes.Contains(cookieOf(t, raw), plainKey) {
			t.Errorf("the key is %q", got)
		}
	}))
	if bytes.Contains(copied(), plainKey) {
		t.Error("a backup has a key in clear")
	}
	if err := sealing(t, data, "", func(database, database) {}); err == nil || !strings.Contains(err.Error(), keySetting) {
		t.Errorf("a host without the key: %v", err)
	}
}

// TestSignOutEndsSessions checks that sign-out ends all sessions and nothing else.
func TestSignOutEndsSessions(t *testing.T) {
	data := filepath.Join(t.TempDir(), "rackmate.db")
	withKeys(t, data)
	for _, args := range [][]string{{"--data", data}, {"--data", data, "--yes"}} {
		c := signOutCommand()
		c.SetArgs(args)
		c.SetOut(&bytes.Buffer{})
		c.SetErr(&bytes.Buffer{})
		if err := c.ExecuteContext(t.Context()); (err == nil) != (len(args) == 3) {
			t.Errorf("sign-out %v: %v", args, err)
		}
	}
	gametest.Must(t, sealing(t, data, "", func(raw, sealed database) {
		if got := cookieOf(t, sealed); got != nil {
			t.Errorf("cookies are still signed with %q", got)
		}
		if got, err := sealed.Notes(hostNotes).Get(t.Context(), "keys", "tables"); err != nil || got == nil {
			t.Errorf("the key of pages: %q, %v", got, err)
		}
	}))
}
