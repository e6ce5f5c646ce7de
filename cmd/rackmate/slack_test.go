package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestCommandsSlack(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"commands slack", 0, `"command": "/rackmate"`},
		{"commands slack --all", 0, `"command": "/play"`},
		{"commands slack --prefix rm-", 0, `"command": "/rm-play"`},
		{"commands slack --url https://play.example.org", 0, `"request_url": "https://play.example.org/slack/events"`},
		{"commands slack --prefix Word!", 2, "isn't a prefix for slash commands"},
		{"commands slack --url http://play.example.org", 2, "isn't an https address"},
		{"commands slack more", 2, "unexpected argument"},
	} {
		var out, err bytes.Buffer
		status := run(t.Context(), cli.Std{In: strings.NewReader(""), Out: &out, Err: &err}, strings.Fields(c.args))
		if status != c.status || !strings.Contains(out.String()+err.String(), c.says) {
			t.Errorf("%s: %d\n%s%s", c.args, status, &out, &err)
		}
		if status == 0 && !json.Valid(out.Bytes()) {
			t.Errorf("%s prints no JSON", c.args)
		}
	}
}

// TestServeReportsSlackErrors checks that a host with an invalid token reports it and doesn't
// start.
func TestServeReportsSlackErrors(t *testing.T) {
	t.Setenv("SLACK_BOT_TOKEN", "xoxp-a-user")
	t.Setenv("SLACK_APP_TOKEN", "xapp-1")
	var out, err bytes.Buffer
	status := run(t.Context(), cli.Std{In: strings.NewReader(""), Out: &out, Err: &err}, []string{"serve", "--listen", "127.0.0.1:0", "--data", t.TempDir() + "/rackmate.db"})
	if status != 1 || !strings.Contains(err.String(), "SLACK_BOT_TOKEN isn't a bot token") {
		t.Errorf("%d: %s", status, &err)
	}
}

// TestStopDoesntWaitForPost checks that a stopping host doesn't wait for a platform that delays a
// post or doesn't answer. A post that arrived without an answer isn't repeated after the next
// start.
func TestStopDoesntWaitForPost(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		fault slacktest.Fault
		posts int
	}{
		{"by a limit", slacktest.Fault{RetryAfter: time.Hour}, 0},
		{"without an answer", slacktest.Fault{Hangs: true}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// The host gets no answer, but may look for the post.
			api := slacktest.New(slacktest.Options{Scopes: []string{"chat:write", "commands", "files:write", "im:write", "users:read", "channels:history"}})
			t.Cleanup(api.Close)
			s := newServerIn(t, onSlack, "--slack-api", api.URL)
			if !api.Await(func() bool { return api.Connected() > 0 }) {
				t.Fatalf("the host doesn't connect: %s", s.log)
			}
			api.Fail("chat.postMessage", tt.fault)
			gametest.Must(t, api.Slash("U0ANN", "C0GAMES", "/rackmate", "new"))
			if !api.Await(func() bool { return api.Calls("chat.postMessage") > 0 && len(api.Messages("C0GAMES")) == tt.posts }) {
				t.Fatalf("nothing is posted: %s", s.log)
			}
			s.stopsInTime()
			calls := api.Calls("conversations.history") + api.Calls("chat.postMessage")
			s.start()
			if tt.posts > 0 && !api.Await(func() bool { return api.Calls("conversations.history")+api.Calls("chat.postMessage") > calls }) {
				t.Errorf("the post isn't looked for: %s", s.log)
			}
			s.stopsInTime()
			if posts := api.Messages("C0GAMES"); len(posts) > 1 {
				t.Errorf("posted twice: %v", posts)
			}
			if complaints := api.Complaints(); len(complaints) > 0 {
				t.Error(complaints)
			}
		})
	}
}
