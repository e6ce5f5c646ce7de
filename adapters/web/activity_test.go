package web_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/movegen"
)

// A frameOf is a platform whose client shows the board to one person, in one
// instance. Its code serves once.
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

func (f *frameOf) Open(_ context.Context, instance string, ask func(string) error) error {
	if instance == "i-1" {
		return nil
	}
	return cmp.Or(ask(""), bot.ErrNotPresent)
}

func (f *frameOf) Enter(_ context.Context, instance, code string, _ http.Header) (bot.Presence, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.entered || instance != "i-1" || code != "a-code" {
		return bot.Presence{}, bot.ErrNotPresent
	}
	f.entered = true
	return bot.Presence{User: f.who, Channel: salon}, nil
}

func (f *frameOf) Present(_ context.Context, instance string, who bot.PlayerID, _ http.Header) (bot.Presence, error) {
	if instance != "i-1" || who != f.who.ID {
		return bot.Presence{}, bot.ErrNotPresent
	}
	return bot.Presence{User: bot.User{ID: who}, Channel: salon}, nil
}

// clientPage is a page that shows the board in a frame and answers it as the client
// does: it is ready when it is greeted, and gives a code to the application that
// greeted it.
const clientPage = `<!doctype html><title>A client</title>
<iframe src="` + frameOrigin + `/?instance_id=i-1&frame_id=f-1&platform=desktop" width="1000" height="740"></iframe>
<script>
	const frame = document.querySelector("iframe").contentWindow;
	window.heard = [];
	let greeted = "";
	document.querySelector("iframe").onload = () => (window.loaded = true);
	addEventListener("message", (e) => {
		if (e.source !== frame || e.origin !== "` + frameOrigin + `") return;
		const [kind, body] = e.data, answer = (body) => frame.postMessage([1, body], e.origin);
		heard.push(kind === 0 ? "handshake" : body.cmd);
		if (kind === 0 && body.v === 1 && body.encoding === "json" && body.frame_id === "f-1") {
			greeted = body.client_id;
			answer({ cmd: "DISPATCH", evt: "READY", data: { v: 1 }, nonce: null });
		} else if (body.cmd === "AUTHORIZE" && body.args.client_id === greeted && body.args.response_type === "code" && body.args.scope.join() === "identify") {
			answer({ cmd: "AUTHORIZE", evt: null, data: { code: "a-code" }, nonce: body.nonce });
		} else answer({ cmd: body.cmd, evt: "ERROR", data: { code: 4000, message: "Not understood." }, nonce: body.nonce });
	});
</script>`

// The board in the frame of another platform's client: it greets the client, is
// given a code, becomes by that whom the platform names, and a play is laid in it.
// A page of anybody else can't show it.
func TestActivityInItsFrame(t *testing.T) {
	var h *house
	// Everything comes from one server: the client's page, somebody else's, and
	// the frame, whose requests the platform's proxy sends on.
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if "https://"+req.Host != frameOrigin {
			io.WriteString(w, clientPage)
			return
		}
		req.Host, req.URL.Path = "localhost:8080", "/activity"+req.URL.Path
		h.ServeHTTP(w, req)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // the browser tries it without TLS, too
	browser := chromium(t, chromedp.Flag("ignore-certificate-errors", true),
		chromedp.Flag("host-resolver-rules", "MAP * "+server.Listener.Addr().String()))
	h = newHouse(t)
	h.says(cora, salon, "/new seats:2")
	h.says(dora, salon, "/join")
	s := h.stateIn(salon)
	seat := s.Seats[s.Turn]
	h.room.Show(&frameOf{who: bot.User{ID: seat.Person.ID, Name: seat.Person.Name}})
	server.StartTLS()
	t.Cleanup(server.Close)
	t.Cleanup(func() { h.stop() })

	client := newWindow(t, browser, "the client", clientOrigin, 1280, 800)
	client.wait(`window.heard.includes("AUTHORIZE")`)
	frame := client.frame(frameOrigin)
	frame.wait(`document.querySelectorAll(".rack button").length === 7`)
	if rack := eval[[]string](frame, `[...document.querySelectorAll(".rack .face")].map((n) => n.firstChild.data || "?")`); h.sorted(seat.Rack) != sortedLetters(rack) {
		t.Errorf("the frame has the rack %q, %s has %s", rack, seat.Person.Name, h.sorted(seat.Rack))
	}

	g, err := movegen.New(h.lexicon, h.equipment, s.Rules)
	if err != nil {
		t.Fatal(err)
	}
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

	// Another site shows it to nobody.
	other := newWindow(t, browser, "another site", "https://discord.com.example.org", 1280, 800)
	other.wait(`window.loaded`)
	if heard := eval[[]string](other, `window.heard`); len(heard) > 0 {
		t.Errorf("in a frame of another site the board says %q", heard)
	}
}

// frame is a frame of a window that shows pages of another origin.
func (w *window) frame(origin string) *window {
	w.t.Helper()
	for began := time.Now(); time.Since(began) < patience; <-time.After(20 * time.Millisecond) {
		all, err := chromedp.Targets(w.ctx)
		if err != nil {
			w.t.Fatal(err)
		}
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

// sortedLetters joins letters in their order.
func sortedLetters(letters []string) string {
	return strings.Join(slices.Sorted(slices.Values(letters)), "")
}
