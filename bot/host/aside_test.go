package host_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// faulty returns a feature whose timers and follow function may panic.
func faulty(h feature.Registry, due map[string]feature.Due, follow func(bot.ChannelID)) feature.Feature {
	return feature.Feature{Due: due, Follow: func(_ context.Context, ch bot.ChannelID) error {
		if ch != "" {
			follow(ch)
			return nil
		}
		h.Moved("test:broken")
		h.Moved("test:sound")
		return nil
	}}
}

// A timer, a worker and a follow function panic again and again at one table. The other table's run
// on time; the first table's are set aside, retried with growing pauses, and done once the fault is
// fixed. A timer of a kind that this host doesn't know is left to others.
func TestPanicAtOneTableSparesOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // guards the variables below
		broken := true
		var did []string
		var tries []time.Time
		do := func(ctx context.Context, timer bot.Timer) error {
			mu.Lock()
			defer mu.Unlock()
			if timer.Channel == "test:broken" && broken {
				if timer.Kind == "quick" {
					tries = append(tries, time.Now())
				}
				var none []int
				_ = none[timer.Table] // as a damaged row may
			}
			did = append(did, string(timer.Channel)+" "+timer.Kind)
			return nil
		}
		var followed []bot.ChannelID
		w := newWorld(t, func(c *host.Config) {
			list := c.Features
			c.Features = func(h feature.Registry) []feature.Feature {
				return append(list(h), faulty(h, map[string]feature.Due{"quick": {Do: do}, "slow": {Do: do, Workers: 1}}, func(ch bot.ChannelID) {
					mu.Lock()
					defer mu.Unlock()
					if ch == "test:broken" && broken {
						panic("oh")
					}
					followed = append(followed, ch)
				}))
			}
		})
		for _, ch := range []bot.ChannelID{"test:broken", "test:sound"} {
			gametest.Must(t, w.Host.Store.Update(t.Context(), ch, "", func(r *bot.Room) error {
				r.Append = gametest.Log(t, 5)
				for _, kind := range []string{"quick", "slow", "of a newer host"} {
					r.Timers = append(r.Timers, bot.Timer{At: time.Now().Add(time.Second), Kind: kind})
				}
				return nil
			}))
		}
		stop := w.Run()
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if slices.Sort(did); !slices.Equal(did, []string{"test:sound quick", "test:sound slow"}) || len(followed) != 1 {
			t.Errorf("done were %v, followed %v, want the sound table's", did, followed)
		}
		aside := w.Host.FailedTasks()
		if len(aside) != 3 {
			t.Fatalf("set aside are %v, want a timer of each kind and a follow-up", aside)
		}
		for _, s := range aside {
			if s.Channel != "test:broken" || s.What != "follow-up" && s.Table != 1 || !strings.Contains(s.Err.Error(), "panic") || s.Tries < 4 {
				t.Errorf("set aside is %+v", s)
			}
		}
		for i := 2; i < len(tries); i++ {
			if tries[i].Sub(tries[i-1]) < tries[i-1].Sub(tries[i-2]) {
				t.Errorf("the pauses don't grow: %v", tries)
			}
		}
		mu.Lock()
		broken = false
		mu.Unlock()
		time.Sleep(11 * time.Minute)
		synctest.Wait()
		if len(did) != 4 || len(followed) != 2 || len(w.Host.FailedTasks()) > 0 {
			t.Errorf("with the fault gone, done are %v, followed %v, set aside %v", did, followed, w.Host.FailedTasks())
		}
		stop()
		left, _, err := w.Host.Store.DueTimers(t.Context(), time.Now(), 10)
		if err != nil || len(left) != 2 || left[0].Kind != "of a newer host" {
			t.Errorf("left are %+v, %v, want what this host doesn't know", left, err)
		}
	})
}

// olderAndNewer returns two hosts on one store. change makes them differ, by "older" and "newer".
func olderAndNewer(t *testing.T, shared *memory.Store, change func(name string, c *host.Config)) (older, newer *world) {
	make := func(name string) *world {
		return newWorld(t, func(c *host.Config) {
			c.Store, c.Notes, c.Name, c.Life = shared, shared.Notes("host"), name, 0
			change(name, c)
		})
	}
	return make("older"), make("newer")
}

// addFeature adds a feature to a host's.
func addFeature(c *host.Config, f feature.Feature) {
	list := c.Features
	c.Features = func(h feature.Registry) []feature.Feature { return append(list(h), f) }
}

// With an older and a newer host on a store, the newer one immediately gets the timers of a table
// that the older one can't read.
func TestNewerHostGetsUnreadableTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var did []string
		shared := memory.New()
		older, newer := olderAndNewer(t, shared, func(name string, c *host.Config) {
			addFeature(c, feature.Feature{Due: map[string]feature.Due{"look": {Do: func(context.Context, bot.Timer) error {
				if name == "older" {
					return fmt.Errorf("read a table: %w", bot.ErrUnreadable)
				}
				mu.Lock()
				defer mu.Unlock()
				did = append(did, name)
				return nil
			}}}})
		})
		stop := older.Run()
		gametest.Must(t, older.Host.Store.Update(t.Context(), "test:sound", "", func(r *bot.Room) error {
			r.Append, r.Timers = gametest.Log(t, 5), []bot.Timer{{At: time.Now().Add(time.Second), Kind: "look"}}
			return nil
		}))
		older.Host.Rouse("") // as its own commits do
		time.Sleep(time.Minute)
		if aside := older.Host.FailedTasks(); len(aside) != 1 {
			t.Errorf("the older host has set aside %v", aside)
		}
		stopNewer := newer.Run()
		time.Sleep(2 * time.Minute)
		mu.Lock()
		if len(did) != 1 {
			t.Errorf("beside the older host, which lives, the newer one did %v", did)
		}
		mu.Unlock()
		stop()
		stopNewer()
		if left, _, err := shared.DueTimers(t.Context(), time.Now(), 10); err != nil || len(left) > 0 {
			t.Errorf("left are %v, %v", left, err)
		}
	})
}

