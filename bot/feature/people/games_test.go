package people_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

func TestGamesListsOwnGames(t *testing.T) {
	w := newWorld(t)
	w.Does(bottest.People["ann"], "/new seats:2")
	w.Does(bottest.People["bob"], "/join")
	turns := 0
	for _, who := range []string{"ann", "bob"} {
		games, err := w.Host.Games(t.Context(), bottest.People[who].ID)
		if err != nil || len(games) != 1 {
			t.Fatalf("%s has %d games (%v), want 1", who, len(games), err)
		}
		g := games[0]
		if g.Channel != featuretest.Parlour || !strings.Contains(g.Text.String(), map[bool]string{true: "your turn", false: "'s turn"}[g.Turn]) || !strings.HasPrefix(g.Rack.Text.String(), "Your rack: ") {
			t.Errorf("%s: %+v", who, g)
		}
		if g.Turn {
			turns++
		}
		if mine := w.Does(bottest.People[who], "/rack"); mine.Text.String() != g.Rack.Text.String() {
			t.Errorf("%s: rack %q, /rack says %q", who, g.Rack.Text, mine.Text)
		}
	}
	if turns != 1 {
		t.Errorf("it is the turn of %d players", turns)
	}
	if games, err := w.Host.Games(t.Context(), bottest.People["eve"].ID); err != nil || len(games) != 0 {
		t.Errorf("eve plays nowhere, but has %d games (%v)", len(games), err)
	}
	w.Host.Handle(t.Context(), bot.Request{ID: "end", Channel: featuretest.Parlour, User: bottest.People["ann"], Command: "resign", Table: 1})
	if games, _ := w.Host.Games(t.Context(), bottest.People["bob"].ID); len(games) != 0 {
		t.Errorf("a game that is over is among bob's: %+v", games)
	}
}

// A game that can't be read, or whose reading panics, is left out of its players' lists with a note,
// and their other games stay reachable.
func TestUnreadableGameIsLeftOut(t *testing.T) {
	for _, panics := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) { testGamesLeaveOutWhatCantBeRead(t, panics) })
	}
}

func testGamesLeaveOutWhatCantBeRead(t *testing.T, panics bool) {
	w := newWorld(t, func(c *host.Config) { c.Store = featuretest.Unreadable{Store: c.Store, ID: 2, Panics: panics} })
	for _, ch := range []bot.ChannelID{"test:one", "test:two"} {
		w.InHouse(ch, "", bottest.People["ann"], "/new seats:2")
		w.InHouse(ch, "", bottest.People["bob"], "/join")
	}
	r := w.Does(bottest.People["ann"], "/games")
	if said := r.Text.String(); r.Refused || !strings.HasPrefix(said, "You have 1 game running;") || !strings.Contains(said, "One of your games can't be shown right now.") {
		t.Errorf("/games says %q", said)
	}
	if r := w.Does(bottest.People["ann"], "/rack"); r.Refused {
		t.Errorf("from elsewhere, /rack says %q", r.Text)
	}
	if !strings.Contains(w.Log.String(), "a game is missing") {
		t.Error("the log doesn't say which")
	}
}
