package play_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/text"
)

// Managers pin an overview by its button, which stays until that has worked. Where messages can't be
// pinned there is no button.
func TestPinOverview(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var obstacle text.Text
		var failure error
		pinned := 0
		w := featuretest.New(t, threads, func(c *host.Config) {
			at := c.Platforms()
			at[0].Pin = func(_ context.Context, ch bot.ChannelID, standing string) (text.Text, error) {
				if ch != featuretest.Parlour || standing != "games" {
					t.Errorf("asked to pin %q in %s", standing, ch)
				}
				pinned++
				return obstacle, failure
			}
			c.Platforms = func() []bot.Platform { return at }
		})
		horn(w)
		w.Goes()
		asks := func(who, line string) bot.Reply {
			t.Helper()
			req := w.Request(bottest.People[who], line)
			req.Manager = who == "mod"
			r := w.Host.Handle(t.Context(), req)
			time.Sleep(2 * time.Minute)
			synctest.Wait()
			return r
		}
		buttons := func() (n int) {
			n = -1
			for _, m := range w.Posts.Take() {
				if m.Standing == "games" {
					n = len(m.Buttons)
				}
			}
			return n
		}
		refused := func(who, want string) {
			t.Helper()
			if r := asks(who, "/settings for:channel overview:pin"); !r.Refused || featuretest.Plainly(r.Text) != want {
				t.Errorf("%s pins: refused %v, %q, want %q", who, r.Refused, r.Text, want)
			}
		}
		refused("mod", "This channel has no list of games. /settings for:channel overview:on posts it.")
		asks("mod", "/settings for:channel overview:on")
		if n := buttons(); n != 1 {
			t.Fatalf("the overview has %d buttons", n)
		}
		refused("ann", "Only managers of this channel can set that.")
		obstacle = text.Plain("I can't.")
		refused("mod", "I can't.")
		obstacle, failure = nil, errors.New("no answer")
		if r := asks("mod", "/settings for:channel overview:pin"); !r.Refused {
			t.Errorf("without an answer: %s", r.Text)
		}
		if failure = nil; pinned != 2 {
			t.Errorf("%d tries to pin, want 2", pinned)
		}
		if n := buttons(); n != -1 {
			t.Errorf("nothing was pinned, and an overview with %d buttons is posted", n)
		}
		if r := asks("mod", "/settings for:channel overview:pin"); r.Refused || featuretest.Plainly(r.Text) != "The list of games is pinned." {
			t.Errorf("refused %v: %s", r.Refused, r.Text)
		}
		if n := buttons(); n != 0 {
			t.Errorf("the pinned overview has %d buttons", n)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := newOverviews(t)
		w.opens(bottest.People["cat"], "/new seats:2")
		time.Sleep(awhile)
		synctest.Wait()
		for _, m := range w.Posts.Take() {
			if m.Standing == "games" && len(m.Buttons) > 0 {
				t.Errorf("where nothing can be pinned there is %s", m.Buttons[0].Label)
			}
		}
		if r := w.Does(bottest.People["cat"], "/settings for:channel overview:pin"); !r.Refused {
			t.Error(r.Text)
		}
	})
}
