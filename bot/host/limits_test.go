package host_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
)

var burnAnn, burnBob = bot.User{ID: "test:ann", Name: "Ann"}, bot.User{ID: "test:bob", Name: "Bob"}

// A burner is a feature whose commands take a second each.
type burner struct {
	house feature.Registry
	desk  feature.Desk
	made  atomic.Int64
}

type burnt struct{ of string }

func (b *burner) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "burn", Help: "Compute", Example: "/burn"}, Run: func(context.Context, bot.Request) (bot.Reply, error) {
			time.Sleep(time.Second)
			return bot.Reply{}, nil
		}},
		{Command: bot.Command{Name: "paint", Help: "Compute", Example: "/paint"}, Run: func(ctx context.Context, req bot.Request) (bot.Reply, error) {
			_, err := feature.Heavy(ctx, b.desk, burnt{req.ID}, func(ctx context.Context) (int, error) {
				b.made.Add(1)
				time.Sleep(time.Second)
				return 1, ctx.Err()
			})
			return bot.Reply{}, err
		}},
		{Command: bot.Command{Name: "commission", Help: "Have something computed", Example: "/commission"}, Run: func(ctx context.Context, _ bot.Request) (bot.Reply, error) {
			return bot.Reply{}, b.house.Charge(ctx, time.Second)
		}},
	}
}

// burning returns a world with a burner, in which each person has a share of the host.
func burning(t *testing.T, share float64) (*world, *burner) {
	b := &burner{}
	return newWorld(t, func(c *host.Config) {
		c.PersonShare = share
		c.Features = func(h feature.Registry) []feature.Feature {
			b.house = h
			b.desk, _ = h.Open("burner")
			var all []feature.Feature
			all = append(all, features.All(h)...)
			return append(all, feature.Feature{Commands: b.commands})
		}
	}), b
}

func (w *world) burns(who bot.User, command, id string) bot.Reply {
	return w.Host.Handle(w.T.Context(), bot.Request{ID: id, Channel: bot.ChannelID("test:" + id), User: who, Command: command})
}

// A person who keeps the host busy is asked to wait, and told how long; then they can go on. No one
// else waits.
func TestBusyPersonWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := burning(t, .04)
		n := 0
		var told bot.Reply
		for ; n < 1000 && !told.Refused; n++ {
			told = w.burns(burnAnn, "burn", "own")
		}
		if text := told.Text.String(); n < 5 || n > 900 || !strings.Contains(text, "Try again in ") {
			t.Fatalf("after %d seconds Ann is told %q", n-1, text)
		}
		if r := w.burns(burnBob, "burn", "bob"); r.Refused {
			t.Errorf("Bob is told %q", r.Text)
		}
		if r := w.Does(burnAnn, "/help"); !r.Refused {
			t.Errorf("Ann has used up all, and is told %q", r.Text)
		}
		time.Sleep(2 * time.Minute)
		if r := w.Does(burnAnn, "/help"); r.Refused {
			t.Errorf("after two minutes Ann is told %q", r.Text)
		}
	})
}

// Only heavy work waits for heavy work, including commissioned work. People who have used up their
// share of it play on.
func TestHeavyWorkIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := burning(t, .04)
		for i, command := range []string{"paint", "commission"} {
			var told bot.Reply
			n := 0
			for ; n < 1000 && !told.Refused; n++ {
				told = w.burns(burnAnn, command, strings.Repeat("x", n+1))
			}
			if !strings.Contains(told.Text.String(), "Try again in ") || i > 0 && n > 1 {
				t.Fatalf("after %d times /%s Ann is told %q", n, command, told.Text)
			}
		}
		if r := w.Does(burnAnn, "/new"); r.Refused {
			t.Errorf("Ann can't play any more: %q", r.Text)
		}
	})
}

// What many people request at once is made once, and what nobody waits for isn't made.
func TestHeavyWorkIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, b := burning(t, 0)
		var all sync.WaitGroup
		for _, who := range []bot.User{burnAnn, burnBob, burnAnn, burnBob} {
			all.Go(func() {
				if r := w.burns(who, "paint", "same"); r.Refused {
					t.Errorf("%s is told %q", who.Name, r.Text)
				}
			})
		}
		all.Wait()
		if n := b.made.Load(); n != 1 {
			t.Errorf("it was made %d times", n)
		}
		b.made.Store(0)
		gone, hangUp := context.WithCancel(t.Context())
		for _, id := range []string{"a", "b", "c", "d"} {
			all.Go(func() {
				w.Host.Handle(gone, bot.Request{ID: id, Channel: "test:" + bot.ChannelID(id), User: burnAnn, Command: "paint"})
			})
			synctest.Wait()
		}
		hangUp()
		all.Wait()
		if n := b.made.Load(); n != 1 {
			t.Errorf("%d were made, and Ann hung up during the first", n)
		}
	})
}

// A result is cached for the next request until a person whom it may name is erased. A result being
// made at that moment isn't cached at all.
func TestErasureClearsCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, b := burning(t, 0)
		paint := func(want int64, when string) {
			t.Helper()
			if w.burns(burnBob, "paint", "same"); b.made.Load() != want {
				t.Errorf("%s it was made %d times, want %d", when, b.made.Load(), want)
			}
		}
		forget := func() {
			t.Helper()
			gametest.Must(t, w.Host.Forget(t.Context(), burnAnn))
		}
		paint(1, "at first")
		paint(1, "asked for again")
		forget()
		paint(2, "with Ann forgotten")
		forget()
		var all sync.WaitGroup
		all.Go(func() { w.burns(burnBob, "paint", "same") })
		synctest.Wait()
		forget() // while it is being made
		all.Wait()
		paint(4, "after Ann was forgotten while it was made")
	})
}
