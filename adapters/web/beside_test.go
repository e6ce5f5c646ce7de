package web_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/store/storetest"
	"github.com/rackmate/rackmate/game/gametest"
)

// A change by another process between this one's read and write survives: a read mark that
// is further on, and a renewed bar.
func TestConcurrentNotesSurvive(t *testing.T) {
	var then func(shelf, key string)
	s := openWith(t, func(c *web.Config) {
		c.Notes = storetest.BesideNotes{Notes: c.Notes, Then: func(shelf, key string) {
			if then != nil {
				then(shelf, key)
			}
		}}
	})
	ann, bob := s.enter("Ann"), s.enter("Bob")
	for range 3 {
		ann.say("general", "hello")
	}
	writes := func(of, row, value string) {
		looked := false
		then = func(shelf, key string) {
			if looked || !strings.HasPrefix(shelf, of) {
				return
			}
			looked = true
			if err := s.notes.Put(t.Context(), shelf, row, []byte(value)); err != nil {
				t.Error(err)
			}
		}
	}
	wants := func(shelf, row, want string) {
		t.Helper()
		then = nil
		if b, err := s.notes.Get(t.Context(), shelf, row); err != nil || string(b) != want {
			t.Errorf("%s %s is %s, want %s (%v)", shelf, row, b, want, err)
		}
	}
	writes("read/"+bob.ID, "general", "3")
	call[obj](bob, "read", obj{"stream": "general", "number": 2})
	wants("read/"+bob.ID, "general", "3")

	const net = "203.0.113.7/32"
	over := `{"v":1,"at":"2026-03-01T12:00:00Z","until":"2026-03-01T12:00:01Z"}`
	anew := `{"v":1,"at":"2026-03-01T14:00:00Z","until":"2027-03-01T14:00:00Z"}`
	gametest.Must(t, s.notes.Put(t.Context(), "bars", net, []byte(over)))
	s.clock.pass(25 * time.Hour)
	writes("bars", net, anew)
	s.enter("Cat").listen(httptest.NewServer(s)).close()
	wants("bars", net, anew)
}

// unsureNotes deliver only the hint to look everywhere, and record which streams are read.
type unsureNotes struct {
	bot.Notes
	hints chan func()

	mu   sync.Mutex
	read []string
}

func (n *unsureNotes) Watch(ctx context.Context, fn func(bot.Hint)) error {
	n.hints <- func() { fn(bot.Hint{}) }
	<-ctx.Done()
	return nil
}

func (n *unsureNotes) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	if strings.HasPrefix(shelf, "said/") {
		n.mu.Lock()
		n.read = append(n.read, shelf)
		n.mu.Unlock()
	}
	return n.Notes.Scan(ctx, shelf, prefix, after, limit)
}

// write adds a line to a stream, like another process whose hint is lost.
func (s *site) write(stream, key string, line []byte) {
	s.t.Helper()
	gametest.Must(s.t, s.notes.Change(s.t.Context(), func(rows bot.Rows) error {
		_, _, err := notes.Log("said/"+stream).Add(rows, key, line)
		return err
	}))
}

// When a room must look everywhere for lines of others, it reads only the streams that have
// listeners, however many conversations there are.
func TestOnlyHeardStreamsAreRead(t *testing.T) {
	unsure := &unsureNotes{hints: make(chan func())}
	s := openWith(t, func(c *web.Config) {
		unsure.Notes, c.Notes = c.Notes, unsure
	})
	ann, bob, eve := s.enter("Ann"), s.enter("Bob"), s.enter("Eve")
	direct := call[struct{ ID string }](ann, "direct", obj{"person": bob.ID})
	ann.say(direct.ID, "hello")
	ann.say("general", "hello")
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { s.current().Run(ctx) })
	t.Cleanup(running.Wait)
	t.Cleanup(stop)
	hears := eve.listen(server)
	next[obj](hears, "hello")
	unsure.mu.Lock()
	unsure.read = nil
	unsure.mu.Unlock()
	lookEverywhere := <-unsure.hints
	for i := range 2 { // after the second, the first look is done
		line := fmt.Appendf(nil, `{"v":1,"at":"2026-03-01T12:00:00Z","text":[{"text":"elsewhere %d"}]}`, i)
		s.write("general", fmt.Sprint(i), line)
		lookEverywhere()
		next[obj](hears, "message")
	}
	unsure.mu.Lock()
	defer unsure.mu.Unlock()
	if logs := slices.Compact(slices.Sorted(slices.Values(unsure.read))); !slices.Equal(logs, []string{"said/dm." + eve.ID, "said/general"}) {
		t.Errorf("the room looked at %q, want general, and what the host tells Eve", logs)
	}
}

// If hints are lost, the lines of another process arrive with the next look everywhere: all
// of them, once and in order, even in a stream that this process hasn't shown since its
// start, and in a new one.
func TestLostHintsSkipNoLines(t *testing.T) {
	var lookEverywhere func()
	unsure := &unsureNotes{hints: make(chan func())}
	s := openWith(t, func(c *web.Config) {
		unsure.Notes, c.Notes = c.Notes, unsure
	})
	ann, bob := s.enter("Ann"), s.enter("Bob")
	direct := call[struct{ ID string }](ann, "direct", obj{"person": bob.ID})
	ann.say(direct.ID, "long ago")
	ann.say("general", "long ago")
	s.restart()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { s.current().Run(ctx) })
	t.Cleanup(running.Wait)
	t.Cleanup(stop)
	hears := bob.listen(server)
	next[obj](hears, "hello")
	lookEverywhere = <-unsure.hints
	write := func(stream string, n int) {
		for i := range n {
			line := fmt.Appendf(nil, `{"v":1,"at":"2026-03-01T12:00:00Z","text":[{"text":"%s %d"}]}`, stream, i)
			s.write(stream, fmt.Sprint(i), line)
		}
	}
	for _, stream := range []string{"general", direct.ID, "begun"} {
		if stream == "begun" {
			gametest.Must(t, s.notes.Put(t.Context(), "channels", stream, []byte(`{"v":1,"name":"begun"}`)))
		}
		write(stream, 3)
		lookEverywhere()
		for i := range 3 {
			m := next[struct {
				Text []struct{ Text string }
			}](hears, "message")
			if want := fmt.Sprintf("%s %d", stream, i); len(m.Text) != 1 || m.Text[0].Text != want {
				t.Fatalf("heard %v, want %q", m.Text, want)
			}
		}
	}
}
