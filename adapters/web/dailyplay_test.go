package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/bot/bottest"
)

// Somebody plays a day's game and a storm on a phone: the best play of each round goes on the
// board, and the right word brings other letters.
func TestDailyPageInTheBrowser(t *testing.T) {
	browser := chromium(t)
	h := newHouse(t)
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	t.Cleanup(func() { h.stop() })
	keeper := &reader{h: h}
	keeper.do(http.MethodPost, "/api/enter", obj{"name": "Ann"})
	set := "/settings for:channel daily:game zone:UTC"
	keeper.do(http.MethodPost, "/api/say", obj{"stream": "general", "id": "daily-is-a-game", "text": set})
	set = fmt.Sprintf("/settings for:channel daily:%d:00 zone:UTC", time.Now().UTC().Hour())
	keeper.do(http.MethodPost, "/api/say", obj{"stream": "general", "id": "daily-at-this-hour", "text": set})

	w := newWindow(t, browser, "Bob", server.URL+"/", 360, 740)
	eval[chromedp.Void](w, `void fetch("/api/enter", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: "Bob" }) }).then(() => { location.href = "/d"; })`)
	w.wait(`/^Daily game/.test(document.querySelector("#daily-title")?.textContent ?? "")`)
	w.wait(`/A whole game, \d+ rounds/.test(document.querySelector("#daily-state").textContent)`)
	for round := 2; round <= 4; round++ {
		w.tap(`document.querySelector('[aria-label="More"]')`)
		w.tap(`[...document.querySelectorAll("button")].find((b) => b.textContent === "Skip this round")`)
		w.wait(fmt.Sprintf(`document.querySelector("#daily-state").textContent.includes("Round %d of ")`, round))
	}
	w.wait(`document.querySelectorAll("#daily-tries li").length === 3`)
	w.legible("the game")

	w.tap(`document.querySelector("#storm-play")`)
	w.wait(`document.querySelectorAll(".storm-tile").length === 7`)
	w.legible("the storm")
	for n := 1; n <= 2; n++ {
		letters := eval[string](w, `[...document.querySelectorAll(".storm-tile")].map((t) => t.textContent).join("")`)
		eval[chromedp.Void](w, fmt.Sprintf(`(document.querySelector("#storm-word").value = %q, void document.querySelector("#storm-form").requestSubmit())`, strings.ToLower(bottest.OnlyWord(t, h.lexicon, letters))))
		w.wait(fmt.Sprintf(`document.querySelector("#storm-said").textContent.includes("%d right, %d in a row.")`, n, n))
	}
	w.tap(`document.querySelector("#storm-end")`)
	w.wait(`/Time's up: 2 words/.test(document.querySelector("#storm-said").textContent) && /Bob with 2 words/.test(document.querySelector("#storm-best").textContent)`)
	w.quiet("")
}