// With an older and a newer host on a store, the newer one immediately gets the posts of a table
// that the older one can't read, and another table's posts behind them in the channel are delivered
// meanwhile. Without a newer host they are retried, and wait.
func TestNewerHostGetsUnreadablePosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := memory.New()
		older, newer := olderAndNewer(t, shared, func(name string, c *host.Config) {
			if name == "older" {
				c.Store = featuretest.Unreadable{Store: shared, ID: 1}
			}
		})
		newer.Does(bottest.People["ann"], "/new seats:2")
		newer.Does(bottest.People["bob"], "/join")
		newer.Host.Handle(t.Context(), bot.Request{ID: "end", Channel: featuretest.Parlour, User: bottest.People["bob"], Command: "resign", Table: 1})
		stop := older.Run()
		time.Sleep(time.Minute)
		if n := len(older.Posts.Take()); n > 0 {
			t.Errorf("the older host posted %d messages of a table that it can't read", n)
		}
		aside := older.Host.FailedTasks()
		if !slices.ContainsFunc(aside, func(s loops.FailedTask) bool { return s.Table == 1 && strings.HasPrefix(s.What, "post") }) {
			t.Errorf("the older host has set aside %v", aside)
		}
		newer.Does(bottest.People["cat"], "/new seats:2")
		newer.Does(bottest.People["dan"], "/join")
		time.Sleep(2 * time.Minute)
		other := older.Posts.Take()
		if len(other) == 0 || slices.ContainsFunc(other, func(m bot.Message) bool { return m.Table != 2 }) {
			t.Errorf("the older host told %v, want what is of table 2; it says\n%s", other, &older.Log)
		}
		ready, _, err := shared.PendingPosts(t.Context(), "test", time.Now())
		if err != nil || len(ready) == 0 || ready[0].Table != 1 {
			t.Errorf("what may be taken at once is %v, %v, want posts of table 1", ready, err)
		}
		time.Sleep(25 * time.Minute)
		aside = older.Host.FailedTasks()
		if len(aside) == 0 || strings.Count(older.Log.String(), "leaving a post to other hosts") > 20 {
			t.Errorf("alone for long, the older host has set aside %v, and says\n%s", aside, &older.Log)
		}
		stopNewer := newer.Run()
		time.Sleep(time.Second)
		var told []int
		for _, m := range newer.Posts.Take() {
			if m.To == nil {
				told = append(told, m.Number)
			}
		}
		if len(told) == 0 || !slices.IsSorted(told) {
			t.Errorf("beside the older host, which lives, the newer one told of the events up to %v", told)
		}
		time.Sleep(11 * time.Minute)
		if aside := older.Host.FailedTasks(); len(aside) > 0 {
			t.Errorf("with all told, the older host still has %v", aside)
		}
		stop()
		stopNewer()
		if left, _, err := shared.PendingPosts(t.Context(), "test", time.Now()); err != nil || len(left) > 0 {
			t.Errorf("left are %v, %v", left, err)
		}
	})
}

// A host leaves posts of a kind that it doesn't know to a newer one, which gets them soon, whether they
// are about a table or not. Where no host knows the kind, they are dropped after a while, and what
// waited behind them is delivered then.
func TestNewerHostGetsPostsOfUnknownKind(t *testing.T) {
	for _, upgraded := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			shared := memory.New()
			older, newer := olderAndNewer(t, shared, func(name string, c *host.Config) {
				if name == "newer" {
					tell := func(_ context.Context, _ bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
						m.Text = text.Plain("Ding.")
						return m, nil
					}
					addFeature(c, feature.Feature{Posts: map[string]feature.Posting{"bell": {Tell: tell}, "gong": {Tell: tell, Apart: true}}})
				}
			})
			defer older.Run()()
			older.Does(bottest.People["ann"], "/new seats:2")
			time.Sleep(time.Second)
			older.Posts.Take()
			gametest.Must(t, shared.Update(t.Context(), featuretest.Parlour, "", func(r *bot.Room) error {
				r.Posts = []bot.Post{{Kind: "bell", From: 1, To: 1, At: time.Now()}}
				return nil
			}))
			gametest.Must(t, shared.Update(t.Context(), "test:elsewhere", "", func(r *bot.Room) error {
				r.Posts = []bot.Post{{Kind: "gong", At: time.Now()}}
				return nil
			}))
			older.Does(bottest.People["bob"], "/join")
			time.Sleep(5 * time.Minute)
			if upgraded {
				defer newer.Run()()
				time.Sleep(30 * time.Second)
			} else {
				time.Sleep(time.Hour)
			}
			bells, others := 0, 0
			for _, m := range slices.Concat(older.Posts.Take(), newer.Posts.Take()) {
				if m.Text.String() == "Ding." {
					bells++
				} else if m.To == nil {
					others++
				}
			}
			if want := map[bool]int{true: 2}[upgraded]; bells != want || others != 1 {
				t.Errorf("upgraded %v: %d of %d bells, and %d other posts", upgraded, bells, want, others)
			}
			if left, next, err := shared.PendingPosts(t.Context(), "test", time.Now()); err != nil || len(left) > 0 || !next.IsZero() {
				t.Errorf("left are %v until %v, %v", left, next, err)
			}
		})
	}
}
