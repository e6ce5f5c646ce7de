package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

func newRecorder(h http.Handler, req *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

func TestHostHeaderIsChecked(t *testing.T) {
	local := open(t)
	named := openWith(t, func(c *web.Config) { c.Hosts = []string{"play.example.org"} })
	anyName := openWith(t, func(c *web.Config) { c.Hosts = []string{"*"} })
	for _, test := range []struct {
		host              string
		local, named, any bool
	}{
		{"localhost:8080", true, true, true},
		{"localhost", true, true, true},
		{"LocalHost:1", true, true, true},
		{"127.0.0.1:8080", true, true, true},
		{"[::1]:8080", true, true, true},
		{"play.example.org", false, true, true},
		{"PLAY.example.org:8080", false, true, true},
		{"evil.example", false, false, true},
		{"localhost.evil.example:8080", false, false, true},
		{"127.0.0.1.evil.example", false, false, true},
		{"192.168.1.7:8080", false, false, true},
		{"", false, false, true},
	} {
		for _, in := range []struct {
			site *site
			want bool
		}{{local, test.local}, {named, test.named}, {anyName, test.any}} {
			req := httptest.NewRequest("GET", "http://localhost/api/me", nil)
			req.Host = test.host
			if got := newRecorder(in.site, req).Code == 200; got != in.want {
				t.Errorf("Host %q is let in: %v, want %v", test.host, got, in.want)
			}
		}
	}
}

// A foreign page must not act for a person whose browser has a cookie.
func TestForeignPagesCantAct(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	for _, test := range []struct {
		header, value string
		ok            bool
	}{
		{"Sec-Fetch-Site", "same-origin", true},
		{"Sec-Fetch-Site", "none", true},
		{"Sec-Fetch-Site", "cross-site", false},
		{"Sec-Fetch-Site", "same-site", false},
		{"Origin", "http://localhost:8080", true},
		{"Origin", "http://localhost:9090", false},
		{"Origin", "https://evil.example", false},
		{"Origin", "null", false},
		{"Content-Type", "text/plain", false},
		{"Content-Type", "application/x-www-form-urlencoded", false},
		{"Content-Type", "application/json; charset=utf-8", true},
	} {
		for _, path := range []string{"say", "press", "channels", "rename", "leave", "enter", "read"} {
			req := ann.request("POST", "/api/"+path, obj{})
			req.Header.Set(test.header, test.value)
			if path == "leave" && (test.ok || test.header == "Content-Type") {
				continue // Ann must stay; leaving reads no body
			}
			code := newRecorder(s, req).Code
			if refused := code == http.StatusForbidden || code == http.StatusUnsupportedMediaType; refused == test.ok {
				t.Errorf("POST %s with %s: %s is answered %d", path, test.header, test.value, code)
			}
		}
		s.clock.pass(time.Minute)
	}
	if n := len(ann.messages("general", 0)); n != 0 {
		t.Errorf("%d messages were said by nobody", n)
	}
}

func TestSecurityHeaders(t *testing.T) {
	s := open(t)
	for _, path := range []string{"/", "/in", "/back", "/sw.js", "/static/sw.js", "/static/icon.svg", "/activity/static/icon.svg", "/api/me", "/nothing", "/nothing.js"} {
		w := newRecorder(s, httptest.NewRequest("GET", "http://localhost"+path, nil))
		csp := w.Header().Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "img-src 'self' data:", "font-src 'self';", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(csp, want) {
				t.Errorf("%s: policy %q lacks %q", path, csp, want)
			}
		}
		if strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", path, csp)
		}
		for header, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"} {
			if got := w.Header().Get(header); got != want {
				t.Errorf("%s: %s is %q, want %q", path, header, got, want)
			}
		}
	}
	// Headers about documents would double what small scripts and styles take.
	for _, path := range []string{"/static/door.js", "/static/style.css", "/activity/static/activity.js"} {
		h := newRecorder(s, httptest.NewRequest("GET", "http://localhost"+path, nil)).Header()
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" || h.Get("Content-Security-Policy") != "" {
			t.Errorf("%s has the headers %v", path, h)
		}
	}
}

