package play_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

// Forty people open twenty tables in one channel within a minute, each with an invitation. Each
// guest gets a private message, and /join seats them at the right table. People without an
// invitation get a free seat, or open their own table if there is none.
func TestInvitedToTablesBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, func(c *host.Config) {
			aside := func(_ context.Context, _ bot.ChannelID, key, _ string, _ []bot.PlayerID) (bot.ChannelID, error) {
				return bot.ChannelID("test:" + strings.NewReplacer(" ", "-", ":", "-").Replace(key)), nil
			}
			c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Aside: aside}} }
		})
		w.Run()
		person := func(n int) bot.User {
			return bot.User{ID: bot.PlayerID(fmt.Sprintf("test:p%02d", n)), Name: fmt.Sprintf("P%02d", n)}
		}
		asks := func(who bot.User, line string, with ...bot.User) bot.Reply {
			req := w.Request(who, line)
			req.People = with
			return w.Host.Handle(t.Context(), req)
		}
		for n := range 20 {
			featuretest.Wants(t, asks(person(n), "/new", person(20+n)), false, "Your table is open")
			time.Sleep(2 * time.Second)
		}
		synctest.Wait()
		told := map[string]string{}
		for _, m := range w.Posts.Take() {
			if m.To != nil && m.Kind == "invitation" {
				told[m.To.Name] += featuretest.Shown(m.Text)
			}
		}
		for n := 21; n < 40; n++ { // the first table is the channel's, which mentions its guest itself
			if want := person(n-20).Name + " invites you to a game."; told[person(n).Name] != want {
				t.Errorf("%s is told %q, want %q", person(n).Name, told[person(n).Name], want)
			}
		}
		// A stranger can't sit down anywhere, so their table opens beside the others, and the next
		// stranger joins it.
		alone, other := person(40), person(41)
		featuretest.Wants(t, asks(alone, "/new"), false, "yours has a place of its own")
		time.Sleep(2 * time.Second)
		featuretest.Wants(t, asks(other, "/join"), false, "")
		for n := range 20 {
			featuretest.Wants(t, asks(person(20+n), "/join"), false, "Your rack")
		}
		synctest.Wait()
		for n := range 20 {
			games, err := w.Host.Games(t.Context(), person(20+n).ID)
			if err != nil || len(games) != 1 || !strings.Contains(fmt.Sprint(games[0]), person(n).Name) {
				t.Errorf("%s plays in %+v, %v", person(20+n).Name, games, err)
			}
		}
	})
}
