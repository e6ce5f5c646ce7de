package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A lastingStore says that each post it returns was the last of its queue, and counts how often it
// is asked.
type lastingStore struct {
	bot.Store
	asked *int
}

func (s lastingStore) ClaimPosts(ctx context.Context, h bot.Holder, platform string, without []bot.TableID, now time.Time, limit int) ([]bot.Post, time.Time, error) {
	*s.asked++
	posts, next, err := s.Store.ClaimPosts(ctx, h, platform, without, now, limit)
	for i := range posts {
		posts[i].Last = true
	}
	return posts, next, err
}

// After the last post of a queue the store isn't asked for another, unless one was queued meanwhile,
// which then comes at once.
func TestQueueEndsWithLastPost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		w := newWorld(t, func(c *host.Config) { c.Store = lastingStore{c.Store, &asked} })
		w.Passes("test:a", 0)
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { w.Host.Deliver(ctx, "test", featuretest.SlowPosts{Poster: &w.Posts, Takes: 10 * time.Second}) })
		synctest.Wait()
		pass := func(i int) {
			req := bot.Request{ID: fmt.Sprint("pass ", i), Channel: "test:a", User: bottest.People[[]string{"ann", "bob"}[i%2]], Command: "pass", Args: map[string]string{"sure": "true"}}
			if r := w.Host.Handle(t.Context(), req); r.Refused {
				t.Fatal(r.Text)
			}
			synctest.Wait()
		}
		before := asked
		pass(0)
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if n := asked - before; n != 1 {
			t.Errorf("the store was asked %d times for one post", n)
		}
		pass(1)
		pass(2)
		time.Sleep(21 * time.Second)
		synctest.Wait()
		if n := featuretest.Numbers(w.Posts.Take(), "test:a"); len(n) != 3 {
			t.Errorf("there came %v, want three posts", n)
		}
		stop()
		all.Wait()
	})
}

// TestRetryDuringRefusal calls Retry while a post is being refused, and again during the try that
// follows at once, which begins before the first one's end is counted.
func TestRetryDuringRefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *host.Config) { c.Observer = slowToCount{} })
		w.Passes("test:a", 1)
		tries := 0
		w.Posts.Fail = func(m bot.Message) error {
			if tries++; tries > 2 {
				return nil
			}
			time.Sleep(2 * time.Second)
			w.Host.Retry(t.Context(), func(ch bot.ChannelID) bool { return ch == m.Channel })
			return &bot.PostError{RetryAfter: time.Hour, Err: errors.New("not now")}
		}
		w.Run()
		time.Sleep(time.Minute)
		if got := featuretest.Numbers(w.Posts.Take(), "test:a"); len(got) != 1 {
			t.Errorf("delivered %v after %d tries", got, tries)
		}
		if log := w.Log.String(); strings.Contains(log, "level=ERROR") {
			t.Errorf("the operator reads\n%s", log)
		}
	})
}

// slowToCount takes a second to count an attempt to deliver a post.
type slowToCount struct{ bot.Unobserved }

func (slowToCount) Post(string, bot.Result, time.Duration) { time.Sleep(time.Second) }

func TestQueueKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Passes("test:a", 20)
		w.Passes("test:b", 20)
		w.Passes("other:c", 3)
		w.Run()
		synctest.Wait()
		got := w.Posts.Take()
		for _, ch := range []bot.ChannelID{"test:a", "test:b"} {
			if n := featuretest.Numbers(got, ch); len(n) != 20 || !slices.IsSorted(n) {
				t.Errorf("%s: posts up to events %v", ch, n)
			}
		}
		if n := featuretest.Numbers(got, "other:c"); len(n) > 0 {
			t.Errorf("posts of another platform: %v", n)
		}
	})
}

// TestOutdatedTurnsBecomeLines checks that turns which are over before their posts are delivered get a line
// each, and one board.
func TestOutdatedTurnsBecomeLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Passes("test:a", 6)
		w.Run()
		synctest.Wait()
		got := w.Posts.Take()
		for i, m := range got {
			if board := len(m.Buttons) > 0; board != (i == len(got)-1) || m.Text.Calls() != board {
				t.Errorf("post %d of %d: %s %v", i+1, len(got), m.Text, m.Buttons)
			}
			if !strings.Contains(m.Text.String(), "pass") {
				t.Errorf("post %d doesn't tell of its turn: %s", i+1, m.Text)
			}
		}
		if len(got) != 6 {
			t.Errorf("%d posts", len(got))
		}
	})
}

