package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"bytes"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// ran runs a command line and returns its exit status and all its output.
func ran(t *testing.T, args ...string) (status int, said string) {
	t.Helper()
	var out bytes.Buffer
	status = run(t.Context(), cli.Std{In: strings.NewReader(""), Out: &out, Err: &out}, args)
	return status, out.String()
}

// TestKeeperCommand checks that the operator can manage keepers with and without a running host.
func TestKeeperCommand(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, name := range []string{"Ann", "Bob Lee"} {
		v := &visitor{s: s, name: name}
		if status, err := v.post("/api/enter", map[string]string{"name": name}, nil); err != nil || status != 200 {
			t.Fatalf("%s can't enter: %d %v", name, status, err)
		}
	}
	told := func(wantStatus int, wantSaid string, args ...string) {
		t.Helper()
		if status, said := ran(t, append([]string{"keeper", "--data", s.data}, args...)...); status != wantStatus || !strings.Contains(said, wantSaid) {
			t.Errorf("keeper %q: %d %q, want %d and %q", args, status, said, wantStatus, wantSaid)
		}
	}
	told(0, "Ann\n", "list") // the first person in, because only this computer reaches the room
	told(0, "Bob Lee keeps", "Bob", "Lee")
	told(0, "Ann\nBob Lee\n", "list")
	told(1, `called "Eve"`, "add", "Eve")
	told(2, "name somebody")
	s.stop()
	told(0, "Ann doesn't keep", "remove", "Ann")
	told(0, "Bob Lee\n", "list")
	s.start()
	told(0, "Bob Lee\n", "list")
}

// TestOpenRoomNeedsHostName checks that a room that others can reach needs a host name.
func TestOpenRoomNeedsHostName(t *testing.T) {
	t.Parallel()
	status, said := ran(t, "serve", "--listen", "0.0.0.0:0", "--data", t.TempDir()+"/rackmate.db")
	if status != 2 || !strings.Contains(said, "--host play.example.org") {
		t.Errorf("serve on all addresses without a name: %d %q", status, said)
	}
}

// TestInviteCommand checks that the operator can invite people with and without a running host.
func TestInviteCommand(t *testing.T) {
	t.Parallel()
	s := newServer(t, "--door", "invite")
	v := &visitor{s: s, name: "Ann"}
	if status, err := v.post("/api/enter", map[string]string{"name": "Ann"}, nil); err != nil || status != 422 {
		t.Errorf("without an invitation: %d %v", status, err)
	}
	enter := func(name string, args ...string) (status int) {
		t.Helper()
		code, said := ran(t, append([]string{"invite", "--data", s.data}, args...)...)
		link := strings.TrimSpace(said)
		if code != 0 || !strings.HasPrefix(link, "http://") {
			t.Fatalf("invite %q: %d %q", args, code, said)
		}
		if s.base == "" {
			s.start()
		}
		status, err := v.post("/api/enter", map[string]string{"name": name, "code": link[strings.LastIndexByte(link, '/')+1:]}, nil)
		gametest.Must(t, err)
		return status
	}
	if status := enter("Ann"); status != 200 {
		t.Errorf("by an invitation of a running host: %d", status)
	}
	s.stop()
	s.base, v.cookie = "", ""
	if status := enter("Bob", "--uses", "3", "--for", "48h"); status != 200 {
		t.Errorf("by an invitation of a stopped host: %d", status)
	}
	if code, said := ran(t, "invite", "--data", s.data, "--uses", "1000"); code != 1 || !strings.Contains(said, "1 to 100") {
		t.Errorf("an invitation for 1000: %d %q", code, said)
	}
	// A host behind a proxy on this computer is also for others.
	for _, args := range [][]string{{"--trust-proxy", "127.0.0.1"}, {"--url", "https://play.example.org"}, {"--host", "play.example.org"}} {
		s := newServer(t, args...)
		if status, err := (&visitor{s: s, name: "Eve"}).post("/api/enter", map[string]string{"name": "Eve"}, nil); err != nil || status != 422 {
			t.Errorf("with %v a stranger gets %d %v, want the door", args, status, err)
		}
		s.kill()
	}
	for _, args := range [][]string{{"--door", "ajar"}, {"--door", "password"}} {
		if code, said := ran(t, append([]string{"serve", "--listen", "127.0.0.1:0", "--data", t.TempDir() + "/x.db"}, args...)...); code != 2 {
			t.Errorf("serve %q: %d %q", args, code, said)
		}
	}
}
