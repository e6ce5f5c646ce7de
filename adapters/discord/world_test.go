package discord_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// A world is a Discord with a server of three people, and a host with its adapter.
type world struct {
	t       testing.TB
	d       *discordtest.Discord
	guild   *discordtest.Guild
	channel *discordtest.Channel
	ann     *discordtest.User
	bob     *discordtest.User
	eve     *discordtest.User

	store    *memory.Store
	lists    []*lexicon.Lexicon // of the host, besides the small one
	small    *lexicon.Lexicon   // nil means the usual one
	notes    bot.Notes
	host     *host.Host
	adapter  *discord.Adapter
	timers   timers // of the adapter; a test can replace them while it runs
	log      *bottest.Log
	stop     func()
	url      string        // public address of the host
	oneBoard bool          // the default
	whole    bool          // whether the host knows all of the adapter's platform
	locales  *text.Locales // languages of the host; nil means only English
}

// newDiscord returns a world with a server and people, without a running host.
func newDiscord(t testing.TB) *world {
	w := &world{t: t, d: discordtest.New(t), log: new(bottest.Log)}
	w.guild = w.d.Guild("club")
	w.channel = w.guild.Channel("general")
	w.ann, w.bob, w.eve = w.d.User("Ann"), w.d.User("Bob"), w.d.User("Eve")
	w.store = memory.New()
	w.notes = w.store.Notes(discord.Platform)
	return w
}

// newWorld returns a world with the host and the adapter running.
func newWorld(t *testing.T, changes ...func(*world)) *world {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	for _, change := range changes {
		change(w)
	}
	w.start()
	w.d.Gateway.Connected(1, 1, 0)
	return w
}

// timers acts like time.After until a test replaces it, except that a busy machine never
// defers an answer.
type timers struct {
	other atomic.Pointer[func(time.Duration) <-chan time.Time]
}

func (ts *timers) set(after func(time.Duration) <-chan time.Time) { ts.other.Store(&after) }

func (ts *timers) after(d time.Duration) <-chan time.Time {
	if other := ts.other.Load(); other != nil {
		return (*other)(d)
	}
	if d == discord.Patience {
		d = time.Minute
	}
	return time.After(d)
}

// build creates the host and the adapter.
func (w *world) build(c discord.Config, store bot.Store) {
	w.t.Helper()
	small := w.small
	if small == nil {
		small = bottest.Small(w.t)
	}
	w.host = host.New(host.Config{
		Features: features.All, Order: features.Order(),
		Store: store, Notes: w.store.Notes("host"), Equipment: gametest.Equipment(w.t), Layouts: gametest.Layouts(w.t), Lexicons: append([]*lexicon.Lexicon{small}, w.lists...),
		DefaultLexicon: "small",
		Renderer:       func(imaging.Theme) *imaging.Renderer { return darkRenderer() },
		Platforms: func() []bot.Platform {
			p := bot.Platform{Name: discord.Platform, Cards: true, OneBoard: w.oneBoard}
			if w.adapter != nil {
				own := w.adapter.Platform()
				if w.whole {
					return []bot.Platform{own}
				}
				p.Front, p.Typed, p.Obstacle, p.Pin, p.Link, p.Owner, p.CurrentNames = own.Front, own.Typed, own.Obstacle, own.Pin, own.Link, own.Owner, own.CurrentNames
			}
			return []bot.Platform{p}
		},
		Mind:    featuretest.HalfKnown,
		Locales: w.locales,
		URL:     w.url, Now: w.d.Now, Random: rand.Reader, Log: slog.New(slog.NewTextHandler(w.log, debugging)),
	})
	c.Host, c.Notes, c.Token, c.API, c.Now = w.host, w.notes, discordtest.Token, w.d.URL, w.d.Now
	c.Log = slog.New(slog.NewTextHandler(w.log, debugging))
	var err error
	if w.adapter, err = discord.New(c); err != nil {
		w.t.Fatal(err)
	}
	w.adapter.SetAfter(w.timers.after)
}

// start runs the host and the adapter until the test ends or stop is called.
func (w *world) start() {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.adapter.Run(ctx); err != nil {
			w.t.Errorf("Run: %v", err)
		}
	})
	running.Go(func() { w.host.Deliver(ctx, discord.Platform, w.adapter) })
	running.Go(func() { w.host.RunTimers(ctx) })
	w.stop = func() { cancel(); running.Wait(); w.adapter.Wait() }
	w.t.Cleanup(func() {
		w.stop()
		w.holdsNothingPrivate()
		if w.t.Failed() {
			w.t.Logf("the log:\n%s", w.log)
		}
	})
}

// debugging makes logs include everything.
var debugging = &slog.HandlerOptions{Level: slog.LevelDebug}

// holdsNothingPrivate fails if the log of a world contains a token, an address by which
// others could answer for us, or a rack, whatever went wrong.
func (w *world) holdsNothingPrivate() {
	log := w.log.String()
	for _, secret := range append(racks(w.store), discordtest.Token) {
		if strings.Contains(log, secret) {
			w.t.Errorf("the log has %q:\n%s", secret, log)
		}
	}
	if address := answering.FindString(log); address != "" {
		w.t.Errorf("the log has %q:\n%s", address, log)
	}
}

