package web_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// A frameOf is a platform whose client shows the board to one person, in one instance. Its
// code works once.
type frameOf struct {
	who bot.User

	mu      sync.Mutex
	entered bool
}

const (
	clientOrigin = "https://discord.com"
	frameOrigin  = "https://123.discordsays.com"
)

func (f *frameOf) Frame() bot.Frame {
	return bot.Frame{Application: "123", Origin: frameOrigin, Within: []string{clientOrigin}}
}

func (f *frameOf) Open(_ context.Context, instance string, _ bot.Header, ask func(string) error) (bot.PlayerID, error) {
	if instance == "i-1" {
		return "", nil
	}
	return "", cmp.Or(ask(""), bot.ErrNotPresent)
}

func (f *frameOf) Enter(_ context.Context, instance, code string, _ bot.Header) (bot.Presence, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.entered || instance != "i-1" || code != "a-code" {
		return bot.Presence{}, bot.ErrNotPresent
	}
	f.entered = true
	return bot.Presence{User: f.who, Channel: salon, Locale: "en-GB", Access: "an-access"}, nil
}

func (f *frameOf) Present(_ context.Context, instance string, who bot.PlayerID, _ bot.Header) (bot.Presence, error) {
	if instance != "i-1" || who != f.who.ID {
		return bot.Presence{}, bot.ErrNotPresent
	}
	return bot.Presence{User: bot.User{ID: who}, Channel: salon, Here: []bot.PlayerID{cora.ID, dora.ID, "discord:3"}}, nil
}

func (f *frameOf) Share(context.Context, string, bot.SharedPicture) (string, error) {
	return "0-1", nil
}

// clientPage is a page that shows the board in a frame and answers like the client: it
// becomes ready when greeted, and gives a code to the application that greeted it.
const clientPage = `<!doctype html><title>A client</title>
<iframe src="` + frameOrigin + `/?instance_id=i-1&frame_id=f-1&platform=desktop" style="position: fixed; inset: 0; width: 100%; height: 100%; border: 0"></iframe>
<script>
	const frame = document.querySelector("iframe").contentWindow;
	window.heard = [];
	let greeted = "";
	document.querySelector("iframe").onload = () => (window.loaded = true);
	window.tell = (evt, data) => frame.postMessage([1, { cmd: "DISPATCH", evt, data, nonce: null }], "` + frameOrigin + `");
	const there = { participants: [{ id: "1", username: "cora", nickname: "Captain Cora" }, { id: "2", username: "dora", global_name: "Dora" }, { id: "3", username: "eve", global_name: "Eve" }] };
	const known = { AUTHENTICATE: {}, SUBSCRIBE: {}, SET_ORIENTATION_LOCK_STATE: {}, USER_SETTINGS_GET_LOCALE: { locale: "en-GB" }, GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: there, SHARE_LINK: { success: true } };
	addEventListener("message", (e) => {
		if (e.source !== frame || e.origin !== "` + frameOrigin + `") return;
		const [kind, body] = e.data, answer = (body) => frame.postMessage([1, body], e.origin);
		heard.push(kind === 0 ? "handshake" : body.cmd + (body.evt ? " " + body.evt : ""));
		if (kind === 0 && body.v === 1 && body.encoding === "json" && body.frame_id === "f-1") {
			greeted = body.client_id;
			answer({ cmd: "DISPATCH", evt: "READY", data: { v: 1 }, nonce: null });
		} else if (body.cmd === "AUTHORIZE" && body.args.client_id === greeted && body.args.response_type === "code" && body.args.scope.join() === "identify") {
			answer({ cmd: "AUTHORIZE", evt: null, data: { code: "a-code" }, nonce: body.nonce });
		} else if (body.cmd === "AUTHENTICATE" && body.args.access_token !== "an-access") {
			answer({ cmd: body.cmd, evt: "ERROR", data: { code: 4009, message: "Invalid token." }, nonce: body.nonce });
		} else if (known[body.cmd]) {
			answer({ cmd: body.cmd, evt: null, data: known[body.cmd], nonce: body.nonce });
		} else answer({ cmd: body.cmd, evt: "ERROR", data: { code: 4000, message: "Not understood." }, nonce: body.nonce });
	});
</script>`

