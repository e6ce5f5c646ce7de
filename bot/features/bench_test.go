package features_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// both runs a benchmark without pictures and with them.
func both(b *testing.B, run func(b *testing.B, changes ...func(*host.Config))) {
	quiet := func(c *host.Config) { c.Log = slog.New(slog.DiscardHandler) }
	b.Run("words", func(b *testing.B) { run(b, quiet) })
	b.Run("pictures", func(b *testing.B) { run(b, quiet, pictures(b)) })
}

// BenchmarkHandle measures one command at a table of sixty events, in a store in memory: one that
// changes the table, one that is refused, one that only looks.
func BenchmarkHandle(b *testing.B) {
	g := script(b, benchGame(b), 2, game.Classic())
	n := slices.IndexFunc(g.steps, func(st step) bool { return st.end >= 60 })
	log := g.events[:g.steps[n].end]
	s, err := game.Replay(log)
	if err != nil || s.Phase != game.Playing {
		b.Fatal(err, s.Phase)
	}
	mover, other := s.Seats[s.Turn].Person, s.Seats[1-s.Turn].Person
	for _, c := range []struct {
		name string
		who  bot.User
		req  bot.Request
	}{
		{"pass", mover, bot.Request{Command: "pass", Args: map[string]string{"sure": "true"}}},
		{"refused", other, bot.Request{Command: "play", Args: map[string]string{"word": "horn", "at": "8h"}}},
		{"rack", mover, bot.Request{Command: "rack"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			both(b, func(b *testing.B, changes ...func(*host.Config)) {
				w := newWorld(b, changes...)
				req := c.req
				req.ID, req.Channel, req.User = "r", parlour, c.who
				for b.Loop() {
					w.Host.Store = memory.New()
					put(b, w.Host.Store, parlour, log)
					if w.Host.Handle(b.Context(), req).Refused != (c.name == "refused") {
						b.Fatal("not as expected")
					}
				}
			})
		})
	}
}

// BenchmarkHandleOnDisk measures a command that changes a table of sixty events in a store on disk,
// including decoding the table and waiting for the disk, without pictures.
func BenchmarkHandleOnDisk(b *testing.B) {
	g := script(b, benchGame(b), 2, game.Classic())
	n := slices.IndexFunc(g.steps, func(st step) bool { return st.end >= 60 })
	log := g.events[:g.steps[n].end]
	s, err := game.Replay(log)
	if err != nil || s.Phase != game.Playing {
		b.Fatal(err, s.Phase)
	}
	db, err := bolt.Open(filepath.Join(b.TempDir(), "tables"), time.Now)
	gametest.Must(b, err)
	defer db.Close()
	w := newWorld(b, func(c *host.Config) { c.Store, c.Log = db, slog.New(slog.DiscardHandler) })
	req := bot.Request{Command: "pass", Args: map[string]string{"sure": "true"}, User: s.Seats[s.Turn].Person}
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		req.Channel = bot.ChannelID(fmt.Sprintf("%s-%d", parlour, i))
		req.ID = string(req.Channel)
		put(b, db, req.Channel, log)
		b.StartTimer()
		if r := w.Host.Handle(b.Context(), req); r.Refused {
			b.Fatal(r.Text)
		}
	}
}

// benchGame returns the seed of a random classic game of usual length that never waits for the
// clock.
func benchGame(b *testing.B) uint64 {
	for seed := range uint64(200) {
		g := script(b, seed, 2, game.Classic())
		if len(g.events) >= 62 && !slices.ContainsFunc(g.steps, func(st step) bool { return st.req.Command == "" }) {
			return seed
		}
	}
	b.Fatal("no such game")
	return 0
}

// BenchmarkWholeGame measures a game from the first command to the last post, without store and
// network.
func BenchmarkWholeGame(b *testing.B) {
	g := script(b, benchGame(b), 2, game.Classic())
	both(b, func(b *testing.B, changes ...func(*host.Config)) {
		games, posts := 0, 0
		for b.Loop() {
			r := newReplayer(b, g, changes...)
			ctx, cancel := context.WithCancel(b.Context())
			var all sync.WaitGroup
			all.Go(func() { r.Host.Deliver(ctx, "test", &r.Posts) })
			for _, st := range g.steps {
				r.clock.set(st.at)
				if reply := r.Host.Handle(ctx, r.request(st)); reply.Refused {
					b.Fatal(reply.Text)
				}
			}
			for waiting := true; waiting; runtime.Gosched() {
				ready, _, err := r.Config.Store.PendingPosts(ctx, "test", time.Now())
				gametest.Must(b, err)
				waiting = len(ready) > 0
			}
			cancel()
			all.Wait()
			games, posts = games+1, posts+len(r.Posts.Take())
		}
		b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
		b.ReportMetric(float64(posts)/float64(games), "posts/game")
		b.ReportMetric(float64(len(g.steps)), "commands/game")
	})
}

// BenchmarkPostBacklog measures the backlog of an outage: the posts of a whole game, one after
// another.
func BenchmarkPostBacklog(b *testing.B) {
	g := script(b, benchGame(b), 2, game.Classic())
	var posts []bot.Post
	from := 0
	for _, st := range g.steps {
		posts = append(posts, bot.Post{From: from, To: st.end})
		from = st.end
	}
	both(b, func(b *testing.B, changes ...func(*host.Config)) {
		for b.Loop() {
			w := newWorld(b, changes...)
			put(b, w.Config.Store, parlour, g.events, posts...)
			ctx, cancel := context.WithCancel(b.Context())
			stop := counting{&w.Posts, len(posts), cancel}
			if err := w.Host.Deliver(ctx, "test", &stop); err != nil || len(w.Posts.All()) != len(posts) {
				b.Fatal(fmt.Sprint(len(w.Posts.All()), " posts: ", err))
			}
		}
		b.ReportMetric(float64(len(posts)), "posts")
	})
}

// counting cancels after a number of posts.
type counting struct {
	*featuretest.Poster
	left   int
	cancel func()
}

func (c *counting) Post(ctx context.Context, m bot.Message) error {
	if c.left--; c.left == 0 {
		defer c.cancel()
	}
	return c.Poster.Post(ctx, m)
}
