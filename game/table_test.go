package game_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// The players of the tests, by seat.
const (
	ann = iota
	bob
	cat
	dan
)

// A table is a game that a test plays by hand.
type table struct {
	*testing.T
	s       game.State
	env     game.Env
	actions int
}

// sit starts a game with a rack for each player. Ann goes first.
func sit(t *testing.T, rules game.Rules, racks ...string) *table {
	t.Helper()
	g := &table{T: t, env: game.Env{
		Dict:  gametest.SmallDictionary(t),
		Now:   time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		Cause: "deal",
	}}
	rules, eq := gametest.EquipVariant(t, rules)
	facts := []game.Fact{game.Opened{Rules: rules, Equipment: eq, Seats: len(racks), Host: gametest.People[0]}}
	deal := game.Dealt{First: ann}
	for i, rack := range racks {
		facts = append(facts, game.Joined{Person: gametest.People[i]})
		deal.Racks = append(deal.Racks, gametest.Tiles(t, eq, rack))
	}
	var events []game.Event
	for i, f := range append(facts, game.Started{}, deal) {
		events = append(events, game.Event{Number: i, At: g.env.Now, Cause: g.env.Cause, Fact: f})
	}
	var err error
	if g.s, err = game.Replay(events); err != nil {
		t.Fatal(err)
	}
	return g
}

// board, rack and bag replace the tiles there.
func (g *table) board(picture string) {
	g.Helper()
	g.s.Board = gametest.Board(g, g.s.Equipment, picture)
}

func (g *table) rack(seat int, tiles string) {
	g.Helper()
	g.s.Seats[seat].Rack = gametest.Tiles(g, g.s.Equipment, tiles)
}

func (g *table) bag(tiles string) {
	g.Helper()
	g.s.Bag = gametest.Tiles(g, g.s.Equipment, tiles).Sorted()
}

// try returns the result of an action five seconds after the previous one.
func (g *table) try(seat int, a game.Action) ([]game.Event, error) {
	g.actions++
	g.env.Cause = fmt.Sprintf("request-%d", g.actions)
	g.env.Now = g.env.Now.Add(5 * time.Second)
	return game.Decide(g.s, gametest.People[seat], a, g.env)
}

// does performs an action that must be allowed.
func (g *table) does(seat int, a game.Action) []game.Event {
	g.Helper()
	events, err := g.try(seat, a)
	if err != nil {
		g.Fatalf("%s may not %T %+v: %v", gametest.People[seat].Name, a, a, err)
	}
	for _, e := range events {
		g.s = g.s.Apply(e)
	}
	return events
}

// refused performs an action that must be rejected.
func (g *table) refused(seat int, a game.Action, code game.Code) *game.RuleError {
	g.Helper()
	events, err := g.try(seat, a)
	e := ruleError(g.T, err)
	if e.Code != code || len(events) > 0 {
		g.Fatalf("%T: %v, %d events; want %v", a, e, len(events), code)
	}
	return e
}

func (g *table) move(text string) game.Move {
	g.Helper()
	return gametest.Move(g, g.s.Equipment, text)
}

func (g *table) tiles(text string) game.Tiles {
	g.Helper()
	return gametest.Tiles(g, g.s.Equipment, text)
}

// plays makes a play, such as "8H HORN", and returns its score.
func (g *table) plays(seat int, text string) int {
	g.Helper()
	return g.does(seat, game.Play{Move: g.move(text)})[0].Fact.(game.Played).Score
}

// challenges challenges words of the latest play, or all, and returns the result.
func (g *table) challenges(seat int, words ...string) (game.Challenged, []game.Event) {
	g.Helper()
	events := g.does(seat, g.challenge(words...))
	return events[0].Fact.(game.Challenged), events
}

func (g *table) challenge(words ...string) game.Challenge {
	g.Helper()
	var a game.Challenge
	for _, w := range words {
		a.Words = append(a.Words, g.tiles(w))
	}
	return a
}

// pass lets some players pass in turn.
func (g *table) pass(seats ...int) {
	g.Helper()
	for _, i := range seats {
		g.does(i, game.Pass{})
	}
}

func (g *table) wantScores(want ...int) {
	g.Helper()
	var got []int
	for _, seat := range g.s.Seats {
		got = append(got, seat.Score)
	}
	if !slices.Equal(got, want) {
		g.Errorf("the scores are %v, want %v", got, want)
	}
}

func (g *table) wantTurn(seat int) {
	g.Helper()
	if g.s.Phase != game.Playing || g.s.Turn != seat {
		g.Errorf("phase %d, the turn is %s's, want %s's", g.s.Phase, gametest.People[g.s.Turn].Name, gametest.People[seat].Name)
	}
}

func (g *table) wantRack(seat int, tiles string) {
	g.Helper()
	if got, want := g.s.Seats[seat].Rack.Sorted(), g.tiles(tiles).Sorted(); got != want {
		g.Errorf("%s holds %s, want %s", gametest.People[seat].Name, g.s.Equipment.Tiles.Print(got), g.s.Equipment.Tiles.Print(want))
	}
}

func (g *table) wantBoard(picture string) {
	g.Helper()
	if want := gametest.Board(g, g.s.Equipment, picture); g.s.Board != want {
		g.Errorf("the board is\n%swant\n%s", gametest.Picture(g.s.Equipment, g.s.Board), gametest.Picture(g.s.Equipment, want))
	}
}

// wantOpen checks that the game goes on; wantClosing that the last play was made and can be
// challenged.
func (g *table) wantOpen() {
	g.Helper()
	if g.s.Phase != game.Playing {
		g.Fatalf("the phase is %d, the game should go on", g.s.Phase)
	}
}

func (g *table) wantClosing() {
	g.Helper()
	if g.s.Phase != game.Closing {
		g.Fatalf("the phase is %d, the last play should be open to a challenge", g.s.Phase)
	}
}

// wantEnd checks how the game ended, the changes of the scores, and the winners.
func (g *table) wantEnd(reason game.EndReason, adjust []int, winners ...int) {
	g.Helper()
	if g.s.Phase != game.Over || g.s.End == nil {
		g.Fatalf("the phase is %d, the game should be over", g.s.Phase)
	}
	if g.s.End.Reason != reason || !slices.Equal(g.s.End.Adjust, adjust) || !slices.Equal(g.s.End.Winners, winners) {
		g.Errorf("ended for reason %d, adjusting %v, won by %v; want %d, %v, %v",
			g.s.End.Reason, g.s.End.Adjust, g.s.End.Winners, reason, adjust, winners)
	}
}
