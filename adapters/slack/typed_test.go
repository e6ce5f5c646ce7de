package slack_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestParseMention checks that text after a mention of the app is a command if it is meant as
// one, and otherwise chat that gets no answer.
func TestParseMention(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	for message, want := range map[string]string{
		"<@U0BOT> play horn 8h":             "play horn 8h",
		"<@U0BOT|rackmate> rack":            "rack",
		"<@U0BOT>: rack":                    "rack",
		"<@U0BOT>, rack":                    "rack",
		"<@U0BOT> /rackmate play horn 8h":   "play horn 8h",
		"<@U0BOT> /rm rack":                 "rack",
		"<@U0BOT> /play horn 8h":            "/play horn 8h",
		"<@U0BOT> /nonsense":                "/nonsense",
		"<@U0BOT>":                          "help",
		"  <@U0BOT> ":                       "help",
		"<@U0BOT> thanks, that was fun":     "",
		"I like <@U0BOT> better than chess": "",
		"ask <@U0BOT> rack":                 "",
	} {
		if line, meant := w.adapter.Addressed(message); line != want && meant || meant != (want != "") {
			t.Errorf("%q asks %q (%v), want %q", message, line, meant, want)
		}
	}
	gametest.Must(t, w.s.Mention(ann, games, "", "is such a nice app"))
	w.adapter.Wait()
	if all := w.s.Private(ann); len(all) > 0 {
		t.Errorf("talk is answered: %s", said(all))
	}
}

func TestOptionsInAnyForm(t *testing.T) {
	for line, want := range map[string]string{
		"new seats=2":                 "new seats:2",
		"new --seats 2 --pace=3d":     "new seats:2 pace:3d",
		"new 2 players":               "new seats:2",
		"New 3 people rules:club":     "New seats:3 rules:club",
		"settings for=channel":        "settings for:channel",
		"note K=5 is out -- the rest": "note K=5 is out -- the rest",
		"play well-known 8h":          "play well-known 8h",
	} {
		if got := slack.AsOptions(line); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

// TestChannelCommandFindsThreadGame checks that a command typed in a channel is about the person's game in
// one of its threads, if they have no game in the channel, because slash commands don't
// work in threads. Hints in the thread don't mention them.
func TestChannelCommandFindsThreadGame(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.Slash(ann, "C0TALK", "/rackmate", "new robots:easy")
	w.await("a game elsewhere", func() bool { return strings.Contains(said(w.s.Messages("C0TALK")), "Easy") })
	w.slash(ann, "/rackmate", "new seats:2 thread:true")
	w.await("the thread", func() bool { return w.s.Calls("chat.postMessage") > 2 })
	w.press(bob, w.post("wants to play"), "Join", nil)
	w.post("it's your turn")
	if got := w.slash(ann, "/rackmate", "rack"); !strings.Contains(got.Said(), "Your rack") {
		t.Errorf("asked for her rack in the channel of the thread, Ann is told: %s", got.Said())
	}
	for _, m := range w.s.Messages(games) {
		if m.Thread != "" && strings.Contains(m.Said(), "/rackmate ") {
			t.Errorf("in the thread, where nobody can type it, it says %s", m.Said())
		}
	}
}

// TestDeactivatedPeopleGetNoSeat checks that no seat is reserved for a deactivated person, and that
// groups are expanded without them and without apps.
func TestDeactivatedPeopleGetNoSeat(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.Deactivate(bob)
	for _, who := range []string{bob, "U0NOBODY"} {
		if got := w.slash(ann, "/rackmate", "new opponents:<@"+who+"|gone>"); !strings.Contains(got.Said(), "I can't tell who") {
			t.Errorf("for %s a table is opened: %s", who, got.Said())
		}
	}
	w.s.Group("S0TEAM", ann, bob, slacktest.BotUser, "W0CAT")
	w.slash(ann, "/rackmate", "new opponents:<!subteam^S0TEAM|@team>")
	if seats := w.post("wants to play").Said(); strings.Contains(seats, "Bob") || strings.Contains(seats, "Rackmate") {
		t.Errorf("the table is for %s", seats)
	}
}

// TestNearTimesIncludeSeconds checks that times in the near future include seconds.
func TestNearTimesIncludeSeconds(t *testing.T) {
	now := time.Date(2026, 3, 1, 14, 28, 0, 0, time.UTC)
	for wait, want := range map[time.Duration]string{time.Minute: "{time_secs}", 3 * time.Hour: "{time}"} {
		if got := slack.MarkupAt(now, text.Text{{Text: "later", Time: now.Add(wait)}}); !strings.Contains(got, want) {
			t.Errorf("in %s: %s", wait, got)
		}
	}
}

// TestCertificateCheckIsAccepted checks that Slack's unsigned check of our certificate is
// accepted.
func TestCertificateCheckIsAccepted(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, overHTTP)
	for body, want := range map[string]int{"ssl_check=1&token=x": http.StatusOK, "command=/rackmate": http.StatusUnauthorized} {
		resp, err := http.Post(w.front.URL+"/slack/commands", "application/x-www-form-urlencoded", strings.NewReader(body))
		gametest.Must(t, err)
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d, want %d", body, resp.StatusCode, want)
		}
	}
}
