package web_test

import (
	crand "crypto/rand"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// ordered opens a room with the real host behind it.
func ordered(t *testing.T, door web.Door) (s *site, h *host.Host) {
	t.Helper()
	store := memory.New()
	file, err := data.Lexicon("en-clean")
	gametest.Must(t, err)
	clean, err := lexicon.OpenSound(file) // listed, but not played with
	gametest.Must(t, err)
	lists := []*lexicon.Lexicon{gametest.ShippedList(t, "en"), clean}
	var platform bot.Platform
	s = openWith(t, func(c *web.Config) {
		config := host.Config{
			Features: features.All, Order: features.Order(), Store: store, Notes: store.Notes("host"), DefaultLexicon: "en",
			Equipment: gametest.Equipment(t), Lexicons: lists, Now: c.Now, Random: crand.Reader, Log: slog.New(slog.DiscardHandler),
			Platforms: func() []bot.Platform { return []bot.Platform{platform} },
		}
		h = host.New(config)
		c.Host, c.Door, c.URL = h, door, "https://play.example.org"
	})
	platform = s.current().Platform()
	return s, h
}

// does gives a command that names people, like the page's menus.
func (v *visitor) does(stream, command string, args map[string]string, people ...*visitor) message {
	v.site.t.Helper()
	line := "/" + command
	for _, p := range people {
		line += " @" + p.Name
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range args {
			if !yield(name) {
				return
			}
		}
	}) {
		line += " " + name + ":" + args[name]
	}
	return v.command(stream, line)
}

// presses presses a button of a message, found by its label.
func (v *visitor) presses(stream string, m message, label string) message {
	v.site.t.Helper()
	for _, b := range m.Buttons {
		if b.Label == label {
			return call[struct{ Reply message }](v, "press", obj{"stream": stream, "id": newID(), "button": b.ID}).Reply
		}
	}
	v.site.t.Fatalf("%q has no button %q: %v", m.text(), label, m.Buttons)
	return message{}
}

func granted(t *testing.T, m message) message {
	t.Helper()
	if m.Refused {
		t.Fatalf("refused: %s", m.text())
	}
	return m
}

// A muted person can't say anything in any way, but can read and play on.
func TestMutedPersonCantSpeak(t *testing.T) {
	s, _ := ordered(t, web.DoorOpen)
	ann, bob, cat := s.enter("Ann"), s.enter("Bob"), s.enter("Cat")
	granted(t, ann.does("general", "mute", map[string]string{"for": "1h"}, bob))
	for what, try := range map[string]func() string{
		"a message": func() string {
			return bob.refused("say", obj{"stream": "general", "id": newID(), "text": "hello"}, 422)
		},
		"a direct message": func() string {
			return bob.refused("say", obj{"stream": dm(bob, cat), "id": newID(), "text": "hello"}, 422)
		},
		"a name":        func() string { return bob.refused("rename", obj{"name": "Ann is mean"}, 422) },
		"a channel":     func() string { return bob.refused("channels", obj{"name": "ann-is-mean"}, 422) },
		"an invitation": func() string { return refusal(t, bob.command("general", "/new @Cat")) },
		"a nudge":       func() string { return refusal(t, bob.command("general", "/nudge")) },
		"a link":        func() string { return refusal(t, bob.command("general", "/invite")) },
	} {
		if why := try(); !strings.Contains(why, "muted you") && !strings.Contains(why, "keepers") {
			t.Errorf("muted, Bob tries %s: %q", what, why)
		}
	}
	granted(t, bob.command("general", "/new seats:2")) // they can play on
	granted(t, cat.command("general", "/join"))
	granted(t, bob.command("general", "/report @Cat"))
	if m := bob.does("general", "mute", map[string]string{"for": "off"}, bob); !m.Refused {
		t.Error("Bob unmutes himself")
	}
	s.clock.pass(61 * time.Minute)
	bob.say("general", "hello again")
	granted(t, ann.does("general", "mute", nil, bob))
	granted(t, ann.does("general", "mute", map[string]string{"for": "off"}, bob))
	bob.say("general", "and again")
	for _, line := range []string{"/mute @Ann", "/mute", "/mute @Bob 5y", "/ban @Ann", "/ban address:203.0.113.0/24", "/kick @Bob"} {
		if m := ann.command("general", line); !m.Refused {
			t.Errorf("%s: %s", line, m.text())
		}
	}
	for _, line := range []string{"/mute @Cat", "/ban @Cat", "/reports", "/reports log", "/order", "/unsay 1", "/invite"} {
		if m := cat.command("general", line); !m.Refused {
			t.Errorf("Cat, who keeps nothing, did %s: %s", line, m.text())
		}
	}
}

func refusal(t *testing.T, m message) string {
	t.Helper()
	if !m.Refused {
		t.Errorf("it was done: %s", m.text())
	}
	return m.text()
}

