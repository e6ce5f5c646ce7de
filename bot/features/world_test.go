package features_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

const parlour = bot.ChannelID("test:parlour")

// A world is a host, its store, and what it said.
type world struct {
	t      testing.TB
	host   *host.Host
	config host.Config
	posts  poster
	log    bottest.Log
	ids    int
}

// newWorld makes a host with the small word list, over an empty store, whose
// clock is time.Now: most tests run in a synctest bubble.
func newWorld(t testing.TB, changes ...func(*host.Config)) *world {
	t.Helper()
	w := &world{t: t}
	store := memory.New()
	w.config = host.Config{
		Features: features.All(), Order: features.Order(),
		Store: store, Notes: store.Notes("host"), Equipment: equipment(t), Layouts: gametest.Layouts(t), Lexicons: []*lexicon.Lexicon{bottest.Small(t)},
		DefaultLexicon: "small",
		Platforms:      func() []bot.Platform { return []bot.Platform{{Name: "turns", TurnRacks: true}} },
		Mind:           mind,
		Life:           time.Hour, // one process, which dies of nothing
		Now:            time.Now,
		Random:         &bottest.Reader{R: rand.NewChaCha8([32]byte{1})},
		Log:            slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{ReplaceAttr: withoutTimes})),
	}
	for _, change := range changes {
		change(&w.config)
	}
	w.host = host.New(w.config)
	return w
}

// pictures makes a world draw, in one theme.
func pictures(t testing.TB) func(*host.Config) {
	r := renderer(t)
	return func(c *host.Config) { c.Renderer = func(imaging.Theme) *imaging.Renderer { return r } }
}

// darkPictures makes a world draw dark for people with a dark screen.
func darkPictures(t testing.TB) func(*host.Config) {
	return func(c *host.Config) {
		c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Dark: "dark"}} }
		c.Renderer = func(theme imaging.Theme) *imaging.Renderer {
			if theme == imaging.Dark {
				return darkRenderer(t)
			}
			return renderer(t)
		}
	}
}

// run starts the host's loops until the test ends.
func (w *world) run(platforms ...string) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, p := range append(platforms, "test") {
		all.Go(func() {
			if err := w.host.Deliver(ctx, p, &w.posts); err != nil {
				w.t.Errorf("Deliver: %v", err)
			}
		})
	}
	all.Go(func() {
		if err := w.host.RunTimers(ctx); err != nil {
			w.t.Errorf("RunTimers: %v", err)
		}
	})
	stop = func() { cancel(); all.Wait() }
	w.t.Cleanup(stop)
	return stop
}

// request is a typed command, with an id of its own.
func (w *world) request(who bot.User, line string) bot.Request {
	w.t.Helper()
	w.ids++
	req := bot.Request{ID: fmt.Sprintf("r%d", w.ids), Channel: parlour, User: who}
	var refused text.Text
	if req.Command, req.Args, refused = features.Commands().ParseLine(line, nil); refused != nil {
		w.t.Fatalf("%s: %s", line, refused)
	}
	if req.Command == "join" || req.Command == "pass" {
		req.Args["sure"] = "true" // and isn't asked
	}
	return req
}

// does handles a typed command.
func (w *world) does(who bot.User, line string) bot.Reply {
	w.t.Helper()
	return w.host.Handle(w.t.Context(), w.request(who, line))
}

