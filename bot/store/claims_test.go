package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game/gametest"
)

const fox, owl bot.Holder = "fox", "owl"

var (
	start  = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	errOff = errors.New("the disk is off")
)

// later returns a time some seconds after the start.
func later(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

// living returns claims with holders that live for ten seconds.
func living(t *testing.T, holders ...bot.Holder) *store.Claims {
	t.Helper()
	var c store.Claims
	for _, h := range holders {
		gametest.Must(t, c.Stay(t.Context(), h, later(10)))
	}
	return &c
}

// posts claims up to limit of some posts that may be tried at the start, by their numbers.
func posts(t *testing.T, c *store.Claims, h bot.Holder, now time.Time, limit int, ids ...uint64) (claimed []bot.Post, next time.Time) {
	t.Helper()
	claimed, next, err := c.TakePosts(t.Context(), h, now, limit, func(found func(uint64, time.Time, func() (bot.Post, error)) (bool, error)) error {
		for _, id := range ids {
			if more, err := found(id, start, func() (bot.Post, error) { return bot.Post{ID: id}, nil }); err != nil || !more {
				return err
			}
		}
		return nil
	})
	gametest.Must(t, err)
	return claimed, next
}

// timers claims up to limit of some timers.
func timers(t *testing.T, c *store.Claims, h bot.Holder, k bot.Kinds, now time.Time, limit int, all ...bot.Timer) (claimed []bot.Timer, next time.Time) {
	t.Helper()
	claimed, next, err := c.TakeTimers(t.Context(), h, k, now, limit, func(found func(bot.Timer) bool) error {
		for _, timer := range all {
			if !found(timer) {
				break
			}
		}
		return nil
	})
	gametest.Must(t, err)
	return claimed, next
}

// ids returns the numbers of posts or timers in order.
func ids[T any](all []T, id func(T) uint64) string {
	var numbers []string
	for _, one := range all {
		numbers = append(numbers, fmt.Sprint(id(one)))
	}
	return strings.Join(numbers, " ")
}

func postIDs(all []bot.Post) string   { return ids(all, func(p bot.Post) uint64 { return p.ID }) }
func timerIDs(all []bot.Timer) string { return ids(all, func(t bot.Timer) uint64 { return t.ID }) }

// One holder at a time has claimed a post, as long as it lives, and each claim has a higher fencing
// number than those before.
func TestPostsAreClaimedOnce(t *testing.T) {
	c := living(t, fox)
	gametest.Must(t, c.Stay(t.Context(), owl, later(60)))
	var fence uint64
	for i, step := range []struct {
		holder bot.Holder
		at     int
		limit  int
		want   string
		next   time.Time
	}{
		{holder: "nobody who lives", limit: 9},
		{holder: fox, limit: 2, want: "1 5"}, // in order of their numbers
		{holder: owl, limit: 9, want: "3", next: later(10)},
		{holder: fox, at: 9, limit: 9, next: later(10)},
		{holder: owl, at: 10, limit: 9, want: "1 5", next: later(60)}, // the fox has died
		{holder: fox, at: 10, limit: 9},
	} {
		got, next := posts(t, c, step.holder, later(step.at), step.limit, 5, 1, 3)
		if postIDs(got) != step.want || !next.Equal(step.next) {
			t.Errorf("step %d: the %s claims %q, and the next at %v; want %q at %v", i, step.holder, postIDs(got), next, step.want, step.next)
		}
		highest := fence
		for _, p := range got {
			if p.Fence <= highest {
				t.Errorf("step %d: the fencing number is %d after %d", i, p.Fence, highest)
			}
			fence = max(fence, p.Fence)
		}
	}
}

// A post that isn't due yet returns its time; one that can't be read isn't claimed.
func TestUnclaimablePosts(t *testing.T) {
	c := living(t, fox)
	got, next, err := c.TakePosts(t.Context(), fox, start, 9, func(found func(uint64, time.Time, func() (bot.Post, error)) (bool, error)) error {
		more, err := found(1, later(5), func() (bot.Post, error) { t.Error("a post is read before its time"); return bot.Post{}, nil })
		if more {
			t.Error("those behind one that isn't due are asked for")
		}
		return err
	})
	if len(got) > 0 || err != nil || !next.Equal(later(5)) {
		t.Errorf("claimed %v, the next at %v: %v", got, next, err)
	}
	_, _, err = c.TakePosts(t.Context(), fox, start, 9, func(found func(uint64, time.Time, func() (bot.Post, error)) (bool, error)) error {
		_, err := found(1, start, func() (bot.Post, error) { return bot.Post{}, errOff })
		return err
	})
	if err != errOff {
		t.Errorf("a post that can't be read: %v", err)
	}
	gametest.Must(t, c.Stay(t.Context(), owl, later(10)))
	if got, _ := posts(t, c, owl, start, 9, 1); postIDs(got) != "1" {
		t.Errorf("when it can be read, the owl claims %q", postIDs(got))
	}
}

// Timers are claimed earliest first, of the requested kinds and tables.
func TestTimersAreClaimed(t *testing.T) {
	all := []bot.Timer{
		{ID: 1, At: start, Kind: "robot", Table: 7}, {ID: 2, At: start, Kind: "", Table: 7},
		{ID: 3, At: later(1), Kind: "digest", Table: 8}, {ID: 4, At: later(2), Kind: "", Table: 9},
	}
	for name, tt := range map[string]struct {
		holder bot.Holder
		kinds  bot.Kinds
		at     int
		limit  int
		want   string
		next   time.Time
	}{
		"all that are due":         {holder: owl, limit: 9, want: "2", next: later(1)},
		"who has died":             {holder: "mole", limit: 9},
		"two at the most":          {holder: owl, at: 5, limit: 2, want: "2 3", next: later(10)},
		"those of a kind":          {holder: owl, kinds: bot.Kinds{Only: []string{"digest"}}, at: 5, limit: 9, want: "3"},
		"all but those of a kind":  {holder: owl, kinds: bot.Kinds{Except: []string{"robot", ""}}, at: 5, limit: 9, want: "3"},
		"all but those of a table": {holder: owl, kinds: bot.Kinds{Without: []bot.TableID{7, 8}}, at: 5, limit: 9, want: "4"},
	} {
		c := living(t, fox, owl)
		mine, _ := timers(t, c, fox, bot.Kinds{Only: []string{"robot"}}, start, 9, all...)
		if timerIDs(mine) != "1" || mine[0].Fence == 0 {
			t.Fatalf("the fox claims %v", mine)
		}
		got, next := timers(t, c, tt.holder, tt.kinds, later(tt.at), tt.limit, all...)
		if timerIDs(got) != tt.want || !next.Equal(tt.next) {
			t.Errorf("%s: %q, the next at %v; want %q at %v", name, timerIDs(got), next, tt.want, tt.next)
		}
	}
}

// A holder whose claim has passed to another loses the post: what it does to the post isn't done.
func TestLateHoldersLosePosts(t *testing.T) {
	for name, finish := range map[string]func(*store.Claims, bot.Post, func() error) error{
		"TakeAway": (*store.Claims).TakeAway, "GiveBack": (*store.Claims).GiveBack,
	} {
		c := living(t, fox)
		slow, _ := posts(t, c, fox, start, 9, 1)
		gametest.Must(t, c.Stay(t.Context(), owl, later(60)))
		quick, _ := posts(t, c, owl, later(10), 9, 1)
		if err := finish(c, slow[0], func() error { t.Errorf("%s is done by who was late", name); return nil }); err != bot.ErrLost {
			t.Errorf("%s by who was late: %v", name, err)
		}
		// Meanwhile nobody can claim the post; if fn fails, the owl still has it.
		if err := finish(c, quick[0], func() error {
			if got, _ := posts(t, c, fox, later(90), 9, 1); len(got) > 0 {
				t.Errorf("%s: claimed in the middle of it", name)
			}
			return errOff
		}); err != errOff {
			t.Errorf("%s that fails: %v", name, err)
		}
		gametest.Must(t, c.Stay(t.Context(), fox, later(60)))
		if got, next := posts(t, c, fox, later(11), 9, 1); len(got) > 0 || !next.Equal(later(60)) {
			t.Errorf("%s that failed: the fox claims %v, the next at %v", name, got, next)
		}
		if err := finish(c, quick[0], func() error { return nil }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, _ := posts(t, c, fox, later(11), 9, 1); postIDs(got) != "1" {
			t.Errorf("after %s the fox claims %v", name, got)
		}
	}
}

// A released post belongs to nobody, and a former holder can't remove it once another has claimed
// it.
func TestReleasedPostKeepsFence(t *testing.T) {
	c := living(t, fox, owl)
	first, _ := posts(t, c, fox, start, 9, 1)
	gametest.Must(t, c.GiveBack(first[0], func() error { return nil }))
	if err := c.TakeAway(bot.Post{ID: 1}, func() error { return nil }); err != bot.ErrLost {
		t.Errorf("taken away by who never had it: %v", err)
	}
	if again, _ := posts(t, c, owl, start, 9, 1); len(again) != 1 || again[0].Fence <= first[0].Fence {
		t.Errorf("claimed anew: %+v after %+v", again, first)
	}
	if err := c.TakeAway(first[0], func() error { return nil }); err != bot.ErrLost {
		t.Errorf("taken away by the one before: %v", err)
	}
}

// A change that concludes a delivery removes the post with it; any other removes none.
func TestChangeConcludesDelivery(t *testing.T) {
	c := living(t, fox, owl)
	mine, _ := posts(t, c, fox, start, 9, 1)
	lines := 0
	if err := c.Conclude(t.Context(), func(p *bot.Post) error {
		lines++
		if p != nil {
			t.Errorf("a line of its own takes away %+v", p)
		}
		return nil
	}); err != nil || lines != 1 {
		t.Errorf("%d lines, %v", lines, err)
	}
	late := bot.Post{ID: 1, Fence: mine[0].Fence + 1}
	for i, step := range []struct {
		post bot.Post
		fail error
		want error
	}{{late, nil, bot.ErrLost}, {mine[0], errOff, errOff}, {mine[0], nil, nil}} {
		ctx, delivery := bot.Delivering(t.Context(), step.post, func() bool { return true })
		err := c.Conclude(bot.Concluding(ctx), func(p *bot.Post) error {
			if p == nil || *p != step.post {
				t.Errorf("step %d: takes away %+v", i, p)
			}
			return step.fail
		})
		if err != step.want || delivery.Done() != (step.want == nil) {
			t.Errorf("step %d: %v, done is %t; want %v", i, err, delivery.Done(), step.want)
		}
	}
}

// Timers are removed for their holder. Timers that others have claimed since stay, and the error
// says so.
func TestFiredTimersAreRemoved(t *testing.T) {
	set := []bot.Timer{{ID: 1, At: start}, {ID: 2, At: start}, {ID: 3, At: start}}
	off := func(c *store.Claims, fail error, all ...bot.Timer) (done string, err error) {
		err = c.TurnOff(all, func(own map[uint64]bool) error {
			var mine []bot.Timer
			for _, s := range set {
				if own[s.ID] {
					mine = append(mine, s)
				}
			}
			done = timerIDs(mine)
			if got, _ := timers(t, c, owl, bot.Kinds{}, later(1), 9, mine...); len(got) > 0 {
				t.Errorf("claimed while they go off: %v", got)
			}
			return fail
		})
		return done, err
	}
	c := living(t, fox)
	slow, _ := timers(t, c, fox, bot.Kinds{}, start, 2, set...)
	gametest.Must(t, errors.Join(c.Leave(t.Context(), fox), c.Stay(t.Context(), owl, later(60))))
	quick, _ := timers(t, c, owl, bot.Kinds{}, start, 1, set...)
	if timerIDs(slow) != "1 2" || timerIDs(quick) != "1" {
		t.Fatalf("claimed %v and %v", slow, quick)
	}
	for i, step := range []struct {
		timers []bot.Timer
		fail   error
		done   string
		want   error
	}{
		{slow[:1], nil, "", bot.ErrLost},
		{append(slices.Clone(slow), slow[1]), errOff, "2", errOff},
		{slow, nil, "2", bot.ErrLost},
		{quick, errOff, "1", errOff},
		{append(slices.Clone(quick), set[2]), nil, "1 3", nil}, // nobody has claimed the third
		{quick, nil, "1", nil},                                 // it is gone already
	} {
		if done, err := off(c, step.fail, step.timers...); done != step.done || err != step.want {
			t.Errorf("step %d: %q go off, %v; want %q, %v", i, done, err, step.done, step.want)
		}
	}
}

// A released timer can be claimed at once; one that another holder has claimed since can't be
// released.
func TestTimersAreReleased(t *testing.T) {
	c := living(t, fox, owl)
	set := bot.Timer{ID: 1, At: start}
	mine, _ := timers(t, c, fox, bot.Kinds{}, start, 9, set)
	for i, step := range []struct {
		release bot.Timer
		want    string // what the owl can claim afterwards
	}{{set, ""}, {bot.Timer{ID: 1, Fence: mine[0].Fence + 1}, ""}, {mine[0], "1"}, {mine[0], ""}} {
		gametest.Must(t, c.Release(t.Context(), step.release))
		if got, _ := timers(t, c, owl, bot.Kinds{}, start, 9, set); timerIDs(got) != step.want {
			t.Errorf("step %d: the owl claims %q, want %q", i, timerIDs(got), step.want)
		}
	}
}

// A living holder has a job until it leaves or dies.
func TestElections(t *testing.T) {
	c := living(t, fox)
	gametest.Must(t, c.Stay(t.Context(), owl, later(60)))
	for i, step := range []struct {
		holder bot.Holder
		at     int
		want   bool
	}{{"nobody who lives", 0, false}, {fox, 0, true}, {fox, 1, true}, {owl, 9, false}, {owl, 10, true}, {fox, 10, false}} {
		if got, err := c.Elect(t.Context(), step.holder, "sweep", later(step.at)); err != nil || got != step.want {
			t.Errorf("step %d: the %s is elected: %t, %v", i, step.holder, got, err)
		}
	}
}

// The living holders are listed by name with what they have claimed.
func TestHoldersAreListed(t *testing.T) {
	c := living(t, owl, fox, "mole")
	posts(t, c, fox, start, 2, 1, 2)
	posts(t, c, "mole", start, 1, 3)
	timers(t, c, owl, bot.Kinds{}, start, 9, bot.Timer{ID: 1, At: start})
	for _, job := range []string{"sweep", "digest"} {
		if ok, err := c.Elect(t.Context(), owl, job, start); err != nil || !ok {
			t.Fatalf("%t, %v", ok, err)
		}
	}
	gametest.Must(t, c.Leave(t.Context(), "mole"))
	want := []bot.Holding{{Holder: fox, Until: later(10), Posts: 2}, {Holder: owl, Until: later(10), Jobs: []string{"digest", "sweep"}, Timers: 1}}
	if got, err := c.Holders(t.Context(), later(9)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the living: %+v, %v; want %+v", got, err, want)
	}
	if got, err := c.Holders(t.Context(), later(10)); err != nil || len(got) > 0 {
		t.Errorf("when all have died: %+v, %v", got, err)
	}
}

// A caller that is being stopped claims and changes nothing any more.
func TestStoppedCallerClaimsNothing(t *testing.T) {
	c := living(t, fox)
	mine, _ := timers(t, c, fox, bot.Kinds{}, start, 9, bot.Timer{ID: 1, At: start})
	if ok, err := c.Elect(t.Context(), fox, "sweep", start); !ok || err != nil {
		t.Fatalf("%t, %v", ok, err)
	}
	before, _ := c.Holders(t.Context(), start)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for name, do := range map[string]func() error{
		"TakePosts": func() error {
			_, _, err := c.TakePosts(ctx, fox, start, 9, func(func(uint64, time.Time, func() (bot.Post, error)) (bool, error)) error {
				return errors.New("posts are looked for")
			})
			return err
		},
		"TakeTimers": func() error {
			_, _, err := c.TakeTimers(ctx, fox, bot.Kinds{}, start, 9, func(func(bot.Timer) bool) error { return errors.New("timers are looked for") })
			return err
		},
		"Release": func() error { return c.Release(ctx, mine...) },
		"Stay":    func() error { return c.Stay(ctx, owl, later(60)) },
		"Leave":   func() error { return c.Leave(ctx, fox) },
		"Elect":   func() error { _, err := c.Elect(ctx, fox, "digest", start); return err },
		"Holders": func() error { _, err := c.Holders(ctx, start); return err },
	} {
		if err := do(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after, _ := c.Holders(t.Context(), start); !reflect.DeepEqual(after, before) {
		t.Errorf("the living are %+v, and were %+v", after, before)
	}
}

// The earlier of two times is returned, and a zero time means none.
func TestEarlier(t *testing.T) {
	var none time.Time
	for _, tt := range []struct{ a, b, want time.Time }{
		{none, none, none}, {start, none, start}, {none, start, start}, {start, later(1), start}, {later(1), start, start},
	} {
		if got := store.Earlier(tt.a, tt.b); !got.Equal(tt.want) {
			t.Errorf("of %v and %v the earlier is %v", tt.a, tt.b, got)
		}
	}
}

// A timer whose removal failed can be claimed as before: at once if nobody had claimed it, else
// when its holder has left, however often it was named.
func TestUnremovedTimerCanBeClaimed(t *testing.T) {
	c := living(t, fox, owl)
	set := []bot.Timer{{ID: 1, At: start}, {ID: 2, At: start}}
	mine, _ := timers(t, c, fox, bot.Kinds{}, start, 9, set[0])
	if err := c.TurnOff([]bot.Timer{mine[0], mine[0], set[1]}, func(map[uint64]bool) error { return errOff }); err != errOff {
		t.Fatal(err)
	}
	if got, next := timers(t, c, owl, bot.Kinds{}, start, 9, set...); timerIDs(got) != "2" || !next.Equal(later(10)) {
		t.Errorf("the owl claims %q, the next at %v", timerIDs(got), next)
	}
	gametest.Must(t, c.Leave(t.Context(), fox))
	if got, _ := timers(t, c, owl, bot.Kinds{}, start, 9, set...); timerIDs(got) != "1" {
		t.Errorf("when the fox has left, the owl claims %q", timerIDs(got))
	}
	if held, err := c.Holders(t.Context(), start); err != nil || len(held) != 1 || held[0].Timers != 2 {
		t.Errorf("the living are %+v, %v", held, err)
	}
}

// TestLifeKeepsMonotonicReading checks that a life of a process's own clock ends by its monotonic
// reading, so that a wall clock that is put back doesn't prolong it.
func TestLifeKeepsMonotonicReading(t *testing.T) {
	var c store.Claims
	now := time.Now()
	gametest.Must(t, c.Stay(t.Context(), fox, now.Add(10*time.Second)))
	gametest.Must(t, c.Stay(t.Context(), owl, now.Add(10*time.Second)))
	posts(t, &c, fox, now, 1, 7)
	if _, next := posts(t, &c, owl, now, 1, 7); !strings.Contains(next.String(), " m=") {
		t.Errorf("the fox's life ends at %v", next)
	}
}
