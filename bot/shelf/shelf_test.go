package shelf_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

type value struct {
	V    int      `json:"v"`
	Text string   `json:"text,omitempty"`
	Of   []string `json:"of,omitempty"`
}

type atTable = shelf.Pair[shelf.Table, shelf.Person]

// room returns a room and its notes.
func room() (*shelf.Room, bot.Notes) {
	n := memory.New().Notes("host")
	return shelf.NewRoom(n, strings.NewReader(strings.Repeat("?", 64))), n
}

func panics(fn func()) (said string) {
	defer func() {
		if r := recover(); r != nil {
			said = fmt.Sprint(r)
		}
	}()
	fn()
	return ""
}

// The stored names of shelves and keys never change.
func TestStoredKeysNeverChange(t *testing.T) {
	r, notes := room()
	own := r.Owner("a")
	put := func(name string, err error) {
		if err != nil {
			t.Fatal(name, err)
		}
	}
	spec := "for the test"
	put("person", shelf.Open(own, "person", shelf.Spec[shelf.Person, value]{Why: spec}).Put(t.Context(), "web:ann", value{V: 1}))
	put("table", shelf.Open(own, "table", shelf.Spec[shelf.Table, value]{Why: spec}).Put(t.Context(), 300, value{V: 1}))
	put("pair", shelf.Open(own, "pair", shelf.Spec[atTable, value]{Why: spec}).Put(t.Context(), shelf.Both(shelf.Table(300), shelf.Person("web:ann")), value{V: 1}))
	put("three", shelf.Open(own, "three", shelf.Spec[shelf.Pair[shelf.Channel, atTable], value]{Why: spec}).Put(t.Context(), shelf.Both(shelf.Channel("web:den"), shelf.Both(shelf.Table(300), shelf.Person("web:ann"))), value{V: 1}))
	put("raw", shelf.Open(own, "raw", shelf.Spec[shelf.Home, shelf.Raw]{Why: spec}).Put(t.Context(), "guild", shelf.Raw("as it is")))
	for name, want := range map[string][2]string{
		"person": {"web:ann", `{"v":1}`}, "table": {"000000000000012c", `{"v":1}`}, "pair": {"000000000000012c\x00web:ann", `{"v":1}`},
		"three": {"web:den\x00000000000000012c\x00web:ann", `{"v":1}`}, "raw": {"guild", "as it is"},
	} {
		rows, err := notes.Scan(t.Context(), name, "", "", 10)
		if err != nil || len(rows) != 1 || rows[0].Key != want[0] || string(rows[0].Value) != want[1] {
			t.Errorf("%s is stored as %q (%v), want %q", name, rows, err, want)
		}
	}
	if found, err := r.Check(t.Context()); err != nil || len(found) != 5 || found["three"] != 1 {
		t.Errorf("read back are %v, %v", found, err)
	}
}

// An owner can't reach another's shelf, neither by its name nor by using the shelf in its
// own transaction.
func TestShelfBelongsToOwner(t *testing.T) {
	r, _ := room()
	a, b := r.Owner("a"), r.Owner("b")
	spec := shelf.Spec[shelf.Person, value]{Why: "for the test"}
	mine := shelf.Open(a, "mine", spec)
	for what, fn := range map[string]func(){
		"opens another's":     func() { shelf.Open(b, "mine", spec) },
		"opens its own again": func() { shelf.Open(a, "mine", spec) },
		"opens the secrets":   func() { shelf.Open(b, "keys", spec) },
		"says not what for":   func() { shelf.Open(b, "other", shelf.Spec[shelf.Person, value]{}) },
		"changes another's": func() {
			_ = b.Change(t.Context(), func(tx shelf.Tx) error { return mine.In(tx).Put("web:ann", value{}) })
		},
	} {
		if panics(fn) == "" {
			t.Errorf("an owner that %s isn't stopped", what)
		}
	}
	if _, found, err := mine.Get(t.Context(), "web:ann"); found || err != nil {
		t.Errorf("a row came in by another: %v", err)
	}
}

