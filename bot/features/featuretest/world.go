// Package featuretest is for the tests of features: a house with all of them, scripts that
// are played in it, and what was said there. It stands beside the list of features, so
// tests that use it are of their package's outside (package play_test).
package featuretest

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

// Parlour is the channel in which people type.
const Parlour = bot.ChannelID("test:parlour")

// A World is a host, its store, and what it said.
type World struct {
	T      testing.TB
	Host   *host.Host
	Config host.Config
	Posts  Poster
	Log    bottest.Log
	IDs    int // of requests, the last
}

// New makes a host with the small word list, over an empty store, whose
// clock is time.Now: most tests run in a synctest bubble.
func New(t testing.TB, changes ...func(*host.Config)) *World {
	t.Helper()
	w := &World{T: t}
	store := memory.New()
	w.Config = host.Config{
		Features: features.All(), Order: features.Order(),
		Store: store, Notes: store.Notes("host"), Equipment: Equipment(t), Layouts: gametest.Layouts(t), Lexicons: []*lexicon.Lexicon{bottest.Small(t)},
		DefaultLexicon: "small",
		Platforms:      func() []bot.Platform { return []bot.Platform{{Name: "turns", TurnRacks: true}} },
		Mind:           Mind,
		Life:           time.Hour, // one process, which dies of nothing
		Now:            time.Now,
		Random:         &bottest.Reader{R: rand.NewChaCha8([32]byte{1})},
		Log:            slog.New(slog.NewTextHandler(&w.Log, &slog.HandlerOptions{ReplaceAttr: withoutTimes})),
	}
	for _, change := range changes {
		change(&w.Config)
	}
	w.Host = host.New(w.Config)
	return w
}

// Pictures makes a world draw, in one theme.
func Pictures(t testing.TB) func(*host.Config) {
	r := renderer(t)
	return func(c *host.Config) { c.Renderer = func(imaging.Theme) *imaging.Renderer { return r } }
}

// DarkPictures makes a world draw dark for people with a dark screen.
func DarkPictures(t testing.TB) func(*host.Config) {
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

// Run starts the host's loops until the test ends.
func (w *World) Run(platforms ...string) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, p := range append(platforms, "test") {
		all.Go(func() {
			if err := w.Host.Deliver(ctx, p, &w.Posts); err != nil {
				w.T.Errorf("Deliver: %v", err)
			}
		})
	}
	all.Go(func() {
		if err := w.Host.RunTimers(ctx); err != nil {
			w.T.Errorf("RunTimers: %v", err)
		}
	})
	stop = func() { cancel(); all.Wait() }
	w.T.Cleanup(stop)
	return stop
}

// Request is a typed command, with an id of its own.
func (w *World) Request(who bot.User, line string) bot.Request {
	w.T.Helper()
	w.IDs++
	req := bot.Request{ID: fmt.Sprintf("r%d", w.IDs), Channel: Parlour, User: who}
	var refused text.Text
	if req.Command, req.Args, refused = features.Commands().ParseLine(line, nil); refused != nil {
		w.T.Fatalf("%s: %s", line, refused)
	}
	for _, name := range strings.FieldsFunc(req.Args["who"], func(r rune) bool { return r == ',' || r == ' ' }) {
		if one, known := bottest.People[strings.TrimPrefix(name, "@")]; known {
			req.People = append(req.People, one)
		}
	}
	if req.Command == "join" || req.Command == "pass" {
		req.Args["sure"] = "true" // and isn't asked
	}
	return req
}

// Does handles a typed command.
func (w *World) Does(who bot.User, line string) bot.Reply {
	w.T.Helper()
	return w.Host.Handle(w.T.Context(), w.Request(who, line))
}

// Put makes a log the Parlour's table, as if a host had kept it.
func Put(t testing.TB, store bot.Store, ch bot.ChannelID, events []game.Event, posts ...bot.Post) {
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
	gametest.Must(t, err)
}

// Events are the latest table's in a channel.
func Events(t testing.TB, store bot.Store, ch bot.ChannelID) []game.Event {
	t.Helper()
	_, list, err := store.Table(t.Context(), ch)
	gametest.Must(t, err)
	return list
}

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

// Equipment is what English games are played with.
var Equipment = once(func(t testing.TB) game.Equipment { return gametest.Equipment(t) })

// Mind is what robots know of a list: all levels every word.
func Mind(x *lexicon.Lexicon) *robot.Mind {
	return robot.NewMind(x, nil, nil)
}

// HalfKnown is what robots know of a list: those below expert every second word. So boards
// of all days of a week are found in few games. Where each robot knows every word, those of
// Saturdays and Sundays are looked for in vain through 600 games first.
func HalfKnown(list *lexicon.Lexicon) *robot.Mind {
	return robot.NewMind(list, sync.OnceValue(func() *lexicon.Vocabulary {
		var known strings.Builder
		n := 0
		for w := range list.Words() {
			if n++; n%2 == 0 {
				fmt.Fprintln(&known, list.Alphabet().String(w), lexicon.Everyday)
			}
		}
		v, err := lexicon.ReadVocabulary(list.Alphabet(), strings.NewReader(known.String()))
		if err != nil {
			panic(err) // the words are the list's own
		}
		return v
	}), nil)
}

