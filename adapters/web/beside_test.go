package web_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/storetest"
)

// What another process notes while this one has looked and not yet written stays:
// a mark that is further on, and a bar that was set anew.
func TestNotesBesideAnother(t *testing.T) {
	var then func(shelf, key string)
	s := openWith(t, func(c *web.Config) {
		c.Notes = storetest.BesideNotes{Notes: c.Notes, Then: func(shelf, key string) {
			if then != nil {
				then(shelf, key)
			}
		}}
	})
	ann, bob := s.enter("Ann"), s.enter("Bob")
	for range 3 {
		ann.say("general", "hello")
	}
	writes := func(of, row, value string) {
		looked := false
		then = func(shelf, key string) {
			if looked || !strings.HasPrefix(shelf, of) {
				return
			}
			looked = true
			if err := s.notes.Put(t.Context(), shelf, row, []byte(value)); err != nil {
				t.Error(err)
			}
		}
	}
	wants := func(shelf, row, want string) {
		t.Helper()
		then = nil
		if b, err := s.notes.Get(t.Context(), shelf, row); err != nil || string(b) != want {
			t.Errorf("%s %s is %s, want %s (%v)", shelf, row, b, want, err)
		}
	}
	writes("read/"+bob.ID, "general", "3")
	call[obj](bob, "read", obj{"stream": "general", "number": 2})
	wants("read/"+bob.ID, "general", "3")

	net := netip.MustParsePrefix("203.0.113.0/24").String()
	if _, err := s.current().Bar(t.Context(), bot.Bar{Network: net, Until: s.clock.now().Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	s.clock.pass(2 * time.Hour)
	anew := `{"v":1,"at":"2026-03-01T14:00:00Z","until":"2027-03-01T14:00:00Z"}`
	writes("bars", net, anew)
	s.knock("198.51.100.7", nil)
	wants("bars", net, anew)
}
