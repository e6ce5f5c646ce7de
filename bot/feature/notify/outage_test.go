package notify_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
)

// threeGames seats Ann and Bob in three channels and makes the moves until it is Ann's turn
// in each.
func threeGames(t *testing.T, w *world, options string) (channels []bot.ChannelID) {
	t.Helper()
	for i := range 3 {
		ch := bot.ChannelID(fmt.Sprint("test:", i))
		channels = append(channels, ch)
		w.InHouse(ch, "", bottest.People["ann"], "/new seats:2 "+options)
		w.InHouse(ch, "", bottest.People["bob"], "/join")
		if s, _ := w.Replayed(ch); s.Seats[s.Turn].Person.ID != bottest.People["ann"].ID {
			w.InHouse(ch, "", bottest.People["bob"], "/pass")
		} else {
			w.InHouse(ch, "", bottest.People["ann"], "/pass")
			w.InHouse(ch, "", bottest.People["bob"], "/pass")
		}
	}
	w.Posts.Take()
	return channels
}

// Messages that fall due for a player while no host is up arrive as one digest; with a host
// that is up, as three messages.
func TestOutageBringsOneDigest(t *testing.T) {
	for name, down := range map[string]time.Duration{"up": 0, "down": 3 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				stop := w.Goes()
				time.Sleep(time.Until(time.Date(2000, 1, 2, 23, 0, 0, 0, time.UTC)))
				w.Does(bottest.People["ann"], "/settings ping:dm dm:off quiet:22-8 zone:UTC")
				threeGames(t, w, "pace:3d")
				time.Sleep(time.Until(time.Date(2000, 1, 3, 7, 0, 0, 0, time.UTC)))
				stop()
				if got := featuretest.Private(w.Posts.Take(), "Ann"); len(got) > 0 {
					t.Errorf("in her quiet hours Ann was told %q", got)
				}
				time.Sleep(down)
				stop = w.Goes()
				time.Sleep(3 * time.Hour)
				stop()
				got := featuretest.Private(w.Posts.Take(), "Ann")
				if down == 0 && len(got) != 3 || down > 0 && (len(got) != 1 || !strings.HasPrefix(got[0], "3 games are waiting for you.")) {
					t.Errorf("Ann was told %d times: %q", len(got), got)
				}
			})
		})
	}
}

// Deadlines that passed while no host was up are applied once when a host starts, and the
// next player has their full time.
func TestOutageDeadlinesApplyOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		stop := w.Goes()
		channels := threeGames(t, w, "pace:12h late:pass")
		time.Sleep(time.Hour)
		stop()
		time.Sleep(48 * time.Hour)
		stop = w.Goes()
		up := time.Now()
		time.Sleep(time.Hour)
		stop()
		for _, ch := range channels {
			s, log := w.Replayed(ch)
			late := 0
			for _, e := range log {
				if _, ok := e.Fact.(game.TimedOut); ok {
					late++
				}
			}
			if late != 1 || s.Seats[s.Turn].Person.ID != bottest.People["bob"].ID {
				t.Errorf("%s: %d turns timed out, and it is %s's", ch, late, s.Seats[s.Turn].Person.Name)
			}
			if at, ok := s.Deadline(); !ok || at.Sub(up.Add(12*time.Hour)).Abs() > time.Minute {
				t.Errorf("%s: Bob has time until %v, and the host was up at %v", ch, at, up)
			}
		}
	})
}

