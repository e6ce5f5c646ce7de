package web_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/adapters/web/signin"
	"github.com/rackmate/rackmate/adapters/web/webtest"
	"github.com/rackmate/rackmate/bot"
)

// If the door is a sign-in service, it admits the people whom the operator allows, in the
// browser that began, once per sign-in. Signing in again with the same account returns the
// same person.
func TestDoorWithSignIn(t *testing.T) {
	i := webtest.NewIssuer(t)
	client := signin.Client{ID: "room", Secret: "hush"}
	s := openWith(t, func(c *web.Config) {
		c.Door, c.URL, c.FirstKeeps = web.DoorSignIn, "https://play.example.org", false
		c.SignIn = []*signin.Provider{signin.OpenID("account", "Example", i.URL, client, []string{"@example.org"}), signin.Slack(i.URL, client, []string{"T1"})}
	})
	in := func(w *httptest.ResponseRecorder) bool { return w.Code == 303 && w.Header().Get("Location") == "/" }
	get := func(path string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
		req := httptest.NewRequest("GET", "http://localhost:8080"+path, nil)
		for _, c := range cookies {
			req.AddCookie(c)
		}
		s.clock.pass(time.Minute) // avoids the rate limit
		return newRecorder(s, req)
	}
	// begin sends a browser to the service, and sets the claims it will return.
	begin := func(with string, claims obj) (back string, cookie *http.Cookie) {
		t.Helper()
		w := get("/in/with/" + with)
		to, err := url.Parse(w.Header().Get("Location"))
		if err != nil || w.Code != 303 || !strings.HasPrefix(to.String(), i.URL+"/authorize?") {
			t.Fatalf("sign in with %s: %d %s", with, w.Code, w.Body)
		}
		return "/in/back/" + with + "?code=code&state=" + i.Expects(to, claims), w.Result().Cookies()[0]
	}
	ann := obj{"sub": "ann", "name": "Ann", "email": "ann@example.org", "email_verified": true}
	changed := func(changes obj) obj {
		all := maps.Clone(ann)
		maps.Copy(all, changes)
		return all
	}

	var who []string
	for range 2 {
		back, cookie := begin("account", ann)
		w := get(back, cookie)
		if !in(w) {
			t.Fatalf("Ann signs in: %d %s", w.Code, w.Body)
		}
		who = append(who, get("/api/me", w.Result().Cookies()...).Body.String())
		if again := get(back, cookie); in(again) {
			t.Error("a sign-in counted twice")
		}
	}
	if !strings.Contains(who[0], `"Ann"`) || who[0] != who[1] {
		t.Errorf("Ann is %s, and later %s", who[0], who[1])
	}

	for name, c := range map[string]struct {
		with   string
		claims obj
		forged bool
		says   string
	}{
		"address of another domain": {"account", changed(obj{"email": "ann@example.com"}), false, "enter this room"},
		"address nobody verified":   {"account", changed(obj{"email_verified": false}), false, "enter this room"},
		"answer to another sign-in": {"account", changed(obj{"nonce": "another"}), false, "say who you are"},
		"token for another client":  {"account", changed(obj{"aud": "somebody"}), false, "say who you are"},
		"token of long ago":         {"account", changed(obj{"exp": 1}), false, "say who you are"},
		"token of another issuer":   {"account", changed(obj{"iss": "https://evil.example"}), false, "say who you are"},
		"token of nobody":           {"account", changed(obj{"sub": ""}), false, "say who you are"},
		"forged token":              {"account", ann, true, "say who you are"},
		"another workspace":         {"slack", obj{"sub": "U2", "name": "Eve", "https://slack.com/team_id": "T2", "https://slack.com/user_id": "U2"}, false, "enter this room"},
	} {
		back, cookie := begin(c.with, c.claims)
		i.Forged = c.forged
		if w := get(back, cookie); in(w) || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		i.Forged = false
	}
	// A person without a usable name gets one in their language.
	for n, want := range []string{`"Person"`, `"Person 2"`} {
		back, cookie := begin("account", changed(obj{"sub": fmt.Sprint("nameless", n), "name": "<!>"}))
		req := httptest.NewRequest("GET", "http://localhost:8080"+back, nil)
		req.Header.Set("Accept-Language", "de")
		req.AddCookie(cookie)
		if me := get("/api/me", newRecorder(s, req).Result().Cookies()...).Body.String(); !strings.Contains(me, want) {
			t.Errorf("somebody without a name is %s, want %s", me, want)
		}
	}
	back, _ := begin("account", ann)
	_, another := begin("account", ann)
	for name, w := range map[string]*httptest.ResponseRecorder{"no cookie": get(back), "another browser": get(back, another)} {
		if in(w) || !strings.Contains(w.Body.String(), "started in another browser") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	back, cookie := begin("slack", obj{"sub": "U1", "name": "Bob", "https://slack.com/team_id": "T1", "https://slack.com/user_id": "U1"})
	if w := get(back, cookie); !in(w) {
		t.Errorf("a member of the workspace: %d %s", w.Code, w.Body)
	}
	if got := s.host.same; len(got) != 1 || got[0][1] != "slack:T1/U1" {
		t.Errorf("made one person: %v", got)
	}
}

// If the door is Discord, it admits the members of the configured servers, linked to their
// Discord ids.
func TestDoorWithDiscord(t *testing.T) {
	d := webtest.NewDiscord(t)
	s := openWith(t, func(c *web.Config) {
		c.Door, c.URL, c.FirstKeeps = web.DoorSignIn, "https://play.example.org", false
		c.SignIn = []*signin.Provider{signin.Discord(d.URL+"/api", signin.Client{ID: "room", Secret: "hush"}, []string{"41", "42"})}
	})
	get := func(path string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
		req := httptest.NewRequest("GET", "http://localhost:8080"+path, nil)
		for _, c := range cookies {
			req.AddCookie(c)
		}
		s.clock.pass(time.Minute) // avoids the rate limit
		return newRecorder(s, req)
	}
	for _, c := range []struct {
		name   string
		me     obj
		guilds []string
		down   string
		called string // name in the room; "" if not admitted
		says   string // refusal
	}{
		{name: "member", me: obj{"id": "7", "username": "ann7", "global_name": "Ann"}, guilds: []string{"5", "42"}, called: "Ann"},
		{name: "member without a name to show", me: obj{"id": "8", "username": "bob8", "global_name": nil}, guilds: []string{"41"}, called: "bob8"},
		{name: "member of another server", me: obj{"id": "9", "username": "eve9"}, guilds: []string{"5"}, says: "enter this room"},
		{name: "member of none", me: obj{"id": "9", "username": "eve9"}, guilds: []string{}, says: "enter this room"},
		{name: "nobody", me: obj{}, guilds: []string{"42"}, says: "enter this room"},
		{name: "no token", down: "/api/oauth2/token", says: "say who you are"},
		{name: "no answer who it is", guilds: []string{"42"}, down: "/api/v10/users/@me", says: "say who you are"},
		{name: "no answer which servers", me: obj{"id": "7", "username": "ann7"}, down: "/api/v10/users/@me/guilds", says: "say who you are"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d.Me, d.Guilds, d.Down = c.me, c.guilds, c.down
			w := get("/in/with/discord")
			to, err := url.Parse(w.Header().Get("Location"))
			if err != nil || w.Code != 303 || !strings.HasPrefix(to.String(), d.URL+"/oauth2/authorize?") {
				t.Fatalf("sent to Discord: %d %s", w.Code, w.Header())
			}
			asked := to.Query()
			if asked.Get("client_id") != "room" || asked.Get("scope") != "identify guilds" || asked.Get("response_type") != "code" {
				t.Errorf("Discord is asked for %v", asked)
			}
			d.Expects(to)
			w = get("/in/back/discord?code=code&state="+asked.Get("state"), w.Result().Cookies()[0])
			if in := w.Code == 303 && w.Header().Get("Location") == "/"; in != (c.called != "") || !strings.Contains(w.Body.String(), c.says) {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if c.called == "" {
				return
			}
			if me := get("/api/me", w.Result().Cookies()...).Body.String(); !strings.Contains(me, `"`+c.called+`"`) {
				t.Errorf("%s is %s", c.called, me)
			}
			if got := s.host.same; got[len(got)-1][1] != bot.PlayerID(fmt.Sprint("discord:", c.me["id"])) {
				t.Errorf("made one person: %v", got)
			}
		})
	}
	if len(s.host.same) != 2 {
		t.Errorf("made one person: %v", s.host.same)
	}
}
