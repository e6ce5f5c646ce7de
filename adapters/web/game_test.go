package web_test

import (
	"context"
	crand "crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// A house is the complete program: a room, the real host, and a store in a file. It can be
// stopped and restarted behind its address.
type house struct {
	t         testing.TB
	path      string
	door      web.Door
	with      func(*web.Config) // may be nil
	equipment game.Equipment
	lexicon   *lexicon.Lexicon
	light     *imaging.Renderer
	dark      *imaging.Renderer
	log       *bottest.Log
	ahead     atomic.Int64 // how far its clock is ahead

	mu   sync.RWMutex // read-locked by each request, write-locked while the house changes
	room *web.Room    // nil while stopped
	host *host.Host
	db   *bolt.DB
	stop func()
}

// serves serves the room to browsers until the test ends.
func (h *house) serves() *httptest.Server {
	server := httptest.NewServer(h)
	h.t.Cleanup(server.Close)
	h.t.Cleanup(func() { h.stop() })
	return server
}

func newHouse(t testing.TB) *house {
	t.Helper()
	return newHouseOf(t, gametest.Part(t, "en"))
}

// newHouseOf starts a house that plays with a word list.
func newHouseOf(t testing.TB, list *lexicon.Lexicon) *house {
	t.Helper()
	h := &house{
		t: t, path: filepath.Join(t.TempDir(), "rackmate.db"), log: &bottest.Log{},
		equipment: gametest.Equipment(t), lexicon: list,
		light: bottest.Renderer(t, imaging.Light), dark: bottest.Renderer(t, imaging.Dark),
	}
	h.start()
	t.Cleanup(func() { h.stop() })
	return h
}

// mind returns the robots' knowledge of a word list, shared by all houses: each word with
// -long, and otherwise half, which makes daily boards for the end of a week faster to find.
func mind(x *lexicon.Lexicon) *robot.Mind {
	minds.Lock()
	defer minds.Unlock()
	if minds.of[x] == nil {
		know := featuretest.HalfKnown
		if gametest.Long() {
			know = featuretest.Mind
		}
		minds.of[x] = know(x)
	}
	return minds.of[x]
}

// minds are shared, because building the graph takes longer than most tests.
var minds = struct {
	sync.Mutex
	of map[*lexicon.Lexicon]*robot.Mind
}{of: map[*lexicon.Lexicon]*robot.Mind{}}

// now returns the time of the house's clock, which may be ahead of the real one.
func (h *house) now() time.Time { return time.Now().Add(time.Duration(h.ahead.Load())) }

func (h *house) start() {
	h.t.Helper()
	db, err := bolt.Open(h.path, h.now)
	gametest.Must(h.t, err)
	log := slog.New(slog.NewTextHandler(h.log, nil))
	var room *web.Room
	host := host.New(host.Config{
		Features: features.All, Order: features.Order(),
		Store: db, Notes: db.Notes("host"), Equipment: h.equipment, Lexicons: []*lexicon.Lexicon{h.lexicon},
		DefaultLexicon: h.lexicon.Name(),
		Platforms:      func() []bot.Platform { return []bot.Platform{room.Platform()} },
		Renderer: func(theme imaging.Theme) *imaging.Renderer {
			if theme == imaging.Dark {
				return h.dark
			}
			return h.light
		},
		Locales: locales(), URL: "https://play.example.org", Mind: mind,
		Now: h.now, Random: crand.Reader, Log: log,
	})
	config := web.Config{Host: host, Tables: host.TablePages(), Pages: host.Pages(), URL: "https://play.example.org", Door: h.door, FirstKeeps: true, Notes: db.Notes("web"), Now: h.now, Random: crand.Reader, Log: log}
	if h.with != nil {
		h.with(&config)
	}
	if room, err = web.New(config); err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { host.Deliver(ctx, web.Platform, room) })
	running.Go(func() { host.RunTimers(ctx) })
	running.Go(func() { room.Run(ctx) })
	h.mu.Lock()
	h.room, h.host, h.db = room, host, db
	h.mu.Unlock()
	h.stop = func() {
		room.Close()
		h.mu.Lock()
		defer h.mu.Unlock()
		h.room = nil
		cancel()
		running.Wait()
		if err := db.Close(); err != nil {
			h.t.Error(err)
		}
		h.stop = func() {}
	}
}

