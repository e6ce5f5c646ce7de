package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// fill creates a little of everything that a store keeps.
func fill(t *testing.T, db database) {
	t.Helper()
	ctx := t.Context()
	events := gametest.Log(t, 60)
	long := strings.Repeat("x", 200)
	for i := range 40 {
		ch := bot.ChannelID(fmt.Sprint("web:", i%30, []string{"", "\x00", long, "é"}[i%4]))
		gametest.Must(t, db.Update(ctx, ch, fmt.Sprint("r", i), func(r *bot.Room) error {
			r.Append = events[:10+i%50]
			r.Posts = []bot.Post{{From: 1, To: 2}, {From: 1, To: 2, For: "web:ann"}, {From: 2, To: 3, Kind: "odd", At: time.Now()}}
			r.Timers = []bot.Timer{{At: time.Now().Add(time.Hour), Number: i, Kind: "nudge"}}
			r.Seated = []game.PlayerID{"web:ann", game.PlayerID("web:" + fmt.Sprint(i))}[:i%3]
			r.File = &bot.Receipt{From: 0, To: 10}
			return nil
		}))
	}
	posts, _, err := db.PendingPosts(ctx, "web", time.Now())
	if err != nil || len(posts) < 20 {
		t.Fatal(len(posts), err)
	}
	due, _, err := db.DueTimers(ctx, time.Now().Add(2*time.Hour), 10)
	if err != nil || len(due) == 0 {
		t.Fatal(err)
	}
	gametest.Must(t, errors.Join(db.Defer(ctx, posts[0], time.Now().Add(time.Minute)), db.RemovePost(ctx, posts[1]), db.RemoveTimers(ctx, due[0])))
	for _, adapter := range []string{"web", "discord", long} {
		kept := db.Notes(adapter)
		for i := range 50 {
			key := fmt.Sprint(strings.Repeat("k", i*5), i)
			_, e1 := addTo(ctx, kept, notes.Log("said/"+[]string{"den", long, "a\x00b"}[i%3]), key)
			gametest.Must(t, errors.Join(e1, kept.Put(ctx, "shelf"+fmt.Sprint(i%4), key, []byte{byte(i)}), kept.Put(ctx, "empty", key, []byte{})))
		}
	}
}

// addTo adds an entry to a log and returns its number.
func addTo(ctx context.Context, kept bot.Notes, log notes.Log, entry string) (n uint64, err error) {
	err = kept.Change(ctx, func(rows bot.Rows) (err error) {
		n, _, err = log.Add(rows, entry, []byte(entry))
		return err
	})
	return n, err
}

// whatIsFilled caches the file that [fill] fills: filling takes longer than copying.
var whatIsFilled struct {
	sync.Mutex
	file []byte
}

// filled returns the path of a new data file with a little of everything.
func filled(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "rackmate.db")
	is := &whatIsFilled
	is.Lock()
	defer is.Unlock()
	if is.file != nil {
		gametest.Must(t, os.WriteFile(file, is.file, 0o600))
		return file
	}
	db, err := openDatabase(t.Context(), file, 0, time.Now)
	gametest.Must(t, err)
	fill(t, db)
	gametest.Must(t, db.Close())
	is.file, err = os.ReadFile(file)
	gametest.Must(t, err)
	return file
}

// sumsOf returns the checksums of everything in a database.
func sumsOf(t *testing.T, data string) store.Sums {
	t.Helper()
	db, err := openData(t.Context(), data)
	gametest.Must(t, err)
	defer db.Close()
	sums := store.Sums{}
	gametest.Must(t, db.Records(t.Context(), sums.Add))
	return sums
}

// stumbling is a database that fails at its third transaction.
type stumbling struct {
	store.Carrier
	left int
}

var errStumbled = errors.New("stumbled")

func (s *stumbling) Carry(ctx context.Context, records []store.Record, n int) error {
	if s.left--; s.left < 0 {
		return errStumbled
	}
	return s.Carrier.Carry(ctx, records, n)
}