// answering matches addresses that would let others answer an interaction: they contain
// its token, which the log replaces with an ellipsis.
var answering = regexp.MustCompile(`/(webhooks|interactions)/[0-9]+/[^…\s"]+`)

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

// told waits for the nth message in a person's direct messages. Rack cards,
// which come silently, don't count.
func (w *world) told(u *discordtest.User, n int) (m discordtest.Message) {
	w.t.Helper()
	w.reads(u, fmt.Sprint(n, " messages"), func(all []discordtest.Message) bool {
		all = slices.DeleteFunc(all, func(m discordtest.Message) bool { return m.Silent })
		if len(all) >= n {
			m = all[n-1]
		}
		return len(all) >= n
	})
	return m
}

// card waits until the newest rack card in a person's direct messages says something.
func (w *world) card(u *discordtest.User, says string) (m discordtest.Message) {
	w.t.Helper()
	w.reads(u, "a card that says "+says, func(all []discordtest.Message) bool {
		for _, one := range all {
			if one.Silent {
				m = one
			}
		}
		return m.ID != "" && m.Says(says)
	})
	return m
}

// reads waits until a person's direct messages are as expected.
func (w *world) reads(u *discordtest.User, what string, so func([]discordtest.Message) bool) {
	w.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		all := slices.DeleteFunc(u.Sees(u.DM()), func(m discordtest.Message) bool { return m.For != "" })
		if so(all) {
			return
		}
		if time.Now().After(end) {
			w.t.Errorf("%s waits in vain for %s, and reads %d messages", u.Name, what, len(all))
			for _, m := range all {
				w.t.Logf("| %q %q", m.Content, m.Labels())
			}
			return
		}
	}
}

// exchanges makes the player to move exchange a tile, and waits for the posts. It returns the
// player.
func (w *world) exchanges() *discordtest.User {
	w.t.Helper()
	s, mover := w.state(), w.ann
	if s.Seats[s.Turn].Person.ID == player(w.bob) {
		mover = w.bob
	}
	mover.Gives(w.channel, "exchange", "tiles", s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0))).Answer()
	if w.state().Number == s.Number {
		w.t.Error("nothing was exchanged")
	}
	w.settled()
	return mover
}

// table deals a game in the channel.
func (w *world) table(challenge game.ChallengeRule, bag, ann, bob string) {
	w.t.Helper()
	deal(w.t, w.store, bot.ChannelID("discord:"+w.channel.ID), challenge, bag,
		game.Person{ID: player(w.ann), Name: "Ann"}, ann, game.Person{ID: player(w.bob), Name: "Bob"}, bob)
}

func player(u *discordtest.User) game.PlayerID { return game.PlayerID("discord:" + u.ID) }

// deal stores a newly dealt game, which the first player begins. It contains only the given
// tiles.
func deal(t testing.TB, store bot.Store, ch bot.ChannelID, challenge game.ChallengeRule, bag string, a game.Person, rackA string, b game.Person, rackB string) {
	t.Helper()
	eq := gametest.Equipment(t)
	parse := func(s string) game.Tiles {
		tiles, err := eq.Tiles.Parse(s)
		gametest.Must(t, err)
		return tiles
	}
	kinds := eq.Tiles.Kinds()
	for i := range kinds {
		kinds[i].Count = strings.Count(bag+rackA+rackB, kinds[i].Text)
	}
	racks := []game.Tiles{parse(rackA), parse(rackB)}
	var err error
	if eq.Tiles, err = game.NewTileSet("english", kinds[:len(kinds)-1], kinds[len(kinds)-1]); err != nil {
		t.Fatal(err)
	}
	rules := game.RuleSets()[0]
	rules.Challenge = challenge
	facts := []game.Fact{
		game.Opened{Rules: rules, Equipment: eq, Lexicon: game.LexiconID{Name: "small", Hash: bottest.Small(t).Hash()}, Host: a, Seats: 2},
		game.Joined{Person: a}, game.Joined{Person: b}, game.Started{}, game.Dealt{First: 0, Racks: racks},
	}
	err = store.Update(t.Context(), ch, "deal", func(r *bot.Room) error {
		for i, f := range facts {
			r.Append = append(r.Append, game.Event{Number: i, At: time.Now().UTC(), Cause: fmt.Sprintf("deal-%d", i), Fact: f})
		}
		r.Seated = []game.PlayerID{a.ID, b.ID}
		return nil
	})
	gametest.Must(t, err)
}

// awaitLog waits for a line in the log.
func (w *world) awaitLog(says string) { w.t.Helper(); w.awaitLogs(says, 1) }

// awaitLogs waits for n lines in the log.
func (w *world) awaitLogs(says string, n int) {
	w.t.Helper()
	for end := time.Now().Add(2 * time.Minute); strings.Count(w.log.String(), says) < n; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("waited in vain for a line that says %s", says)
		}
	}
}

var darkRenderer = sync.OnceValue(func() *imaging.Renderer { return bottest.Renderer(new(testing.T), imaging.Dark) })