func (h *house) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.room == nil {
		panic(http.ErrAbortHandler) // as if no server were there
	}
	h.room.ServeHTTP(w, r)
}

// state returns the game in general.
func (h *house) state() game.State { return h.stateIn("web:general") }

// stateIn returns the game in a channel.
func (h *house) stateIn(ch bot.ChannelID) game.State {
	h.t.Helper()
	_, events, err := h.db.Table(h.t.Context(), ch)
	gametest.Must(h.t, err)
	s, err := game.Replay(events)
	gametest.Must(h.t, err)
	return s
}

// A turn records what the player to move does: the highest-scoring play, or else an
// exchange, or else a pass.
type turn struct {
	line  string // typed command
	told  string // resulting public message
	laid  []laid // tiles of a play
	score int
}

// laid is a tile that a play puts on a square. Squares are numbered row by row.
type laid struct {
	square        int
	letter        string
	blank, across bool
}

func (h *house) move(g *movegen.Generator, s game.State) (do turn) {
	who, rack := s.Seats[s.Turn].Person.Name, s.Seats[s.Turn].Rack
	plays := g.Plays(&s.Board, rack)
	if len(plays) == 0 {
		if len(s.Bag) >= s.Rules.ExchangeMin {
			tile := h.equipment.Tiles.Text(rack.At(0))
			return turn{line: "/exchange " + tile, told: who + " exchanged 1 tile"}
		}
		return turn{line: "/pass sure:yes", told: who + " passed"}
	}
	best := slices.MaxFunc(plays, func(a, b movegen.Play) int { return int(a.Score - b.Score) })
	m := best.Move()
	var typed, word strings.Builder
	at := m.At
	for i := range len(m.Tiles) {
		tile := m.Tiles.At(i)
		old := tile == game.NoTile
		if old {
			tile = s.Board.Tile(at)
		} else if tile.IsBlank() {
			typed.WriteString("?")
		}
		letter := h.lexicon.Alphabet().Text(tile.Letter())
		if !old {
			do.laid = append(do.laid, laid{at.Row*15 + at.Col, letter, tile.IsBlank(), m.Dir == game.Across})
		}
		typed.WriteString(strings.ToLower(letter))
		word.WriteString(letter)
		at = at.Step(m.Dir, 1)
	}
	where := m.At.At(m.Dir)
	do.score = int(best.Score)
	do.line = "/play " + typed.String() + " " + strings.ToLower(where)
	do.told = fmt.Sprintf("%s played %s at %s for %d", who, word.String(), where, best.Score)
	return do
}

// lays lays tiles on the board by tapping.
func (w *window) lays(tiles []laid) {
	w.t.Helper()
	lay(w, tiles)
}

// A hand lays tiles in any browser.
type hand interface {
	click(selector string)
	tap(find string)
	reaches(square int)
}

// lay clicks each tile and then its square.
func lay(with hand, tiles []laid) {
	for _, l := range tiles {
		name := `[aria-label^="` + l.letter + `,"]`
		if l.blank {
			name = `[aria-label="Blank"]`
		}
		with.click(".rack button" + name)
		with.reaches(l.square) // a small board is zoomed while a tile is laid
		with.click(fmt.Sprintf(`[data-square="%d"]`, l.square))
		if l.blank {
			choose := fmt.Sprintf(`[...document.querySelectorAll(".letters button")].find((b) => b.innerText === %q)`, l.letter)
			with.tap(choose)
		}
	}
}

// writes types tiles on the board, beginning at the square of the first.
func (w *window) writes(tiles []laid) {
	w.t.Helper()
	cursor := fmt.Sprintf(`[data-square="%d"]`, tiles[0].square)
	w.click(cursor)
	w.wait(`document.activeElement?.matches(` + quote(cursor) + `)`)
	if arrow := map[bool]string{true: "across", false: "down"}[tiles[0].across]; !eval[bool](w, fmt.Sprintf(`document.querySelector('%s').classList.contains(%q)`, cursor, arrow)) {
		w.types(" ")
	}
	for i, l := range tiles {
		// Step over letters on the board: their keys might lay a tile.
		step, past := 15, "ArrowDown"
		if l.across {
			step, past = 1, "ArrowRight"
		}
		for at := tiles[max(0, i-1)].square + step; at < l.square; at += step {
			w.key(past)
		}
		if l.blank {
			shift := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: l.letter, Text: l.letter, Modifiers: 8}
			if _, err := chromedp.Call(w.ctx, input.DispatchKeyEvent, shift); err != nil {
				w.t.Fatalf("%s: %v", w.name, err)
			}
			continue
		}
		w.types(strings.ToLower(l.letter))
	}
}

