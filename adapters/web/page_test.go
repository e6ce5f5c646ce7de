package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// A breakable server can be made unavailable like a restarting one, except for static
// files.
type breakable struct {
	*httptest.Server
	away atomic.Bool
}

func breakableServer(t *testing.T, h http.Handler) *breakable {
	b := &breakable{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.away.Load() && strings.HasPrefix(r.URL.Path, "/api/") {
			panic(http.ErrAbortHandler)
		}
		h.ServeHTTP(w, r)
	}))
	b.Config.ErrorLog = nil
	t.Cleanup(b.Close)
	return b
}

// Two people enter, talk and give commands.
func TestTwoPeopleUsePage(t *testing.T) {
	browser := chromium(t)
	s := open(t)
	s.clock.ticking()
	server := serve(t, s)
	ann := newWindow(t, browser, "Ann Lee", server.URL, 1280, 800)
	ann.wait(`document.activeElement?.id === "entry-name"`)
	ann.types("<Ann>")
	ann.key("Enter")
	ann.shows("#entry-error", "not '<'")
	eval[chromedp.Void](ann, `document.getElementById("entry-name").value = ""`)
	ann.enters()
	ann.shows(".welcome", "Welcome to #general")
	ann.shows(".welcome", "Play a robot")

	bob := newWindow(t, browser, "Bob", server.URL, 1280, 800)
	bob.enters()
	ann.shows("#people", "Bob")
	ann.shows("#subtitle", "2 people are here")

	t.Run("talk", func(t *testing.T) {
		bob.sends(`hi <img src=x onerror="window.hacked=1"> @Ann Lee`)
		ann.shows("#messages", `hi <img src=x onerror="window.hacked=1"> @Ann Lee`)
		ann.wait(`document.querySelector(".message.mention .name.you").innerText === "@Ann Lee"`)
		ann.shows("#announce", "Bob: hi")
		if eval[bool](ann, `Boolean(window.hacked || document.querySelector(".message img"))`) {
			t.Error("a message became markup")
		}
		ann.sends("hello Bob")
		bob.shows("#messages", "hello Bob")
		bob.wait(`!document.querySelector(".pending")`)
	})

	t.Run("names", func(t *testing.T) {
		bob.types("@an")
		bob.shows("#menu-list", "Ann Lee")
		bob.key("Tab")
		bob.has("@Ann Lee ")
		bob.clears()
	})

	t.Run("unread", func(t *testing.T) {
		ann.click("#add-channel")
		ann.wait(`document.activeElement?.id === "channel-name"`)
		ann.types("late night")
		ann.key("Enter")
		ann.shows("#title", "#late-night")
		bob.shows("#channels", "late-night")
		bob.sends("@Ann Lee come back")
		ann.shows("#channels .badge", "1")
		ann.wait(`document.title.startsWith("(1) #late-night")`)
		ann.click(`#channels a[href="/#general"]`)
		ann.shows("#messages", "come back")
		ann.shows(".day.fresh", "New")
		ann.wait(`!document.querySelector(".badge")`)
	})

	t.Run("a private answer", func(t *testing.T) {
		s.host.set(func(req bot.Request) bot.Reply {
			if req.Args["order"] == "sort" {
				return bot.Reply{Text: plain("SORTED-RACK"), Buttons: []bot.Button{{ID: "1:1:1:rack:order=sort", Label: text.Say("Sort")}}}
			}
			return bot.Reply{
				Text: text.Text{{Text: "Your rack: "}, {Text: "SECRET-RACK", Strong: true}}, Picture: &bot.Picture{Alt: text.Say("Your rack in words"), PNG: somePNG(t, 70, 10)},
				Buttons: []bot.Button{{ID: "1:1:1:rack:order=sort", Label: text.Say("Sort")}}, Files: []bot.File{{Name: "game.gcg", Type: "text/plain", Data: []byte("x")}},
			}
		})
		ann.sends("/rack")
		ann.shows(".answer", "SECRET-RACK")
		ann.shows(".answer", "Only you can see this")
		ann.wait(`document.querySelector(".answer img").alt === "Your rack in words" && document.querySelector(".answer img").naturalWidth === 70`)
		ann.wait(`document.querySelector(".answer a[download='game.gcg']")`)
		ann.shows("#announce", "only to you: Your rack: SECRET-RACK")
		ann.has("")
		ann.click(".answer .buttons .button")
		ann.shows(".answer", "SORTED-RACK")
		ann.wait(`document.querySelectorAll(".answer").length === 1 && document.activeElement.innerText === "Sort"`)
		s.host.set(func(bot.Request) bot.Reply { return bot.Reply{Text: plain("ANOTHER-ANSWER")} })
		ann.sends("/unseen")
		ann.shows(".answer:last-child", "ANOTHER-ANSWER")
		ann.click(".answer:last-child .link")
		ann.wait(`document.querySelectorAll(".answer").length === 1`)
		ann.click(".answer .link")
		ann.wait(`!document.querySelector(".answer") && document.activeElement.id === "box"`)
		if got := bob.heard(); strings.Contains(got, "SECRET-RACK") || strings.Contains(got, "/rack\"") {
			t.Error("Bob's browser heard of Ann's command")
		}
	})

	t.Run("a refusal keeps what was typed", func(t *testing.T) {
		s.host.set(func(bot.Request) bot.Reply { return bot.Reply{Text: plain("HORN does not fit there."), Refused: true} })
		ann.sends("/play horn 8h")
		ann.shows(".answer.refused", "HORN does not fit there.")
		ann.has("/play horn 8h")
		s.host.set(nil)
		ann.key("Enter")
		ann.wait(`!document.querySelector(".refused") && document.getElementById("box").value === ""`)
		ann.sends("/dance")
		ann.shows(".answer.refused", "dance")
		ann.clears()
	})

	t.Run("completion", func(t *testing.T) {
		s.host.mu.Lock()
		s.host.choices = func(req bot.Request, option string) []bot.Choice {
			if req.Args["word"] != "horn" || option != "at" {
				return nil
			}
			return []bot.Choice{{Value: "8D", Label: text.Say("8D across · 74")}, {Value: "H8", Label: text.Say("H8 down · 12")}}
		}
		s.host.mu.Unlock()
		ann.types("/")
		ann.wait(`document.querySelectorAll("#menu-list li").length === 18`)
		ann.types("pl")
		ann.shows(`#menu-list [aria-selected="true"]`, "/play")
		ann.wait(`document.getElementById("box").getAttribute("aria-activedescendant") === document.querySelector("#menu-list [aria-selected='true']").id`)
		ann.key("Tab")
		ann.shows("#menu-head .now", "word")
		ann.types("horn ")
		ann.shows("#menu-head .now", "at")
		ann.shows("#menu-list", "8D")
		ann.shows("#menu-list", "across · 74")
		ann.key("ArrowDown")
		ann.key("ArrowDown")
		ann.key("Enter")
		ann.has("/play horn H8 ")
		ann.key("Enter")
		ann.has("")
		s.host.hears(t, "play", map[string]string{"word": "horn", "at": "H8"})
		ann.key("ArrowUp") // recalls the latest command
		ann.has("/play horn H8")
		ann.clears()
		ann.types("/re")
		ann.shows("#menu-list", "/resign")
		ann.key("Escape")
		ann.wait(`document.getElementById("menu").hidden`)
		ann.clears()
	})

	t.Run("the host's posts", func(t *testing.T) {
		annID := eval[string](ann, `fetch("/api/me").then((r) => r.json()).then((known) => known.me.id)`)
		user := (&visitor{site: s, ID: annID, Name: "Ann Lee"}).user()
		post := func(key string, to *bot.User, number int, said text.Text) {
			s.post(bot.Message{
				Key: key, Channel: "web:general", To: to, Table: 1, Number: number, Text: said,
				Picture: &bot.Picture{Alt: text.Plain("In words: " + key), PNG: somePNG(t, 96, 111)},
				Buttons: []bot.Button{{ID: fmt.Sprintf("1:1:%d:rack:", number), Label: text.Plain("Button of " + key)}},
			})
		}
		post("1-1", nil, 1, plain("First move."))
		post("1-2", nil, 2, text.Text{{Text: "Your turn, "}, {Text: "Ann Lee", Person: user.ID, Notify: true}})
		post("1-3", user, 2, plain("RACK-FOR-ANN"))
		ann.shows("#messages", "Your turn, Ann Lee")
		ann.wait(`document.querySelector(".message.mention img[alt='In words: 1-2']").naturalWidth === 96`)
		ann.shows("#messages", "Button of 1-2")
		ann.wait(`!document.getElementById("messages").innerText.includes("Button of 1-1")`) // the earlier post's button is out of date
		bob.shows("#messages", "Your turn, Ann Lee")
		s.host.set(func(req bot.Request) bot.Reply {
			if req.User.Name == "Bob" {
				return bot.Reply{Text: plain("You have no seat."), Refused: true}
			}
			return bot.Reply{
				Text: plain("RACK-OF-" + req.User.Name + "-" + req.Args["order"]), Picture: &bot.Picture{Alt: text.Say("The rack in words"), PNG: somePNG(t, 70, 10)}, Rack: true,
				Buttons: []bot.Button{{ID: "1:1:2:rack:order=shuffle", Label: text.Say("Shuffle")}},
			}
		})
		post("1-4", nil, 3, plain("Another move."))
		ann.shows("#messages", "Another move.")
		ann.wait(`document.getElementById("dock").hidden`) // she hasn't asked for a rack, which may be of a game elsewhere
		ann.sends("/rack")
		ann.shows("#dock", "RACK-OF-Ann Lee-")
		ann.shows("#dock", "Only you can see this")
		ann.wait(`document.querySelector("#dock img").alt === "The rack in words"`)
		ann.click("#dock .buttons .button")
		ann.shows("#dock", "RACK-OF-Ann Lee-shuffle")
		ann.wait(`document.activeElement.innerText === "Shuffle"`)
		ann.click("#dock > .icon-button")
		ann.wait(`document.getElementById("dock").hidden && document.activeElement.id === "box"`)
		ann.sends("/rack sort")
		ann.shows("#dock", "RACK-OF-Ann Lee-sort")
		ann.do(chromedp.Reload())
		ann.ready()
		bob.shows("#messages", "Another move.")
		if eval[bool](bob, `document.body.innerText.includes("RACK-") || !document.getElementById("dock").hidden`) {
			t.Error("Bob sees Ann's rack")
		}
		// A post with a count is edited in place. A button that needs an argument begins
		// the command.
		s.post(bot.Message{
			Key: "1-5", Channel: "web:general", Table: 1, Number: 5, Text: plain("0 of 2 have submitted."), Picture: &bot.Picture{Alt: text.Say("The turn"), PNG: somePNG(t, 96, 111)},
			Buttons: []bot.Button{{ID: "1:1:5:submit:", Label: text.Say("Submit")}},
		})
		ann.shows("#messages", "0 of 2 have submitted.")
		for _, w := range []*window{ann, bob} {
			w.wait(`document.querySelector("#messages img[alt='The turn']")?.naturalWidth === 96`) // the edit replaces the file
		}
		s.post(bot.Message{
			Key: "1-5", Edit: true, Channel: "web:general", Table: 1, Number: 5, Text: plain("1 of 2 has submitted."), Picture: &bot.Picture{Alt: text.Say("The turn"), PNG: somePNG(t, 96, 111)},
			Buttons: []bot.Button{{ID: "1:1:5:submit:", Label: text.Say("Submit")}},
		})
		ann.shows("#messages", "1 of 2 has submitted.")
		ann.wait(`!document.getElementById("messages").innerText.includes("0 of 2")`)
		ann.click("#messages .buttons .button")
		ann.wait(`document.activeElement.id === "box" && document.getElementById("box").value === "/submit "`)
		ann.clears()
		ann.key("Escape")
		ann.click("#messages .picture")
		ann.wait(`document.getElementById("viewer").open`)
		ann.key("Escape")
		ann.wait(`!document.getElementById("viewer").open`)
		// After a table is closed, none of its posts lets a person join.
		s.post(bot.Message{Key: "2-1", Channel: "web:general", Table: 2, Number: 1, Text: plain("A rematch?"), Buttons: []bot.Button{{ID: "1:2:1:join:", Label: text.Say("Join")}}})
		ann.wait(`[...document.querySelectorAll("#messages button")].some((b) => b.innerText === "Join")`)
		s.post(bot.Message{Key: "2-2", Channel: "web:general", Table: 2, Number: 2, Text: plain("The table is closed.")})
		ann.shows("#messages", "The table is closed.")
		ann.wait(`![...document.querySelectorAll("#messages button")].some((b) => b.innerText === "Join")`)
		ann.click(`#directs a`)
		ann.shows("#messages", "RACK-FOR-ANN")
		ann.click(`#channels a[href="/#general"]`)
	})

	t.Run("direct messages", func(t *testing.T) {
		bob.click("#people button")
		bob.shows("#title", "Ann Lee")
		bob.sends("psst")
		ann.shows("#directs .badge", "1")
		ann.click("#directs li:last-child a")
		ann.shows("#messages", "psst")
		ann.wait(`!document.querySelector("#directs .badge")`)
	})

	t.Run("a new name", func(t *testing.T) {
		// Earlier messages show the new name too.
		bob.click(`#channels a[href="/#general"]`)
		bob.shows("#messages", "Your turn, Ann Lee")
		eval[chromedp.Void](ann, `import("/static/api.js").then((api) => api.call("rename", { name: "Annabel" }))`)
		bob.shows("#messages", "Your turn, Annabel")
		bob.wait(`![...document.querySelectorAll("#messages .name, #messages .from")].some((n) => n.innerText.includes("Ann Lee"))`)
	})

	t.Run("leaving", func(t *testing.T) {
		bob.quiet("")
		bob.click("#me")
		bob.click("#leave")
		bob.shows("#me-error", "becomes free")
		bob.click("#leave")
		bob.wait(`document.activeElement?.id === "entry-name"`)
		ann.wait(`!document.getElementById("people").innerText.includes("Bob")`)
	})
	ann.quiet("status of 422")       // from the refused name
	bob.quiet("status of (401|404)") // from requests in flight when he left, and from a door without today's board
}

