package bolt_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

var start = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

func atStart() time.Time { return start }

const den bot.ChannelID = "web:den"

// play appends events of a game to the channel's table.
func play(t testing.TB, db *bolt.DB, ch bot.ChannelID, events []game.Event) {
	t.Helper()
	gametest.Must(t, db.Update(t.Context(), ch, "", func(r *bot.Room) error {
		r.Append = events
		return nil
	}))
}

func TestOpenMakesAPrivateFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	open(t, path, atStart)
	info, err := os.Stat(path)
	gametest.Must(t, err)
	if info.Mode() != 0o600 {
		t.Errorf("the new file has the mode %v, want -rw-------: it holds racks and secrets", info.Mode())
	}
}

func TestOpenInUse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	db := open(t, path, atStart)
	play(t, db, den, gametest.Log(t, 20)[:3])
	_, err := bolt.Open(path, atStart)
	var inUse *bolt.InUseError
	if !errors.As(err, &inUse) || inUse.Path != path {
		t.Fatalf("opening the file a second time gave %v, want an InUseError", err)
	}
	if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "another rackmate") {
		t.Errorf("%q doesn't say which file, or who has it", err)
	}
	if _, events, err := db.Table(t.Context(), den); err != nil || len(events) != 3 {
		t.Errorf("the first store has %d events and the error %v after that", len(events), err)
	}
}

func TestOpenNewerFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	gametest.Must(t, open(t, path, atStart).Close())
	raw(t, path, func(db *bbolt.DB) error {
		return db.Update(func(tx *bbolt.Tx) error {
			return tx.Bucket([]byte("meta")).Put([]byte("schema"), binary.BigEndian.AppendUint64(nil, 7))
		})
	})
	before := read(t, path)
	_, err := bolt.Open(path, atStart)
	var newer *bolt.NewerError
	if !errors.As(err, &newer) || newer.Path != path || newer.Schema != 7 {
		t.Fatalf("opening it gave %v, want a NewerError", err)
	}
	if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "newer rackmate") {
		t.Errorf("%q doesn't say which file, or what it needs", err)
	}
	if !bytes.Equal(read(t, path), before) {
		t.Error("the newer file was changed")
	}
}

// The first event in a dialect that older programs don't know keeps them out, from its transaction
// on.
func TestOpenNewerDialect(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rackmate.db")
	db, err := bolt.Open(path, atStart)
	gametest.Must(t, err)
	play(t, db, den, gametest.Log(t, 20)[:3])
	db.Close()
	if db, err = bolt.Open(path, atStart); err != nil {
		t.Fatalf("a file with known dialects: %v", err)
	}
	bolt.Dialect(t, record.Dialect+1)
	play(t, db, den, gametest.Log(t, 20)[3:4])
	db.Close()
	_, err = bolt.Open(path, atStart)
	var newer *bolt.NewerError
	if !errors.As(err, &newer) || newer.Schema != record.Dialect+1 || !strings.Contains(err.Error(), "newer rackmate") {
		t.Errorf("opening it gave %v, want a NewerError", err)
	}
}

// So does the first row of notes in such a dialect, alone or among others, and in a copy.
func TestOpenNewerNotes(t *testing.T) {
	for name, put := range map[string]func(db *bolt.DB) error{
		"alone": func(db *bolt.DB) error { return db.Notes("host").Put(t.Context(), "muted", "eve", []byte("{}")) },
		"among others": func(db *bolt.DB) error {
			return db.Notes("host").Change(t.Context(), func(r bot.Rows) error {
				return errors.Join(r.Put("settings", "ann", []byte("{}")), r.Put("muted", "eve", []byte("{}")))
			})
		},
		"copied": func(db *bolt.DB) error {
			return db.Carry(t.Context(), []store.Record{store.Note{Adapter: "host", Shelf: "muted", Key: "eve", Value: []byte("{}")}}, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rackmate.db")
			db, err := bolt.Open(path, atStart)
			gametest.Must(t, err)
			bolt.NoteDialect(t, "muted", record.Dialect+1)
			gametest.Must(t, db.Notes("host").Put(t.Context(), "settings", "bob", []byte("{}")))
			db.Close()
			if db, err = bolt.Open(path, atStart); err != nil {
				t.Fatalf("a file with known rows: %v", err)
			}
			gametest.Must(t, errors.Join(put(db), db.Close()))
			_, err = bolt.Open(path, atStart)
			var newer *bolt.NewerError
			if !errors.As(err, &newer) || newer.Schema != record.Dialect+1 {
				t.Errorf("opening it gave %v, want a NewerError", err)
			}
		})
	}
}

