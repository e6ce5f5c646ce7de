package slack_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

const (
	games = "C0GAMES"
	ann   = "U0ANN"
	bob   = "U0BOB"
	cat   = "W0CAT"
	eve   = "U0EVE" // of another workspace
)

// A store holds the data of a host, including its adapter's notes.
type store interface {
	bot.Store
	Notes(adapter string) bot.Notes
	Close() error
}

// A world is a Slack, and a host with its adapter, whose data outlasts them.
type world struct {
	t       testing.TB
	s       *slacktest.Slack
	file    string        // of the data; "" means in memory
	memory  *memory.Store // if there is no file
	config  slack.Config
	lexicon *lexicon.Lexicon
	db      store // of the current or latest host
	host    *host.Host
	adapter *slack.Adapter
	log     *bottest.Log
	front   *httptest.Server                     // the adapter over HTTP, if it uses that
	slow    sync.Mutex                           // held to make the host wait
	looked  func()                               // see slowHost
	ahead   atomic.Int64                         // how far the host's clock is ahead of ours
	after   func(time.Duration) <-chan time.Time // replaces the adapter's timer
	stop    func()
	place   string                    // the thread of the game, "" for the channel
	url     string                    // public address of the host
	among   func(bot.Notes) bot.Notes // wraps the adapter's notes; nil changes nothing
	whole   bool                      // whether the host knows all of the adapter's platform
}

// A slowHost waits for a mutex before each command, and calls looked after it has listed a
// person's games.
type slowHost struct {
	*host.Host
	mu     *sync.Mutex
	looked func()
}

func (h slowHost) Games(ctx context.Context, who game.PlayerID) ([]bot.Game, error) {
	games, err := h.Host.Games(ctx, who)
	if h.looked != nil {
		h.looked()
	}
	return games, err
}

func (h slowHost) Handle(ctx context.Context, req bot.Request) bot.Reply {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.Host.Handle(ctx, req)
}

// newWorld returns a Slack with the app running, by Socket Mode unless changed.
func newWorld(t testing.TB, o slacktest.Options, changes ...func(*slack.Config)) *world {
	t.Helper()
	return newWorldOf(t, bottest.Small(t), o, changes...)
}

// newWorldOf returns such a world with a given word list.
func newWorldOf(t testing.TB, l *lexicon.Lexicon, o slacktest.Options, changes ...func(*slack.Config)) *world {
	t.Helper()
	w := &world{t: t, s: slacktest.New(o), memory: memory.New(), lexicon: l, after: soon}
	w.log = &bottest.Log{Told: w.s.Nudge}
	w.config = slack.Config{AppToken: slacktest.AppToken, BotToken: slacktest.BotToken, API: w.s.URL, Now: w.now}
	for _, change := range changes {
		change(&w.config)
	}
	w.start()
	t.Cleanup(func() {
		w.stop()
		w.s.Close()
		for _, c := range w.s.Complaints() {
			t.Errorf("Slack complains: %s", c)
		}
		if t.Failed() {
			t.Logf("the log:\n%s", w.log)
		}
	})
	return w
}

// soon shortens waits for Slack, or before a retry, to a thousandth. Waits for an answer are
// never too short.
func soon(d time.Duration) <-chan time.Time {
	if ample(d) {
		return time.After(time.Minute)
	}
	return time.After(d / 1000)
}

// ample reports whether a wait is for the app's own answer, which gets more time in tests
// because the machine may be busy.
func ample(d time.Duration) bool { return d == slack.Moment || d == slack.AckTime }

// over returns a wait that has ended.
func over() <-chan time.Time {
	ended := make(chan time.Time)
	close(ended)
	return ended
}

// now returns the time of the host's clock.
func (w *world) now() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

// later advances the host's clock, and triggers what was postponed until then.
func (w *world) later(d time.Duration) {
	w.ahead.Add(int64(d))
	w.host.Rouse(slack.Platform)
}

