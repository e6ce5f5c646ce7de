package web_test

import (
	"slices"
	"testing"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// The first person to enter becomes a keeper, and may change settings. When they leave, the
// longest-standing member becomes one.
func TestFirstPersonBecomesKeeper(t *testing.T) {
	s := open(t)
	keeps := func(who *visitor, want bool) {
		t.Helper()
		call[obj](who, "say", obj{"stream": "general", "id": newID(), "text": "/settings"})
		if req := s.host.last(t); req.Manager != want || req.Home != "web:room" {
			t.Errorf("%s in %q: keeper is %v, want %v", req.User.Name, req.Home, req.Manager, want)
		}
	}
	ann, bob, cat := s.enter("Ann"), s.enter("Bob"), s.enter("Cat")
	keeps(ann, true)
	keeps(bob, false)
	call[obj](ann, "rename", obj{"name": "Anna"})
	keeps(ann, true)
	bob.do("POST", "/api/leave", obj{})
	if want := "web:room " + string(bob.user().ID); !slices.Equal(s.host.left, []string{want}) {
		t.Errorf("the host hears that %q left, want %q", s.host.left, want) // their seats are freed
	}
	keeps(ann, true)
	ann.do("POST", "/api/leave", obj{})
	keeps(cat, true)
	cat.do("POST", "/api/leave", obj{})
	dan := s.enter("Dan")
	keeps(dan, true)
	keeps(s.enter("Eve"), false)
}

func TestLinksToChannels(t *testing.T) {
	s := openWith(t, func(c *web.Config) { c.URL = "https://play.example.org" })
	ann := s.enter("Ann")
	links := func(want map[bot.ChannelID]string) {
		t.Helper()
		for ch, want := range want {
			if got := s.current().Link(t.Context(), ch, ""); got != want {
				t.Errorf("%s is at %q, want %q", ch, got, want)
			}
		}
	}
	links(map[bot.ChannelID]string{"web:general": "https://play.example.org/#general", "slack:T1/C1": ""})
	for _, key := range []string{"a", "b"} {
		gametest.Must(t, s.current().Post(t.Context(), bot.Message{Key: key, Channel: "web:general", Table: 1, Text: text.Text{{Text: "Ann wants to play."}}}))
	}
	call[obj](ann, "say", obj{"stream": "general", "id": newID(), "text": "Hello"}) // after the post
	links(map[bot.ChannelID]string{"web:general": "https://play.example.org/#general/2"})
}

// If others can reach the room, the first person to enter isn't a keeper. The operator
// names keepers, at any time.
func TestOperatorNamesKeepers(t *testing.T) {
	s := openWith(t, func(c *web.Config) { c.FirstKeeps = false })
	ann, bob := s.enter("Ann"), s.enter("Bob")
	keeps := func(who *visitor) bool {
		call[obj](who, "say", obj{"stream": "general", "id": newID(), "text": "/settings"})
		return s.host.last(t).Manager
	}
	if keeps(ann) {
		t.Error("the first to come keeps a room that others can reach")
	}
	if err := web.SetKeeper(t.Context(), s.notes, "Eve", true); err == nil {
		t.Error("a name was made a keeper that nobody has: the next to take it would be one")
	}
	if err := web.SetKeeper(t.Context(), s.notes, "bob", true); err != nil || !keeps(bob) || keeps(ann) {
		t.Errorf("Bob was named and keeps %v, Ann %v (%v)", keeps(bob), keeps(ann), err)
	}
	call[obj](bob, "rename", obj{"name": "Robert"})
	if names, err := web.Keepers(t.Context(), s.notes); err != nil || !slices.Equal(names, []string{"Robert"}) {
		t.Errorf("the keepers are %v (%v), want Robert", names, err)
	}
	if err := web.SetKeeper(t.Context(), s.notes, "Robert", false); err != nil || keeps(bob) {
		t.Errorf("a keeper who was one no more still is (%v)", err)
	}
	gametest.Must(t, web.SetKeeper(t.Context(), s.notes, "Robert", true))
	bob.do("POST", "/api/leave", obj{})
	if keeps(ann) {
		t.Error("when the keeper left, whoever had been there longest became one")
	}
}
