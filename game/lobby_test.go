package game_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// opened returns a table that Ann has opened.
func opened(t *testing.T, seats int, invited ...game.Person) *table {
	t.Helper()
	g := &table{T: t, env: game.Env{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Secret: game.Secret{1, 2, 3}}}
	g.does(ann, game.Open{Rules: game.Classic(), Equipment: gametest.Equipment(t), Lexicon: gametest.Lexicon, Seats: seats, Invited: invited})
	return g
}

func (g *table) wantSeats(people ...int) {
	g.Helper()
	var got, want []game.PlayerID
	for _, seat := range g.s.Seats {
		got = append(got, seat.Person.ID)
	}
	for _, p := range people {
		want = append(want, gametest.People[p].ID)
	}
	if !slices.Equal(got, want) {
		g.Errorf("at the table sit %q, want %q", got, want)
	}
}

func TestOpen(t *testing.T) {
	g := opened(t, 3)
	if g.s.Phase != game.Lobby || g.s.Number != 2 || g.s.SeatCount != 3 || g.s.Host != gametest.People[ann] || g.s.Lexicon != gametest.Lexicon || len(g.s.Bag) != 100 {
		t.Errorf("%+v", g.s)
	}
	if g.s.Secret != (game.Secret{1, 2, 3}) || g.s.Seats[0].Joined != "request-1" {
		t.Error("the table lacks what its seed is made from")
	}
	g.wantSeats(ann)
	g.refused(bob, game.Open{Rules: game.Classic(), Equipment: g.s.Equipment, Seats: 2}, game.TableOpenAlready)
}