func dm(a, b *visitor) string {
	if b.ID < a.ID {
		a, b = b, a
	}
	return "dm." + a.ID + "." + b.ID
}

// from sends a request from an address.
func (v *visitor) from(address, method, path string, in any) *httptest.ResponseRecorder {
	req := v.request(method, path, in)
	req.RemoteAddr = address + ":1000"
	return newRecorder(v.site, req)
}

// A banned person can't come back with their cookie, in another window, under another name
// from their network, or by the invitation they came by.
func TestBannedPersonStaysOut(t *testing.T) {
	s, _ := ordered(t, web.DoorInvite)
	code := s.invitation(5, time.Hour)
	come := func(from, name, code, cookie string) *httptest.ResponseRecorder {
		req := httptest.NewRequest("POST", "http://localhost:8080/in", strings.NewReader(url.Values{"name": {name}, "code": {code}}.Encode()))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Cookie", cookie)
		req.RemoteAddr = from + ":1000"
		return newRecorder(s, req)
	}
	enter := func(from, name string) *visitor {
		t.Helper()
		w := come(from, name, code, "")
		if !in(w) {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		v := &visitor{site: s, Name: name, cookie: strings.Split(w.Header().Get("Set-Cookie"), ";")[0]}
		var me struct{ Me struct{ ID string } }
		decode(t, v.do("GET", "/api/me", nil), &me)
		v.ID = me.Me.ID
		return v
	}
	ann, bob, cat := enter("203.0.113.1", "Ann"), enter("203.0.113.7", "Bob"), enter("203.0.113.7", "Cat")
	bob.say("general", "rude")
	said := granted(t, ann.does("general", "ban", nil, bob)).text()
	if !strings.Contains(said, "is banned") || !strings.Contains(said, "invitation they used is closed") {
		t.Errorf("Ann is told %q", said)
	}
	for _, path := range []string{"/api/me", "/api/live"} {
		if w := bob.do("GET", path, nil); w.Code != 401 || !strings.Contains(w.Body.String(), "been banned") {
			t.Errorf("Bob's cookie at %s: %d %s", path, w.Code, w.Body)
		}
	}
	bob.refused("say", obj{"stream": "general", "id": newID(), "text": "hello"}, 401)
	bob.refused("leave", obj{}, 401) // leaving would make them a stranger without a ban
	if w := bob.do("GET", "/", nil); w.Code != 303 || w.Header().Get("Location") != "/in" {
		t.Errorf("Bob opens the room: %d %v", w.Code, w.Header())
	}
	if w := bob.do("GET", "/in", nil); w.Code != 401 || !strings.Contains(w.Body.String(), "been banned") || strings.Contains(w.Body.String(), "<form") {
		t.Errorf("Bob at the door: %d %s", w.Code, w.Body)
	}
	fresh := s.invitation(5, time.Hour)
	if w := come("198.51.100.1", "Bobby", fresh, bob.cookie); in(w) {
		t.Error("Bob came back in the same browser by another invitation, from elsewhere")
	}
	if w := come("203.0.113.7", "Bobby", fresh, ""); in(w) {
		t.Error("Bob came back on another device at home")
	}
	if w := come("198.51.100.1", "Bobby", code, ""); in(w) {
		t.Error("Bob came back by the invitation that let him in")
	}
	if w := come("198.51.100.2", "Dan", fresh, ""); !in(w) {
		t.Errorf("Dan, who has nothing to do with it, can't come in: %d %s", w.Code, w.Body)
	}
	cat.say("general", "I live with Bob, and was here before.")
	if w := cat.from("203.0.113.7", "GET", "/api/me", nil); w.Code != 200 || !strings.Contains(w.Body.String(), "Cat") {
		t.Errorf("Cat, who shares Bob's network: %d %s", w.Code, w.Body)
	}
	people := granted(t, ann.command("general", "/reports people"))
	if !strings.Contains(people.text(), "Bob is banned") {
		t.Errorf("who is kept out: %q", people.text())
	}
	granted(t, ann.presses("general", people, "Unban: Bob"))
	bob.say("general", "I am sorry.")

	// A person who was rude and left can be banned from the message's menu.
	eve := &visitor{site: s, Name: "Eve"}
	later := s.invitation(5, time.Hour)
	w := come("198.51.100.9", "Eve", later, "")
	eve.cookie = strings.Split(w.Header().Get("Set-Cookie"), ";")[0]
	eve.say("general", "ruder")
	rude := ann.messages("general", 0)
	eve.do("POST", "/api/leave", obj{})
	said = granted(t, ann.command("general", "/ban @"+rude[len(rude)-1].From.ID)).text()
	if !strings.Contains(said, "Eve") || !strings.Contains(said, "invitation they used is closed") {
		t.Errorf("Ann is told %q", said)
	}
	if w := come("198.51.100.9", "Evi", fresh, ""); in(w) {
		t.Error("Eve left, was kept out, and came back")
	}

	// A ban of a person who has left is in the list too, and can be lifted there.
	people = granted(t, ann.command("general", "/reports people"))
	granted(t, ann.presses("general", people, "Unban: Eve"))
	if w := come("198.51.100.9", "Evi", later, ""); !in(w) {
		t.Errorf("Eve may come back by the same invitation: %d %s", w.Code, w.Body)
	}

	// After a week, newcomers from a banned person's network or with their invitation can
	// enter, although the person still can't.
	granted(t, ann.does("general", "ban", map[string]string{"for": "30d"}, cat))
	if w := come("203.0.113.7", "Dee", fresh, ""); in(w) {
		t.Error("somebody came in from Cat's network")
	}
	s.clock.pass(8 * 24 * time.Hour)
	if w := come("203.0.113.7", "Dee", s.invitation(1, time.Hour), ""); !in(w) {
		t.Errorf("after a week: %d %s", w.Code, w.Body)
	}
	if w := cat.do("GET", "/api/me", nil); w.Code != 401 {
		t.Errorf("Cat is back after a week: %d", w.Code)
	}
	log := granted(t, ann.command("general", "/reports log")).text()
	for _, want := range []string{"Ann banned Bob", "Ann unbanned Bob", "Ann banned Cat", "Ann banned Eve"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log has no %q: %s", want, log)
		}
	}
}

