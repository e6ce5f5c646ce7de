package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// button is a button for a command at the table as it stands.
func (t table) button(label, command string, style bot.Style, args map[string]string) bot.Button {
	return bot.Button{ID: bot.ButtonID(t.ID, t.Number, command, args), Label: label, Style: style}
}

// Config is what a host needs. Every field up to Log must be set.
type Config struct {
	Store     bot.Store
	Notes     bot.Notes // the host's own
	Equipment game.Equipment
	// Languages are those that tables can choose, the usual one first; without
	// any all play with the Equipment's tiles.
	Languages []*language.Language
	// Lexicons are the word lists that tables can name. The list of a language
	// has its code for a name, or to begin with: es, es-verbs.
	Lexicons []*lexicon.Lexicon
	// Platforms are those that people come from. It is called when it is needed.
	Platforms func() []bot.Platform
	// DefaultLexicon names the list of tables that name none, where their
	// platform has none of its own.
	DefaultLexicon string
	Now            func() time.Time
	// Name is the process's, among all that share the store: whose posts, timers
	// and jobs it has. It may be "": then there is a random one.
	Name string
	// Random is where the secrets of the draws come from: crypto/rand.Reader.
	Random io.Reader
	Log    *slog.Logger
	// Mind is what robots know of a word list; the same list gets the same. It
	// may be nil: then there are no robots.
	Mind func(*lexicon.Lexicon) *robot.Mind
	// Thinkers is how many robots may think at once, each on a processor.
	Thinkers int
	// Renderer draws in a theme. It may be nil: then there are words alone.
	Renderer func(imaging.Theme) *imaging.Renderer
	// Common lists the common words of a word list, for boards with printed
	// words. It may be nil: then all words are as common.
	Common func(*lexicon.Lexicon) []lexicon.Word
	// Features are what the host can do, and Order how help lists their
	// commands, and the options to which several add; see register.
	Features []Feature
	Order    map[string][]string
	// Layouts are the boards that variants of the game need.
	Layouts []game.Layout
}

// A Host keeps tables in channels. It is safe for concurrent use.
type Host struct {
	Config

	registry

	mu    sync.Mutex
	wakes map[string]chan struct{} // by platform; "" for the timers

	// moved are the channels whose tables have changed since their plans were
	// looked at: a hint, for a host that starts looks at all plans.
	moved map[bot.ChannelID]bool

	// telling is held for reading while a post is made and delivered, and taken
	// for a moment to wait for those on their way.
	telling sync.RWMutex
}

// New makes a host.
func New(c Config) *Host {
	if c.Name == "" {
		c.Name = newName()
	}
	return &Host{Config: c, registry: register(c.Features, c.Order), wakes: map[string]chan struct{}{}, moved: map[bot.ChannelID]bool{}}
}

// command finds a command by its name.
func (h *Host) command(name string) (command, bool) {
	i := slices.IndexFunc(h.commands, func(c command) bool { return c.Name == name })
	if i < 0 {
		return command{}, false
	}
	return h.commands[i], true
}

// Commands lists what people can ask of the host.
func (h *Host) Commands() bot.Commands { return contract(h.commands) }

// wake is the signal that a commit may have brought work for a loop.
func (h *Host) wake(platform string) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wakes[platform] == nil {
		h.wakes[platform] = make(chan struct{}, 1)
	}
	return h.wakes[platform]
}

// rouse wakes a loop, if it isn't awake already.
func (h *Host) rouse(platform string) {
	select {
	case h.wake(platform) <- struct{}{}:
	default:
	}
}

// committed wakes the loops after a commit in a channel.
func (h *Host) committed(ch bot.ChannelID) {
	h.changed(ch)
	h.rouse(ch.Platform())
	h.rouse("")
}

// Handle carries out a request. It always answers: what goes wrong becomes
// words for the person, and a line in the log for the operator.
func (h *Host) Handle(ctx context.Context, req bot.Request) (reply bot.Reply) {
	began := h.Now()
	log := h.Log.With("request", req.ID, "channel", req.Channel, "user", req.User.ID, "command", req.Command)
	defer func() {
		if r := recover(); r != nil {
			log.Error("command panicked", "panic", r, "stack", string(debug.Stack()))
			reply = sorry()
		}
		log.Info("command", "refused", reply.Refused, "took", h.Now().Sub(began))
	}()
	c, ok := h.command(req.Command)
	if !ok {
		return refuse(bot.UnknownCommand(req.Command))
	}
	req = tidy(req)
	for _, o := range c.Options {
		if o.Required && req.Args[o.Name] == "" {
			return refuse(bot.Missing(c.Command, o))
		}
	}
	var err error
	if req.Table != 0 {
		req, err = h.atItsTable(ctx, req)
	}
	if err == nil {
		err = h.keepHome(ctx, req.Channel, req.Home)
	}
	for _, f := range h.features {
		if err == nil && f.Heard != nil {
			err = f.Heard(h, ctx, req)
		}
	}
	if err == nil {
		req, err = h.elsewhere(ctx, req)
	}
	if err == nil {
		reply, err = c.run(h, ctx, req)
	}
	var own *refusal
	if errors.As(err, &own) {
		return own.reply
	}
	if err != nil {
		log.Error("command failed", "error", err)
		return sorry()
	}
	return reply
}