// TestOpenAgain checks that after a table is over or closed, another can be opened, with a log of
// its own and nothing left of the old one.
func TestOpenAgain(t *testing.T) {
	for name, end := range map[string][]game.Action{
		"played": {game.Join{}, game.Resign{}}, // Bob resigns
		"closed": nil,
	} {
		t.Run(name, func(t *testing.T) {
			g := opened(t, 2)
			for _, a := range end {
				g.does(bob, a)
			}
			if end == nil {
				g.does(ann, game.Leave{})
			}
			if g.s.Phase != game.Over || g.s.Ended.IsZero() {
				t.Fatalf("phase %d", g.s.Phase)
			}
			events, err := g.try(cat, game.Open{Rules: game.Club(), Equipment: g.s.Equipment, Seats: 4})
			if err != nil || len(events) != 2 || events[0].Number != 0 || events[1].Number != 1 {
				t.Fatalf("%+v, %v", events, err)
			}
			if s, err := game.Replay(events); err != nil || len(s.Seats) != 1 || s.End != nil || len(s.Bag) != 100 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
}

func TestOpenRefused(t *testing.T) {
	eq := gametest.Equipment(t)
	set := func(text string) *game.TileSet {
		s, err := game.ParseTileSet("test", text)
		gametest.Must(t, err)
		return s
	}
	for _, c := range []struct {
		name   string
		change func(*game.Open)
		code   game.Code
	}{
		{"alone", func(a *game.Open) { a.Seats = 1 }, game.TooFewPlayers},
		{"nobody", func(a *game.Open) { a.Seats = -1 }, game.TooFewPlayers},
		{"five", func(a *game.Open) { a.Seats = 5 }, game.TooManyPlayers},
		{"no tiles", func(a *game.Open) { a.Equipment.Tiles = nil }, game.BadSettings},
		{"an empty tile set", func(a *game.Open) { a.Equipment.Tiles = &game.TileSet{} }, game.BadSettings},
		{"no board", func(a *game.Open) { a.Equipment.Layout = game.Layout{} }, game.BadSettings},
		{"a board that isn't one", func(a *game.Open) { a.Equipment.Layout.Text = "...........................\n" }, game.BadSettings},
		{"no rules", func(a *game.Open) { a.Rules = game.Rules{MaxPlayers: 4} }, game.BadSettings},
		{"no challenge rule", func(a *game.Open) { a.Rules.Challenge = game.ChallengeRule{} }, game.BadSettings},
		{"an unknown one", func(a *game.Open) { a.Rules.Challenge = game.ChallengeRule{Name: "7-point", Cost: 7} }, game.BadSettings},
		{"no out bonus", func(a *game.Open) { a.Rules.OutBonus = game.OutBonus{} }, game.BadSettings},
		{"no racks", func(a *game.Open) { a.Rules.RackSize = 0 }, game.BadSettings},
		{"too few tiles for the racks", func(a *game.Open) { a.Equipment.Tiles = set("A\t6\t1\nB\t7\t1\n") }, game.BadSettings},
		{"turns of less than no time", func(a *game.Open) { a.Pace.Turn = -time.Hour }, game.BadSettings},
		{"a bank of less than no time", func(a *game.Open) { a.Pace = game.Pace{Turn: time.Hour, Bank: -time.Hour, Late: game.LatePass} }, game.BadSettings},
		{"turns that end in nothing", func(a *game.Open) { a.Pace.Turn = time.Hour }, game.BadSettings},
		{"one sort of tiles, which draws for ever", func(a *game.Open) { a.Equipment.Tiles = set("A\t100\t1\n") }, game.BadSettings},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := game.Open{Rules: game.Classic(), Equipment: eq, Seats: 2}
			c.change(&a)
			g := &table{T: t}
			e := g.refused(ann, a, c.code)
			if e.Code == game.BadSettings && e.Flaw == 0 || e.Code == game.TooFewPlayers && (e.N != a.Seats || e.Need != 2) {
				t.Errorf("%+v", e)
			}
		})
	}
	t.Run("just enough tiles", func(t *testing.T) {
		g := &table{T: t}
		g.does(ann, game.Open{Rules: game.Classic(), Equipment: game.Equipment{Layout: eq.Layout, Tiles: set("A\t7\t1\nB\t7\t1\n")}, Seats: 2})
		g.does(bob, game.Join{})
		if g.s.Phase != game.Playing || g.s.Bag != "" {
			t.Errorf("phase %d, %d tiles in the bag", g.s.Phase, len(g.s.Bag))
		}
	})
}

func TestJoinAndLeave(t *testing.T) {
	g := opened(t, 3)
	g.refused(ann, game.Join{}, game.AlreadySeated)
	g.refused(bob, game.Leave{}, game.NotPlaying)
	g.does(bob, game.Join{})
	g.does(ann, game.Leave{}) // the host may leave
	g.wantSeats(bob)
	g.does(ann, game.Join{})
	g.wantSeats(bob, ann)
	if got := g.s.Seats[1].Joined; got != "request-6" {
		t.Errorf("Ann sits by %s, want her second joining", got)
	}
	g.does(cat, game.Join{}) // the last seat: the game starts
	g.wantSeats(bob, ann, cat)
	g.wantOpen()
	if g.s.Started != g.env.Now {
		t.Errorf("started at %v", g.s.Started)
	}
	g.refused(dan, game.Join{}, game.AlreadyStarted)
	g.refused(ann, game.Leave{}, game.AlreadyStarted)
}

func TestEverybodyLeaves(t *testing.T) {
	g := opened(t, 2)
	events := g.does(ann, game.Leave{})
	if _, ok := events[len(events)-1].Fact.(game.Closed); !ok || g.s.Phase != game.Over || g.s.End != nil {
		t.Errorf("%+v", events)
	}
	g.refused(bob, game.Join{}, game.GameOver)
}

func TestStart(t *testing.T) {
	g := opened(t, 4)
	if e := g.refused(ann, game.Start{}, game.TooFewPlayers); e.N != 1 || e.Need != 2 {
		t.Errorf("%+v", e)
	}
	g.does(bob, game.Join{})
	g.refused(cat, game.Start{}, game.NotPlaying)
	g.does(bob, game.Start{})
	g.wantOpen()
	g.wantSeats(ann, bob)
	for _, seat := range g.s.Seats {
		if len(seat.Rack) != 7 {
			t.Errorf("%s holds %d tiles", seat.Person.Name, len(seat.Rack))
		}
	}
	if len(g.s.Bag) != 86 || g.s.Turn != g.s.First {
		t.Errorf("%d tiles in the bag; %d begins, %d is to move", len(g.s.Bag), g.s.First, g.s.Turn)
	}
}

// TestTableForOne checks that a table for one is full at once and the game starts.
func TestTableForOne(t *testing.T) {
	rules := game.Classic()
	rules.MinPlayers = 1
	g := &table{T: t}
	g.does(ann, game.Open{Rules: rules, Equipment: gametest.Equipment(t), Seats: 1})
	g.refused(bob, game.Join{}, game.AlreadyStarted)
	if g.s.Phase != game.Playing || len(g.s.Seats[0].Rack) != 7 {
		t.Errorf("phase %d, %d tiles", g.s.Phase, len(g.s.Seats[0].Rack))
	}
}

func TestInvited(t *testing.T) {
	g := opened(t, 3, gametest.People[bob], gametest.People[cat])
	g.refused(dan, game.Join{}, game.NotInvited)
	g.does(bob, game.Join{})
	g.does(ann, game.Leave{})
	g.does(ann, game.Join{}) // the person who opened the table may come back
	g.does(cat, game.Join{})
	g.wantOpen()
}

// TestOrderDrawn checks that the tile nearest to A goes first, a blank is best, and equals draw
// again (000 starting the game, 004).
func TestOrderDrawn(t *testing.T) {
	for _, c := range []struct {
		seats []int
		tiles string
		best  []int
	}{
		{[]int{ann, bob}, "BA", []int{bob}},
		{[]int{ann, bob}, "AB", []int{ann}},
		{[]int{ann, bob}, "A?", []int{bob}},
		{[]int{ann, bob}, "??", []int{ann, bob}},
		{[]int{ann, bob}, "EE", []int{ann, bob}},
		{[]int{ann, bob, cat}, "EAE", []int{bob}},
		{[]int{ann, bob, cat}, "EZE", []int{ann, cat}},
		{[]int{ann, bob, cat, dan}, "?A?B", []int{ann, cat}},
		{[]int{bob, dan}, "ZY", []int{dan}},
		{[]int{cat}, "Q", []int{cat}},
	} {
		f := game.OrderDrawn{Seats: c.seats, Tiles: gametest.Tiles(t, gametest.Equipment(t), c.tiles)}
		if got := f.Best(); !slices.Equal(got, c.best) {
			t.Errorf("seats %v draw %s: %v, want %v", c.seats, c.tiles, got, c.best)
		}
	}
}

// TestFirstTurn starts many tables and checks that the best draw goes first, equals draw again, and
// all draws are public.
func TestFirstTurn(t *testing.T) {
	redrawn := 0
	for players := 2; players <= 4; players++ {
		for n := range 60 {
			g := &table{T: t, env: game.Env{Secret: game.Secret{byte(n), byte(players)}}}
			g.does(ann, game.Open{Rules: game.Classic(), Equipment: gametest.Equipment(t), Seats: players})
			var events []game.Event
			for i := 1; i < players; i++ {
				events = g.does(i, game.Join{})
			}
			draws := events[2 : len(events)-1] // Joined, Started, draws, Dealt
			still := g.s.Active()
			for _, e := range draws {
				f := e.Fact.(game.OrderDrawn)
				if !slices.Equal(f.Seats, still) || len(f.Tiles) != len(still) {
					t.Fatalf("%v draw, want %v", f.Seats, still)
				}
				still = f.Best()
			}
			if len(still) != 1 || events[len(events)-1].Fact.(game.Dealt).First != still[0] || g.s.Turn != still[0] {
				t.Fatalf("%v are best, %d begins", still, g.s.Turn)
			}
			redrawn += len(draws) - 1
		}
	}
	if redrawn == 0 {
		t.Error("nobody drew equal tiles")
	}
}

// TestRuleSets checks the table of RULES.md.
func TestRuleSets(t *testing.T) {
	for name, r := range map[string]game.Rules{"classic": game.Classic(), "club": game.Club()} {
		club := name == "club"
		if r.Name != name || r.MinPlayers != 2 || r.MaxPlayers != 4 || r.RackSize != 7 || r.Bonus != 50 || r.BonusTiles != 7 ||
			r.ExchangeMin != 7 || r.Challenge != game.Single || r.ScorelessTurns != 6 || r.ChallengeTime <= 0 ||
			r.ZeroPlays == club || r.Agreement != club || r.WordCheck == club || (r.OutBonus == game.OutDouble) != club {
			t.Errorf("%+v", r)
		}
	}
	if sets := game.RuleSets(); len(sets) < 2 || sets[0] != game.Classic() || sets[1] != game.Club() {
		t.Errorf("%+v", sets)
	}
}

// TestChoices checks that each choice for a table is found by its name, and that names are unique.
func TestChoices(t *testing.T) {
	found(t, game.ChallengeRules(), game.ParseChallengeRule)
	found(t, game.Orders(), game.ParseOrder)
	found(t, game.OutBonuses(), game.ParseOutBonus)
	found(t, game.Lates(), game.ParseLate)
}

func found[T interface {
	comparable
	fmt.Stringer
}](t *testing.T, all []T, parse func(string) (T, bool)) {
	t.Helper()
	if len(all) < 2 {
		t.Errorf("there is no choice: %v", all)
	}
	for _, c := range all {
		if got, ok := parse(c.String()); !ok || got != c || c.String() == "" {
			t.Errorf("%+v is read as %+v", c, got)
		}
	}
	for _, bad := range []string{"", "Void", "none"} {
		if got, ok := parse(bad); ok {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}
