package bottest

import (
	"fmt"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A Game is a game of [People] that follows the rules. What they do becomes events, one minute
// apart.
type Game struct {
	game.State
	Events []game.Event
	Now    time.Time
	// Shown makes clocks run, by saying that everybody has seen the position.
	Shown bool

	tb testing.TB
}

// Deal starts a game with the tiles of [Dealt] at noon on Monday 2 March 2026. change, if not nil,
// modifies the fact that opens its table.
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

// Open starts a game at a table that one person has just opened.
func Open(tb testing.TB, who string, open game.Open) *Game {
	tb.Helper()
	g := &Game{Now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC), tb: tb}
	g.Do(who, open)
	return g
}

// Do carries out a person's action, a minute after the previous one.
func (g *Game) Do(who string, a game.Action) {
	g.tb.Helper()
	seen := g.Now
	g.Now = g.Now.Add(time.Minute)
	g.DoSeen(who, a, seen)
}

// DoSeen carries out a person's action now. If clocks run, everybody has been able to see the
// position since seen.
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

// Play makes a person's move, in the notation of [gametest.Move].
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

// Wait advances the time.
func (g *Game) Wait(d time.Duration) { g.Now = g.Now.Add(d) }
