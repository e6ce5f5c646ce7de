package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack/standin"
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
		{"commands slack --prefix Word!", 2, "can't stand before a slash command"},
		{"commands slack --url http://play.example.org", 2, "no https address"},
		{"commands slack more", 2, "means nothing here"},
	} {
		var out, err bytes.Buffer
		status := run(t.Context(), stdio{strings.NewReader(""), &out, &err}, strings.Fields(c.args))
		if status != c.status || !strings.Contains(out.String()+err.String(), c.says) {
			t.Errorf("%s: %d\n%s%s", c.args, status, &out, &err)
		}
		if status == 0 && !json.Valid(out.Bytes()) {
			t.Errorf("%s prints no JSON", c.args)
		}
	}
}

// A host with a token that can't be one says so, and doesn't start.
func TestServeSaysWhatIsWrongWithSlack(t *testing.T) {
	t.Setenv("SLACK_BOT_TOKEN", "xoxp-a-user")
	t.Setenv("SLACK_APP_TOKEN", "xapp-1")
	var out, err bytes.Buffer
	status := run(t.Context(), stdio{strings.NewReader(""), &out, &err}, []string{"serve", "--listen", "127.0.0.1:0", "--data", t.TempDir() + "/rackmate.db"})
	if status != 1 || !strings.Contains(err.String(), "SLACK_BOT_TOKEN is no bot token") {
		t.Errorf("%d: %s", status, &err)
	}
}

// A host that is told to stop while a platform's limit holds a post back doesn't wait
// for it: the post goes out after the next start, once.
func TestStopsWhileAPostIsHeld(t *testing.T) {
	api := standin.New(standin.Options{})
	t.Cleanup(api.Close)
	t.Setenv("SLACK_APP_TOKEN", standin.AppToken)
	t.Setenv("SLACK_BOT_TOKEN", standin.BotToken)
	s := newServer(t, "--slack-api", api.URL)
	connected := func() bool { return api.Connected() > 0 }
	if !api.Await(connected) {
		t.Fatalf("the host doesn't connect: %s", s.log)
	}
	api.Fail("chat.postMessage", standin.Fault{RetryAfter: time.Hour})
	if err := api.Slash("U0ANN", "C0GAMES", "/rackmate", "new"); err != nil {
		t.Fatal(err)
	}
	if !api.Await(func() bool { return api.Calls("chat.postMessage") > 0 }) {
		t.Fatalf("nothing is posted: %s", s.log)
	}
	s.stopsInTime()
	if posts := api.Messages("C0GAMES"); len(posts) != 0 {
		t.Fatalf("posted already: %v", posts)
	}
	s.start()
	if !api.Await(func() bool { return len(api.Messages("C0GAMES")) > 0 }) {
		t.Errorf("after the restart nothing is posted: %s", s.log)
	}
	s.stopsInTime()
	if posts := api.Messages("C0GAMES"); len(posts) != 1 {
		t.Errorf("there are %d posts, want 1: %v", len(posts), posts)
	}
	if complaints := api.Complaints(); len(complaints) > 0 {
		t.Error(complaints)
	}
}
