package slack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/storetest"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestRefusedPosts checks what happens to a post that Slack refuses or doesn't answer.
// Each fault affects the post of a new table; post.go and faults.go make the decisions.
func TestRefusedPosts(t *testing.T) {
	const post, begin = "chat.postMessage", "files.getUploadURLExternal"
	for _, c := range []struct {
		name, method string
		fault        slacktest.Fault
		times        int // how often the post appears
		logged       string
	}{
		{"rate limit", post, slacktest.Fault{RetryAfter: time.Second}, 1, "post postponed"},
		{"trouble at Slack", post, slacktest.Fault{Error: "internal_error"}, 1, "post postponed"},
		{"archived", post, slacktest.Fault{Error: "is_archived"}, 0, "post postponed"},
		{"the answer is lost", post, slacktest.Fault{Lost: true}, 1, "post postponed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{})
			w.s.Fail(c.method, c.fault)
			w.slash(ann, "/new", "seats:2")
			w.await("the fault", func() bool { return strings.Contains(w.log.String(), c.logged) })
			w.later(2 * time.Second)
			w.await("the outcome", func() bool { return strings.Count(said(w.s.Messages(games)), "wants to play") >= c.times })
			w.stop()
			posts := 0
			for _, m := range w.s.Messages(games) {
				if strings.Contains(m.Said(), "wants to play") {
					posts++
				}
			}
			if posts != c.times {
				t.Errorf("the post is there %d times, want %d", posts, c.times)
			}
		})
	}
}

// TestLostAnswerIsFoundByEvent checks that a post whose answer was lost is found from
// Slack's events, without the scope to read the channel, and isn't posted again.
func TestLostAnswerIsFoundByEvent(t *testing.T) {
	w := newWorld(t, slacktest.Options{Scopes: append(slack.Scopes(), "metadata.message:read")})
	w.s.Fail("chat.postMessage", slacktest.Fault{Lost: true})
	w.slash(ann, "/new", "seats:2")
	w.await("the answer to be lost", func() bool { return strings.Contains(w.log.String(), "post postponed") })
	lost := w.s.Messages(games)[0]
	if err := w.s.Arrive(slacktest.App, lost); err != nil { // in case it hasn't been reported yet
		t.Fatal(err)
	}
	w.later(2 * time.Second)
	w.settled()
	w.press(bob, lost, "Join", nil)
	w.post("it's your turn")
	if n := w.s.Calls("conversations.history"); n != 0 {
		t.Errorf("it looked %d times for what it was told", n)
	}
	if ts := w.s.Messages(games)[0].TS; ts != lost.TS {
		t.Errorf("the lobby is at %s, and its post was at %s", ts, lost.TS)
	}
}

// TestLateEventDeletesDuplicatePost checks that a post appears twice if Slack reports it too
// late, which is better than not at all. The first is deleted when Slack reports it or a
// person presses on it, and the press works.
func TestLateEventDeletesDuplicatePost(t *testing.T) {
	stands := func(w *world, copied slacktest.Message) bool {
		return slices.ContainsFunc(w.s.Messages(games), func(m slacktest.Message) bool { return m.TS == copied.TS })
	}
	for _, tt := range []struct {
		name string
		goes func(w *world, copied slacktest.Message)
	}{
		{"told late", func(w *world, copied slacktest.Message) { w.s.Arrive(slacktest.App, copied) }},
		{"pressed", func(w *world, copied slacktest.Message) {
			w.press(bob, copied, "Join", nil)
			if w.settled(); stands(w, copied) { // the board was being sent when the press was looked at
				w.press(bob, copied, "Fair draws", nil)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{Scopes: slack.Scopes()})
			w.s.Fail("chat.postMessage", slacktest.Fault{Lost: true})
			w.slash(ann, "/new", "seats:2")
			w.await("the answer to be lost", func() bool { return strings.Contains(w.log.String(), "post postponed") })
			w.later(2 * time.Second)
			w.await("the second try", func() bool { return len(w.s.Messages(games)) == 2 })
			w.settled() // pressed while the copy is being sent, it would stay until the next press
			if w.s.Calls("conversations.history") == 0 {
				t.Error("it didn't even try to look")
			}
			both := w.s.Messages(games)
			copied := both[0]
			// A post of another app, whatever its name, and the known post stay.
			gametest.Must(t, w.s.Arrive("A0OTHER", copied))
			gametest.Must(t, w.s.Arrive(slacktest.App, both[1]))
			w.settled()
			if n := len(w.s.Messages(games)); n != 2 {
				t.Fatalf("%d posts are left", n)
			}
			tt.goes(w, copied)
			w.await("the copy to go away", func() bool { return !stands(w, copied) })
			if w.s.Messages(games)[0].TS == both[1].TS {
				return
			}
			w.post("it's your turn")
		})
	}
}

