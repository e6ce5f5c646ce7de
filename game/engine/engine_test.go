package engine_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/engine"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
)

// asked returns a view as an engine receives it, and the line.
func asked(tb testing.TB, v robot.View) (robot.View, string) {
	tb.Helper()
	line := engine.Position(v, "lex en").CGP(v.Equipment)
	p, err := record.ParseCGP(v.Equipment, line)
	if err != nil {
		tb.Fatalf("%s: %v", line, err)
	}
	return engine.PositionView(v.Rules, v.Equipment, p), line
}

// TestEngineLearnsPreviousTurn checks that an engine learns the same about the previous turn as a player at
// the table.
func TestEngineLearnsPreviousTurn(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	plays, exchanges, none := 0, 0, 0
	for n := range uint64(12) {
		var s game.State
		players := 2 + int(n%2)
		for _, e := range gametest.RandomGame(t, seed+n, players, game.RuleSets()[n/2%2]) {
			s = s.Apply(e)
			if s.Phase != game.Playing || len(s.Active()) < players {
				continue
			}
			v := robot.See(s, s.Turn)
			got, line := asked(t, v)
			want := v.Before
			if want == nil || (want.Seat+1)%players != s.Turn { // or a player lost a turn since
				if none++; got.Before != nil {
					t.Fatalf("seed %d, %s: %+v, want nothing", seed, line, got.Before)
				}
				continue
			}
			one := *want
			one.Seat = players - 1
			if v.Bag == 0 && players > 2 && got.Before != nil {
				one.Drew = got.Before.Drew // positions don't show how many tiles each of the others has
			}
			if !reflect.DeepEqual(got.Before, &one) {
				t.Fatalf("seed %d, %s: %+v, want %+v", seed, line, got.Before, one)
			}
			if one.Move.Kind == game.ExchangeTiles {
				exchanges++
			} else {
				plays++
			}
		}
	}
	if plays < 50 || exchanges < 2 || none < 10 {
		t.Errorf("seed %d: only %d plays, %d exchanges and %d others", seed, plays, exchanges, none)
	}
}

// TestParseOthersOperations checks that fitting plays and exchanges are read from other programs'
// operations.
func TestParseOthersOperations(t *testing.T) {
	eq := gametest.Equipment(t)
	const board = "15/15/15/15/15/15/15/6HORN5/15/15/15/15/15/15/15 AEIPRT?/ 0/14 0 lex en;"
	for op, want := range map[string]string{
		"":                      "",
		"lm 8G HORN;":           "8G HORN, 14 points, 4 tiles",
		"ms 5; lm 8G HORN; x;":  "8G HORN, 14 points, 4 tiles",
		"lm 8G HORN +5;":        "8G HORN, 14 points, 4 tiles", // challenged unsuccessfully
		"lm 8G HO..;":           "8G HO.., 14 points, 2 tiles",
		"lm -3;":                "exchange , 0 points, 3 tiles",
		"lm -AE?;":              "exchange , 0 points, 3 tiles",
		"lm -;":                 "", // a pass
		"lm;":                   "",
		"lm 8G;":                "",
		"lm -0;":                "",
		"lm -8;":                "",
		"lm --3;":               "",
		"lm challenge 8G HORN;": "",
		"lm 8G HORNS;":          "",
		"lm 8G HORn;":           "",
		"lm H8 O;":              "",
		"lm 8O NO;":             "",
		"lm U21 NO;":            "",
		"lm pass now;":          "",
		"lm 8G 8G;":             "",
		"lmx 8G HORN;":          "",
	} {
		p, err := record.ParseCGP(eq, board+" "+op)
		gametest.Must(t, err)
		got := ""
		if b := engine.PositionView(game.Classic(), eq, p).Before; b != nil {
			got = fmt.Sprintf("%s, %d points, %d tiles", b.Move.Text(eq.Tiles), b.Points, b.Tiles)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", op, got, want)
		}
	}
}

// TestEngineChoosesAsAtTable checks that an engine chooses the same move as at the table,
// which it doesn't always without the previous turn.
func TestEngineChoosesAsAtTable(t *testing.T) {
	words := gametest.ShippedList(t, "en")
	eq := gametest.Equipment(t)
	mind := robot.NewMind(words, nil, robot.GuessLeaves(eq.Tiles, words))
	expert, _ := robot.ParseLevel("expert")
	choose := func(v robot.View) game.Action {
		const positions, seed = 1500, 1
		a, err := mind.Choose(t.Context(), expert, v, positions, seed)
		gametest.Must(t, err)
		return a
	}
	var s game.State
	people := []game.Person{{ID: "robot:expert:1"}, {ID: "robot:expert:2"}}
	env := game.Env{Now: time.Unix(0, 0), Dict: words}
	do := func(p game.Person, a game.Action) {
		env.Cause = fmt.Sprint(s.Number)
		events, err := game.Decide(s, p, a, env)
		gametest.Must(t, err)
		for _, e := range events {
			s = s.Apply(e)
		}
	}
	do(people[0], game.Open{Rules: game.Classic(), Equipment: eq, Seats: 2, Lexicon: game.LexiconID{Name: words.Name(), Hash: words.Hash()}})
	do(people[1], game.Join{})
	turns, others := 0, 0
	most := gametest.Rounds(10, 100) // a game has about twenty
	for ; s.Phase == game.Playing && len(s.Bag) > 0 && (turns < most || others == 0); turns++ {
		v := robot.See(s, s.Turn)
		v.Number, v.Latest = 0, nil // positions don't have these
		same, line := asked(t, v)
		a := choose(v)
		if b := choose(same); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: an engine plays %+v, a robot at the table %+v", line, b, a)
		}
		same.Before = nil
		if b := choose(same); !reflect.DeepEqual(a, b) {
			others++
		}
		do(s.Seats[s.Turn].Person, a)
	}
	t.Logf("%d turns, %d of them other ones where the turn before isn't known", turns, others)
	if turns < 8 || others == 0 {
		t.Errorf("%d turns, %d of them other ones where the turn before isn't known", turns, others)
	}
}
