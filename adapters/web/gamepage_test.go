package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// A reader is a browser on a house's pages, with its cookies.
type reader struct {
	h       *house
	cookies map[string]string
}

func (r *reader) do(method, path string, in any) *httptest.ResponseRecorder {
	r.h.t.Helper()
	b, err := json.Marshal(in)
	gametest.Must(r.h.t, err)
	req := httptest.NewRequest(method, "http://localhost:8080"+path, bytes.NewReader(b))
	req.Header.Set("Content-Type", "application/json")
	for name, value := range r.cookies {
		req.Header.Add("Cookie", name+"="+value)
	}
	w := newRecorder(r.h, req)
	for _, c := range w.Result().Cookies() {
		if r.cookies == nil {
			r.cookies = map[string]string{}
		}
		if c.Path == "/" || strings.HasPrefix(path, c.Path) {
			r.cookies[c.Name] = c.Value
		}
	}
	return w
}

// sight returns the table of a page, as the browser sees it.
func (r *reader) sight(page string) (s bot.Sight) {
	r.h.t.Helper()
	w := r.do("POST", page+"/table", struct{}{})
	if w.Code != 200 {
		r.h.t.Fatalf("%s: %d %s", page, w.Code, w.Body)
	}
	var out struct{ Sight bot.Sight }
	decode(r.h.t, w, &out)
	return out.Sight
}

// enters lets a person into the room.
func (h *house) enters(name string) *reader {
	h.t.Helper()
	r := &reader{h: h}
	if w := r.do("POST", "/api/enter", obj{"name": name}); w.Code != 200 {
		h.t.Fatal(w.Body)
	}
	return r
}

// says sends a message or command in the general channel.
func (r *reader) says(line string) *httptest.ResponseRecorder {
	r.h.t.Helper()
	w := r.do("POST", "/api/say", obj{"stream": "general", "id": newID(), "text": line})
	if w.Code != 200 {
		r.h.t.Fatalf("%s: %d %s", line, w.Code, w.Body)
	}
	return w
}

// gives gives a command on a page.
func (r *reader) gives(page, command string, args map[string]string) *httptest.ResponseRecorder {
	return r.do("POST", page+"/act", map[string]any{"id": fmt.Sprintf("request-%d", len(r.h.log.String())), "command": command, "args": args})
}

// says gives a command of a person on another platform.
func (h *house) says(who bot.User, channel bot.ChannelID, line string) bot.Reply {
	h.t.Helper()
	req := bot.Request{ID: fmt.Sprint("says", len(h.log.String()), who.ID, line), Channel: channel, User: who}
	var refused text.Text
	if req.Command, req.Args, refused = h.host.Commands().ParseLine(line, nil); refused != nil {
		h.t.Fatal(refused)
	}
	reply := h.host.Handle(h.t.Context(), req)
	if reply.Refused {
		h.t.Fatalf("%s: %s", line, reply.Text)
	}
	return reply
}

var (
	cora = bot.User{ID: "discord:1", Name: "Cora"}
	dora = bot.User{ID: "discord:2", Name: "Dora"}
)

const salon = bot.ChannelID("discord:salon")

// playing starts a house with a game of Cora and Dora on another platform, and returns the
// game's page and the players' links to it.
func playing(t *testing.T) (h *house, page string, links map[bot.PlayerID]string) {
	t.Helper()
	h = newHouse(t)
	h.says(cora, salon, "/new seats:2")
	h.says(dora, salon, "/join")
	links = map[bot.PlayerID]string{}
	for _, who := range []bot.User{cora, dora} {
		reply := h.says(who, salon, "/board page:yes")
		if len(reply.Buttons) != 1 {
			t.Fatalf("the answer: %+v", reply)
		}
		link, ok := strings.CutPrefix(reply.Buttons[0].Link, "https://play.example.org")
		if !ok {
			t.Fatalf("the link: %+v", reply.Buttons[0])
		}
		page, links[who.ID], _ = strings.Cut(link, "#pass=")
	}
	return h, page, links
}

