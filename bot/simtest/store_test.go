package simtest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/simtest"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

const (
	room   = bot.ChannelID("test:room")
	worker = bot.Holder("worker")
	soon   = time.Minute
)

// A question is a call to the store that returns the answer in words.
type question struct {
	name string
	asks func(ctx context.Context, s bot.Store, n bot.Notes) (answer string, err error)
}

func told1[T any](a T, err error) (string, error) { return fmt.Sprint(a), err }
func silent(err error) (string, error)            { return "done", err }

// questions returns the calls of a process's day: a table is opened, the consequences are claimed,
// and something is noted. Each relies on the one before.
func questions() []question {
	var posts []bot.Post
	var timers []bot.Timer
	return []question{
		{"stay", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			return silent(s.Stay(ctx, worker, time.Now().Add(soon)))
		}},
		{"update", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			return silent(s.Update(ctx, room, "one", func(r *bot.Room) error {
				r.Append = []game.Event{{Fact: game.Opened{Seats: 2, Host: gametest.People[0]}}}
				r.Seated = []game.PlayerID{gametest.People[0].ID}
				r.Posts = []bot.Post{{To: 1}, {To: 1, For: gametest.People[0].ID}}
				r.Timers = []bot.Timer{{At: time.Now().Add(-soon), Kind: "a"}, {At: time.Now().Add(-soon), Kind: "b"}}
				return nil
			}))
		}},
		{"table", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			id, events, err := s.Table(ctx, room)
			return fmt.Sprint(id, len(events)), err
		}},
		{"events", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			ch, events, err := s.Events(ctx, 1, 1)
			return fmt.Sprint(ch, len(events)), err
		}},
		{"playing", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			return told1(s.TablesPlayed(ctx, gametest.People[0].ID))
		}},
		{"claim posts", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			claimed, _, err := s.ClaimPosts(ctx, worker, "test", nil, time.Now(), 9)
			posts = append(posts, claimed...)
			return fmt.Sprint(len(claimed)), err
		}},
		{"sent", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			return silent(s.RemovePost(ctx, posts[0]))
		}},
		{"defer", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			return silent(s.Defer(ctx, posts[1], time.Now().Add(soon)))
		}},
		{"claim timers", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			claimed, _, err := s.ClaimTimers(ctx, worker, bot.Kinds{}, time.Now(), 9)
			timers = append(timers, claimed...)
			return fmt.Sprint(len(claimed)), err
		}},
		{"fired", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			return silent(s.RemoveTimers(ctx, timers[0]))
		}},
		{"release", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			return silent(s.Release(ctx, timers[1]))
		}},
		{"elect", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			return told1(s.Elect(ctx, worker, "sweep", time.Now()))
		}},
		{"holders", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			all, err := s.Holders(ctx, time.Now())
			return fmt.Sprint(len(all)), err
		}},
		{"leave", func(ctx context.Context, s bot.Store, _ bot.Notes) (string, error) {
			return silent(s.Leave(ctx, worker))
		}},
		{"put", func(ctx context.Context, _ bot.Store, n bot.Notes) (string, error) {
			return silent(n.Put(ctx, "shelf", "a", []byte("one")))
		}},
		{"get", func(ctx context.Context, _ bot.Store, n bot.Notes) (string, error) {
			return told1(n.Get(ctx, "shelf", "a"))
		}},
		{"change", func(ctx context.Context, _ bot.Store, n bot.Notes) (string, error) {
			return silent(n.Change(ctx, func(r bot.Rows) error { return r.Put("shelf", "b", []byte("two")) }))
		}},
		{"keys", func(ctx context.Context, _ bot.Store, n bot.Notes) (string, error) {
			return told1(n.Keys(ctx, "shelf"))
		}},
		{"scan", func(ctx context.Context, _ bot.Store, n bot.Notes) (string, error) {
			return told1(n.Scan(ctx, "shelf", "", "a", 9))
		}},
	}
}

