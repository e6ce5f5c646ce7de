package bot

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// Config is what a host needs. Every field must be set.
type Config struct {
	Store     Store
	Equipment game.Equipment
	// Lexicons are the word lists that tables can name.
	Lexicons []*lexicon.Lexicon
	// DefaultLexicon names the list for tables of a platform that name none.
	DefaultLexicon func(platform string) string
	// Renderer draws for a platform.
	Renderer func(platform string) *imaging.Renderer
	Now      func() time.Time
	// Random is where the secrets of the draws come from: crypto/rand.Reader.
	Random io.Reader
	Log    *slog.Logger
}

// A Host keeps tables in channels. It is safe for concurrent use.
type Host struct {
	Config

	mu    sync.Mutex
	wakes map[string]chan struct{} // by platform; "" for the timers
}

// New makes a host.
func New(c Config) *Host {
	return &Host{Config: c, wakes: map[string]chan struct{}{}}
}

// wake is the signal that a commit may have brought work for a loop.
func (h *Host) wake(platform string) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wakes[platform] == nil {
		h.wakes[platform] = make(chan struct{}, 1)
	}
	return h.wakes[platform]
}

// rouse wakes the loops after a commit in a channel.
func (h *Host) rouse(ch ChannelID) {
	for _, c := range []chan struct{}{h.wake(ch.Platform()), h.wake("")} {
		select {
		case c <- struct{}{}:
		default: // it is awake already
		}
	}
}

// Handle carries out a request. It always answers: what goes wrong becomes
// words for the person, and a line in the log for the operator.
func (h *Host) Handle(ctx context.Context, req Request) (reply Reply) {
	began := h.Now()
	log := h.Log.With("request", req.ID, "channel", req.Channel, "user", req.User.ID, "command", req.Command)
	defer func() {
		if r := recover(); r != nil {
			log.Error("command panicked", "panic", r, "stack", string(debug.Stack()))
			reply = sorry()
		}
		log.Info("command", "refused", reply.Refused, "took", h.Now().Sub(began))
	}()
	c, ok := FindCommand(req.Command)
	if !ok {
		return refuse(unknownCommand(req.Command))
	}
	for _, o := range c.Options {
		if o.Required && req.Args[o.Name] == "" {
			return refuse(say("That needs a ", o.Name, ". ", usage(c)))
		}
	}
	if req.Table != 0 {
		// A button may be pressed elsewhere than at its table: under a direct
		// message, say.
		ch, _, err := h.Store.Events(ctx, req.Table, 0)
		if err != nil {
			return h.failed(log, err)
		}
		req.Channel = ch
	}
	reply, err := c.run(h, ctx, req)
	if err != nil {
		return h.failed(log, err)
	}
	return reply
}

// failed answers when it was not the person's mistake.
func (h *Host) failed(log *slog.Logger, err error) Reply {
	log.Error("command failed", "error", err)
	return sorry()
}

func sorry() Reply {
	return refuse(say("Something went wrong on my side, and nothing was changed. Please try again in a moment."))
}

func refuse(t Text) Reply { return Reply{Text: t, Refused: true} }

// a table is a channel's table as it stands.
type table struct {
	Channel ChannelID
	ID      TableID
	Events  []game.Event
	game.State
}

// table loads the table that a request is about.
func (h *Host) table(ctx context.Context, req Request) (table, error) {
	t := table{Channel: req.Channel, ID: req.Table}
	var err error
	if t.ID != 0 {
		_, t.Events, err = h.Store.Events(ctx, t.ID, -1)
	} else {
		t.ID, t.Events, err = h.Store.Table(ctx, req.Channel)
	}
	if err != nil {
		return t, fmt.Errorf("load table: %w", err)
	}
	return t.replayed()
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

// lexicon is the word list of a table. A list of the same name but other words
// serves too, so that a new version of a list strands no running game.
func (h *Host) lexicon(id game.LexiconID) (*lexicon.Lexicon, error) {
	var named *lexicon.Lexicon
	for _, l := range h.Lexicons {
		if l.Hash() == id.Hash {
			return l, nil
		}
		if l.Name() == id.Name {
			named = l
		}
	}
	if named == nil {
		return nil, fmt.Errorf("this host has no word list %q any more", id.Name)
	}
	h.Log.Warn("the word list has changed since the table was opened", "lexicon", id.Name, "then", id.Hash, "now", named.Hash())
	return named, nil
}
