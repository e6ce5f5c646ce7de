package web_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// A service stands in for the browsers' push services.
type service struct {
	answer int
	called []*http.Request
}

func (s *service) RoundTrip(req *http.Request) (*http.Response, error) {
	io.Copy(io.Discard, req.Body)
	s.called = append(s.called, req)
	return &http.Response{StatusCode: s.answer, Body: http.NoBody, Request: req}, nil
}

// pushes returns a browser's subscription for an endpoint.
func pushes(t *testing.T, endpoint string) map[string]any {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	gametest.Must(t, err)
	return map[string]any{"endpoint": endpoint, "keys": map[string]string{
		"p256dh": base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), "auth": base64.RawURLEncoding.EncodeToString(make([]byte, 16)),
	}}
}

// A person is notified on a browser that they allowed, if the host mentions them and they
// don't read it in time, and for nothing else.
func TestMentionIsPushed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		push := &service{answer: 201}
		s := openWith(t, func(c *web.Config) { c.PushClient = &http.Client{Transport: push} })
		ann, bob := s.enter("Ann"), s.enter("Bob")
		for _, bad := range []string{"http://fcm.googleapis.com/x", "https://fcm.googleapis.com.evil.example/x", "https://127.0.0.1/x", "https://fcm.googleapis.com:8443/x", "https://evil.push.apple.com.example/", "https://.notify.windows.com/x", "https://a..notify.windows.com/x", ""} {
			if w := ann.do("POST", "/api/push", pushes(t, bad)); w.Code != 422 {
				t.Errorf("%q is taken: %d %s", bad, w.Code, w.Body)
			}
		}
		const at = "https://fcm.googleapis.com/fcm/send/ann"
		if w := ann.do("POST", "/api/push", pushes(t, at)); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		n := 0
		calls := func(spans text.Text, to *bot.User, kind string) int {
			t.Helper()
			before := len(push.called)
			n++
			s.post(bot.Message{Key: "k" + strings.Repeat("k", n), Channel: "web:general", Table: 1, Number: n, Text: spans, To: to, Kind: kind})
			time.Sleep(6 * time.Second)
			synctest.Wait()
			return len(push.called) - before
		}
		call := text.Glue(text.Mention(*ann.user()), ", it's your turn.")
		if got := calls(call, nil, ""); got != 1 || push.called[0].URL.String() != at || !strings.HasPrefix(push.called[0].Header.Get("Authorization"), "vapid t=") {
			t.Fatalf("Ann's turn: %d calls, %v", got, push.called)
		}
		for what, got := range map[string]int{
			"somebody else's turn": calls(text.Glue(text.Mention(*bob.user()), ", it's your turn."), nil, ""),
			"a name without call":  calls(text.Glue(text.Name(*ann.user()), " plays."), nil, ""),
			"a rack":               calls(text.Glue("Your rack: A B"), ann.user(), ""),
		} {
			if got != 0 {
				t.Errorf("%s: %d calls", what, got)
			}
		}
		if got := calls(text.Glue("Your time is nearly up."), ann.user(), "remind"); got != 1 {
			t.Errorf("a reminder: %d calls", got)
		}

		// A message that is read at once causes no notification.
		s.post(bot.Message{Key: "read", Channel: "web:general", Table: 1, Number: 9, Text: call})
		ann.do("POST", "/api/read", map[string]any{"stream": "general", "number": 1000})
		before := len(push.called)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if len(push.called) != before {
			t.Error("Ann is called though she has read it")
		}

		// A browser that the service no longer knows is deleted, and an unsubscribed
		// browser isn't notified.
		push.answer = 410
		calls(call, nil, "")
		push.answer = 201
		if got := calls(call, nil, ""); got != 0 {
			t.Errorf("a browser that is gone: %d calls", got)
		}
		ann.do("POST", "/api/push", pushes(t, at))
		ann.do("POST", "/api/push-off", pushes(t, at))
		if got := calls(call, nil, ""); got != 0 {
			t.Errorf("a browser that was taken off: %d calls", got)
		}

		// Nothing remains of a person who leaves.
		ann.do("POST", "/api/push", pushes(t, at))
		ann.do("POST", "/api/leave", struct{}{})
		if keys, err := s.notes.Keys(t.Context(), "push/"+ann.ID); err != nil || len(keys) > 0 {
			t.Errorf("Ann's browsers: %v, %v", keys, err)
		}
	})
}