// Messages sent while the room is down arrive once and in their place.
func TestPageSurvivesRestarts(t *testing.T) {
	browser := chromium(t)
	s := open(t)
	s.clock.ticking()
	server := breakableServer(t, s)
	t.Cleanup(func() { s.current().Close() })
	ann := newWindow(t, browser, "Ann", server.URL, 1280, 800)
	ann.enters()
	bob := newWindow(t, browser, "Bob", server.URL, 1280, 800)
	bob.enters()
	carl := s.enter("Carl")
	var want []string
	for round := range 3 {
		line := func(who, what string) string {
			l := fmt.Sprintf("%d %s %s", round, who, what)
			want = append(want, l)
			return l
		}
		ann.sends(line("ann", "before"))
		bob.shows("#messages", want[len(want)-1])
		ann.wait(`!document.querySelector(".pending")`)
		server.away.Store(true)
		s.restart() // closes the live connections
		server.CloseClientConnections()
		ann.sends(line("ann", "meanwhile"))
		ann.sends(line("ann", "meanwhile too"))
		bob.types("a draft")
		ann.wait(`document.querySelectorAll(".pending").length === 2`)
		ann.shows("#offline", "Reconnecting")
		carl.say("general", line("carl", "meanwhile"))
		server.away.Store(false)
		for _, w := range []*window{ann, bob} {
			for _, l := range want {
				w.shows("#messages", l)
			}
			w.wait(`!document.querySelector(".pending") && document.getElementById("offline").hidden`)
		}
		bob.do(chromedp.Reload())
		bob.wait(`document.getElementById("box")?.value === "a draft"`)
		bob.ready()
		eval[chromedp.Void](bob, `{ const box = document.getElementById("box"); box.value = ""; box.dispatchEvent(new Event("input")); }`)
	}
	for _, w := range []*window{ann, bob} {
		w.shows("#messages", want[len(want)-1])
		got := w.said()
		numbers := eval[[]int](w, `[...document.querySelectorAll(".message[data-number]")].map((n) => +n.dataset.number)`)
		if !slices.IsSorted(numbers) || len(numbers) != len(want) {
			t.Errorf("%s sees the numbers %v", w.name, numbers)
		}
		slices.Sort(got)
		sorted := slices.Sorted(slices.Values(want))
		if !slices.Equal(got, sorted) {
			t.Errorf("%s sees\n%q, want\n%q", w.name, got, sorted)
		}
	}
}

