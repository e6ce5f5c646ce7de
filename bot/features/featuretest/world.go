// Package featuretest helps to test features: it provides a host with all of them, plays scripts on
// it and records what it said. It imports the list of features, so tests that use it are external
// (package play_test).
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
	IDs    int // number of the last request's id
}

// New returns a host with the small word list over an empty store. Its clock is time.Now, since
// most tests run in a synctest bubble.
func New(t testing.TB, changes ...func(*host.Config)) *World {
	t.Helper()
	w := &World{T: t}
	store := memory.New()
	w.Config = host.Config{
		Features: features.All, Order: features.Order(),
		Store: store, Notes: store.Notes("host"), Equipment: Equipment(t), Layouts: gametest.Layouts(t), Lexicons: []*lexicon.Lexicon{bottest.Small(t)},
		DefaultLexicon: "small",
		Platforms:      func() []bot.Platform { return []bot.Platform{{Name: "turns", Cards: true}} },
		Mind:           Mind,
		Life:           time.Hour, // a single process that never dies
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

// Pictures makes a world draw in one theme.
func Pictures(t testing.TB) func(*host.Config) {
	r := renderer(t)
	return func(c *host.Config) { c.Renderer = func(imaging.Theme) *imaging.Renderer { return r } }
}

// DarkPictures makes a world draw dark pictures for people with a dark screen.
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

// Run starts the host's loops, which end with the test or with stop.
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

// Request returns a typed command with an id of its own.
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
		req.Args["sure"] = "true" // skip the question
	}
	return req
}

// Does handles a typed command.
func (w *World) Does(who bot.User, line string) bot.Reply {
	w.T.Helper()
	return w.Host.Handle(w.T.Context(), w.Request(who, line))
}

// Put stores a log as the channel's table, as a host would.
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

// Events returns the events of a channel's latest table.
func Events(t testing.TB, store bot.Store, ch bot.ChannelID) []game.Event {
	t.Helper()
	_, list, err := store.Table(t.Context(), ch)
	gametest.Must(t, err)
	return list
}

// once returns a function that makes a value on its first call and shares it among all tests.
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

// Equipment returns the equipment of English games.
var Equipment = once(func(t testing.TB) game.Equipment { return gametest.Equipment(t) })

// Mind makes robots of all levels know every word of a list.
func Mind(x *lexicon.Lexicon) *robot.Mind {
	return robot.NewMind(x, nil, nil)
}

// HalfKnown makes robots below expert know every second word of a list. Then boards for all days of
// the week are found within few games; if each robot knew every word, the search for Saturdays and
// Sundays would fail in the first 600 games.
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

// A Poster records messages. Fail, if set, is called first and can reject a message.
type Poster struct {
	Fail func(bot.Message) error

	mu  sync.Mutex
	got []bot.Message
}

// Post records a message.
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

// All returns the recorded messages in the order of arrival.
func (p *Poster) All() []bot.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.got)
}

// Take returns the messages since the last call: to channels first, then by person.
func (p *Poster) Take() []bot.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := p.got
	p.got = nil
	// Messages of different queues arrive in any order.
	slices.SortStableFunc(got, func(a, b bot.Message) int {
		return cmp.Or(strings.Compare(To(a), To(b)), strings.Compare(string(a.Channel), string(b.Channel)))
	})
	return got
}

// To returns the recipient's id, or "" for everybody in the channel.
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

// Shown formats a text as in the transcripts: **strong**, `code`, @notified.
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

// ButtonsShown formats buttons as in the transcripts.
func ButtonsShown(bs []bot.Button) string {
	mark := map[bot.Style]string{bot.Primary: "*", bot.Danger: "!"}
	var out []string
	for _, b := range bs {
		out = append(out, "["+b.Label.String()+mark[b.Style]+"]")
	}
	return strings.Join(out, " ")
}

// MenusShown formats menus as in the transcripts.
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

// AllText returns all that a reply or a message says, in any form.
func AllText(words text.Text, p *bot.Picture, buttons []bot.Button, menus []bot.Menu, files []bot.File) string {
	s := pointers.ReplaceAllString(fmt.Sprintf("%#v\n%#v\n%#v\n", words, buttons, menus), "")
	for _, span := range words {
		if span.Table != nil {
			s += AllText(text.Lines(Cells(*span.Table)...), nil, nil, nil, nil)
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

// pointers matches the addresses of tables of texts, which mean nothing.
var pointers = regexp.MustCompile(`\(\*text\.Table\)\(0x[0-9a-f]+\)`)

// Cells returns all cells of a table, its heads first.
func Cells(t text.Table) (all []text.Text) {
	for _, c := range t.Columns {
		all = append(all, c.Head)
	}
	for _, row := range t.Rows {
		all = append(all, row...)
	}
	return all
}

// ReplySaid returns everything that a reply says.
func ReplySaid(r bot.Reply) string {
	return fmt.Sprintf("refused %v\n%s", r.Refused, AllText(r.Text, r.Picture, r.Buttons, r.Menus, r.Files))
}

// MessageSaid returns everything that a message says.
func MessageSaid(m bot.Message) string {
	return fmt.Sprintf("%s %s to %q table %d.%d\n%s", m.Key, m.Channel, To(m), m.Table, m.Number, AllText(append(m.Text, m.Line...), m.Picture, m.Buttons, m.Menus, nil))
}

// Passes puts a game with a number of passes into a channel, each with a queued post.
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

// SlowPosts take some time to post, and then check that the process still holds the post.
type SlowPosts struct {
	*Poster
	Takes time.Duration
}

// Post records a message after the delay.
func (s SlowPosts) Post(ctx context.Context, m bot.Message) error {
	time.Sleep(s.Takes)
	if err := bot.Held(ctx); err != nil {
		return err
	}
	return s.Poster.Post(ctx, m)
}

// Numbers returns the numbers of the messages to a channel.
func Numbers(ms []bot.Message, ch bot.ChannelID) []int {
	var out []int
	for _, m := range ms {
		if m.Channel == ch {
			out = append(out, m.Number)
		}
	}
	return out
}