// canPlay waits until a draft shows its score and can be played, which takes a moment after
// the board has changed.
func (w *window) canPlay(score int) {
	w.t.Helper()
	w.wait(fmt.Sprintf(`document.querySelector(".controls .play:not([aria-disabled])")?.innerText === "Play %d"`, score))
}

// reviewed matches the racks of a review, which only finished games have.
var reviewed = regexp.MustCompile(`"rack":\[[^\]]*\],"loss"`)

// rackTold matches a rack of five or more tiles.
var rackTold = regexp.MustCompile(`"rack":\[((?:"[A-Z?]",){4,6}"[A-Z?]")\]`)

// On a phone the conversation is a sheet. A private answer, with its buttons, and other
// people's messages appear below the board for a while and cover nothing.
func TestPhoneMessagesLeaveBoardClear(t *testing.T) {
	browser := chromium(t)
	h := newHouse(t)
	server := h.serves()
	ann := newWindow(t, browser, "Ann", server.URL, 360, 740)
	ann.enters()
	ann.sends("/new seats:2")
	bob := newWindow(t, browser, "Bob", server.URL, 1280, 800)
	bob.enters()
	bob.sends("/join")
	ann.shows("#board .caption", "goes first")
	free := []string{".field", ".rack", ".acts .play", `.acts [aria-label="More"]`, "#chat-open", "#side-open"}

	bob.sends("good luck")
	ann.shows("#strip", "Bob: good luck")
	ann.wait(`document.getElementById("chat-open").dataset.n === "1"`)
	ann.inView(append(free, "#strip")...)
	ann.click(`.acts [aria-label="More"]`)
	ann.tap(`[...document.querySelectorAll(".extras button")].find((b) => b.innerText === "Resign")`)
	ann.shows("#strip .button", "Yes, resign")
	ann.inView(append(free, "#strip .button")...)
	ann.click("#chat-open")
	ann.shows("#messages", "good luck")
	ann.shows("#messages", "Only you can see this")
	ann.wait(`!document.getElementById("chat-open").dataset.n && document.getElementById("strip").innerText === ""`)

	// A recovery code is offered there too, without covering anything.
	ann.shows("#offer", "recovery code")
	ann.inView("#offer", "#box")
	ann.click("#offer .primary")
	ann.wait(`document.querySelector("#offer .code")?.innerText.length === 19`)
	ann.inView("#box")
	ann.click("#offer .icon-button")
	ann.click("#chat-close")
	ann.inView(free...)
	ann.text(200)
	ann.legible("in large text")
	ann.text(100)
	// All buttons fit in a row, even with a language's longer words on a small phone.
	eval[chromedp.Void](ann, `document.querySelector(".acts .play").innerText = "Wirklich: Legen 120"`)
	for _, height := range []int64{740, 640} {
		ann.do(chromedp.EmulateViewport(360, height, chromedp.EmulateMobile))
		ann.wait(`new Set([...document.querySelectorAll(".acts button")].map((b) => b.offsetTop)).size === 1`)
		ann.inView(free...)
	}
	for _, w := range []*window{ann, bob} {
		w.quiet("")
	}
}