// Reloading the page during a command sends it again with the same id.
func TestReloadRepeatsCommand(t *testing.T) {
	browser := chromium(t)
	s := open(t)
	s.clock.ticking()
	server := breakableServer(t, s)
	t.Cleanup(func() { s.current().Close() })
	ann := newWindow(t, browser, "Ann", server.URL, 1280, 800)
	ann.enters()
	asked := make(chan string, 10)
	s.host.set(func(req bot.Request) bot.Reply {
		if req.Command != "pass" {
			return bot.Reply{}
		}
		server.away.Store(true) // the answer gets lost
		asked <- req.ID
		panic(http.ErrAbortHandler)
	})
	ann.sends("/pass")
	first := <-asked
	s.host.set(func(req bot.Request) bot.Reply {
		if req.Command != "pass" {
			return bot.Reply{}
		}
		asked <- req.ID
		return bot.Reply{Text: plain("You passed.")}
	})
	ann.wait(`sessionStorage.getItem("outbox").includes("/pass")`)
	ann.do(chromedp.Reload())
	server.away.Store(false)
	ann.shows(".answer", "You passed.")
	if second := <-asked; second != first {
		t.Errorf("asked as %s and again as %s", first, second)
	}
	ann.wait(`sessionStorage.getItem("outbox") === "[]" && document.getElementById("box").value === ""`)
}

