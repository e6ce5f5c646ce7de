package slack_test

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/storetest"
	"github.com/rackmate/rackmate/game/gametest"
)

func overHTTP(c *slack.Config) { c.AppToken, c.SigningSecret = "", slacktest.Secret }

func TestGameOverHTTP(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, overHTTP)
	first, _ := w.deal("")
	gametest.Must(t, w.s.OpenHome(first))
	w.await("a home page", func() bool { v, _ := w.s.Home(first); return strings.Contains(v.Text(), "*It's your turn.*") })
	gametest.Must(t, w.s.Press(first, w.post("it's your turn"), "Play", nil))
	if mistakes, err := w.s.Submit(w.form(first, "Play"), map[string]any{"word": "zzzzzzz", "at": "8h"}); err != nil || mistakes["word"] == "" {
		t.Errorf("%v, %v; want a mistake at the field", mistakes, err)
	}
}

func TestSignatureIsRequired(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, overHTTP)
	body := []byte(`{"type":"url_verification","challenge":"c3","token":"x"}`)
	for _, c := range []struct {
		name   string
		at     time.Duration
		secret string
		status int
	}{
		{"good", 0, slacktest.Secret, 200},
		{"almost five minutes old", -4*time.Minute - 50*time.Second, slacktest.Secret, 200},
		{"more than five minutes old", -5*time.Minute - 10*time.Second, slacktest.Secret, 401},
		{"from the future", 5*time.Minute + 10*time.Second, slacktest.Secret, 401},
		{"another secret", 0, "guess", 401},
	} {
		resp, err := w.s.Signed(w.front.URL+"/slack/events", "application/json", body, time.Now().Add(c.at), c.secret)
		gametest.Must(t, err)
		got, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status || c.status == 200 && string(got) != "c3" {
			t.Errorf("%s: %s %q, want %d", c.name, resp.Status, got, c.status)
		}
	}
	for _, path := range []string{"/slack/events", "/slack/commands", "/slack/interactivity"} {
		resp, err := http.Post(w.front.URL+path, "application/json", strings.NewReader("{}"))
		gametest.Must(t, err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s without a signature: %s", path, resp.Status)
		}
	}
}

// TestVerify checks that Slack's own example is accepted at its time, and refused later, with
// a changed body, or without its version.
func TestVerify(t *testing.T) {
	// https://docs.slack.dev/authentication/verifying-requests-from-slack
	const secret, sign = "8f742231b10e8888abcd99yyyzzz85a5", "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
	const body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
	verify := func(sign, body string) error {
		h := http.Header{}
		h.Set("X-Slack-Request-Timestamp", "1531420618")
		h.Set("X-Slack-Signature", sign)
		return slack.Verify(secret, h, []byte(body))
	}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Unix(1531420618, 0)))
		if err := verify(sign, body); err != nil {
			t.Errorf("Slack's own example: %v", err)
		}
		if verify(sign, body+" ") == nil {
			t.Error("a changed body was taken")
		}
		if verify(strings.TrimPrefix(sign, "v0="), body) == nil {
			t.Error("a signature without its version was taken")
		}
		time.Sleep(6 * time.Minute)
		if verify(sign, body) == nil {
			t.Error("an old request was taken")
		}
	})
}

const tokenKey = "a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=" // 32 times "k"

// newOpenWorld returns a world in which workspaces install the app by themselves.
func newOpenWorld(t *testing.T) *world {
	t.Helper()
	var w *world
	now := func() time.Time {
		if w == nil {
			return time.Now()
		}
		return w.now()
	}
	w = newWorld(t, slacktest.Options{Now: now}, overHTTP, func(c *slack.Config) {
		c.BotToken = ""
		c.OAuth = slack.OAuth{ClientID: "1.2", ClientSecret: "s", Key: tokenKey, URL: "https://play.example.org"}
	})
	return w
}

// browse opens a page without following redirects.
func (w *world) browse(address string, cookies ...*http.Cookie) *http.Response {
	w.t.Helper()
	req, err := http.NewRequest("GET", address, nil)
	gametest.Must(w.t, err)
	for _, c := range cookies {
		req.AddCookie(c)
	}
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := browser.Do(req)
	gametest.Must(w.t, err)
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	gametest.Must(w.t, err)
	resp.Body = io.NopCloser(strings.NewReader(string(page)))
	return resp
}

// install installs the app in the workspace.
func (w *world) install() {
	w.t.Helper()
	resp := w.browse(w.front.URL + "/slack/install")
	to, err := url.Parse(resp.Header.Get("Location"))
	gametest.Must(w.t, err)
	if resp = w.browse(w.front.URL+"/slack/oauth?code=good&state="+url.QueryEscape(to.Query().Get("state")), resp.Cookies()...); resp.StatusCode != http.StatusOK {
		w.t.Fatalf("installing: %s", resp.Status)
	}
	w.adapter.Wait() // the installer is thanked
}

