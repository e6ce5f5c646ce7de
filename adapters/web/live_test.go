package web_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/web/webtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

func serve(t *testing.T, s *site) *httptest.Server {
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	t.Cleanup(func() { s.current().Close() })
	return server
}

type greeting struct {
	Me      struct{ ID, Name string }
	Streams []struct {
		ID   string
		Last uint64
	}
	People []presence
}

type presence struct {
	ID, Name   string
	Here, Gone bool
}

func TestListenersHearNews(t *testing.T) {
	s := open(t)
	server := serve(t, s)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	ann.say("general", "first")
	e := ann.listen(server)
	hello := next[greeting](e, "hello")
	if hello.Me.ID != ann.ID || hello.Streams[0].ID != "general" || hello.Streams[0].Last != 1 || len(hello.People) != 2 {
		t.Errorf("greeted with %+v", hello)
	}
	bob.say("general", "second")
	if m := next[message](e, "message"); m.Number != 2 || m.text() != "second" || m.From.ID != bob.ID || m.Stream != "general" {
		t.Errorf("heard %+v", m)
	}
	bob.command("general", "/play horn 8h") // people who have played may make a channel
	call[obj](bob, "channels", obj{"name": "late"})
	if c := next[struct{ ID string }](e, "stream"); c.ID != "late" {
		t.Errorf("heard of channel %q", c.ID)
	}
	bob.say("late", "third")
	if m := next[message](e, "message"); m.Number != 1 || m.Stream != "late" {
		t.Errorf("heard %+v", m)
	}
	// A person's read mark reaches their other windows.
	call[obj](ann, "read", obj{"stream": "late", "number": 1})
	if r := next[struct {
		Stream string
		Read   uint64
	}](e, "read"); r.Stream != "late" || r.Read != 1 {
		t.Errorf("heard of reading %+v", r)
	}
}

func TestPresence(t *testing.T) {
	s := open(t)
	server := serve(t, s)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	e := ann.listen(server)
	for _, p := range next[greeting](e, "hello").People {
		if p.Here != (p.ID == ann.ID) {
			t.Errorf("%s is here: %v", p.Name, p.Here)
		}
	}
	of := func(id string) presence {
		t.Helper()
		for {
			if p := next[presence](e, "person"); p.ID == id {
				return p
			}
		}
	}
	first, second := bob.listen(server), bob.listen(server)
	if p := of(bob.ID); !p.Here {
		t.Errorf("Bob came, and we hear %+v", p)
	}
	if p := of(bob.ID); !p.Here {
		t.Errorf("Bob opened a second window, and we hear %+v", p)
	}
	first.close() // closing one of two windows changes nothing
	call[obj](bob, "rename", obj{"name": "Bobby"})
	if p := of(bob.ID); !p.Here || p.Name != "Bobby" {
		t.Errorf("Bob is called Bobby, and we hear %+v", p)
	}
	second.close()
	if p := of(bob.ID); p.Here {
		t.Errorf("Bob closed his windows, and we hear %+v", p)
	}
	call[obj](bob, "leave", obj{})
	if p := of(bob.ID); !p.Gone {
		t.Errorf("Bob left, and we hear %+v", p)
	}
}

// Private messages never go over another person's connection.
func TestPrivateMessagesStayPrivate(t *testing.T) {
	s := open(t)
	server := serve(t, s)
	ann, bob, eve := s.enter("Ann"), s.enter("Bob"), s.enter("Eve")
	earsOf := map[*visitor]*ears{ann: ann.listen(server), bob: bob.listen(server), eve: eve.listen(server)}
	for i := range 20 {
		s.post(bot.Message{Key: fmt.Sprintf("p-%d", i), Channel: "web:general", To: ann.user(), Text: plain("RACK-OF-ANN"), Picture: &bot.Picture{Alt: text.Say("RACK-OF-ANN"), PNG: somePNG(t, 1+i, 1)}, Buttons: []bot.Button{{ID: "RACK-OF-ANN", Label: text.Say("x")}}})
		s.post(bot.Message{Key: fmt.Sprintf("q-%d", i), Channel: "web:general", To: bob.user(), Text: plain("RACK-OF-BOB")})
	}
	direct := call[struct{ ID string }](ann, "direct", obj{"person": bob.ID}).ID
	ann.say(direct, "BETWEEN-TWO")
	s.host.handle = func(bot.Request) bot.Reply { return bot.Reply{Text: plain("ANSWER-TO-ANN")} }
	ann.command("general", "/play SECRET-WORD")
	ann.command(direct, "/rack")
	ann.say("general", "the end")
	heardBy := map[*visitor]string{}
	for v, e := range earsOf {
		var all strings.Builder
		for !strings.Contains(all.String(), "the end") {
			select {
			case h := <-e.events:
				all.WriteString(h.data)
			case <-time.After(patience):
				t.Fatalf("%s never heard the end", v.Name)
			}
		}
		heardBy[v] = all.String()
	}
	for _, test := range []struct {
		who   *visitor
		word  string
		hears bool
	}{
		{ann, "RACK-OF-ANN", true}, {ann, "RACK-OF-BOB", false}, {ann, "BETWEEN-TWO", true},
		{bob, "RACK-OF-ANN", false}, {bob, "RACK-OF-BOB", true}, {bob, "BETWEEN-TWO", true}, {bob, "ANSWER-TO-ANN", false}, {bob, "SECRET-WORD", false},
		{eve, "RACK-OF-ANN", false}, {eve, "RACK-OF-BOB", false}, {eve, "BETWEEN-TWO", false}, {eve, "ANSWER-TO-ANN", false}, {eve, "SECRET-WORD", false},
	} {
		if got := strings.Contains(heardBy[test.who], test.word); got != test.hears {
			t.Errorf("%s hears %s: %v, want %v", test.who.Name, test.word, got, test.hears)
		}
	}
}

