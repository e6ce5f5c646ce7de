package web_test

import (
	"context"
	"fmt"
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

// A fakePage is a page with a key whose content a test sets.
type fakePage struct {
	mu   sync.Mutex
	page bot.Page
	news chan bot.ChannelID
	bot.TablePages
}

func newFakePage() *fakePage {
	return &fakePage{news: make(chan bot.ChannelID), page: bot.Page{
		Title: text.Plain("Spring <cup>"), About: text.Plain("Round 2 of 3"),
		Blocks: []bot.Block{
			bot.Paragraph{Text: text.Text{text.Strong("Round 2 of 3")}},
			bot.Section{Title: text.Plain("Standings"), Blocks: []bot.Block{
				bot.Table{Columns: []bot.Column{{Title: text.Plain("Player")}, {Title: text.Plain("Points"), Number: true}}, Rows: [][]text.Text{{{text.Link("Zoë & Co", "#player-2")}, text.Glue(3)}}},
				bot.Section{Title: text.Plain("Games"), Blocks: []bot.Block{bot.Stills{{Title: text.Plain("Table 1"), File: "board/0.png?9", Caption: text.Plain("Ann played HORN"), Action: bot.Action{Label: text.Plain("Watch"), Link: "/g/xyz"}}}}},
			}},
			bot.Section{ID: "player-2", Title: text.Plain("Zoë"), Fold: true, Blocks: []bot.Block{bot.Paragraph{Text: text.Plain("A bye."), Quiet: true}}},
		},
	}}
}

func (f *fakePage) becomes(change func(*bot.Page)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.page)
}

// pages returns its pages at /e/abc, with a picture and a plain-text field.
func (f *fakePage) pages() bot.Pages {
	find := func(_ context.Context, key string) (bot.Subject, error) {
		if key != "abc" {
			return bot.Subject{}, bot.ErrNoTable
		}
		return bot.Subject{Over: true}, nil
	}
	return bot.Pages{
		Path: "/e/{key}", Live: true, Find: find,
		Show: func(context.Context, bot.Visit) (bot.Page, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			return f.page, nil
		},
		File: func(_ context.Context, _ bot.Visit, name string) (bot.File, error) {
			switch name {
			case "board/0.png":
				return bot.File{Type: "image/png", Data: []byte("\x89PNG\r\n\x1a\n")}, nil
			case "score":
				return bot.File{Type: "text/plain; charset=utf-8", Data: []byte("Ann 24\n")}, nil
			}
			return bot.File{}, bot.ErrNoPicture
		},
	}
}

func (f *fakePage) Watch(ctx context.Context, fn func(bot.ChannelID)) error {
	for {
		select {
		case ch := <-f.news:
			fn(ch)
		case <-ctx.Done():
			return nil
		}
	}
}

func (f *fakePage) site(t *testing.T) (s *site, get func(path string) *httptest.ResponseRecorder) {
	s = openWith(t, func(c *web.Config) { c.Pages, c.Tables = []bot.Pages{f.pages()}, f })
	return s, func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost:8080/e/"+path, nil))
		return w
	}
}

// serve serves the site until the test ends, and returns it with its URL.
func (f *fakePage) serve(t *testing.T) (s *site, url string) {
	s, _ = f.site(t)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections) // the page keeps one open
	return s, server.URL
}

// A page is drawn from its blocks, with people's text escaped. A page for a television has
// no head. Files are served below it, and a missing one is reported.
func TestPageFromBlocks(t *testing.T) {
	f := newFakePage()
	_, get := f.site(t)
	page := get("abc").Body.String()
	for _, want := range []string{
		"Spring &lt;cup&gt;</bdi></h1>", "<p><b>Round 2 of 3</b></p>", "<h2>Standings</h2>", `<th scope="col">Points</th>`, `<a href="#player-2">Zoë &amp; Co</a>`, `<td class="number">3</td>`,
		"<h3>Games</h3>", `src="/e/abc/board/0.png?9"`, `href="/g/xyz"`, `<details class="block fold" id="player-2">`, `<p class="quiet">A bye.</p>`, `class="page-nav"`, `property="og:title" content="Spring &lt;cup&gt;"`, `data-live=""`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	f.becomes(func(p *bot.Page) { p.Screen, p.Clear = true, true })
	if tv := get("abc").Body.String(); !strings.Contains(tv, `class="page screen clear"`) || strings.Contains(tv, "page-nav") {
		t.Errorf("a television shows\n%s", tv)
	}
	for path, want := range map[string]int{"abd": 404, "abd/live": 404, "abc/rack": 404, "abc/board/1.png": 404, "abc/board/0.png": 200, "abc/score": 200} {
		if got := get(path).Code; got != want {
			t.Errorf("/e/%s is %d, want %d", path, got, want)
		}
	}
	if w := get("abc/score"); w.Header().Get("Content-Type") != "text/plain; charset=utf-8" || w.Header().Get("Refresh") != "5" || w.Body.String() != "Ann 24\n" {
		t.Errorf("a field is %q with %v", w.Body, w.Header())
	}
}

// A page whose parts haven't changed isn't sent again.
func TestUnchangedPageIsntResent(t *testing.T) {
	f := newFakePage()
	s, get := f.site(t)
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
	f.becomes(func(p *bot.Page) { p.Blocks = p.Blocks[:1] })
	if code := again(); code != 200 {
		t.Errorf("what is new is %d", code)
	}
}

// A page updates itself, in a browser that accepts no markup from strings.
func TestPageUpdatesItself(t *testing.T) {
	ctx := chromium(t)
	f := newFakePage()
	s, url := f.serve(t)
	watch, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { _ = s.current().Run(watch) })
	defer watching.Wait()
	defer stop()
	gametest.Must(t, chromedp.Do(ctx, chromedp.Navigate(url+"/e/abc")))
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
	f.becomes(func(p *bot.Page) { p.Blocks = append(p.Blocks, bot.Paragraph{Text: text.Plain("The winners")}) })
	shows("The winners")
}

