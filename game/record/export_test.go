package record_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// randomGames calls try with whole games by every rule set and challenge rule, with two to four
// players.
func randomGames(t *testing.T, try func(t *testing.T, events []game.Event, end game.State)) {
	seed := uint64(0)
	for i, rules := range game.RuleSets() {
		for _, challenge := range game.ChallengeRules() {
			if seed++; !gametest.Long() && seed%5 != 1 {
				continue
			}
			rules.Challenge = challenge
			players := min(2+(int(seed)+i)%3, rules.MaxPlayers)
			t.Run(fmt.Sprintf("%s, %s, %d players, seed %d", rules.Name, challenge, players, seed), func(t *testing.T) {
				events := gametest.RandomGame(t, seed, players, rules)
				end, err := game.Replay(events)
				gametest.Must(t, err)
				try(t, events, end)
			})
		}
	}
	if seed == 0 {
		t.Error("no game played")
	}
}

// TestRandomGamesSurviveStorage checks that a finished game's GCG parses to the same and replays to the
// same scores, that the game survives storage, and that its draws can be verified.
func TestRandomGamesSurviveStorage(t *testing.T) {
	randomGames(t, func(t *testing.T, events []game.Event, end game.State) {
		g, err := record.FromEvents(events)
		gametest.Must(t, err)
		back, err := record.ParseGCG([]byte(g.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, g)
		}
		result, err := record.Replay(end.Rules, end.Equipment, back)
		if err != nil {
			t.Fatalf("%v\n%s", err, g)
		}
		for i := range back.Turns {
			back.Turns[i].Line = 0
		}
		if !reflect.DeepEqual(g, back) {
			t.Errorf("written as\n%s\nit reads as\n%+v, not\n%+v", g, back, g)
		}
		var want []int
		for i := range end.Seats {
			want = append(want, end.Seats[(end.First+i)%len(end.Seats)].Score)
		}
		if !reflect.DeepEqual(result.Scores, want) || result.Moves != end.Turns {
			t.Errorf("replayed to %d moves and %v, want %d and %v\n%s", result.Moves, result.Scores, end.Turns, want, g)
		}

		lines, err := record.MarshalLog(events)
		gametest.Must(t, err)
		stored, err := record.UnmarshalLog(lines)
		gametest.Must(t, err)
		state, err := game.Replay(stored)
		if err != nil || !reflect.DeepEqual(state, end) {
			t.Errorf("stored and replayed: %+v (%v)\nwant %+v", state, err, end)
		}

		proof, err := record.NewProof(events)
		gametest.Must(t, err)
		file, err := proof.File()
		gametest.Must(t, err)
		if proof, err = record.ParseProof(file); err != nil {
			t.Fatal(err)
		}
		if draws, err := proof.Check(); err != nil || draws == 0 {
			t.Errorf("%d draws proved: %v", draws, err)
		}
	})
}

// TestVariantsInGCG checks that each variant's GCG names the variant and replays by that name,
// or that exporting reports that GCG can't represent it.
func TestVariantsInGCG(t *testing.T) {
	for _, v := range game.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			rules := game.Club()
			rules.Variant = v.Name
			var events []game.Event
			if v.Shared {
				events = gametest.RandomDuplicate(t, 3, 3, gametest.Duplicate(time.Hour))
			} else {
				varied, _ := gametest.EquipVariant(t, rules)
				events = gametest.RandomGame(t, 3, varied.MinPlayers, rules)
			}
			g, err := record.FromEvents(events)
			if !v.GCG {
				if !errors.Is(err, record.ErrNoGCG) {
					t.Errorf("it is written as\n%s, %v", g, err)
				}
				return
			}
			gametest.Must(t, err)
			back, err := record.ParseGCG([]byte(g.String()))
			if err != nil || back.Variant() != v.Name {
				t.Fatalf("it reads as a game of %q: %v", back.Variant(), err)
			}
			rules.Variant = back.Variant()
			again, eq := gametest.EquipVariant(t, rules)
			result, err := record.Replay(again, eq, back)
			if err != nil {
				t.Fatalf("%v\n%s", err, g)
			}
			if end, _ := game.Replay(events); !v.Shared && result.Scores[0] != end.Seats[end.First].Score {
				t.Errorf("it comes to %v", result.Scores)
			}
		})
	}
}