func TestLostUploadLeavesText(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.noCards()
	w.s.Fail("files.getUploadURLExternal", slacktest.Fault{Lost: true}, slacktest.Fault{Error: "internal_error"}, slacktest.Fault{Error: "internal_error"})
	first, _ := w.deal("")
	if m := w.post("it's your turn"); m.Shows() || !strings.Contains(m.Said(), "tiles in the bag") {
		t.Errorf("without its picture the post says: %s", m.Said())
	}
	if m := w.slash(first, "/rack", ""); !strings.Contains(m.Said(), "Your rack") {
		t.Errorf("without its picture the rack says: %s", m.Said())
	}
}

// TestUnprocessedUploadDoesntDelayText checks that a file that Slack never finishes processing
// doesn't delay the text.
func TestUnprocessedUploadDoesntDelayText(t *testing.T) {
	w := newWorld(t, slacktest.Options{Looks: 1_000_000})
	w.restartWith(func(time.Duration) <-chan time.Time { return over() })
	w.deal("")
	if m := w.post("it's your turn"); m.Shows() || !strings.Contains(m.Said(), "tiles in the bag") {
		t.Errorf("without its picture the post says: %s", m.Said())
	}
}

// TestPostFollowsOnceProblemIsFixed checks that problems only people can fix delay a post and are
// explained: to the operator in the log, to the players by direct message. The post follows
// once the problem is fixed.
func TestPostFollowsOnceProblemIsFixed(t *testing.T) {
	for _, c := range []struct{ code, logged, direct string }{
		{"token_revoked", "Slack refuses SLACK_BOT_TOKEN (token_revoked)", ""},
		{"account_inactive", "Slack refuses SLACK_BOT_TOKEN (account_inactive)", ""},
		{"invalid_auth", "Slack refuses SLACK_BOT_TOKEN (invalid_auth)", ""},
		{"not_in_channel", "/invite @Rackmate", "/invite @Rackmate"},
		{"restricted_action", "Only some people can post", "Only some people can post"}, // an announcement channel
		{"ekm_access_denied", "administrators have suspended", "administrators have suspended"},
		{"missing_scope", "with the scopes in my latest manifest", "whoever installed me"},
		{"channel_not_found", "/invite @Rackmate", "/invite @Rackmate"}, // a private channel that it was removed from
	} {
		t.Run(c.code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{})
			w.s.Fail("chat.postMessage", slacktest.Fault{Error: c.code})
			w.slash(ann, "/new", "seats:2")
			w.await("a sentence in the log", func() bool {
				return strings.Contains(w.log.String(), "post postponed") && strings.Contains(w.log.String(), c.logged)
			})
			w.await("a sentence to Ann", func() bool { return strings.Contains(said(w.s.Direct(ann)), c.direct) })
			if n := len(w.s.Messages(games)); n != 0 {
				t.Errorf("%d messages in the channel", n)
			}
			if h := w.adapter.Health(); !h.Up || strings.HasPrefix(c.logged, "Slack refuses") != strings.Contains(h.Trouble, "SLACK_BOT_TOKEN") {
				t.Errorf("health: %+v", h)
			}
			w.restart(3 * time.Minute)
			w.post("wants to play")
			w.stop()
			if n := len(w.s.Messages(games)); n != 1 {
				t.Errorf("%d messages in the channel, want 1", n)
			}
		})
	}
}

// TestNewNeedsPossibleOpponent checks that a variant that robots don't play isn't opened in a direct message
// with the app, where nobody could join.
func TestNewNeedsPossibleOpponent(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.OpenDirect(ann)
	before := len(w.s.Private(ann))
	gametest.Must(t, w.s.Slash(ann, "D"+ann, "/new", "variant:unscrabble"))
	if got := w.answer(ann, before); !strings.Contains(got.Said(), "nobody else can see this conversation") {
		t.Errorf("told %q", got.Said())
	}
}