func TestFailedPostIsPostponed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Passes("test:a", 3)
		start := time.Now()
		var tries []string
		var asked time.Duration
		w.Posts.Fail = func(m bot.Message) error {
			tries = append(tries, fmt.Sprintf("%d at %s", m.Number, time.Since(start)))
			switch len(tries) {
			case 1, 2, 3:
				return errors.New("no route to host")
			case 4:
				asked = 90 * time.Second
				return fmt.Errorf("too fast: %w", &bot.PostError{RetryAfter: asked, Err: errors.New("429")})
			case 6:
				return &bot.PostError{RetryAfter: time.Millisecond, Err: errors.New("429")}
			}
			return nil
		}
		w.Run()
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		want := []string{
			"6 at 0s", "6 at 1s", "6 at 3s", "6 at 7s", // a second, doubling
			"6 at 1m37s",               // as long as the platform requested
			"7 at 1m37s", "7 at 1m38s", // at least the backoff
			"8 at 1m38s",
		}
		if !slices.Equal(tries, want) {
			t.Errorf("tries:\n%s\nwant:\n%s", strings.Join(tries, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestUndeliverablePostIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Passes("test:a", 3)
		first := true
		w.Posts.Fail = func(m bot.Message) error {
			if first {
				first = false
				return &bot.PostError{Permanent: true, Err: errors.New("unknown channel")}
			}
			return nil
		}
		w.Run()
		synctest.Wait()
		if got := featuretest.Numbers(w.Posts.Take(), "test:a"); !slices.Equal(got, []int{7, 8}) {
			t.Errorf("delivered %v, want the later posts", got)
		}
		if log := w.Log.String(); !strings.Contains(log, "post dropped") || !strings.Contains(log, "unknown channel") {
			t.Errorf("the operator isn't told:\n%s", log)
		}
	})
}

func TestSlowQueueDoesntDelayOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Passes("test:stuck", 2)
		w.Passes("test:quick", 5)
		slow := make(chan struct{})
		w.Posts.Fail = func(m bot.Message) error {
			if m.Channel == "test:stuck" {
				<-slow
			}
			return nil
		}
		w.Run()
		synctest.Wait()
		if got := featuretest.Numbers(w.Posts.Take(), "test:quick"); len(got) != 5 {
			t.Errorf("while one queue is stuck the other got %v", got)
		}
		close(slow)
		synctest.Wait()
		if got := featuretest.Numbers(w.Posts.Take(), "test:stuck"); !slices.Equal(got, []int{6, 7}) {
			t.Errorf("then the stuck queue got %v", got)
		}
	})
}

func TestHangingPostIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for i := range 12 { // more than may be under way at once
			w.Passes(bot.ChannelID(fmt.Sprint("test:stuck", i)), 1)
		}
		w.Passes("test:quick", 1)
		hang := hanging{&w.Posts}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { w.Host.Deliver(ctx, "test", hang) })
		defer all.Wait()
		defer cancel()
		time.Sleep(3 * time.Minute)
		if got := featuretest.Numbers(w.Posts.Take(), "test:quick"); len(got) != 1 {
			t.Errorf("the quick queue got %v", got)
		}
	})
}

// hanging never answers for the stuck channels.
type hanging struct{ *featuretest.Poster }

func (h hanging) Post(ctx context.Context, m bot.Message) error {
	if strings.HasPrefix(string(m.Channel), "test:stuck") {
		<-ctx.Done()
		return ctx.Err()
	}
	return h.Poster.Post(ctx, m)
}

// A flaky store fails now and then.
type flaky struct {
	bot.Store
	sent func() error
}

func (f flaky) RemovePost(ctx context.Context, p bot.Post) error {
	if err := f.sent(); err != nil {
		return err
	}
	return f.Store.RemovePost(ctx, p)
}

func TestUnrecordedPostIsNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Passes("test:a", 2)
		failures := 2
		w.Host.Store = flaky{w.Config.Store, func() error {
			if failures--; failures >= 0 {
				return errors.New("disk full")
			}
			return nil
		}}
		w.Run()
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := featuretest.Numbers(w.Posts.Take(), "test:a"); !slices.Equal(n, []int{6, 7}) {
			t.Fatalf("delivered %v", n)
		}
	})
}

// dying is the store of a process that is killed: nothing more is recorded, and its claims aren't
// released.
type dying struct{ bot.Store }

func (dying) RemovePost(ctx context.Context, p bot.Post) error { return errors.New("the power went") }
func (dying) Leave(ctx context.Context, h bot.Holder) error    { return errors.New("the power went") }

