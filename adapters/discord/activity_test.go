package discord_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// withActivity enables the Activity, both here and in the portal.
func withActivity(w *world) {
	w.d.SwitchOnActivities()
	w.build(discord.Config{ClientSecret: discordtest.ClientSecret}, w.store)
}

// TestEntryPointIsRegistered checks that the existing entry point is registered along with the
// commands, with its settings unchanged, because Discord refuses a list without it, and
// that it calls us if the Activity is enabled.
func TestEntryPointIsRegistered(t *testing.T) {
	t.Parallel()
	entry := func(w *world) map[string]any {
		_, all := w.d.Registered()
		for _, c := range all {
			if c["type"] == 4.0 {
				return c
			}
		}
		return nil
	}
	for name, c := range map[string]struct {
		portal, here bool
		handler      any // of the entry point; nil if there is none
		permissions  any
	}{
		"on":                 {true, true, 1.0, "2048"},
		"on in the portal":   {true, false, 2.0, "2048"},
		"on here":            {false, true, 1.0, nil},
		"on neither":         {false, false, nil, nil},
		"on here, and there": {true, true, 1.0, "2048"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newDiscord(t)
			if c.portal {
				w.d.SwitchOnActivities()
			}
			secret := ""
			if c.here {
				secret = discordtest.ClientSecret
			}
			for n := range 2 {
				w.build(discord.Config{ClientSecret: secret}, w.store)
				w.start()
				w.d.Gateway.Connected(1, 1, n)
				w.ann.Gives(w.channel, "help").Answer()
				w.stop()
			}
			if times, _ := w.d.Registered(); times != 1 {
				t.Errorf("registered %d times", times)
			}
			if got := entry(w); got["handler"] != c.handler || got["default_member_permissions"] != c.permissions {
				t.Errorf("the entry point: %v", got)
			}
		})
	}
}

// TestRefusedEntryPointKeepsCommands checks that the other commands are registered even if the portal,
// with Activities disabled, refuses the entry point.
func TestRefusedEntryPointKeepsCommands(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{ClientSecret: discordtest.ClientSecret}, w.store)
	w.d.Fail(discordtest.Fault{Request: "PUT /applications", Times: 1, Status: 400, Code: 50035})
	w.start()
	w.d.Gateway.Connected(1, 1, 0)
	w.ann.Gives(w.channel, "help").Answer()
	if log := w.log.String(); !strings.Contains(log, "switch Activities on") {
		t.Errorf("the log:\n%s", log)
	}
}

// TestEntryPointOpensFrame checks that the entry point opens the frame, or explains that the Activity is
// disabled.
func TestEntryPointOpensFrame(t *testing.T) {
	w := newWorld(t, withActivity)
	if kind := w.ann.Launches(w.channel).Response(); kind != 12 {
		t.Errorf("answered by a response of type %d", kind)
	}
	w.stop()
	w.build(discord.Config{}, w.store)
	w.start()
	w.d.Gateway.Connected(1, 1, 1)
	if got := w.ann.Launches(w.channel).Answer(); !got.Private() || !got.Says("isn't turned on") {
		t.Errorf("where it is off: %q", got.Content)
	}
}

// TestRefusedLaunchIsExplained checks that a person is informed if Discord doesn't open the frame.
func TestRefusedLaunchIsExplained(t *testing.T) {
	w := newWorld(t, withActivity)
	w.d.Fail(discordtest.Fault{Request: "POST /interactions", Times: 1, Status: 400, Code: 50035})
	if got := w.ann.Launches(w.channel).Answer(); !got.Private() || !got.Says("can't open the board here") {
		t.Errorf("answered %q", got.Content)
	}
}

// room returns the web room of the world's host.
func (w *world) room() *web.Room {
	w.t.Helper()
	room, err := web.New(web.Config{
		Host: w.host, Tables: w.host.TablePages(), Pages: w.host.Pages(), Notes: w.store.Notes(web.Platform), Now: w.d.Now, Random: rand.Reader,
		Log: slog.New(slog.NewTextHandler(w.log, debugging)), URL: "https://play.example.org", Hosts: []string{"play.example.org"},
		Door: web.DoorInvite, // not Discord's
	})
	gametest.Must(w.t, err)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { room.Run(ctx) })
	w.t.Cleanup(func() { stop(); running.Wait() })
	return room
}

