package bolt_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game/gametest"
)

// damagedFiles makes a child process use data files.
const damagedFiles = "RACKMATE_DAMAGE_TEST_FILES"

// use opens a damaged file, checks it, reads all of it and writes to it. It must not end the
// process, whatever is wrong.
func use(path string) (err error) {
	db, err := bolt.Open(path, atStart)
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil { // in the caller's part of an update, which the host recovers
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	ctx := testContext()
	_, found := db.Check(ctx)
	for i := range 20 {
		ch := bot.ChannelID(fmt.Sprint("web:", i))
		_, _, e1 := db.Table(ctx, ch)
		e2 := db.Update(ctx, ch, "", func(r *bot.Room) error {
			if r.Table == 0 {
				return nil
			}
			r.Posts = []bot.Post{{From: 1, To: 2}}
			return nil
		})
		err = errors.Join(err, e1, e2)
	}
	return errors.Join(append(found, err, db.Close())...)
}

// A damaged file never ends the process: it is rejected, or operations that meet the damage fail.
func TestDamagedFileNeverEndsProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "rackmate.db")
	db := open(t, path, atStart)
	for i := range 20 {
		play(t, db, bot.ChannelID(fmt.Sprint("web:", i)), gametest.Log(t, 60))
	}
	if s, found := db.Check(t.Context()); s.Tables != 20 || s.People == 0 || s.Last.IsZero() || len(found) > 0 {
		t.Fatalf("a sound file: %+v, %v", s, found)
	}
	db.Close()
	sound := read(t, path)
	used := usedOf(sound) // the rest is unused
	some, child := gametest.Rounds(10, 40), newUser(t)
	for _, files := range []struct {
		seed uint64
		many int
	}{
		{rand.Uint64(), some},
		{5240128509367584603, 40}, // damage keeps a transaction from ending, and the next must not wait for it
	} {
		t.Logf("seed %d", files.seed)
		rng := rand.New(rand.NewPCG(files.seed, 0))
		for n := range files.many {
			data := bytes.Clone(sound)
			what := ""
			if n%2 == 0 {
				at := 1 + rng.IntN(used-1)
				data, what = data[:at], fmt.Sprintf("cut off at %d of %d", at, used)
			} else {
				what = "bits changed"
				for range 1 + rng.IntN(40) {
					data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
				}
			}
			if out := child.survive(t, what, data); n%2 == 0 && !strings.Contains(out, "backup") {
				t.Errorf("%s: it isn't refused with what to do:\n%.2000s", what, out)
			}
		}
	}
}

// usedOf returns how many bytes of a file are in pages, used or free, by the later of its two meta
// pages: the number of pages is at offset 56 of a page, and the transaction's number at 64.
func usedOf(file []byte) int {
	size, order := os.Getpagesize(), binary.NativeEndian
	latest := file
	if order.Uint64(file[size+64:]) > order.Uint64(file[64:]) {
		latest = file[size:]
	}
	return int(order.Uint64(latest[56:])) * size
}

// A user is a child process that uses damaged files, one after the other.
type user struct {
	dir    string
	paths  io.Writer
	said   *bufio.Scanner
	stderr bytes.Buffer
}

func newUser(t *testing.T) *user {
	t.Helper()
	u := &user{dir: t.TempDir()}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), damagedFiles+"=yes")
	child.Stderr = &u.stderr
	paths, err := child.StdinPipe()
	gametest.Must(t, err)
	out, err := child.StdoutPipe()
	gametest.Must(t, err)
	u.paths, u.said = paths, bufio.NewScanner(out)
	u.said.Buffer(nil, 1<<20)
	gametest.Must(t, child.Start())
	t.Cleanup(func() { paths.Close(); child.Wait() })
	return u
}

// survive makes the child use a damaged file, and returns the result.
func (u *user) survive(t *testing.T, what string, data []byte) string {
	t.Helper()
	bad := filepath.Join(u.dir, "bad "+strings.ReplaceAll(what, "/", " "))
	gametest.Must(t, os.WriteFile(bad, data, 0o600))
	fmt.Fprintln(u.paths, bad)
	if !u.said.Scan() {
		t.Fatalf("%s: %v\n%.2000s", what, u.said.Err(), u.stderr.Bytes())
	}
	return u.said.Text()
}

