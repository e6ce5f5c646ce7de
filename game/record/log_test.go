package record_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// facts returns one fact of every kind, with every field set.
func facts(eq game.Equipment) []game.Fact {
	tiles := func(s string) game.Tiles {
		ts, err := eq.Tiles.Parse(s)
		if err != nil {
			panic(err)
		}
		return ts
	}
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	ann, bob := game.Person{ID: "ann", Name: "Ann <&>"}, game.Person{ID: "bob", Name: "Bób"}
	at := game.Square{Row: 7, Col: 6}
	return []game.Fact{
		game.Opened{
			Rules: game.Rules{
				Name: "odd", MinPlayers: 2, MaxPlayers: 3, DefaultSeats: 2, UseLetter: true, RackSize: 8, Bonus: 40, BonusTiles: 6, ExchangeMin: 5,
				Challenge: game.TenPoint, ChallengeTime: 90 * time.Minute, ScorelessTurns: 4, ZeroPlays: true,
				OutBonus: game.OutDouble, Agreement: true, WordCheck: true, Hints: true, Unrated: true, Variant: "odd",
				Duplicate: game.Duplicate{TurnTime: time.Hour, TopPlay: true, IdleTurns: 3},
				Order:     game.Voted, Games: 2, Elect: true, PassRounds: 2, TieBreak: true,
				Clock: game.Clock{On: true, Time: time.Hour, Penalty: 7, Increment: time.Second, Limit: time.Minute, Loses: true},
			},
			Pace:      game.Pace{Turn: 72 * time.Hour, Bank: 24 * time.Hour, Weekend: zone, Late: game.LateClaim},
			Equipment: eq,
			Lexicon:   game.LexiconID{Name: "en", Hash: "abc", Added: "ZZZ", Removed: "AE QI"},
			Secret:    game.Secret{1, 2, 31: 255},
			Host:      ann, Seats: 3, Invited: []game.Person{ann, bob}, First: bob,
			Earlier: []game.Standing{{Player: bob, Wins: 1, Points: 300}},
		},
		game.Joined{Person: bob},
		game.Left{Seat: 1},
		game.Closed{},
		game.Started{},
		game.Timed{Seat: 1, Took: 90 * time.Second},
		game.Polled{Until: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)},
		game.Balloted{Seat: 1, Order: []int{1, 0}},
		game.Ordered{Order: []int{1, 0}, Among: 2},
		game.OrderDrawn{Seats: []int{0, 2}, Tiles: tiles("A?")},
		game.Dealt{First: 1, Racks: []game.Tiles{tiles("AA?"), tiles("LLO")}, Vowels: []int{1, 0}},
		game.Played{
			Seat:  1,
			Move:  game.Move{Kind: game.PlayTiles, At: at, Dir: game.Down, Tiles: tiles("Al.O")},
			Words: []game.ScoredWord{{Tiles: tiles("AlLO"), At: at, Dir: game.Down, Score: 7}, {Tiles: tiles("OO"), At: at, Dir: game.Across, Score: 2}},
			Score: 9, Drew: tiles("?A"), Vowels: 2,
		},
		game.Exchanged{Seat: 1, Put: tiles("A?"), Drew: tiles("LO"), Vowels: 1},
		game.Passed{Seat: 1},
		game.TurnLost{Seat: 1},
		game.Challenged{By: 1, Player: 2, Words: []game.Tiles{tiles("AlLO"), tiles("OO")}, Invalid: []game.Tiles{tiles("OO")}, Bonus: 10, Cost: 7, LosesTurn: true, LosesGame: true},
		game.LastPlay{Until: time.Date(2026, 2, 3, 4, 5, 6, 7e6, time.UTC)},
		game.Accepted{Seat: 1},
		game.Resigned{Seat: 1},
		game.Agreed{Seat: 1},
		game.Hinted{Seat: 1},
		game.TimedOut{Seat: 1},
		game.Claimed{By: 2, Seat: 1},
		game.Waited{By: 1},
		game.WentAway{Seat: 1, Until: time.Date(2026, 2, 3, 4, 5, 6, 7e6, time.UTC)},
		game.CameBack{Seat: 1},
		game.Vacated{Seat: 1},
		game.Adopted{Seat: 1, Person: bob},
		game.BagSplit{Vowels: tiles("AAO?")},
		game.Preferred{Seat: 1, Vowels: 4},
		game.SetUp{Board: board(tiles("A.l")), Printed: board(tiles("L")), Aside: true, Fitted: true},
		game.Lifted{Seat: 1, Squares: []game.Square{{Row: 7, Col: 6}, {Row: 20, Col: 20}}, Tiles: tiles("Al"), Score: 1, Last: true},
		game.RackDrawn{Put: tiles("A?"), Drew: tiles("LO")},
		game.TurnOpened{Until: time.Date(2026, 2, 3, 4, 5, 6, 7e6, time.UTC)},
		game.Submitted{
			Seat: 1, Move: game.Move{Kind: game.PlayTiles, At: at, Dir: game.Down, Tiles: tiles("Al.O")},
			Words: []game.ScoredWord{{Tiles: tiles("AlLO"), At: at, Dir: game.Down, Score: 7}}, Score: 7,
		},
		game.TurnScored{
			By: 1, Move: game.Move{Kind: game.PlayTiles, At: at, Dir: game.Down, Tiles: tiles("Al.O")},
			Words: []game.ScoredWord{{Tiles: tiles("AlLO"), At: at, Dir: game.Down, Score: 7}}, Score: 7,
			Scores: []int{0, 7}, Invalid: []game.Tiles{tiles("OO")},
		},
		game.Ended{Reason: game.TripleEnd, By: bob, Racks: []game.Tiles{tiles("A"), ""}, Adjust: []int{-1, 1}, Winners: []int{1}, Overtime: []int{0, 10}},
	}
}

