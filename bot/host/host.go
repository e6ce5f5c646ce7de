package host

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
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
	// FormerLexicons are lists of which others have the names now, for the tables
	// that opened with them.
	FormerLexicons []*lexicon.Lexicon
	// Platforms are those that people come from. It is called when it is needed.
	Platforms func() []bot.Platform
	// DefaultLexicon names the list of tables that name none, where their
	// platform has none of its own.
	DefaultLexicon string
	Now            func() time.Time
	// Name is the process's, among all that share the store: whose posts, timers
	// and jobs it has. It may be "": then there is a random one.
	Name string
	// Life is how long others wait for a process that was killed; 0: ten seconds. Each six
	// lives the loops look at the store by themselves.
	Life time.Duration
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
	// Features makes what the host can do, and Order says how it is listed.
	Features func(feature.House) []feature.Feature
	Order    Order
	// URL is what browsers elsewhere find the host at, without a slash at its end:
	// "https://play.example.org". It is "" where nobody said: then nothing leads
	// to the pages of games.
	URL string
	// Tongues are the languages that it speaks; nil is English alone.
	Tongues *text.Tongues
	// Layouts are the boards that variants of the game need.
	Layouts []game.Layout
	// Contact is how people reach whoever runs the host, "" where nobody said.
	Contact string
	// ForgetAfter is how long after a game's end the names in it are forgotten; see
	// [Host.RunForgetting]. 0 is never.
	ForgetAfter time.Duration
	// PersonShare is the share of all processors that one person may use, such as 0.04;
	// a network may use four times as much. 0 sets no limit.
	PersonShare float64
}

// A Host keeps tables in channels. It is safe for concurrent use.
type Host struct {
	*engine
	*commands
	*deliveries
	*alarms
	*archive
}

// An engine is what all parts of a host share.
type engine struct {
	Config
	registry
	*limits

	lists    *lexicons.Lists
	settings *settings.Settings
	shown    *table.Shown
	replays  table.Replays
	loops    *loops.Loops // by platform; "" sees to the timers
	moved    moved
}

// New makes a host.
func New(c Config) *Host {
	if c.Observer == nil {
		c.Observer = bot.Unobserved{}
	}
	e := &engine{Config: c, limits: newLimits(c)}
	d := &desk{e}
	room := shelf.NewRoom(c.Notes, c.Random)
	own := room.Owner("the host")
	e.lists = lexicons.New(c.Equipment, c.Languages, c.Tongues, c.Lexicons, c.FormerLexicons, e.usualLexicon)
	e.settings = settings.New(own, settings.Has{Lists: e.lists, Pictures: c.Renderer != nil, Tongues: c.Tongues, OneBoard: func(platform string) bool { return e.platformNamed(platform).OneBoard }})
	e.shown = table.NewShown(own)
	e.loops = loops.New(c.Store, c.Name, c.Life, c.Now, c.Log)
	e.Store = e.loops.Hear(c.Store)
	var telling sync.RWMutex
	a := newArchive(d, room, own, &telling)
	if c.Features != nil {
		e.register(c.Features(&house{d, a, room, map[string]bool{}}), c.Order)
	}
	return &Host{engine: e, commands: &commands{d}, deliveries: newDeliveries(d, &telling), alarms: &alarms{desk: d, archive: a}, archive: a}
}

// Commands lists what people can ask of the host.
func (h *Host) Commands() bot.Commands { return h.registry.commands }

// Variants are the ways of playing that its features bring.
func (h *Host) Variants() table.Variants { return h.variants }

// Lists are its word lists.
func (h *Host) Lists() *lexicons.Lists { return h.lists }

// Rouse wakes a loop, if it isn't awake already.
func (h *Host) Rouse(platform string) { h.loops.Rouse(platform) }

// TablePages returns the pages of games in the browser, nil if no feature has them.
func (h *Host) TablePages() bot.TablePages {
	for _, f := range h.features {
		if f.TablePages != nil {
			return countedTables{f.TablePages, h.limits}
		}
	}
	return nil
}

// Pages returns the features' pages in the browser.
func (h *Host) Pages() (all []bot.Pages) {
	for _, p := range h.registry.pages {
		all = append(all, h.limits.counting(p))
	}
	return all
}

// Kept says all that is kept beside tables, by the names of its shelves.
func (h *Host) Kept() []shelf.Listing { return h.archive.room.Listings() }

// Keeps is all that the host and its platforms keep, for those whose data it is.
func (h *Host) Keeps() []bot.Keeping {
	games := "for good; whoever is forgotten is a former player there"
	if days := int(h.ForgetAfter.Hours() / 24); days > 0 {
		games = fmt.Sprintf("for good, but for the names: those go %d days after a game's end; whoever is forgotten is a former player there at once", days)
	}
	all := []bot.Keeping{{By: "games", Shelf: "tables", Why: "games: who played, and all that happened there", Whose: "table", Until: games}}
	for _, l := range h.Kept() {
		k := bot.Keeping{By: l.Owner, Shelf: l.Name, Why: l.Why, Whose: l.Whose, Until: bot.UntilHomeGone}
		switch {
		case strings.Contains(l.Whose, "person"):
			k.Until = bot.UntilForgotten
		case strings.Contains(l.Whose, "table"):
			k.Until = bot.WithTheGame
		}
		all = append(all, k)
	}
	for _, p := range h.Platforms() {
		if l, ok := p.Keeper.(bot.Lister); ok {
			all = append(all, l.Keeps()...)
		}
	}
	return all
}

// CheckKept reads all that is kept beside tables, and says how many rows each shelf has.
// The error is of the first that can't be read.
func (h *Host) CheckKept(ctx context.Context) (rows map[string]int, err error) {
	return h.archive.room.Check(ctx)
}

// Elected runs something in one process at a time: whoever is elected to a job
// runs it until ctx is done, or it has lost the job, and then stands again.
func (h *Host) Elected(ctx context.Context, job string, run func(context.Context) error) error {
	return h.loops.Elected(ctx, job, run)
}

// A house is what the list of features is made in.
type house struct {
	*desk
	*archive
	room  *shelf.Room
	names map[string]bool
}

func (h *house) Open(name string) (feature.Desk, *shelf.Owner) {
	if name == "" || h.names[name] {
		panic("two features are called " + name)
	}
	h.names[name] = true
	return h.desk, h.room.Owner(name)
}

func (h *house) Means() feature.Means {
	return feature.Means{Mind: h.Mind, Thinkers: h.Thinkers, Thought: h.Observer.Thought, Common: h.desk.Common, Layouts: h.Layouts, URL: h.URL, Contact: h.Contact}
}

func (h *house) Settings() *settings.Settings { return h.settings }
func (h *house) Commands() []feature.Command  { return h.handlers }
func (h *house) Variants() table.Variants     { return h.variants }
func (h *house) Moved(ch bot.ChannelID)       { h.moved.changed(ch) }