// TestCopy checks that copying from a file to PostgreSQL and back loses and duplicates nothing, and
// that the game goes on.
func TestCopy(t *testing.T) {
	t.Parallel()
	url := pgtest.Shared(t).Database(t)
	dir, file := t.TempDir(), filled(t)
	back := filepath.Join(dir, "back.db")
	want := sumsOf(t, file)
	if want.Tables() != 40 || len(want) < 50 {
		t.Fatalf("%d tables, %d parts", want.Tables(), len(want))
	}

	for _, way := range []struct{ from, to string }{{file, url}, {url, back}} {
		status, out, text := command(t, "", "copy", way.from, way.to)
		if status != 0 || out != "ok tables=40\n" {
			t.Fatalf("copy from %s to %s: status %d, %s%s", way.from, way.to, status, out, text)
		}
		if differ := want.Differ(sumsOf(t, way.to)); len(differ) > 0 {
			t.Errorf("the copy in %s differs in %v", way.to, differ)
		}
		if status, _, text := command(t, "", "copy", way.from, way.to); status != 1 || !strings.Contains(text, "already has data") {
			t.Errorf("a copy onto the copy: status %d, %s", status, text)
		}
	}
	backup := filepath.Join(dir, "backup.db")
	if status, _, text := command(t, "", "backup", "--data", url, backup); status != 0 {
		t.Fatalf("backup of a database: %s", text)
	}
	if differ := want.Differ(sumsOf(t, backup)); len(differ) > 0 {
		t.Errorf("the backup differs in %v", differ)
	}
	if status, out, _ := command(t, "", "check", back); status != 0 || !strings.Contains(out, "tables=40") {
		t.Errorf("check: %s", out)
	}

	// The copy goes on like the original.
	now := time.Now() // the same for all, so that the same posts are due
	tells := func(data string) (told []string) {
		db, err := openData(t.Context(), data)
		gametest.Must(t, err)
		defer db.Close()
		posts, _, err := db.PendingPosts(t.Context(), "web", now)
		for _, p := range posts {
			told = append(told, fmt.Sprintf("%+v", p))
		}
		playing, e1 := db.TablesPlayed(t.Context(), "web:ann")
		named, e2 := db.TablesNaming(t.Context(), "ann")
		var at []uint64
		var table bot.TableID
		for _, log := range []notes.Log{"said/den", "said/a\x00b", "new"} {
			n, err := addTo(t.Context(), db.Notes("web"), log, "next")
			gametest.Must(t, err)
			at = append(at, n)
		}
		e3 := db.Update(t.Context(), "web:new", "", func(r *bot.Room) error {
			r.Append = gametest.Log(t, 60)[:1]
			r.File = &bot.Receipt{}
			return nil
		})
		table, _, e4 := db.Table(t.Context(), "web:new")
		gametest.Must(t, errors.Join(err, e1, e2, e3, e4))
		return append(told, fmt.Sprint(playing, named, at, table))
	}
	first := tells(file)
	for _, data := range []string{url, back} {
		if is := tells(data); !slices.Equal(is, first) {
			t.Errorf("%s goes on differently: %v, not %v", data, is, first)
		}
	}
}

// TestCopyResumes checks that an interrupted copy resumes, and that no host opens it until then.
func TestCopyResumes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from, err := openDatabase(t.Context(), filled(t), 0, time.Now)
	gametest.Must(t, err)
	defer from.Close()
	large := make([]byte, carryAtOnce)
	for i := range 5 {
		gametest.Must(t, from.Notes("web").Put(t.Context(), "large", fmt.Sprint(i), large))
	}
	for _, kind := range []string{"a file", "PostgreSQL"} {
		t.Run(kind, func(t *testing.T) {
			target := filepath.Join(dir, "to.db")
			if kind == "PostgreSQL" {
				target = pgtest.Shared(t).Database(t)
			}
			to, err := openUnfinished(t.Context(), target, 0, time.Now)
			gametest.Must(t, err)
			if _, err := carry(t.Context(), from, &stumbling{to, 3}, func(string) {}); !errors.Is(err, errStumbled) {
				t.Fatalf("%s: %v", target, err)
			}
			if n, unfinished, err := to.CountRecords(t.Context()); err != nil || !unfinished || n < 10 {
				t.Errorf("%s: %d carried, %t, %v", target, n, unfinished, err)
			}
			if _, err := openDatabase(t.Context(), target, 0, time.Now); isURL(target) && (err == nil || !strings.Contains(err.Error(), "unfinished copy")) {
				t.Errorf("a host opens half a copy: %v", err)
			}
			count := &stumbling{to, 1000}
			sums, err := carry(t.Context(), from, count, func(string) {})
			if err != nil || sums.Tables() != 40 {
				t.Errorf("%s: the rest: %d tables, %v", target, sums.Tables(), err)
			}
			if again := 1000 - count.left; again > 6 {
				t.Errorf("%s: it took %d transactions to go on", target, again)
			}
			gametest.Must(t, to.Close())
			if db, err := openDatabase(t.Context(), target, 0, time.Now); err != nil {
				t.Error(err)
			} else {
				db.Close()
			}
		})
	}
}

// TestCopyDetectsChange checks that a change on the way is detected.
func TestCopyDetectsChange(t *testing.T) {
	t.Parallel()
	var dbs [2]database
	for i, file := range []string{filled(t), filepath.Join(t.TempDir(), "to.db")} {
		var err error
		if dbs[i], err = openDatabase(t.Context(), file, 0, time.Now); err != nil {
			t.Fatal(err)
		}
		defer dbs[i].Close()
	}
	_, err := carry(t.Context(), dbs[0], forger{dbs[1]}, func(string) {})
	if err == nil || !strings.Contains(err.Error(), "table 17") {
		t.Errorf("a changed event: %v", err)
	}
}

// A forger is a source that alters an event.
type forger struct{ store.Carrier }

func (f forger) Carry(ctx context.Context, records []store.Record, n int) error {
	for i, r := range records {
		if table, ok := r.(store.Table); ok && table.ID == 17 {
			table.Events = slices.Clone(table.Events[:len(table.Events)-1])
			records[i] = table
		}
	}
	return f.Carrier.Carry(ctx, records, n)
}
