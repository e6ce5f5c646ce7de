package web_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A site is a room that can be restarted, with a fake host.
type site struct {
	t      testing.TB
	room   *web.Room
	notes  bot.Notes
	host   *fakeHost
	clock  *clock
	random io.Reader
	log    *bottest.Log
	config func(*web.Config)
	mu     sync.Mutex
}

func open(t testing.TB) *site { return openWith(t, func(*web.Config) {}) }

func openWith(t testing.TB, config func(*web.Config)) *site {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	s := &site{
		t: t, notes: memory.New().Notes("web"), host: &fakeHost{}, random: &bottest.Reader{R: rand.NewChaCha8(key)},
		clock: &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}, log: &bottest.Log{}, config: config,
	}
	s.restart()
	t.Cleanup(func() { s.current().Close() })
	return s
}

// restart opens the room again with the same notes.
func (s *site) restart() {
	s.t.Helper()
	c := web.Config{Host: s.host, Notes: s.notes, Now: s.clock.now, Random: s.random, Log: slog.New(slog.NewTextHandler(s.log, nil)), FirstKeeps: true, Confusables: data.Confusables()}
	s.config(&c)
	room, err := web.New(c)
	gametest.Must(s.t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.room != nil {
		s.room.Close()
	}
	s.room = room
}

func (s *site) current() *web.Room {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.room
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.current().ServeHTTP(w, r) }

// post delivers a message of the host.
func (s *site) post(m bot.Message) {
	s.t.Helper()
	s.host.draws(m)
	if err := s.current().Post(s.t.Context(), m); err != nil {
		s.t.Fatalf("Post %s: %v", m.Key, err)
	}
}

// A visitor is a person's browser.
type visitor struct {
	site   *site
	ID     string
	Name   string
	cookie string
	locale string // the browser's language
}

// enter lets a person in under a name.
func (s *site) enter(name string) *visitor {
	s.t.Helper()
	v := &visitor{site: s, Name: name}
	w := v.do("POST", "/api/enter", map[string]string{"name": name})
	if w.Code != http.StatusOK {
		s.t.Fatalf("%s could not enter: %d %s", name, w.Code, w.Body)
	}
	var me struct{ ID string }
	decode(s.t, w, &me)
	v.ID = me.ID
	v.cookie = strings.Split(w.Header().Get("Set-Cookie"), ";")[0]
	return v
}

func (v *visitor) user() *bot.User {
	return &bot.User{ID: game.PlayerID("web:" + v.ID), Name: v.Name}
}

func (v *visitor) request(method, path string, in any) *http.Request {
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		gametest.Must(v.site.t, err)
		body = bytes.NewReader(b)
	}
	req := httptest.NewRequest(method, "http://localhost:8080"+path, body)
	req.Header.Set("Content-Type", "application/json")
	if v.cookie != "" {
		req.Header.Set("Cookie", v.cookie)
	}
	if v.locale != "" {
		req.Header.Set("Accept-Language", v.locale)
	}
	return req
}

func (v *visitor) do(method, path string, in any) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	v.site.ServeHTTP(w, v.request(method, path, in))
	return w
}

// opens requests a page like a person's browser.
func (v *visitor) opens(path string) *httptest.ResponseRecorder {
	req := v.request("GET", path, nil)
	req.Header.Del("Content-Type")
	req.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	return newRecorder(v.site, req)
}

// call sends a request that must succeed.
func call[Out any](v *visitor, path string, in any) (out Out) {
	v.site.t.Helper()
	w := v.do("POST", "/api/"+path, in)
	if w.Code != http.StatusOK {
		v.site.t.Fatalf("%s: %s %v: %d %s", v.Name, path, in, w.Code, w.Body)
	}
	decode(v.site.t, w, &out)
	return out
}

// refused sends a request that must be refused, and returns the reason.
func (v *visitor) refused(path string, in any, status int) string {
	v.site.t.Helper()
	w := v.do("POST", "/api/"+path, in)
	var out struct{ Error string }
	decode(v.site.t, w, &out)
	if w.Code != status || out.Error == "" {
		v.site.t.Errorf("%s: %s %v: %d %q, want %d and a sentence", v.Name, path, in, w.Code, out.Error, status)
	}
	return out.Error
}

type obj map[string]any

var ids struct {
	sync.Mutex
	n int
}

// newID returns a request id like a browser's.
func newID() string {
	ids.Lock()
	defer ids.Unlock()
	ids.n++
	return "test-" + strings.Repeat("0", 4) + string(rune('a'+ids.n/676%26)) + string(rune('a'+ids.n/26%26)) + string(rune('a'+ids.n%26))
}

