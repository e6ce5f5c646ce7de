package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/game/gametest"
)

// TestForgottenPersonLeavesFile checks that a person who asks the web room to be forgotten is in
// no row of the data file, neither the host's nor the room's.
func TestForgottenPersonLeavesFile(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	q, ann := s.enter("Quixotina"), s.enter("AnnOther")
	var me struct{ Me struct{ ID string } }
	getMe(t, q, &me)
	id := me.Me.ID
	if len(id) < 10 {
		t.Fatalf("her id is %q", id)
	}
	say := func(v *visitor, stream, text string) said {
		t.Helper()
		var out struct{ Reply said }
		in := map[string]string{"stream": stream, "id": v.nextID(), "text": text}
		eventually(t, v.name+" says "+text, func() bool {
			status, err := v.post("/api/say", in, &out)
			if err != nil || status != http.StatusOK && status != http.StatusTooManyRequests {
				t.Fatalf("%s: %s: %d %v", v.name, text, status, err)
			}
			return status == http.StatusOK
		})
		return out.Reply
	}
	say(q, "general", "hello, it is Quixotina")
	say(ann, "general", "hello @Quixotina, and Quixotinas")
	if status, err := q.post("/api/channels", map[string]string{"name": "hers"}, nil); status != http.StatusOK {
		t.Fatal(status, err)
	}
	getMe(t, ann, &me)
	direct := "dm." + min(id, me.Me.ID) + "." + max(id, me.Me.ID)
	say(q, direct, "just between us")
	// She renames herself in the middle.
	q.name = "Dulcinette"
	if status, err := q.post("/api/rename", map[string]string{"name": q.name}, nil); status != http.StatusOK {
		t.Fatal(status, err)
	}
	say(q, "general", "/new seats:2")
	say(ann, "general", "/join")
	if reply := say(q, "general", "/resign"); len(reply.Buttons) > 0 {
		q.post("/api/press", map[string]string{"stream": "general", "id": q.nextID(), "button": reply.Buttons[0].ID}, nil)
	}
	eventually(t, "the game under her other name is told of", func() bool {
		return strings.Contains(spoken(ann.messages("general")), "Dulcinette resigns")
	})
	q.name = "Quixotina"
	if status, err := q.post("/api/rename", map[string]string{"name": q.name}, nil); status != http.StatusOK {
		t.Fatal(status, err)
	}
	say(ann, direct, "of course, Quixotina")
	for _, channel := range []string{"general", "hers"} {
		say(q, channel, "/new seats:2")
		say(ann, channel, "/join")
		say(q, channel, "/pass sure:yes") // for the player to move
		say(ann, channel, "/pass sure:yes")
		say(q, channel, "/pass sure:yes")
	}
	if reply := say(ann, "general", "/resign"); len(reply.Buttons) > 0 {
		ann.post("/api/press", map[string]string{"stream": "general", "id": ann.nextID(), "button": reply.Buttons[0].ID}, nil)
	}
	say(q, "general", "/settings dm:off")
	say(q, "general", "/link")
	eventually(t, "the end of a game is told", func() bool {
		return strings.Contains(spoken(ann.messages("general")), "Quixotina wins")
	})

	ask := say(q, "general", "/data delete")
	if len(ask.Buttons) == 0 {
		t.Fatalf("/data delete: %s", ask)
	}
	var done struct{ Reply said }
	if status, err := q.post("/api/press", map[string]string{"stream": "general", "id": q.nextID(), "button": ask.Buttons[0].ID}, &done); status != http.StatusOK || !strings.Contains(done.Reply.String(), "forgotten you") {
		t.Fatalf("%d %v: %s", status, err, done.Reply)
	}
	eventually(t, "her other game is over", func() bool {
		return strings.Contains(spoken(ann.messages("hers")), "AnnOther wins")
	})
	for _, channel := range []string{"general", "hers"} {
		if text := spoken(ann.messages(channel)); strings.Contains(text, "Quixotina ") || !strings.Contains(text, "former player") {
			t.Errorf("%s reads\n%s", channel, text)
		}
	}
	// What is left is recounted with the same result, by the host and without it.
	if status, out, err := command(t, "", "recount", "--data", s.data); status != 0 || out != "games=2 players=0 differences=0\n" {
		t.Errorf("recount, with a host: status %d, %q, %s", status, out, err)
	}
	s.stop()
	answers := filepath.Join(t.TempDir(), "answers")
	if status, out, err := command(t, "", "recount", "--data", s.data, "--answers", answers); status != 0 || out != "games=2 players=0 differences=0\n" {
		t.Errorf("recount: status %d, %q, %s", status, out, err)
	}
	if b, err := os.ReadFile(answers); err != nil || len(b) > 0 {
		t.Errorf("nobody answered, and there is %q (%v)", b, err)
	}
	if status, _, err := command(t, "", "recount", "--data", s.data+".none"); status != 1 || !strings.Contains(err, "--data") {
		t.Errorf("recount of nothing: status %d, %s", status, err)
	}

	db, err := bbolt.Open(s.data, 0o600, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
	gametest.Must(t, err)
	defer db.Close()
	hers, others := 0, 0
	gametest.Must(t, db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(bucket []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				row := append(append(bytes.Clone(k), ' '), v...)
				if bytes.Contains(row, []byte(id)) || bytes.Contains(row, []byte("Dulcinette")) || bytes.Contains(bytes.ReplaceAll(row, []byte("Quixotinas"), nil), []byte("Quixotina")) {
					hers++
					t.Errorf("still there, in %s: %q", bucket, row)
				}
				if bytes.Contains(row, []byte("AnnOther")) {
					others++
				}
				return nil
			})
		})
	}))
	if others == 0 {
		t.Error("there is no trace of Ann: the search finds nothing")
	}
}

