package discord_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
)

// TestVisitGameShowsEachMove plays a game where the bot isn't a member and a user has brought it along,
// with the tokens of the players' interactions: everybody sees each move.
func TestVisitGameShowsEachMove(t *testing.T) {
	t.Parallel()
	for name, where := range map[string]func(w *world) *discordtest.Channel{
		"group": func(w *world) *discordtest.Channel { return w.d.Group() },
		"server without the bot": func(w *world) *discordtest.Channel {
			g := w.d.Guild("another")
			g.HasNoBot()
			return g.Channel("general")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := where(w)
			if got := w.ann.Gives(c, "new", "opponent", w.bob.ID).Answer(); !got.Says("Your table is open") || !got.Private() {
				t.Errorf("told %q", got.Content)
			}
			open := c.Posts(1)[0]
			if got := w.eve.Presses(open, "Join").Answer(); !got.Says("reserved for the people who were invited") {
				t.Errorf("Eve is told %q", got.Content)
			}
			w.bob.Presses(open, "Join").Answer()
			dealt := c.Posts(2)[1]
			first, second := w.ann, w.bob
			if len(dealt.Pings) != 1 {
				t.Fatalf("%q calls %v", dealt.Content, dealt.Pings)
			}
			if dealt.Pings[0] == w.bob.ID {
				first, second = second, first
			}
			if got := first.Presses(dealt, "My rack").Answer(); !got.Says("Your rack: ") || !got.Private() {
				t.Errorf("told %q", got.Content)
			}
			first.Gives(c, "pass", "sure", "true").Answer()
			passed := c.Posts(3)[2]
			if !passed.Says("passes") || len(passed.Files) != 1 || len(passed.Pings) != 1 || passed.Pings[0] != second.ID {
				t.Errorf("posted %q", passed.Content)
			}
			w.folded(dealt)
			second.Gives(c, "pass", "sure", "true").Answer()
			c.Posts(4)
			if got := w.ann.Gives(c, "board", "as", "picture").Answer(); len(got.Files) != 1 {
				t.Errorf("/board: %q", got.Content)
			}
			w.adapter.Tidied()
			if n := len(w.d.Requests("POST /channels/" + c.ID)); n != 0 {
				t.Errorf("%d messages were tried that are not the bot's to send", n)
			}
			// Without a valid token, a post waits.
			w.d.Advance(20 * time.Minute)
			m := w.message("late")
			m.Channel = bot.ChannelID("discord:" + c.ID)
			if got := outcome(w.adapter.Post(t.Context(), m)); got != "again after 5m0s" {
				t.Errorf("a post that nobody brought about: %s", got)
			}
			first.Gives(c, "pass", "sure", "true").Answer()
			c.Posts(5)
		})
	}
}

// TestVisitKeepsOneBoard checks that a game where the bot isn't a member has one board while the
// tokens of its posts live: each post replaces the one before. Later ones stay, folded or
// with outdated buttons.
func TestVisitKeepsOneBoard(t *testing.T) {
	w := newWorld(t, func(w *world) { w.oneBoard = true })
	c := w.d.Group()
	w.ann.Gives(c, "new", "opponent", w.bob.ID).Answer()
	w.bob.Presses(c.Posts(1)[0], "Join").Answer()
	left := func() []discordtest.Message { w.settled(); w.adapter.Tidied(); return c.Posts(1) }
	mover := func() *discordtest.User {
		all := left()
		if p := all[len(all)-1].Pings; len(p) == 1 && p[0] == w.bob.ID {
			return w.bob
		}
		return w.ann
	}
	for range 3 { // and a fourth ends the game
		mover().Gives(c, "pass", "sure", "true").Answer()
	}
	if all := left(); len(all) > 2 || len(all[len(all)-1].Files) != 1 {
		t.Errorf("%d messages are left", len(all))
	}
	before := left()
	w.d.Advance(time.Hour)
	mover().Gives(c, "pass", "sure", "true").Answer()
	mover().Gives(c, "pass", "sure", "true").Answer()
	if all := left(); len(all) != len(before)+1 {
		t.Errorf("%d messages are left an hour later, want %d", len(all), len(before)+1)
	}
}

// TestNoGameWherePostsAreHidden checks that no game can be opened in a server that shows the messages of
// brought apps only to their users.
func TestNoGameWherePostsAreHidden(t *testing.T) {
	w := newWorld(t)
	w.guild.RemoveBot()
	w.ann.MayNotBringApps()
	if got := w.ann.Gives(w.channel, "new").Answer(); !got.Says("grant Use External Apps") || !got.Private() {
		t.Errorf("told %q", got.Content)
	}
	if got := w.ann.Gives(w.channel, "check", "words", "horn").Answer(); !got.Says("HORN") {
		t.Errorf("told %q", got.Content)
	}
}
