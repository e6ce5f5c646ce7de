package web_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestEnter(t *testing.T) {
	s := open(t)
	nobody := &visitor{site: s}
	w := nobody.do("POST", "/api/enter", obj{"name": "  Ann \t Lee "})
	var me struct{ ID, Name string }
	decode(t, w, &me)
	if me.Name != "Ann Lee" || len(me.ID) != 16 {
		t.Errorf("entered as %+v, want Ann Lee and an id", me)
	}
	cookie := w.Header().Get("Set-Cookie")
	for _, want := range []string{"rackmate=" + me.ID + ".", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="} {
		if !strings.Contains(cookie, want) {
			t.Errorf("cookie %q lacks %s", cookie, want)
		}
	}
	if strings.Contains(cookie, "Secure") {
		t.Error("the cookie is for TLS only, which a room on localhost has not")
	}

	over := nobody.request("POST", "/api/enter", obj{"name": "Bob"})
	over.Header.Set("X-Forwarded-Proto", "https")
	rec := newRecorder(s, over)
	if !strings.Contains(rec.Header().Get("Set-Cookie"), "Secure") {
		t.Error("behind TLS the cookie must be Secure")
	}
}

func TestNames(t *testing.T) {
	s := open(t)
	s.enter("Ann")
	for _, test := range []struct {
		name string
		says string // in the refusal; "" when the name is good
	}{
		{"Bob", ""},
		{"Ann2", ""},
		{"José María", ""},
		{"O'Neil", ""},
		{"李小龍", ""},
		{"J. R. Smith-Jones", ""},
		{strings.Repeat("x", 30), ""},
		{strings.Repeat("é", 29), ""},
		{strings.Repeat("x", 31), "30"},
		{"", "type a name"},
		{" \t ", "type a name"},
		{"...", "letter or a digit"},
		{"<b>", "not '<'"},
		{"a@b", "not '@'"},
		{"a\u202eb", "not"},
		{"Ann", "Somebody else"},
		{"ANN", "Somebody else"},
		{" ann ", "Somebody else"},
		{"Rackmate", "Somebody else"},
		{"everyone", "Somebody else"},
	} {
		v := &visitor{site: s}
		if test.says == "" {
			if w := v.do("POST", "/api/enter", obj{"name": test.name}); w.Code != 200 {
				t.Errorf("name %q: %d %s", test.name, w.Code, w.Body)
			}
		} else if why := v.refused("enter", obj{"name": test.name}, 422); !strings.Contains(why, test.says) {
			t.Errorf("name %q is refused with %q, want %q in it", test.name, why, test.says)
		}
		s.clock.pass(10e9)
	}
}

func TestCookies(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	value := strings.TrimPrefix(ann.cookie, "rackmate=")
	signature := value[strings.Index(value, ".")+1:]
	for what, cookie := range map[string]string{
		"none":                  "",
		"no signature":          "rackmate=" + ann.ID,
		"empty signature":       "rackmate=" + ann.ID + ".",
		"another's signature":   "rackmate=" + bob.ID + "." + signature,
		"a changed signature":   ann.cookie[:len(ann.cookie)-2] + "zz",
		"somebody who is not":   "rackmate=aaaaaaaaaaaaaaaa." + signature,
		"rubbish":               "rackmate=\x00\xff",
		"another room's cookie": "rackmate=" + open(t).enter("Ann").cookie[len("rackmate="):],
	} {
		v := &visitor{site: s, cookie: cookie}
		if w := v.do("POST", "/api/say", obj{"stream": "general", "id": newID(), "text": "hi"}); w.Code != http.StatusUnauthorized {
			t.Errorf("cookie with %s: %d, want 401", what, w.Code)
		}
		if w := v.do("GET", "/api/live", nil); w.Code != http.StatusUnauthorized {
			t.Errorf("live with %s: %d, want 401", what, w.Code)
		}
		var out struct{ Me *struct{ ID string } }
		decode(t, v.do("GET", "/api/me", nil), &out)
		if out.Me != nil {
			t.Errorf("cookie with %s is taken for %s", what, out.Me.ID)
		}
	}

	// The cookie of another room on another port of this computer may come
	// along with ours.
	both := &visitor{site: s, cookie: "rackmate=other.thing; " + ann.cookie}
	var out struct{ Me *struct{ ID, Name string } }
	decode(t, both.do("GET", "/api/me", nil), &out)
	if out.Me == nil || out.Me.ID != ann.ID {
		t.Errorf("with two cookies we are %+v, want Ann", out.Me)
	}

	// It still counts after a restart.
	s.restart()
	ann.say("general", "still me")
}

func TestEnteringTwiceKeepsTheSeat(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	var again struct{ ID string }
	decode(t, ann.do("POST", "/api/enter", obj{"name": "Ann"}), &again)
	if again.ID != ann.ID {
		t.Errorf("entering again made %s of %s", again.ID, ann.ID)
	}
}

func TestRenameAndLeave(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	bob.refused("rename", obj{"name": "ann"}, 422)
	call[obj](ann, "rename", obj{"name": "ANN"}) // her own name, in other letters
	call[obj](ann, "rename", obj{"name": "Anna"})
	call[obj](bob, "rename", obj{"name": "Ann"}) // is free now
	bob.refused("rename", obj{"name": "Anna"}, 422)

	if w := ann.do("POST", "/api/leave", obj{}); w.Code != 200 || !strings.Contains(w.Header().Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("leave: %d, cookie %q", w.Code, w.Header().Get("Set-Cookie"))
	}
	ann.refused("say", obj{"stream": "general", "id": newID(), "text": "boo"}, 401)
	s.enter("Anna")
}