// A proxied is a frame in a user's client: its requests reach the web room as Discord's
// proxy sends them.
type proxied struct {
	t      *testing.T
	room   http.Handler
	origin string
	bearer string
	access string
	signed http.Header // the proxy's statement, if any
}

// frames returns a world with a web room, and a function that opens frames.
func frames(t *testing.T) (*world, func() *proxied) {
	w := newWorld(t, withActivity)
	room := w.room()
	w.d.Wait("the commands are registered", w.d.HasCommands)
	room.SetActivity(w.adapter)
	return w, func() *proxied {
		return &proxied{t: t, room: room, origin: "https://" + discordtest.ApplicationID + ".discordsays.com"}
	}
}

func (p *proxied) request(method, path string, in any) *http.Request {
	p.t.Helper()
	b, err := json.Marshal(in)
	gametest.Must(p.t, err)
	req := httptest.NewRequest(method, "https://play.example.org/activity"+path, bytes.NewReader(b))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Sec-Fetch-Site", "same-origin") // as the browser sees it
	if method != http.MethodGet {
		req.Header.Set("Origin", p.origin)
	}
	if p.bearer != "" {
		req.Header.Set("Authorization", "Bearer "+p.bearer)
	}
	maps.Copy(req.Header, p.signed)
	return req
}

func (p *proxied) do(method, path string, in any) *httptest.ResponseRecorder {
	p.t.Helper()
	w := httptest.NewRecorder()
	p.room.ServeHTTP(w, p.request(method, path, in))
	return w
}

// enters sends the room a code for an instance.
func (p *proxied) enters(instance, code string) *httptest.ResponseRecorder {
	p.t.Helper()
	w := p.do("POST", "/enter", map[string]string{"instance": instance, "code": code})
	var out struct{ Bearer string }
	gametest.Must(p.t, json.Unmarshal(w.Body.Bytes(), &out))
	p.bearer = out.Bearer
	return w
}

// sight returns the channel's table as the frame sees it.
func (p *proxied) sight() (s bot.Sight) {
	p.t.Helper()
	w := p.do("POST", "/table", struct{}{})
	var out struct{ Sight bot.Sight }
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != 200 {
		p.t.Fatalf("%d %s", w.Code, w.Body)
	}
	return out.Sight
}

func (p *proxied) gives(id, command string, args map[string]string) *httptest.ResponseRecorder {
	p.t.Helper()
	return p.do("POST", "/act", map[string]any{"id": "request-" + id, "command": command, "args": args})
}

