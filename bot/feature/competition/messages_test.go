package competition_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

// crowded runs a host on a platform whose links to boards are as long as Discord's, and returns it
// with many people.
func crowded(t *testing.T, people int) (w *featuretest.World, all []bot.User) {
	w = featuretest.New(t, func(c *host.Config) {
		c.Platforms = func() []bot.Platform {
			return []bot.Platform{{Name: "test", Aside: featuretest.BesideThere, Link: func(context.Context, bot.ChannelID, string) string {
				return "https://discord.com/channels/1234567890123456789/1234567890123456789"
			}}}
		}
	})
	w.Run()
	for n := range people {
		all = append(all, bot.User{ID: bot.PlayerID(fmt.Sprint("test:p", n)), Name: fmt.Sprint("Player ", n+1)})
	}
	return w, all
}

// latest returns the newest version of a message in the parlour that begins with a text.
func latest(t *testing.T, w *featuretest.World, begins string) (m bot.Message) {
	t.Helper()
	time.Sleep(5 * time.Minute)
	synctest.Wait()
	for _, said := range w.Posts.Take() {
		if said.Channel == featuretest.Parlour && strings.HasPrefix(said.Text.String(), begins) {
			m = said
		}
	}
	if m.Key == "" {
		t.Fatalf("no message begins with %q", begins)
	}
	return m
}

// TestSeasonMessageFits checks that a season with many games in play has its message whole: games that
// have no room are counted, and the digest of the pairings is there.
func TestSeasonMessageFits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, people := crowded(t, 15)
		w.Does(people[0], "/league new name:Club season:60 sizes:large")
		for _, u := range people {
			w.Does(u, "/league join")
		}
		w.Does(people[0], "/league start")
		m := latest(t, w, "Club, season 1, until")
		if said := m.Text.String(); m.Text.Size() > bot.MaxText || !strings.Contains(said, "Games being played") || !strings.Contains(said, " more.") || !strings.Contains(said, "Fair pairings: ") {
			t.Errorf("a message of %d characters, with links:\n%s", m.Text.Size(), said)
		}
	})
}

// TestRoundMessageFits checks that a round with many tables has all pairings in its message, without
// links if there is no room for them.
func TestRoundMessageFits(t *testing.T) {
	for entrants, links := range map[int]bool{8: true, 40: false} {
		synctest.Test(t, func(t *testing.T) {
			w, people := crowded(t, entrants)
			w.Does(bottest.People["ann"], "/tournament new name:Cup rounds:2 wait:10m")
			for _, u := range people {
				w.Does(u, "/tournament join")
			}
			for _, do := range []string{"close", "pair", "start"} {
				w.Does(bottest.People["ann"], "/tournament "+do)
			}
			m := latest(t, w, "Cup, round 1 of 2.")
			said := m.Text.String()
			if m.Text.Size() > bot.MaxText || !strings.Contains(said, fmt.Sprintf("\n%d. ", entrants/2)) || !strings.Contains(said, "Sit down by") || strings.Contains(said, "open the board") != links {
				t.Errorf("%d entrants: a message of %d characters, with links:\n%s", entrants, m.Text.Size(), said)
			}
		})
	}
}
