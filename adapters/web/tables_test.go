package web_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
)

// The board of a game that isn't the channel's latest reads and acts on its own table. A
// person who doesn't sit there learns nothing by naming it.
func TestOldBoardActsOnItsTable(t *testing.T) {
	h := newHouse(t)
	ann, bob, eve := h.enters("Ann"), h.enters("Bob"), h.enters("Eve")
	say := func(r *reader, line string) {
		t.Helper()
		if w := r.do("POST", "/api/say", obj{"stream": "general", "id": newID(), "text": line}); w.Code != 200 || strings.Contains(w.Body.String(), `"refused":true`) {
			t.Fatalf("%s: %d %s", line, w.Code, w.Body)
		}
	}
	say(ann, "/new seats:2")
	say(bob, "/join")
	s := h.state()
	if w := bob.do("POST", "/api/press", obj{"stream": "general", "id": newID(), "button": bot.ButtonID(1, s.Number, "resign", nil)}); w.Code != 200 {
		t.Fatal(w.Body)
	}
	say(ann, "/new seats:2")
	say(eve, "/join")

	asks := func(r *reader, path string, table int) string {
		t.Helper()
		w := r.do("POST", "/api/"+path, obj{"stream": "general", "id": newID(), "word": "XYLYL", "at": "8H", "command": "unseen", "args": obj{}, "table": table})
		if w.Code != 200 {
			t.Fatalf("%s at table %d: %d %s", path, table, w.Code, w.Body)
		}
		return w.Body.String()
	}
	for _, path := range []string{"draft", "act"} {
		old, latest := asks(ann, path, 1), asks(ann, path, 2)
		if !strings.Contains(old, "over") || strings.Contains(latest, "over") || asks(ann, path, 0) != latest {
			t.Errorf("%s at the old table says %s, at the latest %s", path, old, latest)
		}
	}
	if got := asks(eve, "draft", 1); !strings.Contains(got, "problem") {
		t.Errorf("Eve, who doesn't sit there, is told %s", got)
	}

	// The game's link has a preview picture in the colour scheme of its sender.
	var seen struct{ Page string }
	decode(t, ann.do("POST", "/api/table", obj{"stream": "general"}), &seen)
	light, dark := ann.do("GET", seen.Page+"/picture.png", nil), ann.do("GET", seen.Page+"/picture.png?2&dark", nil)
	if light.Code != 200 || dark.Code != 200 || bytes.Equal(light.Body.Bytes(), dark.Body.Bytes()) {
		t.Errorf("the pictures are %d and %d, and the same", light.Code, dark.Code)
	}
}