// A person's data is found by the types of keys and by specs: an export contains what is
// theirs, and after erasure nothing names them.
func TestExportAndForget(t *testing.T) {
	r, _ := room()
	own := r.Owner("a")
	const ann, bob = game.PlayerID("web:ann"), game.PlayerID("web:bob")
	why := "for the test"
	person := shelf.Open(own, "person", shelf.Spec[shelf.Person, value]{Why: why})
	lines := shelf.Open(own, "lines", shelf.Spec[atTable, value]{Why: why})
	versus := shelf.Open(own, "versus", shelf.Spec[shelf.Pair[shelf.Person, shelf.Person], value]{Why: why})
	muted := shelf.Open(own, "muted", shelf.Spec[shelf.Pair[shelf.Home, shelf.Person], value]{Why: why})
	places := shelf.Open(own, "places", shelf.Spec[shelf.Place, value]{Why: why})
	stays := shelf.Open(own, "stays", shelf.Spec[shelf.Person, value]{Why: why, Stays: true})
	codes := shelf.Open(own, "codes", shelf.Spec[shelf.Mark, value]{Why: why, Whose: func(v value) game.PlayerID { return game.PlayerID(v.Text) }})
	lists := shelf.Open(own, "lists", shelf.Spec[shelf.Mark, value]{
		Why: why, Sharing: "lists",
		Shared: func(v value, who game.PlayerID) bool { return slices.Contains(v.Of, string(who)) },
		Rename: func(v *value, from game.PlayerID, to bot.User) (keep bool) {
			for i, p := range v.Of {
				if p == string(from) {
					v.Of[i] = string(to.ID)
				}
			}
			return len(v.Of) > 1
		},
	})
	for _, err := range []error{
		person.Put(t.Context(), shelf.Person(ann), value{V: 1}), person.Put(t.Context(), shelf.Person(bob), value{V: 1}),
		lines.Put(t.Context(), shelf.Both(shelf.Table(1), shelf.Person(ann)), value{V: 1}), lines.Put(t.Context(), shelf.Both(shelf.Table(1), shelf.Person(bob)), value{V: 1}),
		versus.Put(t.Context(), shelf.Both(shelf.Person(ann), shelf.Person(bob)), value{V: 1}), versus.Put(t.Context(), shelf.Both(shelf.Person(bob), shelf.Person(ann)), value{V: 1}),
		muted.Put(t.Context(), shelf.Both(shelf.Home("h"), shelf.Person(ann)), value{V: 1}),
		places.Put(t.Context(), "home h", value{V: 1}),
		stays.Put(t.Context(), shelf.Person(ann), value{V: 1}),
		codes.Put(t.Context(), "c1", value{V: 1, Text: string(ann)}), codes.Put(t.Context(), "c2", value{V: 1, Text: string(bob)}),
		lists.Put(t.Context(), "l1", value{V: 1, Of: []string{string(ann), string(bob)}}), lists.Put(t.Context(), "l2", value{V: 1, Of: []string{string(bob), "web:cat"}}),
	} {
		gametest.Must(t, err)
	}
	mine, more, err := r.Export(t.Context(), ann, []bot.TableID{1, 2})
	gametest.Must(t, err)
	var names []string
	for name := range mine {
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"codes c1", "lines 0000000000000001 web:ann", "muted h web:ann", "person web:ann", "versus web:ann web:bob"}; !slices.Equal(names, want) {
		t.Errorf("Ann gets %q, want %q", names, want)
	}
	if b, _ := json.Marshal(more); string(b) != `{"lists":[{"v":1,"of":["web:ann","web:bob"]}]}` {
		t.Errorf("Ann shares %s", b)
	}
	gametest.Must(t, r.Forget(t.Context(), ann, nil, bot.User{ID: "former:1"}, []bot.TableID{1, 2}))
	found, err := r.Check(t.Context())
	gametest.Must(t, err)
	if want := map[string]int{"person": 1, "lines": 1, "versus": 0, "muted": 0, "places": 1, "stays": 1, "codes": 1, "lists": 2}; fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("left are %v, want %v", found, want)
	}
	if l, _, err := lists.Get(t.Context(), "l1"); err != nil || l.Of[0] != "former:1" {
		t.Errorf("in Ann's place there is %v, %v", l, err)
	}
	if all := r.Listings(); len(all) != 8 || all[2].Name != "lists" && all[2].Whose == "" {
		t.Errorf("listed are %v", all)
	}
}

// A change that leaves a row as it was writes nothing, and one that doesn't keep the row
// deletes it.
func TestChangeWritesOnlyDifferences(t *testing.T) {
	r, notes := room()
	s := shelf.Open(r.Owner("a"), "person", shelf.Spec[shelf.Person, value]{Why: "for the test"})
	change := func(keep bool, text string) {
		t.Helper()
		gametest.Must(t, s.Change(t.Context(), "web:ann", func(v *value) (bool, error) {
			v.Text = text
			return keep, nil
		}))
	}
	for _, c := range []struct {
		keep       bool
		text, want string
	}{{false, "x", ""}, {true, "x", `{"v":0,"text":"x"}`}, {true, "y", `{"v":0,"text":"y"}`}, {false, "", ""}} {
		change(c.keep, c.text)
		if b, err := notes.Get(t.Context(), "person", "web:ann"); err != nil || string(b) != c.want {
			t.Errorf("after %v there is %s, %v", c, b, err)
		}
	}
	change(true, "z")
	if err := s.Change(t.Context(), "web:ann", func(v *value) (bool, error) { return false, fmt.Errorf("no") }); err == nil {
		t.Error("an error is lost")
	}
	if v, found, err := s.Get(t.Context(), "web:ann"); err != nil || !found || v.Text != "z" {
		t.Errorf("after a change that failed there is %v, %v, %v", v, found, err)
	}
}