// restart restarts the host, with its clock advanced.
func (w *world) restart(later time.Duration) {
	w.t.Helper()
	w.stop()
	w.ahead.Add(int64(later))
	w.start()
}

// restartWith restarts the host with another timer.
func (w *world) restartWith(after func(time.Duration) <-chan time.Time) {
	w.t.Helper()
	w.after = after
	w.restart(0)
}

// moveToFile restarts the host with an empty file for its data.
func (w *world) moveToFile() {
	w.t.Helper()
	w.stop()
	w.file = filepath.Join(w.t.TempDir(), "rackmate.db")
	w.start()
}

// data opens the data; the caller must close it.
func (w *world) data() store {
	w.t.Helper()
	if w.file == "" {
		return w.memory
	}
	db, err := bolt.Open(w.file, w.now)
	gametest.Must(w.t, err)
	return db
}

// start opens the data and runs the host and the adapter on it.
func (w *world) start() {
	w.t.Helper()
	db := w.data()
	w.db = db
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.host = newHost(w.t, db, w.lexicon, w.now, log, w.url, func() bot.Platform {
		if w.whole && w.adapter != nil {
			p := w.adapter.Platform()
			p.Lexicon = "" // only one list is loaded
			return p
		}
		return bot.Platform{Name: slack.Platform, Cards: true, Colleagues: true, Obstacle: func(ctx context.Context, ch bot.ChannelID) text.Text {
			return w.adapter.Platform().Obstacle(ctx, ch)
		}}
	})
	c := w.config
	c.Host, c.Notes, c.Log = slowHost{w.host, &w.slow, w.looked}, db.Notes(slack.Platform), log
	if c.PagesURL != "" {
		c.Pages = w.host.TablePages()
	}
	if w.among != nil {
		c.Notes = w.among(c.Notes)
	}
	adapter, err := slack.New(c)
	gametest.Must(w.t, err)
	w.adapter = adapter
	w.adapter.SetGap(w.s.Gap)
	w.adapter.SetAfter(w.after)
	if c.AppToken == "" { // before anything is posted, because Slack fetches pictures from it
		w.front = httptest.NewServer(w.adapter)
		w.s.CallHTTP(w.front.URL)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.adapter.Run(ctx); err != nil {
			w.t.Errorf("Run: %v", err)
		}
	})
	running.Go(func() { w.host.Deliver(ctx, slack.Platform, w.adapter) })
	running.Go(func() { w.host.RunTimers(ctx) })
	w.stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
		if w.front != nil {
			w.s.CallHTTP("") // nothing can be fetched from it any more
			w.front.Close()
		}
		w.adapter.Wait()
		w.holdsNothingPrivate()
		if err := db.Close(); err != nil {
			w.t.Error(err)
		}
		w.await("the connection to end", func() bool { return w.s.Connected() == 0 })
	})
	if c.AppToken != "" {
		w.await("a connection", func() bool { return w.s.Connected() == 1 })
	}
}

// holdsNothingPrivate fails if the log of a world contains a secret, an address by which
// others could answer for us, or a rack, whatever went wrong.
func (w *world) holdsNothingPrivate() {
	log := w.log.String()
	for _, secret := range append(racks(w.db), slacktest.BotToken, slacktest.AppToken, slacktest.Secret, w.s.URL+"/") {
		if strings.Contains(log, secret) {
			w.t.Errorf("the log has %q:\n%s", secret, log)
		}
	}
}

// racks returns all racks that players ever held.
func racks(store bot.Store) (all []string) {
	for id := bot.TableID(1); ; id++ {
		_, events, err := store.Events(context.Background(), id, -1)
		if err != nil {
			return all
		}
		all = append(all, gametest.Racks(events)...)
	}
}

