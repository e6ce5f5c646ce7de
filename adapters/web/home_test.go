package web_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/adapters/web/signin"
	"github.com/rackmate/rackmate/adapters/web/webtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// post submits a form of the door.
func (r *reader) post(path string, form url.Values) *httptest.ResponseRecorder {
	r.h.t.Helper()
	req := httptest.NewRequest("POST", "http://localhost:8080"+path, strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, value := range r.cookies {
		req.Header.Add("Cookie", name+"="+value)
	}
	w := newRecorder(r.h, req)
	for _, c := range w.Result().Cookies() {
		if r.cookies == nil {
			r.cookies = map[string]string{}
		}
		r.cookies[c.Name] = c.Value
	}
	return w
}

// A friend who opens the link of "Invite a friend" plays with its maker in their private
// conversation, on every kind of door: a newcomer by giving a name or signing in, a member
// by one press.
func TestFriendsLinkStartsGame(t *testing.T) {
	for _, door := range web.Doors {
		t.Run(string(door), func(t *testing.T) {
			h := newHouse(t)
			ann, bob, eve := &reader{h: h}, &reader{h: h}, &reader{h: h}
			for name, r := range map[string]*reader{"Ann": ann, "Eve": eve} {
				if w := r.do("POST", "/api/enter", obj{"name": name}); w.Code != 200 {
					t.Fatal(w.Body)
				}
			}
			h.stop()
			var i *webtest.Issuer
			h.door = door
			h.with = func(c *web.Config) { c.Password = "correct horse" }
			if door == web.DoorSignIn {
				i = webtest.NewIssuer(t)
				h.with = func(c *web.Config) {
					c.SignIn = []*signin.Provider{signin.OpenID("account", "Example", i.URL, signin.Client{ID: "room", Secret: "hush"}, nil)}
				}
			}
			h.start()
			var made struct {
				Link, Path string
				Size       int
			}
			decode(t, ann.do("POST", "/api/friend", obj{}), &made)
			link, ours := strings.CutPrefix(made.Link, "https://play.example.org")
			if !ours || made.Size < 21 || made.Path == "" {
				t.Fatalf("the link is %+v", made)
			}
			// presses completes the door's form or sign-in, and returns the response.
			presses := func(r *reader, name, shown string) *httptest.ResponseRecorder {
				t.Helper()
				if !strings.Contains(shown, "Sign in with Example") {
					return r.post("/in", url.Values{"name": {name}, "code": {strings.TrimPrefix(link, "/in/")}, "invited": {"yes"}})
				}
				if r.cookies == nil {
					r.cookies = map[string]string{}
				}
				w := r.do("GET", html.UnescapeString(regexp.MustCompile(`/in/with/[^"]*`).FindString(shown)), nil)
				for _, c := range w.Result().Cookies() { // the sign-in's cookie is only for the way back
					r.cookies[c.Name] = c.Value
				}
				sent, err := url.Parse(w.Header().Get("Location"))
				if err != nil || w.Code != 303 {
					t.Fatalf("%s is sent to %d %s", name, w.Code, w.Body)
				}
				return r.do("GET", "/in/back/account?code=code&state="+i.Expects(sent, obj{"sub": name, "name": name}), nil)
			}
			plays := func(r *reader, with string) {
				t.Helper()
				shown := r.do("GET", link, nil)
				if shown.Code != 200 || !strings.Contains(shown.Body.String(), "Ann invites you to a game.") {
					t.Fatalf("%s sees %d %s", with, shown.Code, shown.Body)
				}
				w := presses(r, with, shown.Body.String())
				to := w.Header().Get("Location")
				if w.Code != 303 || !strings.HasPrefix(to, "/#dm.") {
					t.Fatalf("%s is led to %d %s %s", with, w.Code, to, w.Body)
				}
				ch := bot.ChannelID("web:" + strings.TrimPrefix(to, "/#"))
				if s := h.stateIn(ch); s.Phase != game.Playing || len(s.Seats) != 2 {
					t.Errorf("with %s the game is in phase %v with %d seats", with, s.Phase, len(s.Seats))
				}
				if strings.Contains(link, "pass") {
					t.Error("the link names a pass")
				}
			}
			if door == web.DoorSignIn { // there, a link alone doesn't admit strangers
				stranger := &reader{h: h}
				if w := stranger.post("/in", url.Values{"name": {"Mallory"}, "code": {strings.TrimPrefix(link, "/in/")}, "invited": {"yes"}}); w.Code == 303 {
					t.Errorf("a stranger came in without signing in: %s", w.Header().Get("Location"))
				}
			}
			plays(bob, "Bob")
			plays(eve, "Eve")
			if w := ann.do("GET", link, nil); w.Header().Get("Location") != "/" {
				t.Errorf("one's own link leads to %d %s", w.Code, w.Header().Get("Location"))
			}

			var games struct {
				Mine, Open, Running []struct{ Page, Stream string }
			}
			decode(t, ann.do("POST", "/api/games", obj{"all": true}), &games)
			if len(games.Mine) != 2 || len(games.Open)+len(games.Running) != 0 {
				t.Fatalf("Ann has the games %+v", games)
			}
			var seen struct {
				Sight        bot.Sight
				Page, Stream string
				Old          bool
			}
			key := strings.TrimPrefix(games.Mine[0].Page, "/g/")
			decode(t, ann.do("POST", "/api/table", obj{"key": key}), &seen)
			if seen.Page != games.Mine[0].Page || seen.Stream != games.Mine[0].Stream || seen.Sight.Own == nil || seen.Old {
				t.Errorf("by its address the game is %+v", seen)
			}
			if w := ann.do("GET", games.Mine[0].Page, nil); w.Code != 200 || !strings.Contains(w.Body.String(), `id="room"`) {
				t.Errorf("whoever plays gets another page than the room's: %d", w.Code)
			}
			stranger := &reader{h: h}
			for _, r := range []*reader{stranger, eve, bob} {
				codes := map[int]int{}
				for _, g := range games.Mine {
					codes[r.do("GET", g.Page, nil).Code]++
				}
				if want := map[bool]int{true: 0, false: 1}[r == stranger]; codes[200] != want {
					t.Errorf("somebody sees %d of Ann's games with others, wanted %d", codes[200], want)
				}
			}
		})
	}
}

// listens keeps a live connection open until the test ends, so that the person counts as present.
func (r *reader) listens(server *httptest.Server) {
	r.h.t.Helper()
	req, err := http.NewRequestWithContext(r.h.t.Context(), "GET", server.URL+"/api/live", nil)
	gametest.Must(r.h.t, err)
	req.AddCookie(&http.Cookie{Name: "rackmate", Value: r.cookies["rackmate"]})
	live, err := http.DefaultClient.Do(req)
	gametest.Must(r.h.t, err)
	r.h.t.Cleanup(func() { live.Body.Close() })
	_, err = live.Body.Read(make([]byte, 1)) // they are here once they are greeted
	gametest.Must(r.h.t, err)
}

// People who wait are paired only with a person who wants the same game or picks theirs from
// the list. Another press starts another game beside the running one.
func TestWaitersAreMatchedByGame(t *testing.T) {
	h := newHouse(t)
	server := h.serves()
	people := map[string]*reader{}
	for _, name := range []string{"Ann", "Bob", "Cat"} {
		people[name] = h.enters(name)
		people[name].listens(server)
	}
	wait := func(name string, in obj) (stream string) {
		t.Helper()
		in["id"] = newID()
		w := people[name].do("POST", "/api/wait", in)
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		var met struct{ Stream string }
		decode(t, w, &met)
		return met.Stream
	}
	blitz, slow := obj{"clock": "5m+3s"}, obj{"pace": "1d"}
	if met := wait("Ann", obj{"options": blitz}) + wait("Bob", obj{"options": slow}); met != "" {
		t.Fatalf("two who want different games met at %s", met)
	}
	var seen struct {
		Seeks []struct {
			ID, Name string
			Options  map[string]string
		}
	}
	decode(t, people["Cat"].do("POST", "/api/games", obj{}), &seen)
	if len(seen.Seeks) != 2 {
		t.Fatalf("Cat sees %+v", seen.Seeks)
	}
	for _, s := range seen.Seeks {
		want := map[string]string{"Ann": "5m+3s", "Bob": ""}[s.Name]
		if s.Options["clock"] != want {
			t.Errorf("%s waits with %v", s.Name, s.Options)
		}
		if s.Name != "Bob" {
			continue
		}
		with := wait("Cat", obj{"with": s.ID})
		if st := h.stateIn(bot.ChannelID("web:" + with)); st.Phase != game.Playing || st.Rules.Clock.On {
			t.Errorf("Cat and Bob play in phase %v by the clock %+v", st.Phase, st.Rules.Clock)
		}
		if w := people["Cat"].do("POST", "/api/wait", obj{"id": newID(), "with": s.ID}); w.Code != 422 {
			t.Errorf("Bob no longer waits, and Cat is told %d %s", w.Code, w.Body)
		}
	}
	for _, odd := range []obj{{"clock": "5x"}, {"clock": "500m"}, {"robots": "easy"}, {"pace": "0d"}} {
		if w := people["Cat"].do("POST", "/api/wait", obj{"id": newID(), "options": odd}); w.Code != 422 {
			t.Errorf("%v is answered by %d %s", odd, w.Code, w.Body)
		}
	}
	met := map[string]bool{wait("Cat", obj{"options": blitz}): true}
	wait("Ann", obj{"options": blitz})
	met[wait("Cat", obj{"options": blitz})] = true
	if len(met) != 2 || met[""] {
		t.Errorf("two games of the same two are in %v", met)
	}
	for s := range met {
		if st := h.stateIn(bot.ChannelID("web:" + s)); st.Phase != game.Playing || st.Rules.Clock.Time != 5*time.Minute {
			t.Errorf("the game in %s is in phase %v by the clock %+v", s, st.Phase, st.Rules.Clock)
		}
	}
}

// A friend's link says the game's time before they sit down, on the page and in its preview.
func TestFriendsLinkSaysTime(t *testing.T) {
	h := newHouse(t)
	ann := h.enters("Ann")
	for clock, want := range map[string]string{"5m+3s": "5 minutes each, plus 3 seconds a turn", "1m": "1 minute each"} {
		var made struct{ Link string }
		decode(t, ann.do("POST", "/api/friend", obj{"options": obj{"clock": clock}}), &made)
		body := (&reader{h: h}).do("GET", strings.TrimPrefix(made.Link, "https://play.example.org"), nil).Body.String()
		if n := strings.Count(body, want); n != 2 || !strings.Contains(body, `og:description" content="`+want+`"`) {
			t.Errorf("the link to a game of %s says its time %d times: %s", clock, n, body)
		}
	}
}

// The card of a new game knows what applies in the room.
func TestGameCardKnowsRoomDefaults(t *testing.T) {
	h := newHouse(t)
	var told struct{ Usual map[string]string }
	decode(t, h.enters("Ann").do("POST", "/api/new", obj{}), &told)
	if told.Usual["rules"] != "classic" || told.Usual["challenge"] == "" || told.Usual["language"] == "" {
		t.Errorf("it is told %+v", told)
	}
}

// A person waits for any opponent. The next person who wants to play is paired with them,
// and both browsers open the game.
func TestPlayAnyOpponent(t *testing.T) {
	browser := chromium(t)
	h := newHouse(t)
	server := h.serves()
	at := func(name string, width, height int64) *window {
		w := newWindow(t, browser, name, server.URL+"/", width, height)
		w.wait(`document.getElementById("entry-name")`)
		w.click("#entry-name")
		w.types(name)
		w.key("Enter")
		w.shows("#home", "Play now")
		return w
	}
	ann := at("Ann", 390, 844)
	ann.tap(`document.querySelector('#home [name="with"][value="anybody"]')`)
	ann.tap(`document.querySelector('#home .time[aria-label$="15 minutes each"]')`)
	ann.shows("#home", "Stop waiting")
	bob := at("Bob", 1280, 800)
	bob.shows("#home .waits", "Ann · 15 minutes each")
	bob.tap(`document.querySelector("#home .waits .button")`)
	for _, w := range []*window{ann, bob} {
		w.wait(`location.pathname.startsWith("/g/") && document.querySelectorAll(".rack button").length === 7`)
		w.shows("#board .players", "15:00")
	}
	page := eval[string](ann, `location.pathname`)
	if other := eval[string](bob, `location.pathname`); other != page {
		t.Errorf("the two are at %s and %s", page, other)
	}
	eval[struct{}](ann, `(location.reload(), {})`)
	ann.wait(`document.querySelectorAll(".rack button").length === 7 && location.pathname === ` + quote(page))
	eval[struct{}](bob, `(document.getElementById("to-home").click(), {})`)
	bob.shows("#home", "Your games")
	bob.wait(`location.pathname === "/" && !document.querySelector("#board").checkVisibility()`)
	eval[struct{}](bob, `(history.back(), {})`)
	bob.wait(`location.pathname === ` + quote(page) + ` && document.querySelector(".rack button").checkVisibility()`)
	ann.quiet("")
	bob.quiet("")
}

// /live begins with the game where most happens, and not with the one that was opened last. A game
// that has just ended is one of the week's best at home.
func TestLiveStartsWithBusiestGame(t *testing.T) {
	h := newHouse(t)
	ann, bob, cat := h.enters("Ann"), h.enters("Bob"), h.enters("Cat")
	ann.says("/new seats:2")
	bob.says("/join")
	cat.says("/new robots:beginner") // in a thread beside the channel
	order := func() (names []string) {
		t.Helper()
		w := cat.do("GET", "/live", nil)
		for _, m := range regexp.MustCompile(`<bdi>(Ann|Cat)</bdi>`).FindAllStringSubmatch(w.Body.String(), -1) {
			names = append(names, m[1])
		}
		return names
	}
	g, err := movegen.New(h.lexicon, h.equipment, h.state().Rules)
	gametest.Must(t, err)
	for range 6 {
		s := h.state()
		map[string]*reader{"Ann": ann, "Bob": bob}[s.Seats[s.Turn].Person.Name].says(h.move(g, s).line)
	}
	if got := order(); !slices.Equal(got, []string{"Ann", "Cat"}) {
		t.Errorf("/live lists %v", got)
	}
	var games struct {
		Running, Finished []struct {
			Players []struct{ Name string }
			Board   struct {
				Size  int
				Board map[int]string
			}
		}
	}
	decode(t, bob.do("POST", "/api/games", obj{"all": true}), &games)
	if len(games.Running) != 1 || games.Running[0].Players[0].Name != "Cat" || games.Running[0].Board.Size != 15 {
		t.Errorf("Bob may watch %+v", games.Running)
	}
	if w := ann.do("POST", "/api/press", obj{"stream": "general", "id": newID(), "button": bot.ButtonID(1, h.state().Number, "resign", nil)}); w.Code != 200 {
		t.Fatal(w.Body)
	}
	decode(t, cat.do("POST", "/api/games", obj{"all": true}), &games)
	if len(games.Finished) != 1 || len(games.Finished[0].Board.Board) == 0 {
		t.Errorf("the week's best games are %+v", games.Finished)
	}
}

// Home links to the pages of the tournaments and leagues under way in channels, and to no others.
func TestHomeListsEvents(t *testing.T) {
	h := newHouse(t)
	ann, bob := h.enters("Ann"), h.enters("Bob")
	listed := func() []struct{ Page, Name string } {
		t.Helper()
		var games struct{ Events []struct{ Page, Name string } }
		decode(t, bob.do("POST", "/api/games", obj{"all": true}), &games)
		return games.Events
	}
	if got := listed(); len(got) != 0 {
		t.Errorf("before any, home lists %v", got)
	}
	ann.says("/tournament new name:Spring rounds:3")
	got := listed()
	if len(got) != 1 || got[0].Name != "Spring" || !strings.HasPrefix(got[0].Page, "/e/") {
		t.Fatalf("home lists %v", got)
	}
	if w := bob.do("GET", got[0].Page, nil); w.Code != 200 || !strings.Contains(w.Body.String(), "Spring") {
		t.Errorf("the page answers %d: %s", w.Code, w.Body)
	}
	ann.says("/tournament off sure:yes")
	if got := listed(); len(got) != 0 {
		t.Errorf("after it was called off, home lists %v", got)
	}
	ann.says("/league new name:Autumn")
	if got := listed(); len(got) != 1 || got[0].Name != "Autumn" || !strings.HasPrefix(got[0].Page, "/l/") {
		t.Errorf("home lists %v", got)
	}
}
