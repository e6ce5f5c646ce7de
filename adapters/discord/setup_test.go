package discord_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestSetup sets a server up from the reply to a manager's first table, without a typed character.
func TestSetup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.bob.ManagesNothing()
	other := w.guild.Channel("talk")
	if got := w.bob.Gives(w.channel, "new", "seats", "2").Answer(); slices.Contains(got.Labels(), "Set up") {
		t.Errorf("Bob doesn't manage the server, and reads %q", got.Content)
	}
	w.bob.Gives(w.channel, "leave").Answer()
	offer := w.ann.Gives(w.channel, "new", "seats", "2").Answer()
	choices := w.now(w.ann.Presses(offer, "Set up").Answer())
	if !choices.Says(`America/New\_York`) {
		t.Errorf("an American's zone isn't said: %q", choices.Content)
	}
	choices = w.now(w.ann.Chooses(choices, "Only in this channel").Answer())
	if !choices.Says("Games are played only in this channel now.") {
		t.Fatalf("the place: %q", choices.Content)
	}
	if got := w.ann.Chooses(choices, "9:00").Answer(); !got.Says(`A board is posted here each day at 9:00, America/New\_York.`) {
		t.Errorf("the hour: %q", got.Content)
	}
	if got := w.bob.Gives(other, "new", "seats", "2").Answer(); !got.Says("Games can't be played in this channel") {
		t.Errorf("elsewhere: %q", got.Content)
	}
	if got := w.eve.Gives(w.channel, "new", "robots", "beginner").Answer(); slices.Contains(got.Labels(), "Set up") {
		t.Errorf("it is offered again: %q", got.Content)
	}
}

// TestNewServersAreOfferedSetup checks that a server to which the bot was added gets one message with
// the set-up, where the bot may post, however often the gateway reports the server, and that the first
// board of the day is three presses away. Servers that have had the bot for long get none.
func TestNewServersAreOfferedSetup(t *testing.T) {
	t.Parallel()
	newYork, err := time.LoadLocation("America/New_York") // where an American is taken to live
	gametest.Must(t, err)
	const may, mayRead = discordtest.ViewChannel | discordtest.SendMessages | discordtest.AttachFiles, discordtest.ViewChannel
	for _, c := range []struct {
		name    string
		rights  [3]uint64 // in the channels rules, talk and welcome, the last being the system channel
		arrives int       // channel that gets the message, or -1
	}{
		{"the system channel", [3]uint64{may, may, may}, 2},
		{"the first where it may write", [3]uint64{mayRead, may, mayRead}, 1},
		{"nowhere", [3]uint64{mayRead, 0, mayRead}, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.d.Gateway.Greet()
			g := w.d.Guild("new")
			g.HasNoBot()
			var at [3]*discordtest.Channel
			for i, name := range []string{"rules", "talk", "welcome"} {
				at[i] = g.Channel(name)
				at[i].Change(discordtest.Everyone, c.rights[i], ^c.rights[i]&(1<<62-1))
			}
			g.Welcomes(at[2])
			messages := func() (n int) {
				w.settled()
				for _, ch := range at {
					n += len(ch.Posts(0))
				}
				return n
			}
			g.AddBot()
			if c.arrives >= 0 {
				m := at[c.arrives].Posts(1)[0]
				if !m.Says("If you manage this place") || !m.Silent {
					t.Fatalf("the message says %q, silent %v", m.Content, m.Silent)
				}
				choices := w.now(w.ann.Presses(m, "Set up").Answer())
				if got := w.ann.Chooses(choices, "9:00").Answer(); !got.Says("A board is posted here each day at 9:00") {
					t.Errorf("the hour: %q", got.Content)
				}
				now := w.d.Now().In(newYork)
				w.d.Advance(time.Date(now.Year(), now.Month(), now.Day()+1, 9, 1, 0, 0, newYork).Sub(now)) // past the hour
				w.host.Rouse("")
				if board := at[c.arrives].Posts(2)[1]; !board.Says("Daily board") {
					t.Errorf("instead of today's board there is %q", board.Content)
				}
			}
			before := messages()
			w.stop()
			w.startsAnew()
			w.build(discord.Config{}, w.store)
			w.adapter.SetAfter(soon)
			w.start()
			w.d.Gateway.Connected(1, 2, 0)
			g.ComesBack()
			g.RemoveBot()
			w.awaitNote("left", g.ID, true)
			g.AddBot()
			w.ann.Gives(w.channel, "help").Answer() // after all these events
			if got := messages(); got != before || len(w.channel.Posts(0)) > 0 {
				t.Errorf("later there are %d messages, and before %d; and %d in an old server", got, before, len(w.channel.Posts(0)))
			}
		})
	}
}