// TestInstallPlayUninstall lets a workspace install the app, play, renew its token, and uninstall
// the app. The token must not be in the file in plain text.
func TestInstallPlayUninstall(t *testing.T) {
	w := newOpenWorld(t)
	w.moveToFile()
	get := w.browse
	resp := get(w.front.URL + "/slack/install")
	to, err := url.Parse(resp.Header.Get("Location"))
	if err != nil || to.Query().Get("state") == "" || to.Query().Get("redirect_uri") != "https://play.example.org/slack/oauth" {
		t.Fatalf("sent to %s (%v)", to, err)
	}
	state := resp.Cookies()
	back := w.front.URL + "/slack/oauth?code=good&state=" + url.QueryEscape(to.Query().Get("state"))
	for name, resp := range map[string]*http.Response{
		"without the cookie": get(back),
		"a made-up state":    get(w.front.URL+"/slack/oauth?code=good&state=a.99999999999.b", &http.Cookie{Name: state[0].Name, Value: "a.99999999999.b"}),
	} {
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", name, resp.Status)
		}
	}
	resp = get(back, state...)
	if page, err := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK || err != nil || !strings.Contains(string(page), "https://slack.com/app_redirect?") {
		t.Fatalf("installing: %s, %s", resp.Status, page)
	}
	if again := get(back, state...); again.StatusCode != http.StatusBadRequest {
		t.Errorf("the same state a second time: %s", again.Status)
	}
	w.await("a welcome", func() bool { return strings.Contains(said(w.s.Direct(ann)), "Thank you for installing") })
	if m := w.s.Direct(ann)[0]; !strings.Contains(fmt.Sprint(m.Blocks), "Tiles that spell") || !slices.Contains(slacktest.Labels(m.Blocks), "Play Beginner (robot)") {
		t.Errorf("the welcome: %v", m.Blocks)
	}
	w.deal("")

	refreshed := w.s.Calls("oauth.v2.access")
	w.ahead.Store(int64(11*time.Hour + 45*time.Minute))
	w.slash(w.turn(), "/pass", "sure:yes")
	w.await("a new token", func() bool { return w.s.Calls("oauth.v2.access") == refreshed+1 })
	w.post("passes")

	// The end of an earlier installation is reported late, and twice.
	for range 2 {
		if _, err := w.s.Send("events_api", map[string]any{
			"type": "event_callback", "team_id": slacktest.Team, "event_id": "Ev8", "event_time": time.Now().Add(-time.Hour).Unix(),
			"event": map[string]any{"type": "tokens_revoked", "tokens": map[string]any{"bot": []any{slacktest.BotUser}}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	w.adapter.Wait()
	if strings.Contains(w.log.String(), "uninstalled") {
		t.Error("an old event took the new token away")
	}

	if _, err := w.s.Send("events_api", map[string]any{
		"type": "event_callback", "team_id": slacktest.Team, "event_id": "Ev9", "event_time": w.now().Unix(), "event": map[string]any{"type": "app_uninstalled"},
	}); err != nil {
		t.Fatal(err)
	}
	w.adapter.Wait()
	posts := len(w.s.Messages(games))
	if got := w.slash(w.turn(), "/pass", "sure:yes").Said(); !strings.Contains(got, "https://play.example.org/slack/install") {
		t.Errorf("a command where it isn't installed is answered %s", got)
	}
	at := bot.ChannelID("slack:" + slacktest.Team + "/" + games)
	w.host.Handle(t.Context(), bot.Request{ID: "late", Channel: at, User: bot.User{ID: bot.PlayerID("slack:" + slacktest.Team + "/" + w.turn())}, Command: "pass", Args: map[string]string{"sure": "yes"}})
	w.await("the post to be put off", func() bool { return strings.Contains(w.log.String(), "not installed there") })
	w.adapter.Wait()
	if len(w.s.Messages(games)) != posts {
		t.Error("it posted where it was uninstalled")
	}
	w.restart(5 * time.Minute)
	w.install()
	w.restart(5 * time.Minute)
	w.await("the post once it is installed again", func() bool { return len(w.s.Messages(games)) == posts+1 })
	w.stop()
	file, err := os.ReadFile(w.file)
	gametest.Must(t, err)
	for _, secret := range []string{"xoxb-granted", "xoxe-1"} {
		if strings.Contains(string(file), secret) || strings.Contains(w.log.String(), secret) {
			t.Errorf("a token (%s) stands in the file or in the log", secret)
		}
	}
}

// TestAnswersGoToSlackOnly checks that answers are only sent to Slack's own hosts, and that
// a redirect isn't followed.
func TestAnswersGoToSlackOnly(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	for address, want := range map[string]bool{
		w.s.URL + "/response/1": true, "https://hooks.slack.com/commands/T1/2/x": true, "https://slack.com/x": true,
		"http://hooks.slack.com/commands/T1/2/x": false, "https://hooks.slack.com.example.org/x": false, "https://evilslack.com/x": false,
		"https://hooks.slack.com@example.org/x": false, "https://example.org/?hooks.slack.com": false, "": false,
	} {
		if got := w.adapter.IsSlacks(address); got != want {
			t.Errorf("%q: %v, want %v", address, got, want)
		}
	}
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	moved := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer moved.Close()
	if status, err := w.adapter.Send(moved.URL); err != nil || status != http.StatusTemporaryRedirect || reached {
		t.Errorf("%d, %v; the redirect was followed: %v", status, err, reached)
	}
}

// TestRefusedTokenKeepsWorkspace checks that a refused token doesn't erase a workspace with its refresh
// token: posts wait and are sent later.
func TestRefusedTokenKeepsWorkspace(t *testing.T) {
	for _, c := range []struct {
		name  string
		fails map[string]string // by method, once
		later bool              // posted by a later try
		kept  bool              // the installation is kept
	}{
		{"expired before its time", map[string]string{"chat.postMessage": "token_expired"}, false, true},
		{"refused once", map[string]string{"chat.postMessage": "invalid_auth"}, true, true},
		{"refused twice", map[string]string{"chat.postMessage": "account_inactive", "auth.test": "account_inactive"}, true, true},
		{"expired, and renewing is refused", map[string]string{"chat.postMessage": "token_expired", "oauth.v2.access": "invalid_refresh_token"}, true, true},
		{"revoked", map[string]string{"chat.postMessage": "token_revoked", "auth.test": "token_revoked"}, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newOpenWorld(t)
			w.install()
			for method, code := range c.fails {
				w.s.Fail(method, slacktest.Fault{Error: code})
			}
			w.slash(ann, "/new", "seats:2")
			if c.later {
				w.await("the post to be put off", func() bool { return strings.Contains(w.log.String(), "post postponed") })
				if gone := strings.Contains(w.log.String(), "uninstalled"); gone == c.kept {
					t.Errorf("the installation is gone: %v", gone)
				}
				if !c.kept {
					w.install()
				}
				w.restart(11 * time.Minute)
			}
			w.post("wants to play")
			w.stop()
			if n := strings.Count(w.log.String(), "post dropped"); n > 0 {
				t.Errorf("%d posts dropped", n)
			}
		})
	}
}

// TestRefusedRenewalIsNotRepeated checks that a token whose renewal Slack refuses isn't renewed again on
// every press.
func TestRefusedRenewalIsNotRepeated(t *testing.T) {
	w := newOpenWorld(t)
	w.install()
	had := w.s.Calls("oauth.v2.access")
	w.ahead.Add(int64(13 * time.Hour)) // the token has expired
	w.s.Fail("oauth.v2.access", slacktest.Fault{Error: "invalid_refresh_token"}, slacktest.Fault{Error: "invalid_refresh_token"})
	for range 3 {
		w.slash(ann, "/rackmate", "help")
	}
	if n := w.s.Calls("oauth.v2.access") - had; n != 1 {
		t.Errorf("asked %d times, want once", n)
	}
	w.ahead.Add(int64(time.Hour))
	w.slash(ann, "/rackmate", "help")
	if n := w.s.Calls("oauth.v2.access") - had; n != 2 {
		t.Errorf("after an hour asked %d times in all, want twice", n)
	}
}

// TestTokenKeyCanBeChanged checks that the key can be changed while the old one is listed after the
// new one, until all tokens have been read once, and that fields written by a newer program
// stay. A key that decrypts nothing stops the start.
func TestTokenKeyCanBeChanged(t *testing.T) {
	other := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("o", 32)))
	w := newOpenWorld(t)
	w.install()
	w.stop()
	installed(t, w, tokenKey, func(text []byte) []byte {
		return append(bytes.TrimSuffix(text, []byte("}")), `,"newer":[1]}`...)
	})
	for _, c := range []struct {
		key string
		ok  bool
	}{{other, false}, {other + ", " + tokenKey, true}, {other, true}, {tokenKey, false}} {
		config := w.config
		config.OAuth.Key, config.Notes, config.Log = c.key, w.memory.Notes(slack.Platform), slog.New(slog.DiscardHandler)
		a, err := slack.New(config)
		gametest.Must(t, err)
		err = a.CheckKeys(t.Context())
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "SLACK_TOKEN_KEY") {
			t.Errorf("%s: %v", c.key, err)
		}
	}
	installed(t, w, other, func(text []byte) []byte {
		if !bytes.HasSuffix(text, []byte(`,"newer":[1]}`)) && !bytes.Contains(text, []byte(`"newer":[1],`)) {
			t.Errorf("kept is %s", text)
		}
		return text
	})
}

