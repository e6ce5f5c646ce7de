package web_test

import (
	"encoding/json"
	"image/png"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// A posted link to the room, or to an invitation, has a preview that describes its target.
func TestLinksHavePreviews(t *testing.T) {
	s := openWith(t, func(c *web.Config) { c.URL = "https://play.example.org" })
	ann := s.enter("Ann")
	link := call[struct{ Link string }](ann, "friend", obj{}).Link
	invitation := strings.TrimPrefix(link, "https://play.example.org")
	for path, want := range map[string][2]string{"/": {"Rackmate", "/static/icon-512.png"}, invitation: {"Ann invites you to a game.", strings.Replace(invitation, "/in/", "/cards/", 1)}} {
		w := newRecorder(s, httptest.NewRequest("GET", "http://localhost:8080"+path, nil))
		for _, want := range []string{`property="og:title" content="` + want[0] + `"`, `property="og:image" content="https://play.example.org` + want[1] + `"`, `property="og:description"`} {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s has no %s: %d", path, want, w.Code)
			}
		}
	}
}

// The picture beside an invitation's link is drawn for a stranger, until the invitation is used up.
func TestInvitationHasPicture(t *testing.T) {
	h := newHouse(t)
	ann := h.enters("Ann")
	var made struct{ Link string }
	gametest.Must(t, json.Unmarshal(ann.do("POST", "/api/friend", obj{"options": obj{"clock": "10m+5s"}}).Body.Bytes(), &made))
	at := strings.Replace(strings.TrimPrefix(made.Link, "https://play.example.org"), "/in/", "/cards/", 1)
	w := newRecorder(h, httptest.NewRequest("GET", "http://localhost:8080"+at, nil))
	card, err := png.DecodeConfig(w.Body)
	if err != nil || card.Width != 1200 || card.Height != 630 {
		t.Errorf("the card: %d, %v, %v", w.Code, card, err)
	}
	if w := newRecorder(h, httptest.NewRequest("GET", "http://localhost:8080/cards/AAAA-BBBB-CCCC", nil)); w.Code < 400 || w.Code >= 500 {
		t.Errorf("the card of no invitation is answered %d", w.Code)
	}
}

// A press of Join doesn't ask about settings shown above the button, and an answer has no
// picture of a rack that the board shows.
func TestJoinRepeatsNothingShown(t *testing.T) {
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
