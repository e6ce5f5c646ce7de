package web_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// A phone player plays a week of daily boards from Monday by laying tiles, shares results
// that reveal no word, and reads about each the morning after.
func TestDailyWeekOnAPhone(t *testing.T) {
	if !gametest.Long() {
		t.Skip("a week of boards takes long")
	}
	browser := chromium(t)
	h := newHouse(t)
	server := h.serves()
	today := time.Now().UTC()
	monday := time.Date(today.Year(), today.Month(), today.Day()+7-(int(today.Weekday())+6)%7, 9, 5, 0, 0, time.UTC)
	morning := func(day int) { h.ahead.Store(int64(time.Until(monday.AddDate(0, 0, day)))) }
	morning(0)
	ann := &reader{h: h}
	ann.do(http.MethodPost, "/api/enter", obj{"name": "Ann"})
	ann.do(http.MethodPost, "/api/say", obj{"stream": "general", "id": "daily-at-nine", "text": "/settings for:channel daily:9:00 zone:UTC"})

	w := newWindow(t, browser, "Bob", server.URL+"/", 390, 844)
	look := func(name string) {
		t.Helper()
		w.still()
		w.legible(name)
		if dir := os.Getenv("RACKMATE_SHOTS"); dir != "" {
			png, err := chromedp.Run(w.ctx, chromedp.FullScreenshot(100))
			gametest.Must(t, err)
			gametest.Must(t, os.WriteFile(filepath.Join(dir, "week-"+name+".png"), png, 0o600))
		}
	}
	eval[chromedp.Void](w, `void fetch("/api/enter", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: "Bob" }) }).then(() => { location.href = "/d"; })`)
	generator, err := movegen.New(h.lexicon, h.equipment, game.Classic())
	gametest.Must(t, err)
	rules := regexp.MustCompile(`^Rackmate \d+ \(en\) (\d+) %( · \d ↗)?\n[🟦🟨🟧⬜⬛]{1,6}\nhttps://play\.example\.org/d/\d+-en$`)
	for day, name := range []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"} {
		morning(day)
		if day > 0 {
			eval[chromedp.Void](w, `void (location.href = "/d")`)
		}
		page := ann.do(http.MethodGet, "/d", nil).Header().Get("Location")
		number := regexp.MustCompile(`\d+`).FindString(page)
		w.wait(fmt.Sprintf(`document.querySelector("#page-title")?.textContent === "Daily board %s" && document.querySelector("#daily-state").textContent.includes("six tries") && document.querySelectorAll(".rack button").length === 7`, number))
		if day == 0 || day == 6 {
			look(name + "-open")
		}
		position := h.position(ann.sight(page))
		best := h.move(generator, position)
		ann.gives(page, "daily", map[string]string{"word": strings.Fields(best.line)[1], "at": strings.Fields(best.line)[2]})
		tries := func(one turn, said string) {
			t.Helper()
			w.lays(one.laid)
			w.wait(fmt.Sprintf(`((play) => play.textContent === "Try %d" && !play.hasAttribute("aria-disabled"))(document.querySelector(".controls .play"))`, one.score))
			w.tap(`document.querySelector(".controls .play")`)
			w.wait(fmt.Sprintf(`document.querySelector("#daily-state").textContent.includes(%q)`, said))
		}
		found := day%3 != 1
		if day%2 == 1 { // leaving out one of the best play's tiles
			fewer := position
			rest, _ := position.Seats[0].Rack.Minus(game.TilesOf(position.Seats[0].Rack.At(0)))
			fewer.Seats = []game.Seat{{Rack: rest}}
			if one := h.move(generator, fewer); one.score < best.score {
				tries(one, "You have 5 tries left")
			} else {
				found = true
			}
		}
		if found || day%2 == 0 {
			tries(best, "You found the best play")
		}
		if day == 1 || day == 2 {
			look(name + "-tried")
		}
		eval[chromedp.Void](w, `(Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (t) => { window.shared = t; } } }), navigator.share = async (s) => { window.shared = s.text; }, void 0)`)
		w.tap(`[...document.querySelectorAll("#daily-tries button")].find((b) => b.textContent === "Share")`)
		w.wait(`window.shared`)
		if shared := eval[string](w, `window.shared`); !rules.MatchString(shared) || len([]rune(shared)) > 280 {
			t.Errorf("%s: what is shared is %q", name, shared)
		}
		if streak := eval[string](w, `document.querySelector("#daily-state").textContent`); day > 0 && !strings.Contains(streak, fmt.Sprintf("%d days in a row", day+1)) || day == 6 && !strings.Contains(streak, "1 rest day in hand") {
			t.Errorf("%s: %s", name, streak)
		}
	}
	look("Sunday-done")
	// The morning after: Sunday's results.
	morning(7)
	eval[chromedp.Void](w, `void (location.href = "/d")`)
	w.tap(`[...document.querySelectorAll("#daily-ways a")].find((a) => a.textContent === "Previous board")`)
	w.wait(`document.querySelectorAll("#daily-results > ol > li").length === 2 && document.querySelectorAll("#daily-plays li").length === 10`)
	if facts := eval[string](w, `document.querySelector("#daily-facts").textContent`); !strings.Contains(facts, "the best play was ") || !strings.Contains(facts, "Ann found it first") {
		t.Errorf("on the page of Sunday's board: %s", facts)
	}
	look("after")
	w.quiet("")
}