func TestFromEventsOfRunningGame(t *testing.T) {
	whole := gametest.RandomGame(t, 5, 2, game.Classic())
	for n := range whole {
		if _, err := record.FromEvents(whole[:n]); !errors.Is(err, record.ErrNotOver) {
			t.Errorf("%d of %d events as GCG: error %v", n, len(whole), err)
		}
		if _, err := record.NewProof(whole[:n]); !errors.Is(err, record.ErrNotOver) {
			t.Errorf("%d of %d events as proof: error %v", n, len(whole), err)
		}
	}
}

// A table has known racks and reproducible draws.
type table struct {
	t      *testing.T
	s      game.State
	events []game.Event
}

// deal seats people with the given racks; seat first goes first.
func deal(t *testing.T, rules game.Rules, eq game.Equipment, first int, seats ...[2]string) *table {
	t.Helper()
	tb := &table{t: t}
	tb.add(game.Opened{Rules: rules, Equipment: eq, Lexicon: gametest.Lexicon, Seats: len(seats)})
	dealt := game.Dealt{First: first}
	for _, seat := range seats {
		tb.add(game.Joined{Person: game.Person{ID: game.PlayerID(seat[0]), Name: seat[0]}})
		dealt.Racks = append(dealt.Racks, gametest.Tiles(t, eq, seat[1]))
	}
	tb.add(game.Started{})
	tb.add(dealt)
	return tb
}

func (tb *table) add(f game.Fact) {
	e := game.Event{Number: tb.s.Number, Fact: f}
	tb.events, tb.s = append(tb.events, e), tb.s.Apply(e)
}

func (tb *table) do(seat int, a game.Action) {
	tb.t.Helper()
	events, err := game.Decide(tb.s, tb.s.Seats[seat].Person, a, game.Env{Dict: gametest.SmallDictionary(tb.t)})
	if err != nil {
		tb.t.Fatalf("%T: %v", a, err)
	}
	for _, e := range events {
		tb.s = tb.s.Apply(e)
	}
	tb.events = append(tb.events, events...)
}

func (tb *table) play(seat int, move string) {
	tb.t.Helper()
	tb.do(seat, game.Play{Move: gametest.Move(tb.t, tb.s.Equipment, move)})
}

// writes checks the GCG and that it replays.
func (tb *table) writes(want string) {
	tb.t.Helper()
	g, err := record.FromEvents(tb.events)
	gametest.Must(tb.t, err)
	if _, err := record.Replay(tb.s.Rules, tb.s.Equipment, g); err != nil {
		tb.t.Error(err)
	}
	want = "#character-encoding UTF-8\n" + strings.TrimLeft(want, "\n")
	if got := g.String(); got != want {
		tb.t.Errorf("written as\n%s\nwant\n%s", got, want)
	}
}

func TestFromEventsChallengesAndResignation(t *testing.T) {
	rules := game.Classic()
	rules.Challenge = game.FivePoint
	tb := deal(t, rules, gametest.Equipment(t), 1, [2]string{"ann  o:hara", "?AFMTUU"}, [2]string{"Ann OHara", "AEHINOR"})
	tb.play(1, "8G HORN")
	tb.do(0, game.Challenge{})
	tb.play(0, "I6 Fa.M")
	tb.play(1, "J8 .AE")
	tb.do(0, game.Challenge{})
	tb.do(0, game.Pass{})
	tb.do(1, game.Exchange{Tiles: gametest.Tiles(t, tb.s.Equipment, "EA")})
	tb.do(1, game.Resign{})
	tb.writes(`
#player1 Ann_OHara Ann OHara
#player2 ann_ohara_ ann o:hara
#lexicon small
>Ann_OHara: AEHINOR 8G HORN +14 14
>Ann_OHara: ADEHIIL (challenge) +5 19
#note ann_ohara_ challenged: valid: HORN.
>ann_ohara_: AFMTUU? I6 Fa.M +11 11
>Ann_OHara: ADEHIIL J8 .AE +9 28
>Ann_OHara: ADEHIIL -- -9 19
#note ann_ohara_ challenged: not valid: NAE.
>ann_ohara_: AERSTUU - +0 11
>Ann_OHara: ADEHIIL -EA +0 19
#note Ann_OHara resigned.
`)
}