// put makes a log the parlour's table, as if a host had kept it.
func put(t testing.TB, store bot.Store, ch bot.ChannelID, events []game.Event, posts ...bot.Post) {
	t.Helper()
	err := store.Update(t.Context(), ch, "", func(r *bot.Room) error {
		r.Append, r.Posts = events, posts
		s, err := game.Replay(events)
		if err != nil {
			return err
		}
		if s.Phase == game.Playing || s.Phase == game.Closing {
			for _, i := range s.Active() {
				r.Seated = append(r.Seated, s.Seats[i].Person.ID)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// events are the latest table's in a channel.
func events(t testing.TB, store bot.Store, ch bot.ChannelID) []game.Event {
	t.Helper()
	_, list, err := store.Table(t.Context(), ch)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var (
	people = bottest.People
	dealt  = bottest.Dealt
)

// shared things are made once for all tests.
func once[T any](make func(testing.TB) T) func(testing.TB) T {
	var mu sync.Mutex
	var made bool
	var v T
	return func(t testing.TB) T {
		mu.Lock()
		defer mu.Unlock()
		if !made {
			v, made = make(t), true
		}
		return v
	}
}

var equipment = once(func(t testing.TB) game.Equipment { return gametest.Equipment(t) })

// mind is what robots know of a list: all levels every word.
func mind(x *lexicon.Lexicon) *robot.Mind {
	return robot.NewMind(x, nil, nil)
}

var (
	renderer     = once(func(t testing.TB) *imaging.Renderer { return bottest.Renderer(t, imaging.Light) })
	darkRenderer = once(func(t testing.TB) *imaging.Renderer { return bottest.Renderer(t, imaging.Dark) })
)

// A poster keeps what it is given. fail, where set, says what becomes of each
// post first.
type poster struct {
	mu   sync.Mutex
	fail func(bot.Message) error
	got  []bot.Message
}

func (p *poster) Post(ctx context.Context, m bot.Message) error {
	if p.fail != nil {
		if err := p.fail(m); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, m)
	return nil
}

// take is what was posted since the last time: to the channel first, then by
// person.
func (p *poster) take() []bot.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := p.got
	p.got = nil
	// Those of different lanes come in any order.
	slices.SortStableFunc(got, func(a, b bot.Message) int {
		return cmp.Or(strings.Compare(to(a), to(b)), strings.Compare(string(a.Channel), string(b.Channel)))
	})
	return got
}

func to(m bot.Message) string {
	if m.To == nil {
		return ""
	}
	return string(m.To.ID)
}

func withoutTimes(_ []string, a slog.Attr) slog.Attr {
	if a.Key == "time" || a.Key == "took" {
		return slog.Attr{}
	}
	return a
}

// shown is a text as the transcripts write it: **strong**, `code`, @notified.
func shown(words text.Text) string {
	var b strings.Builder
	for _, s := range words.In(nil) {
		switch {
		case s.Strong:
			b.WriteString("**" + s.Text + "**")
		case s.Code:
			b.WriteString("`" + s.Text + "`")
		case s.Notify:
			b.WriteString("@" + s.Text)
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

func buttonsShown(bs []bot.Button) string {
	mark := map[bot.Style]string{bot.Primary: "*", bot.Danger: "!"}
	var out []string
	for _, b := range bs {
		out = append(out, "["+b.Label.String()+mark[b.Style]+"]")
	}
	return strings.Join(out, " ")
}

func menusShown(ms []bot.Menu) string {
	var out []string
	for _, m := range ms {
		var labels []string
		for _, c := range m.Choices {
			labels = append(labels, c.Label.String())
		}
		out = append(out, fmt.Sprintf("[%s, up to %d: %s]", m.Label, m.Most, strings.Join(labels, " | ")))
	}
	return strings.Join(out, "\n  ")
}

// everything is all that a reply or a message says, in any form.
func everything(words text.Text, p *bot.Picture, buttons []bot.Button, menus []bot.Menu, files []bot.File) string {
	s := pointers.ReplaceAllString(fmt.Sprintf("%#v\n%#v\n%#v\n", words, buttons, menus), "")
	for _, span := range words {
		if span.Table != nil {
			s += everything(text.Lines(cells(*span.Table)...), nil, nil, nil, nil)
		}
	}
	if p != nil {
		s += fmt.Sprintf("%s\n%x\n", p.Alt, p.PNG)
	}
	for _, f := range files {
		s += fmt.Sprintf("%s %s\n%s\n", f.Name, f.Type, f.Data)
	}
	return s
}

// pointers are where tables of texts lie in memory, which says nothing.
var pointers = regexp.MustCompile(`\(\*text\.Table\)\(0x[0-9a-f]+\)`)

// cells are all cells of a table, its heads first.
func cells(t text.Table) (all []text.Text) {
	for _, c := range t.Columns {
		all = append(all, c.Head)
	}
	for _, row := range t.Rows {
		all = append(all, row...)
	}
	return all
}

func replySaid(r bot.Reply) string {
	return fmt.Sprintf("refused %v\n%s", r.Refused, everything(r.Text, r.Picture, r.Buttons, r.Menus, r.Files))
}

func messageSaid(m bot.Message) string {
	return fmt.Sprintf("%s %s to %q table %d.%d\n%s", m.Key, m.Channel, to(m), m.Table, m.Number, everything(append(m.Text, m.Line...), m.Picture, m.Buttons, m.Menus, nil))
}

// testContext is a context that a test ends itself.
func testContext(t testing.TB) (context.Context, context.CancelFunc) {
	return context.WithCancel(t.Context())
}
