package play_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// person returns one of many people.
func person(n int) bot.User {
	return bot.User{ID: bot.PlayerID(fmt.Sprintf("test:p%02d", n)), Name: fmt.Sprintf("P%02d", n)}
}

// crowded returns a host on a platform that opens places beside channels, and a function that
// carries out a person's line that names others.
func crowded(t testing.TB) (*featuretest.World, func(who bot.User, line string, with ...bot.User) bot.Reply) {
	w := featuretest.New(t, func(c *host.Config) {
		aside := func(_ context.Context, _ bot.ChannelID, key, _ string, _ []bot.PlayerID) (bot.ChannelID, error) {
			return bot.ChannelID("test:" + strings.NewReplacer(" ", "-", ":", "-").Replace(key)), nil
		}
		c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Aside: aside}} }
	})
	return w, func(who bot.User, line string, with ...bot.User) bot.Reply {
		req := w.Request(who, line)
		req.People = with
		return w.Host.Handle(t.Context(), req)
	}
}

// BenchmarkInvitations measures how long the guests of twenty tables in one channel, opened at
// once, wait for their messages, and how long /join takes, at worst.
func BenchmarkInvitations(b *testing.B) {
	var told, joined time.Duration
	for b.Loop() {
		w, asks := crowded(b)
		w.Run()
		opened := map[bot.PlayerID]time.Time{}
		for n := range 20 {
			opened[person(20+n).ID] = time.Now()
			asks(person(n), "/new", person(20+n))
		}
		for len(opened) > 1 { // the channel's own table mentions its guest
			for _, m := range w.Posts.Take() {
				if m.To != nil && m.Kind == "invitation" {
					told = max(told, time.Since(opened[m.To.ID]))
					delete(opened, m.To.ID)
				}
			}
			runtime.Gosched()
		}
		for n := range 20 {
			start := time.Now()
			asks(person(20+n), "/join")
			joined = max(joined, time.Since(start))
		}
	}
	b.ReportMetric(float64(told)/1e6, "ms/told")
	b.ReportMetric(float64(joined)/1e6, "ms/join")
}

// Forty people open twenty tables in one channel within a minute, each with an invitation. Each
// guest gets a private message, and /join seats them at the right table. People without an
// invitation get a free seat, or open their own table if there is none.
func TestInvitationsToTablesBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, asks := crowded(t)
		w.Run()
		for n := range 20 {
			host, guest := person(n), person(20+n)
			featuretest.Wants(t, asks(host, "/new", guest), false, "Your table is open")
			time.Sleep(2 * time.Second)
			synctest.Wait()
			told, called := "", false
			for _, m := range w.Posts.Take() {
				if m.To != nil && m.To.ID == guest.ID && m.Kind == "invitation" {
					told += featuretest.Shown(m.Text)
				}
				called = called || m.To == nil && slices.ContainsFunc(m.Text.In(nil), func(s text.Span) bool { return s.Notify && s.Person == guest.ID })
			}
			// The first table is the channel's, which mentions its guest itself.
			if want := host.Name + " invites you to a game."; n > 0 && told != want || n == 0 && !called {
				t.Errorf("within two seconds %s is told %q, want %q; mentioned in the channel: %t", guest.Name, told, want, called)
			}
		}
		invited := func(who bot.User) (tables int) {
			games, err := w.Host.Games(t.Context(), who.ID)
			gametest.Must(t, err)
			for _, g := range games {
				if g.Invited && len(g.Rack.Buttons) == 1 {
					tables++
				}
			}
			return tables
		}
		for n := range 20 {
			if list := featuretest.Shown(asks(person(20+n), "/games").Text); invited(person(20+n)) != 1 || list != person(n).Name+" invites you to a game." {
				t.Errorf("%s has %d invitations: %s", person(20+n).Name, invited(person(20+n)), list)
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
			if err != nil || len(games) != 1 || games[0].Invited || !strings.Contains(fmt.Sprint(games[0]), person(n).Name) {
				t.Errorf("%s plays in %+v, %v", person(20+n).Name, games, err)
			}
		}
	})
}

// An invitation stays in the list of a person's games until the game starts without them, its
// table closes or a day has passed. Erasing the person removes it.
func TestInvitationsEnd(t *testing.T) {
	for name, end := range map[string]func(w *featuretest.World){
		"the host leaves": func(w *featuretest.World) { w.Does(bottest.People["ann"], "/leave") },
		"a day passes":    func(*featuretest.World) { time.Sleep(25 * time.Hour) },
		"Bob is erased":   func(w *featuretest.World) { gametest.Must(w.T, w.Host.Forget(w.T.Context(), bottest.People["bob"])) },
	} {
		synctest.Test(t, func(t *testing.T) {
			w := featuretest.New(t)
			w.Run()
			req := w.Request(bottest.People["ann"], "/new")
			req.People = []bot.User{bottest.People["bob"]}
			w.Host.Handle(t.Context(), req)
			synctest.Wait()
			said := func() string { return featuretest.Shown(w.Does(bottest.People["bob"], "/games").Text) }
			if got := said(); !strings.Contains(got, "Ann invites you to a game.") {
				t.Errorf("%s: before that Bob's games are %s", name, got)
			}
			end(w)
			synctest.Wait()
			if got := said(); strings.Contains(got, "invites") {
				t.Errorf("%s: Bob's games are %s", name, got)
			}
			if rows := featuretest.StoredRows(t, w.Config.Notes, "invitations"); name == "Bob is erased" && len(rows) > 0 {
				t.Errorf("%s: %v is kept", name, rows)
			}
		})
	}
}
