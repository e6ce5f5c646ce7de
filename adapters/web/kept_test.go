package web_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// Whoever asks what the room keeps of them is given who they are and all that they said,
// wherever that was, and nothing that others said. An operator finds them by their name.
func TestKept(t *testing.T) {
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

// Keepers end an invitation, and all who came by it are out, but for keepers.
func TestBarInvitation(t *testing.T) {
	s := openWith(t, func(c *web.Config) { c.Door, c.URL = web.DoorInvite, "https://play.example.org" })
	come := func(name, code string) *visitor {
		t.Helper()
		w := s.knock("203.0.113.7", url.Values{"name": {name}, "code": {code}})
		if !in(w) {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		return &visitor{site: s, Name: name, cookie: strings.Split(w.Header().Get("Set-Cookie"), ";")[0]}
	}
	one, two := s.invitation(5, time.Hour), s.invitation(5, time.Hour)
	ann, bob, eve := come("Ann", one), come("Bob", one), come("Eve", two) // Ann keeps the room
	steward := s.current().Platform().Steward
	all, err := steward.Bars(t.Context())
	if err != nil || len(all) > 0 {
		t.Fatalf("at first %+v are out, %v", all, err)
	}
	bars := func(begins string) string {
		t.Helper()
		said, err := steward.Bar(t.Context(), bot.Bar{Invitation: begins, Until: s.clock.now().Add(time.Hour)})
		gametest.Must(t, err)
		to, _ := tongues().Match("en")
		return said.In(to).String()
	}
	if said := bars("abc"); !strings.Contains(said, "0 invitations") || !strings.Contains(said, "0 people") {
		t.Errorf("a beginning that is too short for any: %q", said)
	}
	invited, err := s.notes.Keys(t.Context(), "invitations")
	gametest.Must(t, err)
	i := slices.IndexFunc(invited, func(key string) bool { // Bob's and Ann's
		b, err := s.notes.Get(t.Context(), "invitations", key)
		gametest.Must(t, err)
		return strings.Contains(string(b), `"uses":3`)
	})
	if i < 0 {
		t.Fatalf("no invitation was used twice: %v", invited)
	}
	if said := bars(strings.ToUpper(invited[i][:6])); !strings.Contains(said, "1 invitation ") || !strings.Contains(said, "1 person") {
		t.Errorf("the keepers are told %q", said)
	}
	for v, want := range map[*visitor]int{ann: 200, bob: 401, eve: 200} {
		if w := v.do("GET", "/api/me", nil); w.Code != want {
			t.Errorf("%s is answered %d, want %d", v.Name, w.Code, want)
		}
	}
	if w := s.knock("203.0.113.7", url.Values{"name": {"Late"}, "code": {one}}); in(w) {
		t.Error("somebody came by an invitation that was ended")
	}
}

// A page in another language asks for what its scripts say, and gets their sentences
// alone; of a catalogue that can't be read there are none, and it is English.
func TestTexts(t *testing.T) {
	said, err := web.Sentences()
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

// Anybody analyses a position, or a game that is written down; what can't be read is said.
func TestAnalysePage(t *testing.T) {
	h := newHouse(t)
	r := &reader{h: h}
	if w := r.do("GET", "/analyse", nil); w.Code != 200 || !strings.Contains(w.Body.String(), `id="setup"`) {
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
	tried := asks("ask", bot.Question{Steps: []string{"rack HORNABC"}, Try: &bot.Attempt{Word: "horn", At: "8h"}}, 200)
	if !strings.Contains(tried, `"score":14`) {
		t.Errorf("HORN on the star is %s", tried)
	}
	asks("ask", bot.Question{CGP: "nonsense"}, 422)
	asks("game", obj{"written": "nonsense"}, 422)
	gcg := "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: HORNABC 8H HORN +14 14\n"
	if found := asks("game", obj{"written": gcg}, 200); !strings.Contains(found, `"positions":[`) {
		t.Errorf("the game has %s", found)
	}
	h.stop()
	h.with = func(c *web.Config) { c.Analyst = nil }
	h.start()
	asks("ask", bot.Question{}, 404)
	if w := r.do("GET", "/analyse", nil); w.Code != 404 {
		t.Errorf("where nobody analyses there is a page: %d", w.Code)
	}
}
