package competition_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestPairingsUseClub checks that pairings use the club's names, ratings and wishes,
// and that a member who is away misses the round.
func TestPairingsUseClub(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Asides())
		for _, line := range []string{
			"bob: /club join name:Robert rating:1900", "cat: /club join rating:1800", "dan: /club join rating:1700", "eve: /club join rating:1600", "fay: /club join", "fay: /club away until:14d",
			"ann: /tournament new name:Spring rounds:3",
			"bob: /tournament join", "cat: /tournament join", "dan: /tournament join", "eve: /tournament join", "fay: /tournament join", "ann: /tournament close",
		} {
			name, line, _ := strings.Cut(line, ": ")
			if r := w.Does(bottest.People[name], line); r.Refused {
				t.Fatalf("%s: %s", line, r.Text)
			}
		}
		avoid := w.Request(bottest.People["bob"], "/club avoid")
		avoid.People = []bot.User{bottest.People["dan"]}
		if r := w.Host.Handle(t.Context(), avoid); r.Refused {
			t.Fatal(r.Text)
		}
		said := w.Does(bottest.People["ann"], "/tournament pair").Text.String()
		// By rating alone, Robert (1) would meet Dan (3), and Cat (2) would meet Eve (4).
		for _, no := range []string{"Robert – Dan", "Dan – Robert"} {
			if strings.Contains(said, no) {
				t.Errorf("who avoid each other are paired:\n%s", said)
			}
		}
		if !strings.Contains(said, "Fay misses the round") || !strings.Contains(said, "Robert") {
			t.Errorf("it says\n%s", said)
		}
		w.Does(bottest.People["fay"], "/club away until:back")
		w.Does(bottest.People["ann"], "/tournament undo")
		if said := w.Does(bottest.People["ann"], "/tournament pair").Text.String(); strings.Contains(said, "misses") {
			t.Errorf("who is back misses the round:\n%s", said)
		}
	})
}

// TestLeavingMemberLeavesRoster checks that a person who leaves the place is removed from its
// roster, and that a forgotten person is removed from everybody's list of people to avoid.
func TestLeavingMemberLeavesRoster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		asks := func(who, line string, about ...bot.User) string {
			req := w.Request(bottest.People[who], line)
			req.Home, req.People = "test:house", about
			return w.Host.Handle(t.Context(), req).Text.String()
		}
		for _, who := range []string{"bob", "cat", "dan"} {
			asks(who, "/club join")
		}
		if said := asks("bob", "/club avoid", bottest.People["dan"]); !strings.Contains(said, "Dan") {
			t.Fatalf("Bob is told %q", said)
		}
		gametest.Must(t, w.Host.MemberLeft(t.Context(), "test:house", bottest.People["cat"].ID))
		if said := asks("bob", "/club"); strings.Contains(said, "Cat") || !strings.Contains(said, "Dan") {
			t.Errorf("when Cat has left the club is\n%s", said)
		}
		gametest.Must(t, w.Host.Forget(t.Context(), bottest.People["dan"]))
		if said := asks("bob", "/club avoid"); strings.Contains(said, "Dan") {
			t.Errorf("Bob avoids somebody who is forgotten: %s", said)
		}
		if said := asks("bob", "/club"); !strings.Contains(said, "Bob") || strings.Contains(said, "Dan") {
			t.Errorf("when Dan is forgotten the club is\n%s", said)
		}
	})
}