// Scrolling up loads older messages and keeps the view in place.
func TestScrollingLoadsHistory(t *testing.T) {
	browser := chromium(t)
	s := open(t)
	carl := s.enter("Carl")
	for i := range 130 {
		carl.say("general", fmt.Sprintf("message %d", i+1))
		s.clock.pass(10e9)
	}
	s.clock.ticking()
	server := serve(t, s)
	ann := newWindow(t, browser, "Ann", server.URL, 1280, 800)
	ann.enters()
	ann.shows("#messages", "message 130")
	ann.wait(`(() => { const s = document.getElementById("scroll"); return s.scrollHeight - s.scrollTop - s.clientHeight < 5; })()`)
	for _, first := range []int{31, 1} {
		eval[chromedp.Void](ann, `document.getElementById("scroll").scrollTop = 0`)
		ann.wait(fmt.Sprintf(`document.querySelector(".message[data-number='%d']")`, first))
		ann.wait(`document.getElementById("scroll").scrollTop >= 100`) // the view keeps its place
	}
	carl.say("general", "the newest")
	ann.wait(`document.querySelector(".message[data-number='131']")`)
	ann.wait(`!document.getElementById("latest").hidden`)
	ann.click("#latest")
	ann.wait(`(() => { const s = document.getElementById("scroll"); return s.scrollHeight - s.scrollTop - s.clientHeight < 5; })()`)
	numbers := eval[[]int](ann, `[...document.querySelectorAll(".message[data-number]")].map((n) => +n.dataset.number)`)
	if len(numbers) != 131 || !slices.IsSorted(numbers) {
		t.Errorf("the page has the messages %v", numbers)
	}
	ann.quiet("")
}