// inFrame starts a house whose frame shows a game of two to the player to move, and a
// browser that reaches it. One server serves the client's page, a foreign page, and the
// frame, whose requests it forwards like the platform's proxy.
func inFrame(t *testing.T) (h *house, browser context.Context) {
	t.Helper()
	h, browser, _ = inFrameOf(t, func(h *house) bot.User {
		h.says(cora, salon, "/new seats:2")
		h.says(dora, salon, "/join")
		s := h.stateIn(salon)
		seat := s.Seats[s.Turn]
		return bot.User{ID: seat.Person.ID, Name: seat.Person.Name}
	})
	return h, browser
}

// inFrameOf starts such a house with what prepare does in it, for the person whom it returns.
// asked returns the paths that the frame has requested.
func inFrameOf(t *testing.T, prepare func(*house) bot.User) (h *house, browser context.Context, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var paths []string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if "https://"+req.Host != frameOrigin {
			io.WriteString(w, clientPage)
			return
		}
		mu.Lock()
		paths = append(paths, req.URL.Path)
		mu.Unlock()
		req.Host, req.URL.Path = "localhost:8080", "/activity"+req.URL.Path
		h.ServeHTTP(w, req)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // the browser also tries without TLS
	browser = chromium(t, chromedp.Flag("ignore-certificate-errors", true),
		chromedp.Flag("host-resolver-rules", "MAP * "+server.Listener.Addr().String()))
	h = newHouse(t)
	h.room.SetActivity(&frameOf{who: prepare(h)})
	server.StartTLS()
	t.Cleanup(server.Close)
	t.Cleanup(func() { h.stop() })
	return h, browser, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(paths)
	}
}

// In an empty channel the frame has today's board and offers to play with those present. Two
// people get from there to the first tile by four presses and a drag: each opens the frame,
// one presses "Play together", the other "Join". At its opening the frame asks for the table
// once.
func TestActivityLobbyStartsGame(t *testing.T) {
	h, browser, asked := inFrameOf(t, func(*house) bot.User { return cora })
	client := newWindow(t, browser, "the client", clientOrigin, 1280, 720)
	client.wait(`window.heard.includes("GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS")`)
	frame := client.frame(frameOrigin)
	look := func(name string) {
		t.Helper()
		if dir := os.Getenv("RACKMATE_SHOTS"); dir != "" {
			png, err := chromedp.Run(client.ctx, chromedp.CaptureScreenshot())
			gametest.Must(t, err)
			gametest.Must(t, os.WriteFile(filepath.Join(dir, "lobby-"+name+".png"), png, 0o600))
		}
	}
	frame.wait(`document.querySelectorAll("#people li").length === 3`)
	frame.wait(`document.querySelectorAll("#today .rack button").length === 7`)
	frame.wait(`document.querySelector("#together").checkVisibility()`)
	if people := eval[string](frame, `document.getElementById("people").innerText`); strings.Contains(people, "watching") {
		t.Errorf("without a game there are %q", people)
	}
	frame.legible("the lobby")
	look("wide")
	client.do(chromedp.EmulateViewport(390, 700))
	frame.wait(`document.body.dataset.layout === "tall"`)
	frame.legible("the lobby on a phone")
	look("tall")
	client.do(chromedp.EmulateViewport(1280, 720))
	frame.wait(`document.body.dataset.layout === "wide"`)
	tables := func() (n int) {
		for _, path := range asked() {
			if path == "/table" {
				n++
			}
		}
		return n
	}
	if n := tables(); n != 1 {
		t.Errorf("the frame asked for the table %d times: %q", n, asked())
	}

	frame.tap(`document.querySelector("#together")`)
	frame.wait(`!document.querySelector("#game").hidden && document.querySelector("#today .board") === null`)
	if s := h.stateIn(salon); s.SeatCount != 3 || len(s.Seats) != 1 {
		t.Errorf("the table has %d of %d seats taken", len(s.Seats), s.SeatCount)
	}
	look("waiting")
	h.says(dora, salon, "/join")
	h.says(bot.User{ID: "discord:3", Name: "Eve"}, salon, "/join")
	frame.wait(`document.querySelectorAll("#game .rack button").length === 7`)
	client.quiet("")
}