// newHost returns a host on a store, with one word list.
func newHost(t testing.TB, db store, l *lexicon.Lexicon, now func() time.Time, log *slog.Logger, url string, platform func() bot.Platform) *host.Host {
	mind := featuretest.Mind
	if l.Name() == "small" {
		mind = featuretest.HalfKnown
	}
	return host.New(host.Config{
		Features: features.All, Order: features.Order(),
		Store: db, Notes: db.Notes("host"), Equipment: gametest.Equipment(t), Layouts: gametest.Layouts(t), Lexicons: []*lexicon.Lexicon{l},
		DefaultLexicon: l.Name(),
		Renderer:       func(imaging.Theme) *imaging.Renderer { return lightRenderer() },
		Platforms:      func() []bot.Platform { return []bot.Platform{platform()} },
		Mind:           mind,
		Locales:        locales(),
		URL:            url, Now: now, Random: rand.Reader, Log: log,
	})
}

// await waits until holds returns true, or fails the test.
func (w *world) await(what string, holds func() bool) {
	w.t.Helper()
	if !w.s.Await(holds) {
		w.t.Fatalf("waited in vain for %s\nprivate to Ann: %s\nchannel: %s\ncomplaints: %v\n%s", what, said(w.s.Private(ann)), said(w.s.Messages(games)), w.s.Complaints(), w.log)
	}
}

func said(ms []slacktest.Message) string {
	var b strings.Builder
	for _, m := range ms {
		b.WriteString("| " + m.Said() + m.Text + "\n")
	}
	return b.String()
}

// slash types a command, and waits for the private answer.
func (w *world) slash(who, command, text string) slacktest.Message {
	w.t.Helper()
	before := len(w.s.Private(who))
	gametest.Must(w.t, w.s.Slash(who, games, command, text))
	return w.answer(who, before)
}

// answer waits for the private answer after the first n.
func (w *world) answer(who string, n int) slacktest.Message {
	w.t.Helper()
	w.await("an answer to "+who, func() bool { return len(w.s.Private(who)) > n })
	return w.s.Private(who)[n]
}

// press presses a button under a message, and waits for the private answer.
func (w *world) press(who string, m slacktest.Message, label string, ticked slacktest.State) slacktest.Message {
	w.t.Helper()
	before := len(w.s.Private(who))
	gametest.Must(w.t, w.s.Press(who, m, label, ticked))
	return w.answer(who, before)
}