// tidy is the request without the odd spaces that people type and names have.
func tidy(r bot.Request) bot.Request {
	args := make(map[string]string, len(r.Args))
	for name, value := range r.Args {
		args[name] = strings.TrimSpace(value)
	}
	r.Args, r.User = args, named(r.User)
	people := make([]bot.User, len(r.People))
	for i, u := range r.People {
		people[i] = named(u)
	}
	r.People = people
	return r
}

// named is a person whose name fits into a sentence.
func named(u bot.User) bot.User {
	u.Name = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, u.Name)), " ")
	if u.Name = bot.Shorten(u.Name, bot.MaxName); u.Name == "" {
		u.Name = "Somebody"
	}
	return u
}

// atItsTable moves a button's request to the channel of the button's table: it
// may have been pressed under a direct message. Elsewhere than there a table is
// only for those who sit at it.
func (h *Host) atItsTable(ctx context.Context, req bot.Request) (bot.Request, error) {
	ch, _, err := h.Store.Events(ctx, req.Table, 0)
	if errors.Is(err, bot.ErrNoTable) {
		return req, refusing("That button belongs to a table that is gone. ", bot.Code("/new"), " opens another.")
	}
	if err != nil {
		return req, fmt.Errorf("load table %d: %w", req.Table, err)
	}
	if ch != req.Channel {
		t, err := h.table(ctx, req)
		if err != nil {
			return req, err
		}
		if _, seated := t.SeatOf(req.User.ID); !seated {
			return req, refusing("That button belongs to a table in another channel. Press it there.")
		}
	}
	req.Channel = ch
	return req, nil
}

func sorry() bot.Reply {
	return refuse(bot.Say("Something went wrong on my side, and nothing was changed. Please try again in a moment."))
}

func refuse(t bot.Text) bot.Reply { return bot.Reply{Text: t, Refused: true} }

// A table is a channel's table as it stands.
type table struct {
	Channel bot.ChannelID
	ID      bot.TableID
	Events  []game.Event
	game.State
	// Variant is what people can do, see and are told here, the zero one in
	// ordinary play.
	Variant variant
}

// tableOf is a table as its events leave it.
func (h *Host) tableOf(ch bot.ChannelID, id bot.TableID, events []game.Event) (table, error) {
	return h.variants.replay(ch, id, events)
}

// table loads the table that a request is about.
func (h *Host) table(ctx context.Context, req bot.Request) (table, error) {
	id := req.Table
	var events []game.Event
	var err error
	if id != 0 {
		_, events, err = h.Store.Events(ctx, id, -1)
	} else {
		id, events, err = h.Store.Table(ctx, req.Channel)
	}
	if err != nil {
		return table{Channel: req.Channel, ID: id}, fmt.Errorf("load table: %w", err)
	}
	return h.tableOf(req.Channel, id, events)
}

// replayed is the table with the state that its events give.
func (t table) replayed() (table, error) {
	s, err := game.Replay(t.Events)
	if err != nil {
		return t, fmt.Errorf("replay table %d: %w", t.ID, err)
	}
	t.State = s
	return t, nil
}

// at is the table when it had n events.
func (t table) at(n int) (table, error) {
	t.Events = t.Events[:n]
	return t.replayed()
}

// dictionary is the word list of a table. A list of the same name but other
// words serves too, so that a new version of a list strands no running game.
func (h *Host) dictionary(s game.State) (*lexicon.Lexicon, error) {
	l := h.lexicon(s.Lexicon, s.Equipment.Tiles)
	if l == nil {
		return nil, refusing("The word list ", bot.Code(s.Lexicon.Name), " is not here any more, so no word can be looked up. Please ask whoever runs this host to bring it back.")
	}
	return l, nil
}

// lexicon finds a word list that is spelled with a tile set: the one with the
// hash, else the one with the name, else nil.
func (h *Host) lexicon(id game.LexiconID, set *game.TileSet) *lexicon.Lexicon {
	var sameName *lexicon.Lexicon
	for _, l := range h.Lexicons {
		switch {
		case !l.Alphabet().Equal(set.Alphabet()):
		case l.Hash() == id.Hash:
			return l
		case strings.EqualFold(l.Name(), id.Name):
			sameName = l
		}
	}
	return sameName
}

// played reports whether there is a game to look at: tiles have been dealt.
func (t table) played() bool {
	return t.Phase == game.Playing || t.Phase == game.Closing || t.End != nil
}