func TestOpenForeignFile(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(path string){
		"a text": func(path string) {
			os.WriteFile(path, []byte(strings.Repeat("Dear diary, today we played.\n", 1000)), 0o600)
		},
		"a short text": func(path string) { os.WriteFile(path, []byte("Dear diary"), 0o600) },
		"another program's database": func(path string) {
			os.WriteFile(path, nil, 0o600)
			raw(t, path, func(db *bbolt.DB) error {
				return db.Update(func(tx *bbolt.Tx) error {
					_, err := tx.CreateBucket([]byte("recipes"))
					return err
				})
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			make(path)
			before := read(t, path)
			_, err := bolt.Open(path, atStart)
			var foreign *bolt.ForeignError
			if !errors.As(err, &foreign) || foreign.Path != path || !strings.Contains(err.Error(), path) {
				t.Fatalf("opening it gave %v, want a ForeignError", err)
			}
			if !bytes.Equal(read(t, path), before) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestOpenWithoutFolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "nowhere", "rackmate.db")
	if _, err := bolt.Open(path, atStart); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("opening %s gave %v", path, err)
	}
}

// A store is never empty: an empty file has lost its contents, and isn't silently initialized. A
// crash while a new one is created leaves none.
func TestOpenEmptyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	gametest.Must(t, os.WriteFile(path, nil, 0o600))
	_, err := bolt.Open(path, atStart)
	var damaged *bolt.DamagedError
	if !errors.As(err, &damaged) || !strings.Contains(err.Error(), "backup") || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("an empty file is opened with %v, which should say what to do", err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("afterwards it has %d bytes, %v", info.Size(), err)
	}
}

// Several concurrent openers create one file.
func TestOpenNewFileTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "rackmate.db")
	opened := make(chan *bolt.DB, 4)
	for range cap(opened) {
		go func() {
			db, err := bolt.Open(path, atStart)
			var inUse *bolt.InUseError
			if err != nil && !errors.As(err, &inUse) {
				t.Error(err)
			}
			opened <- db
		}()
	}
	n := 0
	for range cap(opened) {
		if db := <-opened; db != nil {
			defer db.Close()
			n++
		}
	}
	if files, err := os.ReadDir(dir); n != 1 || len(files) != 1 || err != nil {
		t.Errorf("%d opened it, and the folder has %v, %v", n, files, err)
	}
}

func TestUseAfterClose(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "rackmate.db"), atStart)
	for range 2 {
		gametest.Must(t, db.Close())
	}
	if _, _, err := db.Table(t.Context(), den); err == nil {
		t.Error("a closed store can be read")
	}
	if err := db.Update(t.Context(), den, "", func(*bot.Room) error { return nil }); err == nil {
		t.Error("a closed store can be updated")
	}
}

// What changes nothing must not wait for the disk.
func TestNoChangeSkipsDisk(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	db := open(t, path, atStart)
	events := gametest.Log(t, 20)
	gametest.Must(t, db.Update(t.Context(), den, "r", func(r *bot.Room) error {
		r.Append, r.File = events[:3], &bot.Receipt{To: 3}
		return nil
	}))
	if _, _, err := add(t, db, "k", "hello"); err != nil {
		t.Fatal(err)
	}
	before := read(t, path)
	gametest.Must(t, errors.Join(
		db.Update(t.Context(), den, "r", func(r *bot.Room) error { return nil }),
		db.RemovePost(t.Context(), bot.Post{ID: 99}),
		db.Defer(t.Context(), bot.Post{ID: 99}, start),
		db.RemoveTimers(t.Context(), bot.Timer{ID: 99}),
	))
	if _, _, err := add(t, db, "k", "hello again"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, path), before) {
		t.Error("the file was written to")
	}
}