func spoken(all []said) string {
	var b strings.Builder
	for _, m := range all {
		b.WriteString(m.String() + "\n")
	}
	return b.String()
}

// TestReadableDataFileIsMadePrivate checks that a data file readable by others is made private with
// a warning, and that an empty file is rejected.
func TestReadableDataFileIsMadePrivate(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.stop()
	gametest.Must(t, os.Chmod(s.data, 0o644))
	s.start()
	if log := s.log.String(); !strings.Contains(log, "other users") || !strings.Contains(log, s.data) {
		t.Errorf("the log says %s", log)
	}
	if info, err := os.Stat(s.data); err != nil || info.Mode() != 0o600 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
	s.stop()
	gametest.Must(t, os.Truncate(s.data, 0))
	if status, _, err := command(t, "", "serve", "--listen", "127.0.0.1:0", "--data", s.data); status != 1 || !strings.Contains(err, "backup") {
		t.Errorf("an empty file: status %d, %s", status, err)
	}
}

// TestForeignSocketIsIgnored checks that the tools don't use a socket that another user put beside the data.
func TestForeignSocketIsIgnored(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	s := newServer(t)
	socket, err := socketPath(s.data)
	gametest.Must(t, err)
	const other = 12345
	gametest.Must(t, os.Lchown(socket, other, -1))
	if status, _, err := command(t, "", "backup", "--data", s.data, s.data+".copy"); status != 1 || !strings.Contains(err, "another user") {
		t.Errorf("a socket of somebody else's: status %d, %s", status, err)
	}
	gametest.Must(t, os.Chown(s.data, other, -1))
	if status, _, err := command(t, "", "backup", "--data", s.data, s.data+".copy"); status != 0 {
		t.Errorf("root asks a service of its own: status %d, %s", status, err)
	}
}

// getMe reads who a visitor is in the room.
func getMe(t *testing.T, v *visitor, out any) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, v.s.base+"/api/me", nil)
	gametest.Must(t, err)
	req.Header.Set("Cookie", v.cookie)
	resp, err := http.DefaultClient.Do(req)
	gametest.Must(t, err)
	defer resp.Body.Close()
	gametest.Must(t, json.NewDecoder(resp.Body).Decode(out))
}
