package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	neturl "net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/game/gametest"
)

// chromium starts a browser for a test, with additional options, and marks the test as
// parallel, since such tests mostly wait. It skips the test if there is no browser, unless
// RACKMATE_BROWSER=required.
func chromium(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	if !gametest.Long() && !namedTest() && t.Name() != "TestTwoPeopleUsePage" {
		t.Skip("one test of the page will do in a short run; the others run with -long, or when they are asked for with -run")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		const none = "no Chromium found: install it (Debian: apt install chromium) to test the page itself"
		if os.Getenv("RACKMATE_BROWSER") == "required" {
			t.Fatal(none)
		}
		t.Skip(none)
	}
	// It has its own folder, and removes that when its last process has ended.
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("lang", "en-GB"))
	t.Parallel()
	ctx, stop := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	t.Cleanup(stop)
	ctx, closeBrowser := chromedp.NewContext(ctx)
	t.Cleanup(closeBrowser)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return ctx
}

// namedTest reports whether -run selects tests.
func namedTest() bool { return flag.Lookup("test.run").Value.String() != "" }

// patience limits how long tests wait for an expected event, even on a busy machine.
// settling limits how long a page may take to finish drawing.
const (
	patience = 2 * time.Minute
	settling = 20 * time.Second
)

// A window is a separate browser context with its own cookies.
type window struct {
	t    *testing.T
	ctx  context.Context
	name string

	mu      sync.Mutex
	traffic strings.Builder // everything received over the network
	trouble []string        // errors in the page's console
	asking  sync.WaitGroup
}

// atDoor returns a window at the door of a new room.
func atDoor(t *testing.T, width, height int64) *window {
	t.Helper()
	browser := chromium(t)
	server := httptest.NewServer(open(t))
	t.Cleanup(server.Close)
	w := newWindow(t, browser, "Ann", server.URL, width, height)
	w.wait(`document.getElementById("entry-name")`)
	return w
}

func newWindow(t *testing.T, browser context.Context, name, url string, width, height int64) *window {
	t.Helper()
	ctx, stop := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(stop)
	w := &window{t: t, ctx: ctx, name: name}
	w.do(chromedp.EmulateViewport(width, height))
	w.dark(false)
	call := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{MaxTotalBufferSize: new(int64(200 << 20)), MaxResourceBufferSize: new(int64(20 << 20))})
	call(err)
	_, err = chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	call(err)
	call(chromedp.Listen(ctx, w.hear))
	console := chromedp.Console(ctx)
	go func() {
		for m, err := range console {
			if err != nil {
				return
			}
			w.note("", m.String())
		}
	}()
	if u, err := neturl.Parse(url); err == nil && u.Path == "" && u.Fragment == "" {
		url += "/#general" // most tests are about a channel; tests of the home page open "/"
	}
	w.do(chromedp.Navigate(url))
	return w
}

func (w *window) note(traffic, trouble string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.traffic.WriteString(traffic + "\n")
	if trouble != "" {
		w.trouble = append(w.trouble, trouble)
	}
}

// hear records the network traffic.
func (w *window) hear(ev any) {
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(ev.Request.URL, "data:") {
			w.note(ev.Request.URL, "")
		}
	case *network.EventEventSourceMessageReceived:
		w.note(ev.Data, "")
	case *network.EventLoadingFinished:
		w.asking.Go(func() {
			got, err := chromedp.Call(w.ctx, network.GetResponseBody, network.GetResponseBodyParams{RequestID: ev.RequestID})
			if err != nil {
				return // the page was left, or the stream ended
			}
			w.note(string(got.Body), "")
		})
	}
}

// heard returns everything received over the network so far.
func (w *window) heard() string {
	w.asking.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.traffic.String()
}

// complaints returns the errors in the page's console so far.
func (w *window) complaints() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.trouble)
}

// quiet fails the test if the console has errors that ok doesn't allow. Interventions by
// the browser because the machine is slow, and an autofocus that comes after a focus, don't count.
func (w *window) quiet(ok string) {
	w.t.Helper()
	allowed := regexp.MustCompile(ok)
	for _, m := range w.complaints() {
		if (ok == "" || !allowed.MatchString(m)) && !strings.Contains(m, "[Intervention]") && !strings.Contains(m, "Autofocus processing was blocked") {
			w.t.Errorf("%s: the console says %s", w.name, m)
		}
	}
}

func (w *window) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	if err := chromedp.Do(w.ctx, actions...); err != nil {
		w.t.Fatalf("%s: %v", w.name, err)
	}
}

// eval returns the value of an expression in the page.
func eval[T any](w *window, js string) T {
	w.t.Helper()
	v, err := chromedp.Run(w.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatalf("%s: %s: %v", w.name, js, err)
	}
	return v
}