// say sends a message to a stream and returns its number.
func (v *visitor) say(stream, text string) uint64 {
	v.site.t.Helper()
	return call[struct{ Number uint64 }](v, "say", obj{"stream": stream, "id": newID(), "text": text}).Number
}

// command gives a command and returns the private answer.
func (v *visitor) command(stream, line string) message {
	v.site.t.Helper()
	return call[struct{ Reply message }](v, "say", obj{"stream": stream, "id": newID(), "text": line}).Reply
}

func (v *visitor) messages(stream string, before uint64) []message {
	v.site.t.Helper()
	return call[struct{ Messages []message }](v, "messages", obj{"stream": stream, "before": before}).Messages
}

// A message holds the fields of a message that tests check.
type message struct {
	Stream string
	Number uint64
	ID     string
	From   *struct{ ID, Name string }
	Text   []struct {
		Text, Person         string
		Notify, Strong, Code bool
	}
	Line    []struct{ Text string }
	Picture *struct {
		Src, Dark, Alt string
		Width, Height  int
	}
	Buttons []struct{ ID, Label, Style, Type string }
	Files   []struct {
		Name, Type string
		Data       []byte
	}
	About   string
	Refused bool
	Rack    bool
}

func (m message) text() string {
	var b strings.Builder
	for _, s := range m.Text {
		b.WriteString(s.Text)
	}
	return b.String()
}

func decode(t testing.TB, w *httptest.ResponseRecorder, out any) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), out); err != nil {
		t.Fatalf("answer %d %q: %v", w.Code, w.Body, err)
	}
}

// ears receives the events of a live connection.
type ears struct {
	t      testing.TB
	events chan heard
	close  func()
}

type heard struct {
	name, data string
}

// listen opens a live connection on a real server.
func (v *visitor) listen(server *httptest.Server) *ears {
	v.site.t.Helper()
	ctx, cancel := context.WithCancel(v.site.t.Context())
	req, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/api/live", nil)
	gametest.Must(v.site.t, err)
	req.Header.Set("Cookie", v.cookie)
	res, err := server.Client().Do(req)
	gametest.Must(v.site.t, err)
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		v.site.t.Fatalf("live: %s, %s", res.Status, res.Header.Get("Content-Type"))
	}
	e := &ears{v.site.t, make(chan heard, 1000), func() { cancel(); res.Body.Close() }}
	v.site.t.Cleanup(e.close)
	go func() {
		defer close(e.events)
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<20)
		var h heard
		for lines.Scan() {
			switch field, value, _ := strings.Cut(lines.Text(), ": "); field {
			case "event":
				h.name = value
			case "data":
				h.data = value
			case "":
				if h.name != "" {
					e.events <- h
				}
				h = heard{}
			}
		}
	}()
	return e
}

// next waits for the next event with a name and decodes it.
func next[Out any](e *ears, name string) (out Out) {
	e.t.Helper()
	for {
		select {
		case h, ok := <-e.events:
			if !ok {
				e.t.Fatalf("the connection ended before a %s", name)
			}
			if h.name == name {
				gametest.Must(e.t, json.Unmarshal([]byte(h.data), &out))
				return out
			}
		case <-time.After(patience):
			e.t.Fatalf("heard no %s", name)
		}
	}
}

// A fakeHost answers as a test sets it up, and records its requests.
type fakeHost struct {
	bot.Host // methods that no test calls
	mu       sync.Mutex
	requests []bot.Request
	handle   func(bot.Request) bot.Reply
	choices  func(bot.Request, string) []bot.Choice
	pictures map[bot.Posted]*bot.Picture
	same     [][2]bot.PlayerID
	blocks   map[[2]bot.PlayerID]bool
	left     []string // home and player of each person who left
	playing  bool     // whether a game is on in each channel
	gone     bot.ChannelID
}

func (h *fakeHost) Commands() bot.Commands { return features.Commands() }

// LocaleFor returns the browser's language, ignoring settings.
func (h *fakeHost) LocaleFor(_ context.Context, req bot.Request) *text.Locale {
	to, _ := locales().Match(req.Locale)
	return to
}

var locales = sync.OnceValue(func() *text.Locales {
	all, err := sentences.Load(data.Sentences())
	if err != nil {
		panic(err)
	}
	return sentences.New(append(all.All()[1:], sentences.Pseudo)...)
})

func (h *fakeHost) MemberLeft(_ context.Context, home string, who bot.PlayerID) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = append(h.left, home+" "+string(who))
	return nil
}

func (h *fakeHost) MemberRenamed(context.Context, string, bot.User) error { return nil }

