package bottest

import (
	"fmt"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A Game is one of [People] that goes on by the rules: what they do becomes events, one
// minute after another.
type Game struct {
	game.State
	Events []game.Event
	Now    time.Time
	// Shown says that everybody has seen how the table stands, so that clocks run.
	Shown bool

	tb testing.TB
}

// Deal begins one with the tiles of [Dealt] at noon of Monday 2 March 2026, with what its
// table is opened with as change makes it.
func Deal(tb testing.TB, ruleSet, challenge string, tiles []string, change func(*game.Opened)) *Game {
	tb.Helper()
	g := &Game{Now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC), Events: Dealt(tb, "", ruleSet, challenge, tiles), tb: tb}
	if change != nil {
		opened := g.Events[0].Fact.(game.Opened)
		change(&opened)
		g.Events[0].Fact = opened
	}
	for i := range g.Events {
		g.Events[i].At = g.Now
	}
	var err error
	if g.State, err = game.Replay(g.Events); err != nil {
		tb.Fatal(err)
	}
	return g
}

// Open is one whose table somebody opens, and where nobody else sits yet.
func Open(tb testing.TB, who string, open game.Open) *Game {
	tb.Helper()
	g := &Game{Now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC), tb: tb}
	g.Do(who, open)
	return g
}

// Do has somebody act, a minute after what was before.
func (g *Game) Do(who string, a game.Action) {
	g.tb.Helper()
	seen := g.Now
	g.Now = g.Now.Add(time.Minute)
	g.DoSeen(who, a, seen)
}

// DoSeen has somebody act now. Where clocks run, everybody could see at a time how the
// table stood.
func (g *Game) DoSeen(who string, a game.Action, seen time.Time) {
	g.tb.Helper()
	env := game.Env{Dict: gametest.SmallDictionary(g.tb), Now: g.Now, Cause: fmt.Sprint("request-", len(g.Events)), Secret: game.Secret{1, 2, 3}}
	if g.Shown {
		env.Posted = seen
	}
	events, err := game.Decide(g.State, People[who], a, env)
	if err != nil {
		g.tb.Fatalf("%s: %T: %v", who, a, err)
	}
	for _, e := range events {
		g.Events, g.State = append(g.Events, e), g.State.Apply(e)
	}
}

// Play has somebody make a move as [gametest.Move] reads it.
func (g *Game) Play(who, move string) {
	g.tb.Helper()
	switch m := gametest.Move(g.tb, g.Equipment, move); m.Kind {
	case game.ExchangeTiles:
		g.Do(who, game.Exchange{Tiles: m.Tiles})
	case game.PassTurn:
		g.Do(who, game.Pass{})
	default:
		g.Do(who, game.Play{Move: m})
	}
}

// Wait lets time go by.
func (g *Game) Wait(d time.Duration) { g.Now = g.Now.Add(d) }