// The page has no inline scripts or styles, which its own policy would block, and loads
// nothing from other sites.
func TestPageIsSelfContained(t *testing.T) {
	s := open(t)
	get := func(path string) string {
		w := newRecorder(s, httptest.NewRequest("GET", "http://localhost"+path, nil))
		if w.Code != 200 {
			t.Fatalf("%s: %d", path, w.Code)
		}
		return w.Body.String()
	}
	page := get("/")
	for _, bad := range []string{"<style", " style=", "onclick=", "http://", "https://", "<script>"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, module := range []string{"door", "page", "ontable", "try", "analyse", "fair"} {
		js := get("/static/" + module + ".js")
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "https://"} {
			if strings.Contains(js, bad) {
				t.Errorf("%s.js has %s", module, bad)
			}
		}
	}
	w := newRecorder(s, httptest.NewRequest("GET", "http://localhost/static/app.js", nil))
	again := httptest.NewRequest("GET", "http://localhost/static/app.js", nil)
	again.Header.Set("If-None-Match", w.Header().Get("ETag"))
	if code := newRecorder(s, again).Code; code != http.StatusNotModified {
		t.Errorf("an unchanged file is answered %d, want 304", code)
	}
	if code := newRecorder(s, httptest.NewRequest("GET", "http://localhost/static/", nil)).Code; code != http.StatusNotFound {
		t.Errorf("the list of files is answered %d, want 404", code)
	}
}

// At an unknown address, a person reads an error page in their language with a link to the
// room, and a program receives the error as usual.
func TestUnknownAddress(t *testing.T) {
	s := open(t)
	stranger := &visitor{site: s, locale: "de"}
	for _, path := range []string{"/none", "/static/none.js", "/texts/none.json", "/api/none", "/api/say", "/in/a/b", "/g/none", "/activity/none"} {
		w := stranger.opens(path)
		page := w.Body.String()
		if w.Code != 404 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") || w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		if !strings.Contains(page, `<html lang="de"`) || !strings.Contains(page, `<a class="button primary" href="/">Zum Raum</a>`) || strings.Contains(page, " style=") || len(page) > 4000 {
			t.Errorf("%s: %d bytes: %s", path, len(page), page)
		}
		for _, method := range []string{"GET", "POST", "DELETE"} {
			w := stranger.do(method, path, nil)
			var out struct{ Error string }
			if path == "/api/say" && method == "POST" {
				continue
			}
			if decode(t, w, &out); w.Code != 404 || !strings.HasSuffix(out.Error, ".") {
				t.Errorf("%s %s: %d %q", method, path, w.Code, out.Error)
			}
		}
	}
}

// A refused page shows the reason, and a link to the room if the room is at that address.
func TestRefusedPageSaysWhy(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	ann.locale = "de"
	refused := func(status int, sentence string, leads bool, change func(*http.Request)) {
		t.Helper()
		for _, accept := range []string{"text/html,*/*;q=0.8", "*/*"} {
			req := ann.request("GET", "/", nil)
			req.Header.Set("Accept", accept)
			change(req)
			w := newRecorder(s, req)
			page := strings.HasPrefix(w.Header().Get("Content-Type"), "text/html")
			if w.Code != status || !strings.Contains(w.Body.String(), sentence) || page != (accept != "*/*") {
				t.Errorf("%s: %d, %s", accept, w.Code, w.Body)
			}
			if strings.Contains(w.Body.String(), `href="/">Zum Raum<`) != (page && leads) {
				t.Errorf("%s: %s", accept, w.Body)
			}
		}
	}
	refused(http.StatusMisdirectedRequest, "rackmate", false, func(req *http.Request) { req.Host = "evil.example" })
	for range 300 {
		ann.do("GET", "/api/me", nil)
	}
	refused(http.StatusTooManyRequests, "Sekunde", true, func(*http.Request) {})
}

