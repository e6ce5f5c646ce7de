package host_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

// A witness records the kinds of figures that it gets, each once.
type witness struct {
	bot.Unobserved
	mu   sync.Mutex
	told []string
}

func (w *witness) note(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.told, what) {
		w.told = append(w.told, what)
	}
}

func (w *witness) Command(name string, r bot.Result, _ time.Duration) {
	w.note("command " + name + " " + string(r))
}

func (w *witness) Post(platform string, r bot.Result, _ time.Duration) {
	w.note("post " + platform + " " + string(r))
}

func (w *witness) Timer(kind string, r bot.Result, _ time.Duration) {
	w.note("timer " + kind + " " + string(r))
}

func (w *witness) Thought(level string, _ time.Duration) { w.note("thought " + level) }
func (w *witness) Drew(time.Duration)                    { w.note("drew") }

// A fullStore rejects changes while it is full.
type fullStore struct {
	bot.Store
	full bool
}

func (s *fullStore) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	if s.full {
		return errors.New("no space left on device")
	}
	return s.Store.Update(ctx, ch, request, fn)
}

// TestMetricsAndReferences checks that the operator's figures have what was done and with which result, and
// that a person whose request failed gets the reference under which it is logged.
func TestMetricsAndReferences(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen witness
		var store fullStore
		w := newWorld(t, featuretest.Pictures(t), func(c *host.Config) {
			store.Store = c.Store
			c.Store, c.Observer, c.Thinkers = &store, &seen, 1
		})
		tries := 0
		w.Posts.Fail = func(bot.Message) error {
			if tries++; tries == 1 {
				return errors.New("the platform is away")
			}
			return nil
		}
		w.Run()
		w.Does(bottest.People["ann"], "/new robots:beginner")
		w.Does(bottest.People["bob"], "/play horn 8h")
		time.Sleep(time.Hour)
		synctest.Wait()
		store.full = true
		req := w.Request(bottest.People["ann"], "/pass")
		reply := w.Host.Handle(t.Context(), req)
		if text := reply.Text.String(); !strings.Contains(text, req.Reference()) || !strings.Contains(w.Log.String(), "request="+req.Reference()) {
			t.Errorf("told %s, and the log has\n%s", text, w.Log.String())
		}
		w.Host.Handle(t.Context(), bot.Request{ID: "x", Channel: featuretest.Parlour, User: bottest.People["ann"], Command: "rm -rf"})
		seen.mu.Lock()
		defer seen.mu.Unlock()
		for _, want := range []string{
			"command new done", "command play refused", "command pass failed", "command unknown refused",
			"post test later", "post test done", "timer robot done", "thought beginner", "drew",
		} {
			if !slices.Contains(seen.told, want) {
				t.Errorf("it was not told %q, but %q", want, seen.told)
			}
		}
	})
}