// TestTelevisionShowsEveryRow checks that a television at 720p shows every row of two long tables beside a board,
// page by page, and that nothing sticks out.
func TestTelevisionShowsEveryRow(t *testing.T) {
	browser := chromium(t)
	f := newFakePage()
	_, url := f.serve(t)
	table := func(rows int) bot.Table {
		table := bot.Table{Columns: []bot.Column{{Title: text.Plain("Place"), Number: true}, {Title: text.Plain("Player")}}}
		for i := range rows {
			table.Rows = append(table.Rows, []text.Text{text.Glue(i + 1), text.Plain(fmt.Sprint("Player ", i+1))})
		}
		return table
	}
	section := func(title string, rows int) bot.Block {
		return bot.Section{Title: text.Plain(title), Blocks: []bot.Block{table(rows)}}
	}
	still := bot.Stills{{Title: text.Plain("Table 1"), About: text.Plain("Ann · Bob"), File: "board/0.png?9", Caption: text.Plain("Ann plays HORN.")}}
	for _, blocks := range [][]bot.Block{
		{bot.Paragraph{Text: text.Plain("Round 2 of 5")}, still, section("Pairings", 17), section("Standings", 33)},
		{bot.Paragraph{Text: text.Plain("Round 2 of 5")}, section("Pairings", 17), section("Standings", 33)},
		{bot.Paragraph{Text: text.Plain("After round 2 of 5")}, section("Standings", 33)},
	} {
		f.becomes(func(p *bot.Page) { p.Screen, p.Blocks = true, blocks })
		w := newWindow(t, browser, "a television", url+"/e/abc?wall", 1280, 720)
		w.wait(`document.querySelectorAll("tbody tr").length >= 33`)
		w.faultless("a page turned by itself", `(async () => {
			const { turn, pages } = await import("/static/screen.js"), unseen = new Set(document.querySelectorAll("tbody tr"));
			const lists = [...document.querySelectorAll(".block-scroll")], most = Math.max(...lists.map((l) => pages(l).length));
			for (let n = 0; n < most * 4; n++) {
				turn(n * 8000);
				for (const list of lists) {
					const box = list.getBoundingClientRect(), top = list.querySelector("thead").getBoundingClientRect().bottom;
					for (const row of list.querySelectorAll("tr")) {
						const at = row.getBoundingClientRect();
						if (at.top >= top - 1 && at.bottom <= Math.min(box.bottom, innerHeight) + 1) unseen.delete(row);
					}
				}
			}
			const out = [...document.querySelectorAll(".page-aside > *")].filter((e) => e.getBoundingClientRect().bottom > innerHeight + 1);
			return [...[...unseen].map((row) => row.textContent), ...out.map((e) => "below the screen: " + e.textContent.slice(0, 40)), ...(most > 4 ? ["it turns " + most + " pages"] : [])];
		})()`)
	}
}

// TestPhoneShowsWideTable checks that a phone of 390 pixels shows every cell of a wide table.
func TestPhoneShowsWideTable(t *testing.T) {
	browser := chromium(t)
	f := newFakePage()
	_, url := f.serve(t)
	table := bot.Table{Cards: true}
	for i, name := range []string{"Place", "Player", "Points", "Won, drawn, lost", "Spread", "To play", "Possible places"} {
		table.Columns = append(table.Columns, bot.Column{Title: text.Plain(name), Number: i != 1})
	}
	for i := range 8 {
		table.Rows = append(table.Rows, []text.Text{text.Glue(i + 1), text.Plain("Somebody with a rather long name"), text.Plain("3½"), text.Plain("3–1–2"), text.Plain("+1,284"), text.Plain("4"), text.Plain("1–8")})
	}
	f.becomes(func(p *bot.Page) { p.Blocks = []bot.Block{table} })
	w := newWindow(t, browser, "a phone", url+"/e/abc", 390, 844)
	w.wait(`document.querySelectorAll(".cards tbody tr").length === 8`)
	w.faultless("a wide table", `[...document.querySelectorAll(".cards td")].filter((c) => { const at = c.getBoundingClientRect(); return !at.width || at.right > innerWidth || at.left < 0; }).map((c) => c.textContent)`)
	w.faultless("its headings", `[...document.querySelectorAll(".cards td:nth-child(n + 3)")].filter((c) => getComputedStyle(c, "::before").content === "none").map((c) => c.textContent)`)
	w.accessible("a wide table", axe(t))
}
