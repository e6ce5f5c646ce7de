package web_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/game/gametest"
)

// Pages made by the server and refusals are in the reader's language: see [bottest.Ear].
func TestNothingIsLeftInEnglish(t *testing.T) {
	said, err := pages.Sentences() // filled in by the scripts
	gametest.Must(t, err)
	ear := bottest.NewEar("Rackmate", "Ann")
	for _, door := range []web.Door{web.DoorInvite, web.DoorPassword} {
		s := behind(t, door)
		stranger := &visitor{site: s, locale: "en-XA"}
		ear.At(string(door))
		for _, path := range []string{"/in", "/in/NONE-NONE-NONE", "/in/" + s.invitation(1, time.Hour), "/back"} {
			if door == web.DoorInvite || path == "/in" || path == "/back" {
				ear.ReadsPage(path, stranger.do("GET", path, nil).Body.String(), said)
			}
		}
		knock := httptest.NewRequest("POST", "http://localhost:8080/in", strings.NewReader("name=Ann&password=x&code=x"))
		knock.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		knock.Header.Set("Accept-Language", "en-XA")
		ear.ReadsPage("refused at the door", newRecorder(s, knock).Body.String(), said)
		for path, in := range map[string]any{
			"/api/enter": obj{"name": "Ann"}, "/api/say": obj{"stream": "general"}, "/api/recovery": obj{}, "/g/none/table": obj{}, "/activity/table": obj{},
		} {
			ear.ReadsJSON(t, path, stranger.do("POST", path, in).Body.Bytes(), "error")
		}
		for _, path := range []string{"/g/none", "/none", "/static/none", "/activity", "/api/none"} {
			ear.ReadsJSON(t, path, stranger.do("GET", path, nil).Body.Bytes(), "error")
			ear.ReadsPage(path, stranger.opens(path).Body.String(), said)
		}
	}
	s := open(t)
	ann := s.enter("Ann")
	ann.locale = "en-XA"
	ear.At("the room")
	ear.ReadsPage("the page", ann.do("GET", "/", nil).Body.String(), said)
	ear.ReadsPage("/draws", ann.do("GET", "/draws", nil).Body.String(), said)
	for path, in := range map[string]any{
		"say": obj{"stream": "none", "id": newID(), "text": "x"}, "channels": obj{"name": "-"}, "rename": obj{"name": "?"}, "push": obj{}, "press": obj{"stream": "general", "id": newID(), "button": "x"},
	} {
		ear.ReadsJSON(t, path, ann.do("POST", "/api/"+path, in).Body.Bytes(), "error")
	}
	ear.Check(t)
}
