package web_test

import (
	"slices"
	"testing"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
)

// Whoever came first keeps the room: they can say how it plays. When they
// leave it is whoever has been there longest.
func TestKeeper(t *testing.T) {
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
		t.Errorf("the host hears that %q left, want %q", s.host.left, want) // their seats are free
	}
	keeps(ann, true)
	ann.do("POST", "/api/leave", obj{})
	keeps(cat, true)
	cat.do("POST", "/api/leave", obj{})
	dan := s.enter("Dan")
	keeps(dan, true)
	keeps(s.enter("Eve"), false)
}

func TestLink(t *testing.T) {
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
		if err := s.current().Post(t.Context(), bot.Message{Key: key, Channel: "web:general", Table: 1, Text: bot.Text{{Text: "Ann opens a table."}}}); err != nil {
			t.Fatal(err)
		}
	}
	call[obj](ann, "say", obj{"stream": "general", "id": newID(), "text": "Hello"}) // after it
	links(map[bot.ChannelID]string{"web:general": "https://play.example.org/#general/2"})
}