// A room with notifications off accepts no subscriptions, and doesn't notify earlier
// subscribers.
func TestPushOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		push := &service{answer: 201}
		off := false
		s := openWith(t, func(c *web.Config) { c.PushClient, c.NoPush = &http.Client{Transport: push}, off })
		ann := s.enter("Ann")
		if w := ann.do("POST", "/api/push", pushes(t, "https://fcm.googleapis.com/fcm/send/ann")); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		off = true
		s.restart()
		var me struct{ Push bool }
		if decode(t, ann.do("GET", "/api/me", nil), &me); me.Push {
			t.Error("the page offers notifications")
		}
		if w := ann.do("POST", "/api/push-key", struct{}{}); w.Code != 422 || !strings.Contains(w.Body.String(), "no notifications") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		call := text.Glue(text.Mention(*ann.user()), ", it's your turn.")
		s.post(bot.Message{Key: "k", Channel: "web:general", Table: 1, Number: 1, Text: call})
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if len(push.called) > 0 {
			t.Errorf("%v is called", push.called[0].URL)
		}
	})
}

// A recovery code lets its owner in on another browser once, as the same person, and notifies
// them. It replaces the former code, and wrong guesses are limited.
func TestRecoveryCodeWorksOnce(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	made := func() string {
		t.Helper()
		var out struct{ Code string }
		decode(t, ann.do("POST", "/api/recovery", struct{}{}), &out)
		return out.Code
	}
	var now *visitor // the browser that entered last
	comes := func(code string) (who string, status int) {
		t.Helper()
		req := (&visitor{site: s}).request("POST", "/back", nil)
		req.Body = io.NopCloser(strings.NewReader("code=" + code))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := newRecorder(s, req)
		other := &visitor{site: s, cookie: strings.Split(w.Header().Get("Set-Cookie"), ";")[0]}
		if w.Code == 303 {
			now = other
		}
		var me struct{ Me struct{ ID string } }
		decode(t, other.do("GET", "/api/me", nil), &me)
		return me.Me.ID, w.Code
	}
	old := made()
	if who, _ := comes(strings.ToLower(strings.ReplaceAll(old, "-", "+"))); who != ann.ID {
		t.Errorf("the code lets in %q", who)
	}
	if told := ann.messages("dm."+ann.ID, 0); len(told) != 1 || !strings.Contains(told[0].text(), "your recovery code") {
		t.Errorf("Ann is told: %v", told)
	}
	if who, status := comes(old); who != "" || status != 422 {
		t.Errorf("a second time the code lets in %q: %d", who, status)
	}
	if who, _ := comes(made() + "&others=end"); who != ann.ID {
		t.Errorf("the code lets in %q", who)
	}
	if w := ann.do("POST", "/api/people", struct{}{}); w.Code != 401 {
		t.Errorf("a session that Ann ended: %d", w.Code)
	}
	now.ID, now.Name = ann.ID, ann.Name
	ann = now
	code := made()
	for _, bad := range []string{old, "", "AAAA-AAAA-AAAA-AAAA"} {
		if who, status := comes(bad); who != "" || status != 422 {
			t.Errorf("%q lets in %q: %d", bad, who, status)
		}
	}
	for range 60 {
		comes("AAAA")
	}
	if who, status := comes(code); who != "" || status != 429 {
		t.Errorf("after many guesses %q comes in: %d", who, status)
	}
	s.clock.pass(10 * time.Minute)
	ann.do("POST", "/api/leave", struct{}{})
	if who, _ := comes(code); who != "" {
		t.Errorf("%q comes in who has left", who)
	}
	for _, line := range strings.Split(s.log.String(), "\n") {
		if strings.Contains(line, strings.ReplaceAll(code, "-", "")) || strings.Contains(line, code) {
			t.Error("the log has the code:", line)
		}
	}
}
