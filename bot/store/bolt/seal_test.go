package bolt_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game/gametest"
)

// resealed returns a value with a fresh seal, as the format defines it.
func resealed(bucket, key, value []byte) []byte {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(0, table, bucket) ^ uint32(len(key))
	sum = crc32.Update(crc32.Update(sum, table, key), table, value)
	return binary.BigEndian.AppendUint32(bytes.Clone(value), sum)
}

// twoGames creates a file with a game in each of two channels, each with a post and a timer.
func twoGames(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "rackmate.db")
	db := open(t, path, atStart)
	for i, ch := range []bot.ChannelID{"web:one", "web:two"} {
		gametest.Must(t, db.Update(t.Context(), ch, "r", func(r *bot.Room) error {
			r.Append = gametest.Log(t, 30)
			r.Posts = []bot.Post{{From: 0, To: 30}}
			r.Timers = []bot.Timer{{At: start.Add(time.Duration(i))}}
			r.File = &bot.Receipt{To: 30}
			return nil
		}))
	}
	gametest.Must(t, db.Close())
	return path
}

// firstNumber returns the first row of a bucket.
func firstNumber(t *testing.T, path, bucket string) (key, value []byte) {
	raw(t, path, func(db *bbolt.DB) error {
		return db.View(func(tx *bbolt.Tx) error {
			k, v := tx.Bucket([]byte(bucket)).Cursor().First()
			key, value = bytes.Clone(k), bytes.Clone(v)
			return nil
		})
	})
	return key, value
}

// put writes a row behind the store's back.
func put(t *testing.T, path, bucket string, key, value []byte) {
	raw(t, path, func(db *bbolt.DB) error {
		return db.Update(func(tx *bbolt.Tx) error {
			if value == nil {
				return tx.Bucket([]byte(bucket)).Delete(key)
			}
			return tx.Bucket([]byte(bucket)).Put(key, value)
		})
	})
}

// Damage at one table affects only that table: reading it fails with a DamagedError, which a check
// finds too, and the other table plays on.
func TestDamagedTableSparesOthers(t *testing.T) {
	t.Parallel()
	for _, bucket := range []string{"events", "tables", "posts", "timers", "alarms", "heads", "lanes", "latest"} {
		t.Run(bucket, func(t *testing.T) {
			t.Parallel()
			path := twoGames(t)
			key, value := firstNumber(t, path, bucket)
			value[0] ^= 1
			put(t, path, bucket, key, value)
			if _, found := bolt.Check(t.Context(), path); len(found) == 0 {
				t.Error("a check finds nothing")
			}
			db, err := bolt.Open(path, atStart)
			gametest.Must(t, err)
			defer db.Close()
			post := func(ch bot.ChannelID) error {
				return db.Update(t.Context(), ch, "", func(r *bot.Room) error {
					if r.Table == 0 {
						return errors.New("the table is gone")
					}
					r.Posts = []bot.Post{{From: 1, To: 2}}
					r.Append = gametest.Log(t, 60)[len(r.Events) : len(r.Events)+1]
					return nil
				})
			}
			damaged := post("web:one")
			_, _, err1 := db.Table(t.Context(), "web:one")
			_, _, err2 := db.Events(t.Context(), 1, -1)
			for _, err := range []error{damaged, err1, err2} {
				var is *bolt.DamagedError
				if err != nil && (!errors.As(err, &is) || is.Path != path) {
					t.Errorf("the error is %v, want a DamagedError", err)
				}
			}
			if err := post("web:two"); err != nil {
				t.Errorf("the other table: %v", err)
			}
			gametest.Must(t, db.Stay(t.Context(), "me", start.Add(time.Hour)))
			timers, _, err := db.ClaimTimers(t.Context(), "me", bot.Kinds{}, start.Add(time.Second), 10)
			if err != nil || len(timers) == 0 || timers[len(timers)-1].Channel != "web:two" {
				t.Errorf("the timers are %+v, %v, want the other table's among them", timers, err)
			}
			posts, _, err := db.ClaimPosts(t.Context(), "me", "web", nil, start, 10)
			if err != nil || len(posts) == 0 || posts[len(posts)-1].Channel != "web:two" {
				t.Errorf("the posts are %+v, %v, want the other table's among them", posts, err)
			}
			if set := []string{"posts", "timers", "alarms", "heads"}; strings.Contains(strings.Join(set, " "), bucket) && len(db.Trouble()) == 0 {
				t.Error("what was passed over isn't told")
			}
		})
	}
}

