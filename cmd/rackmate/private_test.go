package main

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestLogOfNoisyHostIsPrivate runs the program with all its platforms, makes everything fail
// that can, and searches the most verbose log for secrets: tokens, cookies and invitation links,
// addresses for answering interactions, and racks.
func TestLogOfNoisyHostIsPrivate(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	general := d.Guild("club").Channel("general")
	dan, eve := d.User("Dan"), d.User("Eve")
	s := slacktest.New(slacktest.Options{})
	t.Cleanup(s.Close)
	host := newServerIn(t, onBoth, "--log-level", "debug", "--discord-api", d.URL, "--slack-api", s.URL)
	d.Gateway.Connected(1, 1, 0)
	await := func(what string, holds func() bool) {
		t.Helper()
		if !s.Await(holds) {
			t.Fatalf("waited in vain for %s\n%s", what, host.log)
		}
	}
	await("a connection with Slack", func() bool { return s.Connected() == 1 })

	// The same game on all three platforms, with the same trouble.
	const games, ann, bob = "C0GAMES", "U0ANN", "U0BOB"
	slash := func(who, line string) slacktest.Message {
		t.Helper()
		before := len(s.Private(who))
		gametest.Must(t, s.Slash(who, games, "/rackmate", line))
		await("an answer to "+line, func() bool { return len(s.Private(who)) > before })
		return s.Private(who)[before]
	}
	quinn, rose := host.enter("Quinn"), host.enter("Rose")
	said := func(v *visitor, line string) said {
		t.Helper()
		var out struct{ Reply said }
		eventually(t, v.name+" to be heard", func() bool {
			status, err := v.post("/api/say", map[string]string{"stream": "general", "id": v.nextID(), "text": line}, &out)
			return err == nil && status == http.StatusOK
		})
		return out.Reply
	}

	for _, line := range []string{"/settings dm:on", "/new seats:2"} {
		said(quinn, line)
	}
	said(rose, "/join")
	dan.Gives(general, "settings", "dm", "on").Answer()
	dan.Gives(general, "new", "opponent", eve.ID).Answer()
	eve.Presses(general.Posts(1)[0], "Join").Answer()
	slash(ann, "settings dm:on")
	slash(ann, "new seats:2")
	slash(bob, "join")

	everyWay := func(word string) {
		t.Helper()
		for _, line := range []string{"rack", "rack shuffle", "play " + word + " 8h", "try " + word + " 8h", "exchange a", "pass sure:yes", "hint", "board text", "unseen", "history", "nonsense " + word} {
			command, rest, _ := strings.Cut(line, " ")
			for _, v := range []*visitor{quinn, rose} {
				said(v, "/"+line)
			}
			for _, who := range []string{ann, bob} {
				slash(who, line)
			}
			for _, u := range []*discordtest.User{dan, eve} {
				switch command {
				case "pass":
					u.Gives(general, command, "sure", "true").Answer()
				case "rack", "hint", "unseen", "history":
					if rest == "" {
						u.Gives(general, command).Answer()
					}
				case "play", "try":
					u.Gives(general, command, "word", word, "at", "8h").Answer()
				}
			}
		}
	}
	everyWay("qzxqzx")
	// Discord: lost, refused and limited answers, a broken gateway connection.
	const messages, webhooks, interactions = "POST /channels/", "PATCH /webhooks/", "POST /interactions/"
	for _, f := range []discordtest.Fault{
		{Request: messages, Times: 2, Status: 500}, {Request: messages, Times: 1, Status: 403, Code: 50013}, {Request: messages, Times: 1},
		{Request: interactions, Times: 2, Status: 500}, {Request: interactions, Times: 1, Taken: true}, {Request: interactions, Times: 1, Status: 404, Code: 10062},
		{Request: webhooks, Times: 3, Status: 502}, {Request: "PATCH /channels/", Times: 3, Status: 429, After: 50 * time.Millisecond},
	} {
		d.Fail(f)
	}
	dan.Gives(general, "rack")
	eve.Gives(general, "rack")
	dan.Gives(general, "pass", "sure", "true")
	d.Gateway.Drop()
	d.Gateway.Connected(1, 1, 1)
	// Slack: lost and refused answers, expired response addresses, failing uploads, a broken
	// socket.
	s.Fail("chat.postMessage", slacktest.Fault{Error: "internal_error"}, slacktest.Fault{Lost: true}, slacktest.Fault{Error: "not_in_channel"})
	s.Fail("chat.update", slacktest.Fault{Error: "fatal_error"}, slacktest.Fault{RetryAfter: time.Second})
	s.Fail("response_url", slacktest.Fault{Error: "gone"}, slacktest.Fault{Error: "gone"}, slacktest.Fault{Error: "gone"})
	s.Fail("files.getUploadURLExternal", slacktest.Fault{Error: "internal_error"}, slacktest.Fault{Lost: true})
	s.Fail("views.open", slacktest.Fault{Error: "expired_trigger_id"})
	for _, line := range []string{"rack", "board", "", "rack", "pass sure:yes"} {
		if err := s.Slash(ann, games, "/rackmate", line); err != nil {
			t.Error(err)
		}
	}
	before := s.Connections()
	s.Disconnect()
	await("another connection with Slack", func() bool { return s.Connections() > before && s.Connected() == 1 })
	// The room: malformed requests, unknown cookies, invalid links.
	for _, v := range []*visitor{quinn, {s: host, cookie: "rackmate=" + strings.Repeat("x", 60)}, {s: host, cookie: quinn.cookie + "x"}} {
		for _, path := range []string{"/api/say", "/api/press", "/api/table", "/api/rack", "/api/draft", "/api/enter", "/api/nothing"} {
			for _, in := range []any{"no JSON object", map[string]any{"stream": "nowhere", "id": "1", "text": "/rack", "button": "1~zzzz:1:1:rack:"}} {
				cookie := v.cookie
				_, _ = v.post(path, in, nil)
				v.cookie = cookie
			}
		}
	}
	recovery := said(quinn, "/link")
	everyWay("horn")

	secrets := []string{discordtest.Token, slacktest.BotToken, slacktest.AppToken, s.URL + "/"}
	for _, v := range []*visitor{quinn, rose} {
		_, value, _ := strings.Cut(v.cookie, "=")
		secrets = append(secrets, value)
	}
	secrets = append(secrets, regexp.MustCompile(`[0-9A-Z]{4,}(-[0-9A-Z]{4,})*`).FindAllString(recovery.String(), -1)...)
	host.stop()
	db, err := openDatabase(t.Context(), host.data, 0, time.Now)
	gametest.Must(t, err)
	defer db.Close()
	games3, racks := 0, 0
	for id := bot.TableID(1); ; id++ {
		_, events, err := db.Events(t.Context(), id, -1)
		if errors.Is(err, bot.ErrNoTable) {
			break
		}
		gametest.Must(t, err)
		all := gametest.Racks(events)
		games3, racks, secrets = games3+1, racks+len(all), append(secrets, all...)
	}
	log := host.log.String()
	if games3 != 3 || racks < 6 || strings.Count(log, "\n") < 100 || !strings.Contains(log, "level=DEBUG") && !strings.Contains(log, "level=WARN") {
		t.Fatalf("%d games, %d racks and %d lines of log: that is no noisy run", games3, racks, strings.Count(log, "\n"))
	}
	for _, secret := range secrets {
		if len(secret) < 4 {
			t.Errorf("%q is no secret", secret)
		}
		for line := range strings.SplitSeq(log, "\n") {
			if strings.Contains(line, secret) {
				t.Errorf("the log has %q:\n%s", secret, line)
				break
			}
		}
	}
	if address := regexp.MustCompile(`/(webhooks|interactions)/[0-9]+/[^…\s"]+`).FindString(log); address != "" {
		t.Errorf("the log has an address by which others could answer: %s", address)
	}
}