// Only keepers see reported messages with their context, and handle them, even if others
// know the buttons' ids.
func TestKeepersHandleReports(t *testing.T) {
	s, _ := ordered(t, web.DoorOpen)
	ann, bob, cat := s.enter("Ann"), s.enter("Bob"), s.enter("Cat")
	for _, text := range []string{"one", "two", "three", "four", "five"} {
		cat.say("general", text)
	}
	n := bob.say("general", "You are all fools")
	told := granted(t, cat.command("general", "/report rude note:again message:"+itoa(n)))
	if !strings.Contains(told.text(), "Thank you") || len(told.Buttons) != 1 {
		t.Errorf("Cat is told %q %v", told.text(), told.Buttons)
	}
	news := ann.messages("dm."+ann.ID, 0)
	if len(news) != 1 || !strings.Contains(news[0].text(), "You are all fools") || len(news[0].Buttons) != 1 {
		t.Fatalf("the keeper hears %+v", news)
	}
	button := news[0].Buttons[0].ID
	for _, v := range []*visitor{bob, cat} {
		if m := call[struct{ Reply message }](v, "press", obj{"stream": "general", "id": newID(), "button": button}).Reply; !m.Refused || strings.Contains(m.text(), "fools") {
			t.Errorf("%s reads a report: %s", v.Name, m.text())
		}
		if m := call[struct{ Reply message }](v, "act", obj{"stream": "general", "id": newID(), "command": "reports", "args": obj{"report": button[strings.LastIndexByte(button, '=')+1:], "do": "ban"}}).Reply; !m.Refused {
			t.Errorf("%s sees to a report: %s", v.Name, m.text())
		}
	}
	all := ann.presses("dm."+ann.ID, message{Text: news[0].Text, Buttons: news[0].Buttons}, "See it")
	for _, want := range []string{"Bob", "Rude", "Reported by Cat", "again", "three", "» Bob: You are all fools"} {
		if !strings.Contains(all.text(), want) {
			t.Errorf("the report has no %q: %s", want, all.text())
		}
	}
	granted(t, ann.presses("dm."+ann.ID, all, "Remove the message"))
	if last := cat.messages("general", 0); last[len(last)-1].text() != "This message was removed." {
		t.Errorf("the message is %q", last[len(last)-1].text())
	}
	if m := granted(t, ann.command("general", "/reports")); !strings.Contains(m.text(), "All reports have been handled") {
		t.Errorf("afterwards: %s", m.text())
	}
	// A keeper can't see reports about themselves.
	granted(t, bob.command("general", "/report @Ann"))
	if m := granted(t, ann.command("general", "/reports")); !strings.Contains(m.text(), "All reports have been handled") || len(ann.messages("dm."+ann.ID, 0)) != 1 {
		t.Errorf("Ann, who was reported: %s", m.text())
	}
	// An outsider can't report a message of a private conversation, nor read it by
	// reporting it.
	secret := bob.say(dm(ann, bob), "a secret")
	if why := cat.refused("say", obj{"stream": dm(ann, bob), "id": newID(), "text": "/report message:" + itoa(secret)}, 404); why == "" {
		t.Error("Cat reports in a conversation of others")
	}
	mine := cat.say("general", "oops")
	granted(t, cat.command("general", "/unsay "+itoa(mine)))
	if m := cat.command("general", "/unsay "+itoa(n-1)); m.Refused {
		t.Errorf("Cat's own message stays: %s", m.text())
	}
	if m := bob.command("general", "/unsay 1"); !m.Refused {
		t.Error("Bob removed what Cat said")
	}
	for range bot.LimitReports.Most - 1 {
		s.clock.pass(time.Second)
		granted(t, cat.command("general", "/report @Bob spam"))
	}
	s.clock.pass(time.Second)
	if m := cat.command("general", "/report @Bob spam"); !m.Refused || !strings.Contains(m.text(), "tomorrow") {
		t.Errorf("the report after the last: %s", m.text())
	}
}

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// A blocked person isn't told so, and their messages don't arrive. The blocker can't write
// to them either.
func TestBlockedMessagesDontArrive(t *testing.T) {
	s, h := ordered(t, web.DoorOpen)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	bob.say(dm(ann, bob), "before")
	granted(t, ann.does("general", "block", nil, bob))
	ears := ann.listen(server)
	defer ears.close()
	next[obj](ears, "hello")
	bob.say(dm(ann, bob), "psst")
	if got := bob.messages(dm(ann, bob), 0); len(got) != 2 || got[1].text() != "psst" {
		t.Errorf("Bob sees %v: he is told that he was blocked", got)
	}
	if got := ann.messages(dm(ann, bob), 0); len(got) != 1 || got[0].text() != "before" {
		t.Errorf("Ann reads %d messages", len(got))
	}
	bob.say("general", "hello @Ann")
	if m := next[message](ears, "message"); m.Stream != "general" || !strings.HasPrefix(m.text(), "hello") {
		t.Errorf("Ann hears %+v first", m)
	}
	for _, span := range ann.messages("general", 0)[0].Text {
		if span.Notify {
			t.Error("Bob calls Ann in a channel")
		}
	}
	other := ann.listen(server)
	defer other.close()
	hello := next[struct {
		Streams []struct {
			ID           string
			Last, Unread uint64
		}
	}](other, "hello")
	for _, st := range hello.Streams {
		if st.ID == dm(ann, bob) && (st.Last != 1 || st.Unread != 1) {
			t.Errorf("Ann's page learns of what was kept from her: %+v", st)
		}
	}
	if why := ann.refused("say", obj{"stream": dm(ann, bob), "id": newID(), "text": "hm"}, 422); !strings.Contains(why, "/block") {
		t.Errorf("Ann writes to Bob: %q", why)
	}
	if m := ann.command("general", "/new @Bob"); !m.Refused {
		t.Error("Ann invites Bob, whom she has blocked")
	}
	granted(t, bob.command("general", "/new @Ann")) // he can't tell that he is blocked
	if blocks, err := h.Blocks(t.Context(), ann.user().ID, bob.user().ID); err != nil || !blocks {
		t.Errorf("Blocks: %v %v", blocks, err)
	}
	list := granted(t, ann.command("general", "/block"))
	granted(t, ann.presses("general", list, "Unblock Bob"))
	bob.say(dm(ann, bob), "after")
	if got := ann.messages(dm(ann, bob), 0); len(got) != 2 || got[1].text() != "after" {
		t.Errorf("Ann, who hears from Bob again, reads %v", got)
	}
	for _, line := range []string{"/block @Ann", "/block @Bob @Ann"} {
		if m := ann.command("general", line); !m.Refused {
			t.Errorf("%s: %s", line, m.text())
		}
	}
}

