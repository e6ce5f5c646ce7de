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

// Config configures a host. Store, Notes, Equipment, Platforms, Now, Random and Log must be
// set.
type Config struct {
	Store     bot.Store
	Notes     bot.Notes // the host's own
	Equipment game.Equipment
	// Languages are the languages that tables can choose, the default first. Without any, all
	// tables use Equipment's tiles.
	Languages []*language.Language
	// Lexicons are the word lists that tables can name. A language's list has its code as name or
	// prefix: es, es-verbs.
	Lexicons []*lexicon.Lexicon
	// FormerLexicons are earlier lists under names that other lists have now. Tables that
	// opened with them still use them.
	FormerLexicons []*lexicon.Lexicon
	// Platforms returns the platforms that people come from.
	Platforms func() []bot.Platform
	// DefaultLexicon names the list of tables that name none, if their platform has no default.
	DefaultLexicon string
	Now            func() time.Time
	// Name identifies the process among all that share the store; it claims posts, timers and jobs
	// under this name. If it is "", a random name is used.
	Name string
	// Life limits how long others wait for a process that was killed; 0 means ten seconds. The
	// loops look at the store without a hint every six lives.
	Life time.Duration
	// Random is the source of the draws' secrets: crypto/rand.Reader.
	Random io.Reader
	Log    *slog.Logger
	// Observer receives figures; may be nil.
	Observer bot.Observer
	// Mind returns what robots know of a word list, always the same for the same list. If it is
	// nil, there are no robots.
	Mind func(*lexicon.Lexicon) *robot.Mind
	// Thinkers limits how many robots think at once, each on one processor.
	Thinkers int
	// Renderer returns the renderer of a theme. If it is nil, there are no pictures.
	Renderer func(imaging.Theme) *imaging.Renderer
	// Common lists the common words of a word list, for boards with printed words. If it is nil,
	// all words count as equally common.
	Common func(*lexicon.Lexicon) []lexicon.Word
	// Features creates the host's features, and Order sets the order of their commands and
	// settings.
	Features func(feature.Registry) []feature.Feature
	Order    Order
	// URL is the host's public address without a final slash: "https://play.example.org". If it is
	// "", nothing links to the pages of games.
	URL string
	// Locales are the languages that the host speaks; nil means only English.
	Locales *text.Locales
	// Layouts are the boards of variants.
	Layouts []game.Layout
	// Contact says how to reach the operator, "" if unknown.
	Contact string
	// ForgetAfter is the time between a game's end and the erasure of its names; see
	// [Host.RunForgetting]. 0 means never.
	ForgetAfter time.Duration
	// PersonShare is the share of all processors that one person may use, such as 0.04;
	// a network may use four times as much. 0 sets no limit.
	PersonShare float64
}

// A Host runs tables in channels. It is safe for concurrent use.
type Host struct {
	*engine
	*commands
	*deliveries
	*alarms
	*archive
}

// An engine is shared by all parts of a host.
type engine struct {
	Config
	registry
	*limits

	lists    *lexicons.Lists
	settings *settings.Settings
	shown    *table.Shown
	replays  table.Replays
	loops    *loops.Loops // by platform; "" handles the timers
	moved    movedChannels
	names    *shelf.Shelf[shelf.Person, earlierNames]
}

// New returns a host.
func New(c Config) *Host {
	if c.Observer == nil {
		c.Observer = bot.Unobserved{}
	}
	e := &engine{Config: c, limits: newLimits(c)}
	d := &desk{e}
	room := shelf.NewRoom(c.Notes, c.Random)
	own := room.Owner("the host")
	e.lists = lexicons.New(c.Equipment, c.Languages, c.Locales, c.Lexicons, c.FormerLexicons, e.usualLexicon)
	e.settings = settings.New(own, settings.Has{Lists: e.lists, Pictures: c.Renderer != nil, Locales: c.Locales, OneBoard: func(platform string) bool { return e.platformNamed(platform).OneBoard }})
	e.shown = table.NewShown(own)
	e.names = openNames(own)
	e.loops = loops.New(c.Store, c.Name, c.Life, c.Now, c.Log)
	e.Store = e.loops.Hear(c.Store)
	var telling sync.RWMutex
	a := newArchive(d, room, own, &telling)
	if c.Features != nil {
		e.register(c.Features(&featureRegistry{d, a, room, map[string]bool{}}), c.Order)
	}
	return &Host{engine: e, commands: &commands{d}, deliveries: newDeliveries(d, &telling), alarms: &alarms{desk: d, archive: a}, archive: a}
}

// Commands lists the host's commands.
func (h *Host) Commands() bot.Commands { return h.registry.commands }

// Variants returns the variants of its features.
func (h *Host) Variants() table.Variants { return h.variants }

// Lists returns its word lists.
func (h *Host) Lists() *lexicons.Lists { return h.lists }

// Rouse wakes the loop of a platform, or the loop of the timers if platform is "".
func (h *Host) Rouse(platform string) { h.loops.Rouse(platform) }

// HasFollowed reports whether the features have checked all channels whose tables have changed.
func (h *Host) HasFollowed() bool { return h.moved.isEmpty() }

// TablePages returns the pages of games in the browser, or nil if no feature has them.
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
		all = append(all, h.limits.chargeVisitors(p))
	}
	return all
}

// Shelves lists all shelves besides tables.
func (h *Host) Shelves() []shelf.Listing { return h.archive.room.Listings() }

// Keeps describes all data that the host and its platforms store, for the people it is about.
func (h *Host) Keeps() []bot.Keeping {
	games := "for good; whoever is forgotten is a former player there"
	if days := int(h.ForgetAfter.Hours() / 24); days > 0 {
		games = fmt.Sprintf("for good, but for the names: those go %d days after a game's end; whoever is forgotten is a former player there at once", days)
	}
	all := []bot.Keeping{{By: "games", Shelf: "tables", Why: "games: who played, and all that happened there", Whose: "table", Until: games}}
	for _, l := range h.Shelves() {
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

// CheckKept reads all rows besides tables, and returns how many each shelf has. The error
// describes the first row that can't be read.
func (h *Host) CheckKept(ctx context.Context) (rows map[string]int, err error) {
	return h.archive.room.Check(ctx)
}

// Broken lists the rows besides tables that couldn't be read since the host started, for an operator.
func (h *Host) Broken() []error { return h.archive.room.Broken() }

// RunElected runs a job in one process at a time: the elected process runs it until ctx is done or the
// job is lost, and then stands for election again.
func (h *Host) RunElected(ctx context.Context, job string, run func(context.Context) error) error {
	return h.loops.RunElected(ctx, job, run)
}

// A featureRegistry collects the parts of the host from which its features are made.
type featureRegistry struct {
	*desk
	*archive
	room  *shelf.Room
	names map[string]bool
}

func (h *featureRegistry) Open(name string) (feature.Desk, *shelf.Owner) {
	if name == "" || h.names[name] {
		panic("two features are called " + name)
	}
	h.names[name] = true
	return h.desk, h.room.Owner(name)
}

func (h *featureRegistry) Resources() feature.Resources {
	return feature.Resources{Mind: h.Mind, Thinkers: h.Thinkers, Thought: h.Observer.Thought, Common: h.desk.Common, Layouts: h.Layouts, URL: h.URL, Contact: h.Contact}
}

func (h *featureRegistry) Settings() *settings.Settings { return h.settings }
func (h *featureRegistry) Commands() []feature.Command  { return h.handlers }
func (h *featureRegistry) Variants() table.Variants     { return h.variants }
func (h *featureRegistry) Moved(ch bot.ChannelID)       { h.moved.markChanged(ch) }