func TestRequestLimits(t *testing.T) {
	t.Run("body", func(t *testing.T) {
		ann := open(t).enter("Ann")
		ann.refused("say", obj{"stream": "general", "id": newID(), "text": strings.Repeat("x", 20_000)}, 413)
	})
	t.Run("not JSON", func(t *testing.T) {
		s := open(t)
		ann := s.enter("Ann")
		req := httptest.NewRequest("POST", "http://localhost/api/say", strings.NewReader("{"))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Cookie", ann.cookie)
		if code := newRecorder(s, req).Code; code != 400 {
			t.Errorf("broken JSON is answered %d, want 400", code)
		}
	})
	t.Run("text", func(t *testing.T) {
		s := open(t)
		ann := s.enter("Ann")
		ann.say("general", strings.Repeat("é", 2000))
		if why := ann.refused("say", obj{"stream": "general", "id": newID(), "text": strings.Repeat("x", 2001)}, 422); !strings.Contains(why, "2001") {
			t.Errorf("refusal %q doesn't say how long it is", why)
		}
		ann.refused("say", obj{"stream": "general", "id": newID(), "text": " \n\t "}, 422)
	})
	t.Run("a person", func(t *testing.T) {
		s := open(t)
		ann, bob := s.enter("Ann"), s.enter("Bob")
		n := 0
		for ; n < 100; n++ {
			if w := ann.do("POST", "/api/say", obj{"stream": "general", "id": newID(), "text": fmt.Sprint(n)}); w.Code == http.StatusTooManyRequests {
				break
			}
		}
		if n != 20 {
			t.Errorf("%d messages at once went through, want 20", n)
		}
		bob.say("general", "others are not slowed down")
		s.clock.pass(600 * time.Millisecond)
		ann.say("general", "one more")
		ann.refused("say", obj{"stream": "general", "id": newID(), "text": "two more"}, 429)
	})
	t.Run("an address", func(t *testing.T) {
		s := open(t)
		nobody := &visitor{site: s}
		for i := range 100 {
			s.enter("Guest " + fmt.Sprint(i))
		}
		nobody.refused("enter", obj{"name": "One too many"}, 429)
		s.clock.pass(15 * time.Second)
		ann := s.enter("Patient")

		if code := s.hurry(nobody, "/api/me"); code != http.StatusTooManyRequests {
			t.Errorf("400 requests at once end with %d, want 429", code)
		}
		elsewhere := nobody.request("GET", "/api/me", nil)
		elsewhere.RemoteAddr = "[2001:db8::7]:1234"
		if code := newRecorder(s, elsewhere).Code; code != 200 {
			t.Errorf("another address is answered %d", code)
		}
		// A member is counted separately, wherever they are.
		if code := ann.do("GET", "/api/me", nil).Code; code != 200 {
			t.Errorf("a person is answered %d for what strangers at their address did", code)
		}
		if code := s.hurry(nobody, "/static/app.js"); code != 200 {
			t.Errorf("400 times a file end with %d", code)
		}
	})
	t.Run("conversations", func(t *testing.T) {
		s := open(t)
		ann := s.enter("Ann")
		var people []*visitor
		for i := range 22 {
			people = append(people, s.enter("Guest "+fmt.Sprint(i)))
		}
		type info struct{ ID string }
		hello := func(i int) obj {
			s.clock.pass(time.Second)
			return obj{"stream": call[info](ann, "direct", obj{"person": people[i].ID}).ID, "id": newID(), "text": "hello"}
		}
		for i := range 20 {
			call[obj](ann, "say", hello(i))
		}
		if why := ann.refused("say", hello(20), 422); !strings.Contains(why, "10 minutes") {
			t.Errorf("the refusal is %q", why)
		}
		call[obj](ann, "say", hello(3)) // they have a conversation already
		s.clock.pass(10 * time.Minute)
		call[obj](ann, "say", hello(20))
	})
}

// hurry requests a path up to 400 times, and returns the last status, or the first that
// isn't 200.
func (s *site) hurry(v *visitor, path string) (code int) {
	for range 400 {
		if code = v.do("GET", path, nil).Code; code != 200 {
			break
		}
	}
	return code
}

// Behind a trusted proxy, people are identified by the proxy's headers, which clients can't
// forge.
func TestTrustedProxyNamesClient(t *testing.T) {
	const proxy, other = "10.0.0.9:4000", "10.0.0.10"
	for _, c := range []struct {
		name, peer, forwarded, real string
		same                        string // a peer without a proxy that counts as the same client
	}{
		{"no proxy", "203.0.113.5:1", "", "", "203.0.113.5:9"},
		{"a stranger who claims to be a proxy", "203.0.113.5:1", "198.51.100.7", "198.51.100.7", "203.0.113.5:9"},
		{"by the proxy", proxy, "198.51.100.7", "", "198.51.100.7:9"},
		{"by the proxy, with a port", proxy, "198.51.100.7:5555", "", "198.51.100.7:9"},
		{"by two proxies", proxy, "198.51.100.7, " + other, "", "198.51.100.7:9"},
		{"what the client made up comes before", proxy, "192.0.2.1, 198.51.100.7", "", "198.51.100.7:9"},
		{"IPv6, as one household", proxy, "[2001:db8:1:2::99]:5555", "", "[2001:db8:1:2::1]:9"},
		{"nginx's other header", proxy, "", "198.51.100.7", "198.51.100.7:9"},
		{"a proxy that hides its client", proxy, "unknown", "", proxy},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openWith(t, func(conf *web.Config) { conf.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/24")} })
			ask := func(peer, forwarded, real string) int {
				req := httptest.NewRequest("GET", "http://localhost/", nil)
				req.RemoteAddr = peer
				if forwarded != "" {
					req.Header.Set("X-Forwarded-For", forwarded)
				}
				if real != "" {
					req.Header.Set("X-Real-IP", real)
				}
				return newRecorder(s, req).Code
			}
			for range 300 {
				ask(c.peer, c.forwarded, c.real)
			}
			if code := ask(c.same, "", ""); code != http.StatusTooManyRequests {
				t.Errorf("%s is answered %d: it isn't counted as the same", c.same, code)
			}
			if code := ask(proxy, "192.0.2.200", ""); code != http.StatusOK {
				t.Errorf("somebody else behind the proxy is answered %d", code)
			}
		})
	}
}