// On a phone, the completions of a command leave the board in view, such as the squares of
// an unscrabble board that the player needs to see.
func TestCompletionsLeaveBoardInView(t *testing.T) {
	browser := chromium(t)
	h := newHouse(t)
	server := h.serves()
	ann := newWindow(t, browser, "Ann", server.URL, 360, 740)
	ann.enters()
	ann.sends("/new variant:unscrabble seats:2")
	ann.shows("#messages", "wants to play")
	h.says(dora, "web:general", "/join")
	ann.shows("#board .caption", "goes first")
	if s := h.state(); s.Seats[s.Turn].Person.ID == dora.ID {
		h.says(dora, "web:general", "/pass sure:yes")
		ann.shows("#board .caption", "passed")
	}
	ann.wait(`!document.querySelector(".composer.busy")`)
	ann.converses()
	ann.types("/remove ")
	ann.wait(`document.querySelectorAll("#menu-list li").length > 10`)
	ann.inView("#menu", "#box")
	ann.wait(`document.getElementById("menu").getBoundingClientRect().top >= document.querySelector(".board").getBoundingClientRect().top + 200`)
	if room := eval[float64](ann, `document.getElementById("menu-list").getBoundingClientRect().height`); room < 44 {
		t.Errorf("what is offered has %v px", room)
	}
	ann.quiet("")
}

