package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

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
	Life time.Duration // how long others wait for a process that was killed; 0: ten seconds
	// Random is where the secrets of the draws come from: crypto/rand.Reader.
	Random io.Reader
	Log    *slog.Logger
	// Observer is told what happens; nil is nobody.
	Observer bot.Observer
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
	// URL is what browsers elsewhere find the host at, without a slash at its end:
	// "https://play.example.org". It is "" where nobody said: then nothing leads
	// to the pages of games.
	URL string
	// Tongues are the languages that it speaks; nil is English alone.
	Tongues *text.Tongues
	// Layouts are the boards that variants of the game need.
	Layouts []game.Layout
}

// A Host keeps tables in channels. It is safe for concurrent use.
type Host struct {
	Config

	registry
	*lexicons.Lists
	*settings.Settings

	replays table.Replays
	loops   *loops.Loops // by platform; "" sees to the timers

	mu sync.Mutex
	// moved are the channels whose tables have changed since their plans were
	// looked at: a hint, for a host that starts looks at all plans.
	moved map[bot.ChannelID]bool

	// telling is held for reading while a post is made and delivered, and taken
	// for a moment to wait for those on their way.
	telling sync.RWMutex

	// putOff are the posts that this process has put off, for Retry: a hint.
	putOff map[uint64]bot.Post
}

// New makes a host.
func New(c Config) *Host {
	if c.Observer == nil {
		c.Observer = bot.Unobserved{}
	}
	h := &Host{Config: c, registry: Register(c.Features, c.Order), moved: map[bot.ChannelID]bool{}, putOff: map[uint64]bot.Post{}}
	h.Lists = lexicons.New(c.Equipment, c.Languages, c.Tongues, c.Lexicons, h.usualLexicon)
	h.Settings = settings.New(h.Placeable, c.Notes, settings.Has{Lists: h.Lists, Pictures: c.Renderer != nil, Tongues: c.Tongues})
	h.loops = loops.New(c.Store, c.Name, c.Life, c.Now, c.Log)
	h.Store = h.loops.Hear(c.Store)
	return h
}

// command finds a command by its name.
func (h *Host) command(name string) (Command, bool) {
	i := slices.IndexFunc(h.Handlers, func(c Command) bool { return c.Name == name })
	if i < 0 {
		return Command{}, false
	}
	return h.Handlers[i], true
}

// Commands lists what people can ask of the host.
func (h *Host) Commands() bot.Commands { return h.commands }

// Rouse wakes a loop, if it isn't awake already.
func (h *Host) Rouse(platform string) { h.loops.Rouse(platform) }

// Elected runs something in one process at a time: whoever is elected to a job
// runs it until ctx is done, or it has lost the job, and then stands again.
func (h *Host) Elected(ctx context.Context, job string, run func(context.Context) error) error {
	return h.loops.Elected(ctx, job, run)
}

// Committed wakes the loops after a commit in a channel.
func (h *Host) Committed(ch bot.ChannelID) {
	h.Changed(ch)
	h.Rouse("")
}