// TestNewInForbiddenChannel checks that /new opens no table where the app may not
// post, and says at once what to do.
func TestNewInForbiddenChannel(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.Leave(games)
	w.s.Archive("C0TALK")
	for _, c := range []struct{ where, channel, says string }{
		{"a channel that it is not in", games, "Type `/invite @Rackmate`, then `/rackmate new` again"},
		{"a direct message between two people", "D0ANNBOB", "play in a channel"},
		{"an archived channel", "C0TALK", "archived"},
	} {
		before := len(w.s.Private(ann))
		gametest.Must(t, w.s.Slash(ann, c.channel, "/new", "seats:2"))
		if got := w.answer(ann, before); !strings.Contains(got.Said(), c.says) {
			t.Errorf("%s: %q, want %q", c.where, got.Said(), c.says)
		}
		if table, _, err := w.db.Table(t.Context(), bot.ChannelID("slack:"+slacktest.Team+"/"+c.channel)); err != nil || table != 0 {
			t.Errorf("%s: table %d (%v), want none", c.where, table, err)
		}
	}
	w.s.Invite(games)
	w.deal("")
}

// TestRemovedAppRetriesForADay checks that the app keeps trying for a day after it was removed
// from the channel.
func TestRemovedAppRetriesForADay(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, _ := w.deal("")
	w.s.Leave(games)
	posts := len(w.s.Messages(games))
	w.slash(first, "/pass", "sure:yes")
	for _, who := range []string{ann, bob} {
		w.await("a request to be invited", func() bool { return strings.Contains(said(w.s.Direct(who)), "/invite @Rackmate") })
	}
	if strings.Contains(w.log.String(), "post dropped") {
		t.Error("the post is dropped before somebody could invite the app")
	}
	w.restart(25 * time.Hour)
	w.await("the post to be dropped", func() bool { return strings.Contains(w.log.String(), "post dropped") })
	for _, who := range []string{ann, bob} {
		w.await("word that the game has ended", func() bool { return strings.Contains(said(w.s.Direct(who)), "has ended unfinished") })
	}
	if n := len(w.s.Messages(games)); n != posts {
		t.Errorf("%d messages in a channel that it is not in", n-posts)
	}
}

// TestTurnInForbiddenChannel checks that nobody waits in silence where the app can't
// post: the player to move is called by direct message with the board, at each turn; /board,
// /rack and /games say what is missing; the board comes within a minute of the invitation.
func TestTurnInForbiddenChannel(t *testing.T) {
	for name, says := range map[string]string{"removed": "/invite @Rackmate", "removed, one board": "/invite @Rackmate", "archived": "is archived"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{})
			if name == "removed, one board" {
				w.slash(ann, "/settings", "for:channel board:live")
			}
			first, second := w.deal("")
			w.settled()
			if name != "archived" {
				w.s.Leave(games)
			} else {
				w.s.Archive(games)
			}
			called := func(who string) {
				t.Helper()
				w.await("a call to "+who, func() bool {
					for _, m := range w.s.Direct(who) {
						if strings.Contains(m.Said(), "it's your turn") && strings.Contains(m.Said(), says) && strings.Contains(m.Said(), "A B C D E") && slices.Contains(slacktest.Labels(m.Blocks), "Play") {
							return true
						}
					}
					return false
				})
			}
			w.slash(first, "/pass", "sure:yes")
			called(second)
			for _, command := range []string{"/board", "/rack", "/games"} {
				if got := w.slash(second, command, ""); !strings.Contains(got.Said(), says) {
					t.Errorf("%s says %s", command, got.Said())
				}
			}
			w.slash(second, "/pass", "sure:yes")
			called(first)
			if name != "archived" {
				w.s.Invite(games)
				w.later(time.Minute)
				w.post("it's your turn")
			}
			calls := slices.DeleteFunc(w.s.Direct(second), func(m slacktest.Message) bool { return !strings.Contains(m.Said(), "it's your turn") })
			if len(calls) != 1 {
				t.Errorf("%s was called %d times", second, len(calls))
			}
		})
	}
}

