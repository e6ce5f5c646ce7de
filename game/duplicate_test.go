package game_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

func duplicateRules() game.Rules { return gametest.Duplicate(3 * time.Minute) }

// deals starts a game of duplicate between n players with a given rack.
func deals(t *testing.T, rules game.Rules, players int, rack string) *table {
	t.Helper()
	g := &table{T: t, env: game.Env{Dict: gametest.SmallDictionary(t), Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Cause: "deal"}}
	eq := gametest.Equipment(t)
	facts := []game.Fact{game.Opened{Rules: rules, Equipment: eq, Seats: rules.MaxPlayers, Host: gametest.People[0]}}
	for _, p := range gametest.People[:players] {
		facts = append(facts, game.Joined{Person: p})
	}
	facts = append(facts, game.Started{}, game.RackDrawn{Drew: gametest.Tiles(t, eq, rack)}, game.TurnOpened{Until: g.env.Now.Add(rules.Duplicate.TurnTime)})
	var events []game.Event
	for i, f := range facts {
		events = append(events, game.Event{Number: i, At: g.env.Now, Cause: g.env.Cause, Fact: f})
	}
	var err error
	if g.s, err = game.Replay(events); err != nil {
		t.Fatal(err)
	}
	return g
}

func (g *table) submits(seat int, text string) {
	g.Helper()
	g.does(seat, game.Submit{Move: g.move(text)})
}

// ends lets the host end the turn, and returns how it was scored.
func (g *table) ends() game.TurnScored {
	g.Helper()
	return g.does(ann, game.EndTurn{})[0].Fact.(game.TurnScored)
}

// TestDuplicateSeats checks that a late player gets a seat while there is one.
func TestDuplicateSeats(t *testing.T) {
	rules := duplicateRules()
	rules.MaxPlayers = 3
	g := deals(t, rules, 2, "AEHNORT")
	g.does(cat, game.Join{})
	g.refused(cat, game.Join{}, game.AlreadySeated)
	if e := g.refused(dan, game.Join{}, game.NoSeatFree); e.N != 3 {
		t.Errorf("%+v", e)
	}
}

// TestDuplicateTime checks that turns of duplicate end by themselves: there is no pace, clock or
// match.
func TestDuplicateTime(t *testing.T) {
	eq := gametest.Equipment(t)
	for _, rules := range game.RuleSets() {
		rules.Variant = "duplicate"
		rules, _ = gametest.EquipVariant(t, rules)
		if rules.Clock.On || rules.Games != 0 {
			t.Errorf("%s: %+v, %d games", rules.Name, rules.Clock, rules.Games)
		}
		(&table{T: t}).refused(ann, game.Open{Rules: rules, Equipment: eq, Seats: 3, Pace: game.Pace{Turn: day, Late: game.LatePass}}, game.BadSettings)
		rules.Clock = game.Rulebook().Clock
		rules.Clock.On = true
		(&table{T: t}).refused(ann, game.Open{Rules: rules, Equipment: eq, Seats: 3}, game.BadSettings)
		rules.Clock, rules.Duplicate.TurnTime = game.Clock{}, time.Second
		(&table{T: t}).refused(ann, game.Open{Rules: rules, Equipment: eq, Seats: 3}, game.BadSettings)
	}
}

func TestDuplicateTurn(t *testing.T) {
	g := deals(t, duplicateRules(), 3, "AEHNORT")
	g.submits(ann, "8H NOT")
	g.submits(bob, "8H HORN")
	g.submits(cat, "8H TEAR") // not in the small dictionary
	f := g.ends()
	if want := []int{6, 14, 0}; !slices.Equal(f.Scores, want) || f.By != bob || f.Score != 14 {
		t.Errorf("the turn was scored %v, seat %d's play for %d on the board; want %v and seat %d's for 14", f.Scores, f.By, f.Score, want, bob)
	}
	if !slices.Equal(f.Invalid, []game.Tiles{g.tiles("TEAR")}) {
		t.Errorf("invalid: %v", f.Invalid)
	}
	if kept, ok := g.s.Common.Minus(g.tiles("AET")); !ok || len(kept) != 4 {
		t.Errorf("the rack is %s: it keeps AET and is filled to 7", g.s.Equipment.Tiles.Print(g.s.Common))
	}
	if got := g.s.Ranking(); !slices.Equal(got, []int{bob, ann, cat}) {
		t.Errorf("ranking %v", got)
	}
	if want := g.env.Now.Add(3 * time.Minute); !g.s.Until.Equal(want) {
		t.Errorf("the next turn ends at %v, want %v", g.s.Until, want)
	}
}