// Two people play a game to its end in two browsers, with reloads and restarts in between.
// Neither browser ever receives the other's rack.
func TestWholeGameInTwoBrowsers(t *testing.T) {
	browser := chromium(t)
	h := newHouse(t)
	server := h.serves()

	ann := newWindow(t, browser, "Ann", server.URL, 1280, 800)
	ann.enters()
	bob := newWindow(t, browser, "Bob", server.URL, 360, 740)
	bob.dark(true)
	bob.enters()
	both := []*window{ann, bob}
	windows := map[string]*window{"Ann": ann, "Bob": bob}

	ann.sends("/new seats:2")
	press := func(w *window, label string) {
		t.Helper()
		find := fmt.Sprintf(`[...document.querySelectorAll("#messages .buttons .button")].findLast((b) => b.innerText === %q)`, label)
		w.tap(find)
	}
	press(bob, "Join")
	if h.waitPhase(game.Lobby, game.Playing) == game.Lobby {
		ann.shows("#messages", "Bob sits down")
		press(ann, "Start")
	}
	for _, w := range both {
		w.shows("#board .caption", "goes first")
		w.wait(`document.querySelectorAll(".rack button").length === 7`)
	}

	racks := map[string]map[string]bool{"Ann": {}, "Bob": {}}
	turn := 0
	var g *movegen.Generator
	for ; turn < 80; turn++ {
		s := h.state()
		if s.Phase == game.Closing {
			// The last play can be challenged.
			find := `[...document.querySelectorAll("#board .beside button")].find((b) => b.innerText === "Accept it")`
			w := windows[s.Seats[1-s.Latest.Seat].Person.Name]
			w.tap(find)
			for _, w := range both {
				w.shows("#board .caption", "wins")
			}
			s = h.state()
		}
		if s.Phase != game.Playing {
			break
		}
		if g == nil {
			var err error
			if g, err = movegen.New(h.lexicon, h.equipment, s.Rules); err != nil {
				t.Fatal(err)
			}
		}
		for _, seat := range s.Seats {
			racks[seat.Person.Name][h.sorted(seat.Rack)] = true
		}
		w := windows[s.Seats[s.Turn].Person.Name]
		do := h.move(g, s)
		switch turn {
		case 2:
			w.do(chromedp.Reload())
			w.wait(`document.querySelectorAll(".rack button").length === 7`)
		case 4:
			h.stop()
			h.start()
		case 6:
			// The move is sent while the host is stopped, and arrives after its start.
			h.stop()
			w.converses()
			w.types(do.line)
			w.has(do.line)
			w.click("#send") // Escape would close the conversation: without the host there are no completions
			w.wait(`document.querySelector(".composer.busy")`)
			h.start()
		}
		switch {
		case turn == 6:
		case len(do.laid) == 0 || turn%7 == 3:
			w.converses()
			w.sends(do.line)
		case w == ann:
			w.writes(do.laid)
			w.canPlay(do.score)
			if turn == 8 {
				// The play is made while the host is stopped, and arrives after its start.
				h.stop()
				w.key("Enter")
				h.start()
			} else {
				w.key("Enter")
			}
		default:
			w.lays(do.laid)
			w.canPlay(do.score)
			w.click(".controls .play")
		}
		for _, w := range both {
			// After a sixth turn without a score the caption shows the result instead.
			w.wait(fmt.Sprintf(`document.querySelector("#board .caption")?.innerText.includes(%q) || document.querySelector(".ending:not([hidden])")`, do.told))
		}
		w.plays()
		w.wait(`document.getElementById("box").value === "" && !document.querySelector(".refused") && !document.querySelector(".tally.bad")`)
	}
	final := h.state()
	if final.Phase != game.Over {
		t.Fatalf("after %d turns the game is not over", turn)
	}
	t.Logf("%d turns, %d to %d", turn, final.Seats[0].Score, final.Seats[1].Score)

	for _, w := range both {
		w.shows(".ending h2", "Game over")
		w.click(".ending .icon-button")
		w.wait(`document.querySelector(".ending").hidden`)
		w.converses()
		w.wait(`[...document.querySelectorAll("#messages .fold")].at(-1)?.innerText.includes("The game is over")`)
		w.do(chromedp.Reload())
		w.wait(`document.querySelector(".message")`)
		w.converses()
		w.wait(`[...document.querySelectorAll("#messages .fold")].at(-1)?.innerText.includes("The game is over")`)
		w.wait(`[...document.querySelectorAll("#messages img")].every((i) => i.naturalWidth > 0 && i.currentSrc.endsWith("?dark") === ` + fmt.Sprint(w == bob) + `)`)
		w.quiet(`net::ERR|Failed to load resource`)
	}
	ann.sends("/export")
	ann.wait(`document.querySelector(".answer a[download$='.gcg']")`)
	ann.sends("/replay")
	ann.wait(`document.querySelector(".answer .picture img[src^='data:image/gif']")?.naturalWidth > 0`)

	left := map[string]bool{} // racks shown to everyone at the end
	for _, rack := range final.End.Racks {
		left[h.sorted(rack)] = true
	}
	other := map[string]string{"Ann": "Bob", "Bob": "Ann"}
	for name, w := range windows {
		heard := reviewed.ReplaceAllString(w.heard(), `"loss"`) // the review of a finished game shows all racks
		page := eval[string](w, "document.documentElement.outerHTML")
		own := 0
		for _, m := range rackTold.FindAllStringSubmatch(heard, -1) {
			letters := strings.NewReplacer(`"`, "", ",", "").Replace(m[1])
			rack := []byte(letters)
			slices.Sort(rack)
			switch {
			case racks[name][string(rack)]:
				own++
			case racks[other[name]][string(rack)] && !left[string(rack)]:
				t.Errorf("%s's browser was told %s's rack %s", name, other[name], rack)
			}
		}
		if own < 10 {
			t.Errorf("%s's browser was told %d racks, fewer than there were: this test looks in the wrong place", name, own)
		}
		for _, path := range regexp.MustCompile(`/pictures/(dm\.[^/]+)/`).FindAllStringSubmatch(heard+page, -1) {
			if mine := "dm." + eval[string](w, `fetch("/api/me").then((r) => r.json()).then((known) => known.me.id)`); path[1] != mine {
				t.Fatalf("%s's browser got a picture of %s", name, path[1])
			}
		}
		// Nor in another form: none of the other player's full racks, in any order and
		// spelling that the host would use.
		for rack := range racks[other[name]] {
			if len(rack) < 7 || racks[name][rack] || left[rack] {
				continue
			}
			for _, form := range []string{rack, strings.Join(strings.Split(rack, ""), " "), strings.Join(strings.Split(rack, ""), `","`)} {
				if strings.Contains(heard, form) {
					t.Errorf("%s's browser heard %s's rack %q", name, other[name], form)
				}
			}
		}
	}
	if log := h.log.String(); strings.Contains(log, "level=ERROR") {
		t.Errorf("the log has errors:\n%s", log)
	}
}

// sorted returns a rack's letters in alphabetical order, for comparing racks.
func (h *house) sorted(rack game.Tiles) string {
	b := []byte(h.equipment.Tiles.Print(rack))
	slices.Sort(b)
	return string(b)
}

// waitPhase waits until the table reaches one of the phases, and returns it.
func (h *house) waitPhase(phases ...game.Phase) game.Phase {
	h.t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-deadline:
			h.t.Fatal("nobody joined")
		case <-tick.C:
			if s := h.state(); len(s.Seats) == 2 && slices.Contains(phases, s.Phase) {
				return s.Phase
			}
		}
	}
}
