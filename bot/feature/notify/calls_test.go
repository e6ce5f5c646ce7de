package notify_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
)

// planned stores a game with Ann's first play on the board. It is Bob's turn; Cat is next.
func planned(w *featuretest.World) {
	log := bottest.Dealt(w.T, bottest.Small(w.T).Hash(), "classic", "single", []string{"bag:EEIOEEIOEEIO", "ann:HORNSA?", "bob:FARMQI?", "cat:QIEEEEE"})
	featuretest.Put(w.T, w.Config.Store, featuretest.Parlour, log)
	if r := w.Does(bottest.People["ann"], "/play horn 8h"); r.Refused {
		w.T.Fatal(r.Text)
	}
}

// A storage fault, at whichever point, doesn't change how plans are made, shown, changed
// and dropped, and the player to move is nudged once.
func TestPlansAndNudgesAtEachFault(t *testing.T) {
	with := func(w *featuretest.World) {
		planned(w)
		if r := w.Does(bottest.People["cat"], "/plan re j8"); r.Refused {
			w.T.Fatal(r.Text)
		}
	}
	featuretest.LinesAtEachFault(t, planned, bottest.People["cat"], []string{"/plan", "/plan re j8", "/plan re j8 do:play least:2", "/nudge"})
	featuretest.LinesAtEachFault(t, with, bottest.People["cat"], []string{"/plan", "/plan do:drop", "/plan qi 9h"})
	featuretest.LinesAtEachFault(t, with, bottest.People["eve"], []string{"/plan", "/nudge"})
}

// Each wrong plan is rejected with a hint, and the stored plan stays.
func TestInvalidPlansAreRejected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		planned(w.World)
		cat := bottest.People["cat"]
		if r := w.Does(cat, "/plan re j8"); r.Refused {
			t.Fatal(r.Text)
		}
		before := featuretest.StoredRows(t, w.Config.Notes, "plans")
		for line, says := range map[string]string{
			"/plan do:burn":                     "do can't be burn",
			"/plan re j8 least:many":            "I can't read many as a number of points",
			"/plan re j8 least:-3":              "I can't read -3 as a number of points",
			"/plan re j8 least:30":              "RE at J8 now scores 2, and you want at least 30.",
			"/plan farm 9h":                     "9H needs an F on H9, and you have EEEEEIQ",
			"/plan re the-moon":                 "the-moon",
			"/plan " + strings.Repeat("qi", 40): "",
		} {
			if r := w.Does(cat, line); !r.Refused || !strings.Contains(r.Text.String(), says) {
				t.Errorf("%s: refused is %t: %s, want %q", line, r.Refused, r.Text, says)
			}
		}
		if after := featuretest.StoredRows(t, w.Config.Notes, "plans"); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("the plans are %v, and were %v", after, before)
		}
		var offered []string
		for _, c := range w.Host.Complete(t.Context(), bot.Request{Channel: featuretest.Parlour, User: cat, Command: "plan", Args: map[string]string{"least": ""}}, "least") {
			offered = append(offered, c.Value+" is "+c.Label.String())
		}
		if len(offered) != 7 || offered[0] != "20 is 20 points" || offered[6] != "80 is 80 points" {
			t.Errorf("for the least points there are offered %q", offered)
		}
	})
}

// If phonies can't be played, a plan with one is rejected as the play would be.
func TestPlanWithPhonyIsRejected(t *testing.T) {
	for name, tt := range map[string]struct {
		deal []string
		line string
		says string
	}{
		"a phony":        {[]string{"classic", "void"}, "/plan rq j8", "RQ"},
		"a word":         {[]string{"classic", "void"}, "/plan re j8", ""},
		"a phony's risk": {[]string{"classic", "single"}, "/plan rq j8", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			log := bottest.Dealt(t, bottest.Small(t).Hash(), tt.deal[0], tt.deal[1], []string{"bag:EEIOEEIOEEIO", "ann:HORNSA?", "bob:FARMQI?", "cat:QIEEEEE"})
			featuretest.Put(t, w.Config.Store, featuretest.Parlour, log)
			w.Does(bottest.People["ann"], "/play horn 8h")
			r := w.Does(bottest.People["cat"], tt.line)
			if r.Refused != (tt.says != "") || !strings.Contains(r.Text.String(), tt.says) {
				t.Errorf("%s: refused is %t: %s", name, r.Refused, r.Text)
			}
		})
	}
}

