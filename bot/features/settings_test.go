package features_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
)

// Where the rack isn't always in view it is sent when the turn comes, if its
// owner wants that.
func TestARackComesWithTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.run("turns")
		const channel = bot.ChannelID("turns:parlour")
		put(t, w.config.Store, channel, dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
		does := func(who bot.User, line string) {
			t.Helper()
			req := w.request(who, line)
			req.Channel = channel
			if reply := w.host.Handle(t.Context(), req); reply.Refused {
				t.Fatalf("%s: %s", line, reply.Text)
			}
			synctest.Wait()
		}
		racks := func(want string) {
			t.Helper()
			var got []string
			for _, m := range w.posts.take() {
				if m.To != nil {
					got = append(got, m.To.Name+" "+m.Text.String())
				}
			}
			if strings.Join(got, "; ") != want {
				t.Errorf("sent %q, want %q", got, want)
			}
		}
		ann, bob := people["ann"], people["bob"]
		does(ann, "/settings dm:on")
		does(bob, "/settings dm:on")
		does(ann, "/pass")
		racks("Bob Your rack: F A R M Q I ?")
		does(bob, "/settings dm:off")
		does(bob, "/pass")
		racks("Ann Your rack: H O R N S A ?")
		does(ann, "/pass")
		racks("")
		does(bob, "/settings dm:on")
		does(bob, "/pass")
		does(ann, "/exchange a")
		racks("Ann Your rack: H O R N S A ?; Bob Your rack: F A R M Q I ?")
	})
}