// installed changes the stored form of the only installation, with a key.
func installed(t *testing.T, w *world, key string, change func([]byte) []byte) {
	t.Helper()
	notes := w.memory.Notes(slack.Platform)
	k, err := base64.StdEncoding.DecodeString(key)
	gametest.Must(t, err)
	block, err := aes.NewCipher(k)
	gametest.Must(t, err)
	seal, err := cipher.NewGCM(block)
	gametest.Must(t, err)
	rows, err := notes.Scan(t.Context(), "installations", "", "", 10)
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	of, sealed := []byte(rows[0].Key), rows[0].Value
	nonce := sealed[:seal.NonceSize()]
	text, err := seal.Open(nil, nonce, sealed[len(nonce):], of)
	gametest.Must(t, err)
	text = change(text)
	gametest.Must(t, notes.Put(t.Context(), "installations", rows[0].Key, seal.Seal(slices.Clone(nonce), nonce, text, of)))
}

// TestRekeyKeepsRenewedToken checks that a token renewed by another process while all are
// read stays.
func TestRekeyKeepsRenewedToken(t *testing.T) {
	w := newOpenWorld(t)
	w.install()
	w.stop()
	var renewed string
	plain, config := w.memory.Notes(slack.Platform), w.config
	config.OAuth.Key = base64.StdEncoding.EncodeToString([]byte(strings.Repeat("o", 32))) + ", " + tokenKey
	config.Log = slog.New(slog.DiscardHandler)
	config.Notes = storetest.BesideNotes{Notes: plain, Then: func(shelf, key string) {
		if shelf != "installations" {
			return
		}
		renewed = "renewed"
		if err := plain.Put(t.Context(), shelf, key, []byte(renewed)); err != nil {
			t.Error(err)
		}
	}}
	a, err := slack.New(config)
	gametest.Must(t, err)
	gametest.Must(t, a.CheckKeys(t.Context()))
	rows, err := plain.Scan(t.Context(), "installations", "", "", 10)
	if err != nil || len(rows) != 1 || renewed != "" && string(rows[0].Value) != renewed {
		t.Errorf("what was renewed is gone: %d installations, %v", len(rows), err)
	}
}

