package bolt_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// flippedFile names a sound data file for a child process that reads from its standard input which
// bits to flip, one at a time.
const flippedFile = "RACKMATE_FLIP_TEST_FILE"

// oneFlip limits how long the check of a file may take on a busy machine.
const oneFlip = time.Minute

// checkFlipped prints for each bit what a check finds in a copy with that bit flipped: "bad", "ok",
// or "differs" if it finds nothing although the contents have changed.
func checkFlipped(path string) {
	sound, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	was, err := sums(path)
	if err != nil {
		panic(err)
	}
	copied := path + ".flipped"
	for scan := bufio.NewScanner(os.Stdin); scan.Scan(); {
		var bit int
		fmt.Sscan(scan.Text(), &bit)
		hangs := time.AfterFunc(oneFlip, func() {
			fmt.Println("hangs", bit)
			os.Exit(1)
		})
		sound[bit/8] ^= 1 << (bit % 8)
		err := os.WriteFile(copied, sound, 0o600)
		sound[bit/8] ^= 1 << (bit % 8)
		if err != nil {
			panic(err)
		}
		if _, found := bolt.Check(context.Background(), copied); len(found) > 0 {
			fmt.Println("bad", bit, strings.ReplaceAll(found[0].Error(), "\n", " "))
		} else if is, err := sums(copied); err != nil {
			fmt.Println("differs", bit, err)
		} else if differ := was.Differ(is); len(differ) > 0 {
			fmt.Println("differs", bit, differ)
		} else {
			fmt.Println("ok", bit)
		}
		hangs.Stop()
	}
}

// sums returns the checksums of a file's records.
func sums(path string) (store.Sums, error) {
	db, err := bolt.Open(path, atStart)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	all := store.Sums{}
	return all, db.Records(context.Background(), all.Add)
}

// rich is a file of many pages with something of everything, part of which was removed again.
var rich struct {
	sync.Once
	file []byte
}

// furnishRichly writes the rich file, which is made once.
func furnishRichly(t *testing.T, path string) {
	t.Helper()
	rich.Do(func() {
		made := filepath.Join(t.TempDir(), "rich.db")
		makeRich(t, made)
		rich.file = read(t, made)
	})
	gametest.Must(t, os.WriteFile(path, rich.file, 0o600))
}