func TestDuplicateSubmissionIsReplaced(t *testing.T) {
	g := deals(t, duplicateRules(), 2, "AEHNORT")
	g.submits(ann, "8H HORN")
	g.submits(ann, "8H NOT")
	g.submits(bob, "pass")
	if f := g.ends(); f.By != ann || f.Score != 6 || !slices.Equal(f.Scores, []int{6, 0}) {
		t.Errorf("%+v: what Ann submitted last counts", f)
	}
}

func TestDuplicateTieGoesToTheFirst(t *testing.T) {
	g := deals(t, duplicateRules(), 4, "AEHNORT")
	g.submits(ann, "8H HORN")
	g.submits(bob, "H8 HORN")
	g.submits(ann, "8H NOT")
	g.submits(cat, "8E HORN")
	g.submits(ann, "8H HORN") // the same play, but later
	g.submits(dan, "pass")
	if f := g.ends(); f.By != bob || f.Move.Dir != game.Down {
		t.Errorf("seat %d's play is on the board; of equal ones the first that was submitted goes", f.By)
	}
}

func TestDuplicateEndsTheTurn(t *testing.T) {
	g := deals(t, duplicateRules(), 2, "AEHNORT")
	g.refused(ann, game.EndTurn{}, game.TooEarly)
	g.submits(ann, "8H NOT")
	g.refused(ann, game.EndTurn{}, game.TooEarly)
	g.env.Now = g.s.Until.Add(-6 * time.Second) // try adds 5 seconds
	g.submits(ann, "8H HORN")
	g.refused(bob, game.Submit{Move: g.move("8H NOT")}, game.TurnClosed)
	if f := g.ends(); f.By != ann || f.Score != 14 {
		t.Errorf("%+v", f)
	}
	g.refused(ann, game.EndTurn{}, game.TooEarly)

	// Once all have submitted, nothing can be taken back.
	g = deals(t, duplicateRules(), 2, "AEHNORT")
	g.submits(ann, "8H NOT")
	g.submits(bob, "8H HORN")
	g.refused(ann, game.Submit{Move: g.move("8H HORN")}, game.TurnClosed)
}

func TestDuplicateJoinAtAnyTurn(t *testing.T) {
	g := deals(t, duplicateRules(), 2, "AEHNORT")
	seed := g.s.Seed()
	g.submits(ann, "8H NOT")
	g.does(cat, game.Join{})
	g.submits(cat, "8H HORN")
	g.submits(bob, "pass")
	if f := g.ends(); !slices.Equal(f.Scores, []int{6, 0, 14}) {
		t.Errorf("%v", f.Scores)
	}
	g.does(dan, game.Join{})
	if got := g.s.Seats[dan].Score; got != 0 {
		t.Errorf("Dan begins with %d points", got)
	}
	if g.s.Seed() != seed {
		t.Error("who joins later changes the draws")
	}
	g.refused(dan, game.Join{}, game.AlreadySeated)
}

func TestDuplicateRefuses(t *testing.T) {
	g := deals(t, duplicateRules(), 2, "AEHNORT")
	g.refused(ann, game.Play{Move: g.move("8H HORN")}, game.NotHere)
	g.refused(ann, game.Exchange{Tiles: g.tiles("A")}, game.NotHere)
	g.refused(ann, game.Pass{}, game.NotHere)
	g.refused(ann, game.Submit{Move: g.move("exchange A")}, game.NotHere)
	g.refused(ann, game.Submit{}, game.NotHere)
	g.refused(ann, game.Hint{}, game.NotHere)
	g.refused(ann, game.Agree{}, game.NotHere)
	g.refused(ann, game.Challenge{}, game.NotHere)
	g.refused(ann, game.Submit{Move: g.move("8H QUIZ")}, game.NotOnRack)
	g.refused(ann, game.Submit{Move: g.move("1A HORN")}, game.MissesStart)
	g.refused(dan, game.Submit{Move: g.move("8H HORN")}, game.NotPlaying)

	rules := duplicateRules()
	rules.Challenge = game.Void
	g = deals(t, rules, 2, "AEHNORT")
	g.refused(ann, game.Submit{Move: g.move("8H TEAR")}, game.NotAWord)

	g = sit(t, game.Classic(), "AEHNORT", "AAAAAAA")
	g.refused(ann, game.Submit{Move: g.move("8H HORN")}, game.NotHere)
	g.refused(ann, game.EndTurn{}, game.NothingToJudge)
	g.refused(cat, game.Join{}, game.AlreadyStarted)
}

