package game_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestBrokenLogs checks that errors about impossible logs say which event is wrong, and why.
func TestBrokenLogs(t *testing.T) {
	eq := gametest.Equipment(t)
	tiles := func(s string) game.Tiles { return gametest.Tiles(t, eq, s) }
	opened := game.Opened{Rules: game.Classic(), Equipment: eq, Seats: 2}
	dealt := game.Dealt{Racks: []game.Tiles{tiles("HORNEEE"), tiles("AEIOUST")}}
	played := game.Played{Move: gametest.Move(t, eq, "8H HORN"), Drew: tiles("AAAA")}
	began := []game.Fact{opened, game.Joined{}, game.Joined{}, game.Started{}, dealt}
	with := func(more ...game.Fact) []game.Fact { return slices.Concat(began, more) }
	for _, c := range []struct {
		name  string
		facts []game.Fact
		err   string
	}{
		{"nothing at all", nil, ""},
		{"a game", with(played, game.Challenged{By: 1, Invalid: []game.Tiles{tiles("HORN")}}, game.Passed{Seat: 1}), ""},
		{"no opening", []game.Fact{game.Joined{}}, "event 0: game.Joined: this event can't come here"},
		{"two openings", []game.Fact{opened, opened}, "event 1"},
		{"no equipment", []game.Fact{game.Opened{}}, "event 0"},
		{"no tiles", []game.Fact{game.Opened{Equipment: game.Equipment{Layout: eq.Layout}}}, "event 0"},
		{"empty", []game.Fact{opened, nil}, "event 1: it has no fact"},
		{"joining after the start", with(game.Joined{}), "event 5"},
		{"a deal for three", []game.Fact{opened, game.Joined{}, game.Joined{}, game.Started{}, game.Dealt{Racks: make([]game.Tiles, 3)}}, "3 racks for 2 seats"},
		{"a second deal", with(dealt), "event 5"},
		{"an unknown seat begins", []game.Fact{opened, game.Joined{}, game.Started{}, game.Dealt{First: 1, Racks: []game.Tiles{""}}}, "no seat 1"},
		{"a tile drawn twice", []game.Fact{opened, game.Joined{}, game.Started{}, game.Dealt{Racks: []game.Tiles{tiles("QQ")}}}, "not in the bag"},
		{"a tile that isn't held", with(game.Played{Seat: 1, Move: played.Move}), "not on the rack"},
		{"a tile drawn that is on the rack", with(game.Played{Move: played.Move, Drew: tiles("ZZ")}), "not in the bag"},
		{"a play on a play", with(played, game.Played{Seat: 1, Move: gametest.Move(t, eq, "H8 AS")}), "a tile lies on H8"},
		{"a play off the board", with(game.Played{Move: gametest.Move(t, eq, "8M HORN")}), "off the board"},
		{"an unknown seat", with(game.Passed{Seat: 2}), "event 5: game.Passed: no seat 2"},
		{"a seat below", with(game.Resigned{Seat: -1}), "no seat -1"},
		{"a challenge without a play", with(game.Challenged{By: 1}), "a challenge without a play"},
		{"a challenge of another's play", with(played, game.Challenged{By: 0, Player: 1}), "a challenge without a play"},
		{"tiles put back that aren't held", with(game.Exchanged{Put: tiles("Z")}), "not on the rack"},
		{"a last play that nobody made", with(game.LastPlay{}), "there is no play"},
		{"letting stand what isn't the last play", with(played, game.Accepted{Seat: 1}), "event 6"},
		{"an end for three", with(game.Ended{Racks: make([]game.Tiles, 3), Adjust: make([]int, 3)}), "an end for 3 seats of 2"},
		{"a turn after the end", with(game.Ended{Racks: make([]game.Tiles, 2), Adjust: make([]int, 2)}, game.Passed{}), "event 6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log []game.Event
			for i, f := range c.facts {
				log = append(log, game.Event{Number: i, Fact: f})
			}
			_, err := game.Replay(log)
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("%v, want one that says %q", err, c.err)
			}
		})
	}
	t.Run("a number left out", func(t *testing.T) {
		_, err := game.Replay([]game.Event{{Number: 0, Fact: opened}, {Number: 2, Fact: game.Joined{}}})
		if err == nil || !strings.Contains(err.Error(), "event 1: it has the number 2") {
			t.Error(err)
		}
	})
}

// TestCodesHaveNames checks that every code has a name for logs.
func TestCodesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for c := game.NoTiles; c <= game.TableOpenAlready; c++ {
		name := c.String()
		if name == "" || strings.HasPrefix(name, "Code(") || seen[name] {
			t.Errorf("code %d is called %q", c, name)
		}
		seen[name] = true
		if got := (&game.RuleError{Code: c}).Error(); !strings.Contains(got, name) {
			t.Errorf("%q does not say %q", got, name)
		}
	}
	if got := game.Code(250).String(); got != "Code(250)" {
		t.Error(got)
	}
}
