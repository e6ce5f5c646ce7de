package bot

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// Config is what a host needs.
type Config struct {
	Store     Store
	Equipment game.Equipment
	// Lexicons are the word lists that tables can name. DefaultLexicon gives
	// the name of the one for a platform that names none.
	Lexicons       []*lexicon.Lexicon
	DefaultLexicon func(platform string) string
	Now            func() time.Time
	// Random is where secrets come from: crypto/rand.Reader.
	Random io.Reader
	Log    *slog.Logger
}

// A Host keeps tables in channels.
type Host struct {
	Config
}

// New makes a host.
func New(c Config) *Host { return &Host{Config: c} }

// Handle carries out a request. It always answers; what goes wrong becomes
// words for the person and a line in the log.
func (h *Host) Handle(ctx context.Context, req Request) Reply { panic("being written") }

// Complete lists what could be meant by the option being typed, best first, at
// most 25. req.Args has the options typed so far, that one included.
func (h *Host) Complete(ctx context.Context, req Request, option string) []Choice {
	panic("being written")
}

// Deliver delivers the posts of one platform, until ctx is done. It wakes
// after each commit of this process, and by itself when a post that was put
// off is due.
func (h *Host) Deliver(ctx context.Context, platform string, p Poster) error { panic("being written") }

// RunTimers does what falls due, until ctx is done.
func (h *Host) RunTimers(ctx context.Context) error { panic("being written") }