// A table's events form a chain: an event that was changed with its seal, moved or removed is found
// when the next one is read.
func TestChainDetectsChanges(t *testing.T) {
	t.Parallel()
	events := []byte("events")
	key := func(n uint64) []byte {
		return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, 1), n)
	}
	for name, damage := range map[string]func(t *testing.T, path string){
		"changed": func(t *testing.T, path string) {
			raw(t, path, func(db *bbolt.DB) error {
				return db.Update(func(tx *bbolt.Tx) error {
					v := bytes.Clone(tx.Bucket(events).Get(key(5)))
					v = bytes.Replace(v[:len(v)-4], []byte(`"n":5`), []byte(`"n": 5`), 1)
					return tx.Bucket(events).Put(key(5), resealed(events, key(5), v))
				})
			})
		},
		"left out":       func(t *testing.T, path string) { put(t, path, "events", key(7), nil) },
		"its first gone": func(t *testing.T, path string) { put(t, path, "events", key(0), nil) },
		"a number far on": func(t *testing.T, path string) {
			put(t, path, "events", key(1<<40), resealed(events, key(1<<40), []byte("{}")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := twoGames(t)
			damage(t, path)
			if _, found := bolt.Check(t.Context(), path); len(found) != 1 || !strings.Contains(found[0].Error(), "table 1") {
				t.Errorf("a check finds %v", found)
			}
			db, err := bolt.Open(path, atStart)
			gametest.Must(t, err)
			defer db.Close()
			if _, _, err := db.Table(t.Context(), "web:one"); !errors.As(err, new(*bolt.DamagedError)) {
				t.Errorf("reading the table gives %v, want a DamagedError", err)
			}
			if _, list, err := db.Table(t.Context(), "web:two"); err != nil || len(list) != 30 {
				t.Errorf("the other table has %d events, %v", len(list), err)
			}
		})
	}
}

// A file of an older format is sealed when it is opened, however often that is interrupted, and no
// check changes it before.
func TestInterruptedSealing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "old.db")
	gametest.Must(t, os.WriteFile(path, decompress(t, "testdata/v2.db.gz"), 0o600))
	if _, found := bolt.Check(t.Context(), path); len(found) > 0 || !bytes.Equal(read(t, path), decompress(t, "testdata/v2.db.gz")) {
		t.Fatalf("a check of the old file finds %v, or changes it", found)
	}
	steps := 0
	for bolt.NextStep(t, path) {
		steps++
		if _, found := bolt.Check(t.Context(), path); len(found) != 1 || !strings.Contains(found[0].Error(), "was interrupted") {
			t.Fatalf("after %d steps a check finds %v", steps, found)
		}
	}
	if steps < 20 {
		t.Errorf("it was sealed in %d steps, which shows nothing", steps)
	}
	if _, found := bolt.Check(t.Context(), path); len(found) > 0 {
		t.Errorf("then a check finds %v", found)
	}
	inspect(t, path)
}

// A row written by a newer version keeps the fields that this one doesn't know.
func TestUnknownFieldsSurvive(t *testing.T) {
	t.Parallel()
	path := twoGames(t)
	key, value := firstNumber(t, path, "posts")
	value = bytes.Replace(value[:len(value)-4], []byte("{"), []byte(`{"flavour":"mint",`), 1)
	put(t, path, "posts", key, resealed([]byte("posts"), key, value))
	db := open(t, path, atStart)
	gametest.Must(t, db.Defer(t.Context(), bot.Post{ID: 1}, start.Add(time.Hour)))
	db.Close()
	if _, value = firstNumber(t, path, "posts"); !bytes.Contains(value, []byte(`"flavour":"mint"`)) || !bytes.Contains(value, []byte(`"tries":1`)) {
		t.Errorf("put off, the post is %s", value)
	}
}

// If the open file is removed or replaced, that is reported, and nothing more is stored where
// nobody would find it.
func TestRemovedFileIsReported(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, []byte("x"), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "rackmate.db")
			db, err := bolt.Open(path, atStart)
			gametest.Must(t, err)
			defer db.Close()
			play(t, db, den, gametest.Log(t, 20))
			if found := db.Trouble(); len(found) > 0 {
				t.Errorf("before, there is trouble: %v", found)
			}
			gametest.Must(t, take(path))
			var gone *bolt.GoneError
			if found := db.Trouble(); len(found) != 1 || !errors.As(found[0], &gone) {
				t.Errorf("trouble is %v, want a GoneError", found)
			}
			if err := db.Notes("web").Put(t.Context(), "a", "b", []byte("c")); !errors.As(err, &gone) || gone.Path != path {
				t.Errorf("a note is put with %v, want a GoneError", err)
			}
			if _, list, err := db.Table(t.Context(), den); err != nil || len(list) != 20 {
				t.Errorf("what is there can't be read: %v", err)
			}
		})
	}
}