// resigns makes a player resign and confirm it.
func (h *house) resigns(who bot.User, ch bot.ChannelID) {
	h.t.Helper()
	sure := h.says(who, ch, "/resign")
	resign, _ := bot.Request{ID: "sure", Channel: ch, User: who}.Press(sure.Buttons[0].ID)
	if reply := h.host.Handle(h.t.Context(), resign); reply.Refused {
		h.t.Fatal(reply.Text)
	}
}

// A player from another platform opens the page by a personal link, which works once and
// for that table only, and plays there under their own name.
func TestPersonalLinkPlaysOnPage(t *testing.T) {
	h, page, links := playing(t)

	// A site that fetches the link for a preview sees the board but no rack, and doesn't
	// use the link up.
	bot1 := &reader{h: h}
	if w := bot1.do("GET", page, nil); w.Code != 200 || !strings.Contains(w.Body.String(), `property="og:title" content="`) || !strings.Contains(w.Body.String(), "https://play.example.org"+page+"/picture.png") {
		t.Errorf("the page: %d %s", w.Code, w.Body)
	}
	if w := bot1.do("GET", page+"?dark", nil); !regexp.MustCompile(`/picture\.png\?\d+&amp;dark"`).MatchString(w.Body.String()) {
		t.Errorf("the address that somebody gave from a dark screen: %s", w.Body)
	}
	if w := bot1.do("GET", page+"/picture.png", nil); w.Code != 200 || !bytes.HasPrefix(w.Body.Bytes(), []byte("\x89PNG")) {
		t.Errorf("the picture: %d", w.Code)
	}

	ann := &reader{h: h}
	if own := ann.sight(page).Own; own != nil {
		t.Fatalf("somebody without a pass has %+v", own)
	}
	if w := ann.gives(page, "pass", map[string]string{"sure": "true"}); w.Code != 403 {
		t.Errorf("somebody who watches passes: %d %s", w.Code, w.Body)
	}
	if w := ann.do("POST", page+"/enter", map[string]string{"pass": links[cora.ID]}); w.Code != 200 {
		t.Fatalf("the pass: %d %s", w.Code, w.Body)
	}
	own := ann.sight(page).Own
	if own == nil || len(own.Rack) != 7 {
		t.Fatalf("Cora has %+v", own)
	}

	again := &reader{h: h}
	for what, pass := range map[string]string{
		"used": links[cora.ID], "no": "", "changed": links[dora.ID][:20] + "A" + links[dora.ID][21:], "cut": links[dora.ID][:30],
	} {
		if w := again.do("POST", page+"/enter", map[string]string{"pass": pass}); w.Code != 401 {
			t.Errorf("the pass, %s: %d %s", what, w.Code, w.Body)
		}
	}
	if own := again.sight(page).Own; own != nil {
		t.Errorf("whoever had no good pass has %+v", own)
	}

	// Only this game can be played there, and no other table reached.
	for _, command := range []string{"data", "link", "settings", "new", "unseat", "words"} {
		if w := ann.gives(page, command, nil); w.Code != 422 {
			t.Errorf("/%s is carried out: %d %s", command, w.Code, w.Body)
		}
	}
	if w := ann.do("POST", page+"/press", map[string]string{"id": "request-press", "button": "1:99:0:pass:"}); w.Code != 422 {
		t.Errorf("a button of another table: %d %s", w.Code, w.Body)
	}
	if w := ann.do("POST", page+"x/table", struct{}{}); w.Code != 404 {
		t.Errorf("another page: %d", w.Code)
	}
	if log := h.log.String(); strings.Contains(log, links[cora.ID]) || strings.Contains(log, ann.cookies["rackmate-game"]) || !strings.Contains(log, "web game session") {
		t.Error("the log has a secret, or lacks the session")
	}
}