// A clock that steps back repeats no message and takes no one's time: a timer falls due
// when the clock shows its time again.
func TestClockStepsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var offset time.Duration
		step := func(d time.Duration) { mu.Lock(); defer mu.Unlock(); offset += d }
		now := func() time.Time { mu.Lock(); defer mu.Unlock(); return time.Now().Add(offset) }
		w := newWorld(t, func(c *host.Config) { c.Now = now })
		stop := w.Goes()
		defer func() { stop() }()
		w.Does(bottest.People["ann"], "/settings ping:dm dm:off")
		channels := threeGames(t, w, "pace:1d late:pass")
		time.Sleep(time.Minute)
		began := now()
		w.Posts.Take()
		// Ann is reminded with six and with two hours left. In between, the clock steps
		// back, so that it shows the first of these times again.
		time.Sleep(19 * time.Hour)
		if got := featuretest.Private(w.Posts.Take(), "Ann"); len(got) != 3 {
			t.Fatalf("with a quarter left Ann was told %q", got)
		}
		step(-4 * time.Hour)
		stop()
		stop = w.Goes() // as on a machine that restarts
		time.Sleep(5 * time.Hour)
		if got := featuretest.Private(w.Posts.Take(), "Ann"); len(got) > 0 {
			t.Errorf("when the clock shows the time again Ann is told once more: %q", got)
		}
		// Ann moves in one game, and the clock steps back to before the move.
		w.InHouse(channels[0], "", bottest.People["ann"], "/pass")
		moved := now()
		step(-30 * time.Minute)
		w.InHouse(channels[0], "", bottest.People["bob"], "/pass")
		s, _ := w.Replayed(channels[0])
		if at, ok := s.Deadline(); !ok || at.Sub(moved.Add(24*time.Hour-30*time.Minute)).Abs() > time.Minute {
			t.Errorf("Ann, who is to move again, has time until %v; Bob moved at %v", at, now())
		}
		w.Posts.Take()
		time.Sleep(time.Until(time.Now().Add(began.Add(23 * time.Hour).Sub(now()))))
		if got := featuretest.Private(w.Posts.Take(), "Ann"); len(got) != 2 {
			t.Errorf("with two hours left Ann was told %q", got)
		}
		for _, ch := range channels[1:] {
			if s, _ := w.Replayed(ch); s.Seats[s.Turn].Person.ID != bottest.People["ann"].ID {
				t.Errorf("%s: Ann has lost her turn an hour too early", ch)
			}
		}
		time.Sleep(2 * time.Hour)
		for _, ch := range channels[1:] {
			if s, _ := w.Replayed(ch); s.Seats[s.Turn].Person.ID != bottest.People["bob"].ID {
				t.Errorf("%s: Ann's time was up an hour ago", ch)
			}
		}
	})
}

// Messages to Ann get through only after her time is up, before Bob claims the game. A call
// to her turn is still useful then; a reminder isn't.
func TestMessagesAfterDeadline(t *testing.T) {
	for name, c := range map[string]struct {
		silent time.Duration // when messages stop getting through
		says   []string
	}{
		"a call":     {0, []string{"Ann, it's your turn."}},
		"a reminder": {time.Hour, nil},
		"neither":    {25 * time.Hour, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			var silent atomic.Bool
			w.Posts.Fail = func(m bot.Message) error {
				if m.To != nil && silent.Load() {
					return errors.New("not just now")
				}
				return nil
			}
			w.Does(bottest.People["ann"], "/settings ping:dm dm:off")
			silent.Store(c.silent == 0)
			began := time.Now()
			stop := w.Goes()
			ch := threeGames(t, w, "pace:1d late:claim")[0]
			time.Sleep(c.silent)
			silent.Store(true)
			w.Posts.Take()
			time.Sleep(time.Until(began.Add(25 * time.Hour)))
			silent.Store(false)
			time.Sleep(24 * time.Hour)
			stop()
			if s, _ := w.Replayed(ch); s.Seats[s.Turn].Person.ID != bottest.People["ann"].ID {
				t.Fatalf("%s: Ann has lost her turn", name)
			}
			got := featuretest.Private(w.Posts.Take(), "Ann")
			if len(got) != 3*len(c.says) || len(got) > 0 && !strings.HasPrefix(got[0], c.says[0]) {
				t.Errorf("%s: Ann was told %q", name, got)
			}
		})
	}
}