func (h *fakeHost) Sight(context.Context, bot.Request) (bot.Sight, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.playing {
		return bot.Sight{Scene: bot.Scene{Phase: "playing"}}, nil
	}
	return bot.Sight{}, bot.ErrNoTable
}

func (h *fakeHost) Usual(context.Context, bot.Request) (map[string]string, error) {
	return map[string]string{"rules": "classic", "challenge": "single", "language": "en", "lexicon": "en-clean", "pace": "none", "bank": "none", "weekend": "counts", "late": "claim"}, nil
}

func (h *fakeHost) ChannelGone(_ context.Context, ch bot.ChannelID) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gone = ch
	return nil
}

func (h *fakeHost) Retry(context.Context, func(bot.ChannelID) bool) {}

func (h *fakeHost) MaySay(context.Context, string, bot.PlayerID) (text.Text, error) { return nil, nil }

func (h *fakeHost) Same(_ context.Context, a, b bot.PlayerID) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.same = append(h.same, [2]bot.PlayerID{a, b})
	return nil
}

// Blocks reports whether the first player has blocked the second.
func (h *fakeHost) Blocks(_ context.Context, who, whom bot.PlayerID) (bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.blocks[[2]bot.PlayerID{who, whom}], nil
}

func (h *fakeHost) Games(context.Context, bot.PlayerID) ([]bot.Game, error) { return nil, nil }

func (h *fakeHost) HomeGone(context.Context, string) error { return nil }

// draws lets the host draw a message's picture again.
func (h *fakeHost) draws(m bot.Message) {
	p := bot.Posted{Channel: m.Channel, Table: m.Table, Number: m.Number}
	if m.To != nil {
		p.To = m.To.ID
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pictures == nil {
		h.pictures = map[bot.Posted]*bot.Picture{}
	}
	h.pictures[p] = m.Picture
}

// Picture returns the posted picture. Bytes appended to its end mark it as dark.
func (h *fakeHost) Picture(_ context.Context, p bot.Posted, dark bool) (*bot.Picture, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	drawn := h.pictures[p]
	if drawn == nil {
		return nil, bot.ErrNoPicture
	}
	if dark {
		return &bot.Picture{Alt: drawn.Alt, PNG: append(slices.Clone(drawn.PNG), "dark"...)}, nil
	}
	return drawn, nil
}

func (h *fakeHost) Handle(_ context.Context, req bot.Request) bot.Reply {
	h.mu.Lock()
	h.requests = append(h.requests, req)
	handle := h.handle
	h.mu.Unlock()
	if handle == nil {
		return bot.Reply{Text: text.Text{{Text: "Done."}}}
	}
	return handle(req)
}

func (h *fakeHost) Draft(context.Context, bot.Request) (bot.Draft, error) {
	return bot.Draft{}, bot.ErrNoTable
}

// set sets how the host answers from now on; nil means "Done.".
func (h *fakeHost) set(handle func(bot.Request) bot.Reply) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.handle = handle
}

func (h *fakeHost) Complete(_ context.Context, req bot.Request, option string) []bot.Choice {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.choices == nil {
		return nil
	}
	return h.choices(req, option)
}

// last returns the latest request to the host.
func (h *fakeHost) last(t *testing.T) bot.Request {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.requests) == 0 {
		t.Fatal("the host was asked nothing")
	}
	return h.requests[len(h.requests)-1]
}

// hears waits until the host's latest request has a command and arguments.
func (h *fakeHost) hears(t *testing.T, command string, args map[string]string) {
	t.Helper()
	for began := time.Now(); ; <-time.After(10 * time.Millisecond) {
		h.mu.Lock()
		var last bot.Request
		if n := len(h.requests); n > 0 {
			last = h.requests[n-1]
		}
		h.mu.Unlock()
		if last.Command == command && maps.Equal(last.Args, args) {
			return
		}
		if time.Since(began) > patience {
			t.Fatalf("the host was asked for %s %v, want %s %v", last.Command, last.Args, command, args)
		}
	}
}

// A clock stands still until a test advances it or lets it tick.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	since time.Time // when it began to tick
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.since.IsZero() {
		return c.at
	}
	return c.at.Add(time.Since(c.since))
}

// ticking lets the clock run in real time.
func (c *clock) ticking() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since = time.Now()
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// somePNG returns a picture with a size.
func somePNG(t *testing.T, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	gametest.Must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.Bytes()
}

func plain(s string) text.Text { return text.Text{{Text: s}} }

func errText(err error) string {
	if err == nil {
		return ""
	}
	return cmp.Or(err.Error(), "an error")
}