// TestLaterProblemIsRetried checks that a problem after the start stops nothing: the app
// retries, with errors in the log, until the operator has fixed it.
func TestLaterProblemIsRetried(t *testing.T) {
	for _, code := range []string{"link_disabled", "socket_mode_disabled", "account_inactive", "invalid_auth"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{})
			mended := make(chan time.Time)
			w.restartWith(func(time.Duration) <-chan time.Time { return mended })
			if h := w.adapter.Health(); !h.Up || h.Trouble != "" {
				t.Errorf("before: %+v", h)
			}
			w.s.Fail("apps.connections.open", slacktest.Fault{Error: code})
			had := w.s.Connections()
			w.s.SwitchOff()
			mended <- time.Time{} // the first wait, because the connection was so short
			w.await("a loud line", func() bool { return strings.Contains(w.log.String(), "only the operator can fix it") })
			if h := w.adapter.Health(); h.Up || h.Trouble == "" {
				t.Errorf("meanwhile: %+v", h)
			}
			close(mended)
			w.await("another connection", func() bool { return w.s.Connections() > had && w.s.Connected() == 1 })
			w.slash(ann, "/help", "")
			if h := w.adapter.Health(); !h.Up || h.Trouble != "" {
				t.Errorf("after: %+v", h)
			}
		})
	}
}

// TestWaitingPostsFollowReinvitation checks that waiting posts are sent when the app is used in the channel
// after a new invitation, not minutes later.
func TestWaitingPostsFollowReinvitation(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, other := w.deal("")
	w.s.Leave(games)
	w.slash(first, "/pass", "sure:yes")
	w.await("the post to be put off", func() bool { return strings.Contains(w.log.String(), "post postponed") })
	w.s.Invite(games)
	w.slash(other, "/rack", "")
	w.post("passes") // which waits for less time
}

// TestRefusedDMIsCalledInChannel checks that a person who accepts no direct messages is called
// in the channel.
func TestRefusedDMIsCalledInChannel(t *testing.T) {
	for _, code := range []string{"cannot_dm_bot", "user_disabled", "messages_tab_disabled"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{})
			w.s.Fail("conversations.open", slices.Repeat([]slacktest.Fault{{Error: code}}, 3)...) // two cards, a call
			first, other := w.deal("")
			w.await("cards to be refused", func() bool { return w.s.Calls("conversations.open") == 2 })
			w.settled()
			if got := w.slash(first, "/rack", ""); !strings.Contains(got.Said(), "I couldn't send you your rack, so I've stopped.") {
				t.Errorf("/rack says %s", got.Said())
			}
			w.slash(other, "/settings", "ping:dm")
			w.slash(first, "/pass", "sure:yes")
			w.await("a call in the channel", func() bool {
				return strings.Contains(said(w.s.Messages(games)), "<@"+other+">, it's your turn")
			})
		})
	}
}

// TestSocketRefreshHasNoGap checks that a new connection is made before the old one
// ends when Slack requests one.
func TestSocketRefreshHasNoGap(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.Refresh()
	w.await("another connection", func() bool { return w.s.Connections() == 2 && w.s.Connected() == 1 })
	if n := w.s.Gaps(); n > 0 {
		t.Errorf("there was no connection %d times", n)
	}
}

// TestWarningOpensSecondConnection checks that a warning leads to a second connection at once, while the
// old one serves until Slack ends it.
func TestWarningOpensSecondConnection(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.Warn()
	w.await("a second connection beside the first", func() bool { return w.s.Connections() == 2 && w.s.Connected() == 2 })
	w.slash(ann, "/help", "")
	w.s.Refresh() // the warned connections end
	w.await("one connection, the newest", func() bool { return w.s.Connected() == 1 })
	w.slash(ann, "/help", "")
	if n := w.s.Gaps(); n > 0 {
		t.Errorf("there was no connection %d times", n)
	}
}

func TestSocketBreaksOrRefreshes(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	for _, end := range []func(){w.s.Refresh, w.s.Disconnect} {
		had := w.s.Connections()
		end()
		w.await("another connection", func() bool { return w.s.Connections() > had && w.s.Connected() == 1 })
		w.slash(ann, "/help", "")
	}
}

// TestExpiredResponseURL checks that an answer is sent even if its response_url has expired.
func TestExpiredResponseURL(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.Fail("response_url", slacktest.Fault{Error: "expired_url"})
	if m := w.slash(ann, "/rackmate", "help play"); !strings.Contains(m.Said(), "Play a word") {
		t.Errorf("the answer: %s", m.Said())
	}
	if w.s.Calls("chat.postEphemeral") != 1 {
		t.Error("it was not posted in the channel")
	}
}

func TestSetupErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		config slack.Config
		fails  map[string]string
		scopes []string
		says   string
	}{
		{"no bot token", slack.Config{AppToken: "xapp-1"}, nil, nil, "SLACK_BOT_TOKEN is missing"},
		{"no app token", slack.Config{BotToken: "xoxb-1"}, nil, nil, "SLACK_APP_TOKEN is missing"},
		{"swapped", slack.Config{AppToken: "xoxb-1", BotToken: "xapp-1"}, nil, nil, "are swapped"},
		{"a user's token", slack.Config{AppToken: "xapp-1", BotToken: "xoxp-1"}, nil, nil, "isn't a bot token"},
		{"a bad key", slack.Config{SigningSecret: "s", OAuth: slack.OAuth{ClientID: "1", ClientSecret: "2", Key: "short"}}, nil, nil, "openssl rand"},
		{"a wrong bot token", slack.Config{AppToken: slacktest.AppToken, BotToken: "xoxb-wrong"}, nil, nil, "SLACK_BOT_TOKEN (invalid_auth)"},
		{"a wrong app token", slack.Config{AppToken: "xapp-wrong", BotToken: slacktest.BotToken}, nil, nil, "SLACK_APP_TOKEN (invalid_auth)"},
		{"uninstalled", slack.Config{AppToken: slacktest.AppToken, BotToken: slacktest.BotToken}, map[string]string{"auth.test": "account_inactive"}, nil, "install the app again"},
		{"scopes missing", slack.Config{AppToken: slacktest.AppToken, BotToken: slacktest.BotToken}, nil, []string{"commands", "chat:write"}, "lacks the scopes files:write, im:write, users:read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := slacktest.New(slacktest.Options{Scopes: c.scopes})
			defer s.Close()
			for method, code := range c.fails {
				s.Fail(method, slacktest.Fault{Error: code})
			}
			c.config.API, c.config.Now, c.config.Log = s.URL, time.Now, slog.New(slog.DiscardHandler)
			a, err := slack.New(c.config)
			if err == nil {
				err = a.Run(t.Context())
			}
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v; want %q", err, c.says)
			}
		})
	}
}

// TestPostToInvalidChannel checks that an invalid channel or person isn't retried.
func TestPostToInvalidChannel(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	for _, ch := range []bot.ChannelID{"web:general", "slack:", "slack:T1", "slack:T1/C1/2/3"} {
		err := w.adapter.Post(t.Context(), bot.Message{Key: "k", Channel: ch, Text: text.Text{{Text: "hi"}}})
		if failed, ok := err.(*bot.PostError); !ok || !failed.Permanent {
			t.Errorf("%s: %v, want a permanent failure", ch, err)
		}
	}
}

// TestStalledProcessLosesPost checks that a stalled process doesn't make a post that another may have
// taken over.
func TestStalledProcessLosesPost(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	for _, held := range []bool{false, true} {
		ctx, _ := bot.Delivering(t.Context(), bot.Post{}, func() bool { return held })
		err := w.adapter.Post(ctx, bot.Message{Key: "k", Channel: "slack:T0SLACK/C0GAMES", Text: text.Text{{Text: "hi"}}})
		if n := len(w.s.Messages(games)); errors.Is(err, bot.ErrLost) == held || (n == 1) != held {
			t.Errorf("held: %t, %d messages, %v", held, n, err)
		}
	}
}

// TestStalledPostIsNotCompleted checks that a process that stalls while sending a post doesn't
// complete it.
func TestStalledPostIsNotCompleted(t *testing.T) {
	took := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err == nil {
			took++
		}
	}))
	defer srv.Close()
	for _, stands := range []bool{true, false} {
		held := true
		ctx, _ := bot.Delivering(t.Context(), bot.Post{}, func() bool { return held })
		begin := strings.NewReader("text=")
		body := io.MultiReader(readerFunc(func(p []byte) (int, error) {
			defer func() { held = !stands }()
			return begin.Read(p)
		}), strings.NewReader("hi"))
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL+"/api/chat.postMessage", body)
		gametest.Must(t, err)
		req.ContentLength = int64(len("text=hi"))
		resp, err := slack.WhileHeld(req)
		if err == nil {
			resp.Body.Close()
		}
		if errors.Is(err, bot.ErrLost) != stands {
			t.Errorf("stands still: %t, %v", stands, err)
		}
	}
	if took != 1 {
		t.Errorf("%d posts arrived, want 1", took)
	}
}