// board returns a board with some tiles on its third row.
func board(ts game.Tiles) game.Board {
	var b game.Board
	b.Lay(game.Move{Kind: game.PlayTiles, At: game.Square{Row: 2, Col: 1}, Dir: game.Across, Tiles: ts})
	return b
}

// TestEventsRoundTrip checks that no field of an event is lost, including fields added later.
func TestEventsRoundTrip(t *testing.T) {
	for _, eq := range []game.Equipment{gametest.Equipment(t), spanish(t)} {
		for i, f := range facts(eq) {
			if zero := zeroField(reflect.ValueOf(f)); zero != "" {
				t.Errorf("%T%s is zero in this test, which would not see it lost", f, zero)
			}
			want := game.Event{Number: i, At: time.Date(2026, 3, 1, 12, 0, 0, 5e6, time.UTC), Cause: "request", Fact: f}
			data, err := record.MarshalEvent(eq.Tiles, want)
			if err != nil {
				t.Errorf("%T: %v", f, err)
				continue
			}
			got, err := record.UnmarshalEvent(eq.Tiles, data)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v\nis stored as %s\nand comes back as %+v (%v)", want, data, got, err)
			}
		}
	}
}

// zeroField returns the name of a struct's field that is zero, if any.
func zeroField(v reflect.Value) string {
	if v.Kind() != reflect.Struct || v.Type().Implements(reflect.TypeFor[fmt.Stringer]()) {
		return "" // a time, or a choice stored by its name
	}
	for i := range v.NumField() {
		name := "." + v.Type().Field(i).Name
		if v.Field(i).IsZero() {
			return name
		}
		if inner := zeroField(v.Field(i)); inner != "" {
			return name + inner
		}
	}
	return ""
}

