package main

import (
	"bytes"
	"strings"
	"testing"
)

// ran carries out a command line and returns its exit status and all it said.
func ran(t *testing.T, args ...string) (status int, said string) {
	t.Helper()
	var out bytes.Buffer
	status = run(t.Context(), stdio{strings.NewReader(""), &out, &out}, args)
	return status, out.String()
}

// The operator names keepers while the host runs, and while it doesn't.
func TestKeeperCommand(t *testing.T) {
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
	told(0, "Ann\n", "list") // who came first, for only this computer reaches the room
	told(0, "Bob Lee keeps", "Bob", "Lee")
	told(0, "Ann\nBob Lee\n", "list")
	told(1, `called "Eve"`, "add", "Eve")
	told(2, "say whom")
	s.stop()
	told(0, "Ann doesn't keep", "remove", "Ann")
	told(0, "Bob Lee\n", "list")
	s.start()
	told(0, "Bob Lee\n", "list")
}

// Where others can reach the room the operator says by which name.
func TestHostNameIsAskedFor(t *testing.T) {
	status, said := ran(t, "serve", "--listen", "0.0.0.0:0", "--data", t.TempDir()+"/rackmate.db")
	if status != 2 || !strings.Contains(said, "--host play.example.org") {
		t.Errorf("serve on all addresses without a name: %d %q", status, said)
	}
}