// TestStopFinishesPost checks that a post being sent when the host stops
// arrives before the stop.
func TestStopFinishesPost(t *testing.T) {
	came, goOn := make(chan struct{}), make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(came)
		<-goOn
	}))
	defer srv.Close()
	ctx, stop := context.WithCancel(t.Context())
	post := func() (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL+"/api/chat.postMessage", strings.NewReader("text=hi"))
		gametest.Must(t, err)
		return slack.WhileHeld(req)
	}
	go func() {
		<-came
		stop()
		close(goOn)
	}()
	resp, err := post()
	if err != nil {
		t.Fatalf("it was cut off: %v", err)
	}
	resp.Body.Close()
	if _, err := post(); !errors.Is(err, context.Canceled) {
		t.Errorf("another was begun after that: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestTidyKeepsOthersRecords checks that a process that tidies up keeps the record of a post
// that another is about to make. Otherwise nobody would look for it after that process's
// end, and it would appear twice.
func TestTidyKeepsOthersRecords(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.stop()
	var own, beside bot.Notes
	var trying func() string
	w.among = func(n bot.Notes) bot.Notes {
		own = n
		beside, trying = storetest.AlsoPosting(t, n, `"old"`)
		return beside
	}
	w.start()
	const channel = "slack:T0SLACK/C0GAMES"
	for _, key := range []string{"1", "2"} {
		gametest.Must(t, w.adapter.Post(t.Context(), bot.Message{Key: key, Channel: channel, Text: text.Text{{Text: "hi"}}, Line: text.Text{{Text: "h"}}}))
	}
	w.await("the first to be folded", func() bool { return w.s.Messages(games)[0].Edited })
	w.adapter.Wait()
	b, err := own.Get(t.Context(), "last", channel)
	if want := fmt.Sprintf(`"trying":%q`, trying()); err != nil || bytes.Contains(b, []byte(`"old"`)) || !bytes.Contains(b, []byte(want)) {
		t.Errorf("after the tidying there is %s, want %s (%v)", b, want, err)
	}
}

// TestCrashBeforePostIsRecorded stops the program after Slack accepted a post and before that
// was recorded. The next run must look for it before posting again.
func TestCrashBeforePostIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, slacktest.Options{Scopes: append(slack.Scopes(), "channels:history")})
	w.s.Fail("chat.postMessage", slacktest.Fault{Lost: true})
	w.slash(ann, "/new", "seats:2")
	w.await("the post", func() bool { return len(w.s.Messages(games)) == 1 })
	w.stop()
	w.start()
	w.await("a look at the channel", func() bool { return w.s.Calls("conversations.history") > 0 })
	w.press(bob, w.post("wants to play"), "Join", nil)
	w.post("it's your turn")
	if n := strings.Count(said(w.s.Messages(games)), "wants to play"); n > 2 { // blocks and text
		t.Errorf("the table is told of %d times", n)
	}
	w.await("the first post to be folded", func() bool { return w.s.Messages(games)[0].Edited })
}

// TestFoldsDontDelayPosts checks that the next boards aren't delayed while the fold of an
// earlier one is refused, and that the fold is retried until it succeeds or Slack says that
// it can't.
func TestFoldsDontDelayPosts(t *testing.T) {
	trouble := slacktest.Fault{Error: "internal_error"}
	for _, c := range []struct {
		name   string
		faults []slacktest.Fault
		folded bool
	}{
		{"trouble that passes", []slacktest.Fault{trouble, trouble}, true},
		{"trouble that stays", []slacktest.Fault{trouble, trouble, trouble}, true},
		{"a limit", []slacktest.Fault{{RetryAfter: time.Minute}}, false},
		{"a post that can't be changed", []slacktest.Fault{{Error: "edit_window_closed"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, slacktest.Options{})
			w.restartWith(func(d time.Duration) <-chan time.Time {
				if d >= time.Minute {
					return nil // never
				}
				return over()
			})
			w.s.Fail("chat.update", c.faults...)
			w.slash(ann, "/new", "seats:2")
			lobby := w.post("wants to play")
			w.press(bob, lobby, "Join", nil)
			w.post("it's your turn")
			w.await("the folding to be tried", func() bool { return w.s.Calls("chat.update") >= len(c.faults) })
			w.slash(w.turn(), "/pass", "sure:yes")
			w.post("passes")
			if strings.Contains(w.log.String(), "post postponed") {
				t.Error("a post was put off")
			}
			if c.folded {
				w.await("the lobby to be folded", func() bool { return w.s.Messages(games)[0].Edited })
			}
			w.stop()
			if got := w.s.Messages(games)[0]; got.Edited != c.folded {
				t.Errorf("the lobby was folded: %v", got.Edited)
			}
		})
	}
}