// A process's calls go over its connection. In the calm they are answered like the store's own,
// after a moment; a process that has ended neither changes nor learns anything.
func TestProcessCallsStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simtest.NewWorld(1)
		w.Calm()
		p, ctx := w.Start(t.Context(), "p", 0)
		truth, direct := memory.New(), memory.New()
		far, near := questions(), questions()
		for i, q := range far {
			want, err := near[i].asks(t.Context(), direct, direct.Notes("p"))
			gametest.Must(t, err)
			before := time.Now()
			got, err := q.asks(ctx, p.Store(truth), p.Notes(truth.Notes("p")))
			if err != nil || got != want {
				t.Errorf("%s: %q, %v over a line, %q without", q.name, got, err, want)
			}
			if time.Since(before) == 0 {
				t.Errorf("%s takes no time, and goes over no line", q.name)
			}
		}
		dead, ctx := w.Start(t.Context(), "dead", 0)
		dead.Kill()
		steps, _ := w.Steps()
		for _, q := range far {
			if _, err := q.asks(ctx, dead.Store(truth), dead.Notes(truth.Notes("p"))); err == nil {
				t.Errorf("%s: a dead process is answered", q.name)
			}
		}
		if n, _ := w.Steps(); n != steps {
			t.Errorf("a dead process made %d steps", n-steps)
		}
	})
}

// Watchers get a hint about others' changes a moment later. If it is lost, they later learn that
// something was lost, and look everywhere.
func TestHintsArriveLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simtest.NewWorld(2)
		p, ctx := w.Start(t.Context(), "p", 0)
		truth := memory.New()
		const rounds = 40
		told := make(chan string, 10*rounds)
		go p.Store(truth).Watch(ctx, func(ch bot.ChannelID) { told <- "room " + string(ch) })
		go p.Notes(truth.Notes("p")).Watch(ctx, func(h bot.Hint) { told <- "note " + h.Text })
		go p.Hints(truth.Notes("p")).Watch(ctx, func(h bot.Hint) { told <- "hint " + h.Text })
		synctest.Wait()
		for i := range rounds {
			gametest.Must(t, truth.Update(t.Context(), room, fmt.Sprint(i), func(r *bot.Room) error {
				r.Timers = []bot.Timer{{At: time.Now(), Kind: "a"}}
				return nil
			}))
			gametest.Must(t, truth.Notes("p").Tell(t.Context(), "news"))
			time.Sleep(time.Second)
		}
		time.Sleep(soon)
		heard := map[string]int{}
		for range len(told) {
			heard[<-told]++
		}
		for what, news := range map[string]string{"room ": string(room), "note ": "news", "hint ": "news"} {
			if there, lost := heard[what+news], heard[what]; there == 0 || lost == 0 || there+lost < rounds {
				t.Errorf("of %d times %snews was heard %d times, and %d times that something was lost", rounds, what, there, lost)
			}
		}
		p.Kill()
		gametest.Must(t, truth.Notes("p").Tell(t.Context(), "late"))
		time.Sleep(soon)
		if len(told) > 0 {
			t.Errorf("a dead process hears %s", <-told)
		}
	})
}

// With hints only, a process without a hint finds nothing except at its start.
func TestHintsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simtest.NewWorld(6)
		w.Calm()
		p, ctx := w.Start(t.Context(), "p", 0)
		truth := memory.New()
		gametest.Must(t, truth.Stay(t.Context(), worker, time.Now().Add(time.Hour)))
		finds := func(request string) int {
			t.Helper()
			gametest.Must(t, truth.Update(t.Context(), room, request, func(r *bot.Room) error {
				r.Posts = []bot.Post{{Kind: "news", At: time.Now()}}
				return nil
			}))
			posts, _, err := p.Store(truth).ClaimPosts(ctx, worker, "test", nil, time.Now(), 9)
			gametest.Must(t, err)
			for _, post := range posts {
				gametest.Must(t, truth.RemovePost(t.Context(), post))
			}
			return len(posts)
		}
		w.HintsOnly = true
		first, second := finds("first"), finds("second")
		w.HintsOnly = false
		if third := finds("third"); first != 1 || second != 0 || third == 0 {
			t.Errorf("it finds %d posts at its start, then %d, and %d where it looks", first, second, third)
		}
	})
}

// A change waits for others of its process in the same room, and for a connection. If it waits in
// vain, it fails as busy.
func TestChangesWaitForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simtest.NewWorld(4)
		w.Calm()
		w.Connections = 1
		p, ctx := w.Start(t.Context(), "p", 0)
		store := p.Store(memory.New())
		unlock := w.Lock(string(room))
		held := make(chan error)
		go func() {
			held <- store.Update(ctx, room, "held", func(*bot.Room) error { return nil })
		}()
		synctest.Wait()
		time.Sleep(time.Second) // it has the only connection
		beside := make(chan error)
		go func() {
			beside <- store.Update(ctx, "test:beside", "beside", func(*bot.Room) error { return nil })
		}()
		if err := <-held; !errors.Is(err, simtest.ErrBusy) {
			t.Errorf("of a room that is held: %v", err)
		}
		unlock()
		if err := <-beside; err != nil {
			t.Errorf("once there is a connection: %v", err)
		}
	})
}
