package people_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/game/gametest"
)

// The set-up is offered to one manager of a home, once, by the reply to their first table. The same
// request gets the same offer. A home that plays in several channels already gets none.
func TestSetupIsOfferedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		opens := func(id, who, ch, home string, manages bool) bool {
			t.Helper()
			req := w.Request(bottest.People[who], "/new seats:2")
			req.ID, req.Channel, req.Home, req.Manager = id, bot.ChannelID("test:"+ch), home, manages
			r := w.Host.Handle(t.Context(), req)
			if r.Refused {
				t.Fatal(r.Text)
			}
			for _, b := range r.Buttons {
				if featuretest.Plainly(b.Label) == "Set up" {
					return true
				}
			}
			return false
		}
		for _, c := range []struct {
			id, who, ch, home string
			manages, want     bool
		}{
			{"1", "ann", "one", "test:inn", false, false}, // Ann manages nothing
			{"2", "bob", "two", "", true, false},          // a conversation
			{"3", "cat", "three", "test:house", true, true},
			{"3", "cat", "three", "test:house", true, true}, // the same request
			{"4", "dan", "four", "test:house", true, false},
			{"5", "ann", "five", "test:inn", true, false}, // it has played in another channel
		} {
			if got := opens(c.id, c.who, c.ch, c.home, c.manages); got != c.want {
				t.Errorf("request %s in %q: offered %v, want %v", c.id, c.home, got, c.want)
			}
		}
	})
}

// A daily board needs no typed time zone where the language tells one. It is said.
func TestSetupGuessesZone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		asks := func(ch bot.ChannelID, locale string, args map[string]string) bot.Reply {
			w.IDs++
			return w.Host.Handle(t.Context(), bot.Request{ID: time.Now().String() + locale, Channel: ch, Home: "test:house", User: bottest.People["mod"], Manager: true, Locale: locale, Command: "settings", Args: args})
		}
		r := asks("test:a", "fr-CA", map[string]string{"for": "channel", "show": "setup"})
		if len(r.Menus) != 2 || !strings.Contains(featuretest.Plainly(r.Text), "America/Toronto") {
			t.Fatalf("%d menus: %s", len(r.Menus), r.Text)
		}
		r = asks("test:a", "fr-CA", map[string]string{"for": "channel", "daily": "9:00"})
		if r.Refused || !strings.Contains(featuretest.Plainly(r.Text), "9:00, America/Toronto") {
			t.Errorf("refused %v: %s", r.Refused, r.Text)
		}
		if r = asks("test:a", "de", map[string]string{"for": "channel", "show": "setup"}); !strings.Contains(featuretest.Plainly(r.Text), "America/Toronto") {
			t.Errorf("after the channel has a board, in another language: %s", r.Text)
		}
		if r = asks("test:b", "", map[string]string{"for": "channel", "daily": "9:00"}); !r.Refused {
			t.Errorf("in no known language: %s", r.Text)
		}
		r = asks("test:b", "", map[string]string{"for": "channel", "show": "setup"})
		req, ok := bot.Request{ID: "menu", Channel: "test:b", Home: "test:house", User: bottest.People["mod"], Manager: true}.Choose(r.Menus[1].ID, []string{"21:00"})
		if r = w.Host.Handle(t.Context(), req); !ok || r.Refused || !strings.Contains(featuretest.Plainly(r.Text), "21:00, UTC") {
			t.Errorf("by the menu: refused %v: %s", r.Refused, r.Text)
		}
	})
}

func TestGuessZone(t *testing.T) {
	for locale, want := range map[string]string{
		"de": "Europe/Berlin", "de-AT": "Europe/Vienna", "de-LU": "Europe/Berlin", "pt-BR": "America/Sao_Paulo", "zh-CN": "Asia/Shanghai", "zh-TW": "Asia/Taipei",
		"sv-SE": "Europe/Stockholm", "es_419": "America/Mexico_City", "en-US,en;q=0.5": "America/New_York", "xx": "", "": "",
	} {
		zone := settings.GuessZone(locale)
		if zone != want {
			t.Errorf("%q reads as %q, want %q", locale, zone, want)
		}
		if _, ok := settings.ZoneNamed(zone); zone != "" && !ok {
			t.Errorf("there is no zone %q", zone)
		}
	}
	if got := settings.GuessZone("", "xx", "pl", "de"); got != "Europe/Warsaw" {
		t.Errorf("of several: %q", got)
	}
}

// The set-up is offered in each channel to which the host was added and where it hasn't been used,
// once, however often that is reported. The first table then brings no offer.
func TestSetupIsPostedWhereHostIsAdded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		w.Run()
		joins := func(ch bot.ChannelID, home string) (posts []bot.Message) {
			t.Helper()
			gametest.Must(t, w.Host.Joined(t.Context(), ch, home, "de"))
			synctest.Wait()
			return w.Posts.Take()
		}
		posts := joins("test:one", "test:house")
		if len(posts) != 1 || posts[0].Channel != "test:one" || !posts[0].Quiet || !strings.Contains(featuretest.Plainly(posts[0].Text), "If you manage this place") || len(posts[0].Buttons) != 1 {
			t.Fatalf("the first channel gets %+v", posts)
		}
		if locale, err := w.Config.Notes.Get(t.Context(), "homes", "test:one"); err != nil || string(locale) != "test:house\nde" {
			t.Errorf("the channel is known as %q: %v", locale, err)
		}
		for what, ch := range map[string]bot.ChannelID{"again": "test:one", "to a conversation": "test:talk"} {
			home := map[string]string{"test:one": "test:house"}[string(ch)]
			if posts := joins(ch, home); len(posts) != 0 {
				t.Errorf("added %s: %+v", what, posts)
			}
		}
		if posts := joins("test:two", "test:house"); len(posts) != 1 {
			t.Errorf("the second channel gets %+v", posts)
		}
		req := w.Request(bottest.People["mod"], "/new seats:2")
		req.Channel, req.Home, req.Manager = "test:three", "test:house", true
		for _, b := range w.Host.Handle(t.Context(), req).Buttons {
			if featuretest.Plainly(b.Label) == "Set up" {
				t.Error("the first table brings the offer again")
			}
		}
		synctest.Wait()
		w.Posts.Take()
		if posts := joins("test:three", "test:house"); len(posts) != 0 {
			t.Errorf("where a table is open: %+v", posts)
		}
		// A host that stopped on the way finishes at the next call.
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "set up", "test:club", []byte(`{"v":1,"channel":"test:four"}`)))
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "homes", "test:four", []byte("test:club")))
		if posts := joins("test:four", "test:club"); len(posts) != 1 {
			t.Errorf("after an interruption: %+v", posts)
		}
		if posts := joins("test:four", "test:club"); len(posts) != 0 {
			t.Errorf("and then: %+v", posts)
		}
	})
}