// TestLimitedChannelDoesntDelayOthers checks that a limit of one channel doesn't delay others.
func TestLimitedChannelDoesntDelayOthers(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.Fail("chat.postMessage", slacktest.Fault{RetryAfter: time.Hour})
	w.slash(ann, "/new", "seats:2")
	w.await("the limit", func() bool { return strings.Contains(w.log.String(), "post postponed") })
	gametest.Must(t, w.s.Slash(bob, "C0TALK", "/new", "seats:2"))
	w.await("the post in another channel", func() bool { return strings.Contains(said(w.s.Messages("C0TALK")), "wants to play") })
}

// TestLostBoardIsFoldedAfterTurn checks that a board whose answer was lost is found even
// after its turn: it is folded to a line, and its picture is deleted.
func TestLostBoardIsFoldedAfterTurn(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.noCards()
	w.deal("")
	w.adapter.Wait()
	w.s.Fail("chat.postMessage", slacktest.Fault{Lost: true})
	w.slash(w.turn(), "/pass", "sure:yes")
	w.await("the answer to be lost", func() bool { return strings.Contains(w.log.String(), "post postponed") })
	w.slash(w.turn(), "/pass", "sure:yes")
	w.later(2 * time.Second)
	w.await("the next board alone with buttons and a picture", func() bool {
		all := w.s.Messages(games)
		return len(all) == 4 && all[3].Shows() && !all[2].Shows() && len(slacktest.Labels(all[2].Blocks)) == 0 && w.s.Files() == 1
	})
}

// TestLostLiveBoardIsFound does the same with a live board and a lost call in its thread: it
// isn't posted again but found.
func TestLostLiveBoardIsFound(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/settings", "for:channel board:live")
	w.noCards()
	w.deal("")
	w.settled()
	w.s.Fail("chat.postMessage", slacktest.Fault{Lost: true})
	w.slash(w.turn(), "/pass", "sure:yes")
	w.await("the answer to be lost", func() bool { return strings.Contains(w.log.String(), "post postponed") })
	w.slash(w.turn(), "/pass", "sure:yes")
	w.later(2 * time.Second)
	w.await("the board and three calls", func() bool {
		all := w.s.Messages(games)
		return len(all) == 4 && all[0].Shows() && !all[3].Shows() && strings.Contains(all[0].Said(), "<@"+w.turn()+">") && strings.Contains(all[3].Said(), "<@"+w.turn()+">")
	})
}

// TestFoldedBoardLosesPicture checks that a board's picture is deleted when the board is folded:
// only the latest board's and each player's rack's stay.
func TestFoldedBoardLosesPicture(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.deal("")
	for n := range 4 {
		w.slash(w.turn(), "/pass", "sure:yes")
		w.await("the board", func() bool { all := w.s.Messages(games); return len(all) == n+3 && all[n+2].Shows() && all[n+1].Edited })
	}
	w.await("three files: the board's and two racks", func() bool { return w.s.Files() == 3 })
}

// TestNewInRestrictedChannel checks that no table is opened if posting is restricted or a
// permission is missing.
func TestNewInRestrictedChannel(t *testing.T) {
	for code, says := range map[string]string{
		"restricted_action": "Only some people can post", "restricted_action_read_only_channel": "Only some people can post",
		"ekm_access_denied": "administrators have suspended", "missing_scope": "don't have permission",
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{})
			w.s.Fail("chat.postEphemeral", slacktest.Fault{Error: code})
			if got := w.slash(ann, "/new", "seats:2"); !strings.Contains(got.Said(), says) {
				t.Errorf("told %q, want %q", got.Said(), says)
			}
			if table, _, err := w.db.Table(t.Context(), bot.ChannelID("slack:"+slacktest.Team+"/"+games)); err != nil || table != 0 {
				t.Errorf("table %d (%v), want none", table, err)
			}
		})
	}
}