// Erasing a place deletes its rows, found by key or by content, and keeps the rows of other
// places and people.
func TestForgetPlace(t *testing.T) {
	r, notes := room()
	own := r.Owner("a")
	spec := "for the test"
	homes := shelf.Open(own, "b-homes", shelf.Spec[shelf.Channel, value]{Why: spec})
	scores := shelf.Open(own, "c-scores", shelf.Spec[shelf.Pair[shelf.Place, shelf.Person], value]{Why: spec})
	leagues := shelf.Open(own, "d-leagues", shelf.Spec[shelf.Mark, value]{Why: spec, Places: func(v value) []string { return v.Of }})
	people := shelf.Open(own, "a-people", shelf.Spec[shelf.Person, value]{Why: spec})
	for _, err := range []error{
		homes.Put(t.Context(), "discord:5", value{V: 1}), homes.Put(t.Context(), "discord:55", value{V: 1}),
		scores.Put(t.Context(), shelf.Both(shelf.Place("month 2026-11 discord:1"), shelf.Person("discord:9")), value{V: 1}),
		scores.Put(t.Context(), shelf.Both(shelf.Place("channel discord:5"), shelf.Person("discord:9")), value{V: 1}),
		scores.Put(t.Context(), shelf.Both(shelf.Place("home discord:11"), shelf.Person("discord:9")), value{V: 1}),
		leagues.Put(t.Context(), "1", value{V: 1, Of: []string{"discord:5", "discord:1"}}), leagues.Put(t.Context(), "2", value{V: 1, Of: []string{"discord:55"}}),
		people.Put(t.Context(), "discord:9", value{V: 1}),
	} {
		gametest.Must(t, err)
	}
	in := func(place string) bool { return place == "discord:1" || place == "discord:5" }
	want := map[string]int{"b-homes": 1, "c-scores": 2, "d-leagues": 1}
	counted, err := r.CountAt(t.Context(), in)
	if err != nil || !maps.Equal(counted, want) {
		t.Errorf("counted %v, %v", counted, err)
	}
	if gone, err := r.ForgetAt(t.Context(), in, "b-homes"); err != nil || !maps.Equal(gone, want) {
		t.Errorf("gone are %v, %v", gone, err)
	}
	for name, want := range map[string]int{"a-people": 1, "b-homes": 1, "c-scores": 1, "d-leagues": 1} {
		if left, err := notes.Scan(t.Context(), name, "", "", 9); err != nil || len(left) != want {
			t.Errorf("%s has %d rows, %v; want %d", name, len(left), err, want)
		}
	}
}

// A row that can't be decoded is remembered once for the operator, however often it is read. Other
// rows can still be read.
func TestBrokenRows(t *testing.T) {
	r, notes := room()
	own := r.Owner("a")
	notepad := shelf.Open(own, "notepad", shelf.Spec[shelf.Person, value]{Why: "for the test"})
	gametest.Must(t, notepad.Put(t.Context(), "web:bob", value{V: 1}))
	gametest.Must(t, notes.Put(t.Context(), "notepad", "web:ann", []byte(`{"v":1,"text":"cut o`)))
	if len(r.Broken()) > 0 {
		t.Errorf("before it is read: %v", r.Broken())
	}
	for range 2 {
		if _, found, err := notepad.Get(t.Context(), "web:ann"); err == nil || found {
			t.Errorf("a broken row: found %v, error %v", found, err)
		}
		err := own.Change(t.Context(), func(tx shelf.Tx) error {
			_, _, err := notepad.In(tx).Get("web:ann")
			return err
		})
		if err == nil {
			t.Error("a broken row can be changed")
		}
	}
	if _, found, err := notepad.Get(t.Context(), "web:bob"); err != nil || !found {
		t.Errorf("the row beside it: %v", err)
	}
	if found := r.Broken(); len(found) != 1 || !strings.Contains(found[0].Error(), `notepad "web:ann"`) {
		t.Errorf("broken rows: %v", found)
	}
}
