package web_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// A pushService stands in for a push service, with the keys of one browser. It checks
// requests by RFC 8030, 8291 and 8292, and decrypts them.
type pushService struct {
	*httptest.Server
	key  *ecdh.PrivateKey
	auth []byte
	sent chan pushed
}

// A pushed is a received notification, or the reason to reject it.
type pushed struct {
	text   string
	sender string // the room's public key, as the page gave it to the browser
	err    error
}

func newPushService(t *testing.T) *pushService {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	gametest.Must(t, err)
	p := &pushService{key: key, auth: make([]byte, 16), sent: make(chan pushed, 10)}
	rand.Read(p.auth)
	p.Server = httptest.NewTLSServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *pushService) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var got pushed
	if got.sender, got.err = p.sender(req); got.err == nil {
		got.text, got.err = p.read(req)
	}
	if p.sent <- got; got.err != nil {
		http.Error(w, got.err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

// sender returns the key that signed a request, by RFC 8292.
func (p *pushService) sender(req *http.Request) (key string, err error) {
	token, key, found := strings.Cut(strings.TrimPrefix(req.Header.Get("Authorization"), "vapid t="), ", k=")
	parts := strings.Split(token, ".")
	if !found || len(parts) != 3 {
		return "", fmt.Errorf("authorization is %q", req.Header.Get("Authorization"))
	}
	raw := func(s string) []byte {
		b, e := base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
		err = errors.Join(err, e)
		return b
	}
	point, signed := raw(key), raw(parts[2])
	var header struct{ Alg string }
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err = errors.Join(err, json.Unmarshal(raw(parts[0]), &header), json.Unmarshal(raw(parts[1]), &claims)); err != nil {
		return "", err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if len(signed) != 64 || !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(signed[:32]), new(big.Int).SetBytes(signed[32:])) {
		return "", errors.New("the signature isn't the key's")
	}
	if lives := time.Until(time.Unix(claims.Exp, 0)); header.Alg != "ES256" || claims.Aud != p.URL || lives <= 0 || lives > 24*time.Hour {
		return "", fmt.Errorf("the token is %s for %s and lives %s", header.Alg, claims.Aud, lives)
	}
	return key, nil
}

// read decrypts a notification like the browser, by RFC 8291.
func (p *pushService) read(req *http.Request) (string, error) {
	if ttl, err := strconv.Atoi(req.Header.Get("TTL")); err != nil || ttl < 0 || req.Method != http.MethodPost || req.Header.Get("Content-Encoding") != "aes128gcm" {
		return "", fmt.Errorf("%s with TTL %q, encoded by %q", req.Method, req.Header.Get("TTL"), req.Header.Get("Content-Encoding"))
	}
	body, err := io.ReadAll(req.Body)
	if err != nil || len(body) > 4096 || len(body) < 21+65 {
		return "", fmt.Errorf("%d bytes, %v", len(body), err)
	}
	salt, size, id := body[:16], binary.BigEndian.Uint32(body[16:]), body[21:21+int(body[20])]
	sealed := body[21+len(id):]
	theirs, err := ecdh.P256().NewPublicKey(id)
	if err != nil || int(size) < len(sealed) {
		return "", fmt.Errorf("records of %d for %d bytes, %v", size, len(sealed), err)
	}
	secret, err := p.key.ECDH(theirs)
	if err != nil {
		return "", err
	}
	info := "WebPush: info\x00" + string(p.key.PublicKey().Bytes()) + string(id)
	both, err1 := hkdf.Key(sha256.New, secret, p.auth, info, 32)
	key, err2 := hkdf.Key(sha256.New, both, salt, "Content-Encoding: aes128gcm\x00", 16)
	nonce, err3 := hkdf.Key(sha256.New, both, salt, "Content-Encoding: nonce\x00", 12)
	block, err4 := aes.NewCipher(key)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return "", err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return "", err
	}
	plain, err := gcm.Open(nil, nonce, sealed, nil)
	if err != nil {
		return "", err
	}
	said, padded := strings.CutSuffix(strings.TrimRight(string(plain), "\x00"), "\x02") // end of the last record
	if !padded {
		return "", errors.New("the record has no end")
	}
	return said, nil
}

// offersCalls reports whether the settings of the page have the switch for notifications.
func (w *window) offersCalls() bool {
	return eval[bool](w, `(() => {
		document.getElementById("me").click();
		const offered = !document.getElementById("push-row").hidden;
		document.getElementById("me-dialog").close();
		return offered;
	})()`)
}

// The page has no switch for notifications if the host sends none.
func TestNoSwitchWithoutNotifications(t *testing.T) {
	s := openWith(t, func(c *web.Config) { c.NoPush = true })
	s.clock.ticking()
	ann := newWindow(t, chromium(t), "Ann", serve(t, s).URL, 1280, 800)
	ann.enters()
	if ann.offersCalls() {
		t.Error("the page offers notifications")
	}
}

// A person whose page is closed is notified end to end: through the page's own switch, a
// service of --push-host, encryption for the browser, and the service worker. Everything
// that needs no network is real. The stand-in gives the page the browser's keys, and
// delivers the notification to the browser.
func TestClosedPageIsNotified(t *testing.T) {
	chrome := chromium(t)
	service := newPushService(t)
	s := openWith(t, func(c *web.Config) {
		c.PushClient, c.PushHosts = service.Client(), []string{strings.TrimPrefix(service.URL, "https://")}
	})
	s.clock.ticking()
	server := serve(t, s)
	ann := newWindow(t, chrome, "Ann", server.URL, 1280, 800)
	ann.enters()
	id := eval[string](ann, `fetch("/api/me").then((r) => r.json()).then((known) => known.me.id)`)
	if _, err := chromedp.CallBrowser(ann.ctx, browser.SetPermission, browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: "notifications"}, Setting: browser.PermissionSettingGranted, Origin: server.URL,
		BrowserContextID: chromedp.FromContext(ann.ctx).BrowserContextID,
	}); err != nil {
		t.Fatal(err)
	}
	if !ann.offersCalls() {
		t.Error("the page offers no notifications")
	}
	subscription, err := json.Marshal(pushesTo(service))
	gametest.Must(t, err)
	eval[chromedp.Void](ann, `void (PushManager.prototype.subscribe = async (how) => (window.asked = how, { toJSON: () => (`+string(subscription)+`) }))`)
	eval[chromedp.Void](ann, `document.getElementById("set-push").click()`)
	ann.wait(`document.getElementById("push-said").textContent.startsWith("You'll be notified here")`)
	asked := eval[string](ann, `asked.userVisibleOnly && asked.applicationServerKey`)

	registered := make(chan *serviceworker.Registration, 100)
	gametest.Must(t, chromedp.Listen(ann.ctx, func(ev any) {
		if ev, ok := ev.(*serviceworker.EventWorkerRegistrationUpdated); ok {
			for _, r := range ev.Registrations {
				registered <- r
			}
		}
	}))
	ann.do(chromedp.Navigate(server.URL + "/privacy")) // closes the room
	s.post(bot.Message{Key: "k", Channel: "web:general", Table: 1, Number: 1, Text: text.Glue(text.Mention(bot.User{ID: bot.PlayerID("web:" + id), Name: "Ann"}), ", it's your turn.")})
	var got pushed
	select {
	case got = <-service.sent:
	case <-time.After(patience):
		t.Fatal("Ann isn't called")
	}
	if got.err != nil || got.sender != asked {
		t.Fatalf("it comes from %s, where the browser was told %s: %v", got.sender, asked, got.err)
	}
	var call map[string]string
	if err := json.Unmarshal([]byte(got.text), &call); err != nil || !strings.HasSuffix(call["body"], "it's your turn.") || call["url"] != "/#general" {
		t.Fatalf("it says %s: %v", got.text, err)
	}
	if _, err := chromedp.Call(ann.ctx, serviceworker.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	var worker *serviceworker.Registration
	for worker == nil || worker.ScopeURL != server.URL+"/" {
		select {
		case worker = <-registered:
		case <-time.After(patience):
			t.Fatal("the browser has no worker of the room")
		}
	}
	// A worker that is still being installed doesn't receive pushes.
	ann.wait(`(navigator.serviceWorker.getRegistration("/").then((r) => (window.active = r?.active?.state === "activated")), window.active)`)
	if _, err := chromedp.Call(ann.ctx, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{
		Origin: server.URL, RegistrationID: worker.RegistrationID, Data: got.text,
	}); err != nil {
		t.Fatal(err)
	}
	ann.wait(`(navigator.serviceWorker.getRegistration("/").then((r) => r.getNotifications()).then((all) => (window.shown = all.map((n) => n.title + ": " + n.body))), window.shown?.length > 0)`)
	if shown := eval[string](ann, `shown.join()`); shown != "Rackmate: "+call["body"] {
		t.Errorf("the browser shows %q", shown)
	}
}

// pushesTo returns the subscription of the stand-in's browser.
func pushesTo(p *pushService) map[string]any {
	return map[string]any{"endpoint": p.URL + "/ann", "keys": map[string]string{
		"p256dh": base64.RawURLEncoding.EncodeToString(p.key.PublicKey().Bytes()), "auth": base64.RawURLEncoding.EncodeToString(p.auth),
	}}
}
