package web_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// A fakeWall is a tournament that a test shows.
type fakeWall struct {
	mu   sync.Mutex
	wall bot.Wall
	news chan bot.ChannelID
	bot.TablePages
}

func (f *fakeWall) Wall(_ context.Context, key string) (bot.Wall, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if key != "abc" {
		return bot.Wall{}, bot.ErrNoTable
	}
	return f.wall, nil
}

func (f *fakeWall) WallPicture(_ context.Context, key string, board int, _ *text.Tongue) (*bot.Picture, error) {
	if key != "abc" || board != 0 {
		return nil, bot.ErrNoPicture
	}
	return &bot.Picture{PNG: []byte("\x89PNG\r\n\x1a\n")}, nil
}

func (f *fakeWall) Watch(ctx context.Context, fn func(bot.ChannelID)) error {
	for {
		select {
		case ch := <-f.news:
			fn(ch)
		case <-ctx.Done():
			return nil
		}
	}
}

func (f *fakeWall) becomes(change func(*bot.Wall)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.wall)
}

// roundTwo is a tournament of four in its second round.
func roundTwo() *fakeWall {
	return &fakeWall{news: make(chan bot.ChannelID), wall: bot.Wall{
		Name: "Spring <cup>", Phase: "playing", Planned: 3, Digest: "0123abcd",
		Entrants: []bot.WallEntrant{{Name: "Ann", Rating: 1500}, {Name: "Bob"}, {Name: "Zoë & Co"}, {Name: "Dan"}},
		Rounds: []bot.WallRound{
			{Pairings: []bot.WallPairing{{A: 0, B: 1, Result: "412:377", Worth: "1", Over: true}, {A: 2, B: 3, Result: "400:400", Worth: "½", Over: true}}, Standings: standing("1", "½", "½", "0")},
			{Pairings: []bot.WallPairing{{A: 2, B: 0}, {A: 1, B: -1, Over: true}, {A: 3, B: -1, Missed: true, Over: true}}, Standings: standing("1", "½", "½", "0")},
		},
		Boards: []bot.WallBoard{{Title: "1", Names: [2]string{"Zoë & Co", "Ann"}, Scores: [2]int{24, 12}, Record: [2]string{"0–0 0", "1–0 +35"}, Last: text.Item("Ann played HORN"), Unseen: "A A B", Count: 3, Number: 9, On: true, Link: "/g/xyz"}},
	}}
}

func standing(points ...string) (all []bot.WallStanding) {
	for i, who := range []int{0, 2, 3, 1} {
		all = append(all, bot.WallStanding{Entrant: who, Place: i + 1, Points: points[i], Spread: "+35", Won: 1})
	}
	return all
}

func wallSite(t *testing.T, f *fakeWall) (s *site, get func(path string) *httptest.ResponseRecorder) {
	s = openWith(t, func(c *web.Config) { c.Walls, c.Tables = f, f })
	return s, func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost:8080/e/"+path, nil))
		return w
	}
}

