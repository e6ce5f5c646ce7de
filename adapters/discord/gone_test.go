package discord_test

import (
	"testing"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/game"
)

// TestDeletedPlaceEndsGame checks that a game whose channel, thread or server is gone ends, since
// nobody could move or resign, and that its players are informed by direct message.
func TestDeletedPlaceEndsGame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		thread bool
		do     func(w *world, where *discordtest.Channel)
	}{
		"channel deleted":       {do: func(w *world, where *discordtest.Channel) { where.Delete() }},
		"thread deleted":        {thread: true, do: func(w *world, where *discordtest.Channel) { where.Delete() }},
		"channel of the thread": {thread: true, do: func(w *world, where *discordtest.Channel) { w.channel.Delete() }},
		"removed":               {do: func(w *world, where *discordtest.Channel) { w.guild.BreaksDown(); w.guild.RemoveBot() }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			where, earlier := w.channel, 0
			if c.thread {
				w.ann.Gives(w.channel, "new", "thread", "true", "opponent", w.bob.ID).Answer()
				w.told(w.bob, 1) // invited in private; not if he joins first
				earlier = 1
				where = w.d.Thread(w.channel.Posts(1)[0])
				where.Posts(1)
				w.bob.Presses(where.Posts(1)[0], "Join").Answer()
				where.Posts(2)
			} else {
				w.ann.Gives(w.channel, "new", "opponent", w.bob.ID).Answer()
				w.bob.Presses(w.channel.Posts(1)[0], "Join").Answer()
				w.channel.Posts(2)
			}
			elsewhere := w.d.Guild("another").Channel("general")
			c.do(w, where)
			for _, u := range []*discordtest.User{w.ann, w.bob} {
				n := 1
				if u == w.bob {
					n += earlier
				}
				if got := w.told(u, n); !got.Says("has ended unfinished: I don't host games in its channel") {
					t.Errorf("told %q", got.Content)
				}
				if got := u.Gives(elsewhere, "games").Answer(); !got.Says("You have no games running") {
					t.Errorf("/games: %q", got.Content)
				}
			}
		})
	}
	// A server with an outage comes back.
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "rack").Answer() // which records the channel's server
	w.guild.BreaksDown()
	if got := w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer(); !got.Says("Your rack") {
		t.Errorf("told %q", got.Content)
	}
}

// TestRefusedPostRevealsDeletedChannel checks that a refused post reveals a deleted channel if no event
// does, as over HTTP.
func TestRefusedPostRevealsDeletedChannel(t *testing.T) {
	w, _, _ := endpointWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.channel.Delete()
	w.ann.Gives(w.ann.DM(), "pass", "sure", "true").Answer()
	for _, u := range []*discordtest.User{w.ann, w.bob} {
		if got := u.DM().Posts(1)[0]; !got.Says("has ended unfinished") {
			t.Errorf("told %q", got.Content)
		}
	}
}

// TestCommandFromAnotherChannel checks that a command for a game works in another channel if it can
// mean only one game.
func TestCommandFromAnotherChannel(t *testing.T) {
	w := newWorld(t)
	w.ann.Gives(w.channel, "new", "thread", "true", "opponent", w.bob.ID).Answer()
	thread := w.d.Thread(w.channel.Posts(1)[0])
	w.bob.Presses(thread.Posts(1)[0], "Join").Answer()
	thread.Posts(2)
	for _, c := range []*discordtest.Channel{w.channel, w.ann.DM()} {
		if got := w.ann.Gives(c, "rack").Answer(); !got.Says("Your rack: ") {
			t.Errorf("/rack in %s: %q", c.Name, got.Content)
		}
	}
	if got := w.eve.Gives(w.channel, "rack").Answer(); !got.Says("No table in this channel") {
		t.Errorf("told %q", got.Content)
	}
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	if got := w.ann.Gives(w.ann.DM(), "resign").Answer(); !got.Says("Which of your games do you mean?") {
		t.Errorf("told %q", got.Content)
	}
}

// TestRefusedDMIsCalledInChannel checks that a player who wants direct messages but doesn't accept any is
// called in the channel at once, also if a card with their rack is refused meanwhile.
func TestRefusedDMIsCalledInChannel(t *testing.T) {
	for name, cards := range map[string]string{"without a card": "off", "with a card": "on"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
			w.bob.CloseDMs(true)
			w.bob.Gives(w.channel, "settings", "ping", "dm", "dm", cards).Answer()
			w.ann.Gives(w.channel, "pass", "sure", "true").Answer()
			call := w.channel.Posts(1)[0]
			if len(call.Pings) == 0 { // posted before the refusal
				call = w.channel.Posts(2)[1]
			}
			if !call.Says("it's your turn") || len(call.Pings) != 1 || call.Pings[0] != w.bob.ID {
				t.Errorf("the call is %q, for %q", call.Content, call.Pings)
			}
			if got := w.bob.Gives(w.channel, "settings").Answer(); !got.Says("My last direct message to you was refused") {
				t.Errorf("/settings: %q", got.Content)
			}
			w.bob.CloseDMs(false)
			w.bob.Gives(w.channel, "pass", "sure", "true").Answer()
			w.ann.Gives(w.channel, "pass", "sure", "true").Answer()
			w.bob.DM().Posts(1)
		})
	}
}

// TestEachTurnCallsOnce checks that a turn calls its player once, not both in the channel and by
// direct message.
func TestEachTurnCallsOnce(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	for n, u := range []*discordtest.User{w.ann, w.bob, w.ann, w.bob} {
		u.Gives(w.channel, "pass", "sure", "true").Answer()
		w.channel.Posts(n + 1) // a turn that is over before its post calls nobody
	}
	pings := 0
	for _, m := range w.channel.Posts(4) {
		pings += len(m.Pings)
	}
	w.stop()
	direct := len(w.ann.DM().Posts(0)) + len(w.bob.DM().Posts(0))
	if pings != 4 || direct != 0 {
		t.Errorf("%d mentions and %d direct messages for 4 turns", pings, direct)
	}
}
