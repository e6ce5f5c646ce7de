package play_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
)

const day = 24 * time.Hour

// TestEndAbandonedGame tries to end a game in which nobody has moved for some days. Bob is to move,
// Ann waits, Eve plays elsewhere.
func TestEndAbandonedGame(t *testing.T) {
	for _, c := range []struct {
		name, set, pace string
		wait            time.Duration
		who             string
		ends            bool
	}{
		{"a stranger", "", "", 27 * day, "eve", false},
		{"the player who waits", "", "", 27 * day, "ann", false},
		{"a manager", "", "", 0, "mod", true},
		{"a manager, where all may", "abandoned:anyone", "", 0, "mod", true},
		{"the player who waits, where players may, too early", "abandoned:players", "", 7*day - time.Hour, "ann", false},
		{"the player who waits, where players may", "abandoned:players", "", 7 * day, "ann", true},
		{"the player to move", "abandoned:anyone", "", 27 * day, "bob", false},
		{"a stranger, where players may", "abandoned:players", "", 27 * day, "eve", false},
		{"a stranger, too early", "abandoned:anyone", "", 14*day - time.Hour, "eve", false},
		{"a stranger, where anyone may", "abandoned:anyone", "", 14 * day, "eve", true},
		{"the player who waits, where anyone may", "abandoned:anyone", "", 7 * day, "ann", true},
		{"a turn that isn't late yet", "abandoned:players", "pace:7d bank:7d", 20 * day, "ann", false},
		{"one that has been late for a week", "abandoned:players", "pace:7d bank:7d", 21 * day, "ann", true},
		{"what the host passes is no move", "abandoned:players", "pace:3d late:pass", 10 * day, "cat", true},
		{"one who is away", "abandoned:players", "away:5", 11 * day, "ann", false},
		{"one who was away", "abandoned:players", "away:5", 12 * day, "ann", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := featuretest.New(t)
				w.Host = host.New(w.Config)
				down := w.Goes()
				defer func() { down() }()
				const home = "test:house"
				do := func(who, line string) bot.Reply {
					t.Helper()
					return w.InHouse(featuretest.Parlour, home, bottest.People[who], line)
				}
				if c.set != "" {
					do("mod", "/settings for:server "+c.set)
				}
				away := strings.HasPrefix(c.pace, "away")
				options := c.pace
				if away {
					options = ""
				}
				do("ann", "/new seats:3 order:random "+options)
				do("bob", "/join")
				do("cat", "/join")
				// Pass until Bob is to move.
				for range 3 {
					s, _ := w.Replayed(featuretest.Parlour)
					if up := s.Seats[s.Turn].Person; up.ID == bottest.People["bob"].ID {
						break
					} else if r := w.InHouse(featuretest.Parlour, home, up, "/pass"); r.Refused {
						t.Fatal(r.Text)
					}
				}
				if away {
					do("bob", "/away 5")
				}
				if c.pace == "" { // no timer is due
					down()
				}
				time.Sleep(c.wait)
				if c.pace == "" {
					w.Host = host.New(w.Config)
					down = w.Goes()
				}
				synctest.Wait()
				r := do(c.who, "/end")
				for _, b := range r.Buttons {
					req, _ := bot.Request{ID: "yes", Channel: featuretest.Parlour, Home: home, User: bottest.People[c.who], Manager: c.who == "mod"}.Press(b.ID)
					r = w.Host.Handle(t.Context(), req)
				}
				s, _ := w.Replayed(featuretest.Parlour)
				if ended := s.End != nil && s.End.By.ID == bottest.People[c.who].ID; ended != c.ends {
					t.Errorf("ended: %t; %s", ended, r.Text)
				}
				if c.ends && s.End != nil && len(s.End.Winners) > 0 {
					t.Errorf("%v win", s.End.Winners)
				}
			})
		})
	}
}

// The button to end an abandoned game does nothing if play has resumed.
func TestResumedGameIsNotEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		w.InHouse(featuretest.Parlour, "test:house", bottest.People["mod"], "/settings for:server abandoned:anyone")
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
		time.Sleep(15 * day)
		asked := w.InHouse(featuretest.Parlour, "test:house", bottest.People["eve"], "/end")
		if len(asked.Buttons) != 1 {
			t.Fatal(asked.Text)
		}
		w.InHouse(featuretest.Parlour, "test:house", bottest.People["ann"], "/pass")
		req, _ := bot.Request{ID: "yes", Channel: featuretest.Parlour, Home: "test:house", User: bottest.People["eve"]}.Press(asked.Buttons[0].ID)
		if r := w.Host.Handle(t.Context(), req); !r.Refused {
			t.Errorf("ended: %s", r.Text)
		}
		if s, _ := w.Replayed(featuretest.Parlour); s.Phase != game.Playing {
			t.Errorf("the game is in phase %v", s.Phase)
		}
	})
}