var (
	renderer     = once(func(t testing.TB) *imaging.Renderer { return bottest.Renderer(t, imaging.Light) })
	darkRenderer = once(func(t testing.TB) *imaging.Renderer { return bottest.Renderer(t, imaging.Dark) })
)

// A Poster keeps what it is given. Fail, where set, says what becomes of each
// post first.
type Poster struct {
	Fail func(bot.Message) error

	mu  sync.Mutex
	got []bot.Message
}

// Post keeps a message.
func (p *Poster) Post(ctx context.Context, m bot.Message) error {
	if p.Fail != nil {
		if err := p.Fail(m); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, m)
	return nil
}

// All is what was posted, in the order in which it came.
func (p *Poster) All() []bot.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.got)
}

// Take is what was posted since the last time: to the channel first, then by
// person.
func (p *Poster) Take() []bot.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := p.got
	p.got = nil
	// Those of different lanes come in any order.
	slices.SortStableFunc(got, func(a, b bot.Message) int {
		return cmp.Or(strings.Compare(To(a), To(b)), strings.Compare(string(a.Channel), string(b.Channel)))
	})
	return got
}

// To is to whom a message is, or "" for everybody in its channel.
func To(m bot.Message) string {
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

// Shown is a text as the transcripts write it: **strong**, `code`, @notified.
func Shown(words text.Text) string {
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

// ButtonsShown are buttons as the transcripts write them.
func ButtonsShown(bs []bot.Button) string {
	mark := map[bot.Style]string{bot.Primary: "*", bot.Danger: "!"}
	var out []string
	for _, b := range bs {
		out = append(out, "["+b.Label.String()+mark[b.Style]+"]")
	}
	return strings.Join(out, " ")
}

// MenusShown are menus as the transcripts write them.
func MenusShown(ms []bot.Menu) string {
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

// Everything is all that a reply or a message says, in any form.
func Everything(words text.Text, p *bot.Picture, buttons []bot.Button, menus []bot.Menu, files []bot.File) string {
	s := pointers.ReplaceAllString(fmt.Sprintf("%#v\n%#v\n%#v\n", words, buttons, menus), "")
	for _, span := range words {
		if span.Table != nil {
			s += Everything(text.Lines(Cells(*span.Table)...), nil, nil, nil, nil)
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

// Cells are all cells of a table, its heads first.
func Cells(t text.Table) (all []text.Text) {
	for _, c := range t.Columns {
		all = append(all, c.Head)
	}
	for _, row := range t.Rows {
		all = append(all, row...)
	}
	return all
}

// ReplySaid is all that a reply says.
func ReplySaid(r bot.Reply) string {
	return fmt.Sprintf("refused %v\n%s", r.Refused, Everything(r.Text, r.Picture, r.Buttons, r.Menus, r.Files))
}

// MessageSaid is all that a message says.
func MessageSaid(m bot.Message) string {
	return fmt.Sprintf("%s %s to %q table %d.%d\n%s", m.Key, m.Channel, To(m), m.Table, m.Number, Everything(append(m.Text, m.Line...), m.Picture, m.Buttons, m.Menus, nil))
}

// Passes puts a game with so many passes into a channel, each with a post that is queued.
func (w *World) Passes(ch bot.ChannelID, passes int) {
	w.T.Helper()
	log := bottest.Dealt(w.T, bottest.Small(w.T).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"})
	f := log[0].Fact.(game.Opened)
	f.Rules.ScorelessTurns = 0
	log[0].Fact = f
	Put(w.T, w.Config.Store, ch, log)
	for i := range passes {
		req := bot.Request{ID: fmt.Sprint(ch, " pass ", i), Channel: ch, User: bottest.People[[]string{"ann", "bob"}[i%2]], Command: "pass", Args: map[string]string{"sure": "true"}}
		if r := w.Host.Handle(w.T.Context(), req); r.Refused {
			w.T.Fatal(r.Text)
		}
	}
}

// SlowPosts take a time, and look at last whether a post is this process's still.
type SlowPosts struct {
	*Poster
	Takes time.Duration
}

// Post keeps a message.
func (s SlowPosts) Post(ctx context.Context, m bot.Message) error {
	time.Sleep(s.Takes)
	if err := bot.Held(ctx); err != nil {
		return err
	}
	return s.Poster.Post(ctx, m)
}

// Numbers are those of the messages to a channel.
func Numbers(ms []bot.Message, ch bot.ChannelID) []int {
	var out []int
	for _, m := range ms {
		if m.Channel == ch {
			out = append(out, m.Number)
		}
	}
	return out
}