// A refused request is never carried out later: its receipt is in the file, even after a kill, when
// its answer is sent.
func TestRefusalSurvivesKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, filepath.Join(dir, "rackmate.db"), atStart)
	log := gametest.Log(t, 20)
	play(t, db, den, log[:3])
	gametest.Must(t, db.Update(t.Context(), den, "refused", func(r *bot.Room) error {
		r.File, r.Refused = &bot.Receipt{From: 3, To: 3}, true
		return nil
	}))
	killed := filepath.Join(dir, "killed.db")
	gametest.Must(t, os.WriteFile(killed, read(t, filepath.Join(dir, "rackmate.db")), 0o600))
	after := open(t, killed, atStart)
	play(t, after, den, log[3:6])
	gametest.Must(t, after.Update(t.Context(), den, "refused", func(r *bot.Room) error {
		if r.Receipt == nil || *r.Receipt != (bot.Receipt{Table: 1, From: 3, To: 3}) {
			t.Errorf("asked again, it has the receipt %+v", r.Receipt)
		}
		return nil
	}))
}

// What isn't a regular file is never opened or changed, whatever leads to it.
func TestOpenIrregularFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(os.DevNull, path); err != nil {
		t.Skip(err)
	}
	if _, err := bolt.Open(path, atStart); !errors.As(err, new(*bolt.ForeignError)) {
		t.Errorf("a link to %s is opened with %v, want a ForeignError", os.DevNull, err)
	}
}

func TestStoreWholeGames(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "rackmate.db"), atStart)
	for seed := range uint64(4) {
		rules := game.RuleSets()[seed%2]
		rules.Challenge = []game.ChallengeRule{game.Void, game.Double, game.FivePoint, game.Triple}[seed]
		want := gametest.RandomGame(t, seed, 2+int(seed)%3, rules)
		for from, n := 0, 0; from < len(want); from = n {
			for n = from + 1; n < len(want) && want[n].Cause == want[from].Cause; n++ {
			}
			play(t, db, den, want[from:n])
		}
		_, got, err := db.Table(t.Context(), den)
		gametest.Must(t, err)
		sameLog(t, fmt.Sprintf("the game with seed %d", seed), got, want)
		if _, err := game.Replay(got); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

func TestOldReceiptsAreDeleted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	now := start
	db := open(t, path, func() time.Time { return now })
	for i := range 4 * 8 { // eight days, four requests every six hours, each twice
		for j := range 8 {
			gametest.Must(t, db.Update(t.Context(), den, fmt.Sprint(i, j/2), func(r *bot.Room) error {
				r.File = &bot.Receipt{}
				return nil
			}))
		}
		now = now.Add(6 * time.Hour)
	}
	gametest.Must(t, db.Close())
	raw(t, path, func(b *bbolt.DB) error {
		return b.View(func(tx *bbolt.Tx) error {
			for _, name := range []string{"receipts", "filed"} {
				if n := tx.Bucket([]byte(name)).Stats().KeyN; n < 4*4 || n > 4*9 {
					t.Errorf("bucket %s has %d rows, want those of the last one to two days", name, n)
				}
			}
			return nil
		})
	})
}

// A backup is complete, and has everything that was there when it began.
func TestBackupWhileRunning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, filepath.Join(dir, "rackmate.db"), atStart)
	events := gametest.Log(t, 60)
	play(t, db, den, events[:5])
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 5; i < 60; i++ {
			if err := db.Update(t.Context(), den, "", func(r *bot.Room) error {
				r.Append = events[i : i+1]
				r.Posts = []bot.Post{{From: i, To: i + 1}}
				return nil
			}); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for i := range 5 {
		_, before, err := db.Table(t.Context(), den)
		gametest.Must(t, err)
		path := filepath.Join(dir, fmt.Sprint("backup", i))
		f, err := os.Create(path)
		gametest.Must(t, err)
		gametest.Must(t, errors.Join(db.Backup(f), f.Close()))
		copied := open(t, path, atStart)
		_, got, err := copied.Table(t.Context(), den)
		gametest.Must(t, err)
		if len(got) < len(before) {
			t.Errorf("the backup has %d events, and there were %d before it", len(got), len(before))
		}
		sameLog(t, "the backup", got, events[:len(got)])
		if n := drain(t, copied, den, 5); n != len(got) {
			t.Errorf("the backup has posts up to event %d, and %d events", n, len(got))
		}
	}
	<-done
}

