package view_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestResultCards checks the card of a game that points decide, and of one that a player gives up.
func TestResultCards(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*bottest.Game)
		want string
	}{
		"resigned": {func(g *bottest.Game) { g.Do("bob", game.Resign{}) },
			"Ann wins because Bob resigned.\nAnn 14, best: HORN 14 · Bob 0 · 1 move"},
	} {
		g := bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEEEE", "ann:HORNSAT", "bob:FARMQIS"}, nil)
		g.Play("ann", "8H HORN")
		c.end(g)
		at, err := table.Variants(nil).Replay("test:x", 1, g.Events)
		gametest.Must(t, err)
		if got := view.Result(at).String(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