// The page shows when the host is away, and when it is back.
func TestPageShowsHostAway(t *testing.T) {
	browser := chromium(t)
	h, page, _ := playing(t)
	server := h.serves()
	w := newWindow(t, browser, "a watcher", server.URL+page, 1280, 800)
	w.shows("#board .players", "Cora")
	h.stop()
	w.shows("#offline", "Reconnecting")
	h.start()
	w.wait(`document.getElementById("offline").hidden`)
}

// A person who takes another name in the room shows under it on the board of a running
// game. (TestTwoPeopleUsePage checks posts.)
func TestNewNameShowsOnBoard(t *testing.T) {
	h := newHouse(t)
	ann, bob := &reader{h: h}, &reader{h: h}
	does := func(r *reader, path string, in any) string {
		t.Helper()
		w := r.do("POST", "/api/"+path, in)
		if w.Code != 200 {
			t.Fatalf("%s %v: %d %s", path, in, w.Code, w.Body)
		}
		return w.Body.String()
	}
	says := func(r *reader, line string) {
		t.Helper()
		if out := does(r, "say", obj{"stream": "general", "id": newID(), "text": line}); strings.Contains(out, `"refused":true`) {
			t.Fatalf("%s: %s", line, out)
		}
	}
	does(ann, "enter", obj{"name": "Ann"})
	does(bob, "enter", obj{"name": "Bob"})
	says(ann, "/new seats:2")
	says(bob, "/join")
	does(ann, "rename", obj{"name": "Annabel"})
	var out struct{ Sight bot.Sight }
	gametest.Must(t, json.Unmarshal([]byte(does(bob, "table", obj{"stream": "general"})), &out))
	if names := out.Sight.Players[0].Name + " " + out.Sight.Players[1].Name; names != "Annabel Bob" && names != "Bob Annabel" {
		t.Errorf("at the table are %s", names)
	}
	_, events, err := h.db.Table(t.Context(), "web:general")
	gametest.Must(t, err)
	if s, err := game.Replay(events); err != nil || s.Seats[0].Person.Name != "Annabel" && s.Seats[1].Person.Name != "Annabel" {
		t.Errorf("the game has %+v, %v", s.Seats, err)
	}
}

