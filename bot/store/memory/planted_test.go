package memory_test

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/store/storetest"
)

// planted names the fault for TestStore to find, in a process of its own.
const planted = "RACKMATE_TEST_PLANTED"

// A faulty store misbehaves in one way, and otherwise works like the store in memory.
type faulty struct {
	*memory.Store
	fault string

	mu     *sync.Mutex
	fences map[string]map[uint64]uint64 // of the latest claims, by id: of posts, of timers
	hints  *atomic.Int64
}

func newFaulty(s *memory.Store, fault string) faulty {
	return faulty{s, fault, &sync.Mutex{}, map[string]map[uint64]uint64{"post": {}, "timer": {}}, &atomic.Int64{}}
}

// latest returns the fencing number of a thing's current claim.
func (f faulty) latest(of string, id, own uint64) uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fence, ok := f.fences[of][id]; ok {
		return fence
	}
	return own
}

func (f faulty) ClaimPosts(ctx context.Context, h bot.Holder, platform string, without []bot.TableID, now time.Time, limit int) ([]bot.Post, time.Time, error) {
	posts, next, err := f.Store.ClaimPosts(ctx, h, platform, without, now, limit)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range posts {
		f.fences["post"][p.ID] = p.Fence
	}
	return posts, next, err
}

func (f faulty) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	timers, next, err := f.Store.ClaimTimers(ctx, h, k, now, limit)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range timers {
		f.fences["timer"][t.ID] = t.Fence
	}
	return timers, next, err
}

func (f faulty) RemovePost(ctx context.Context, p bot.Post) error {
	if f.fault == "a slow holder finishes a post" {
		p.Fence = f.latest("post", p.ID, p.Fence)
	}
	return f.Store.RemovePost(ctx, p)
}

func (f faulty) Defer(ctx context.Context, p bot.Post, until time.Time) error {
	if f.fault == "a slow holder puts a post off" {
		p.Fence = f.latest("post", p.ID, p.Fence)
	}
	return f.Store.Defer(ctx, p, until)
}

func (f faulty) RemoveTimers(ctx context.Context, timers ...bot.Timer) error {
	timers = slices.Clone(timers)
	for i, t := range timers {
		if f.fault == "a slow holder ends a timer" {
			timers[i].Fence = f.latest("timer", t.ID, t.Fence)
		}
	}
	return f.Store.RemoveTimers(ctx, timers...)
}

func (f faulty) Stay(ctx context.Context, h bot.Holder, until time.Time) error {
	if f.fault == "a holder never dies" {
		until = until.Add(time.Hour)
	}
	return f.Store.Stay(ctx, h, until)
}

func (f faulty) Elect(ctx context.Context, h bot.Holder, job string, now time.Time) (bool, error) {
	elected, err := f.Store.Elect(ctx, h, job, now)
	return elected || f.fault == "everybody is elected", err
}

func (f faulty) Leave(ctx context.Context, h bot.Holder) error {
	if f.fault == "what is left stays taken" {
		return nil
	}
	return f.Store.Leave(ctx, h)
}

func (f faulty) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	if f.fault == "receipts are forgotten" {
		request = ""
	}
	return f.Store.Update(ctx, ch, request, fn)
}

// lost reports whether a hint gets lost; one in three does.
func (f faulty) lost() bool {
	return f.fault == "wakes get lost" && f.hints.Add(1)%3 == 0
}

func (f faulty) Watch(ctx context.Context, fn func(bot.ChannelID)) error {
	return f.Store.Watch(ctx, func(ch bot.ChannelID) {
		if !f.lost() {
			fn(ch)
		}
	})
}

func (f faulty) Notes(adapter string) bot.Notes { return faultyNotes{f.Store.Notes(adapter), f} }

type faultyNotes struct {
	bot.Notes
	of faulty
}

func (n faultyNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	if d := bot.Concludes(ctx); d != nil && n.of.fault == "a slow holder's entry is added" {
		d.Post.Fence = n.of.latest("post", d.Post.ID, d.Post.Fence)
	}
	if n.of.fault == "an entry is there, and its post too" {
		ctx = n.of.without(ctx)
	}
	return n.Notes.Change(ctx, fn)
}

// without returns a context that concludes nothing.
func (f faulty) without(ctx context.Context) context.Context {
	if d := bot.Concludes(ctx); d != nil {
		d.Conclude()
		return context.Background()
	}
	return ctx
}

func (n faultyNotes) Watch(ctx context.Context, fn func(bot.Hint)) error {
	return n.Notes.Watch(ctx, func(h bot.Hint) {
		if !n.of.lost() {
			fn(h)
		}
	})
}

// The tests of stores find, by name, faults that a store of many hosts could have.
func TestSuiteFindsPlantedFaults(t *testing.T) {
	if os.Getenv(planted) != "" {
		t.Skip("one is planted")
	}
	for fault, found := range map[string][]string{
		"a slow holder finishes a post":       {"a slow holder can't finish what another has taken"},
		"a slow holder puts a post off":       {"a slow holder can't finish what another has taken"},
		"a slow holder ends a timer":          {"a timer is claimed once"},
		"a slow holder's entry is added":      {"a change that is a post's delivery"},
		"an entry is there, and its post too": {"a change that is a post's delivery"},
		"a holder never dies":                 {"a holder that dies loses its posts", "a timer is claimed once", "a job has one holder"},
		"what is left stays taken":            {"a job has one holder"},
		"everybody is elected":                {"a job has one holder", "a job sought by many at once"},
		"receipts are forgotten":              {"a receipt is found again", "one request many times at once"},
		"wakes get lost":                      {"an update is hinted at", "notes are hinted at"},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			var cases []string
			for _, name := range found {
				cases = append(cases, regexp.QuoteMeta(strings.ReplaceAll(name, " ", "_")))
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestStore$/^("+strings.Join(cases, "|")+")$")
			cmd.Env = append(os.Environ(), planted+"="+fault)
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Fatal("every case passes")
			}
			for _, name := range found {
				if !strings.Contains(string(out), "--- FAIL: TestStore/"+strings.ReplaceAll(name, " ", "_")+" ") {
					t.Errorf("the case %q passes; it fails:\n%s", name, out)
				}
			}
		})
	}
}

func init() {
	if os.Getenv(planted) != "" {
		storetest.Patience = time.Second / 4 // hints come at once here, or not at all
	}
}

// plant plants the fault in the store, if there is one.
func plant(s *memory.Store) storetest.Store {
	if fault := os.Getenv(planted); fault != "" {
		return newFaulty(s, fault)
	}
	return s
}