// After a restart, a browser learns from the next greeting which numbers it lacks. Each
// message keeps its number forever.
func TestRestartsKeepMessageNumbers(t *testing.T) {
	s := open(t)
	server := serve(t, s)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	seen := map[uint64]string{}
	var last uint64
	note := func(m message) {
		t.Helper()
		if old, ok := seen[m.Number]; ok && old != m.text() {
			t.Errorf("message %d says %q and %q", m.Number, old, m.text())
		}
		seen[m.Number] = m.text()
		last = max(last, m.Number)
	}
	for round := range 5 {
		e := ann.listen(server)
		hello := next[greeting](e, "hello")
		for before := uint64(0); last < hello.Streams[0].Last; {
			page := ann.messages("general", before)
			for _, m := range page {
				note(m)
			}
			if before = page[0].Number; before <= last {
				break
			}
		}
		for i := range 3 {
			n := bob.say("general", fmt.Sprintf("%d live %d", round, i))
			m := next[message](e, "message")
			if m.Number != n {
				t.Fatalf("heard number %d, want %d", m.Number, n)
			}
			note(m)
		}
		s.restart()
		for range e.events { // until the restart ends the connection
		}
		id := newID()
		for range 2 {
			call[obj](bob, "say", obj{"stream": "general", "id": id, "text": fmt.Sprintf("%d while away", round)})
		}
		s.clock.pass(time.Minute)
	}
	for _, m := range ann.messages("general", 0) {
		note(m)
	}
	if len(seen) != 20 || last != 20 {
		t.Errorf("saw %d messages up to %d, want 20", len(seen), last)
	}
}

func TestLiveConnectionsAreLimited(t *testing.T) {
	s := open(t)
	server := serve(t, s)
	ann := s.enter("Ann")
	for range 12 {
		ann.listen(server)
	}
	if w := ann.do("GET", "/api/live", nil); w.Code != http.StatusServiceUnavailable {
		t.Errorf("the 13th window is answered %d, want 503", w.Code)
	}
}

// A stuckWriter blocks until it is released.
type stuckWriter struct {
	*httptest.ResponseRecorder
	begun chan struct{}
	once  sync.Once
	free  chan struct{}
}

func (w *stuckWriter) Write(b []byte) (int, error) {
	w.once.Do(func() { close(w.begun) })
	<-w.free
	return w.ResponseRecorder.Write(b)
}

// A browser that reads nothing is cut off, and blocks no one.
func TestSlowBrowserIsCutOff(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	w := &stuckWriter{ResponseRecorder: httptest.NewRecorder(), begun: make(chan struct{}), free: make(chan struct{})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.ServeHTTP(w, ann.request("GET", "/api/live", nil))
	}()
	<-w.begun
	for range 150 {
		bob.say("general", "more")
		s.clock.pass(time.Second)
	}
	close(w.free)
	<-done // it ends although the request isn't cancelled
	if n := strings.Count(w.Body.String(), "event: message"); n > 100 {
		t.Errorf("%d messages were kept for it, want at most 100", n)
	}
}

// A flow collects the output of a live connection.
type flow struct {
	header http.Header
	mu     sync.Mutex
	bytes.Buffer
}

func (f *flow) Header() http.Header { return f.header }
func (f *flow) WriteHeader(int)     {}
func (f *flow) Flush()              {}
func (f *flow) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Buffer.Write(b)
}

func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		ann := s.enter("Ann")
		ctx, cancel := context.WithCancel(t.Context())
		w := &flow{header: http.Header{}}
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.ServeHTTP(w, ann.request("GET", "/api/live", nil).WithContext(ctx))
		}()
		time.Sleep(50 * time.Second) // virtual time
		cancel()
		<-done
		if n := strings.Count(w.String(), "event: beat"); n != 3 {
			t.Errorf("%d beats in 50 seconds, want 3", n)
		}
		if script, err := os.ReadFile("static/live.js"); err != nil || !strings.Contains(string(script), "const silence = 45000;") {
			t.Errorf("the page waits for another time than that of three beats: %v", err)
		}
		if !strings.HasPrefix(w.String(), "retry: 100") {
			t.Errorf("the stream begins %.40q", w.String())
		}
	})
}

// A server limits the time to read a request. That doesn't cut off a live connection.
func TestLiveOutlastsReadTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		ann, bob := s.enter("Ann"), s.enter("Bob")
		wires := webtest.NewWires()
		server := httptest.NewUnstartedServer(s)
		server.Listener.Close()
		server.Listener = wires
		server.Config.ReadHeaderTimeout, server.Config.ReadTimeout = 5*time.Second, 10*time.Second
		server.Start()
		t.Cleanup(server.Close)
		server.Client().Transport.(*http.Transport).DialContext = wires.Dial
		heard := ann.listen(server)
		next[obj](heard, "hello")
		for range 4 {
			time.Sleep(server.Config.ReadTimeout) // virtual time
			bob.say("general", "still there?")
			next[obj](heard, "message")
			s.clock.pass(time.Minute) // avoids the limit on messages
		}
	})
}