// In the frame of another platform's client, the board greets the client, receives a code,
// signs in as the person whom the platform names, and accepts a play. A foreign page can't
// show it.
func TestActivityFrameSignsIn(t *testing.T) {
	h, browser := inFrame(t)
	s := h.stateIn(salon)
	seat := s.Seats[s.Turn]

	client := newWindow(t, browser, "the client", clientOrigin, 1280, 800)
	client.wait(`window.heard.includes("AUTHORIZE")`)
	frame := client.frame(frameOrigin)
	frame.wait(`document.querySelectorAll(".rack button").length === 7`)
	if rack := eval[[]string](frame, `[...document.querySelectorAll(".rack .face")].map((n) => n.firstChild.data || "?")`); h.sorted(seat.Rack) != sortedLetters(rack) {
		t.Errorf("the frame has the rack %q, %s has %s", rack, seat.Person.Name, h.sorted(seat.Rack))
	}

	g, err := movegen.New(h.lexicon, h.equipment, s.Rules)
	gametest.Must(t, err)
	do := h.move(g, s)
	for _, l := range do.laid {
		tile := `[aria-label^="` + l.letter + `,"]`
		if l.blank {
			tile = `[aria-label="Blank"]`
		}
		frame.tap(`document.querySelector('.rack button` + tile + `')`)
		frame.tap(fmt.Sprintf(`document.querySelector('[data-square="%d"]')`, l.square))
		if l.blank {
			frame.tap(fmt.Sprintf(`[...document.querySelectorAll(".letters button")].find((b) => b.innerText === %q)`, l.letter))
		}
	}
	if len(do.laid) > 0 {
		frame.canPlay(do.score)
		frame.tap(`document.querySelector(".controls .play")`)
		frame.shows(".caption", do.told)
		if after := h.stateIn(salon); after.Seats[s.Turn].Score != do.score {
			t.Errorf("%s has %d points, want %d", seat.Person.Name, after.Seats[s.Turn].Score, do.score)
		}
	}
	frame.text(200)
	frame.legible("in large text")
	client.quiet("")

	// A foreign site can't show it.
	other := newWindow(t, browser, "another site", "https://discord.com.example.org", 1280, 800)
	other.wait(`window.loaded`)
	if heard := eval[[]string](other, `window.heard`); len(heard) > 0 {
		t.Errorf("in a frame of another site the board says %q", heard)
	}
}