// TestActivityUsersPlay lets two users of the Activity play there as themselves, and checks that the
// channel gets its usual posts.
func TestActivityUsersPlay(t *testing.T) {
	w, frame := frames(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	instance := w.d.OpenInstance(discordtest.ApplicationID, "gc", w.channel, w.ann, w.bob)

	page := frame().do("GET", "/?instance_id="+instance+"&frame_id=1", nil)
	if h := page.Result().Header; page.Code != 200 || h.Get("X-Frame-Options") != "" || !strings.Contains(page.Body.String(), discordtest.ApplicationID) ||
		!strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors https://"+discordtest.ApplicationID+".discordsays.com https://discord.com ") {
		t.Errorf("the page: %d %v", page.Code, h)
	}
	if file := frame().do("GET", "/static/activity.js", nil); file.Code != 200 || !strings.HasPrefix(file.Header().Get("Content-Type"), "text/javascript") {
		t.Errorf("the script: %d %v", file.Code, file.Header())
	}

	ann := frame()
	ann.signed = w.ann.Vouch().Headers(discordtest.ProxyKey())
	if got := ann.enters(instance, w.ann.Authorizes(discordtest.ApplicationID)); got.Code != 200 {
		t.Fatalf("Ann enters: %d %s", got.Code, got.Body)
	}
	if s := ann.sight(); s.Own == nil || strings.Join(s.Own.Rack, "") == "" || len(s.Own.Rack) != 7 {
		t.Fatalf("Ann sees %+v", s.Own)
	}
	var draft bot.Draft
	if got := ann.do("POST", "/draft", map[string]string{"word": "HORN", "at": "8H"}); json.Unmarshal(got.Body.Bytes(), &draft) != nil || draft.Score != 14 {
		t.Errorf("the draft: %d %s", got.Code, got.Body)
	}
	if got := ann.gives("1", "play", map[string]string{"word": "HORN", "at": "8H"}); got.Code != 200 || strings.Contains(got.Body.String(), `"refused":true`) {
		t.Fatalf("the play: %d %s", got.Code, got.Body)
	}
	if post := w.channel.Posts(1)[0]; !post.Says("Ann plays **HORN** at 8H for **14**.") {
		t.Errorf("posted %q", post.Content)
	}

	// Eve is in the channel but not at the table: she watches. Her frame opens before
	// Discord lists her.
	eve := frame()
	w.timers.set(func(time.Duration) <-chan time.Time {
		w.eve.JoinsInstance(instance)
		return time.After(0)
	})
	if got := eve.enters(instance, w.eve.Authorizes(discordtest.ApplicationID)); got.Code != 200 {
		t.Fatalf("Eve enters: %d %s", got.Code, got.Body)
	}
	if s := eve.sight(); s.Own != nil || s.Players[0].Score != 14 {
		t.Errorf("Eve sees %+v, %+v", s.Own, s.Players)
	}
	if got := eve.gives("2", "play", map[string]string{"word": "FARM", "at": "9G"}); !strings.Contains(got.Body.String(), `"refused":true`) {
		t.Errorf("Eve plays: %d %s", got.Code, got.Body)
	}
	for _, command := range []string{"data", "link", "settings", "unseat", "words"} {
		if got := ann.gives(command, command, nil); got.Code != 422 {
			t.Errorf("/%s is carried out: %d %s", command, got.Code, got.Body)
		}
	}

	if log := w.log.String(); strings.Contains(log, ann.bearer) || strings.Contains(log, "access-") || strings.Contains(log, "code-") || strings.Contains(log, discordtest.ClientSecret) || !strings.Contains(log, "web activity session") {
		t.Error("the log has a secret, or lacks the session")
	}
}

// TestActivityOpensTable checks that a user can open a table from the frame if no game is
// on, under their name in the server.
func TestActivityOpensTable(t *testing.T) {
	w, frame := frames(t)
	instance := w.d.OpenInstance(discordtest.ApplicationID, "gc", w.channel, w.ann, w.bob)
	ann, bob := frame(), frame()
	ann.enters(instance, w.ann.Authorizes(discordtest.ApplicationID))
	bob.enters(instance, w.bob.Authorizes(discordtest.ApplicationID))
	if s := ann.sight(); s.Table != 0 {
		t.Fatalf("there is a table: %+v", s)
	}
	if got := ann.gives("1", "new", map[string]string{"seats": "2"}); got.Code != 200 || strings.Contains(got.Body.String(), `"refused":true`) {
		t.Fatalf("/new: %d %s", got.Code, got.Body)
	}
	join := ""
	for _, b := range bob.sight().Buttons {
		if b.Label == "Join" {
			join = b.ID
		}
	}
	if got := bob.do("POST", "/press", map[string]string{"id": "request-join", "button": join}); got.Code != 200 || strings.Contains(got.Body.String(), `"refused":true`) {
		t.Fatalf("Join: %d %s", got.Code, got.Body)
	}
	if s := bob.sight(); s.Own == nil || s.Phase != "playing" || s.Players[s.Own.Seat].Name != "Captain Bob" {
		t.Errorf("Bob sees %q, %+v", s.Phase, s.Players)
	}
}

