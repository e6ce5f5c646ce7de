package bolt_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// Concurrent writers share transactions. One that fails, before or after it wrote, or panics,
// doesn't affect the others, and leaves nothing.
func TestFailureSparesSharedTransaction(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "rackmate.db"), atStart)
	log := gametest.Log(t, 60)
	notes := db.Notes("web")
	failure := errors.New("fails")
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			ch := bot.ChannelID(fmt.Sprint("web:", i))
			switch i % 4 {
			case 0, 1:
				for n := range 5 {
					if err := db.Update(t.Context(), ch, "", func(r *bot.Room) error {
						r.Append = log[len(r.Events) : len(r.Events)+1]
						r.Posts = []bot.Post{{From: n, To: n + 1}}
						return nil
					}); err != nil {
						t.Errorf("channel %d, event %d: %v", i, n, err)
					}
				}
			case 2:
				if err := notes.Change(t.Context(), func(r bot.Rows) error {
					return errors.Join(r.Put("shelf", fmt.Sprint(i), []byte("x")), failure)
				}); !errors.Is(err, failure) {
					t.Errorf("a change that fails gave %v", err)
				}
			case 3:
				defer func() {
					if recover() != failure {
						t.Errorf("the panic of %d got lost", i)
					}
				}()
				db.Update(t.Context(), ch, "", func(r *bot.Room) error { panic(failure) })
			}
		})
	}
	all.Wait()
	for i := range 60 {
		_, list, err := db.Table(t.Context(), bot.ChannelID(fmt.Sprint("web:", i)))
		gametest.Must(t, err)
		want := 5
		if i%4 > 1 {
			want = 0
		}
		sameLog(t, fmt.Sprint("channel ", i), list, log[:want])
	}
	if keys, err := notes.Keys(t.Context(), "shelf"); err != nil || len(keys) > 0 {
		t.Errorf("changes that failed left %q (%v)", keys, err)
	}
	if posts, _, err := db.PendingPosts(t.Context(), "web", start); err != nil || len(posts) != 30 {
		t.Errorf("%d queues have posts, want 30 (%v)", len(posts), err)
	}
}

// BenchmarkCommits measures a play in each of several channels at once, beside bare commits of as
// many bytes by one writer.
func BenchmarkCommits(b *testing.B) {
	log := gametest.Log(b, 60)
	for _, tables := range []int{1, 32} {
		b.Run(fmt.Sprintf("tables=%d", tables), func(b *testing.B) {
			db := benchStore(b)
			for i := range tables {
				play(b, db, bot.ChannelID(fmt.Sprint("web:", i)), log[:30])
			}
			var all sync.WaitGroup
			b.ResetTimer()
			for i := range tables {
				all.Go(func() {
					for n := i; n < b.N; n += tables {
						if err := db.Update(b.Context(), bot.ChannelID(fmt.Sprint("web:", i)), fmt.Sprint(n), func(r *bot.Room) error {
							e := log[30]
							e.Number = 30
							if r.Append = []game.Event{e}; len(r.Events) > 30 {
								r.Append = nil // as many bytes as at first
							}
							r.Posts = []bot.Post{{From: 30, To: 31}, {From: 30, To: 31, For: "ann"}}
							r.Timers = []bot.Timer{{At: time.Now().Add(time.Hour)}}
							r.File = &bot.Receipt{From: 30, To: 31}
							return nil
						}); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
		})
	}
	b.Run("bare", func(b *testing.B) {
		bare, err := bbolt.Open(filepath.Join(b.TempDir(), "bare.db"), 0o600, nil)
		gametest.Must(b, err)
		defer bare.Close()
		n := 0
		for b.Loop() {
			n++
			gametest.Must(b, bare.Update(func(tx *bbolt.Tx) error {
				bucket, err := tx.CreateBucketIfNotExists([]byte("bucket"))
				if err != nil {
					return err
				}
				return bucket.Put(fmt.Append(nil, n), make([]byte, 1500))
			}))
		}
	})
}

// The end of a post or a timer goes to disk with the next move, or soon by itself.
func TestEndsShareNextCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "rackmate.db")
		db := open(t, path, atStart)
		log := gametest.Log(t, 60)
		move := func() {
			gametest.Must(t, db.Update(t.Context(), den, "", func(r *bot.Room) error {
				n := len(r.Events)
				r.Append = log[n : n+1]
				r.Posts = []bot.Post{{From: n, To: n + 1}}
				r.Timers = []bot.Timer{{At: start}, {At: start}}
				return nil
			}))
		}
		must := func(err error) {
			if err != nil {
				t.Error(err)
			}
		}
		ends := func() (all *sync.WaitGroup) {
			posts, _, err := db.PendingPosts(t.Context(), den.Platform(), start)
			must(err)
			timers, _, err := db.DueTimers(t.Context(), start, 9)
			must(err)
			all = &sync.WaitGroup{}
			all.Go(func() { must(db.RemovePost(t.Context(), posts[0])) })
			all.Go(func() { must(db.RemoveTimers(t.Context(), timers...)) })
			synctest.Wait()
			return all
		}
		commits := func(do func()) uint64 {
			before := transactions(t, path)
			do()
			return transactions(t, path) - before
		}
		move()
		if n := commits(func() {
			all := ends()
			move()
			all.Wait()
		}); n != 1 {
			t.Errorf("ends and a move cost %d transactions, want 1", n)
		}
		if n := commits(func() { ends().Wait() }); n != 1 {
			t.Errorf("ends alone cost %d transactions, want 1", n)
		}
		if _, next, err := db.PendingPosts(t.Context(), den.Platform(), start); err != nil || !next.IsZero() {
			t.Errorf("there still is a post for %v (%v)", next, err)
		}
		if due, _, err := db.DueTimers(t.Context(), start, 9); err != nil || len(due) > 0 {
			t.Errorf("there still are timers %+v (%v)", due, err)
		}
	})
}

// transactions returns how many transactions a file has had: the larger of the numbers in its two
// meta pages.
func transactions(t *testing.T, path string) (n uint64) {
	t.Helper()
	b, err := os.ReadFile(path)
	gametest.Must(t, err)
	const number = 64 // offset in the page in bytes, in package bolt's layout
	for _, page := range []int{0, os.Getpagesize()} {
		n = max(n, binary.NativeEndian.Uint64(b[page+number:]))
	}
	return n
}