func TestPageOnPhone(t *testing.T) {
	browser := chromium(t)
	s := open(t)
	s.clock.ticking()
	server := serve(t, s)
	ann := newWindow(t, browser, "Ann", server.URL, 360, 740)
	fits := func(what string) {
		t.Helper()
		ann.faultless(what+" does not fit a phone", `(() => {
			const wide = [...document.querySelectorAll("body *")].filter((n) => {
				const r = n.getBoundingClientRect();
				return r.width > 0 && !n.closest(".side, pre, .unseen, .skip") && (r.right > innerWidth + 1 || r.left < -1);
			});
			return [...(document.documentElement.scrollWidth > innerWidth ? ["scrolls"] : []), ...wide.map((n) => n.tagName + "." + n.className)];
		})()`)
	}
	fits("the door")
	ann.reachable("the door")
	large := func(what string) {
		t.Helper()
		ann.text(200)
		fits(what + " in large text")
		ann.legible(what + " in large text")
		ann.text(100)
	}
	large("the door")
	ann.enters()
	fits("the empty room")
	large("the empty room")
	s.host.set(func(bot.Request) bot.Reply {
		return bot.Reply{Text: plain("Your rack: A E I N R S T"), Picture: &bot.Picture{Alt: text.Say("Rack"), PNG: somePNG(t, 700, 200)}, Rack: true,
			Buttons: []bot.Button{{ID: "1:1:2:rack:order=shuffle", Label: text.Say("Shuffle")}, {ID: "1:1:2:rack:order=sort", Label: text.Say("Sort")}}}
	})
	carl := s.enter(strings.Repeat("W", 30))
	carl.say("general", strings.Repeat("unbroken", 200))
	s.post(bot.Message{Key: "1-1", Channel: "web:general", Text: text.Text{{Text: strings.Repeat("column ", 40) + "\nsecond line", Code: true}, {Text: strings.Repeat("x", 300), Code: true}}})
	s.post(bot.Message{Key: "1-2", Channel: "web:general", Table: 1, Number: 2, Text: plain("Your turn"), Picture: &bot.Picture{Alt: text.Say("The board"), PNG: somePNG(t, 960, 1112)},
		Buttons: []bot.Button{{ID: "1:1:2:rack:", Label: text.Say("My rack")}, {ID: "1:1:2:challenge:", Label: text.Say("Challenge")}, {ID: "1:1:2:pass:", Label: text.Say("Accept it")}, {ID: "1:1:2:unseen:", Label: text.Say("Unseen tiles")}}})
	ann.sends("/rack")
	ann.shows("#dock", "Your rack")
	ann.wait(`document.querySelector("#messages img").naturalWidth === 960`)
	fits("a board")
	ann.wait(`(() => { const r = document.getElementById("box").getBoundingClientRect(); return r.bottom <= innerHeight; })()`)
	ann.wait(`document.querySelector("#messages img").getBoundingClientRect().width > 300`)
	ann.click("#messages .picture")
	ann.wait(`document.getElementById("viewer").open && document.getElementById("viewer-picture").getBoundingClientRect().width > 1.5 * innerWidth`)
	ann.key("Escape")
	ann.wait(`!document.getElementById("viewer").open`)
	ann.reachable("the room")
	ann.click("#box")
	ann.types("/")
	ann.shows("#menu-list", "/play")
	fits("the menu of commands")
	ann.wait(`document.getElementById("menu").getBoundingClientRect().top >= 0`)
	ann.tap(`[...document.querySelectorAll("#menu-list li")].find((n) => n.innerText.startsWith("/play"))`)
	ann.has("/play ")
	s.host.set(func(bot.Request) bot.Reply {
		return bot.Reply{Text: plain(strings.Repeat("refused ", 30)), Refused: true}
	})
	ann.types(strings.Repeat("x", 60))
	ann.key("Enter")
	ann.shows(".answer", "refused")
	fits("an answer")

	ann.click("#side-open")
	ann.wait(`document.activeElement.id === "side-close" && document.querySelector(".talk").inert`)
	ann.wait(`document.getElementById("side").getBoundingClientRect().left === 0`)
	ann.reachable("the side")
	ann.key("Escape")
	ann.wait(`document.activeElement.id === "side-open" && !document.querySelector(".talk").inert`)
	ann.wait(`getComputedStyle(document.getElementById("side")).visibility === "hidden"`)
	ann.click("#help")
	ann.wait(`document.getElementById("commands").open`)
	ann.shows("#commands", "/exchange")
	fits("the help")
	large("the help")
	ann.reachable("the help")
	ann.quiet("")
}