// TestSlacksChecksAreAnswered checks the answers to Slack's checks of our certificate and its notice
// that events are held back.
func TestSlacksChecksAreAnswered(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, overHTTP)
	for _, c := range []struct{ path, kind, body, logged string }{
		{"/slack/commands", "application/x-www-form-urlencoded", "ssl_check=1&token=legacy", ""},
		{"/slack/events", "application/json", `{"type":"app_rate_limited","team_id":"T0SLACK","minute_rate_limited":1518467820,"api_app_id":"A0APP"}`, "Slack withholds a workspace's events"},
	} {
		resp, err := w.s.Signed(w.front.URL+c.path, c.kind, []byte(c.body), time.Now(), slacktest.Secret)
		gametest.Must(t, err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK || !strings.Contains(w.log.String(), c.logged) || strings.Contains(w.log.String(), "not understood") {
			t.Errorf("%s: %s\n%s", c.body, resp.Status, w.log)
		}
	}
}

// TestInstallRequestsNoHistory checks that the installation requests the manifest's scopes,
// but none to read channels or to set bookmarks.
func TestInstallRequestsNoHistory(t *testing.T) {
	w := newOpenWorld(t)
	to := w.browse(w.front.URL + "/slack/install").Header.Get("Location")
	if strings.Contains(to, "channels%3Ahistory") || strings.Contains(to, "bookmarks") || !strings.Contains(to, "chat%3Awrite") {
		t.Errorf("it asks for %s", to)
	}
}

