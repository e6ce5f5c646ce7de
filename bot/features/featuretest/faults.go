package featuretest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
)

// A Fault makes one call of a store fail.
type Fault struct {
	mu   sync.Mutex
	call int    // calls since it was armed
	at   int    // the call that fails; 0 for none
	hit  string // what failed
}

// Befalls plants the fault in a world's store.
func (f *Fault) Befalls(c *host.Config) {
	c.Store, c.Notes = faultyStore{c.Store, f}, faultyNotes{c.Notes, f}
}

// Hit returns what failed, or "".
func (f *Fault) Hit() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hit
}

var errFault = errors.New("the disk is full")

// Arm makes the call with number at from now on fail, or none if at is 0.
func (f *Fault) Arm(at int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.call, f.at, f.hit = 0, at, ""
}

func (f *Fault) fail(what string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.call++
	if f.call != f.at {
		return nil
	}
	f.hit = what
	return fmt.Errorf("%s: %w", what, errFault)
}

// AtEachFault does something in a prepared world in which the first call of the store fails, in
// another in which the second fails, and so on. Each time does must fail, or return the same as
// without a fault. Called again in the same world, it must return that. The clocks of these
// worlds stand still.
func AtEachFault(t *testing.T, prepare func(*World), does func(*World) (said string, err error), changes ...func(*host.Config)) {
	t.Helper()
	world := func() (*World, *Fault) {
		f := &Fault{}
		w := New(t, append(changes, func(c *host.Config) {
			f.Befalls(c)
			c.Now = func() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }
		})...)
		prepare(w)
		return w, f
	}
	w, f := world()
	f.Arm(0)
	want, err := does(w)
	if err != nil {
		t.Errorf("where nothing fails: %v", err)
		return
	}
	if f.call == 0 {
		t.Errorf("it doesn't ask the store: %s", want)
	}
	for n, calls := 1, f.call; n <= calls; n++ {
		w, f := world()
		f.Arm(n)
		said, err := does(w)
		hit := f.Hit()
		if hit == "" {
			t.Errorf("of %d calls of the store %d was not made", calls, n)
			continue
		}
		if err == nil && said != want {
			t.Errorf("when call %d fails (%s) it comes out as\n%s\nwant an error, or\n%s", n, hit, said, want)
		}
		f.Arm(0)
		if said, err = does(w); err != nil || said != want {
			t.Errorf("after call %d has failed (%s) it comes out as\n%s (%v)\nwant\n%s", n, hit, said, err, want)
		}
	}
}

// LinesAtEachFault works like AtEachFault for typed lines: a request that fails says that the host
// is at fault, and is answered when it is repeated.
func LinesAtEachFault(t *testing.T, prepare func(*World), who bot.User, lines []string, changes ...func(*host.Config)) {
	t.Helper()
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			AtEachFault(t, prepare, func(w *World) (string, error) {
				req := w.Request(who, line)
				req.ID = "the same"
				return Answered(w.Host.Handle(t.Context(), req))
			}, changes...)
		})
	}
}

// SameAtEachFault runs a story without a fault, and then repeatedly with one store call failing:
// the first, and so on by step, until the story has no such call. The story must always end the
// same; that end is returned. The story plants its fault in its world and arms it with at.
func SameAtEachFault(t *testing.T, step int, story func(t *testing.T, f *Fault, at int) (ends string)) (want string) {
	t.Helper()
	tell := func(at int) (ends, hit string) {
		f := &Fault{}
		synctest.Test(t, func(t *testing.T) { ends = story(t, f, at) })
		return ends, f.Hit()
	}
	want, _ = tell(0)
	for at := 1; ; at += step {
		ends, hit := tell(at)
		if hit == "" {
			return want
		}
		if ends != want {
			t.Errorf("when call %d fails (%s) it ends with\n%s\nwant\n%s", at, hit, ends, want)
		}
	}
}

// Insist repeats a request until it is answered.
func (w *World) Insist(req bot.Request) bot.Reply {
	w.T.Helper()
	for range 3 {
		r := w.Host.Handle(w.T.Context(), req)
		if _, err := Answered(r); err == nil {
			return r
		}
	}
	w.T.Fatalf("%s's /%s is never answered", req.User.Name, req.Command)
	return bot.Reply{}
}

// Must does a typed command, which must not be refused.
func (w *World) Must(name, line string) {
	w.T.Helper()
	if r := w.Does(bottest.People[name], line); r.Refused {
		w.T.Fatalf("%s: %s: %s", name, line, r.Text)
	}
}

// Answered returns everything that a reply says, or an error if the host was at fault.
func Answered(r bot.Reply) (string, error) {
	if strings.HasPrefix(r.Text.String(), "Something went wrong on my side") {
		return "", errors.New(r.Text.String())
	}
	return ReplySaid(r), nil
}

type faultyStore struct {
	bot.Store
	f *Fault
}

func (s faultyStore) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	if err := s.f.fail("update " + string(ch)); err != nil {
		return err
	}
	return s.Store.Update(ctx, ch, request, fn)
}

func (s faultyStore) Table(ctx context.Context, ch bot.ChannelID) (bot.TableID, []game.Event, error) {
	if err := s.f.fail("table of " + string(ch)); err != nil {
		return 0, nil, err
	}
	return s.Store.Table(ctx, ch)
}