// Discord's client has three sizes of the frame. In all but the small window, every control
// is in view; the small one shows the board and the last word. It takes two presses from
// the notification to a tile laid by one drag. The opponent's tiles fly in, unless the
// player prefers reduced motion.
func TestActivityLayouts(t *testing.T) {
	h, browser := inFrame(t)
	client := newWindow(t, browser, "the client", clientOrigin, 1280, 720)
	client.wait(`window.heard.includes("GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS")`)
	frame := client.frame(frameOrigin)
	look := func(name string) {
		t.Helper()
		if dir := os.Getenv("RACKMATE_SHOTS"); dir != "" {
			png, err := chromedp.Run(client.ctx, chromedp.CaptureScreenshot())
			gametest.Must(t, err)
			gametest.Must(t, os.WriteFile(filepath.Join(dir, "activity-"+name+".png"), png, 0o600))
		}
	}
	inside := func(selectors ...string) {
		t.Helper()
		all, _ := json.Marshal(selectors)
		frame.faultless("out of the frame", fmt.Sprintf(`%s.filter((s) => ((r) => !r || r.width <= 0 || r.left < 0 || r.top < 0 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1)(document.querySelector(s)?.getBoundingClientRect()))`, all))
	}
	frame.wait(`document.querySelectorAll(".rack button").length === 7`)
	frame.wait(`document.querySelectorAll("#people li").length === 3`)
	if people := eval[string](frame, `document.getElementById("people").innerText.replace(/\s+/g, " ")`); !strings.Contains(people, "Captain Cora") || strings.Count(people, "watching") != 1 {
		t.Errorf("there are %q", people)
	}
	for _, event := range []string{"ACTIVITY_LAYOUT_MODE_UPDATE", "ORIENTATION_UPDATE", "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE"} {
		if !eval[bool](client, `window.heard.includes("SUBSCRIBE `+event+`")`) {
			t.Errorf("nothing hears %s", event)
		}
	}
	parts := []string{".players", ".field", ".rack", ".controls .play", "#people", "#share"}
	frame.wait(`document.body.dataset.layout === "wide"`)
	inside(append(parts, ".board")...)
	frame.legible("wide")
	look("wide")

	// One drag.
	tile, square := frame.middle(`.rack button`), frame.middle(`[data-square="112"]`) // the frame fills the window
	client.mouse(input.DispatchMouseEventTypeMousePressed, tile)
	client.mouse(input.DispatchMouseEventTypeMouseMoved, [2]float64{tile[0] + 9, tile[1] - 9})
	client.mouse(input.DispatchMouseEventTypeMouseMoved, square)
	client.mouse(input.DispatchMouseEventTypeMouseReleased, square)
	frame.wait(`document.querySelectorAll(".cell.laid").length === 1 || document.querySelector(".chooser:not([hidden])")`)
	frame.tap(`document.querySelector(".chooser:not([hidden]) .letters button") ?? document.body`)
	look("laid")

	client.do(chromedp.EmulateViewport(390, 700))
	frame.wait(`document.body.dataset.layout === "tall"`)
	inside(parts[:4]...)
	frame.legible("tall")
	look("tall")

	// Both play from the channel, and the tiles fly in.
	frame.tap(`document.querySelector('[data-as="Recall"]')`)
	frame.wait(`document.querySelectorAll(".cell.laid").length === 0`)
	moves := func(calm bool) int {
		t.Helper()
		media := map[bool]string{true: "reduce", false: "no-preference"}[calm]
		if _, err := chromedp.Call(frame.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: media}}}); err != nil {
			t.Fatal(err)
		}
		eval[chromedp.Void](frame, `(() => { window.flown = 0; const fly = Element.prototype.flies ??= Element.prototype.animate; Element.prototype.animate = function (...how) { window.flown++; return fly.apply(this, how); }; })()`)
		s := h.stateIn(salon)
		g, err := movegen.New(h.lexicon, h.equipment, s.Rules)
		gametest.Must(t, err)
		do := h.move(g, s)
		who := cora
		if s.Seats[s.Turn].Person.ID == dora.ID {
			who = dora
		}
		h.says(who, salon, do.line)
		frame.shows(".caption", do.told)
		if want := len(do.laid); !calm && want > 0 && eval[int](frame, `window.flown`) != want {
			t.Errorf("%d tiles flew, want %d", eval[int](frame, `window.flown`), want)
		}
		return eval[int](frame, `window.flown`)
	}
	moves(false)
	if n := moves(true); n != 0 {
		t.Errorf("%d tiles flew where people want no motion", n)
	}

	eval[chromedp.Void](client, `tell("ACTIVITY_LAYOUT_MODE_UPDATE", { layout_mode: 1 })`)
	client.do(chromedp.EmulateViewport(320, 180))
	frame.wait(`document.body.dataset.layout === "small" && innerHeight === 180`)
	inside(".board", "#last-word")
	last := h.stateIn(salon)
	if word := eval[string](frame, `document.getElementById("last-word").innerText`); word == "" || !strings.Contains(word, last.Seats[1-last.Turn].Person.Name) {
		t.Errorf("the last word: %q", word)
	}
	if others := eval[int](frame, `[...document.querySelectorAll(".rack, .controls, .players, #people, #share, .news")].filter((n) => n.getBoundingClientRect().height > 0).length`); others != 0 {
		t.Errorf("%d other things are shown in the small window", others)
	}
	if eval[bool](frame, `document.documentElement.scrollHeight > innerHeight + 1`) {
		t.Error("the small window scrolls")
	}
	look("small")
	eval[chromedp.Void](client, `tell("ACTIVITY_LAYOUT_MODE_UPDATE", { layout_mode: 0 })`)
	client.do(chromedp.EmulateViewport(1280, 720))
	frame.wait(`document.body.dataset.layout === "wide"`)
	inside(parts...)
	look("back")

	client.quiet("")
}

// mouse dispatches a mouse event.
func (w *window) mouse(kind input.DispatchMouseEventType, at [2]float64) {
	w.t.Helper()
	p := input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1, Buttons: 1}
	if _, err := chromedp.Call(w.ctx, input.DispatchMouseEvent, p); err != nil {
		w.t.Fatalf("%s: %v", w.name, err)
	}
}

