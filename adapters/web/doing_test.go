package web_test

import (
	"slices"
	"testing"
)

// The list of people tells who plays and who waits for an opponent.
func TestPeopleListShowsActivity(t *testing.T) {
	h := newHouse(t)
	server := h.serves()
	people, ids := map[string]*reader{}, map[string]string{}
	for _, name := range []string{"Ann", "Bob", "Cat", "Dan"} {
		people[name] = h.enters(name)
		people[name].listens(server)
		var all struct{ People []struct{ ID, Name string } }
		decode(t, people[name].do("POST", "/api/people", obj{"begin": name}), &all)
		ids[name] = all.People[0].ID
	}
	people["Ann"].says("/new seats:2")
	people["Bob"].says("/join")
	if w := people["Cat"].do("POST", "/api/wait", obj{"id": newID()}); w.Code != 200 {
		t.Fatalf("Cat waits: %d %s", w.Code, w.Body)
	}
	var doing struct{ Plays, Waits []string }
	decode(t, people["Dan"].do("POST", "/api/doing", obj{}), &doing)
	slices.Sort(doing.Plays)
	if want := []string{ids["Ann"], ids["Bob"]}; len(doing.Plays) != 2 || !slices.Contains(want, doing.Plays[0]) || !slices.Contains(want, doing.Plays[1]) {
		t.Errorf("%q play, want %q", doing.Plays, want)
	}
	if !slices.Equal(doing.Waits, []string{ids["Cat"]}) {
		t.Errorf("%q wait, want %q", doing.Waits, ids["Cat"])
	}
}
