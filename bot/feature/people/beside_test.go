package people_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
)

// If one game runs in a channel and others in its threads, a command goes to the game here
// if its sender plays in it, else to the one in a thread, never to a distant one. A sender
// who plays in two threads is asked which, unless the command fits only one.
func TestCommandPrefersGameHere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.Run()() // records which games run in threads of which channels
		ann, bob, cat, eve := bottest.People["ann"], bottest.People["bob"], bottest.People["cat"], bottest.People["eve"]
		const thread, second, far = bot.ChannelID("test:thread"), bot.ChannelID("test:second"), bot.ChannelID("test:far")
		says := func(ch bot.ChannelID, who bot.User, line string) string {
			t.Helper()
			r := w.On(ch, who, line)
			if r.Refused {
				t.Fatalf("%s: %s", line, r.Text)
			}
			synctest.Wait()
			return r.Text.String()
		}
		open := w.Request(ann, "/new seats:2 thread:true")
		open.Aside = func(context.Context, string) (bot.ChannelID, error) { return thread, nil }
		featuretest.Wants(t, w.Host.Handle(t.Context(), open), false)
		says(thread, bob, "/join")
		says(featuretest.Parlour, bob, "/new seats:2")
		says(featuretest.Parlour, cat, "/join")
		says(far, ann, "/new seats:2")
		says(far, eve, "/join")
		// Make it Bob's turn in the channel and Ann's in the thread.
		for ch, who := range map[bot.ChannelID]bot.User{featuretest.Parlour: cat, thread: bob} {
			if s, _ := w.Replayed(ch); s.Seats[s.Turn].Person.ID == who.ID {
				says(ch, who, "/pass")
			}
		}

		if here, there := says(featuretest.Parlour, ann, "/rack"), says(thread, ann, "/rack"); here != there {
			t.Errorf("Ann, who plays in the thread, is shown %s, and not %s", here, there)
		}
		if here, there := says(featuretest.Parlour, cat, "/rack"), says(thread, bob, "/rack"); here == there {
			t.Errorf("Cat, who plays in the channel, is shown Bob's rack in the thread: %s", here)
		}
		if here, there := says(featuretest.Parlour, bob, "/rack"), says(thread, bob, "/rack"); here == there || !strings.HasPrefix(here, "Your rack") {
			t.Errorf("Bob, who plays both, is shown in the channel %s, and in the thread %s", here, there)
		}
		featuretest.Wants(t, w.Does(eve, "/rack"), true)

		events := func(ch bot.ChannelID) int { return len(featuretest.Events(t, w.Config.Store, ch)) }
		before := events(thread)
		says(featuretest.Parlour, bob, "/pass")
		if s, _ := w.Replayed(featuretest.Parlour); s.Seats[s.Turn].Person.ID != cat.ID || events(thread) != before {
			t.Error("Bob's pass isn't in the game in which he is to move")
		}

		// Ann plays in a second thread, too.
		open = w.Request(ann, "/new seats:2 thread:true")
		open.Aside = func(context.Context, string) (bot.ChannelID, error) { return second, nil }
		featuretest.Wants(t, w.Host.Handle(t.Context(), open), false)
		says(second, eve, "/join")
		which := w.Does(ann, "/rack")
		if len(which.Buttons) != 2 || !strings.HasPrefix(which.Text.String(), "Which of your games do you mean?") {
			t.Errorf("Ann, who plays in two threads, is told %s, with %d buttons", which.Text, len(which.Buttons))
		}
		if s, _ := w.Replayed(second); s.Seats[s.Turn].Person.ID == ann.ID {
			says(second, ann, "/pass")
		}
		resign := func(ch bot.ChannelID, who bot.User) {
			t.Helper()
			sure, ok := bot.Request{ID: "sure " + string(ch), Channel: ch, User: who}.Press(w.On(ch, who, "/resign").Buttons[0].ID)
			if r := w.Host.Handle(t.Context(), sure); !ok || r.Refused {
				t.Fatal(r.Text)
			}
			synctest.Wait()
		}
		resign(second, eve)

		// Once the thread's game is over, commands there go to the channel's game.
		says(thread, ann, "/pass")
		resign(thread, bob)
		featuretest.Wants(t, w.Does(ann, "/rack"), true)
		if said := says(featuretest.Parlour, bob, "/rack"); !strings.HasPrefix(said, "Your rack") {
			t.Errorf("Bob, who has one game there now, is told %s", said)
		}
	})
}