func makeRich(t *testing.T, path string) {
	db := open(t, path, atStart)
	for i := range 12 {
		ch := bot.ChannelID(fmt.Sprint("web:", i))
		events := gametest.RandomGame(t, uint64(i), 2+i%3, game.Club())
		for from := 0; from < len(events); from += 7 {
			gametest.Must(t, db.Update(t.Context(), ch, fmt.Sprint("request ", from), func(r *bot.Room) error {
				r.Append = events[from:min(from+7, len(events))]
				r.Posts = []bot.Post{{From: from, To: from + 7}, {From: from, To: from + 7, For: "ann"}}
				r.Timers = []bot.Timer{{At: start.Add(time.Duration(from) * time.Minute)}}
				r.Seated = []game.PlayerID{"ann", game.PlayerID(fmt.Sprint("bob", i))}
				r.File = &bot.Receipt{From: from, To: from + 7}
				return nil
			}))
		}
		notes := db.Notes([]string{"web", "host"}[i%2])
		for n := range 20 {
			err := notes.Change(t.Context(), func(rows bot.Rows) error {
				_, _, err := denLog.Add(rows, fmt.Sprint("key ", i, n), []byte(strings.Repeat("hello ", n)))
				return err
			})
			if err = errors.Join(err, notes.Put(t.Context(), "shelf", fmt.Sprint(i, n), []byte(strings.Repeat("x", n*n)))); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 2 {
		posts, _, err := db.PendingPosts(t.Context(), "web", start)
		for _, p := range posts {
			err = errors.Join(err, db.RemovePost(t.Context(), p))
		}
		gametest.Must(t, err)
	}
	gametest.Must(t, db.Close())
}

// After one bit in a used page is flipped, a check finds it or nothing stored has changed. It never
// ends the process or runs for ever.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	furnishRichly(t, path)
	used := usedOf(read(t, path))
	seed := rand.Uint64()
	t.Logf("seed %d, %d bytes", seed, used)
	rng := rand.New(rand.NewPCG(seed, 0))
	flip(t, path, bits(), func() int { return rng.IntN(used * 8) })
}

// A flipped bit in a key, or in the header of a page or a bucket, is found too: it changes where a
// row lies or how many there are.
func TestFlippedBitsInHeaders(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	furnishRichly(t, path)
	used := usedOf(read(t, path))
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	size := os.Getpagesize()
	flip(t, path, bits(), func() int { return (rng.IntN(used/size)*size + rng.IntN(64)) * 8 })
}

// TestFlippedCounters checks that no flipped bit in the rows with the last numbers assigned passes as
// sound, and that a store refuses to assign numbers again that it has lost.
func TestFlippedCounters(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	furnishRichly(t, path)
	sound := read(t, path)
	flipped := 0
	for _, key := range []string{"last of tables", "last of posts", "last of timers"} {
		begin, found := 0, 0
		for i := 0; ; { // the page in use has one of them; free pages may have others
			at := bytes.Index(sound[i:], []byte(key))
			if at < 0 {
				break
			}
			i += at + 1
			begin = i - 1
			if err := flipBit(t, path, sound, begin*8); err != nil {
				found++
				for bit := range (len(key) + 8) * 8 { // the key and the number
					if flipBit(t, path, sound, begin*8+bit) == nil {
						t.Errorf("bit %d of the row %q is flipped, and the check says ok", bit, key)
					}
					flipped++
				}
				flipBit(t, path, sound, begin*8)
				db, err := bolt.Open(path, atStart)
				if err == nil {
					err = db.Update(t.Context(), "web:new", "r", func(r *bot.Room) error {
						r.Append = gametest.RandomGame(t, 1, 2, game.Club())[:1]
						r.Posts, r.Timers = []bot.Post{{To: 1}}, []bot.Timer{{At: start}}
						return nil
					})
					db.Close()
				}
				if !errors.As(err, new(*bolt.DamagedError)) {
					t.Errorf("without the row %q, an update begins a table: %v", key, err)
				}
			}
		}
		if found != 1 {
			t.Errorf("%d rows %q are in use, want 1", found, key)
		}
	}
	if flipped < 3*18*8 {
		t.Errorf("only %d bits were flipped", flipped)
	}
}

// flipBit writes a file with one bit flipped, and returns what a check finds first.
func flipBit(t *testing.T, path string, sound []byte, bit int) error {
	t.Helper()
	b := bytes.Clone(sound)
	b[bit/8] ^= 1 << (bit % 8)
	gametest.Must(t, os.WriteFile(path, b, 0o600))
	if _, found := bolt.Check(t.Context(), path); len(found) > 0 {
		return found[0]
	}
	return nil
}

// bits returns how many bits are flipped.
func bits() int {
	return gametest.Rounds(25, 1000)
}

func flip(t *testing.T, path string, n int, bit func() int) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), flippedFile+"="+path)
	var bits strings.Builder
	for range n {
		fmt.Fprintln(&bits, bit())
	}
	child.Stdin = strings.NewReader(bits.String())
	out, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.4000s", err, out[max(0, len(out)-4000):])
	}
	counts := map[string]int{}
	for line := range strings.Lines(string(out)) {
		what, _, _ := strings.Cut(line, " ")
		if counts[what]++; what != "bad" && what != "ok\n" && what != "ok" {
			t.Error(line)
		}
	}
	if t.Logf("%v", counts); counts["bad"] < n/10 || counts["bad"]+counts["ok"]+counts["ok\n"] != n {
		t.Errorf("of %d copies: %v", n, counts)
	}
}
