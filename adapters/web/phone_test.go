package web_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// touch dispatches a touch event to a window.
func (w *window) touch(kind input.DispatchTouchEventType, points ...[2]float64) {
	w.t.Helper()
	touches := []*input.TouchPoint{}
	for i, p := range points {
		touches = append(touches, &input.TouchPoint{X: p[0], Y: p[1], ID: new(float64(i))})
	}
	if _, err := chromedp.Call(w.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: touches}); err != nil {
		w.t.Fatalf("%s: touch: %v", w.name, err)
	}
}

// middle returns the middle of the element that a selector finds.
func (w *window) middle(selector string) [2]float64 {
	w.t.Helper()
	w.wait(`document.querySelector(` + quote(selector) + `)`)
	at := eval[[]float64](w, `((r) => [r.left + r.width / 2, r.top + r.height / 2])(document.querySelector(`+quote(selector)+`).getBoundingClientRect())`)
	return [2]float64{at[0], at[1]}
}

// onPhone gives a window the screen of a phone with touch.
func (w *window) onPhone(width, height int64) {
	w.t.Helper()
	w.do(chromedp.EmulateViewport(width, height, chromedp.EmulateMobile, chromedp.EmulateTouch))
}

// Players make whole turns on phones. Squares are large enough for a finger while a tile is
// laid, controls are never covered, and the layout doesn't jump.
func TestPhoneGame(t *testing.T) {
	browser := chromium(t)
	for _, size := range [][2]int64{{360, 640}, {390, 844}, {844, 390}, {390, 430}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			h := newHouse(t)
			server := h.serves()
			ann := newWindow(t, browser, "Ann", server.URL, size[0], size[1])
			ann.t = t
			ann.onPhone(size[0], size[1])
			ann.wait(`document.activeElement?.id === "entry-name"`)
			ann.types("Ann")
			ann.key("Enter")
			ann.wait(`document.querySelector(".welcome")`)
			eve := h.enters("Eve")
			h.says(dora, "web:general", "/new seats:2")
			ann.tap(`[...document.querySelectorAll("#messages .button")].findLast((b) => b.innerText === "Join")`)
			ann.wait(`document.querySelectorAll(".rack button").length === 7`)
			eval[chromedp.Void](ann, `(() => {
				window.shift = 0;
				new PerformanceObserver((list) => list.getEntries().forEach((e) => {
					if (e.hadRecentInput) return;
					window.shift += e.value;
					window.shifted = (window.shifted ?? "") + e.value.toFixed(4) + e.sources.map((s) => " " + (s.node?.className || s.node?.nodeName)).join() + "; ";
				})).observe({ type: "layout-shift" });
			})()`)
			uncovered := func(when string) {
				t.Helper()
				ann.faultless(when, `[...document.querySelectorAll(".rack button, .acts button, #chat-open, #side-open")].filter((n) => {
					const r = n.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2;
					return r.top < 0 || r.bottom > innerHeight + .5 || r.left < 0 || r.right > innerWidth + .5 || !n.contains(document.elementFromPoint(x, y));
				}).map((n) => (n.ariaLabel || n.innerText) + " is covered or out of view")`)
			}
			g, err := movegen.New(h.lexicon, h.equipment, h.state().Rules)
			gametest.Must(t, err)
			for turn := range 8 {
				s := h.state()
				if s.Phase != game.Playing {
					break
				}
				do := h.move(g, s)
				if s.Seats[s.Turn].Person.ID == dora.ID {
					if turn%3 == 0 {
						eve.do("POST", "/api/say", obj{"stream": "general", "id": newID(), "text": "what a long line of words this is, so that it takes more than one line of a phone"})
						ann.shows("#strip", "what a long line")
						uncovered("while Eve talks")
					}
					h.says(dora, "web:general", do.line)
					ann.shows("#board .caption", do.told)
					continue
				}
				if len(do.laid) == 0 {
					ann.converses()
					ann.sends(do.line)
					ann.plays()
					continue
				}
				for _, l := range do.laid {
					name := `[aria-label^="` + l.letter + `,"]`
					if l.blank {
						name = `[aria-label="Blank"]`
					}
					ann.click(".rack button" + name)
					ann.reaches(l.square)
					ann.click(fmt.Sprintf(`[data-square="%d"]`, l.square))
					if l.blank {
						ann.tap(fmt.Sprintf(`[...document.querySelectorAll(".letters button")].find((b) => b.innerText === %q)`, l.letter))
					}
					ann.wait(fmt.Sprintf(`((c) => c.classList.contains("laid") && c.getBoundingClientRect().width >= 36)(document.querySelector('[data-square="%d"]'))`, l.square))
					uncovered("while laying")
				}
				ann.canPlay(do.score)
				ann.click(".acts .play")
				ann.shows("#board .caption", do.told)
				uncovered("after a play")
			}
			if wide := eval[int64](ann, `innerWidth`); wide != size[0] {
				t.Errorf("the page is %d px wide, so that it can be moved beside the screen", wide)
			}
			if shift := eval[float64](ann, `window.shift`); shift >= 0.01 {
				t.Errorf("the layout shifted by %.4f: %s", shift, eval[string](ann, `window.shifted`))
			}
			ann.quiet("")
		})
	}
}

