package bolt_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A diskWrite is one that bbolt makes to the file. bbolt syncs the file after the pages of a
// transaction, and again after its meta page, which it writes last.
type diskWrite struct {
	off  int64
	data []byte
}

func (w diskWrite) isMeta() bool { return w.off < 2*int64(os.Getpagesize()) }

// An answered change is an event that an Update reported as stored, when the file had seen a number
// of writes.
type answered struct {
	ch     bot.ChannelID
	n      int // events of the channel
	writes int
}

// appendEvent stores the next event of a channel, with a post and a timer, and returns how many it
// has.
func appendEvent(ctx context.Context, db *bolt.DB, ch bot.ChannelID) (n int, err error) {
	err = db.Update(ctx, ch, "", func(r *bot.Room) error {
		n = len(r.Events)
		e := game.Event{Number: n, At: start, Cause: fmt.Sprint("request ", n), Fact: game.Passed{}}
		if n == 0 {
			e.Fact = opened()
		}
		r.Append = []game.Event{e}
		r.Posts = []bot.Post{{From: n, To: n + 1}}
		r.Timers = []bot.Timer{{At: start.Add(time.Duration(n))}}
		return nil
	})
	return n + 1, err
}

// recordWrites makes several channels change at once, and returns the file before, all writes to it, and
// what was answered when.
func recordWrites(t *testing.T, path string, rounds int) (before []byte, writes []diskWrite, done []answered) {
	db, err := bolt.Open(path, time.Now)
	gametest.Must(t, err)
	defer db.Close()
	if !db.Syncs() {
		t.Fatal("commits don't wait for the disk")
	}
	before, err = os.ReadFile(path)
	gametest.Must(t, err)
	var mu sync.Mutex
	bolt.WriteThrough(t, db, func(b []byte, off int64, do func([]byte, int64) (int, error)) (int, error) {
		mu.Lock()
		writes = append(writes, diskWrite{off, slices.Clone(b)})
		mu.Unlock()
		return do(b, off)
	})
	var all sync.WaitGroup
	for i := range crashChannels {
		all.Go(func() {
			for range rounds {
				n, err := appendEvent(t.Context(), db, crashChannel(i))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				done = append(done, answered{crashChannel(i), n, len(writes)})
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return before, writes, done
}

// The power fails at any write: of what the file hasn't synced by then, some sectors are written and
// others aren't. The store opens, is sound, and has every change that was answered.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(dir, "rackmate.db")
	before, writes, done := recordWrites(t, path, 40)
	after, err := os.Stat(path)
	gametest.Must(t, err)
	disk := make([]byte, after.Size())
	copy(disk, before)
	var pending []diskWrite // since the last sync
	for c, w := range writes {
		if w.isMeta() || len(pending) > 0 && pending[0].isMeta() {
			for _, p := range pending {
				copy(disk[p.off:], p.data)
			}
			pending = nil
		}
		pending = append(pending, w)
		if r.IntN(len(writes)) >= gametest.Share(300) && !w.isMeta() {
			continue
		}
		image := slices.Clone(disk)
		for _, p := range pending {
			const sector = 512
			for at := 0; at < len(p.data); at += sector {
				if r.IntN(2) == 0 {
					copy(image[p.off+int64(at):], p.data[at:min(at+sector, len(p.data))])
				}
			}
		}
		lost := filepath.Join(dir, "lost.db")
		gametest.Must(t, os.WriteFile(lost, image, 0o600))
		check(t, lost)
		db, err := bolt.Open(lost, time.Now)
		gametest.Must(t, err)
		for i := range crashChannels {
			_, log, err := db.Table(t.Context(), crashChannel(i))
			gametest.Must(t, err)
			for _, a := range done {
				if a.ch == crashChannel(i) && a.writes <= c && a.n > len(log) {
					t.Errorf("power lost at write %d of %d: %s has %d events, and %d were answered by write %d", c, len(writes), a.ch, len(log), a.n, a.writes)
				}
			}
		}
		gametest.Must(t, db.Close())
	}
	if len(done) != 40*crashChannels || len(writes) < 200 {
		t.Errorf("%d changes made %d writes, too few to show anything", len(done), len(writes))
	}
}

// A write to the disk fails, at each place where one is made, and so does everything for a while.
// A change that is answered stays, and one that fails leaves nothing behind, unless the disk took the
// part of its last page that counts. When the disk has recovered, changes succeed again, at the latest
// after a restart.
func TestFailingWrites(t *testing.T) {
	t.Parallel()
	for name, fails := range map[string]struct {
		err  error
		half bool // whether half of the data is written before
	}{"EIO": {syscall.EIO, false}, "EIO after half": {syscall.EIO, true}, "disk full": {syscall.ENOSPC, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, lasts := range []int{1, 5} {
				for at := range 40 {
					path := filepath.Join(t.TempDir(), "rackmate.db")
					db, err := bolt.Open(path, time.Now)
					gametest.Must(t, err)
					count := 0
					bolt.WriteThrough(t, db, func(b []byte, off int64, do func([]byte, int64) (int, error)) (int, error) {
						if count++; count <= at || count > at+lasts {
							return do(b, off)
						}
						if fails.half {
							n, _ := do(b[:len(b)/2], off)
							return n, fails.err
						}
						return 0, fails.err
					})
					stored, failed := 0, 0 // failed ones may be stored too: half a meta page has all that counts
					for range 12 {
						n, err := appendEvent(t.Context(), db, den)
						switch {
						case err == nil && (n <= stored || n > stored+1 && (!fails.half || n > stored+1+failed)):
							t.Fatalf("write %d: event %d is stored after %d", at, n, stored)
						case err == nil:
							stored = n
						case errors.Is(err, fails.err), strings.Contains(err.Error(), "is damaged"):
							failed++
						default:
							t.Fatalf("write %d: %v", at, err)
						}
					}
					if count > at && failed == 0 {
						t.Errorf("write %d failed, and no change", at)
					}
					gametest.Must(t, db.Close())
					check(t, path)
					db, err = bolt.Open(path, time.Now)
					gametest.Must(t, err)
					if n, err := appendEvent(t.Context(), db, den); err != nil || n <= stored || n > stored+1 && !fails.half || n > stored+1+failed {
						t.Errorf("write %d, for %d: after a restart event %d is stored after %d, error %v", at, lasts, n, stored, err)
					}
					gametest.Must(t, db.Close())
				}
			}
		})
	}
}