func TestDuplicateTopPlay(t *testing.T) {
	rules := duplicateRules()
	rules.Duplicate.TopPlay = true
	g := deals(t, rules, 2, "AEHNORT")
	g.submits(ann, "8H NOT")
	g.submits(bob, "pass")
	f := g.does(ann, game.EndTurn{Top: g.move("8H HORN")})[0].Fact.(game.TurnScored)
	if f.By != game.Nobody || f.Score != 14 || !slices.Equal(f.Scores, []int{6, 0}) {
		t.Errorf("%+v: the top play goes on the board and scores for nobody", f)
	}
	g = deals(t, rules, 1, "AEHNORT")
	g.submits(ann, "H8 HORN")
	f = g.does(ann, game.EndTurn{Top: g.move("8H HORN")})[0].Fact.(game.TurnScored)
	if f.By != ann || f.Move.Dir != game.Down {
		t.Errorf("%+v: a submission that is as good goes on the board", f)
	}
}

func TestDuplicateEnds(t *testing.T) {
	end := func(g *table) game.EndReason {
		if g.s.End == nil {
			return 0
		}
		return g.s.End.Reason
	}
	t.Run("all tiles played", func(t *testing.T) {
		g := deals(t, duplicateRules(), 2, "AEHNORT")
		g.s.Common = g.tiles("HORN")
		g.bag("")
		g.submits(ann, "8H HORN")
		g.submits(bob, "8H NO")
		g.ends()
		if end(g) != game.WentOut || !slices.Equal(g.s.End.Winners, []int{ann}) || g.s.Seats[bob].Score != 4 {
			t.Errorf("%+v", g.s.End)
		}
	})
	t.Run("empty bag and no play", func(t *testing.T) {
		g := deals(t, duplicateRules(), 2, "VVWWCCX")
		g.bag("")
		g.submits(ann, "8H VVW")
		g.submits(bob, "pass")
		g.ends()
		if end(g) != game.ScorelessEnd || len(g.s.End.Winners) != 2 {
			t.Errorf("%+v", g.s.End)
		}
	})
	t.Run("three idle turns", func(t *testing.T) {
		g := deals(t, duplicateRules(), 2, "AEHNORT")
		for turn := range 3 {
			if end(g) != 0 {
				t.Fatalf("it ended after %d turns", turn)
			}
			g.env.Now = g.s.Until
			g.ends()
		}
		if end(g) != game.ScorelessEnd {
			t.Errorf("%+v", g.s.End)
		}
	})
	t.Run("everybody left", func(t *testing.T) {
		g := deals(t, duplicateRules(), 2, "AEHNORT")
		g.submits(ann, "8H HORN")
		g.does(ann, game.Resign{})
		g.does(bob, game.Resign{})
		if end(g) != game.ResignationEnd {
			t.Errorf("%+v", g.s.End)
		}
	})
	t.Run("no valid play changes the rack", func(t *testing.T) {
		g := deals(t, duplicateRules(), 1, "AEHNORT")
		before := g.s.Bag
		g.submits(ann, "8H THRAN")
		f := g.does(ann, game.EndTurn{})[1].Fact.(game.RackDrawn)
		if f.Put != g.tiles("AEHNORT") || len(f.Drew) != 7 || len(g.s.Bag) != len(before) {
			t.Errorf("%+v", f)
		}
	})
}