// post waits until a message of the channel contains a text, and returns the latest such
// message.
func (w *world) post(says string) (found slacktest.Message) {
	w.t.Helper()
	w.await("a post that says "+says, func() bool {
		for _, m := range slices.Backward(w.s.Messages(games)) {
			if strings.Contains(m.Said(), says) {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

// form waits for a form with a title.
func (w *world) form(who, title string) slacktest.View {
	w.t.Helper()
	w.await("the form "+title, func() bool { v, ok := w.s.Top(who); return ok && v.Title == title })
	v, _ := w.s.Top(who)
	return v
}

// formOf opens the form of a command from the rest of the launcher.
func (w *world) formOf(who, title string) slacktest.View {
	w.t.Helper()
	gametest.Must(w.t, w.s.Slash(who, games, "/rackmate", ""))
	launcher := w.launcher(who)
	gametest.Must(w.t, w.s.PressIn(launcher, "More…", nil))
	w.await("the rest", func() bool {
		launcher, _ = w.s.View(launcher.ID, who)
		return len(slacktest.Labels(launcher.Blocks)) == 0
	})
	gametest.Must(w.t, w.s.PressIn(launcher, title, nil))
	return w.form(who, title)
}

// settingsOf opens a settings form from a person's home page.
func (w *world) settingsOf(who, label string) slacktest.View {
	w.t.Helper()
	w.await("the page of "+who, func() bool { _, ok := w.s.Home(who); return ok })
	page, _ := w.s.Home(who)
	gametest.Must(w.t, w.s.PressIn(page, label, nil))
	return w.form(who, "Settings")
}

// fields counts the fields of a form.
func fields(v slacktest.View) (n int) {
	for _, b := range v.Blocks {
		if b["type"] == "input" {
			n++
		}
	}
	return n
}

// launcher waits for the launcher.
func (w *world) launcher(who string) slacktest.View {
	w.t.Helper()
	w.await("the launcher", func() bool { v, ok := w.s.Top(who); return ok && v.Callback == "rackmate" })
	v, _ := w.s.Top(who)
	return v
}

// state returns the state of the game in the channel.
func (w *world) state() game.State {
	w.t.Helper()
	_, events, err := w.db.Table(w.t.Context(), bot.ChannelID(strings.TrimSuffix("slack:"+slacktest.Team+"/"+games+"/"+w.place, "/")))
	gametest.Must(w.t, err)
	s, err := game.Replay(events)
	gametest.Must(w.t, err)
	return s
}

// deal opens a table for Ann and Bob, and returns the player to move and the other one.
func (w *world) deal(options string) (first, second string) {
	w.t.Helper()
	w.slash(ann, "/new", strings.TrimSpace("seats:2 "+options))
	w.press(bob, w.post("wants to play"), "Join", nil)
	w.post("it's your turn")
	if w.turn() == ann {
		return ann, bob
	}
	return bob, ann
}

// noCards turns off the rack cards of Ann and Bob.
func (w *world) noCards() {
	w.t.Helper()
	for _, who := range []string{ann, bob} {
		w.slash(who, "/settings", "dm:off")
	}
}

// card waits until the newest message among a person's direct messages with "Your rack" or
// another text says something.
func (w *world) card(who, says string) (m slacktest.Message) {
	w.t.Helper()
	w.await("a card that says "+says, func() bool {
		for _, m = range slices.Backward(w.s.Direct(who)) {
			if strings.Contains(m.Said(), says) {
				return true
			}
		}
		return false
	})
	return m
}

// dealWord deals such that the player to move has a play from the small list, and returns
// that play too.
func (w *world) dealWord(options string) (first, second, line string) {
	w.t.Helper()
	first, second = w.deal(options)
	for line = best(w.state()); line == ""; line = best(w.state()) {
		s := w.state()
		w.slash(first, "/exchange", s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0)))
		if first, second = second, first; w.turn() != first {
			w.t.Fatal("the tiles weren't exchanged")
		}
		w.post("<@" + first + ">, it's your turn")
	}
	return first, second, line
}

// turn returns the Slack id of the player to move.
func (w *world) turn() string {
	s := w.state()
	_, id, _ := strings.Cut(string(s.Seats[s.Turn].Person.ID), "/")
	return id
}

// best returns the highest-scoring play with words of the small list as it is typed, or ""
// if there is none.
func best(s game.State) string {
	var plays []game.Spot
	dict := bottest.Small(new(testing.T))
	for _, text := range strings.Fields(gametest.SmallList) {
		word, err := game.ParseSpelling(s.Equipment.Tiles, text)
		if err != nil {
			continue
		}
		for _, spot := range s.Rules.Spots(s.Equipment, &s.Board, s.Seats[s.Turn].Rack, word, nil) {
			if len(spot.Tally.Phonies(dict)) == 0 {
				plays = append(plays, spot)
			}
		}
	}
	if len(plays) == 0 {
		return ""
	}
	top := slices.MaxFunc(plays, func(a, b game.Spot) int { return cmp.Compare(a.Tally.Total, b.Tally.Total) })
	return typed(s, top.Move)
}

var lightRenderer = sync.OnceValue(func() *imaging.Renderer { return bottest.Renderer(new(testing.T), imaging.Light) })

var locales = sync.OnceValue(func() *text.Locales {
	all, err := sentences.Load(data.Sentences())
	if err != nil {
		panic(err)
	}
	return sentences.New(append(all.All()[1:], sentences.Pseudo)...)
})
