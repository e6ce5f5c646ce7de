package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game/gametest"
)

// A notice is what a command has written so far. It closes said once that has an address.
type notice struct {
	mu   sync.Mutex
	text bytes.Buffer
	said chan struct{}
}

func (n *notice) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text.Write(p)
	if strings.Contains(string(p), "http://") {
		close(n.said)
	}
	return len(p), nil
}

func (n *notice) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

// demoTime is the opening time of every demo in the tests.
var demoTime = time.Date(2026, 3, 14, 18, 0, 0, 0, time.UTC)

// openDemo serves a demo until the test ends.
func openDemo(t *testing.T, seed uint64, still bool) *demo {
	t.Helper()
	d := &demo{seed: seed, still: still, at: demoTime}
	ctx, stop := context.WithCancel(t.Context())
	said := &notice{said: make(chan struct{})}
	over := make(chan error, 1)
	go func() { over <- d.run(ctx, cli.Std{Out: io.Discard, Err: said}, "127.0.0.1:0") }()
	select {
	case <-said.said:
	case err := <-over:
		t.Fatalf("%v\n%s", err, said)
	}
	t.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
	return d
}

// page returns a page of the demo.
func (d *demo) page(t *testing.T, path string) string {
	t.Helper()
	resp, err := http.Get(d.base + path)
	gametest.Must(t, err)
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", path, resp.Status, err)
	}
	return string(page)
}

// tags matches the tags of a page, whose addresses differ between two rooms with the same past.
var tags = regexp.MustCompile(`(?s)<script.*?</script>|<[^>]*>`)

func TestDemo(t *testing.T) {
	d := openDemo(t, 3, true)
	visitor := &demoPerson{name: "Visitor"}
	gametest.Must(t, d.enter(t.Context(), *visitor))
	visitor = d.people[len(d.people)-1]
	d.people = d.people[:len(d.people)-1]
	var games struct {
		Running []struct{ Players []struct{ Name string } }
	}
	gametest.Must(t, d.ask(t.Context(), visitor, "/api/games", map[string]bool{"all": true}, &games))
	if len(games.Running) != 3 {
		t.Errorf("%d games are under way", len(games.Running))
	}
	live, top := d.page(t, "/live"), d.page(t, "/top")
	if !strings.Contains(live, `data-demo="Demo: robots play here, and nothing is kept."`) {
		t.Error("the page doesn't say that it is a demo")
	}
	for _, p := range demoPeople[:2] {
		if !strings.Contains(top, p.name) {
			t.Errorf("%s isn't among the players", p.name)
		}
	}
	var daily struct{ Sight struct{ Board []string } }
	var at struct{ Path string }
	gametest.Must(t, d.ask(t.Context(), visitor, "/d/today", struct{}{}, &at))
	gametest.Must(t, d.ask(t.Context(), visitor, at.Path+"/table", struct{}{}, &daily))
	if len(daily.Sight.Board) == 0 {
		t.Error("there is no daily board")
	}

	// A robot sits down with a visitor who waits for an opponent, and plays.
	present, leave := context.WithCancel(t.Context())
	var there sync.WaitGroup
	there.Go(func() { d.stay(present, visitor) })
	defer there.Wait()
	defer leave()
	gametest.Must(t, d.ask(t.Context(), visitor, "/api/wait", map[string]any{"id": "visitor-1", "options": map[string]string{"clock": "25m"}}, nil))
	var mine []bot.Game
	for len(mine) == 0 && t.Context().Err() == nil {
		gametest.Must(t, d.act(t.Context()))
		var err error
		mine, err = d.host.Games(t.Context(), visitor.player())
		gametest.Must(t, err)
	}
	for {
		s, err := d.replay(t.Context(), mine[0].Table)
		gametest.Must(t, err)
		if s.Seats[s.Turn].Person.ID == visitor.player() {
			break
		}
		gametest.Must(t, d.act(t.Context()))
	}
	if !gametest.Long() {
		return
	}
	again := openDemo(t, 3, true)
	if other := tags.ReplaceAllString(again.page(t, "/top"), " "); other != tags.ReplaceAllString(top, " ") {
		t.Errorf("the same seed gives another room:\n%s\n%s", top, other)
	}
}

// TestDemoStops checks that stopping a demo while it prepares is no failure and leaves no file.
func TestDemoStops(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	d := &demo{seed: 1, at: demoTime}
	begins := demoTime.Add(-demoDays * 24 * time.Hour)
	go func() { // once the first line is said
		for !d.now().After(begins) {
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	if err := d.run(ctx, cli.Std{Out: io.Discard, Err: io.Discard}, "127.0.0.1:0"); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

func TestDemoRefusesOtherComputers(t *testing.T) {
	for _, address := range []string{":8080", "0.0.0.0:80", "nonsense"} {
		if status, _, errs := command(t, "", "demo", "--listen", address); status != 2 || !strings.Contains(errs, "of this computer alone") {
			t.Errorf("%s: %d %s", address, status, errs)
		}
	}
}