// Handle carries out a request. It always answers: what goes wrong becomes
// words for the person, and a line in the log for the operator.
func (h *Host) Handle(ctx context.Context, req bot.Request) (reply bot.Reply) {
	began, name, result := h.Now(), "unknown", bot.Done
	log := h.Log.With("request", req.Reference(), "channel", req.Channel, "user", req.User.ID, "command", req.Command)
	defer func() {
		if r := recover(); r != nil {
			log.Error("command panicked", "panic", r, "stack", string(debug.Stack()))
			reply, result = words.Sorry(req), bot.Failed
		}
		reply = reply.In(h.TongueFor(ctx, req))
		if result == bot.Done && reply.Refused {
			result = bot.Refused
		}
		took := h.Now().Sub(began)
		log.Info("command", "result", result, "took", took)
		h.Observer.Command(name, result, took)
	}()
	c, ok := h.command(req.Command)
	if !ok {
		return words.Refuse(bot.UnknownCommand(req.Command))
	}
	name = c.Name
	req = input.Tidy(req)
	ctx = bot.OnErrand(ctx, "command "+name, string(req.Channel), string(req.User.ID), req.Home, number(req.Table))
	for _, o := range c.Options {
		if o.Required && req.Args[o.Name] == "" {
			return words.Refuse(bot.Missing(c.Command, o))
		}
	}
	var err error
	if req.Table != 0 {
		req, err = h.atItsTable(ctx, req)
	}
	if err == nil {
		err = h.KeepHome(ctx, req, func() string { return h.TongueFor(ctx, req).Code() })
	}
	for _, f := range h.Parts {
		if err == nil && f.Heard != nil {
			err = f.Heard(ctx, h, req)
		}
	}
	for _, f := range h.Parts {
		if err == nil && f.Elsewhere != nil && c.OfGame && req.Table == 0 {
			req, err = f.Elsewhere(ctx, h, req)
		}
	}
	if err == nil && (c.OfGame || req.Table != 0) {
		req, err = h.asSeated(ctx, req)
	}
	if err == nil {
		reply, err = c.Run(ctx, h, req)
	}
	var own *words.Refusal
	if errors.As(err, &own) {
		return own.Reply
	}
	if err != nil && ctx.Err() != nil {
		// The asker left, or the host stops. The same request, given again, gets
		// the answer of what was done, if anything was.
		log.Info("command abandoned", "error", context.Cause(ctx))
		result = bot.Later
		return words.Refuse(text.Say("That was interrupted before it was answered. Please try it again."))
	}
	if err != nil {
		log.Error("command failed", "error", err)
		result = bot.Failed
		return words.Sorry(req)
	}
	return reply
}

// number is a table's as errands have it.
func number(t bot.TableID) string { return strconv.FormatUint(uint64(t), 10) }

// atItsTable moves a button's request to the channel of the button's table: it
// may have been pressed under a direct message. Elsewhere than there a table is
// only for those who sit at it.
func (h *Host) atItsTable(ctx context.Context, req bot.Request) (bot.Request, error) {
	ch, _, err := h.Store.Events(ctx, req.Table, 0)
	if errors.Is(err, bot.ErrNoTable) {
		return req, words.Refusing("That button belongs to a table that is gone. {new} opens another.", text.Code("/new"))
	}
	if err != nil {
		return req, fmt.Errorf("load table %d: %w", req.Table, err)
	}
	if ch != req.Channel {
		t, err := h.Load(ctx, req)
		if err != nil {
			return req, err
		}
		if _, seated := t.SeatOf(req.User.ID); !seated {
			return req, words.Refusing("That button belongs to a table in another channel. Press it there.")
		}
	}
	req.Channel = ch
	return req, nil
}

// Replay is a table as its events leave it.
func (h *Host) Replay(ch bot.ChannelID, id bot.TableID, events []game.Event) (table.Table, error) {
	return h.replays.Replay(h.Variants, ch, id, events)
}

// Load loads the table that a request is about.
func (h *Host) Load(ctx context.Context, req bot.Request) (table.Table, error) {
	id := req.Table
	var events []game.Event
	var err error
	if id != 0 {
		_, events, err = h.Store.Events(ctx, id, -1)
	} else {
		id, events, err = h.Store.Table(ctx, req.Channel)
	}
	if err != nil {
		return table.Table{Channel: req.Channel, ID: id}, fmt.Errorf("load table: %w", err)
	}
	return h.Replay(req.Channel, id, events)
}

// LoadDealt loads a table whose tiles have been dealt. Otherwise the error is the
// *game.RuleError that says so.
func (h *Host) LoadDealt(ctx context.Context, req bot.Request) (table.Table, error) {
	t, err := h.Load(ctx, req)
	switch {
	case err != nil || t.Played():
		return t, err
	case t.Phase == game.Over:
		return t, &game.RuleError{Code: game.GameOver} // closed before the start
	}
	return t, &game.RuleError{Code: game.NotStarted}
}

// LoadTable is a table by its number, as it stands.
func (h *Host) LoadTable(ctx context.Context, id bot.TableID) (bot.ChannelID, table.Table, error) {
	ch, events, err := h.Store.Events(ctx, id, -1)
	if err != nil {
		return "", table.Table{}, fmt.Errorf("load table %d: %w", id, err)
	}
	t, err := h.Replay(ch, id, events)
	return ch, t, err
}