// drain removes the posts of a channel, which must be about one event each from a number on, and
// returns where they end.
func drain(t testing.TB, db *bolt.DB, ch bot.ChannelID, from int) int {
	t.Helper()
	for {
		posts, _, err := db.PendingPosts(t.Context(), ch.Platform(), start)
		gametest.Must(t, err)
		found := false
		for _, p := range posts {
			if p.Channel != ch {
				continue
			}
			if found = true; p.From != from || p.To != from+1 {
				t.Fatalf("a post of %s tells of events %d to %d, want event %d", ch, p.From, p.To, from)
			}
			gametest.Must(t, db.RemovePost(t.Context(), p))
			from++
		}
		if !found {
			return from
		}
	}
}

// sameLog fails the test unless two logs are the same.
func sameLog(t testing.TB, what string, got, want []game.Event) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d events, want %d", what, len(got), len(want))
	}
	for i := range want {
		g, w := fmt.Sprintf("%+v", printable(got[i])), fmt.Sprintf("%+v", printable(want[i]))
		if g != w {
			t.Fatalf("%s, event %d:\n got %s\nwant %s", what, i, g, w)
		}
	}
}

// printable returns an event without the pointer to its tile set.
func printable(e game.Event) game.Event {
	if f, ok := e.Fact.(game.Opened); ok {
		f.Equipment.Tiles = nil
		e.Fact = f
	}
	return e
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	gametest.Must(t, err)
	return b
}

// TestBackupOmitsRemovedData checks that a backup has no data that was removed before it, though the
// file still has it on its free pages; neither of an open file nor of a closed one.
func TestBackupOmitsRemovedData(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rackmate.db")
	db, err := bolt.Open(path, atStart)
	gametest.Must(t, err)
	notes := db.Notes("web")
	secret, kept := []byte("Quixotina lives here"), bytes.Repeat([]byte("kept "), 5000)
	for i := range 50 {
		gametest.Must(t, notes.Put(t.Context(), "people", fmt.Sprint(i), bytes.Repeat(secret, 20)))
	}
	gametest.Must(t, notes.Put(t.Context(), "people", "other", kept))
	for i := range 50 {
		gametest.Must(t, notes.Put(t.Context(), "people", fmt.Sprint(i), nil))
	}
	var open, closed bytes.Buffer
	gametest.Must(t, db.Backup(&open))
	gametest.Must(t, db.Close())
	gametest.Must(t, bolt.BackupOf(path, &closed))
	if b, err := os.ReadFile(path); err != nil || !bytes.Contains(b, secret) {
		t.Fatalf("the file has no freed page with what was removed: the test proves nothing (%v)", err)
	}
	for name, b := range map[string][]byte{"open": open.Bytes(), "closed": closed.Bytes()} {
		if bytes.Contains(b, secret) {
			t.Errorf("the backup of the %s file has what was removed", name)
		}
		copied := filepath.Join(t.TempDir(), name)
		gametest.Must(t, os.WriteFile(copied, b, 0o600))
		if _, found := bolt.Check(t.Context(), copied); len(found) > 0 {
			t.Errorf("the backup of the %s file: %v", name, found)
		}
		db, err := bolt.Open(copied, atStart)
		gametest.Must(t, err)
		value, err := db.Notes("web").Get(t.Context(), "people", "other")
		gametest.Must(t, err)
		if !bytes.Equal(value, kept) {
			t.Errorf("the backup of the %s file has lost a row", name)
		}
		for i := range 200 { // pages are reused
			gametest.Must(t, db.Notes("web").Put(t.Context(), "people", fmt.Sprint(i), kept[:300]))
		}
		gametest.Must(t, db.Close())
	}
	damaged := filepath.Join(t.TempDir(), "damaged.db")
	gametest.Must(t, os.WriteFile(damaged, []byte(strings.Repeat("no data file ", 1000)), 0o600))
	closed.Reset()
	if err := bolt.BackupOf(damaged, &closed); err != nil || closed.Len() != 13000 {
		t.Errorf("a damaged file is copied as %d bytes, %v", closed.Len(), err)
	}
}