// TestActivityRejectsBadCredentials checks that forged, overheard and used credentials are rejected.
func TestActivityRejectsBadCredentials(t *testing.T) {
	w, frame := frames(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	other := w.guild.Channel("other")
	const foreign = "100000000000000002"
	instance := w.d.OpenInstance(discordtest.ApplicationID, "gc", w.channel, w.ann, w.bob)
	ours := func(u *discordtest.User) string { return u.Authorizes(discordtest.ApplicationID) }
	_, wrong, err := ed25519.GenerateKey(rand.Reader)
	gametest.Must(t, err)
	used := ours(w.ann)
	if got := frame().enters(instance, used); got.Code != 200 {
		t.Fatalf("Ann enters: %d %s", got.Code, got.Body)
	}
	ended := w.d.OpenInstance(discordtest.ApplicationID, "gc", w.channel, w.ann)
	w.ann.LeavesInstance(ended)
	word := func(change func(*discordtest.ProxyWord)) http.Header {
		v := w.ann.Vouch()
		change(&v)
		return v.Headers(discordtest.ProxyKey())
	}
	without := func(name string) http.Header {
		h := w.ann.Vouch().Headers(discordtest.ProxyKey())
		h.Del(name)
		return h
	}
	w.timers.set(func(time.Duration) <-chan time.Time { return time.After(0) })
	for what, c := range map[string]struct {
		instance, code string
		signed         http.Header
	}{
		"no code":                                {instance, "", nil},
		"a code that nobody was given":           {instance, "code-1", nil},
		"a code that was used":                   {instance, used, nil},
		"a code for another application":         {instance, w.ann.Authorizes(foreign), nil},
		"an instance that there isn't":           {"i-1-gc-1", ours(w.ann), nil},
		"an instance that has ended":             {ended, ours(w.ann), nil},
		"an instance of another application":     {w.d.OpenInstance(foreign, "gc", w.channel, w.ann), ours(w.ann), nil},
		"an instance where they aren't":          {w.d.OpenInstance(discordtest.ApplicationID, "gc", other, w.bob), ours(w.ann), nil},
		"a party":                                {w.d.OpenInstance(discordtest.ApplicationID, "party", other, w.ann), ours(w.ann), nil},
		"a path for an instance":                 {"../../users/@me", ours(w.ann), nil},
		"a long instance":                        {strings.Repeat("i", 500), ours(w.ann), nil},
		"the proxy's word, wrongly signed":       {instance, ours(w.ann), w.ann.Vouch().Headers(wrong)},
		"the proxy's word, for somebody else":    {instance, ours(w.ann), w.bob.Vouch().Headers(discordtest.ProxyKey())},
		"the proxy's word, for another":          {instance, ours(w.ann), word(func(v *discordtest.ProxyWord) { v.Application = foreign })},
		"the proxy's word, expired":              {instance, ours(w.ann), word(func(v *discordtest.ProxyWord) { v.Created -= 600; v.Expires -= 600 })},
		"the proxy's word, from the future":      {instance, ours(w.ann), word(func(v *discordtest.ProxyWord) { v.Created += 3600; v.Expires += 3600 })},
		"the proxy's word, without a signature":  {instance, ours(w.ann), without("X-Signature-Ed25519")},
		"the proxy's word, without its time":     {instance, ours(w.ann), without("X-Signature-Timestamp")},
		"the proxy's signature, without a word":  {instance, ours(w.ann), without("X-Discord-Proxy-Payload")},
		"a code of somebody's who isn't there":   {instance, ours(w.eve), nil},
		"a code of somebody's, with their names": {instance + "?user_id=" + w.ann.ID, ours(w.eve), nil},
	} {
		p := frame()
		p.signed = c.signed
		if got := p.enters(c.instance, c.code); got.Code != 401 || p.bearer != "" {
			t.Errorf("%s: %d %s", what, got.Code, got.Body)
		}
	}

	// Only the frame's own page gets in, even with a good code.
	stranger := frame()
	stranger.origin = "https://" + foreign + ".discordsays.com"
	if got := stranger.enters(instance, ours(w.ann)); got.Code != 403 {
		t.Errorf("another application's frame: %d %s", got.Code, got.Body)
	}

	// The page's claim about the user is ignored.
	eve := frame()
	if got := eve.do("POST", "/enter", map[string]any{"instance": instance, "code": ours(w.eve), "user_id": w.ann.ID, "user": map[string]string{"id": w.ann.ID}}); got.Code != 401 {
		t.Errorf("a forged user: %d %s", got.Code, got.Body)
	}
	for what, bearer := range map[string]string{"none": "", "made up": "eyJwIjoiZGlzY29yZDoxIn0.AAAA", "a cookie's": "x.y.z"} {
		eve.bearer = bearer
		for _, path := range []string{"/table", "/draft", "/act", "/press"} {
			if got := eve.do("POST", path, struct{}{}); got.Code != 401 {
				t.Errorf("a bearer, %s, at %s: %d %s", what, path, got.Code, got.Body)
			}
		}
		if got := eve.do("GET", "/live", nil); got.Code != 401 {
			t.Errorf("a bearer, %s, hears news: %d", what, got.Code)
		}
	}
}

// TestActivityTokenNeedsPresence checks that a bearer token works only while its user is present, and
// only in that channel.
func TestActivityTokenNeedsPresence(t *testing.T) {
	w, frame := frames(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	instance := w.d.OpenInstance(discordtest.ApplicationID, "gc", w.channel, w.ann, w.bob)
	ann, bob := frame(), frame()
	ann.enters(instance, w.ann.Authorizes(discordtest.ApplicationID))
	bob.enters(instance, w.bob.Authorizes(discordtest.ApplicationID))
	play := map[string]string{"word": "HORN", "at": "8H"}

	// The proxy's statement beside a bearer token is checked as well.
	ann.signed = w.bob.Vouch().Headers(discordtest.ProxyKey())
	if got := ann.gives("1", "play", play); got.Code != 401 {
		t.Errorf("with the proxy's word for Bob: %d %s", got.Code, got.Body)
	}
	ann.signed = w.ann.Vouch().Headers(discordtest.ProxyKey())
	w.d.Advance(10 * time.Minute)
	if got := ann.gives("2", "play", play); got.Code != 401 {
		t.Errorf("with the proxy's word of ten minutes ago: %d %s", got.Code, got.Body)
	}
	ann.signed = nil

	// A short outage of Discord ends no session.
	if s := ann.sight(); s.Own == nil {
		t.Error("Ann isn't seated")
	}
	w.d.Advance(30 * time.Second)
	w.d.Fail(discordtest.Fault{Request: "GET /applications/" + discordtest.ApplicationID + "/activity-instances", Times: 1, Status: 503})
	if s := ann.sight(); s.Own == nil {
		t.Error("Ann isn't seated while Discord can't say")
	}

	w.ann.LeavesInstance(instance)
	w.d.Advance(time.Minute)
	if got := ann.gives("3", "play", play); got.Code != 401 {
		t.Errorf("Ann has left, and plays: %d %s", got.Code, got.Body)
	}
	if s := bob.sight(); s.Own == nil || s.Players[0].Score != 0 {
		t.Errorf("Bob sees %+v", s)
	}
	w.bob.LeavesInstance(instance)
	w.d.Advance(time.Minute)
	if got := bob.do("POST", "/table", struct{}{}); got.Code != 401 {
		t.Errorf("the instance has ended, and Bob sees: %d %s", got.Code, got.Body)
	}
}

// TestActivityStreamsOrPolls checks that a frame gets news by a stream, or by polling if the proxy
// blocks streams.
func TestActivityStreamsOrPolls(t *testing.T) {
	w, frame := frames(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	instance := w.d.OpenInstance(discordtest.ApplicationID, "gc", w.channel, w.ann, w.bob)
	ann := frame()
	ann.enters(instance, w.ann.Authorizes(discordtest.ApplicationID))
	server := httptest.NewServer(ann.room)
	t.Cleanup(server.Close)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	req, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/activity/live", nil)
	gametest.Must(t, err)
	req.Header.Set("Authorization", "Bearer "+ann.bearer)
	resp, err := http.DefaultClient.Do(req)
	gametest.Must(t, err)
	defer resp.Body.Close()
	news := bufio.NewReader(resp.Body)
	hears := func() {
		t.Helper()
		for {
			line, err := news.ReadString('\n')
			gametest.Must(t, err)
			if strings.Contains(line, "HORN") || strings.Contains(line, "FARM") {
				t.Errorf("the stream says %q", line)
			}
			if line == "event: table\n" {
				return
			}
		}
	}
	hears()
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	hears()
}

// TestActivityNeedsOperator checks that the room serves no frame unless the operator has enabled it.
func TestActivityNeedsOperator(t *testing.T) {
	_, frame := frames(t)
	p := frame()
	p.room.(*web.Room).SetActivity(nil)
	for _, path := range []string{"", "/", "/live"} {
		if got := p.do("GET", path, nil); got.Code != 404 {
			t.Errorf("%s: %d", path, got.Code)
		}
	}
	p.origin = "https://play.example.org"
	if got := p.do("POST", "/enter", struct{}{}); got.Code == 200 {
		t.Errorf("/enter: %d", got.Code)
	}
	// Other pages still can't be framed.
	w := httptest.NewRecorder()
	p.room.ServeHTTP(w, httptest.NewRequest("GET", "https://play.example.org/draws", nil))
	if h := w.Result().Header; h.Get("X-Frame-Options") != "DENY" || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("a page: %v", h)
	}
	io.Copy(io.Discard, w.Body)
}

// TestInvalidInstancesDontBlockUsers checks that many attempts to enter nonexistent instances, from
// the address that all frames share, don't keep users out or cost requests with the
// application's secret.
func TestInvalidInstancesDontBlockUsers(t *testing.T) {
	w, open := frames(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	w.channel.Posts(1)
	w.settled()
	stranger := open()
	for n := range 1000 {
		got := stranger.do("POST", "/enter", map[string]string{"instance": fmt.Sprintf("i-%d-gc-%d", n, 1_000_000_000_000_000+n), "code": "junk"})
		if got.Code != http.StatusUnauthorized && got.Code != http.StatusTooManyRequests {
			t.Fatalf("a stranger gets %d", got.Code)
		}
	}
	if n := len(w.d.Requests("POST /oauth2/token")); n != 0 {
		t.Errorf("%d requests with the secret for instances that aren't there", n)
	}
	if n := len(w.d.Requests("GET /applications/" + discordtest.ApplicationID + "/activity-instances")); n > 60 {
		t.Errorf("%d instances were looked up", n)
	}
	for range 10 {
		in := w.d.OpenInstance(discordtest.ApplicationID, "gc", w.channel, w.ann)
		if got := open().enters(in, w.ann.Authorizes(discordtest.ApplicationID)); got.Code != http.StatusOK {
			t.Errorf("Ann gets %d %s", got.Code, got.Body)
		}
	}
	other := open()
	other.origin = "https://elsewhere.example.org"
	if got := other.do("POST", "/enter", map[string]string{"instance": "i-1", "code": "junk"}); got.Code == http.StatusOK || len(w.d.Requests("POST /oauth2/token")) != 10 {
		t.Errorf("a page of somebody else's gets %d", got.Code)
	}
}

// TestCrowdEntersInstance lets 99 people enter one instance at once, from the address that all
// frames share.
func TestCrowdEntersInstance(t *testing.T) {
	w, open := frames(t)
	crowd := make([]*discordtest.User, 99)
	for i := range crowd {
		crowd[i] = w.d.User(fmt.Sprint("Guest ", i))
	}
	instance := w.d.OpenInstance(discordtest.ApplicationID, "gc", w.channel, crowd...)
	began := time.Now()
	var entering sync.WaitGroup
	for _, u := range crowd {
		frame, code := open(), u.Authorizes(discordtest.ApplicationID)
		entering.Go(func() {
			if got := frame.enters(instance, code); got.Code != http.StatusOK {
				t.Errorf("%s gets %d %s", u.Name, got.Code, got.Body)
			}
		})
	}
	entering.Wait()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("99 people were in after %s", took)
	}
	if n := len(w.d.Requests("GET /applications/" + discordtest.ApplicationID + "/activity-instances")); n > 3 {
		t.Errorf("%d requests for one instance", n)
	}
}

// TestForgedCodesDontBlockUsers checks that failed entries of one sender, whom the proxy
// names, cost no other user their entry, and that they come to an end.
func TestForgedCodesDontBlockUsers(t *testing.T) {
	w, open := frames(t)
	people := []*discordtest.User{w.ann, w.bob, w.eve}
	instance := w.d.OpenInstance(discordtest.ApplicationID, "gc", w.channel, people...)
	forger := open()
	forger.signed = w.eve.Vouch().Headers(discordtest.ProxyKey())
	refused := 0
	for range 300 {
		if forger.enters(instance, "junk").Code == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("300 forged codes were all sent to Discord")
	}
	for _, u := range people[:2] {
		for _, signed := range []http.Header{nil, u.Vouch().Headers(discordtest.ProxyKey())} {
			p := open()
			p.signed = signed
			if got := p.enters(instance, u.Authorizes(discordtest.ApplicationID)); got.Code != http.StatusOK {
				t.Errorf("%s gets %d %s", u.Name, got.Code, got.Body)
			}
		}
	}
}