func TestStoredEventForm(t *testing.T) {
	eq := gametest.Equipment(t)
	for _, f := range facts(eq) {
		p, ok := f.(game.Played)
		if !ok {
			continue
		}
		e := game.Event{Number: 9, At: time.Date(2026, 3, 1, 13, 0, 0, 0, time.FixedZone("", 3600)), Cause: "r-7", Fact: p}
		got, err := record.MarshalEvent(eq.Tiles, e)
		want := `{"v":1,"n":9,"at":"2026-03-01T12:00:00.000Z","cause":"r-7","kind":"played","fact":` +
			`{"seat":1,"at":"G8","tiles":"Al.O","words":[{"at":"G8","tiles":"AlLO","score":7},{"at":"8G","tiles":"OO","score":2}],"score":9,"drew":"?A","vowels":2}}`
		if err != nil || string(got) != want {
			t.Errorf("stored as\n%s (%v)\nwant\n%s", got, err, want)
		}
	}
}

func TestMarshalEventErrors(t *testing.T) {
	set := gametest.Equipment(t).Tiles
	for name, c := range map[string]struct {
		set  *game.TileSet
		fact game.Fact
		want string
	}{
		"no tile set":           {nil, game.Exchanged{Put: game.TilesOf(1)}, "unknown tile set"},
		"a tile of no set":      {set, game.Exchanged{Put: game.TilesOf(60)}, "can't be written"},
		"a square of no board":  {set, game.Played{Move: game.Move{Kind: game.PlayTiles, At: game.Square{Row: -1}, Dir: game.Down}}, "isn't a square"},
		"no direction":          {set, game.Played{Move: game.Move{Kind: game.PlayTiles}}, "isn't a square"},
		"a play that is a pass": {set, game.Played{Move: game.Move{Kind: game.PassTurn, Dir: game.Down}}, "lays no tiles"},
		"an end without reason": {set, game.Ended{}, "the reason 0 has no name"},
		"a table without tiles": {nil, game.Opened{}, "unknown tile set"},
		"nothing":               {set, nil, "can't be stored"},
	} {
		if _, err := record.MarshalEvent(c.set, game.Event{Number: 4, Fact: c.fact}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func TestUnmarshalEventErrors(t *testing.T) {
	set := gametest.Equipment(t).Tiles
	const start = `{"v":1,"n":4,"at":"2026-03-01T12:00:00.000Z","cause":"r",`
	for name, c := range map[string]struct{ data, want string }{
		"nothing":              {``, "stored event: EOF"},
		"no JSON":              {`played`, "stored event: invalid character"},
		"a later version":      {`{"v":2,"what":"ever"}`, "it has format 2, and this program reads up to 1: use a newer one"},
		"no version":           {`{"n":4,"kind":"closed","fact":{}}`, "it has format 0"},
		"an unknown kind":      {start + `"kind":"plaid","fact":{}}`, `stored event 4: unknown kind "plaid"`},
		"an unknown field":     {start + `"kind":"passed","fact":{"seat":1,"why":"tired"}}`, `stored event 4, passed: json: unknown field "why"`},
		"another field":        {start + `"kind":"passed","fact":{},"why":1}`, `unknown field "why"`},
		"no fact":              {start + `"kind":"passed"}`, "stored event 4: it has no fact"},
		"a fact of null":       {start + `"kind":"passed","fact":null}`, "stored event 4: it has no fact"},
		"two objects":          {start + `"kind":"closed","fact":{}}{}`, "something follows"},
		"no time":              {`{"v":1,"n":4,"at":"noon","kind":"closed","fact":{}}`, `stored event 4: "noon" isn't a time`},
		"a tile of no set":     {start + `"kind":"exchanged","fact":{"seat":0,"put":"A1","drew":""}}`, `stored event 4, exchanged: '1' not in the alphabet`},
		"a square of no board": {start + `"kind":"played","fact":{"at":"88H"}}`, `stored event 4, played: "88H" is not a square`},
		"no such end":          {start + `"kind":"ended","fact":{"reason":"boredom"}}`, `unknown end "boredom"`},
		"an end unnamed":       {start + `"kind":"ended","fact":{"reason":""}}`, `unknown end ""`},
		"no such rule":         {start + `"kind":"opened","fact":{"rules":{"challenge":"duel"}}}`, `unknown challenge rule "duel"`},
	} {
		_, err := record.UnmarshalEvent(set, []byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if _, err := record.UnmarshalLog([][]byte{[]byte(start + `"kind":"dealt","fact":{"racks":["A"]}}`)}); err == nil || !strings.Contains(err.Error(), "unknown tile set") {
		t.Errorf("a log without its first event: error %v", err)
	}
}

// FuzzUnmarshalEvent checks that parsed events are written the same and parse to the same.
func FuzzUnmarshalEvent(f *testing.F) {
	sets := []game.Equipment{gametest.Equipment(f), spanish(f)}
	for _, eq := range sets {
		for i, fact := range facts(eq) {
			data, err := record.MarshalEvent(eq.Tiles, game.Event{Number: i, Fact: fact})
			gametest.Must(f, err)
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, eq := range sets {
			e, err := record.UnmarshalEvent(eq.Tiles, data)
			if err != nil {
				continue
			}
			set := eq.Tiles
			if opened, ok := e.Fact.(game.Opened); ok {
				set = opened.Equipment.Tiles
			}
			again, err := record.MarshalEvent(set, e)
			if err != nil {
				t.Fatalf("%s\nreads as %+v, and: %v", data, e, err)
			}
			e2, err := record.UnmarshalEvent(set, again)
			if err != nil || !sameJSON(t, set, e, e2) {
				t.Errorf("%s\nreads as %+v, which is stored as\n%s, which reads as %+v (%v)", data, e, again, e2, err)
			}
			game.Replay([]game.Event{e}) // only checks that it doesn't panic
		}
	})
}

// sameJSON reports whether two events are equal, treating nil and empty lists alike.
func sameJSON(t *testing.T, set *game.TileSet, a, b game.Event) bool {
	t.Helper()
	one, err1 := record.MarshalEvent(set, a)
	two, err2 := record.MarshalEvent(set, b)
	return err1 == nil && err2 == nil && bytes.Equal(one, two) && json.Valid(one)
}

// BenchmarkUnmarshalLog measures parsing a whole log, which a host does for every command.
func BenchmarkUnmarshalLog(b *testing.B) {
	lines, err := record.MarshalLog(gametest.Log(b, 60))
	gametest.Must(b, err)
	for b.Loop() {
		if _, err := record.UnmarshalLog(lines); err != nil {
			b.Fatal(err)
		}
	}
}

// TestEveryFactForgetsPerson checks that renaming removes a person from every fact and changes
// nothing else.
func TestEveryFactForgetsPerson(t *testing.T) {
	eq := gametest.Equipment(t)
	gone := game.Person{ID: "former:1", Name: "former player"}
	named := 0
	for i, f := range facts(eq) {
		e := game.Event{Number: i, Cause: "request", Fact: f}
		for _, p := range e.People() {
			named++
			after := e.Rename(p.ID, gone)
			data, err := record.MarshalEvent(eq.Tiles, after)
			gametest.Must(t, err)
			if text := string(data); strings.Contains(text, `"`+string(p.ID)+`"`) || !strings.Contains(text, string(gone.ID)) {
				t.Errorf("%T still names %s: %s", f, p.ID, text)
			}
			if back := after.Rename(gone.ID, p); !reflect.DeepEqual(back, e) {
				t.Errorf("%T: renamed and back it is %+v, and was %+v", f, back, e)
			}
		}
		data, err := record.MarshalEvent(eq.Tiles, e)
		gametest.Must(t, err)
		for _, id := range []string{`"ann"`, `"bob"`} {
			if strings.Contains(string(data), id) && len(e.People()) == 0 {
				t.Errorf("%T names %s, but says that it names nobody", f, id)
			}
		}
	}
	if named < 4 {
		t.Errorf("only %d persons in all the facts", named)
	}
}