// useAll uses the files named on standard input, and prints the results.
func useAll() {
	for paths := bufio.NewScanner(os.Stdin); paths.Scan(); {
		fmt.Printf("%.20000q\n", fmt.Sprint(use(paths.Text())))
		os.Remove(paths.Text())
	}
}

// soundFile returns a file with a number of tables.
func soundFile(t *testing.T, tables int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	db := open(t, path, atStart)
	for i := range tables {
		play(t, db, bot.ChannelID(fmt.Sprint("web:", i)), gametest.Log(t, 60))
	}
	db.Close()
	return read(t, path)
}

// Keys that lie beyond the end of the file, or far beyond their page, are found without reading
// them, because that would end the process.
func TestKeysOutsidePage(t *testing.T) {
	t.Parallel()
	sound, child := soundFile(t, 6), newUser(t)
	size, order := os.Getpagesize(), binary.NativeEndian
	damaged := 0
	for at := 0; at+size <= len(sound); at += size {
		const header, leaf, branch = 16, 2, 1
		var pos int
		switch page := sound[at:]; {
		case order.Uint16(page[10:]) < 2:
			continue
		case order.Uint16(page[8:]) == leaf:
			pos = at + 2*header + 4
		case order.Uint16(page[8:]) == branch:
			pos = at + 2*header
		default:
			continue
		}
		if damaged++; damaged > 6 {
			break
		}
		data := bytes.Clone(sound)
		order.PutUint32(data[pos:], 0x70000000)
		child.survive(t, fmt.Sprint("page ", at/size), data)
	}
	if damaged < 3 {
		t.Fatalf("only %d pages have two keys", damaged)
	}
}

// A page that leads back to itself is found when the file is opened. In such a cycle bbolt's
// cursors would run until memory or the stack is exhausted, which ends the process.
func TestCyclicPages(t *testing.T) {
	t.Parallel()
	sound := soundFile(t, 20)
	size, order := os.Getpagesize(), binary.NativeEndian
	found := 0
	for at := 0; at+size <= usedOf(sound); at += size {
		const header, branch = 16, 1
		keys := int(order.Uint16(sound[at+10:]))
		if order.Uint16(sound[at+8:]) != branch || keys < 3 {
			continue
		}
		data := bytes.Clone(sound)
		order.PutUint64(data[at+(1+keys/2)*header+8:], uint64(at/size))
		path := filepath.Join(t.TempDir(), "bad")
		gametest.Must(t, os.WriteFile(path, data, 0o600))
		db, err := bolt.Open(path, atStart)
		if err == nil {
			db.Close() // the page is a free one
			continue
		}
		if found++; !strings.Contains(err.Error(), "reached twice") {
			t.Errorf("page %d leads to itself: %v", at/size, err)
		}
	}
	if found == 0 {
		t.Error("no circle of pages is found when the file is opened")
	}
}

// TestCheckReportsPlainly checks that a file whose list of free pages has a page in use is reported in
// words that mean something to its operator.
func TestCheckReportsPlainly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rackmate.db")
	furnishRichly(t, path)
	b := read(t, path)
	size, order := os.Getpagesize(), binary.NativeEndian
	for n := range 2 {
		meta := b[n*size:]
		list := int(order.Uint64(meta[48:])) * size // of free pages
		if order.Uint16(b[list+10:]) > 0 {
			order.PutUint64(b[list+16:], order.Uint64(meta[32:])) // the root
		}
	}
	gametest.Must(t, os.WriteFile(path, b, 0o600))
	_, found := bolt.Check(t.Context(), path)
	if len(found) != 1 {
		t.Fatalf("a check finds %v", found)
	}
	for _, foreign := range []string{"panic", "stack", "hex", "freed"} {
		if strings.Contains(found[0].Error(), foreign) {
			t.Errorf("a check says %v", found[0])
		}
	}
	if !strings.Contains(found[0].Error(), "its pages don't fit together") || !strings.Contains(found[0].Error(), "latest backup") {
		t.Errorf("a check says %v", found[0])
	}
}
