package main

import (
	"encoding/binary"
	"net/http"
	"os"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game/gametest"
)

// fileCommits returns the number of transactions on a data file: the larger of the numbers in its
// two meta pages.
func fileCommits(t *testing.T, path string) (n int) {
	t.Helper()
	f, err := os.Open(path)
	gametest.Must(t, err)
	defer f.Close()
	const number = 64 // bytes into the page, as package bbolt lays it out
	for _, page := range []int64{0, int64(os.Getpagesize())} {
		var b [8]byte
		if _, err := f.ReadAt(b[:], page+number); err != nil {
			t.Fatal(err)
		}
		n = max(n, int(binary.NativeEndian.Uint64(b[:])))
	}
	return n
}

// serverCommits returns the number of writing transactions on a PostgreSQL server.
func serverCommits(t *testing.T, pg *pgtest.Server) int {
	t.Helper()
	n, err := pg.Number("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
	gametest.Must(t, err)
	return n
}

// TestCommitsPerTurn checks how many commits a turn costs at an otherwise idle table. A file takes
// two: the move with its consequences, and the post with its confirmation. A database takes these,
// one that claims the post, and two that notify other processes, which wait for no disk. A rejected
// turn costs a file one: its receipt is on disk before the answer is sent, so that the same request
// never gets a different answer. A database's receipt waits for no disk.
func TestCommitsPerTurn(t *testing.T) {
	const passes = 5 // six would end the game
	count := func(t *testing.T, s *server, commits func() int, turn, refusal int) {
		ann, bob := s.enter("Ann"), s.enter("Bob")
		say := func(v *visitor, line string) (r said, n int) {
			t.Helper()
			told, before := len(ann.messages("general")), commits()
			var out struct{ Reply said }
			if status, err := v.post("/api/say", map[string]string{"stream": "general", "id": v.nextID(), "text": line}, &out); status != http.StatusOK {
				t.Fatal(status, err)
			}
			if !out.Reply.Refused {
				eventually(t, "the post of "+line, func() bool { return len(ann.messages("general")) > told })
			}
			return out.Reply, commits() - before
		}
		say(ann, "/new challenge:void seats:2")
		say(bob, "/join")
		var turns, refusals []int
		for n := 0; len(turns) < passes && n < 20; n++ {
			if r, n := say([]*visitor{ann, bob}[n%2], "/pass sure:yes"); r.Refused {
				refusals = append(refusals, n)
			} else {
				turns = append(turns, n)
			}
		}
		for range passes {
			_, n := say(ann, "/play zzzzz 8h")
			refusals = append(refusals, n)
		}
		// Take the least of several, because the process also records now and then that it is
		// alive.
		if len(turns) < passes || slices.Min(turns) > turn || slices.Min(refusals) > refusal {
			t.Errorf("turns cost %d commits, refusals %d; want %d and %d", turns, refusals, turn, refusal)
		}
	}
	t.Run("bolt", func(t *testing.T) {
		s := newServer(t)
		count(t, s, func() int { return fileCommits(t, s.data) }, 2, 1)
	})
	t.Run("postgres", func(t *testing.T) {
		pg := pgtest.Shared(t) // used by no other test: none runs in parallel with this one
		s := started(&server{t: t, data: pg.Database(t)})
		count(t, s, func() int { return serverCommits(t, pg) }, 5, 1)
	})
}
