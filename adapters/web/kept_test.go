package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/game/gametest"
)

// An export of a person's data contains their row and all their messages from everywhere,
// and no one else's. An operator finds the person by name.
func TestExportHasAllOfPersonsData(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	ann.say("general", "I like Q")
	bob.say("general", "I don't")
	direct := call[struct{ ID string }](ann, "direct", obj{"person": bob.ID}).ID
	ann.say(direct, "between us")
	keeper := s.current().Platform().Keeper
	kept, err := keeper.Kept(t.Context(), ann.user().ID)
	gametest.Must(t, err)
	b, err := json.Marshal(kept)
	gametest.Must(t, err)
	for said, hers := range map[string]bool{"I like Q": true, "between us": true, `"Ann"`: true, "I don't": false} {
		if strings.Contains(string(b), said) != hers {
			t.Errorf("what is kept of Ann has %q: %v\n%s", said, !hers, b)
		}
	}
	if kept, err := keeper.Kept(t.Context(), cora.ID); err != nil || len(kept) > 0 {
		t.Errorf("of somebody elsewhere the room keeps %v, %v", kept, err)
	}
	if who, found, err := web.Named(t.Context(), s.notes, "ann"); err != nil || !found || who != *ann.user() {
		t.Errorf("Ann is found as %+v, %v, %v", who, found, err)
	}
	if _, found, err := web.Named(t.Context(), s.notes, "Eve"); err != nil || found {
		t.Errorf("somebody who never came is found: %v, %v", found, err)
	}
}

// A page in another language loads the translations of its own sentences only. If a
// catalogue can't be read, there are none, and the page is in English.
func TestPageLoadsTranslations(t *testing.T) {
	said, err := pages.Sentences()
	gametest.Must(t, err)
	b, err := json.Marshal(obj{"sentences": map[string]string{said[0]: "Hallo", "Nothing that a page says": "Nichts"}})
	gametest.Must(t, err)
	s := openWith(t, func(c *web.Config) {
		c.Sentences = fstest.MapFS{"de.json": {Data: b}, "fr.json": {Data: []byte("oh")}}
	})
	for path, want := range map[string]string{"/texts/de.json": fmt.Sprintf("{%q:%q}", said[0], "Hallo"), "/texts/fr.json": "{}"} {
		w := (&visitor{site: s}).do("GET", path, nil)
		if w.Code != 200 || strings.TrimSpace(w.Body.String()) != want {
			t.Errorf("%s: %d %s, want %s", path, w.Code, w.Body, want)
		}
	}
	if w := (&visitor{site: s}).do("GET", "/texts/nl.json", nil); w.Code != 404 {
		t.Errorf("a language that isn't there: %d", w.Code)
	}
}

// Anyone can analyse a position or a recorded game. Unreadable input gets an error.
func TestAnalysePage(t *testing.T) {
	h := newHouse(t)
	r := &reader{h: h}
	if w := r.do("GET", "/analyse", nil); w.Code != 200 || !strings.Contains(w.Body.String(), `data-does="analyse"`) {
		t.Fatalf("the page: %d", w.Code)
	}
	asks := func(path string, in any, status int) string {
		t.Helper()
		w := r.do("POST", "/analyse/"+path, in)
		if w.Code != status {
			t.Errorf("%s %v: %d %s", path, in, w.Code, w.Body)
		}
		return w.Body.String()
	}
	tried := asks("ask", obj{"steps": []string{"rack HORNABC"}, "try": obj{"word": "horn", "at": "8h"}}, 200)
	if !strings.Contains(tried, `"score":14`) {
		t.Errorf("HORN on the star is %s", tried)
	}
	asks("ask", obj{"cgp": "nonsense"}, 422)
	asks("game", obj{"written": "nonsense"}, 422)
	gcg := "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: HORNABC 8H HORN +14 14\n"
	if found := asks("game", obj{"written": gcg}, 200); !strings.Contains(found, `"positions":[`) {
		t.Errorf("the game has %s", found)
	}
	h.stop()
	h.with = func(c *web.Config) { c.Pages = nil }
	h.start()
	asks("ask", obj{}, 404)
	if w := r.do("GET", "/analyse", nil); w.Code != 404 {
		t.Errorf("where nobody analyses there is a page: %d", w.Code)
	}
}