// The page of a tournament has pairings, standings by round, the cross table, cards and
// running boards; on a television the game and the round alone.
func TestWallPage(t *testing.T) {
	f := roundTwo()
	_, get := wallSite(t, f)
	page := get("abc").Body.String()
	for _, want := range []string{
		"Spring &lt;cup&gt;", "Round 2 of 3", "Pairings of round 2", "Standings so far", "Standings after round 1", "412:377", "Cross table", "Zoë &amp; Co", "0123abcd",
		"misses the round", "Round 2: a bye.", "Round 1: first against", "Round 1: second against", `href="/g/xyz"`, `src="/e/abc/board/0.png?9"`, `id="player-4"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	tv := get("abc?wall&clear").Body.String()
	if !strings.Contains(tv, `class="page event wall clear"`) || strings.Contains(tv, "Cross table") || strings.Contains(tv, `href="/g/xyz"`) || !strings.Contains(tv, "Ann played HORN") {
		t.Error("the television shows something else")
	}
	f.becomes(func(w *bot.Wall) { w.Delay = 5 })
	if !strings.Contains(get("abc").Body.String(), "5 minutes behind") {
		t.Error("the page doesn't say that it is behind")
	}
	f.becomes(func(w *bot.Wall) { w.Phase, w.Secret = "ended", "beef" })
	if page := get("abc?wall").Body.String(); !strings.Contains(page, "The winners") || !strings.Contains(page, "The tournament is over.") {
		t.Error("after the end nobody has won")
	}
	if !strings.Contains(get("abc").Body.String(), "beef") {
		t.Error("the secret isn't published at the end")
	}
	f.becomes(func(w *bot.Wall) { w.Phase, w.Rounds, w.Boards = "entering", nil, nil })
	if page := get("abc?wall").Body.String(); !strings.Contains(page, "4 have entered") || !strings.Contains(page, "Who plays") {
		t.Error("before it begins nobody is shown")
	}
	for path, want := range map[string]int{"abd": 404, "abc/rack": 404, "abc/board/1.png": 404, "abc/board/x": 404, "abc/board/0.png": 200} {
		if got := get(path).Code; got != want {
			t.Errorf("/e/%s is %d, want %d", path, got, want)
		}
	}
}

// The fields for programs that put pictures together are plain text, at addresses that
// stay when the round and the table change.
func TestWallFields(t *testing.T) {
	f := roundTwo()
	_, get := wallSite(t, f)
	all := func(query string) (lines []string) {
		for _, field := range []string{"p1", "p2", "score", "record", "last-play", "unseen"} {
			w := get("abc/" + field + query)
			if w.Code != 200 || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
				t.Errorf("%s: %d, %s", field, w.Code, w.Header().Get("Content-Type"))
			}
			lines = append(lines, strings.TrimSuffix(w.Body.String(), "\n"))
		}
		return lines
	}
	want := func(query, say string) {
		t.Helper()
		if got := strings.Join(all(query), "|"); got != say {
			t.Errorf("the fields%s say\n%s, want\n%s", query, got, say)
		}
	}
	want("", "Zoë & Co|Ann|Zoë & Co 24 – 12 Ann|Zoë & Co 0–0 0 · Ann 1–0 +35|Ann played HORN|A A B")
	if got := get("abc/standings").Body.String(); !strings.HasPrefix(got, "1. Ann  1  +35\n2. Zoë & Co  ½  +35\n") {
		t.Errorf("the standings say %q", got)
	}
	// Another game is under way at table 2, and that of table 1 is over.
	f.becomes(func(w *bot.Wall) {
		w.Boards[0].Over = true
		w.Boards = append(w.Boards, bot.WallBoard{Title: "2", Names: [2]string{"Dan", "Bob"}, Scores: [2]int{1, 2}, On: true})
	})
	want("", "Dan|Bob|Dan 1 – 2 Bob|Dan  · Bob ||")
	want("?table=1", "Zoë & Co|Ann|Zoë & Co 24 – 12 Ann|Zoë & Co 0–0 0 · Ann 1–0 +35|Ann played HORN|A A B")
	// Another round has begun, and nobody has sat down.
	f.becomes(func(w *bot.Wall) {
		w.Rounds, w.Boards = append(w.Rounds, bot.WallRound{Standings: standing("2", "1", "½", "0")}), nil
	})
	want("", "|||||")
	if got := get("abc/standings").Body.String(); !strings.HasPrefix(got, "1. Ann  2  +35\n") {
		t.Errorf("the standings say %q", got)
	}
}

// A page whose parts haven't changed isn't sent again.
func TestWallParts(t *testing.T) {
	f := roundTwo()
	s, get := wallSite(t, f)
	first := get("abc?part=")
	tag := first.Header().Get("ETag")
	if tag == "" || strings.Contains(first.Body.String(), "<html") {
		t.Fatalf("the parts have the digest %q:\n%s", tag, first.Body)
	}
	again := func() int {
		req := httptest.NewRequest("GET", "http://localhost:8080/e/abc?part=", nil)
		req.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		return w.Code
	}
	if code := again(); code != 304 {
		t.Errorf("what is the same is %d", code)
	}
	f.becomes(func(w *bot.Wall) { w.Boards[0].Scores[0] = 99; w.Boards[0].Number = 10 })
	if code := again(); code != 200 {
		t.Errorf("what is new is %d", code)
	}
}

// A television follows a tournament by itself, in a browser that takes no markup from
// strings.
func TestWallFollows(t *testing.T) {
	ctx := chromium(t)
	f := roundTwo()
	s, _ := wallSite(t, f)
	server := httptest.NewServer(s)
	defer server.Close()
	defer server.CloseClientConnections()
	watch, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { _ = s.current().Run(watch) })
	defer watching.Wait()
	defer stop()
	gametest.Must(t, chromedp.Do(ctx, chromedp.Navigate(server.URL+"/e/abc?wall")))
	shows := func(what string) {
		t.Helper()
		for until := time.Now().Add(patience); ; {
			said, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body.innerText`))
			gametest.Must(t, err)
			if strings.Contains(said, what) {
				return
			}
			if time.Now().After(until) {
				t.Fatalf("it never shows %q: %s", what, said)
			}
			select {
			case f.news <- "web:general":
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
	shows("Round 2 of 3")
	f.becomes(func(w *bot.Wall) { w.Phase = "ended" })
	shows("The winners")
}
