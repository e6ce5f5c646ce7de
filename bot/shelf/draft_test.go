package shelf_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game/gametest"
)

// pairs opens a shelf of rows that belong to tables and people.
func pairs(own *shelf.Owner) *shelf.Shelf[atTable, value] {
	return shelf.Open(own, "pairs", shelf.Spec[atTable, value]{Why: "for the test"})
}

func at(table bot.TableID, who string) atTable {
	return shelf.Both(shelf.Table(table), shelf.Person("web:"+who))
}

// A draft's rows can be read back from it in key order, and aren't stored.
func TestDraftIsNotStored(t *testing.T) {
	r, notes := room()
	own := r.Owner("a")
	s := pairs(own)
	rows := s.In(own.Draft())
	for _, who := range []string{"bob", "ann", "cat"} {
		gametest.Must(t, rows.Put(at(1, who), value{V: 1, Text: who}))
	}
	gametest.Must(t, rows.Put(at(2, "ann"), value{V: 1, Text: "other"}))
	gametest.Must(t, rows.Drop(at(1, "cat")))
	if v, had, err := rows.Get(at(1, "ann")); err != nil || !had || v.Text != "ann" {
		t.Errorf("Ann's is %+v, %t, %v", v, had, err)
	}
	if _, had, err := rows.Get(at(1, "cat")); err != nil || had {
		t.Errorf("Cat's, which was dropped, is there: %v", err)
	}
	var all []string
	if err := shelf.EachIn(rows, shelf.Table(1), func(who shelf.Person, v value) error {
		all = append(all, string(who)+" "+v.Text)
		return nil
	}); err != nil || !slices.Equal(all, []string{"web:ann ann", "web:bob bob"}) {
		t.Errorf("at the table there are %q, %v", all, err)
	}
	if stored, err := notes.Scan(t.Context(), "pairs", "", "", 10); err != nil || len(stored) > 0 {
		t.Errorf("stored are %v, %v", stored, err)
	}
}

// Rows are found by the first half of their key, apart from others, and dropped rows are
// gone.
func TestRowsByKeyPrefix(t *testing.T) {
	r, _ := room()
	s := pairs(r.Owner("a"))
	for i, who := range []string{"ann", "bob", "cat"} {
		gametest.Must(t, s.Put(t.Context(), at(bot.TableID(1+i/2), who), value{V: 1, Text: who}))
	}
	under := func(table bot.TableID) string {
		t.Helper()
		var all []string
		gametest.Must(t, shelf.EachUnder(t.Context(), s, shelf.Table(table), func(_ shelf.Person, v value) error {
			all = append(all, v.Text)
			return nil
		}))
		return strings.Join(all, " ")
	}
	if got := under(1) + "; " + under(2) + "; " + under(3); got != "ann bob; cat; " {
		t.Errorf("under the tables there are %q", got)
	}
	gametest.Must(t, s.Drop(t.Context(), at(1, "ann")))
	if got := under(1); got != "bob" {
		t.Errorf("without Ann's there is %q", got)
	}
	stop := errors.New("enough")
	if err := shelf.EachUnder(t.Context(), s, shelf.Table(1), func(shelf.Person, value) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("it doesn't stop: %v", err)
	}
}

// An owner's secret is generated once. Later owners in the same room get the same secret.
func TestSecretIsGeneratedOnce(t *testing.T) {
	r, notes := room()
	own := r.Owner("a")
	first, err := own.Secret(t.Context(), "page")
	if err != nil || len(first) == 0 {
		t.Fatal(err)
	}
	again, err := own.Secret(t.Context(), "page")
	if err != nil || string(again) != string(first) {
		t.Errorf("asked again it is %x, %v, want %x", again, err, first)
	}
	later := shelf.NewRoom(notes, strings.NewReader(strings.Repeat("!", 64))).Owner("a")
	if then, err := later.Secret(t.Context(), "page"); err != nil || string(then) != string(first) {
		t.Errorf("in another process it is %x, %v, want %x", then, err, first)
	}
}

// A person's rows are counted by shelf. Erasing those at one table keeps those at another.
func TestForgetAtOneTable(t *testing.T) {
	r, _ := room()
	own := r.Owner("a")
	s := pairs(own)
	personal := shelf.Open(own, "own", shelf.Spec[shelf.Person, value]{Why: "for the test"})
	for _, k := range []atTable{at(1, "ann"), at(2, "ann"), at(1, "bob")} {
		gametest.Must(t, s.Put(t.Context(), k, value{V: 1}))
	}
	gametest.Must(t, personal.Put(t.Context(), "web:ann", value{V: 1}))
	count := func(want string) {
		t.Helper()
		rows, err := r.Count(t.Context(), "web:ann", []bot.TableID{1, 2})
		if got := fmt.Sprint(rows); err != nil || got != want {
			t.Errorf("of Ann there is %s, %v, want %s", got, err, want)
		}
	}
	count("map[own:1 pairs:2]")
	former := bot.User{ID: "former:1", Name: "former player"}
	gametest.Must(t, r.ForgetAtTable(t.Context(), "web:ann", former, 1))
	count("map[own:1 pairs:1]")
	if _, had, err := s.Get(t.Context(), at(1, "bob")); err != nil || !had {
		t.Errorf("Bob's at that table went too: %v", err)
	}
}