// Logs tell who did what, but never contents of messages or racks.
func TestLogsAreDiscreet(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	ann.say("general", "confidential-text")
	s.host.handle = func(bot.Request) bot.Reply { return bot.Reply{Text: plain("confidential-rack")} }
	ann.command("general", "/rack")
	call[obj](ann, "channels", obj{"name": "late-night"})
	ann.refused("say", obj{"stream": "nowhere", "id": newID(), "text": "confidential-text"}, 404)
	log := s.log.String()
	if !strings.Contains(log, "web:"+ann.ID) {
		t.Errorf("the log %q doesn't name the player", log)
	}
	for _, secret := range []string{"confidential", ann.cookie[strings.LastIndex(ann.cookie, ".")+1:]} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %q:\n%s", secret, log)
		}
	}
}

// A fault's reference, shown to the person, leads to the log line with its cause.
func TestFaultsHaveReferences(t *testing.T) {
	var broken atomic.Bool
	s := openWith(t, func(c *web.Config) { c.Notes = damagedNotes{c.Notes, &broken} })
	ann := s.enter("Ann")
	for what, fault := range map[string]func(){
		"a panic":   func() { s.host.set(func(bot.Request) bot.Reply { panic("a hole in the floor") }) },
		"the store": func() { s.host.set(nil); broken.Store(true) },
	} {
		broken.Store(false)
		fault()
		text := ann.refused("say", obj{"stream": "general", "id": newID(), "text": "/help"}, http.StatusInternalServerError)
		_, rest, _ := strings.Cut(text, "in the log as ")
		reference := strings.TrimSuffix(rest, ".")
		if len(reference) != 8 || !strings.Contains(s.log.String(), "request="+reference) {
			t.Errorf("%s: the person is told %q; the log:\n%s", what, text, s.log)
		}
	}
}

// damagedNotes can't be read while they are broken.
type damagedNotes struct {
	bot.Notes
	broken *atomic.Bool
}

func (n damagedNotes) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	if n.broken.Load() {
		return nil, errors.New("the disk is gone")
	}
	return n.Notes.Get(ctx, shelf, key)
}

// Addresses are kept for a month after a person last came from them.
func TestAddressesExpire(t *testing.T) {
	s := open(t)
	kept := func() int {
		t.Helper()
		keys, err := s.notes.Keys(t.Context(), "addresses")
		gametest.Must(t, err)
		return len(keys)
	}
	s.enter("Ann")
	s.clock.pass(20 * 24 * time.Hour)
	s.enter("Bob").say("general", "hello")
	if n := kept(); n != 2 {
		t.Fatalf("the addresses of %d people are kept, want 2", n)
	}
	s.clock.pass(11 * 24 * time.Hour)
	s.enter("Cat")
	if n := kept(); n != 2 {
		t.Errorf("after a month the addresses of %d people are kept, want Bob's and Cat's", n)
	}
	s.clock.pass(40 * 24 * time.Hour)
	s.restart()
	s.enter("Dan")
	if n := kept(); n != 1 {
		t.Errorf("after another month the addresses of %d people are kept, want Dan's", n)
	}
}

// The room's own refusals are in the browser's language.
func TestRefusalsInBrowsersLanguage(t *testing.T) {
	ann := open(t).enter("Ann")
	req := ann.request("POST", "/api/say", obj{"stream": "general", "id": newID(), "text": " "})
	req.Header.Set("Accept-Language", "de-AT,en;q=0.5")
	w := httptest.NewRecorder()
	ann.site.ServeHTTP(w, req)
	var out struct{ Error string }
	decode(t, w, &out)
	if out.Error != "Bitte schreib zuerst etwas." {
		t.Errorf("in German an empty message is refused with %q", out.Error)
	}
}
