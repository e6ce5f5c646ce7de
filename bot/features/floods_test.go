package features_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
)

// A queueWatch counts pieces of heavy work.
type queueWatch struct {
	bot.Unobserved
	began, running, most *atomic.Int64
}

func (q queueWatch) Queue(_, running int) {
	if n := int64(running); n > q.running.Swap(n) {
		q.began.Add(1)
		q.most.Store(max(q.most.Load(), n))
	}
}

// Twenty simultaneous replays of a game with 1,300 exchanges are drawn once, for everybody, while
// another game goes on.
func TestSimultaneousReplaysAreDrawnOnce(t *testing.T) {
	watch := queueWatch{began: &atomic.Int64{}, running: &atomic.Int64{}, most: &atomic.Int64{}}
	w := newWorld(t, pictures(t), func(c *host.Config) { c.Observer, c.PersonShare = watch, .04 })
	log := bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:EEEEEEE", "bob:EEEEEEE"})
	opened := log[0].Fact.(game.Opened)
	opened.Rules.ScorelessTurns = 0
	log[0].Fact = opened
	put(t, w.Config.Store, parlour, log)
	for i := range 1300 {
		req := bot.Request{ID: fmt.Sprint("x", i), Channel: parlour, User: people[[]string{"ann", "bob"}[i%2]], Command: "exchange", Args: map[string]string{"tiles": "E"}}
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatalf("exchange %d: %s", i, r.Text)
		}
	}
	var all sync.WaitGroup
	var files atomic.Int64
	for i := range 20 {
		all.Go(func() {
			req := bot.Request{ID: fmt.Sprint("r", i), Channel: parlour, User: bot.User{ID: bot.PlayerID(fmt.Sprint("test:fan", i)), Name: fmt.Sprint("Fan ", i)}, Command: "replay"}
			if r := w.Host.Handle(t.Context(), req); len(r.Files) == 1 && len(r.Files[0].Data) < 1<<20 {
				files.Add(1)
			}
		})
	}
	all.Go(func() {
		if r := w.Does(people["ann"], "/rack"); r.Refused {
			t.Errorf("meanwhile Ann is told %q", r.Text)
		}
	})
	all.Wait()
	if files.Load() != 20 || watch.began.Load() != 1 {
		t.Errorf("%d of 20 got the replay, and it was drawn %d times", files.Load(), watch.began.Load())
	}
}