// wait waits until an expression in the page is true. If the expression throws because an
// element is missing, or the page reloads, wait tries again.
func (w *window) wait(js string) {
	w.t.Helper()
	poll := chromedp.Poll[chromedp.Void](`(() => { try { return `+js+`; } catch { return false; } })()`,
		chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(patience))
	began := time.Now()
	_, err := chromedp.Run(w.ctx, poll)
	for err != nil && !errors.Is(err, chromedp.ErrPollingTimeout) && w.ctx.Err() == nil && time.Since(began) < patience {
		<-time.After(20 * time.Millisecond)
		_, err = chromedp.Run(w.ctx, poll)
	}
	if err != nil {
		page := eval[string](w, "document.body.innerText")
		w.t.Fatalf("%s: never %s: %v\nThe page ends with:\n%s\nIts console: %q", w.name, js, err, page[max(0, len(page)-1500):], w.complaints())
	}
}

// faultless fails the test unless an expression in the page comes to list no faults. A page
// may have some for a moment while it is drawn.
func (w *window) faultless(where, js string) {
	w.t.Helper()
	faults := eval[[]string](w, js)
	for began := time.Now(); len(faults) > 0 && time.Since(began) < settling; faults = eval[[]string](w, js) {
		<-time.After(50 * time.Millisecond)
	}
	if len(faults) > 0 {
		w.t.Errorf("%s, %s: %q", w.name, where, faults)
	}
}

// quote returns a string as a JavaScript literal.
func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// shows waits until an element shows a text.
func (w *window) shows(selector, text string) {
	w.t.Helper()
	w.wait(fmt.Sprintf(`document.querySelector(%s)?.innerText.includes(%s)`, quote(selector), quote(text)))
}

// tap clicks the element that an expression finds, once it exists, wherever it is on the
// screen.
func (w *window) tap(find string) {
	w.t.Helper()
	w.wait(`((node) => node && (node.click(), true))(` + find + `)`)
}

// still waits until no transition is running.
func (w *window) still() {
	w.t.Helper()
	w.wait(`document.getAnimations().every((a) => !(a instanceof CSSTransition) || a.playState !== "running")`)
}

// click clicks an element with the mouse once it stands still. If it is redrawn between the
// look and the click, click tries again.
func (w *window) click(selector string) {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	watch := fmt.Sprintf(`(() => {
		window.clicked = "nothing";
		addEventListener("click", (e) => (window.clicked = e.target.closest(%s) ? "it" : "beside it"), { capture: true, once: true });
	})()`, quote(selector))
	for {
		w.still()
		eval[chromedp.Void](w, watch)
		err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
		redrawn := errors.As(err, new(*cdproto.Error)) || errors.Is(err, chromedp.ErrInvalidDimensions)
		if err == nil && eval[bool](w, `new Promise((done) => window.clicked === "nothing" ? setTimeout(() => done(window.clicked === "it"), 100) : done(window.clicked !== "beside it"))`) {
			return
		}
		if err != nil && !redrawn || ctx.Err() != nil {
			w.t.Fatalf("%s: click %s: %v, and it hit %s", w.name, selector, err, eval[string](w, `String(window.clicked)`))
		}
	}
}

// types types text into the focused element.
func (w *window) types(text string) {
	w.t.Helper()
	w.do(chromedp.KeyEvent(text))
}

// key presses a key that types nothing, or Enter.
func (w *window) key(name string) {
	w.t.Helper()
	codes := map[string]int64{"Enter": 13, "Tab": 9, "Escape": 27, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
	down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: name, Code: name, WindowsVirtualKeyCode: codes[name]}
	if name == "Enter" {
		down.Text = "\r"
	}
	up := down
	up.Type, up.Text = input.DispatchKeyEventTypeKeyUp, ""
	for _, p := range []input.DispatchKeyEventParams{down, up} {
		if _, err := chromedp.Call(w.ctx, input.DispatchKeyEvent, p); err != nil {
			w.t.Fatalf("%s: %v", w.name, err)
		}
	}
}

// dark switches the window between dark and light, and turns motion off.
func (w *window) dark(is bool) {
	w.t.Helper()
	scheme := map[bool]string{true: "dark", false: "light"}[is]
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
	if _, err := chromedp.Call(w.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
		w.t.Fatalf("%s: %v", w.name, err)
	}
}

// enters gives a name and waits for the room.
func (w *window) enters() {
	w.t.Helper()
	w.wait(`document.activeElement?.id === "entry-name"`)
	w.types(w.name)
	w.key("Enter")
	w.ready()
}

// ready waits until the room is drawn and the message box has the focus, unless the game of
// others hides it.
func (w *window) ready() {
	w.t.Helper()
	w.wait(`document.querySelector(".welcome, .message") && (document.activeElement?.id === "box" || !document.getElementById("box").checkVisibility({ visibilityProperty: true }))`)
}

