package web_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
)

// A posted link to the room, or to an invitation, has a preview that describes its target.
func TestLinksHavePreviews(t *testing.T) {
	s := openWith(t, func(c *web.Config) { c.URL = "https://play.example.org" })
	ann := s.enter("Ann")
	link := call[struct{ Link string }](ann, "friend", obj{}).Link
	for path, title := range map[string]string{"/": "Rackmate", strings.TrimPrefix(link, "https://play.example.org"): "Ann invites you to a game."} {
		w := newRecorder(s, httptest.NewRequest("GET", "http://localhost:8080"+path, nil))
		for _, want := range []string{`property="og:title" content="` + title + `"`, `property="og:image" content="https://play.example.org/static/icon-512.png"`, `property="og:description"`} {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s has no %s: %d", path, want, w.Code)
			}
		}
	}
}

// A press of Join doesn't ask about settings shown above the button, and an answer has no
// picture of a rack that the board shows.
func TestWhatThePageShowsIsNotRepeated(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	var asked bot.Request
	s.host.handle = func(req bot.Request) bot.Reply {
		asked = req
		return bot.Reply{Text: plain("Your rack"), Picture: &bot.Picture{PNG: somePNG(t, 40, 10)}, Rack: true}
	}
	call[obj](ann, "press", obj{"stream": "general", "id": newID(), "button": bot.ButtonID(1, 2, "join", nil)})
	if asked.Command != "join" || asked.Args["sure"] != "yes" {
		t.Errorf("the host is asked for %s with %v", asked.Command, asked.Args)
	}
	m := call[struct{ Reply message }](ann, "act", obj{"stream": "general", "id": newID(), "command": "play", "args": obj{}, "table": 1, "number": 3}).Reply
	if m.Picture != nil || m.text() != "Your rack" {
		t.Errorf("the answer to a play has %q and the picture %v", m.text(), m.Picture)
	}
}
