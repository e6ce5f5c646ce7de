package notify_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

func planTable(t *testing.T) []game.Event {
	return bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEIOEEIOEEIO", "ann:HORNSA?", "bob:FARMQI?", "cat:QIEEEEE"})
}

// Only its owner can see whether a plan exists: two games that differ in nothing else
// look the same to everyone else.
func TestPlansDontLeak(t *testing.T) {
	story := func(plan string) (public []string, told string) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.Run()
			featuretest.Put(t, w.Config.Store, featuretest.Parlour, planTable(t))
			ann, bob, cat, eve := bottest.People["ann"], bottest.People["bob"], bottest.People["cat"], bottest.People["eve"]
			hear := func() {
				synctest.Wait()
				for _, m := range w.Posts.Take() {
					if m.To == nil || m.To.ID != cat.ID {
						public = append(public, featuretest.MessageSaid(m))
					} else {
						told += m.Text.String() + "\n"
					}
				}
			}
			ask := func(who bot.User, lines ...string) {
				for _, line := range lines {
					public = append(public, featuretest.ReplySaid(w.Does(who, line)))
					hear()
				}
			}
			ask(ann, "/play horn 8h")
			if r := w.Does(cat, plan); r.Refused {
				t.Fatal(r.Text)
			}
			hear()
			for _, who := range []bot.User{ann, bob, eve} {
				ask(who, "/plan", "/board", "/board text", "/history", "/unseen", "/games", "/stats", "/top", "/data", "/help plan", "/check re")
				for _, option := range []string{"word", "at", "do"} {
					req := bot.Request{Channel: featuretest.Parlour, User: who, Command: "plan", Args: map[string]string{"word": "re"}}
					public = append(public, fmt.Sprint(w.Host.Complete(t.Context(), req, option)))
				}
			}
			ask(bob, "/pass") // it becomes Cat's turn, and she doesn't move
			for _, who := range []bot.User{ann, bob, eve} {
				ask(who, "/plan", "/board", "/history", "/challenge", "/games")
			}
			if log := w.Log.String(); strings.Contains(log, "RE") || strings.Contains(log, " re ") {
				t.Errorf("the log: %s", log)
			}
		})
		return public, told
	}
	with, told := story("/plan re j8")
	without, nothing := story("/plan")
	if !strings.Contains(told, "RE") || strings.Contains(nothing, "plan") {
		t.Errorf("Cat was told %q with a plan and %q without", told, nothing)
	}
	if len(with) != len(without) {
		t.Fatalf("others hear %d things, and %d where there is no plan", len(with), len(without))
	}
	for i := range with {
		if with[i] != without[i] {
			t.Errorf("others can tell:\n%s\nor\n%s", with[i], without[i])
		}
	}
}

// If the host stops when a plan's turn comes, the next host plays the plan once.
func TestPlanIsPlayedOnceAfterRestart(t *testing.T) {
	db, err := bolt.Open(filepath.Join(t.TempDir(), "tables"), time.Now)
	gametest.Must(t, err)
	defer db.Close()
	w := newWorld(t, func(c *host.Config) { c.Store, c.Notes = db, db.Notes("host") })
	featuretest.Put(t, db, featuretest.Parlour, planTable(t))
	ann, bob := bottest.People["ann"], bottest.People["bob"]
	for _, step := range []struct {
		who  bot.User
		line string
	}{{ann, "/play horn 8h"}, {bottest.People["cat"], "/plan re j8 do:play"}, {bob, "/pass"}} {
		if r := w.Does(step.who, step.line); r.Refused {
			t.Fatalf("%s: %s", step.line, r.Text)
		}
	}
	if n := len(featuretest.StoredRows(t, w.Config.Notes, "plans")); n != 1 {
		t.Fatalf("%d plans are kept", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 3 {
		host := host.New(w.Config)
		all.Go(func() { host.RunTimers(ctx) })
	}
	for deadline := time.Now().Add(3 * time.Minute); len(featuretest.StoredRows(t, w.Config.Notes, "plans")) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the plan was never carried out")
		}
	}
	cancel()
	all.Wait()
	plays := 0
	for _, e := range featuretest.Events(t, db, featuretest.Parlour) {
		if f, ok := e.Fact.(game.Played); ok && f.Seat == 2 {
			plays++
		}
	}
	if s, _ := game.Replay(featuretest.Events(t, db, featuretest.Parlour)); plays != 1 || s.Turn != 0 {
		t.Errorf("Cat played %d times, and it is the turn of seat %d", plays, s.Turn)
	}
}