// converses switches to the message box, which a phone's board covers.
func (w *window) converses() {
	w.t.Helper()
	w.wait(`document.getElementById("box").checkVisibility({ visibilityProperty: true }) || (document.getElementById("chat-open").click(), false)`)
	w.click("#box")
}

// plays switches back to the board.
func (w *window) plays() {
	w.t.Helper()
	w.wait(`!document.querySelector(".chatting") || (document.getElementById("chat-close").click(), false)`)
}

// sends types a line and sends it, without accepting completions.
func (w *window) sends(line string) {
	w.t.Helper()
	w.wait(`!document.querySelector(".composer.busy")`) // otherwise the box would wait for an answer
	w.types(line)
	w.has(line)
	w.key("Escape")
	w.key("Enter")
}

// has waits until the box contains a text.
func (w *window) has(text string) {
	w.t.Helper()
	w.wait(`document.getElementById("box").value === ` + quote(text))
}

// clears empties the box without pressing a key.
func (w *window) clears() {
	w.t.Helper()
	eval[chromedp.Void](w, `document.getElementById("box").value = ""`)
}

// said lists the texts of the visible messages.
func (w *window) said() []string {
	return eval[[]string](w, `[...document.querySelectorAll(".message[data-number] .text")].map((n) => n.innerText)`)
}

// inView fails the test unless elements are entirely visible and uncovered.
func (w *window) inView(selectors ...string) {
	w.t.Helper()
	all, _ := json.Marshal(selectors)
	w.faultless("not in view", fmt.Sprintf(`%s.filter((selector) => {
		const node = document.querySelector(selector), r = node?.getBoundingClientRect();
		const seen = (x, y) => node.contains(document.elementFromPoint(x, y));
		return !(r?.width > 0 && r.top >= 0 && r.bottom <= innerHeight && seen(r.left + r.width / 2, r.top + 2) && seen(r.left + r.width / 2, r.bottom - 2));
	})`, all))
}

// reachable fails the test if a control is smaller than a finger, 44 px, unless it is part
// of a line of text or of the board. If a dialog is open, only the dialog is checked.
func (w *window) reachable(where string) {
	w.t.Helper()
	w.faultless(where+": smaller than a finger", `[...(document.querySelector("dialog[open]") ?? document.body).querySelectorAll("button, a[href], input, select, summary, [role=option], [role=button]")]
		.filter((n) => n.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !n.closest(".unseen, .skips, .board, p, [inert]"))
		.map((n) => [n, (n.closest("label") ?? n).getBoundingClientRect()])
		.filter(([, r]) => r.width > 0 && (r.width < 43.5 || r.height < 43.5))
		.map(([n, r]) => (n.id || n.className || n.tagName) + " (" + n.innerText.slice(0, 20) + ") " + Math.round(r.width) + "x" + Math.round(r.height))`)
}

// text sets the browser's text size in percent.
func (w *window) text(percent int) {
	w.t.Helper()
	eval[chromedp.Void](w, fmt.Sprintf(`document.documentElement.style.fontSize = "%d%%"`, percent))
}

// legible fails the test if texts overlap or reach beyond the window. If a dialog is open,
// only the dialog is checked.
func (w *window) legible(where string) {
	w.t.Helper()
	w.faultless(where, `(() => {
		const root = document.querySelector("dialog[open]") ?? document.body, texts = [], faults = [];
		for (const node of root.querySelectorAll("*")) {
			if (![...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || node.closest(".unseen, .skip, .board, .rack, .cover") || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
			const range = document.createRange();
			range.selectNodeContents(node);
			for (const line of range.getClientRects()) {
				const box = { left: line.left, right: line.right, top: line.top, bottom: line.bottom };
				for (let n = node; n !== document.documentElement; n = n.parentElement) {
					if (getComputedStyle(n).overflow === "visible") continue;
					const r = n.getBoundingClientRect();
					Object.assign(box, { left: Math.max(box.left, r.left), right: Math.min(box.right, r.right), top: Math.max(box.top, r.top), bottom: Math.min(box.bottom, r.bottom) });
				}
				if (box.right - box.left < 3 || box.bottom - box.top < 5) continue;
				const text = node.textContent.slice(0, 40);
				if (box.right > innerWidth + 1) faults.push(text + " reaches beyond the window");
				for (const other of texts) {
					if (other.node.contains(node) || node.contains(other.node)) continue;
					if (Math.min(box.right, other.right) - Math.max(box.left, other.left) > 3 && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 6) faults.push(other.text + " and " + text + " overlap");
				}
				texts.push({ node, text, ...box });
			}
		}
		return [...new Set(faults)];
	})()`)
}