// Another process gets the posts of a killed one when its life is over, not earlier.
func TestCrashRepeatsPostWithSameKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Passes("test:a", 2)
		c := w.Config
		c.Store, c.Life = dying{c.Store}, 0
		ctx, kill := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { host.New(c).Deliver(ctx, "test", &w.Posts) })
		synctest.Wait()
		kill()
		all.Wait()
		w.Run()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		first := w.Posts.Take()
		if n := featuretest.Numbers(first, "test:a"); !slices.Equal(n, []int{6}) {
			t.Fatalf("delivered %v while the one that died might live", n)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		got := w.Posts.Take()
		if n := featuretest.Numbers(got, "test:a"); !slices.Equal(n, []int{6, 7}) {
			t.Fatalf("delivered %v after that", n)
		}
		if featuretest.MessageSaid(got[0]) != featuretest.MessageSaid(first[0]) || got[0].Key != first[0].Key || got[0].Key == got[1].Key {
			t.Errorf("the keys are %s, then %s and %s", first[0].Key, got[0].Key, got[1].Key)
		}
		for _, m := range got {
			if len(m.Key) > 25 || strings.Trim(m.Key, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") != "" {
				t.Errorf("the key %q", m.Key)
			}
		}
	})
}

func TestShutdownKeepsUndeliveredPosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Passes("test:a", 2)
		w.Passes("test:stuck", 1)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- w.Host.Deliver(ctx, "test", hanging{&w.Posts}) }()
		synctest.Wait()
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Deliver: %v", err)
		}
		ready, _, err := w.Config.Store.PendingPosts(t.Context(), "test", time.Now())
		if err != nil || len(ready) != 1 || ready[0].Channel != "test:stuck" || ready[0].Tries != 0 {
			t.Errorf("still queued: %+v (%v)", ready, err)
		}
	})
}

// When a host stops, another delivers at once the posts that it had claimed.
func TestShutdownHandsPostsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *host.Config) { c.Life = 0 })
		w.Passes("test:stuck", 1)
		ctx, cancel := context.WithCancel(t.Context())
		var first, second sync.WaitGroup
		first.Go(func() { w.Host.Deliver(ctx, "test", hanging{&w.Posts}) })
		synctest.Wait()
		rest, end := context.WithCancel(t.Context())
		second.Go(func() { host.New(w.Config).Deliver(rest, "test", &w.Posts) })
		synctest.Wait()
		cancel()
		first.Wait()
		time.Sleep(time.Second)
		if got := w.Posts.Take(); len(got) == 0 {
			t.Error("the other host doesn't deliver the post")
		}
		end()
		second.Wait()
	})
}

// A platform doesn't send a post that another process may hold by then. If none has claimed it, it
// is released and retried.
func TestUnclaimedPostIsRetried(t *testing.T) {
	isPostedOnce(t, func() error { return bot.ErrLost })
}

func TestPosterPanicIsFailure(t *testing.T) {
	isPostedOnce(t, func() error { panic("nil map") })
}

// isPostedOnce checks that a post whose first try ends with first is delivered.
func isPostedOnce(t *testing.T, first func() error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Passes("test:a", 1)
		tries := 0
		w.Posts.Fail = func(bot.Message) error {
			if tries++; tries == 1 {
				return first()
			}
			return nil
		}
		w.Run()
		time.Sleep(time.Minute)
		if got := featuretest.Numbers(w.Posts.Take(), "test:a"); len(got) != 1 {
			t.Errorf("delivered %v", got)
		}
	})
}

// TestNoCallToFinishedTurn checks that after an outage people aren't called to turns that they
// have taken.
func TestNoCallToFinishedTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Passes("test:a", 5)
		w.Run()
		synctest.Wait()
		var called []string
		for _, m := range w.Posts.Take() {
			for _, s := range m.Text {
				if s.Notify {
					called = append(called, fmt.Sprint(m.Number, " ", s.Text))
				}
			}
		}
		if !slices.Equal(called, []string{"10 Bob"}) {
			t.Errorf("called: %v, want Bob by the last post alone", called)
		}
	})
}

func TestBrokenTimerDoesntDelayOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for _, ch := range []bot.ChannelID{"test:broken", "test:whole"} {
			featuretest.Put(t, w.Config.Store, ch, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:", "ann:HORN", "bob:FARM"}))
			req := bot.Request{ID: string(ch), Channel: ch, User: bottest.People["ann"], Command: "play", Args: map[string]string{"word": "horn", "at": "8h"}}
			if r := w.Host.Handle(t.Context(), req); r.Refused {
				t.Fatal(r.Text)
			}
		}
		w.Host.Store = breaking{w.Config.Store}
		w.Run()
		time.Sleep(25 * time.Hour)
		synctest.Wait()
		s, err := game.Replay(featuretest.Events(t, w.Config.Store, "test:whole"))
		if err != nil || s.Phase != game.Over {
			t.Errorf("phase %v (%v)", s.Phase, err)
		}
	})
}