// Players can't be nudged before the game begins, and robots can't be nudged at all.
func TestNudgeRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ann := bottest.People["ann"]
		if r := w.Does(ann, "/new seats:2"); r.Refused {
			t.Fatal(r.Text)
		}
		featuretest.Wants(t, w.Does(ann, "/nudge"), true, "The game hasn't started.")
		if r := w.InHouse("test:hall", "", ann, "/new robots:easy"); r.Refused {
			t.Fatal(r.Text)
		}
		if s, _ := w.Replayed("test:hall"); s.Seats[s.Turn].Person.ID == ann.ID {
			w.InHouse("test:hall", "", ann, "/pass")
		}
		featuretest.Wants(t, w.InHouse("test:hall", "", ann, "/nudge"), true, "A robot is thinking.")
	})
}

// toAnn returns the posts that call Ann to her turn: "dm" for a direct message to her,
// "here" for a call in the channel.
func toAnn(all []bot.Message) (calls []string) {
	for _, m := range all {
		switch said := m.Text.String(); {
		case strings.HasPrefix(said, "Bob passes."): // names her, but calls her only if she wants that
		case !strings.Contains(said, "Ann, it's your turn") && !strings.Contains(said, "waiting for you"):
		case m.To == nil:
			calls = append(calls, "here")
		case m.To.ID == bottest.People["ann"].ID:
			calls = append(calls, "dm")
		}
	}
	return calls
}

// Ann wants direct messages but has closed hers. She is called in the channel until her
// next command; then a direct message is tried again.
func TestClosedDMsMeanChannelCalls(t *testing.T) {
	for _, how := range []string{"dm", "digest"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			ann, bob := bottest.People["ann"], bottest.People["bob"]
			var open atomic.Bool // whether she accepts direct messages
			var tries atomic.Int32
			w.Posts.Fail = func(m bot.Message) error {
				if m.To == nil || m.To.ID != ann.ID {
					return nil
				}
				tries.Add(1)
				if !open.Load() {
					return &bot.PostError{Permanent: true, Closed: true, Err: errors.New("she takes none")}
				}
				return nil
			}
			stop := w.Goes()
			defer func() { stop() }()
			w.Does(ann, "/settings ping:"+how+" dm:off zone:UTC")
			w.Does(ann, "/new seats:2")
			w.Does(bob, "/join")
			if s, _ := w.Replayed(featuretest.Parlour); s.Seats[s.Turn].Person.ID == ann.ID {
				w.Does(ann, "/pass")
			}
			// Start at noon, so that a digest is due at the next 8 o'clock.
			time.Sleep(time.Until(time.Date(2000, 1, 3, 12, 0, 0, 0, time.UTC)))
			w.Posts.Take()
			tries.Store(0)
			turn := func(after time.Duration) (calls []string, tried int32) {
				w.Does(bob, "/pass")
				time.Sleep(after)
				return toAnn(w.Posts.Take()), tries.Swap(0)
			}
			calls, tried := turn(24 * time.Hour)
			if len(calls) != 1 || calls[0] != "here" || tried != 1 {
				t.Errorf("%s: the first turn is told %q after %d tries", how, calls, tried)
			}
			open.Store(true) // her move makes the host try a message again
			w.Does(ann, "/pass")
			calls, tried = turn(24 * time.Hour)
			if len(calls) != 1 || calls[0] != "dm" || tried != 1 {
				t.Errorf("%s: when she has said something, her turn is told %q after %d tries", how, calls, tried)
			}
		})
	}
}