func (s faultyStore) Events(ctx context.Context, id bot.TableID, n int) (bot.ChannelID, []game.Event, error) {
	if err := s.f.fail(fmt.Sprint("events of ", id)); err != nil {
		return "", nil, err
	}
	return s.Store.Events(ctx, id, n)
}

func (s faultyStore) TablesPlayed(ctx context.Context, who game.PlayerID) ([]bot.TableID, error) {
	if err := s.f.fail("games of " + string(who)); err != nil {
		return nil, err
	}
	return s.Store.TablesPlayed(ctx, who)
}

func (s faultyStore) TablesNaming(ctx context.Context, who game.PlayerID) ([]bot.TableID, error) {
	if err := s.f.fail("tables that name " + string(who)); err != nil {
		return nil, err
	}
	return s.Store.TablesNaming(ctx, who)
}

func (s faultyStore) Rename(ctx context.Context, id bot.TableID, from game.PlayerID, to game.Person) error {
	if err := s.f.fail(fmt.Sprint("rename at ", id)); err != nil {
		return err
	}
	return s.Store.Rename(ctx, id, from, to)
}

func (s faultyStore) PendingPosts(ctx context.Context, platform string, now time.Time) ([]bot.Post, time.Time, error) {
	if err := s.f.fail("posts of " + platform); err != nil {
		return nil, time.Time{}, err
	}
	return s.Store.PendingPosts(ctx, platform, now)
}

func (s faultyStore) DueTimers(ctx context.Context, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	if err := s.f.fail("timers"); err != nil {
		return nil, time.Time{}, err
	}
	return s.Store.DueTimers(ctx, now, limit)
}

func (s faultyStore) ClaimPosts(ctx context.Context, h bot.Holder, platform string, without []bot.TableID, now time.Time, limit int) ([]bot.Post, time.Time, error) {
	if err := s.f.fail("claim posts of " + platform); err != nil {
		return nil, time.Time{}, err
	}
	return s.Store.ClaimPosts(ctx, h, platform, without, now, limit)
}

func (s faultyStore) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	if err := s.f.fail("claim timers"); err != nil {
		return nil, time.Time{}, err
	}
	return s.Store.ClaimTimers(ctx, h, k, now, limit)
}

func (s faultyStore) RemovePost(ctx context.Context, p bot.Post) error {
	if err := s.f.fail("sent " + p.Key()); err != nil {
		return err
	}
	return s.Store.RemovePost(ctx, p)
}

func (s faultyStore) Defer(ctx context.Context, p bot.Post, until time.Time) error {
	if err := s.f.fail("defer " + p.Key()); err != nil {
		return err
	}
	return s.Store.Defer(ctx, p, until)
}

func (s faultyStore) RemoveTimers(ctx context.Context, timers ...bot.Timer) error {
	if err := s.f.fail("fired"); err != nil {
		return err
	}
	return s.Store.RemoveTimers(ctx, timers...)
}

func (s faultyStore) Stay(ctx context.Context, h bot.Holder, until time.Time) error {
	if err := s.f.fail("stay"); err != nil {
		return err
	}
	return s.Store.Stay(ctx, h, until)
}

type faultyNotes struct {
	bot.Notes
	f *Fault
}

func (n faultyNotes) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	if err := n.f.fail("get " + shelf + " " + key); err != nil {
		return nil, err
	}
	return n.Notes.Get(ctx, shelf, key)
}

func (n faultyNotes) GetAll(ctx context.Context, shelf string, keys ...string) ([][]byte, error) {
	return bot.Each(keys, func(key string) ([]byte, error) { return n.Get(ctx, shelf, key) })
}

func (n faultyNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	if err := n.f.fail("put " + shelf + " " + key); err != nil {
		return err
	}
	return n.Notes.Put(ctx, shelf, key, value)
}

func (n faultyNotes) Keys(ctx context.Context, shelf string) ([]string, error) {
	if err := n.f.fail("keys of " + shelf); err != nil {
		return nil, err
	}
	return n.Notes.Keys(ctx, shelf)
}

func (n faultyNotes) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	if err := n.f.fail("scan " + shelf + " " + prefix); err != nil {
		return nil, err
	}
	return n.Notes.Scan(ctx, shelf, prefix, after, limit)
}

func (n faultyNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	if err := n.f.fail("change"); err != nil {
		return err
	}
	return n.Notes.Change(ctx, func(r bot.Rows) error { return fn(faultyRows{r, n.f}) })
}

type faultyRows struct {
	bot.Rows
	f *Fault
}

func (r faultyRows) Get(shelf, key string) ([]byte, error) {
	if err := r.f.fail("get " + shelf + " " + key + " in a change"); err != nil {
		return nil, err
	}
	return r.Rows.Get(shelf, key)
}

func (r faultyRows) GetAll(shelf string, keys ...string) ([][]byte, error) {
	return bot.Each(keys, func(key string) ([]byte, error) { return r.Get(shelf, key) })
}

func (r faultyRows) Put(shelf, key string, value []byte) error {
	if err := r.f.fail("put " + shelf + " " + key + " in a change"); err != nil {
		return err
	}
	return r.Rows.Put(shelf, key, value)
}

func (r faultyRows) Scan(shelf, prefix, after string, limit int) ([]bot.Row, error) {
	if err := r.f.fail("scan " + shelf + " " + prefix + " in a change"); err != nil {
		return nil, err
	}
	return r.Rows.Scan(shelf, prefix, after, limit)
}
