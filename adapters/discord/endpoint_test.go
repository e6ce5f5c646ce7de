package discord_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// endpointWorld returns a world whose interactions come over HTTP.
func endpointWorld(t *testing.T) (w *world, url string, key ed25519.PrivateKey) {
	return endpointWith(t, discord.Config{})
}

// endpointWith returns such a world with additional configuration.
func endpointWith(t *testing.T, c discord.Config) (w *world, url string, key ed25519.PrivateKey) {
	public, key, err := ed25519.GenerateKey(nil)
	gametest.Must(t, err)
	w = newDiscord(t)
	c.PublicKey = hex.EncodeToString(public)
	w.build(c, w.store)
	server := httptest.NewServer(w.adapter)
	t.Cleanup(server.Close)
	w.start()
	w.d.SendTo(server.URL, key)
	w.d.Wait("the commands are registered", func() bool { return w.d.HasCommands() })
	return w, server.URL, key
}

func TestEndpointAnswers(t *testing.T) {
	w, _, _ := endpointWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	if offered := w.ann.Types(w.channel, "play", "at", "word", "horn", "at", ""); len(offered) == 0 {
		t.Error("no squares are offered")
	}
	i := w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h")
	if got := i.Answer(); !got.Says("Your rack: **S A ? E E E E**") || !got.Private() || len(got.Files) != 1 {
		t.Errorf("told %q", got.Content)
	}
	if got := i.Response(); got != 5 {
		t.Errorf("an answer with a picture begins with a response of type %d", got)
	}
	post := w.channel.Posts(1)[0]
	more := w.ann.Presses(post, "More").Answer()
	if got := w.ann.Presses(more, "Unseen tiles").Answer(); !got.Says("unseen") || !got.Private() {
		t.Errorf("told %q", got.Content)
	}
	preview := w.bob.Fills(w.bob.Presses(post, "Try"), "word", "farm", "at", "9g").Answer()
	if got := w.bob.Presses(preview, "Play it for 26").Answer(); !got.Says("Your rack") {
		t.Errorf("told %q", got.Content)
	}
	w.channel.Posts(2)
	w.awaitLog("over HTTP, Discord doesn't report people who leave")
	if got := w.d.Requests("GET /gateway"); len(got) > 0 {
		t.Errorf("the gateway was looked for: %v", got)
	}
}

// TestReplayedInteractionIsHandledOnce checks that an interaction that is sent twice is handled and
// answered once.
func TestReplayedInteractionIsHandledOnce(t *testing.T) {
	w, url, key := endpointWorld(t)
	w.timers.set(soon)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	body := []byte(`{"id":"77","application_id":"` + discordtest.ApplicationID + `","type":2,"token":"t","version":1,"channel_id":"` + w.channel.ID +
		`","guild_id":"` + w.guild.ID + `","context":0,"member":{"user":{"id":"` + w.ann.ID + `","username":"ann"}},"data":{"name":"play","type":1,"options":[{"name":"word","value":"horn"},{"name":"at","value":"8h"}]}}`)
	var answers []string
	for range 3 {
		resp, err := discordtest.Signed(url, key, w.d.Now(), body)
		gametest.Must(t, err)
		answer, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		answers = append(answers, string(answer))
	}
	w.channel.Posts(1)
	w.stop()
	if answers[0] != answers[1] || answers[0] != answers[2] || answers[0] == "" {
		t.Errorf("the answers are %q", answers)
	}
	if log := w.log.String(); strings.Count(log, "msg=command ") != 1 {
		t.Errorf("carried out more than once:\n%s", log)
	}
}

// TestSlowBodyIsCutOff checks that a body that trickles in holds its connection only for a
// while.
func TestSlowBodyIsCutOff(t *testing.T) {
	w, address, _ := endpointWorld(t)
	w.adapter.SetBodyTime(50 * time.Millisecond)
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	gametest.Must(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	if answer, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 408") {
		t.Errorf("%q, %v", answer, err)
	}
}

// TestEndpointVerifiesSignature checks that only interactions recently signed by Discord are
// handled.
func TestEndpointVerifiesSignature(t *testing.T) {
	t.Parallel()
	w, url, key := endpointWorld(t)
	_, other, err := ed25519.GenerateKey(nil)
	gametest.Must(t, err)
	ping := []byte(`{"id":"1","application_id":"2","type":1,"token":"t","version":1}`)
	now := w.d.Now()
	for name, c := range map[string]struct {
		key  ed25519.PrivateKey
		at   time.Time
		body []byte
		want int
	}{
		"ping":                 {key, now, ping, 200},
		"another's signature":  {other, now, ping, 401},
		"replayed":             {key, now.Add(-discord.MaxAge - time.Minute), ping, 401},
		"from the future":      {key, now.Add(discord.MaxAge + time.Minute), ping, 401},
		"not JSON":             {key, now, []byte("{"), 400},
		"isn't an interaction": {key, now, []byte(`{"type":2}`), 400},
		"a list":               {key, now, []byte(`[]`), 400},
		"too long":             {key, now, bytes.Repeat([]byte("x"), 2<<20), 413},
	} {
		resp, err := discordtest.Signed(url, c.key, c.at, c.body)
		gametest.Must(t, err)
		answer, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.want || c.want == 200 && strings.TrimSpace(string(answer)) != `{"type":1}` {
			t.Errorf("%s: %d %s, want %d", name, resp.StatusCode, answer, c.want)
		}
	}
	for name, change := range map[string]func(http.Header){
		"no signature": func(h http.Header) { h.Del("X-Signature-Ed25519") },
		"no hex":       func(h http.Header) { h.Set("X-Signature-Ed25519", "zz") },
		"no time":      func(h http.Header) { h.Del("X-Signature-Timestamp") },
		"no number":    func(h http.Header) { h.Set("X-Signature-Timestamp", "now") },
		"short":        func(h http.Header) { h.Set("X-Signature-Ed25519", "abcd") },
	} {
		req, err := http.NewRequest("POST", url, bytes.NewReader(ping))
		gametest.Must(t, err)
		req.Header.Set("X-Signature-Ed25519", strings.Repeat("ab", 64))
		req.Header.Set("X-Signature-Timestamp", "1700000000")
		change(req.Header)
		resp, err := http.DefaultClient.Do(req)
		gametest.Must(t, err)
		resp.Body.Close()
		if resp.StatusCode != 401 {
			t.Errorf("%s: %s", name, resp.Status)
		}
	}
	resp, err := http.Get(url)
	gametest.Must(t, err)
	resp.Body.Close()
	if resp.StatusCode != 405 {
		t.Errorf("GET: %s", resp.Status)
	}
}