func TestDuplicateMakeup(t *testing.T) {
	for _, c := range []struct {
		name, rack, bag string
		turns           int
		redrawn         bool
	}{
		{"two of each", "AENTTTT", "AAEETTNN", 3, false},
		{"one consonant", "AAEEIIT", "AAEETTNN", 3, true},
		{"one vowel", "ATTNNRR", "AAEETTNN", 14, true},
		{"one vowel, later", "ATTNNRR", "AAEETTNN", 15, false},
		{"no vowel, later", "STTNNRR", "AAEETTNN", 15, true},
		{"a blank is a vowel", "A?TTNNR", "AAEETTNN", 3, false},
		{"a blank is not both", "?AEEIIO", "AAEETTNN", 3, true},
		{"two blanks", "??TTNNR", "AAEETTNN", 3, false},
		{"there is one vowel in all", "ATTNNRR", "TTNN", 3, false},
		{"there is one vowel in all, in the bag", "STTNNRR", "ATTNN", 3, true},
		{"nothing to draw from", "STTNNRR", "", 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Four more tiles are on the rack, and go on the board.
			g := deals(t, duplicateRules(), 1, "AEHNORT")
			g.s.Common, g.s.Turns = g.tiles(c.rack), c.turns-1
			g.bag(c.bag)
			g.s.Common += g.tiles("HORN")
			g.submits(ann, "8H HORN")
			events := g.does(ann, game.EndTurn{})
			redrawn := false
			for _, e := range events {
				f, ok := e.Fact.(game.RackDrawn)
				redrawn = redrawn || ok && f.Put != ""
			}
			if redrawn != c.redrawn {
				t.Errorf("redrawn %t", redrawn)
			}
		})
	}
}

// TestRandomDuplicate plays whole games between 1 and 120 players.
func TestRandomDuplicate(t *testing.T) {
	seen := map[string]int{}
	slow := gametest.Duplicate(12 * time.Hour)
	counts := []int{1, 4, 9}
	if gametest.Long() {
		counts = append(counts, 2, 120)
	}
	for _, players := range counts {
		for _, seed := range gameSeeds() {
			for _, rules := range []game.Rules{slow, voided(slow), topped(slow)} {
				name := fmt.Sprintf("%d players, %s, top %t, seed %d", players, rules.Challenge, rules.Duplicate.TopPlay, seed)
				t.Run(name, func(t *testing.T) {
					auditDuplicate(t, gametest.RandomDuplicate(t, seed, players, rules), seen)
				})
			}
		}
	}
	for _, what := range []string{"late join", "resigned", "redrawn", "phony", "tie", "nobody's", "no play", "end 2"} {
		if seen[what] == 0 {
			t.Errorf("among all the games there was no %s", what)
		}
	}
	t.Log(seen)
}

func voided(r game.Rules) game.Rules { r.Challenge = game.Void; return r }
func topped(r game.Rules) game.Rules { r.Duplicate.TopPlay = true; return r }