// A storage fault, at whichever point while turns come, doesn't change that Ann is called
// once and that Bob's digest comes once.
func TestCallsAtEachFault(t *testing.T) {
	want := featuretest.SameAtEachFault(t, 2, func(t *testing.T, f *featuretest.Fault, at int) (ends string) {
		var told []string
		w := newWorld(t, f.Befalls)
		does := func(who, line string) {
			if r := w.Insist(w.Request(bottest.People[who], line)); r.Refused {
				t.Errorf("%s: %s", line, r.Text)
			}
		}
		does("ann", "/settings ping:dm dm:off")
		does("bob", "/settings ping:digest zone:UTC")
		planned(w.World)
		time.Sleep(8 * time.Hour) // Bob's digest is due
		f.Arm(at)
		stop := w.Goes()
		time.Sleep(5 * time.Minute) // long enough for a lease to expire first
		does("bob", "/pass")
		time.Sleep(5 * time.Minute)
		does("cat", "/pass")
		time.Sleep(5 * time.Minute)
		stop()
		for _, m := range w.Posts.Take() {
			if m.To != nil && !strings.Contains(m.Text.String(), "Your rack") {
				told = append(told, fmt.Sprintf("%s: %s", m.To.Name, m.Text))
			}
		}
		return strings.Join(told, "\n--\n")
	})
	if strings.Count(want, "\n--\n") != 1 || !strings.Contains(want, "Ann: Ann, it's your turn.") || !strings.Contains(want, "Bob: One game is waiting for you.") {
		t.Errorf("where nothing fails there is told\n%s", want)
	}
}

// A storage fault, at whichever point while a plan's turn comes, doesn't change that the
// plan is offered once.
func TestPlansAreOfferedAtEachFault(t *testing.T) {
	want := featuretest.SameAtEachFault(t, 1, func(t *testing.T, f *featuretest.Fault, at int) (ends string) {
		var offers []string
		w := newWorld(t, f.Befalls)
		planned(w.World)
		w.Must("cat", "/plan re j8")
		stop := w.Goes()
		time.Sleep(time.Minute)
		f.Arm(at)
		w.Insist(w.Request(bottest.People["bob"], "/pass"))
		time.Sleep(10 * time.Minute)
		stop()
		for _, m := range w.Posts.Take() {
			if m.To != nil && m.To.ID == bottest.People["cat"].ID && len(m.Buttons) == 1 {
				offers = append(offers, m.Buttons[0].Label.String())
			}
		}
		return fmt.Sprint(offers)
	})
	if want != "[Play RE for 2]" {
		t.Errorf("where nothing fails there is offered %s", want)
	}
}

// Players aren't called to a turn that begins while they are away. A player who comes back
// early is called then, and not again at the planned time.
func TestEarlyReturnCallsOnce(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		away   string
		later  []string // commands, an hour apart
		absent time.Duration
		back   time.Duration
	}{
		"at once":               {"5", []string{"back"}, 0, time.Hour},
		"by a new date":         {"9", []string{"6"}, 5 * day, day},
		"by the last of three":  {"9", []string{"6", "3", "5"}, 4 * day, day},
		"on the day as planned": {"5", nil, 3 * day, day},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
			w.Run()
			called := func(when string, want int) {
				t.Helper()
				if calls := callsOf(w.Posts.Take()); calls != want {
					t.Errorf("%s: %s Bob is called %d times, want %d", name, when, calls, want)
				}
			}
			w.Must("bob", "/away "+c.away)
			time.Sleep(time.Hour)
			w.Must("ann", "/pass")
			time.Sleep(day)
			called("a day after Ann's move", 0)
			for _, date := range c.later {
				w.Must("bob", "/away "+date)
				time.Sleep(time.Hour)
			}
			if c.absent > 0 {
				time.Sleep(c.absent)
				called("while he is away", 0)
			}
			time.Sleep(c.back)
			called("when he is back", 1)
			time.Sleep(5 * day)
			called("later", 0)
		})
	}
}

// callsOf counts the messages that call a player.
func callsOf(ms []bot.Message) (calls int) {
	for _, m := range ms {
		if m.Text.Calls() {
			calls++
		}
	}
	return calls
}

// A digest that falls due while a player is away comes when they are back.
func TestDigestWaitsForReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
		w.Run()
		w.Must("bob", "/settings ping:digest zone:UTC")
		w.Must("ann", "/pass")
		time.Sleep(time.Hour)
		w.Must("bob", "/away 5")
		w.Posts.Take()
		time.Sleep(4 * 24 * time.Hour)
		if got := featuretest.Private(w.Posts.Take(), "Bob"); len(got) > 0 {
			t.Errorf("while he is away Bob is told %q", got)
		}
		time.Sleep(3 * 24 * time.Hour)
		if got := featuretest.Private(w.Posts.Take(), "Bob"); len(got) != 1 {
			t.Errorf("when he is back Bob is told %q", got)
		}
	})
}
