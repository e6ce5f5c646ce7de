package discord_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
)

// TestRevokedPermissionMovesGameToDMs checks that a game continues by direct message while the bot may not post in
// its place: the players to move are called, /board shows the board and says what is missing, a
// manager hears of it once, and the board comes when the permission is back.
func TestRevokedPermissionMovesGameToDMs(t *testing.T) {
	t.Parallel()
	const all = discordtest.ViewChannel | discordtest.SendMessages | discordtest.AttachFiles | discordtest.SendMessagesInThread
	for name, c := range map[string]struct {
		thread     bool
		take, back func(*discordtest.Channel)
		missing    string
		forum      bool
		code       int // Discord's answer to posts in a locked thread
	}{
		"no access":                {false, func(c *discordtest.Channel) { c.Grant(0) }, func(c *discordtest.Channel) { c.Grant(all) }, "View Channels", false, 0},
		"may not post":             {false, func(c *discordtest.Channel) { c.Grant(discordtest.ViewChannel) }, func(c *discordtest.Channel) { c.Grant(all) }, "Send Messages", false, 0},
		"may not post in a thread": {true, func(c *discordtest.Channel) { c.Grant(discordtest.ViewChannel) }, func(c *discordtest.Channel) { c.Grant(all) }, "Send Messages in Threads", false, 0},
		"thread locked":            {true, func(c *discordtest.Channel) { c.Lock(true) }, func(c *discordtest.Channel) { c.Lock(false) }, "Manage Threads", false, 0},
		"forum post locked":        {false, func(c *discordtest.Channel) { c.Lock(true) }, func(c *discordtest.Channel) { c.Lock(false) }, "Manage Threads", true, 0},
		"forum post, code 160005":  {false, nil, nil, "Manage Threads", true, 160005},
		"thread, code 160005":      {true, nil, nil, "Manage Threads", false, 160005},
		"forum post, no access":    {false, func(c *discordtest.Channel) { c.Grant(discordtest.ViewChannel) }, func(c *discordtest.Channel) { c.Grant(all) }, "Send Messages in Threads", true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(w *world) { w.oneBoard = true })
			for _, u := range []*discordtest.User{w.ann, w.bob} {
				u.ManagesNothing()
			}
			w.eve.Gives(w.channel, "reports").Answer() // which makes her a known manager
			if c.forum {
				_, w.channel = w.guild.Forum("games")
			}
			where, calls, direct := w.channel, w.channel, 0
			if c.thread {
				w.ann.Gives(w.channel, "new", "thread", "true", "opponent", w.bob.ID).Answer()
				w.told(w.bob, 1) // invited in private; not if he joins first
				direct = 1
			} else {
				w.ann.Gives(w.channel, "new", "opponent", w.bob.ID).Answer()
			}
			lobby := w.once(w.channel.Posts(1)[0], "the lobby", func(m discordtest.Message) bool { return len(m.Labels()) > 0 })
			w.bob.Presses(lobby, "Join").Answer()
			w.settled()
			if !c.forum {
				calls = w.d.Thread(lobby)
			}
			if c.thread {
				where = calls
			}
			there := calls.Posts(1)
			last := there[len(there)-1]
			mover, next, had, has := w.ann, w.bob, 0, direct
			if slices.Contains(last.Pings, w.bob.ID) {
				mover, next, had, has = w.bob, w.ann, direct, 0
			}
			if c.code != 0 {
				c.take = func(at *discordtest.Channel) {
					w.d.Fail(discordtest.Fault{Request: "POST /channels/" + at.ID + "/messages", Times: -1, Status: 403, Code: c.code})
					at.Lock(true)
				}
				c.back = func(at *discordtest.Channel) { w.d.Pass(); at.Lock(false) }
			}
			c.take(where)
			mover.Gives(where, "pass", "sure", "true").Answer()
			if got := w.told(next, has+1); !got.Says("it's your turn") || !got.Says(c.missing) || len(got.Labels()) == 0 {
				t.Errorf("the next player is told %q", got.Content)
			}
			if got := w.told(w.eve, 1); !got.Says("A game is waiting.") || !got.Says(c.missing) {
				t.Errorf("the manager is told %q", got.Content)
			}
			if got := next.Gives(where, "board").Answer(); got.Says("Coming up") || !got.Says(c.missing) || len(got.Files) == 0 {
				t.Errorf("/board: %q", got.Content)
			}
			next.Gives(next.DM(), "pass", "sure", "true").Answer()
			if got := w.told(mover, had+1); !got.Says("it's your turn") {
				t.Errorf("the player after that is told %q", got.Content)
			}
			w.d.Advance(time.Minute)
			c.back(where)
			if c.forum {
				w.once(last, "the board is posted again, and the old one deleted", func(m discordtest.Message) bool { return m.ID == "" })
			} else if got := calls.Posts(len(there) + 1)[len(there)]; !slices.Equal(got.Pings, []string{mover.ID}) {
				t.Errorf("when it is mended %q rings for %v", got.Content, got.Pings)
			}
			if n := len(w.eve.DM().Posts(1)); n != 1 {
				t.Errorf("the manager was told %d times", n)
			}
		})
	}
}
