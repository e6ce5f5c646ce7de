package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// axe returns the source of axe-core, an accessibility checker installed by npm.
func axe(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if os.IsNotExist(err) && os.Getenv("RACKMATE_NODE") != "required" {
		t.Skip("axe-core isn't here: npm ci --ignore-scripts in adapters/web")
	}
	gametest.Must(t, err)
	return string(b)
}

// accessible fails the test if axe's rules find a fault in the page in light or dark
// colours. It leaves the page dark.
func (w *window) accessible(where, rules string) {
	w.t.Helper()
	eval[chromedp.Void](w, rules)
	for _, dark := range []bool{false, true} {
		w.dark(dark)
		w.still()
		w.faultless(where+map[bool]string{false: ", light", true: ", dark"}[dark], `axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })
			.then((r) => r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + " " + (n.any[0]?.message ?? "")).join(" | ")))`)
	}
}

// This test checks for barriers on all pages around one game, in a browser: violations of
// WCAG 2.2 A and AA that axe finds, text that is illegible at twice its size, elements that
// keys can't reach or that don't show their focus, layout shifts while loading, and words
// that vanish in forced colours.
func TestPagesAreAccessible(t *testing.T) {
	rules := axe(t)
	browser := chromium(t)
	h := newHouse(t)
	server := h.serves()
	bob := h.enters("Bob")
	ann := newWindow(t, browser, "Ann", server.URL+"/", 390, 844)
	look := func(name string) {
		t.Helper()
		ann.still()
		// Anything opened by a press may move.
		if shift := eval[float64](ann, `new Promise((done) => {
			let sum = 0;
			new PerformanceObserver((list) => list.getEntries().forEach((e) => (sum += e.hadRecentInput ? 0 : e.value))).observe({ type: "layout-shift", buffered: true });
			requestAnimationFrame(() => setTimeout(() => done(sum), 0));
		})`); shift > 0.01 && name != "the review" {
			t.Errorf("%s: the page moves by %.3f while it loads", name, shift)
		}
		ann.accessible(name, rules)
		ann.dark(false)
		if name != "the review" { // its sheet lies over the board's caption
			ann.text(200)
			ann.legible(name + " at 200 %")
			ann.text(100)
		}
		colours := func(forced string) {
			features := []*emulation.MediaFeature{{Name: "forced-colors", Value: forced}, {Name: "prefers-reduced-motion", Value: "reduce"}}
			if _, err := chromedp.Call(ann.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
				t.Fatal(err)
			}
		}
		colours("active")
		ann.faultless(name+" in the system's colours", `[...document.querySelectorAll("button, a[href], h1, h2, p, li, td")].filter((n) => n.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && [...n.childNodes].some((c) => c.nodeType === 3 && c.data.trim())).filter((n) => {
			let under = n;
			while (under && /^rgba.*, 0\)$/.test(getComputedStyle(under).backgroundColor)) under = under.parentElement;
			return under && getComputedStyle(under).backgroundColor === getComputedStyle(n).color;
		}).map((n) => n.textContent.slice(0, 40))`)
		colours("none")
		eval[chromedp.Void](ann, `(document.activeElement?.blur(), window.reached = [], addEventListener("focusin", (e) => reached.push(e.target), { once: false }))`)
		n := eval[int](ann, `(window.keyed = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")].filter((n) => !n.disabled && n.tabIndex >= 0 && n.checkVisibility({ visibilityProperty: true }) && !n.closest("[inert]"))).length`)
		for range n + 3 {
			ann.key("Tab")
			if plain := eval[string](ann, `((n) => !n || n === document.body || !n.matches(":focus-visible") ? "" : ((s) => (s.outlineStyle === "none" && s.boxShadow === "none" && getComputedStyle(n.parentElement).boxShadow === "none" && !n.closest(":focus-within") ? n.outerHTML.slice(0, 80) : ""))(getComputedStyle(n)))(document.activeElement)`); plain != "" {
				t.Errorf("%s: nothing shows that this has the focus: %s", name, plain)
			}
		}
		ann.faultless(name+" by keys alone", `keyed.filter((n) => n.isConnected && n.checkVisibility({ visibilityProperty: true }) && !reached.includes(n) && n.type !== "radio").map((n) => n.outerHTML.slice(0, 100))`)
		eval[chromedp.Void](ann, `scrollTo(0, 0)`)
	}
	ann.wait(`document.activeElement?.id === "entry-name"`)
	look("the door")
	ann.click("#entry-name")
	ann.types("Ann")
	ann.key("Enter")
	ann.shows("#home", "Play now")
	goes := func(path string) {
		t.Helper()
		ann.do(chromedp.Navigate("about:blank"))
		ann.do(chromedp.Navigate(server.URL + path))
	}
	goes("/")
	ann.shows("#home", "Play now")
	look("home")
	bob.says("/new seats:2")
	goes("/#general")
	ann.tap(`[...document.querySelectorAll("button")].findLast((b) => b.innerText === "Join" && b.checkVisibility())`)
	ann.wait(`document.querySelectorAll(".rack button").length === 7`)
	page := eval[string](ann, `location.pathname`)
	goes(page)
	ann.wait(`document.querySelectorAll(".rack button").length === 7`)
	look("the game")
	for range 2 {
		s := h.state()
		if s.Seats[s.Turn].Person.Name == "Bob" {
			bob.says("/pass sure:yes")
		} else {
			eval[chromedp.Void](ann, `import("/static/api.js").then((api) => api.call("say", { stream: "general", id: api.newID(), text: "/pass sure:yes" }))`)
		}
	}
	if w := bob.do("POST", "/api/press", obj{"stream": "general", "id": newID(), "button": bot.ButtonID(1, h.state().Number, "resign", nil)}); w.Code != 200 {
		t.Fatal(w.Body)
	}
	goes(page)
	ann.shows(".ending h2", "resigned")
	look("the end")
	ann.tap(`[...document.querySelectorAll(".ending button")].find((b) => b.innerText === "Review")`)
	ann.wait(`document.querySelector(".talk.reviewing #judged:not([hidden])")`)
	look("the review")
	for _, at := range []string{"/live", "/top", "/@Ann", "/analyse", "/d"} {
		for range 200 { // the game is counted a moment later
			if w := bob.do("GET", at, nil); w.Code == 200 {
				break
			}
		}
		goes(at)
		ann.wait(`document.readyState === "complete" && document.querySelector("main, #room, h1")`)
		look(at)
	}
	for _, m := range ann.complaints() {
		if strings.Contains(m, "Uncaught") {
			t.Error(fmt.Sprint("the console says ", m))
		}
	}
}