// reaches drags the board by a finger until a square is in view. The finger starts on a
// square without a laid tile, which it would drag instead.
func (w *window) reaches(square int) {
	w.t.Helper()
	for range 12 {
		w.still()
		way := eval[[]float64](w, fmt.Sprintf(`(() => {
			const f = document.querySelector(".field").getBoundingClientRect(), c = document.querySelector('[data-square="%d"]').getBoundingClientRect();
			const middles = [...document.querySelectorAll("[data-square]:not(.laid)")].map((n) => n.getBoundingClientRect()).map((r) => [r.left + r.width / 2, r.top + r.height / 2]);
			const off = ([x, y]) => Math.hypot(x - f.left - f.width / 2, y - f.top - f.height / 2);
			const by = (low, high, from, to) => ((low + high) / 2 < from + 6 ? Math.min(120, from + 20 - low) : (low + high) / 2 > to - 6 ? Math.max(-120, to - 20 - high) : 0);
			return [by(c.left, c.right, f.left, f.right), by(c.top, c.bottom, f.top, f.bottom), ...middles.reduce((a, b) => (off(a) < off(b) ? a : b))];
		})()`, square))
		if way[0] == 0 && way[1] == 0 {
			return
		}
		from := [2]float64{way[2], way[3]}
		w.touch(input.DispatchTouchEventTypeTouchStart, from)
		for _, part := range []float64{0.4, 0.8, 1} {
			w.touch(input.DispatchTouchEventTypeTouchMove, [2]float64{from[0] + way[0]*part, from[1] + way[1]*part})
		}
		w.touch(input.DispatchTouchEventTypeTouchEnd)
	}
}