// auditDuplicate checks a game against a simple bookkeeper.
func auditDuplicate(t *testing.T, events []game.Event, seen map[string]int) {
	all := gametest.Equipment(t).Tiles.All().Sorted()
	dict := gametest.SmallDictionary(t)
	var s game.State
	handed := map[int]game.Submitted{}
	var order []int
	scores := map[int]int{}
	for _, e := range events {
		before := s
		s = s.Apply(e)
		if got := (s.Board.Tiles().Faces() + s.Common + s.Bag).Sorted(); got != all {
			t.Fatalf("event %d: %d tiles, %d in the set", e.Number, len(got), len(all))
		}
		switch f := e.Fact.(type) {
		case game.Joined:
			if before.Phase == game.Playing {
				seen["late join"]++
			}
		case game.Resigned:
			seen["resigned"]++
			delete(handed, f.Seat)
		case game.RackDrawn:
			if f.Put != "" {
				seen["redrawn"]++
			}
		case game.Submitted:
			handed[f.Seat] = f
			order = append(slices.DeleteFunc(order, func(i int) bool { return i == f.Seat }), f.Seat)
		case game.TurnScored:
			best, by, top := 0, game.Nobody, 0
			for _, seat := range order {
				sub, in := handed[seat]
				if !in || sub.Move.Kind != game.PlayTiles {
					continue
				}
				valid := !slices.ContainsFunc(sub.Words, func(w game.ScoredWord) bool { return !dict.Has(w.Letters()) })
				if !valid {
					seen["phony"]++
					if before.Rules.Challenge == game.Void {
						t.Fatalf("event %d: an invalid submission under the void rule", e.Number)
					}
					continue
				}
				scores[seat] += sub.Score
				switch {
				case by == game.Nobody || sub.Score > best:
					best, by, top = sub.Score, seat, 1
				case sub.Score == best:
					top++
				}
			}
			if top > 1 {
				seen["tie"]++
			}
			switch {
			case f.Move.Kind == game.PassTurn:
				seen["no play"]++
			case f.By == game.Nobody:
				seen["nobody's"]++
				if f.Score <= best && by != game.Nobody {
					t.Fatalf("event %d: the top play is for %d, a player had %d", e.Number, f.Score, best)
				}
			case f.By != by || f.Score != best || !reflect.DeepEqual(f.Move, handed[by].Move):
				t.Fatalf("event %d: seat %d's play for %d is on the board, want seat %d's for %d", e.Number, f.By, f.Score, by, best)
			}
			for i, seat := range s.Seats {
				if seat.Score != scores[i] {
					t.Fatalf("event %d: seat %d has %d points, want %d", e.Number, i, seat.Score, scores[i])
				}
			}
			clear(handed)
			order = nil
		case game.Ended:
			seen[fmt.Sprintf("end %d", f.Reason)]++
		}
	}
	if s.Phase != game.Over || s.End == nil {
		t.Fatal("the game isn't over")
	}
	again, err := game.Replay(events)
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Fatalf("the log does not replay to what was played (%v)", err)
	}
}

// FuzzDuplicate sends a game actions by anyone, at any time, with any tiles. It must never panic,
// and rejected actions must change nothing.
func FuzzDuplicate(f *testing.F) {
	f.Add("s0 8H HORN|s1 pass|e|j2|s2 8H NOT|r0|e")
	f.Add("t|e|t|e|t|e|s0 8H HORN")
	f.Add("s0 9Z QQQQQQQQQ|p0|x0|s3 8H HORN|j0|j1|j1")
	f.Add("s0 exchange A|s0 H8 HORN|s0 8H nOTHER|s1 1A ?|e")
	f.Fuzz(func(t *testing.T, script string) {
		g := deals(t, duplicateRules(), 2, "AEHNORT")
		all := len(g.s.Equipment.Tiles.All())
		for _, step := range strings.SplitN(script, "|", 100) {
			what, rest, _ := strings.Cut(step, " ")
			if what == "" {
				continue
			}
			who := ann
			if len(what) > 1 {
				who = int(what[1]) % len(gametest.People)
			}
			var a game.Action
			switch what[0] {
			case 's':
				m, ok := anyMove(g.s.Equipment, rest)
				if !ok {
					continue
				}
				a = game.Submit{Move: m}
			case 'e':
				a = game.EndTurn{}
			case 'j':
				a = game.Join{}
			case 'r':
				a = game.Resign{}
			case 'p':
				a = game.Pass{}
			case 'x':
				a = game.Exchange{Tiles: g.s.Common}
			case 't':
				if g.s.Until.After(g.env.Now) {
					g.env.Now = g.s.Until
				}
				continue
			default:
				continue
			}
			events, err := g.try(who, a)
			if err != nil {
				ruleError(t, err)
			}
			for _, e := range events {
				g.s = g.s.Apply(e)
			}
			if n := len(g.s.Board.Tiles()) + len(g.s.Common) + len(g.s.Bag); n != all {
				t.Fatalf("%q: %d tiles of %d", step, n, all)
			}
		}
	})
}

// anyMove parses a move, however wrong.
func anyMove(eq game.Equipment, text string) (game.Move, bool) {
	first, rest, _ := strings.Cut(text, " ")
	switch first {
	case "pass":
		return game.Move{Kind: game.PassTurn}, true
	case "exchange":
		return game.Move{Kind: game.ExchangeTiles}, true
	}
	at, dir, err := game.ParseAt(first)
	if err != nil {
		return game.Move{}, false
	}
	tiles, err := eq.Tiles.Parse(rest)
	if err != nil {
		return game.Move{}, false
	}
	return game.Move{Kind: game.PlayTiles, At: at, Dir: dir, Tiles: tiles}, true
}