// A game played on its page also ends there. Then everyone sees the moves, the files and
// the review, and no one is a player any more.
func TestPageAfterGame(t *testing.T) {
	t.Parallel()
	h, page, links := playing(t)
	readers := map[bot.PlayerID]*reader{}
	for who, pass := range links {
		readers[who] = &reader{h: h}
		if w := readers[who].do("POST", page+"/enter", map[string]string{"pass": pass}); w.Code != 200 {
			t.Fatalf("%s: %d %s", who, w.Code, w.Body)
		}
	}
	other := &reader{h: h}
	for _, path := range []string{"/files/moves", "/files/proof"} {
		if w := other.do("GET", page+path, nil); w.Code != 422 {
			t.Errorf("%s while the game runs: %d", path, w.Code)
		}
	}
	if w := other.do("POST", page+"/review", struct{}{}); w.Code != 422 {
		t.Errorf("a review while the game runs: %d", w.Code)
	}

	var g *movegen.Generator
	state := func() game.State { return h.stateIn(salon) }
	played := 0
	for range gametest.Rounds(10, 100) {
		s := state()
		if s.Phase == game.Over {
			break
		}
		if s.Phase == game.Closing {
			for _, r := range readers {
				r.gives(page, "pass", map[string]string{"sure": "true"})
			}
			continue
		}
		if g == nil {
			var err error
			if g, err = movegen.New(h.lexicon, h.equipment, s.Rules); err != nil {
				t.Fatal(err)
			}
		}
		name, args, _ := h.host.Commands().ParseLine(h.move(g, s).line, nil)
		if w := readers[s.Seats[s.Turn].Person.ID].gives(page, name, args); w.Code != 200 || strings.Contains(w.Body.String(), `"refused":true`) {
			t.Fatalf("/%s %v: %d %s", name, args, w.Code, w.Body)
		}
		played++
	}
	if s := state(); s.Phase != game.Over {
		if gametest.Long() {
			t.Fatal("the game doesn't end")
		}
		h.resigns(cora, salon)
	}
	if own := readers[cora.ID].sight(page).Own; own != nil {
		t.Errorf("Cora's session outlives the game: %+v", own)
	}
	if w := other.do("GET", page+"/files/moves", nil); w.Code != 200 || !strings.Contains(w.Body.String(), "#player1") {
		t.Errorf("the moves: %d %s", w.Code, w.Body)
	}
	if w := other.do("GET", page+"/files/proof", nil); w.Code != 200 || !strings.Contains(w.Header().Get("Content-Disposition"), "proof.json") {
		t.Errorf("the proof: %d %s", w.Code, w.Header())
	}
	if w := other.do("GET", page+"/files/replay", nil); w.Code != 200 || !strings.HasPrefix(w.Body.String(), "GIF89a") || w.Header().Get("Content-Type") != "image/gif" {
		t.Errorf("the replay: %d %s", w.Code, w.Header())
	}
	review := view.Review{Moves: 1}
	for len(review.Turns) < review.Moves { // a worker judges the moves one by one
		decode(t, other.do("POST", page+"/review", struct{}{}), &review)
		time.Sleep(20 * time.Millisecond)
	}
	sight := other.sight(page)
	if len(review.Turns) != played || played < 10 || len(sight.Buttons) > 0 {
		t.Fatalf("the review has %d of %d turns, the page %d buttons", len(review.Turns), played, len(sight.Buttons))
	}
	for _, j := range review.Turns {
		var found bool
		for _, turn := range sight.Turns {
			if turn.Number == j.Turn {
				found = turn.Player == sight.Players[j.Seat].Name && len(turn.Changes) == len(j.Made.Squares)
			}
		}
		if !found || len(j.Best) == 0 {
			t.Errorf("turn %d isn't the same in the review: %+v", j.Turn, j)
		}
		if win := j.Made.Win; win == nil || *win < 0 || *win > 1 || j.Given < 0 || j.Given > 1 {
			t.Errorf("turn %d has no chance to win: %+v", j.Turn, j)
		}
	}
}

// A private game of two people is hidden from others while it runs.
func TestPrivateGamePageIsHidden(t *testing.T) {
	h := newHouse(t)
	ann, bob, eve := &reader{h: h}, &reader{h: h}, &reader{h: h}
	ids := map[string]string{}
	for name, r := range map[string]*reader{"Ann": ann, "Bob": bob, "Eve": eve} {
		var me struct{ ID string }
		decode(t, r.do("POST", "/api/enter", map[string]string{"name": name}), &me)
		ids[name] = me.ID
	}
	a, b := min(ids["Ann"], ids["Bob"]), max(ids["Ann"], ids["Bob"])
	ch := bot.ChannelID("web:dm." + a + "." + b)
	h.says(bot.User{ID: bot.PlayerID("web:" + ids["Ann"]), Name: "Ann"}, ch, "/new seats:2")
	h.says(bot.User{ID: bot.PlayerID("web:" + ids["Bob"]), Name: "Bob"}, ch, "/join")
	reply := h.says(bot.User{ID: bot.PlayerID("web:" + ids["Ann"]), Name: "Ann"}, ch, "/board page:yes")
	page := strings.TrimPrefix(reply.Buttons[0].Link, "https://play.example.org")
	if ann.sight(page).Own == nil || bob.sight(page).Own == nil {
		t.Error("those who play have no racks on their page")
	}
	for _, path := range []string{"", "/picture.png", "/live"} {
		if w := eve.do("GET", page+path, nil); w.Code != 404 {
			t.Errorf("Eve gets %s: %d", path, w.Code)
		}
	}
	if w := eve.do("POST", page+"/table", struct{}{}); w.Code != 404 {
		t.Errorf("Eve sees the table: %d", w.Code)
	}
}