// A person alone is offered a game by one press. A form opens a table. The page asks back
// about likely mistakes.
func TestPageOffersGame(t *testing.T) {
	browser := chromium(t)
	s := open(t)
	s.clock.ticking()
	s.host.choices = func(_ bot.Request, option string) []bot.Choice {
		if option != "language" {
			return nil
		}
		return []bot.Choice{{Value: "en", Label: text.Say("English")}, {Value: "es", Label: text.Plain("Spanish (español)")}}
	}
	server := serve(t, s)
	ann := newWindow(t, browser, "Ann", server.URL, 1280, 800)
	ann.enters()
	press := func(label string) {
		t.Helper()
		ann.tap(fmt.Sprintf(`[...document.querySelectorAll("button")].find((b) => b.innerText === %q && b.checkVisibility())`, label))
	}
	press("Play a robot")
	s.host.hears(t, "new", map[string]string{"robots": "casual"})
	ann.wait(`location.hash.startsWith("#dm.")`)
	ann.wait(`document.querySelector("#directs [aria-current=page]")`) // the game is in a conversation, not in a channel
	ann.click(`#channels a[href="/#general"]`)

	press("New game")
	ann.wait(`document.getElementById("new-dialog").open`)
	ann.wait(`[...document.getElementById("new-language").options].some((o) => o.innerText === "Spanish (español)")`)
	chooses := func(id, value string) {
		t.Helper()
		eval[chromedp.Void](ann, fmt.Sprintf(`(() => { const box = document.getElementById(%q); box.value = %q; box.dispatchEvent(new Event("change")); })()`, id, value))
	}
	if said := eval[string](ann, `document.getElementById("new-form").innerText`); strings.Contains(strings.ToLower(said), "default") {
		t.Errorf("the card leaves something to a default: %s", said)
	}
	ann.tap(`document.querySelector('[name="who"][value="anybody"]')`)
	ann.tap(`document.querySelector('[name="time"][value="5m+3s"]')`)
	chooses("new-language", "es")
	press("Change")
	chooses("new-variant", "junior")
	ann.shows(".in-words", "Junior")
	ann.quiet("")
	ann.tap(`document.querySelector("#new-form [type=submit]")`)
	s.host.hears(t, "new", map[string]string{"variant": "junior", "language": "es", "clock": "5m+3s"})
	ann.wait(`!document.getElementById("new-dialog").open`)
	ann.tap(`document.getElementById("new-game")`) // the next card begins with what was chosen
	ann.wait(`document.getElementById("new-dialog").open && document.querySelector('[name="time"]:checked').value === "5m+3s" && document.getElementById("new-variant").value === "junior"`)
	ann.key("Escape")

	ann.click("#box")
	ann.sends("/paly horn 8h")
	ann.shows(".answer.refused", "Did you mean /play?")
	press("/play")
	s.host.hears(t, "play", map[string]string{"word": "horn", "at": "8h"})
	ann.has("")

	// Colours are a setting of the browser, and survive a reload.
	ann.click("#me")
	eval[chromedp.Void](ann, `(() => { const box = document.getElementById("set-theme"); box.value = "cb"; box.dispatchEvent(new Event("change")); })()`)
	ann.wait(`document.documentElement.dataset.theme === "cb"`)
	ann.do(chromedp.Reload())
	ann.ready()
	ann.wait(`document.documentElement.dataset.theme === "cb"`)
	ann.quiet("")
}

