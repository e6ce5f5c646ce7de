package people_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
)

// A player who refused a direct message is called in the channel, and /settings says so. A
// changed setting, any command of theirs, or a few days reset this.
func TestDMRefusalIsReset(t *testing.T) {
	ann, bob := bottest.People["ann"], bottest.People["bob"]
	for _, c := range []struct {
		name  string
		after func(*world)
		sent  string // recipient of a direct message at the next turn
	}{
		{"nothing said", func(*world) {}, ""},
		{"a setting", func(w *world) { w.Does(bob, "/settings dm:on") }, "Bob"},
		{"a look at the settings, which say so", func(w *world) {
			const says = "My last direct message to you was refused"
			if got := w.Does(bob, "/settings").Text.String(); !strings.Contains(got, says) {
				t.Errorf("the settings say %s", got)
			}
			if got := w.Does(bob, "/settings").Text.String(); strings.Contains(got, says) {
				t.Errorf("the settings say it twice: %s", got)
			}
		}, "Bob"},
		{"any word", func(w *world) { w.Does(bob, "/rack") }, "Bob"},
		{"two days", func(*world) { time.Sleep(2 * 24 * time.Hour) }, ""},
		{"three days", func(*world) { time.Sleep(3 * 24 * time.Hour) }, "Bob"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				closed := true
				w.Posts.Fail = func(m bot.Message) error {
					if closed && m.To != nil && m.To.ID == bob.ID {
						return &bot.PostError{Permanent: true, Closed: true, Err: errors.New("takes none")}
					}
					return nil
				}
				w.Run()
				for _, ch := range []bot.ChannelID{featuretest.Parlour, "test:den"} {
					featuretest.Put(t, w.Config.Store, ch, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
				}
				// turn makes it Bob's turn without a command from him.
				turn := func(ch bot.ChannelID) (sent string, called bool) {
					t.Helper()
					w.Posts.Take()
					pass := w.Request(ann, "/pass")
					pass.Channel = ch
					if r := w.Host.Handle(t.Context(), pass); r.Refused {
						t.Fatal(r.Text)
					}
					synctest.Wait()
					for _, m := range w.Posts.Take() {
						if m.To != nil {
							sent += m.To.Name
						}
						called = called || m.To == nil && strings.Contains(featuretest.Shown(m.Text), "@Bob")
					}
					return sent, called
				}
				w.Does(bob, "/settings ping:dm dm:on")
				if sent, called := turn(featuretest.Parlour); sent != "" || !called {
					t.Errorf("refused: sent to %q, called in the channel: %v", sent, called)
				}
				closed = false
				c.after(w)
				if sent, called := turn("test:den"); sent != c.sent || called != (c.sent == "") {
					t.Errorf("then: sent to %q, want %q; called in the channel: %v", sent, c.sent, called)
				}
			})
		})
	}
}

// A server's settings for new tables never make a variant fail over an option that wasn't
// typed.
func TestDefaultsFitEveryVariant(t *testing.T) {
	var variants []string
	for _, v := range game.Variants() {
		variants = append(variants, v.Name)
	}
	if len(variants) < 7 {
		t.Fatalf("only %d variants", len(variants))
	}
	for _, set := range []string{"rules:club", "rules:rulebook", "rules:family", "rules:match", "challenge:void", "challenge:triple", "pace:3d", "pace:3d bank:1d weekend:free late:pass", "lexicon:small"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			mod := w.Request(bottest.People["ann"], "/settings for:server "+set)
			mod.Manager, mod.Home = true, "home"
			if reply := w.Host.Handle(t.Context(), mod); reply.Refused {
				t.Fatalf("%s: %s", set, reply.Text)
			}
			for _, name := range variants {
				for _, alone := range []string{"", " seats:2"} {
					open := w.Request(bottest.People["ann"], "/new variant:"+name+alone)
					open.Home = "home"
					open.Channel += bot.ChannelID("-" + name + strings.TrimSpace(alone))
					usual := open
					usual.Home = "nowhere"
					usual.Channel += "-usual"
					if reply := w.Host.Handle(t.Context(), open); reply.Refused && !w.Host.Handle(t.Context(), usual).Refused {
						t.Errorf("with %s set, /new variant:%s%s: %s", set, name, alone, reply.Text)
					}
				}
			}
		})
	}
}

// The most used settings have menus, and every menu has choices.
func TestSettingsHaveMenus(t *testing.T) {
	r := newWorld(t).Does(bottest.People["ann"], "/settings")
	called := false
	for _, m := range r.Menus {
		called = called || m.Label.String() == "How you are called to your turn"
		if len(m.Choices) == 0 {
			t.Errorf("the menu %s has nothing to choose", m.Label)
		}
	}
	if !called {
		t.Errorf("how one is called is in none of the %d menus", len(r.Menus))
	}
}
