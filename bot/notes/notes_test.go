package notes_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/gametest"
)

// A shelf is read page by page, each row once and in order, both within a transaction and
// outside one.
func TestPagesReadEachRowOnce(t *testing.T) {
	n := memory.New().Notes("test")
	const rows = 1001 // more than two pages
	gametest.Must(t, n.Change(t.Context(), func(r bot.Rows) error {
		for i := range rows {
			if err := notes.Put(r, "rows", fmt.Sprintf("a\x00%04d", i), i); err != nil {
				return err
			}
		}
		return notes.Put(r, "rows", "b", -1)
	}))
	read := func(each func(fn func(key string, value int) error) error) {
		t.Helper()
		next := 0
		if err := each(func(key string, value int) error {
			if value != next {
				t.Errorf("%q holds %d, want %d", key, value, next)
			}
			next++
			return nil
		}); err != nil || next != rows {
			t.Errorf("%d rows, %v", next, err)
		}
		stop := errors.New("enough")
		if err := each(func(string, int) error { return stop }); err != stop {
			t.Errorf("a reader's error is %v", err)
		}
	}
	read(func(fn func(string, int) error) error { return notes.ReadEachOf(t.Context(), n, "rows", "a\x00", fn) })
	read(func(fn func(string, int) error) error {
		return n.Change(t.Context(), func(r bot.Rows) error { return notes.EachOf(r, "rows", "a\x00", fn) })
	})
}

// A missing row leaves the value as it is, and an unreadable one is named in the error.
func TestRead(t *testing.T) {
	n := memory.New().Notes("test")
	v := 7
	if found, err := notes.Read(t.Context(), n, "rows", "a", &v); found || err != nil || v != 7 {
		t.Errorf("no row: %t, %d, %v", found, v, err)
	}
	gametest.Must(t, n.Put(t.Context(), "rows", "a", []byte("{")))
	inChange := func() error {
		return n.Change(t.Context(), func(r bot.Rows) error { _, err := notes.Get(r, "rows", "a", &v); return err })
	}
	_, err := notes.Read(t.Context(), n, "rows", "a", &v)
	for _, err := range []error{err, inChange(), notes.ReadEachOf(t.Context(), n, "rows", "", func(string, int) error { return nil })} {
		if err == nil || !strings.Contains(err.Error(), `read rows "a"`) {
			t.Errorf("a broken row: %v", err)
		}
	}
}

// A host's secret is generated once, and fails if there is not enough randomness.
func TestSecretIsGeneratedOnce(t *testing.T) {
	n := memory.New().Notes("test")
	if _, err := notes.Secret(t.Context(), n, strings.NewReader("short"), "keys", "passes"); err == nil {
		t.Error("a secret of five bytes")
	}
	first, err := notes.Secret(t.Context(), n, bytes.NewReader(bytes.Repeat([]byte("a"), 32)), "keys", "passes")
	if err != nil || len(first) != 32 {
		t.Fatalf("%q, %v", first, err)
	}
	again, err := notes.Secret(t.Context(), n, bytes.NewReader(bytes.Repeat([]byte("b"), 32)), "keys", "passes")
	if err != nil || !bytes.Equal(again, first) {
		t.Errorf("%q, and again %q: %v", first, again, err)
	}
}

// Processes take turns with a gap in between. A process doesn't wait for itself, and one
// that is stopped while waiting takes no turn.
func TestProcessesTakeTurns(t *testing.T) {
	n, now := memory.New().Notes("test"), time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	var waited time.Duration
	turns := func(by string) notes.Turns {
		return notes.Turns{Notes: n, Shelf: "turns", By: by, Gap: 5 * time.Second, Now: func() time.Time { return now }, Wait: func(ctx context.Context, d time.Duration) error {
			waited += d
			now = now.Add(d)
			return ctx.Err()
		}}
	}
	for i, c := range []struct {
		by   string
		wait time.Duration
	}{{"one", 0}, {"one", 0}, {"two", 5 * time.Second}, {"one", 5 * time.Second}} {
		waited = 0
		if err := turns(c.by).Take(t.Context(), "identify"); err != nil || waited != c.wait {
			t.Errorf("turn %d, of %s: waited %s, %v", i, c.by, waited, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := turns("two").Take(ctx, "identify"); !errors.Is(err, context.Canceled) {
		t.Errorf("who is stopped: %v", err)
	}
}

// TestStoredTimes checks that a time is read as it was written, that a row with something else
// holds no time, and that only existing rows are removed.
func TestStoredTimes(t *testing.T) {
	n := memory.New().Notes("test")
	at := time.Date(2026, 11, 28, 9, 5, 0, 1, time.FixedZone("", 3600))
	check := func(ok bool) {
		t.Helper()
		got, found, err := notes.ReadTime(t.Context(), n, "times", "a")
		if err != nil || found != ok || ok && !got.Equal(at) || !ok && !got.IsZero() {
			t.Errorf("read %s, %t, %v", got, found, err)
		}
	}
	check(false)
	gametest.Must(t, notes.Remove(t.Context(), n, "times", "a"))
	gametest.Must(t, notes.WriteTime(t.Context(), n, "times", "a", at))
	check(true)
	gametest.Must(t, notes.Remove(t.Context(), n, "times", "a"))
	check(false)
	gametest.Must(t, n.Put(t.Context(), "times", "a", []byte("some time")))
	check(false)
}