type breaking struct{ bot.Store }

func (b breaking) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	if ch == "test:broken" {
		return errors.New("checksum")
	}
	return b.Store.Update(ctx, ch, request, fn)
}

// A platform that asks later gets a post without its picture, but with the size of the picture that
// is drawn on request.
func TestPicturesAreDrawnLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, featuretest.Pictures(t), func(c *host.Config) {
			c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", AsksLater: true}} }
		})
		w.Passes(featuretest.Parlour, 1)
		w.Run()
		synctest.Wait()
		posts := w.Posts.Take()
		if len(posts) != 1 || posts[0].Picture == nil {
			t.Fatalf("posts: %+v", posts)
		}
		m := posts[0]
		drawn, err := w.Host.Picture(t.Context(), bot.Posted{Channel: featuretest.Parlour, Table: m.Table, Number: m.Number}, false)
		gametest.Must(t, err)
		c, err := png.DecodeConfig(bytes.NewReader(drawn.PNG))
		gametest.Must(t, err)
		if m.Picture.PNG != nil || m.Picture.Size != image.Pt(c.Width, c.Height) || m.Picture.Alt.String() != drawn.Alt.String() {
			t.Errorf("the post has %d bytes, %v, %q; what is drawn is %d by %d, %q", len(m.Picture.PNG), m.Picture.Size, m.Picture.Alt, c.Width, c.Height, drawn.Alt)
		}
	})
}

// A robot's move, or a post before one, causes no notification. A post that waits for a person
// does, and so does the end of a game.
func TestRobotMovesDontNotify(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		rings := func(what string, want ...bool) {
			t.Helper()
			time.Sleep(time.Minute)
			var got []bool
			for _, m := range w.Posts.Take() {
				if m.To == nil {
					got = append(got, !m.Quiet)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: it rings %v, want %v", what, got, want)
			}
		}
		deal := func(ch bot.ChannelID, tiles ...string) {
			t.Helper()
			log := bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", append([]string{"bag:EEEEEEEE"}, tiles...))
			featuretest.Put(t, w.Config.Store, ch, log, bot.Post{Channel: ch, To: len(log)})
			w.Host.Rouse("test")
		}
		deal("test:kitchen", "robot:HORNSA?", "ann:FARMQIE")
		rings("a robot goes first", false)
		deal(featuretest.Parlour, "ann:FARMQIE", "robot:HORNSA?", "bob:EEEEEEE")
		rings("Ann goes first", true)
		w.Must("ann", "/pass")
		rings("the robot's turn comes, and then Bob's", false, false)
		w.Must("bob", "/pass")
		rings("Ann's turn comes", true)
		resigns := func(who string) {
			t.Helper()
			req := w.Request(bottest.People[who], "/resign")
			req.Table = 2 // as the confirming button does
			w.Insist(req)
		}
		resigns("ann")
		rings("Ann resigns, and then the robot moves", false, false)
		resigns("bob")
		rings("the game is over", true)
	})
}

// A message that Ann can't get for good is dropped. Only if she accepts no messages are further
// ones withheld until she says something, and she is called in the channel.
func TestRefusedPrivateMessages(t *testing.T) {
	for name, c := range map[string]struct {
		to    string // the person whose messages are refused
		why   bot.PostError
		tries int
		here  bool
	}{
		"she takes none":         {"test:ann", bot.PostError{Closed: true}, 1, true},
		"it was refused":         {"test:ann", bot.PostError{}, 2, false},
		"the channel takes none": {"", bot.PostError{Closed: true}, 2, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			tries, here := 0, false
			w.Posts.Fail = func(m bot.Message) error {
				if featuretest.To(m) == "test:ann" {
					tries++
				}
				if featuretest.To(m) == c.to {
					err := c.why
					err.Permanent, err.Err = true, errors.New("no")
					return &err
				}
				here = here || m.To == nil && m.Kind == "call"
				return nil
			}
			w.Does(bottest.People["ann"], "/settings ping:dm dm:off")
			w.Run()
			for _, ch := range []bot.ChannelID{"test:a", "test:b"} {
				featuretest.Put(t, w.Config.Store, ch, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "bob:HORNSA?", "ann:FARMQI?"}))
				w.InHouse(ch, "", bottest.People["bob"], "/pass")
				time.Sleep(time.Minute)
			}
			if tries != c.tries || here != c.here {
				t.Errorf("%s: messages to her were tried %d times, and the channel calls her: %t", name, tries, here)
			}
			if kept := featuretest.StoredRows(t, w.Config.Notes, "refused"); (len(kept) > 0) != c.here {
				t.Errorf("%s: there is noted %q", name, kept)
			}
		})
	}
}