// For screen readers, every control has a name.
func TestPageForScreenReaders(t *testing.T) {
	browser := chromium(t)
	s := open(t)
	s.clock.ticking()
	server := serve(t, s)
	ann := newWindow(t, browser, "Ann", server.URL, 1280, 800)
	faults := func(want []string) (faults []string) {
		t.Helper()
		tree, err := chromedp.Call(ann.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		gametest.Must(t, err)
		var seen []string
		for _, n := range tree.Nodes {
			if n.Ignored || n.Role == nil {
				continue
			}
			role, name := strings.Trim(string(n.Role.Value), `"`), ""
			if n.Name != nil {
				name = strings.Trim(string(n.Name.Value), `"`)
			}
			seen = append(seen, role+" "+name)
			switch role {
			case "button", "link", "textbox", "combobox", "listbox", "option", "image", "dialog", "region", "navigation", "form":
				if strings.TrimSpace(name) == "" {
					faults = append(faults, "a "+role+" has no name")
				}
			}
		}
		for _, w := range want {
			if !slices.Contains(seen, w) {
				faults = append(faults, fmt.Sprintf("nothing is a %q among %q", w, seen))
			}
		}
		return faults
	}
	check := func(where string, want ...string) {
		t.Helper()
		found := faults(want)
		for began := time.Now(); len(found) > 0 && time.Since(began) < settling; found = faults(want) {
			<-time.After(50 * time.Millisecond) // the browser reports drawn elements with a delay
		}
		for _, fault := range found {
			t.Errorf("%s: %s", where, fault)
		}
	}
	ann.wait(`document.activeElement?.id === "entry-name"`)
	check("the door", "heading Rackmate", "textbox What shall we call you?", "button Come in")
	ann.enters()
	carl := s.enter("Carl")
	carl.say("general", "hello")
	s.post(bot.Message{Key: "1-1", Channel: "web:general", Text: plain("A move"), Picture: &bot.Picture{Alt: text.Say("The board in words"), PNG: somePNG(t, 96, 111)}, Buttons: []bot.Button{{ID: "1:1:2:rack:", Label: text.Say("My rack")}}})
	ann.shows("#messages", "A move")
	ann.types("/pl")
	ann.shows("#menu-list", "/play")
	check("the room", "navigation Conversations", "main ", "heading #general", "region Messages", "combobox Message", "button Send", "image The board in words", "button My rack", "listbox Suggestions", "button New channel", "link general")
	if got := eval[string](ann, `getComputedStyle(document.getElementById("announce")).display`); got == "none" {
		t.Error("the live region is hidden from screen readers")
	}
	ann.shows("#announce", "Carl: hello")
	if eval[bool](ann, `document.getElementById("announce").innerText.includes("The board in words")`) {
		t.Error("a new picture is read out whole")
	}
	// Tab reaches the message box after a few stops, however many people are present.
	for i := range 12 {
		s.enter(fmt.Sprint("Guest ", i)).listen(server)
		carl.say("general", fmt.Sprint("line ", i))
	}
	ann.shows("#messages", "line 11")
	eval[chromedp.Void](ann, `(() => { document.getElementById("box").value = ""; document.body.tabIndex = -1; document.body.focus(); })()`)
	stops := 0
	for ; stops < 30 && !eval[bool](ann, `document.activeElement.id === "box"`); stops++ {
		ann.key("Tab")
	}
	if stops > 20 {
		t.Errorf("the box comes after %d presses of Tab", stops)
	}
	ann.wait(`((node) => { node.focus(); return document.activeElement === node; })(document.querySelector("#messages .more[tabindex='0']"))`)
	ann.key("ArrowUp")
	ann.wait(`document.activeElement === [...document.querySelectorAll("#messages .more")].at(-2) && document.querySelectorAll("#messages .more[tabindex='0']").length === 1`)
	ann.click("#help")
	check("the help", "dialog Commands", "button Close")
}

// Pictures suit the reader's colour scheme, and follow its changes.
func TestPicturesMatchColourScheme(t *testing.T) {
	browser := chromium(t)
	s := open(t)
	s.clock.ticking()
	server := serve(t, s)
	ann := newWindow(t, browser, "Ann", server.URL, 1280, 800)
	ann.dark(true)
	ann.enters()
	light, dark := somePNG(t, 70, 10), somePNG(t, 71, 10)
	s.host.set(func(req bot.Request) bot.Reply {
		r := bot.Reply{Text: plain("A picture"), Picture: &bot.Picture{Alt: text.Say("In words"), PNG: light}, Rack: req.Command == "rack", Buttons: []bot.Button{{ID: "1:1:2:board:", Label: text.Say("Board")}}}
		if req.Dark {
			r.Picture.PNG = dark
		}
		return r
	})
	s.post(bot.Message{Key: "1-2", Channel: "web:general", Table: 1, Number: 2, Text: plain("A move"), Picture: &bot.Picture{Alt: text.Say("The board"), PNG: somePNG(t, 96, 111)}, Buttons: []bot.Button{{ID: "1:1:2:unseen:", Label: text.Say("Unseen")}}})
	posted := func(dark bool) {
		t.Helper()
		ann.wait(fmt.Sprintf(`(() => { const i = document.querySelector("#messages img[alt='The board']"); return i?.naturalWidth === 96 && i.currentSrc.endsWith("?dark") === %v; })()`, dark))
	}
	width := func(where string, want int) {
		t.Helper()
		ann.wait(fmt.Sprintf(`document.querySelector(%q)?.naturalWidth === %d`, where, want))
	}
	posted(true)
	ann.sends("/rack")
	width("#dock img", 71)
	ann.sends("/board")
	width(".answer img", 71)
	ann.click("#messages .picture")
	ann.wait(`document.getElementById("viewer").open && document.getElementById("viewer-picture").src.endsWith("?dark")`)
	ann.key("Escape")
	ann.wait(`!document.getElementById("viewer").open`)

	ann.dark(false)
	posted(false)
	width("#dock img", 70)
	ann.click(".answer .buttons .button")
	width(".answer img", 70)
	ann.quiet("")
}

// mounts shows only a board, for a player to move with the rack AB and the properties in
// own. window.acts records their actions, score() sets the score of their draft, and
// news(own) delivers news of the table.
func (w *window) mounts(own string) {
	w.t.Helper()
	eval[bool](w, `import("/static/board.js").then(({ mount }) => {
		const box = document.createElement("div");
		box.className = "board-box";
		document.body.className = "page";
		document.body.replaceChildren(box);
		window.acts = [];
		const own = { seat: 0, rack: ["A", "B"], turn: true, pass: true, exchange: 0, `+own+` };
		const view = {
			table: 1, number: 1, phase: "playing", size: 15, squares: ".".repeat(225), tiles: [{ text: "A", value: 1 }, { text: "B", value: 3 }, { text: "?", value: 0 }],
			board: Array(225).fill(""), players: [{ name: "Ann", score: 0, toMove: true }], seats: 1, supply: "", turns: [], buttons: [{ id: "1:1:1:unseen:", label: "Unseen tiles" }], own,
		};
		const board = mount(box, { act: async (r) => (acts.push(r.command), {}), draft: () => new Promise((done) => (window.score = () => done({ score: 8, words: [{ text: "AB", score: 8 }] }))), press: (id) => acts.push(id), say() {}, sound() {}, settings: () => ({}) });
		board.show(view);
		window.news = (more) => board.show({ ...view, own: { ...own, ...more } });
		return true;
	})`)
}

// After a submission in duplicate, the tiles stay on the board but aren't a draft any more.
func TestSubmittedTilesArentDraft(t *testing.T) {
	w := atDoor(t, 1280, 800)
	w.mounts(`lays: "submit"`)
	w.click(`[data-square="112"]`)
	w.types("ab")
	w.wait(`document.querySelector(".controls .play:not([aria-disabled])")?.innerText === "Submit"`)
	w.click(".controls .play")
	w.wait(`acts.join() === "submit" && !document.querySelector(".laid")`)
	eval[chromedp.Void](w, `news({ submitted: { word: "AB", at: "8H", squares: [112, 113], letters: ["A", "B"] } })`)
	w.wait(`[...document.querySelectorAll(".submitted .face")].map((n) => n.firstChild.data).join("") === "AB"`)
	w.shows(".tally", "Your play is on the board")
}

// A press counts even if an answer of the host arrives between finger down and up.
func TestPressWhileBoardChanges(t *testing.T) {
	w := atDoor(t, 1280, 800)
	w.mounts(`lays: "play"`)
	w.click(`[data-square="112"]`)
	w.types("ab")
	w.wait(`!document.querySelector(".controls .play").hasAttribute("aria-disabled")`)
	for _, c := range []struct{ button, meanwhile, does string }{
		{".controls .play", "score()", "play"},
		{".extras button:last-child", "news()", "resign"},
	} {
		if strings.HasPrefix(c.button, ".extras") {
			w.click(`.acts [aria-label="More"]`)
		}
		at := eval[[]float64](w, `(() => { const r = document.querySelector("`+c.button+`").getBoundingClientRect(); return [r.left + 20, r.top + 20]; })()`)
		for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
			if _, err := chromedp.Call(w.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1}); err != nil {
				t.Fatal(err)
			}
			if kind == input.DispatchMouseEventTypeMousePressed {
				eval[chromedp.Void](w, c.meanwhile)
				w.wait(`true`)
			}
		}
		w.wait(`acts.includes(` + quote(c.does) + `)`)
	}
}

