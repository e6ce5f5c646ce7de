package web_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/game/gametest"
)

// behind opens a room with a door.
func behind(t *testing.T, door web.Door) *site {
	return openWith(t, func(c *web.Config) {
		c.Door, c.Password, c.URL, c.FirstKeeps = door, "correct horse", "https://play.example.org", false
	})
}

// invitation creates an invitation and returns its code.
func (s *site) invitation(uses int, life time.Duration) string {
	s.t.Helper()
	link, err := web.Invite(s.t.Context(), s.notes, rand.Reader, s.clock.now(), web.Invitation{Uses: uses, Life: life})
	gametest.Must(s.t, err)
	code, ok := strings.CutPrefix(link, "https://play.example.org/in/")
	if !ok {
		s.t.Fatalf("the link is %q", link)
	}
	return code
}

// knock submits the door's form from an address, without a cookie.
func (s *site) knock(from string, form url.Values) *httptest.ResponseRecorder {
	req := httptest.NewRequest("POST", "http://localhost:8080/in", strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.RemoteAddr = from + ":1000"
	return newRecorder(s, req)
}

func in(w *httptest.ResponseRecorder) bool {
	return w.Code == http.StatusSeeOther && w.Header().Get("Location") == "/" && strings.Contains(w.Header().Get("Set-Cookie"), "rackmate=")
}

func TestDoorWithInvitations(t *testing.T) {
	s := behind(t, web.DoorInvite)
	stranger := &visitor{site: s}
	if w := stranger.do("GET", "/", nil); w.Code != 303 || w.Header().Get("Location") != "/in" {
		t.Errorf("a stranger who opens the room gets %d %s, want the door", w.Code, w.Header())
	}
	if why := stranger.refused("enter", obj{"name": "Ann"}, 422); !strings.Contains(why, "our invitation code") {
		t.Errorf("without an invitation: %q", why)
	}
	code := s.invitation(2, time.Hour)
	page := stranger.do("GET", "/in/"+code, nil)
	if page.Code != 200 || !strings.Contains(page.Body.String(), "re invited") || !strings.Contains(page.Body.String(), `value="`+code+`"`) {
		t.Errorf("the link shows %d %s", page.Code, page.Body)
	}
	for i := range 3 {
		if w := stranger.do("GET", "/in/"+code, nil); w.Code != 200 {
			t.Fatalf("looking at the link %d times used it up", i+2) // chats fetch posted links for a preview
		}
	}
	w := s.knock("192.0.2.1", url.Values{"name": {"Ann"}, "code": {strings.ToLower(strings.ReplaceAll(code, "-", " "))}})
	if !in(w) {
		t.Fatalf("Ann knocks with a good code: %d %s", w.Code, w.Body)
	}
	ann := &visitor{site: s, Name: "Ann", cookie: strings.Split(w.Header().Get("Set-Cookie"), ";")[0]}
	if w := ann.do("GET", "/", nil); w.Code != 200 {
		t.Errorf("Ann, who is in, opens the room: %d", w.Code)
	}
	if w := ann.do("GET", "/in/"+code, nil); w.Code != 303 {
		t.Errorf("Ann follows her link again: %d, want the room", w.Code)
	}
	// A refused name doesn't use up the invitation.
	if w := s.knock("192.0.2.2", url.Values{"name": {"Ann"}, "code": {code}, "invited": {"yes"}}); w.Code != 422 || !strings.Contains(w.Body.String(), "Somebody else") {
		t.Errorf("a second Ann: %d %s", w.Code, w.Body)
	}
	if w := s.knock("192.0.2.2", url.Values{"name": {"Bob"}, "code": {code}}); !in(w) {
		t.Errorf("Bob is the second: %d %s", w.Code, w.Body)
	}
	w = s.knock("192.0.2.3", url.Values{"name": {"Cat"}, "code": {code}})
	if w.Code != 422 || !strings.Contains(w.Body.String(), "used") {
		t.Errorf("the third by an invitation for two: %d %s", w.Code, w.Body)
	}
	if w := s.knock("192.0.2.3", url.Values{"name": {"Dan"}, "code": {s.invitation(1, time.Hour)}}); !in(w) {
		t.Errorf("another invitation: %d %s", w.Code, w.Body)
	}
	late := s.invitation(1, time.Hour)
	s.clock.pass(61 * time.Minute)
	if w := s.knock("192.0.2.4", url.Values{"name": {"Eve"}, "code": {late}}); w.Code != 422 {
		t.Errorf("an invitation whose time is over: %d", w.Code)
	}
	for _, odd := range []web.Invitation{{Uses: 0, Life: time.Hour}, {Uses: 101, Life: time.Hour}, {Uses: 1}, {Uses: 1, Life: 31 * 24 * time.Hour}} {
		if _, err := web.Invite(t.Context(), s.notes, rand.Reader, s.clock.now(), odd); err == nil {
			t.Errorf("an invitation like %v was made", odd)
		}
	}
}

// The start prints one link, the same all day, until it is used up.
func TestStartPrintsInvitation(t *testing.T) {
	s := behind(t, web.DoorInvite)
	first := func() string {
		t.Helper()
		link, err := s.current().FirstInvitation(t.Context())
		gametest.Must(t, err)
		return link
	}
	link := first()
	s.restart()
	if again := first(); again != link || link == "" {
		t.Errorf("two starts print %q and %q", link, again)
	}
	for i := range 10 {
		w := s.knock("192.0.2."+string(rune('1'+i/2)), url.Values{"name": {"Guest " + string(rune('A'+i))}, "code": {strings.TrimPrefix(link, "https://play.example.org/in/")}})
		if !in(w) {
			t.Fatalf("guest %d: %d %s", i, w.Code, w.Body)
		}
	}
	if again := first(); again != "" {
		t.Errorf("the invitation is used up, and the start prints %q", again)
	}
	s.clock.pass(24 * time.Hour)
	if again := first(); again == "" || again == link {
		t.Errorf("the next day's is %q", again)
	}
}

func TestDoorWithPassword(t *testing.T) {
	s := behind(t, web.DoorPassword)
	if w := s.knock("192.0.2.1", url.Values{"name": {"Ann"}, "password": {"correct hoarse"}}); w.Code != 422 || in(w) {
		t.Errorf("a wrong password: %d", w.Code)
	}
	if w := s.knock("192.0.2.1", url.Values{"name": {"Ann"}, "password": {"correct horse"}}); !in(w) {
		t.Errorf("the password: %d %s", w.Code, w.Body)
	}
	w := s.knock("192.0.2.1", url.Values{"name": {`"><script>alert(1)</script>`}, "password": {"no"}})
	if strings.Contains(w.Body.String(), "<script>alert") || strings.Contains(w.Body.String(), `value="no"`) {
		t.Errorf("the door repeats markup, or the password: %s", w.Body)
	}
	if _, err := web.New(web.Config{Host: s.host, Notes: s.notes, Now: s.clock.now, Random: rand.Reader, Door: web.DoorPassword, Password: "short"}); err == nil {
		t.Error("a room opened with a password of 5 characters")
	}
}

// Guessing is slowed down only for clients of the guesser's network, and right answers are
// never limited.
func TestPasswordGuessesAreSlowed(t *testing.T) {
	guess := url.Values{"name": {"Eve"}, "code": {"AAAA-AAAA-AAAA"}, "password": {"12345678"}}
	for _, door := range []web.Door{web.DoorInvite, web.DoorPassword} {
		s := behind(t, door)
		looked := 0
		for range 250 {
			if w := s.knock("192.0.2.1", guess); w.Code == 422 {
				looked++
			} else if w.Code != 429 {
				t.Fatalf("%s: a guess gets %d %s", door, w.Code, w.Body)
			}
		}
		if looked > 60 {
			t.Errorf("%s: %d of 250 guesses of one address were looked at", door, looked)
		}
		right := url.Values{"name": {"Ann"}, "code": {s.invitation(1, time.Hour)}, "password": {"correct horse"}}
		if w := s.knock("192.0.2.1", right); in(w) != (door == web.DoorInvite) {
			t.Errorf("%s: who is right behind the guesser's address: %d", door, w.Code)
		}
		if w := s.knock("192.0.2.2", right); !in(w) && door == web.DoorPassword {
			t.Errorf("%s: who is right elsewhere: %d", door, w.Code)
		}
	}
	s := behind(t, web.DoorPassword)
	kept := 0
	for i := range 250 {
		for range 4 {
			s.knock(fmt.Sprintf("198.51.%d.%d", i/100, i%100), guess)
		}
		if w := s.knock(fmt.Sprintf("203.0.113.%d", i), url.Values{"name": {fmt.Sprintf("Honest %d", i)}, "password": {"correct horse"}}); !in(w) {
			kept++
		}
	}
	if kept > 0 {
		t.Errorf("while others guess %d of 250 who know the password are kept out", kept)
	}
	// The households of one site are limited together.
	looked := 0
	for i := range 1000 {
		if w := s.knock(fmt.Sprintf("[2001:db8:7:%x::1]", i), guess); w.Code == 422 {
			looked++
		}
	}
	if looked > 240 {
		t.Errorf("%d of 1000 guesses of one /48 were looked at", looked)
	}
}

// A class behind one address can come in at once, by an invitation or by the password.
func TestClassEntersAtOnce(t *testing.T) {
	for _, door := range []web.Door{web.DoorInvite, web.DoorPassword} {
		s := behind(t, door)
		code := s.invitation(60, time.Hour)
		for i := range 60 {
			if w := s.knock("192.0.2.1", url.Values{"name": {fmt.Sprintf("Pupil %d", i)}, "code": {code}, "password": {"correct horse"}}); !in(w) {
				t.Fatalf("%s: pupil %d: %d %s", door, i, w.Code, w.Body)
			}
			if i%6 == 0 { // some mistype first
				s.knock("192.0.2.1", url.Values{"name": {"Typo"}, "code": {"nonsense"}, "password": {"corect horse"}})
			}
		}
	}
}

// Only the door creates a session. A visitor can't bring one along.
func TestSessionsCantBeFixed(t *testing.T) {
	s := behind(t, web.DoorInvite)
	code := s.invitation(5, time.Hour)
	eve := s.knock("192.0.2.1", url.Values{"name": {"Eve"}, "code": {code}})
	hers := strings.Split(eve.Header().Get("Set-Cookie"), ";")[0]
	for _, path := range []string{"/?" + hers, "/in?" + hers, "/in/" + code + "?" + hers, "/;" + hers} {
		w := newRecorder(s, httptest.NewRequest("GET", "http://localhost"+path, nil))
		if w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%s gives a cookie", path)
		}
	}
	// Another site's form can't sign a visitor in.
	req := httptest.NewRequest("POST", "http://localhost:8080/in", strings.NewReader(url.Values{"name": {"Victim"}, "code": {code}}.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", "https://evil.example")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	if w := newRecorder(s, req); w.Code != 403 || w.Header().Get("Set-Cookie") != "" {
		t.Errorf("a form of another site: %d %v", w.Code, w.Header())
	}
	bob := s.knock("192.0.2.2", url.Values{"name": {"Bob"}, "code": {code}})
	if his := strings.Split(bob.Header().Get("Set-Cookie"), ";")[0]; his == hers || his == "" {
		t.Error("two people have one session")
	}
}
