package bolt_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// crashFile names the data file for a child process that will be killed.
const crashFile = "RACKMATE_CRASH_TEST_FILE"

func TestMain(m *testing.M) {
	if os.Getenv(damagedFiles) != "" {
		useAll()
		os.Exit(0)
	}
	if path := os.Getenv(flippedFile); path != "" {
		checkFlipped(path)
		os.Exit(0)
	}
	if path := os.Getenv(crashFile); path != "" {
		fmt.Println(crash(path))
		os.Exit(1)
	}
	gametest.TempInMemory()
	os.Exit(m.Run())
}

func testContext() context.Context { return context.Background() }

func crashChannel(i int) bot.ChannelID { return bot.ChannelID(fmt.Sprint("web:", i)) }

const crashChannels = 3

// crash works on the store until it is killed, and prints what it has done: "event C N" when event
// N of channel C is stored, "sent C N" when its post is removed, "line N" when the log has N
// entries.
func crash(path string) error {
	ctx := context.Background()
	db, err := bolt.Open(path, time.Now)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for i := range crashChannels {
		go func() {
			for {
				events, err := appendEvent(ctx, db, crashChannel(i))
				if err != nil {
					failed <- err
				}
				n := events - 1
				fmt.Println("event", i, n)
				if n%2 == 0 {
					continue // so that some posts always remain
				}
				posts, _, err := db.PendingPosts(ctx, "web", start)
				if err != nil {
					failed <- err
				}
				for _, p := range posts {
					if p.Channel != crashChannel(i) {
						continue
					}
					if err := db.RemovePost(ctx, p); err != nil {
						failed <- err
					}
					fmt.Println("sent", i, p.From)
				}
			}
		}()
	}
	go func() {
		for {
			n, err := say(ctx, db)
			if err != nil {
				failed <- err
			}
			fmt.Println("line", n)
		}
	}()
	return <-failed
}

// say adds an entry to the log and returns its number.
func say(ctx context.Context, db *bolt.DB) (n uint64, err error) {
	err = db.Notes("web").Change(ctx, func(rows bot.Rows) (err error) {
		n, _, err = denLog.Add(rows, strconv.FormatUint(rand.Uint64(), 36), []byte("hello"))
		return err
	})
	return n, err
}

func opened() game.Opened {
	layout, err := game.ParseLayout("tiny", ".T.\nd*d\n.T.")
	if err != nil {
		panic(err)
	}
	tiles, err := game.ParseTileSet("tiny", "A\t9\t1\tv\nB\t2\t3\n?\t2\t0")
	if err != nil {
		panic(err)
	}
	return game.Opened{Rules: game.Classic(), Equipment: game.Equipment{Layout: layout, Tiles: tiles}, Seats: 2}
}

// A process that is killed at any moment leaves a store that has everything that was reported done,
// nothing twice, and nothing half: a channel has at most one more event, stored when the kill came
// before the report, and each event has its post and its timer.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("ten processes")
	}
	path := filepath.Join(t.TempDir(), "rackmate.db")
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var events, sent [crashChannels]int // reported in all rounds
	lines := 0
	for range 10 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), crashFile+"="+path)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		gametest.Must(t, err)
		gametest.Must(t, child.Start())
		var kill sync.Once
		reports := 1 + r.IntN(80)
		moment := time.Duration(r.IntN(3000)) * time.Microsecond
		for scan := bufio.NewScanner(out); scan.Scan(); reports-- {
			var i, n int
			switch text := scan.Text(); {
			case scanned(text, "event %d %d", &i, &n):
				events[i] = n + 1
			case scanned(text, "sent %d %d", &i, &n):
				sent[i] = n + 1
			case scanned(text, "line %d", &n):
				lines = n
			default:
				t.Fatalf("the child says %q", text)
			}
			if reports <= 0 {
				kill.Do(func() { time.AfterFunc(moment, func() { child.Process.Kill() }) })
			}
		}
		if err := child.Wait(); err == nil || err.Error() != "signal: killed" {
			t.Fatalf("the child ended with %v before it was killed", err)
		}
		if reports > 0 {
			t.Fatal("the child said too little")
		}
		inspectCrash(t, path, &events, &sent, &lines)
	}
	if events[0] < 10 {
		t.Errorf("the children appended %d events to a channel: too few to show anything", events[0])
	}
}

func scanned(text, format string, into ...any) bool {
	n, err := fmt.Sscanf(text, format, into...)
	return err == nil && n == len(into)
}

// inspectCrash compares a store with what was reported, and updates the latter to the store's
// contents.
func inspectCrash(t *testing.T, path string, events, sent *[crashChannels]int, lines *int) {
	t.Helper()
	check(t, path)
	db, err := bolt.Open(path, time.Now)
	gametest.Must(t, err)
	defer db.Close()
	timers := map[bot.ChannelID]int{}
	due, _, err := db.DueTimers(t.Context(), start.AddDate(1, 0, 0), 100_000)
	gametest.Must(t, err)
	for _, timer := range due {
		if at := timer.At.Sub(start); at != time.Duration(timers[timer.Channel]) {
			t.Fatalf("timer %d of %s is for event %d", timers[timer.Channel], timer.Channel, at)
		}
		timers[timer.Channel]++
	}
	posts, _, err := db.PendingPosts(t.Context(), "web", start)
	gametest.Must(t, err)
	for i := range crashChannels {
		ch := crashChannel(i)
		_, log, err := db.Table(t.Context(), ch)
		gametest.Must(t, err)
		atMostOneMore(t, "events of "+string(ch), len(log), events[i])
		events[i] = len(log)
		for n, e := range log {
			if e.Number != n || e.Cause != fmt.Sprint("request ", n) {
				t.Fatalf("event %d of %s is %+v", n, ch, e)
			}
		}
		if timers[ch] != len(log) {
			t.Errorf("%s has %d timers and %d events", ch, timers[ch], len(log))
		}
		next := len(log) // the first remaining post
		for _, p := range posts {
			if p.Channel == ch {
				next = p.From
			}
		}
		atMostOneMore(t, "posts of "+string(ch)+" that are out", next, sent[i])
		sent[i] = next
	}
	log, err := denLog.Read(t.Context(), db.Notes("web"), 0, 1<<30)
	gametest.Must(t, err)
	atMostOneMore(t, "lines", len(log), *lines)
	*lines = len(log)
}

func atMostOneMore(t *testing.T, what string, there, reported int) {
	t.Helper()
	if there < reported || there > reported+1 {
		t.Errorf("%s: %d are there, %d were reported", what, there, reported)
	}
}