// TestSlackFetchesBoards checks that Slack fetches boards from a reachable host, that others
// can't fetch boards they haven't been shown, and that boards are uploaded otherwise.
func TestSlackFetchesBoards(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, overHTTP, func(c *slack.Config) { c.OAuth.URL = "https://play.example.org" })
	w.noCards()
	w.deal("")
	board := ""
	for _, b := range w.post("it's your turn").Blocks {
		if s, ok := b["image_url"].(string); ok {
			board = strings.TrimPrefix(s, "https://play.example.org")
		}
	}
	if resp := w.browse(w.front.URL + board); resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "image/png" {
		t.Errorf("the board: %s, %s", resp.Status, resp.Header.Get("Content-Type"))
	}
	text, sign, _ := strings.Cut(strings.TrimPrefix(board, "/slack/picture/"), ".")
	other := base64.RawURLEncoding.EncodeToString([]byte(`{"c":"slack:T0SLACK/C0TALK","t":1,"n":5}`))
	for name, forged := range map[string]string{"another channel's": other + "." + sign, "unsigned": text, "nothing": ""} {
		if resp := w.browse(w.front.URL + "/slack/picture/" + forged); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", name, resp.Status)
		}
	}
	if n := w.s.Calls("files.getUploadURLExternal"); n > 0 {
		t.Errorf("%d files were uploaded", n)
	}
	w.s.Fail("chat.postMessage", slacktest.Fault{Error: "invalid_blocks", Says: "downloading image failed [json-pointer:/blocks/1/image_url]"})
	w.slash(w.turn(), "/pass", "sure:yes")
	if m := w.post("passes"); !m.Shows() {
		t.Error("the board that Slack can't fetch isn't uploaded")
	}
	if h := w.adapter.Health(); h.Trouble != "" || !strings.Contains(h.Warning, "in 1 workspaces Slack can't fetch pictures") {
		t.Errorf("its health says %+v", h)
	}
}

// TestRefusedPictureAffectsOnePost checks that a refusal without a picture's name only
// affects that post, which is sent in characters, and not the next one or another
// workspace.
func TestRefusedPictureAffectsOnePost(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, overHTTP, func(c *slack.Config) { c.OAuth.URL = "https://play.example.org" })
	w.noCards()
	w.deal("rules:club")
	w.s.Fail("chat.postMessage", slacktest.Fault{Error: "invalid_blocks"})
	w.slash(w.turn(), "/pass", "sure:yes")
	if m := w.post("passes"); m.Shows() || len(rows.FindAllString(m.Said(), -1)) < 13 {
		t.Errorf("the post that was refused reads %s", m.Said())
	}
	w.slash(w.turn(), "/pass", "sure:yes")
	w.await("the next board by its address", func() bool {
		all := w.s.Messages(games)
		return strings.Contains(fmt.Sprint(all[len(all)-1].Blocks), "image_url")
	})
	if n := w.s.Calls("files.getUploadURLExternal"); n > 0 {
		t.Errorf("%d files were uploaded", n)
	}
	if h := w.adapter.Health(); h.Trouble+h.Warning != "" {
		t.Errorf("its health says %+v", h)
	}
	for _, team := range []string{"T0OTHER", slacktest.Team} {
		w.adapter.RefusePictures(team)
		if got := w.adapter.ShowsByAddress(slacktest.Team); got != (team != slacktest.Team) {
			t.Errorf("after a refusal in %s pictures are shown by address here: %v", team, got)
		}
	}
}

// TestUninstalledWorkspaceIsErased checks that a workspace's data is erased a month after it
// uninstalled the app, unless it installs the app again.
func TestUninstalledWorkspaceIsErased(t *testing.T) {
	for _, back := range []bool{false, true} {
		forgotten := make(chan string, 1)
		w := newOpenWorld(t)
		w.config.Forgetting = func(ctx context.Context, workspace string) error {
			forgotten <- workspace
			return slack.ForgetHome(ctx, w.db.Notes(slack.Platform), workspace)
		}
		w.restart(0)
		w.install()
		if _, err := w.s.Send("events_api", map[string]any{
			"type": "event_callback", "team_id": slacktest.Team, "event_id": "Ev1", "event_time": w.now().Unix(), "event": map[string]any{"type": "app_uninstalled"},
		}); err != nil {
			t.Fatal(err)
		}
		w.adapter.Wait()
		if back {
			w.install()
		}
		w.restart(29 * 24 * time.Hour)
		w.slash(ann, "/rackmate", "help") // as a member of a workspace that isn't there, or is again
		if len(forgotten) > 0 {
			t.Error("forgotten within a month")
		}
		w.restart(2 * 24 * time.Hour)
		if back {
			w.slash(ann, "/rackmate", "help")
			if len(forgotten) > 0 {
				t.Error("a workspace that is back is forgotten")
			}
			continue
		}
		if got := <-forgotten; got != slacktest.Team {
			t.Errorf("forgotten: %q", got)
		}
		w.stop()
	}
}
