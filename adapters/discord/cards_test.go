package discord_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/game"
)

// rackText returns what the card of a player says of their rack.
func (w *world) rackText(u *discordtest.User) string {
	w.t.Helper()
	s := w.state()
	seat, _ := s.SeatOf(player(u))
	var tiles []string
	for i := range len(s.Seats[seat].Rack) {
		tiles = append(tiles, s.Equipment.Tiles.Text(s.Seats[seat].Rack.At(i)))
	}
	return "Your rack: **" + strings.Join(tiles, " ") + "**"
}

// onlyCard checks that a person has one card, and that it shows their rack.
func (w *world) onlyCard(u *discordtest.User) {
	w.t.Helper()
	w.card(u, w.rackText(u))
	if n := len(slices.DeleteFunc(u.Sees(u.DM()), func(m discordtest.Message) bool { return !m.Silent })); n != 1 {
		w.t.Errorf("%s has %d cards", u.Name, n)
	}
}

// TestCardsSurviveKills kills the program after each request that follows the start of a game, a
// draw, or a challenge that takes a play back. The next program must leave each player one
// card with the right rack.
func TestCardsSurviveKills(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"the start", "a draw", "a challenge"} {
		for n := 1; ; n++ {
			killed := false
			t.Run(fmt.Sprintf("%s, request %d", what, n), func(t *testing.T) { killed = cardsAfterKill(t, what, n) })
			if !killed || t.Failed() {
				break
			}
		}
	}
}

// cardsAfterKill kills the program after the nth request, and reports whether there were that
// many.
func cardsAfterKill(t *testing.T, what string, n int) (killed bool) {
	w := newDiscord(t)
	own := w.notes
	w.startWith(bottest.MortalNotes{Notes: own, Dead: w.d.Dead})
	w.d.Gateway.Connected(1, 1, 0)
	var does func() *discordtest.Interaction
	people := []*discordtest.User{w.ann}
	switch what {
	case "the start":
		people = append(people, w.bob)
		w.ann.Gives(w.channel, "new", "opponent", w.bob.ID).Answer()
		lobby := w.channel.Posts(1)[0]
		does = func() *discordtest.Interaction { return w.bob.Presses(lobby, "Join") }
	case "a draw":
		w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
		w.ann.Gives(w.channel, "exchange", "tiles", "a").Answer()
		w.bob.Gives(w.channel, "pass", "sure", "true").Answer()
		does = func() *discordtest.Interaction { return w.ann.Gives(w.channel, "exchange", "tiles", "e") }
	default:
		w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
		w.ann.Gives(w.channel, "play", "word", "rohn", "at", "8h").Answer()
		does = func() *discordtest.Interaction { return w.bob.Gives(w.channel, "challenge") }
	}
	w.settled()
	dies := w.d.KillAt(n)
	i := does()
	select {
	case <-dies:
		killed = true
		w.stop()
		w.d.Revive()
		w.startWith(own)
		w.d.Gateway.Connected(1, 1, 1)
		i.Answer()
	case <-w.settles(i):
		w.d.Revive()
	}
	w.settled()
	for _, u := range people {
		w.onlyCard(u)
	}
	if what == "a challenge" && !strings.Contains(w.rackText(w.ann), "R") {
		t.Errorf("the play wasn't taken back: %s", w.rackText(w.ann))
	}
	return killed
}

// TestTwoProcessesKeepOneCard delivers posts by two processes at once: each player still has one
// card, with the right rack after every draw.
func TestTwoProcessesKeepOneCard(t *testing.T) {
	w := newWorld(t)
	one := w.adapter
	w.build(discord.Config{}, w.store)
	ctx, cancel := context.WithCancel(t.Context())
	var beside sync.WaitGroup
	beside.Go(func() { w.host.Deliver(ctx, discord.Platform, w.adapter) })
	defer func() { cancel(); beside.Wait(); w.adapter.Wait(); w.adapter = one }()
	w.ann.Gives(w.channel, "new", "opponent", w.bob.ID).Answer()
	w.bob.Presses(w.channel.Posts(1)[0], "Join").Answer()
	w.settled()
	for range 5 {
		w.exchanges()
		w.onlyCard(w.ann)
		w.onlyCard(w.bob)
	}
	w.exchanges() // the sixth scoreless turn in a row ends the game
	for _, u := range []*discordtest.User{w.ann, w.bob} {
		if got := w.card(u, "The game is over. "); len(got.Labels())+len(got.Files) > 0 {
			t.Errorf("the card of %s has %q and %d files at the end", u.Name, got.Labels(), len(got.Files))
		}
	}
}

// TestNoRequestWithoutCard checks that a player without a card isn't even asked for their
// direct messages when their rack changes.
func TestNoRequestWithoutCard(t *testing.T) {
	w := newWorld(t)
	for _, u := range []*discordtest.User{w.ann, w.bob} {
		u.Gives(w.channel, "settings", "ping", "digest", "zone", "UTC").Answer()
	}
	w.ann.Gives(w.channel, "new", "opponent", w.bob.ID).Answer()
	w.bob.Presses(w.channel.Posts(1)[0], "Join").Answer()
	w.exchanges()
	if n := w.d.Tried("POST /users/@me/channels"); n > 0 {
		t.Errorf("%d direct messages were opened", n)
	}
}