// The board of a right-to-left language is mirrored: its first column is on the right, and
// the left arrow moves forward.
func TestBoardRightToLeft(t *testing.T) {
	w := atDoor(t, 1280, 800)
	eval[bool](w, `import("/static/board.js").then(({ mount }) => {
		const box = document.createElement("div");
		box.className = "board-box";
		document.body.className = "page";
		document.body.replaceChildren(box);
		const none = async () => ({}), draft = async () => ({ score: 54, words: [{ text: "אב", score: 4 }] });
		mount(box, { act: none, draft, press: none, say() {}, sound() {}, settings: () => ({}) }).show({
			table: 1, number: 1, phase: "playing", size: 15, squares: ".".repeat(225), tiles: [{ text: "א", value: 1 }, { text: "ב", value: 3 }, { text: "?", value: 0 }],
			board: Array(225).fill(""), players: [{ name: "נועה", score: 0, toMove: true }], seats: 1, supply: "", turns: [],
			own: { seat: 0, rack: ["א", "ב"], lays: "play", turn: true, pass: true, exchange: 0 },
		});
		return true;
	})`)
	left := func(selector string) float64 {
		return eval[float64](w, `document.querySelector('`+selector+`').getBoundingClientRect().left`)
	}
	if a, b := left(`[data-square="0"]`), left(`[data-square="1"]`); a <= b {
		t.Errorf("column A is at %v, column B at %v", a, b)
	}
	if a, b := left(`.rack [aria-label^="א"]`), left(`.rack [aria-label^="ב"]`); a <= b {
		t.Errorf("the rack's first tile is at %v, its second at %v", a, b)
	}
	w.click(`[data-square="112"]`)
	eval[bool](w, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }))`)
	if at := eval[string](w, `document.activeElement.dataset.square`); at != "113" {
		t.Errorf("the arrow to the left leads from square 112 to %s", at)
	}
	w.click(`[data-square="112"]`)
	for _, letter := range []string{"א", "ב"} {
		eval[bool](w, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "`+letter+`", bubbles: true }))`)
	}
	if got := eval[string](w, `[112, 113].map((n) => document.querySelector('[data-square="' + n + '"] .face')?.firstChild.data).join("")`); got != "אב" {
		t.Errorf("written on the board: %s", got)
	}
	w.wait(`document.querySelector(".tally").innerText === "אב 4 + 50 for all your tiles = 54"`)
	if word := eval[string](w, `document.querySelector(".tally bdi")?.innerText ?? ""`); word != "אב" {
		t.Errorf("the word apart from the numbers after it: %q", word)
	}
}

// Dropping a tile in motion doesn't scroll the page further, since the tap that stops
// scrolling would swallow a press of Play.
func TestDroppedTileDoesntScroll(t *testing.T) {
	w := atDoor(t, 390, 844)
	w.mounts(`lays: "play"`)
	moved := `!document.querySelector(".rack button").dispatchEvent(new Event("touchmove", { bubbles: true, cancelable: true }))`
	if eval[bool](w, moved) {
		t.Error("a finger that holds no tile can't scroll")
	}
	eval[bool](w, `document.querySelector(".rack button").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerId: 5, pointerType: "touch" }))`)
	if !eval[bool](w, moved) {
		t.Error("a finger that drags a tile scrolls the page on")
	}
}
