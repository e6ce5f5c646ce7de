package features_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
)

func TestGamesListsOnlyMine(t *testing.T) {
	w := newWorld(t)
	w.does(people["ann"], "/new seats:2")
	w.does(people["bob"], "/join")
	turns := 0
	for _, who := range []string{"ann", "bob"} {
		games, err := w.host.Games(t.Context(), people[who].ID)
		if err != nil || len(games) != 1 {
			t.Fatalf("%s has %d games (%v), want 1", who, len(games), err)
		}
		g := games[0]
		if g.Channel != parlour || !strings.Contains(g.Text.String(), "is to move") || !strings.HasPrefix(g.Rack.Text.String(), "Your rack: ") {
			t.Errorf("%s: %+v", who, g)
		}
		if g.Turn {
			turns++
		}
		if mine := w.does(people[who], "/rack"); mine.Text.String() != g.Rack.Text.String() {
			t.Errorf("%s: rack %q, /rack says %q", who, g.Rack.Text, mine.Text)
		}
	}
	if turns != 1 {
		t.Errorf("it is the turn of %d players", turns)
	}
	if games, err := w.host.Games(t.Context(), people["eve"].ID); err != nil || len(games) != 0 {
		t.Errorf("eve plays nowhere, but has %d games (%v)", len(games), err)
	}
	w.host.Handle(t.Context(), bot.Request{ID: "end", Channel: parlour, User: people["ann"], Command: "resign", Table: 1})
	if games, _ := w.host.Games(t.Context(), people["bob"].ID); len(games) != 0 {
		t.Errorf("a game that is over is among bob's: %+v", games)
	}
}
