package web_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/web"
)

// Behind a door that asks for more than a name, the door comes before the first try.
func TestDoorComesBeforeFirstTry(t *testing.T) {
	h := newHouse(t)
	h.stop()
	h.door = web.DoorInvite
	h.start()
	stranger := &reader{h: h}
	page := stranger.do("GET", "/d", nil).Header().Get("Location")
	if own := stranger.sight(page).Own; own == nil || own.Turn {
		t.Errorf("a stranger has %+v", own)
	}
	if w := stranger.gives(page, "daily", map[string]string{"word": "QQQQQ", "at": "8D"}); w.Code != 403 {
		t.Errorf("a stranger tries: %d %s", w.Code, w.Body)
	}
}

// The page of the daily board is public. Members of the room can play on it, and people
// with a link of their own.
func TestDailyPageIsPublic(t *testing.T) {
	h := newHouse(t)
	stranger := &reader{h: h}
	w := stranger.do("GET", "/d", nil)
	page := w.Header().Get("Location")
	if w.Code != 303 || !strings.HasPrefix(page, "/d/") || !strings.HasSuffix(page, "-en") {
		t.Fatalf("/d leads to %q: %d %s", page, w.Code, w.Body)
	}
	if w := stranger.do("GET", page, nil); w.Code != 200 || !strings.Contains(w.Body.String(), page+"/picture.png") {
		t.Errorf("the page: %d %s", w.Code, w.Body)
	}
	if w := stranger.do("GET", page+"/picture.png", nil); w.Code != 200 || !bytes.HasPrefix(w.Body.Bytes(), []byte("\x89PNG")) {
		t.Errorf("the picture: %d", w.Code)
	}
	play := map[string]string{"word": "QQQQQ", "at": "8D"}
	if own := stranger.sight(page).Own; own == nil || !own.Turn || len(own.Rack) != 7 {
		t.Errorf("a stranger has %+v", own)
	}
	if w := stranger.gives(page, "daily", play); w.Code != 200 || !strings.Contains(w.Body.String(), `"refused":true`) {
		t.Errorf("a stranger tries: %d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/d/1000000-en", "/d/nothing", page + "~x~y", "/d/1-nolist"} {
		if w := stranger.do("GET", path, nil); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := stranger.do("GET", page+"/proof", nil); w.Code != 422 {
		t.Errorf("the proof of an open board: %d", w.Code)
	}

	// A player from another platform comes by their own link.
	var link string
	for _, b := range h.says(cora, salon, "/daily").Buttons {
		if b.Link != "" {
			link = strings.TrimPrefix(b.Link, "https://play.example.org")
		}
	}
	page, pass, _ := strings.Cut(link, "#pass=")
	mine := &reader{h: h}
	if w := mine.do("POST", page+"/enter", map[string]string{"pass": pass}); w.Code != 200 {
		t.Fatalf("the pass: %d %s", w.Code, w.Body)
	}
	if own := mine.sight(page).Own; own == nil || !own.Turn {
		t.Errorf("Cora has %+v", own)
	}
	if w := mine.gives(page, "daily", play); w.Code != 200 || !strings.Contains(w.Body.String(), `"refused":true`) {
		t.Errorf("what she doesn't hold: %d %s", w.Code, w.Body)
	}
	if w := mine.gives(page, "resign", nil); w.Code != 422 {
		t.Errorf("another command: %d %s", w.Code, w.Body)
	}
	if w := stranger.do("POST", page+"/enter", map[string]string{"pass": pass}); w.Code != 401 || !strings.Contains(w.Body.String(), "already been used") {
		t.Errorf("the pass again: %d %s", w.Code, w.Body)
	}
}