// TestLongPostsAreShortened checks that posts and answers with too many bytes are shortened before they
// are sent: a table becomes text first, then text is cut, and buttons stay.
func TestLongPostsAreShortened(t *testing.T) {
	long := func(n int) text.Text { return text.Plain(strings.Repeat("many words & more ", n)) }
	table := &text.Table{Columns: []text.Column{{Head: text.Plain("Player")}, {Head: text.Plain("Points"), Right: true}}}
	for n := range 90 {
		table.Rows = append(table.Rows, []text.Text{text.Plain(fmt.Sprint("Player number ", n)), {{Text: fmt.Sprint(n), Strong: true}}})
	}
	press := []bot.Button{{ID: bot.ButtonID(1, 1, "rack", nil), Label: text.Plain("My rack")}}
	inTable := text.InTable(long(10), table)
	for name, said := range map[string]text.Text{
		"words":                 long(1500),
		"a table":               inTable,
		"words, a table, words": text.Lines(long(600), inTable, long(600)),
		"a few words":           text.Plain("Hello."),
	} {
		blocks := slack.Message(bot.Message{Text: said, Buttons: press, Picture: &bot.Picture{Alt: text.Plain("a board")}}, "F1")
		b, err := json.Marshal(blocks)
		if err != nil || len(b) > 13_000 {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
		for _, want := range []string{`"actions"`, `"image"`, `"section"`} {
			if !strings.Contains(string(b), want) {
				t.Errorf("%s: there is no %s", name, want)
			}
		}
		if shorter := strings.Contains(string(b), `\n…`); shorter != strings.HasPrefix(name, "words") {
			t.Errorf("%s: shortened %v", name, shorter)
		}
	}
}

// TestRefusedPostsAreReduced checks that posts Slack finds too long are sent shorter, and boards
// without a picture that Slack can't show.
func TestRefusedPostsAreReduced(t *testing.T) {
	for _, c := range []struct {
		code  string
		times int // a refused picture is retried, because it may not be ready yet
		shows bool
	}{{"msg_blocks_too_long", 1, true}, {"msg_too_long", 1, true}, {"invalid_blocks", 1, true}, {"invalid_blocks", 4, false}} {
		t.Run(fmt.Sprint(c.code, c.times), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{})
			w.noCards()
			w.slash(ann, "/new", "seats:2")
			lobby := w.post("wants to play")
			w.s.Fail("chat.postMessage", slices.Repeat([]slacktest.Fault{{Error: c.code}}, c.times)...)
			w.press(bob, lobby, "Join", nil)
			if m := w.post("it's your turn"); m.Shows() != c.shows || len(slacktest.Labels(m.Blocks)) == 0 {
				t.Errorf("a picture %v, buttons %v", m.Shows(), slacktest.Labels(m.Blocks))
			}
			if strings.Contains(w.log.String(), "post postponed") {
				t.Error("the post was put off")
			}
		})
	}
}

// TestEarlierReleasesGameContinues checks that a game from an earlier release continues with its
// board and its call.
func TestEarlierReleasesGameContinues(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	const channel = "slack:T0SLACK/C0TALK"
	post := func(key string) {
		t.Helper()
		said := text.Text{{Text: "state " + key + "\n"}, {Text: "Ann", Person: "slack:T0SLACK/" + ann, Notify: true}}
		gametest.Must(t, w.adapter.Post(t.Context(), bot.Message{
			Key: key, Channel: channel, Table: 1, Live: "board", Text: said, Whole: said, Line: text.Text{{Text: "line " + key}},
			Picture: &bot.Picture{Alt: text.Text{{Text: "the board"}}, PNG: []byte("\x89PNG" + key)},
		}))
		w.adapter.Wait()
	}
	post("a")
	post("b")
	all := w.s.Messages("C0TALK")
	if len(all) != 2 {
		t.Fatalf("there are %d messages", len(all))
	}
	notes := w.data().Notes(slack.Platform)
	former := fmt.Sprintf(`{"v":2,"key":"b","ts":%q,"live":"board","table":1,"board":true,"board_key":"b","call":%q}`, all[0].TS, all[1].TS)
	gametest.Must(t, notes.Put(t.Context(), "last", channel, []byte(former)))
	post("c")
	got := w.s.Messages("C0TALK")
	if len(got) != 2 || got[0].TS != all[0].TS || got[1].TS == all[1].TS || !strings.Contains(got[0].Said(), "state c") || !strings.Contains(got[1].Said(), "line c") {
		t.Errorf("there stands %s", said(got))
	}
	if b, err := notes.Get(t.Context(), "last", channel); err != nil || bytes.Contains(b, []byte(`"ts"`)) {
		t.Errorf("what is noted is %s (%v)", b, err)
	}
}