// A plan for a game that has ended is deleted silently.
func TestPlanEndsWithGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEIO", "ann:HORNSA?", "bob:FARMQI?"}))
		w.Does(bottest.People["ann"], "/play horn 8h")
		w.Does(bottest.People["ann"], "/plan as k9")
		synctest.Wait()
		w.Posts.Take()
		w.Host.Handle(t.Context(), bot.Request{ID: "end", Channel: featuretest.Parlour, User: bottest.People["bob"], Command: "resign", Table: 1})
		synctest.Wait()
		for _, m := range w.Posts.Take() {
			if m.To != nil {
				t.Errorf("to %s: %s", m.To.Name, m.Text)
			}
		}
		if plans := featuretest.StoredRows(t, w.Config.Notes, "plans"); len(plans) > 0 {
			t.Errorf("still kept: %v", plans)
		}
	})
}

// A plan belongs to one seat in one game. It is deleted if its player resigns while others
// play on, or if the same players begin another game before it was checked.
func TestPlanBelongsToSeatAndGame(t *testing.T) {
	ann, bob, cat := bottest.People["ann"], bottest.People["bob"], bottest.People["cat"]
	resigns := func(w *world, who bot.User) {
		w.Host.Handle(w.T.Context(), bot.Request{ID: "resigns " + who.Name, Channel: featuretest.Parlour, User: who, Command: "resign", Table: 1})
	}
	for name, c := range map[string]struct {
		ends func(w *world)
	}{
		"its player resigns": {ends: func(w *world) { resigns(w, cat) }},
		"the game ends": {ends: func(w *world) {
			for range 2 {
				w.Must("bob", "/pass")
				w.Must("cat", "/pass")
				w.Must("ann", "/pass")
			}
			if s, _ := w.Replayed(featuretest.Parlour); s.Phase != game.Over {
				w.T.Fatalf("six passes leave the game in phase %v", s.Phase)
			}
		}},
		"another game": {ends: func(w *world) {
			resigns(w, ann)
			resigns(w, bob)
			w.Must("cat", "/new seats:2")
			w.Must("ann", "/join")
			if s, _ := w.Replayed(featuretest.Parlour); s.Seats[s.Turn].Person.ID != cat.ID {
				w.Must("ann", "/pass")
			}
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			planned(w.World)
			w.Must("cat", "/plan re j8")
			c.ends(w)
			defer w.Run()()
			time.Sleep(time.Hour)
			if plans := featuretest.StoredRows(t, w.Config.Notes, "plans"); len(plans) > 0 {
				t.Errorf("%s: the plans are %v", name, plans)
			}
			for _, m := range w.Posts.Take() {
				if strings.Contains(m.Text.String(), "your plan") {
					t.Errorf("%s: %s is told %s", name, m.To.Name, m.Text)
				}
			}
		})
	}
}

// A plan remembers which letter is the blank, even if the rack also has a tile with that
// letter.
func TestPlanKeepsBlank(t *testing.T) {
	offers := map[string]string{}
	for _, word := range []string{"as", "?as"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.Run()
			planned(w.World)
			w.Must("ann", "/plan "+word+" l8")
			w.Must("bob", "/pass")
			w.Must("cat", "/pass")
			time.Sleep(time.Minute)
			for _, m := range w.Posts.Take() {
				if m.To != nil && len(m.Buttons) == 1 {
					offers[word] = m.Buttons[0].Label.String()
				}
			}
		})
	}
	if offers["as"] != "Play AS for 12" || offers["?as"] != "Play AS for 8" {
		t.Errorf("Ann is offered %q", offers)
	}
}