func TestFromEventsLostTurnsAndScorelessEnd(t *testing.T) {
	rules := game.Classic()
	rules.Challenge = game.Double
	tb := deal(t, rules, gametest.Equipment(t), 0, [2]string{"Ann", "AEHINOR"}, [2]string{"Bob", "?AFMTUU"}, [2]string{"", "EEEEEEE"})
	tb.play(0, "8G HORN")
	tb.do(1, game.Challenge{})
	tb.do(2, game.Resign{})
	for range 2 {
		tb.do(0, game.Pass{})
		tb.do(1, game.Pass{})
	}
	tb.do(0, game.Pass{})
	tb.writes(`
#player1 Ann Ann
#player2 Bob Bob
#player3 player3
#lexicon small
>Ann: AEHINOR 8G HORN +14 14
#note Bob challenged: valid: HORN.
>Bob: AFMTUU? - +0 0
#note The turn was lost for a wrong challenge.
#note player3 resigned.
>Ann: ACDEIOW - +0 14
>Bob: AFMTUU? - +0 0
>Ann: ACDEIOW - +0 14
>Bob: AFMTUU? - +0 0
>Ann: ACDEIOW - +0 14
>Ann: ACDEIOW (ACDEIOW) -13 1
>Bob: AFMTUU? (AFMTUU?) -11 -11
`)
}

func TestFromEventsGoingOut(t *testing.T) {
	// Eight tiles for two racks: the bag is empty from the start.
	set, err := game.ParseTileSet("eight", "A\t3\t1\tv\nL\t2\t1\nO\t2\t1\tv\n?\t1\t0")
	gametest.Must(t, err)
	eq := game.Equipment{Layout: spanish(t).Layout, Tiles: set}
	for way, want := range map[game.OutBonus]string{
		game.OutDeduct: `
#player1 Ann Ann
#player2 Bob Bob
#lexicon small
#tile-distribution eight
>Ann: ALLO 3B OLLA +4 4
>Ann: (AAO?) +3 7
>Bob: AAO? (AAO?) -3 -3
`,
		game.OutDouble: `
#player1 Ann Ann
#player2 Bob Bob
#lexicon small
#tile-distribution eight
>Ann: ALLO 3B OLLA +4 4
>Ann: (AAO?) +6 10
`,
	} {
		rules := game.Classic()
		rules.RackSize, rules.Challenge, rules.OutBonus = 4, game.Single, way
		tb := deal(t, rules, eq, 0, [2]string{"Ann", "ALLO"}, [2]string{"Bob", "AAO?"})
		tb.play(0, "3B OLLA")
		tb.do(1, game.Pass{})
		tb.writes(want)
	}
}

// TestNoteOfOvertime checks that the GCG of a game lost on time says who lost it.
func TestNoteOfOvertime(t *testing.T) {
	rules := game.Rulebook()
	rules.Clock.On = true
	events := gametest.RandomGame(t, 1, 2, rules)
	n := 1 + slices.IndexFunc(events, func(e game.Event) bool { _, ok := e.Fact.(game.Played); return ok })
	s, err := game.Replay(events[:n])
	if err != nil || n == 0 {
		t.Fatalf("%d events: %v", n, err)
	}
	late := s.Seats[s.Turn].Person
	seen := events[n-1].At
	end, err := game.Decide(s, late, game.Pass{}, game.Env{Now: seen.Add(36 * time.Minute), Posted: seen, Dict: gametest.SmallDictionary(t)})
	gametest.Must(t, err)
	g, err := record.FromEvents(slices.Concat(events[:n], end))
	gametest.Must(t, err)
	if want := "#note " + late.Name + " took too much time and loses."; !strings.Contains(g.String(), want) {
		t.Errorf("the file lacks %q:\n%s", want, g)
	}
}