// TestActivityIsLight counts all bytes sent to the frame until a tile can be laid: at most
// 80 kB, with all scripts announced at once.
func TestActivityIsLight(t *testing.T) {
	h := newHouse(t)
	t.Cleanup(func() { h.stop() })
	h.says(cora, salon, "/new seats:2")
	h.says(dora, salon, "/join")
	s := h.stateIn(salon)
	who := s.Seats[s.Turn].Person
	h.room.SetActivity(&frameOf{who: bot.User(who)})
	total, again := 0, 0 // again counts what a second opening loads
	count := func(what string, w *httptest.ResponseRecorder) {
		t.Helper()
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", what, w.Code, w.Body)
		}
		var sent bytes.Buffer
		w.Result().Header.Write(&sent)
		body := w.Body.Bytes()
		if w.Header().Get("Content-Encoding") == "" {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			z.Write(body)
			z.Close()
			body = packed.Bytes() // like Discord's proxy
		}
		total += sent.Len() + len(body)
		if !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			again += sent.Len() + len(body)
		}
		t.Logf("%7d %s", sent.Len()+len(body), what)
	}
	page := get(h, "/activity", "gzip")
	markup := get(h, "/activity", "").Body.String()
	count("/activity", page)
	named := regexp.MustCompile(`(?:href|src)="(/static/[^"]+\.(?:js|css))"`).FindAllStringSubmatch(markup, -1)
	if len(named) < 4 {
		t.Fatalf("the page names %d files", len(named))
	}
	for _, m := range named {
		count(m[1], get(h, "/activity"+m[1], "gzip"))
		for _, needed := range needs.FindAllStringSubmatch(get(h, "/activity"+m[1], "").Body.String(), -1) {
			if file := strings.TrimPrefix(needed[2], "./"); file != "" && !strings.Contains(markup, `/`+file+`"`) {
				t.Errorf("%s needs %s, which the page doesn't name", m[1], file)
			}
		}
	}
	// The largest catalogue.
	said, err := pages.Sentences()
	gametest.Must(t, err)
	largest := 0
	for _, language := range []string{"de", "es", "fr", "nl", "pl", "pt"} {
		b, err := fs.ReadFile(data.Sentences(), language+".json")
		var catalogue struct{ Sentences map[string]string }
		gametest.Must(t, errors.Join(err, json.Unmarshal(b, &catalogue)))
		own := map[string]string{}
		for _, s := range said {
			own[s] = catalogue.Sentences[s]
		}
		texts, _ := json.Marshal(own)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write(texts)
		z.Close()
		largest = max(largest, packed.Len())
	}
	t.Logf("%7d in a language other than English", largest)
	total += largest
	ask := func(path, bearer string, in any) *httptest.ResponseRecorder {
		b, _ := json.Marshal(in)
		req := httptest.NewRequest("POST", "http://localhost:8080/activity"+path, bytes.NewReader(b))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Origin", frameOrigin)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		if bearer != "" {
			req.Header.Set("Authorization", "Bearer "+bearer)
		}
		return newRecorder(h, req)
	}
	entered := ask("/enter", "", obj{"instance": "i-1", "code": "a-code"})
	var out struct{ Bearer string }
	gametest.Must(t, json.Unmarshal(entered.Body.Bytes(), &out))
	count("/enter", entered)
	table := ask("/table", out.Bearer, obj{})
	if !strings.Contains(table.Body.String(), `"rack":[`) {
		t.Errorf("the table has no rack: %s", table.Body)
	}
	count("/table", table)
	if total > 80_000 {
		t.Errorf("the Activity takes %d bytes, more than 80 kB", total)
	}
	if again > 6_000 {
		t.Errorf("a second opening takes %d bytes besides the catalogue, which browsers revalidate", again)
	}
	t.Logf("%7d in all, %d again", total, again)
}

// frame returns a frame of a window, by its origin.
func (w *window) frame(origin string) *window {
	w.t.Helper()
	for began := time.Now(); time.Since(began) < patience; <-time.After(20 * time.Millisecond) {
		all, err := chromedp.Targets(w.ctx)
		gametest.Must(w.t, err)
		for _, info := range all {
			if info.Type == "iframe" && strings.HasPrefix(info.URL, origin) {
				ctx, stop := chromedp.NewContext(w.ctx, chromedp.WithTargetID(info.TargetID))
				w.t.Cleanup(stop)
				return &window{t: w.t, ctx: ctx, name: w.name + "'s frame"}
			}
		}
	}
	w.t.Fatalf("%s: no frame of %s", w.name, origin)
	return nil
}

// sortedLetters joins letters in alphabetical order.
func sortedLetters(letters []string) string {
	return strings.Join(slices.Sorted(slices.Values(letters)), "")
}