// A dragged tile lands where its middle is shown, and its target is marked where the tile
// doesn't hide it.
func TestDraggedTileLandsWhereShown(t *testing.T) {
	browser := chromium(t)
	server := httptest.NewServer(open(t))
	t.Cleanup(server.Close)
	for _, size := range [][2]int64{{390, 844}, {1280, 800}} {
		w := newWindow(t, browser, "Ann", server.URL, size[0], size[1])
		w.onPhone(size[0], size[1])
		w.wait(`document.getElementById("entry-name")`)
		w.mounts(`lays: "play"`)
		w.touch(input.DispatchTouchEventTypeTouchStart, w.middle(".rack button"))
		to := w.middle(`[data-square="80"]`)
		for _, by := range []float64{120, 60, 44} {
			w.touch(input.DispatchTouchEventTypeTouchMove, [2]float64{to[0] + 3, to[1] + by})
		}
		w.wait(`document.querySelector(".ghost")`)
		seen := eval[string](w, `(() => {
			const ghost = document.querySelector(".ghost").getBoundingClientRect(), over = document.querySelector(".cell.over");
			const under = [...document.querySelectorAll(".cell")].find((c) => { const r = c.getBoundingClientRect(), x = ghost.left + ghost.width / 2, y = ghost.top + ghost.height / 2; return x >= r.left && x < r.right && y >= r.top && y < r.bottom; });
			const ring = over?.getBoundingClientRect(), width = parseFloat(getComputedStyle(over ?? document.body).outlineWidth) + parseFloat(getComputedStyle(over ?? document.body).outlineOffset);
			return over !== under ? "the square under the tile's middle is " + under?.dataset.square + ", the one that counts " + over?.dataset.square
				: ring.left - width < ghost.left || ring.right + width > ghost.right ? "" : "the mark is under the tile";
		})()`)
		if seen != "" {
			t.Errorf("%dx%d: %s", size[0], size[1], seen)
		}
		want := eval[string](w, `document.querySelector(".cell.over").dataset.square`)
		w.touch(input.DispatchTouchEventTypeTouchEnd)
		w.wait(`document.querySelector(".laid")?.dataset.square === ` + quote(want))
	}
}

// Two fingers zoom the board, one moves it, and a setting keeps it whole.
func TestPinchZoomsBoard(t *testing.T) {
	browser := chromium(t)
	server := httptest.NewServer(open(t))
	t.Cleanup(server.Close)
	w := newWindow(t, browser, "Ann", server.URL, 390, 844)
	w.onPhone(390, 844)
	w.wait(`document.getElementById("entry-name")`)
	w.mounts(`lays: "play"`)
	side := func() float64 {
		return eval[float64](w, `document.querySelector('[data-square="112"]').getBoundingClientRect().width`)
	}
	before, at := side(), w.middle(".board")
	fingers := func(apart float64) [][2]float64 {
		return [][2]float64{{at[0] - apart, at[1]}, {at[0] + apart, at[1]}}
	}
	w.touch(input.DispatchTouchEventTypeTouchStart, fingers(30)...)
	for _, apart := range []float64{40, 50, 60} {
		w.touch(input.DispatchTouchEventTypeTouchMove, fingers(apart)...)
	}
	w.touch(input.DispatchTouchEventTypeTouchEnd)
	w.wait(fmt.Sprintf(`document.querySelector('[data-square="112"]').getBoundingClientRect().width > %f * 1.7`, before))
	if len(eval[[]string](w, `[...document.querySelectorAll(".cursor, .laid")].map((n) => n.dataset.square)`)) > 0 {
		t.Error("two fingers tap a square")
	}
}

// Names and moves in the lists of moves are whole, however narrow a list is, and the review keeps
// its numbers.
func TestMoveListsShowNames(t *testing.T) {
	w := atDoor(t, 390, 844)
	for list, box := range map[string]string{"moves judged": "judged-box", "moves": "chat-moves"} {
		for _, width := range []int{256, 280, 312, 342, 366} {
			cut := eval[string](w, fmt.Sprintf(`import("/static/story.js").then(async ({ moveRow }) => {
				const { el } = await import("/static/dom.js"), box = el("div", { class: %q }), list = el("ol", { class: %q });
				box.style.cssText = "display: block; width: %dpx";
				for (const by of ["Casual (robot)", "Bartholomew Q"]) list.append(el("li", {}, moveRow({}, { number: 28, by, text: "11E QUIVERS", points: "+36" }, el("span", { class: "loss" }, "−15%%"))));
				box.append(list);
				document.body.className = "";
				document.body.replaceChildren(box);
				return [...box.querySelectorAll(".number, .by, .what")].filter((n) => !n.clientWidth || n.scrollWidth > n.clientWidth || n.scrollHeight > n.clientHeight).map((n) => n.textContent).join();
			})`, box, list, width))
			if cut != "" {
				t.Errorf("%s at %d pixels cuts %s", box, width, cut)
			}
		}
	}
}