// A forgotten person disappears from others' blocks and from reports.
func TestForgottenPersonLeavesBlocks(t *testing.T) {
	s, _ := ordered(t, web.DoorOpen)
	ann, bob, cat := s.enter("Ann"), s.enter("Bob"), s.enter("Cat")
	n := bob.say("general", "a nasty thing")
	granted(t, cat.command("general", "/report message:"+itoa(n)))
	granted(t, cat.does("general", "block", nil, bob))
	granted(t, ann.does("general", "mute", nil, bob))
	ask := granted(t, bob.command("general", "/data delete"))
	granted(t, bob.presses("general", ask, "Yes, forget me"))
	if m := granted(t, cat.command("general", "/block")); !strings.Contains(m.text(), "haven't blocked anybody") {
		t.Errorf("Cat's blocks: %s", m.text())
	}
	desk := granted(t, ann.command("general", "/reports"))
	seen := granted(t, ann.presses("general", desk, "Open 1"))
	log := granted(t, ann.command("general", "/reports log"))
	people := granted(t, ann.command("general", "/reports people"))
	for _, m := range []message{desk, seen, log, people} {
		if strings.Contains(m.text(), "Bob") || strings.Contains(m.text(), "nasty") {
			t.Errorf("Bob is remembered: %s", m.text())
		}
	}
	if !strings.Contains(seen.text(), "former player") {
		t.Errorf("the report: %s", seen.text())
	}
}
