package web_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestEnterSetsCookie(t *testing.T) {
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
	if c := rec.Header().Get("Set-Cookie"); !strings.Contains(c, "Secure") || !strings.HasPrefix(c, "__Host-rackmate=") {
		t.Errorf("behind TLS the cookie is %q: it must be Secure, and for this host alone", c)
	}
	back := (&visitor{site: s, cookie: strings.Split(rec.Header().Get("Set-Cookie"), ";")[0]}).do("GET", "/api/me", nil)
	if !strings.Contains(back.Body.String(), `"name":"Bob"`) {
		t.Errorf("with the cookie of TLS one is %s", back.Body)
	}
}

func TestNamesAreValidated(t *testing.T) {
	s := open(t)
	s.enter("Ann")
	for _, test := range []struct {
		name string
		says string // part of the refusal; "" if the name is valid
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
		{"Rackmate", "a role here"},
		{"everyone", "a role here"},
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

func TestForgedCookiesAreRefused(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	value := strings.TrimPrefix(ann.cookie, "rackmate=")
	said, signature := value[:strings.LastIndex(value, ".")], value[strings.LastIndex(value, ".")+1:]
	for what, cookie := range map[string]string{
		"none":                  "",
		"no signature":          "rackmate=" + ann.ID,
		"empty signature":       "rackmate=" + ann.ID + ".",
		"another's signature":   "rackmate=" + strings.Replace(said, ann.ID, bob.ID, 1) + "." + signature,
		"another epoch":         "rackmate=" + strings.Replace(said, ann.ID+".0", ann.ID+".1", 1) + "." + signature,
		"the id alone":          "rackmate=" + ann.ID + "." + signature,
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

	// The browser may also send the cookie of another room on another port of this
	// computer.
	both := &visitor{site: s, cookie: "rackmate=other.thing; " + ann.cookie}
	var out struct{ Me *struct{ ID, Name string } }
	decode(t, both.do("GET", "/api/me", nil), &out)
	if out.Me == nil || out.Me.ID != ann.ID {
		t.Errorf("with two cookies we are %+v, want Ann", out.Me)
	}

	// The cookie is valid after a restart.
	s.restart()
	ann.say("general", "still me")
}

func TestEnteringTwiceKeepsSeat(t *testing.T) {
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
	call[obj](ann, "rename", obj{"name": "ANN"}) // her own name in other case
	call[obj](ann, "rename", obj{"name": "Anna"})
	bob.refused("rename", obj{"name": "Ann"}, 422) // reserved for a while
	bob.refused("rename", obj{"name": "Anna"}, 422)

	if w := ann.do("POST", "/api/leave", obj{}); w.Code != 200 || !strings.Contains(w.Header().Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("leave: %d, cookie %q", w.Code, w.Header().Get("Set-Cookie"))
	}
	ann.refused("say", obj{"stream": "general", "id": newID(), "text": "boo"}, 401)
	s.clock.pass(25 * time.Hour) // the name is reserved for a day
	s.enter("Anna")
}

// A cookie of the room's first version is still valid.
func TestOldCookiesAreValid(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	key, err := s.notes.Get(t.Context(), "secret", "cookie")
	gametest.Must(t, err)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("person " + ann.ID))
	old := &visitor{site: s, ID: ann.ID, cookie: "rackmate=" + ann.ID + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))}
	old.say("general", "here since version 1")
	if w := old.do("GET", "/api/me", nil); !strings.HasPrefix(w.Header().Get("Set-Cookie"), "rackmate="+ann.ID+".0.") {
		t.Errorf("the old cookie isn't made new: %q", w.Header().Get("Set-Cookie"))
	}
}

// Cookies are renewed while they are used, and expire otherwise.
func TestUnusedCookiesExpire(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	ann.say("general", "hello")
	me := func(v *visitor) string { return v.do("GET", "/api/me", nil).Header().Get("Set-Cookie") }
	s.clock.pass(29 * 24 * time.Hour)
	if c := me(ann); c != "" {
		t.Errorf("after 29 days the cookie is made anew: %q", c)
	}
	s.clock.pass(2 * 24 * time.Hour)
	fresh := &visitor{site: s, ID: ann.ID, cookie: strings.Split(me(ann), ";")[0]}
	if fresh.cookie == "" || fresh.cookie == ann.cookie {
		t.Fatalf("after 31 days the cookie is %q", fresh.cookie)
	}
	s.clock.pass(370 * 24 * time.Hour)
	ann.refused("say", obj{"stream": "general", "id": newID(), "text": "hi"}, 401)
	fresh.say("general", "still me")
}

// A person who lost a phone ends its session from another device.
func TestEndOtherSessions(t *testing.T) {
	s := open(t)
	phone := s.enter("Ann")
	desk := &visitor{site: s, ID: phone.ID, cookie: phone.cookie}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	live := phone.listen(server)
	w := desk.do("POST", "/api/end-others", obj{})
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	desk.cookie = strings.Split(w.Header().Get("Set-Cookie"), ";")[0]
	for range live.events { // until the phone's connection ends
	}
	phone.refused("say", obj{"stream": "general", "id": newID(), "text": "it's me"}, 401)
	desk.say("general", "it's me")
	s.restart()
	phone.refused("say", obj{"stream": "general", "id": newID(), "text": "it's me"}, 401)
	(&visitor{site: s}).refused("end-others", obj{}, 401)
}

// A session ends at every process, whichever handles the request.
func TestOtherProcessesEndSessions(t *testing.T) {
	s := open(t)
	phone := s.enter("Ann")
	desk := &visitor{site: s, ID: phone.ID, cookie: phone.cookie}
	elsewhere, err := web.New(web.Config{Host: s.host, Notes: s.notes, Now: s.clock.now, Random: s.random, Log: slog.New(slog.NewTextHandler(s.log, nil))})
	gametest.Must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { elsewhere.Run(ctx) })
	t.Cleanup(running.Wait)
	t.Cleanup(stop)
	server := httptest.NewServer(elsewhere)
	t.Cleanup(server.Close)
	live := phone.listen(server)
	next[obj](live, "hello")
	desk.say("general", "so that the other process is known to follow this one")
	next[obj](live, "message")
	if w := desk.do("POST", "/api/end-others", obj{}); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for range live.events { // until the phone's connection ends
	}
}

// People who entered and did nothing are removed after a day; others stay.
func TestIdleVisitorsAreRemoved(t *testing.T) {
	s := open(t)
	keeper, talker, passer := s.enter("Kira"), s.enter("Talker"), s.enter("Passer")
	player, watcher := s.enter("Player"), s.enter("Watcher")
	talker.say("general", "hello")
	player.command("general", "/help")
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	next[obj](watcher.listen(server), "hello")
	s.clock.pass(24*time.Hour - time.Second)
	s.enter("Early")
	if w := passer.do("POST", "/api/messages", obj{"stream": "general"}); w.Code != 200 {
		t.Errorf("before the day is over the passer is answered %d", w.Code)
	}
	s.clock.pass(time.Second)
	s.enter("Passer") // the name is free again
	passer.refused("messages", obj{"stream": "general"}, 401)
	for _, v := range []*visitor{keeper, talker, player, watcher} {
		if w := v.do("POST", "/api/messages", obj{"stream": "general"}); w.Code != 200 {
			t.Errorf("%s is answered %d", v.ID, w.Code)
		}
	}
}
