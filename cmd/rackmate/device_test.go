//go:build unix

package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// TestOnlyFilesAreMadePrivate checks that --data makes only regular files private: devices and
// pipes are shared, and opening one may block forever.
func TestOnlyFilesAreMadePrivate(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	gametest.Must(t, syscall.Mkfifo(pipe, 0o644))
	gametest.Must(t, os.Chmod(pipe, 0o644))
	gametest.Must(t, os.Symlink(pipe, link))
	var log bytes.Buffer
	keepPrivate(link, slog.New(slog.NewTextHandler(&log, nil)))
	if info, err := os.Stat(pipe); err != nil || info.Mode().Perm() != 0o644 || log.Len() > 0 {
		t.Errorf("behind the link is %v, %v; the log says %q", info.Mode(), err, log.String())
	}
	if status, _, err := command(t, "", "serve", "--listen", "127.0.0.1:0", "--data", link); status == 0 || !strings.Contains(err, "isn't a file") {
		t.Errorf("serve: %d %s", status, err)
	}
}

// TestForeignFileIsUnchanged checks that a file that isn't a data file is never changed, whatever
// its mode, even if --data names it.
func TestForeignFileIsUnchanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "letter.txt")
	gametest.Must(t, os.WriteFile(file, []byte(strings.Repeat("Dear Ann, ", 10_000)), 0o644))
	gametest.Must(t, os.Chmod(file, 0o644))
	if status, _, err := command(t, "", "serve", "--listen", "127.0.0.1:0", "--data", file); status != 1 || !strings.Contains(err, "isn't a Rackmate data file") {
		t.Errorf("%d: %s", status, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o644 || info.Size() != 100_000 {
		t.Errorf("it has mode %v and %d bytes, %v", info.Mode(), info.Size(), err)
	}
}

// TestConfigPrintsNoPassword checks that config hides the password in a database's address.
func TestConfigPrintsNoPassword(t *testing.T) {
	for _, url := range []string{"postgres://ann:swordfish@db.example.org/rackmate", "postgres://db.example.org/rackmate?user=ann&password=swordfish"} {
		status, out, err := command(t, "", "config", "--data", url)
		if status != 0 || strings.Contains(out+err, "swordfish") || !strings.Contains(out, "db.example.org/rackmate") {
			t.Errorf("%s: %d\n%s%s", url, status, out, err)
		}
	}
}
