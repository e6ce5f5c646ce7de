// Package discord brings the host to Discord: interactions become
// bot.Requests, bot.Replies become private answers, bot.Messages become posts.
//
// What comes in:
//
//	gateway (gateway.go) or HTTP endpoint (endpoint.go)
//	  -> interaction (interaction.go) -> handle (handle.go)
//	  -> bot.Request (request.go) -> Host.Handle
//	  -> bot.Reply -> payload (message.go) -> first response or edit (answer.go)
//
// What goes out by itself:
//
//	Host.Deliver -> Post (post.go) -> payload -> message in a channel or a DM
//
// All that people wrote passes markup (markup.go), and no message can ping
// anybody whom the host didn't name.
//
// # Caveats
//
// An interaction must be answered within 3 seconds and its token dies after 15
// minutes; answer.go sees to both. Whatever must not be lost is a post.
package discord

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Platform is the name under which the host knows Discord.
const Platform = "discord"

// Config is what an adapter needs.
type Config struct {
	Host    bot.Host
	Tongues *text.Tongues // that commands are registered in; nil is English alone
	Notes   bot.Notes     // Discord's own
	Token   string
	// PublicKey is the application's, in hex, for interactions that Discord
	// sends to ServeHTTP. When it is empty they come by the gateway.
	PublicKey string
	// ClientSecret is the application's, for the Activity: without it there is none.
	ClientSecret string
	// API is the server that speaks Discord's API; empty means Discord's own.
	API    string
	Shards Shards
	Now    func() time.Time
	Log    *slog.Logger
	// Observer is told how the connections are; nil is nobody.
	Observer bot.Observer
	// Alone runs what only one process may, by the name of a job, while it has
	// that: nil where there are no others.
	Alone func(ctx context.Context, job string, run func(context.Context) error) error
}

// An Adapter is one application on Discord. It is safe for concurrent use.
type Adapter struct {
	Config
	client     *client
	key        ed25519.PublicKey
	app        atomic.Pointer[application]           // ourselves, once Discord has said
	after      func(time.Duration) <-chan time.Time  // time.After but in tests
	proxy      func(*http.Request) (*url.URL, error) // the way to Discord
	handled    tasks.Tasks                           // interactions under way
	signedIn   atomic.Bool                           // a gateway has been connected
	live       atomic.Int32                          // shards that are connected
	pulse      bot.Pulse
	members    atomic.Bool // Discord tells who leaves a server
	posting    locks       // one post at a time of those that fold each other
	folding    locks       // and one that folds them
	tidying    tasks.Tasks // after posts
	answered   sync.Map    // at the endpoint, by interaction: *given
	gatherings gatherings
	bodyTime   time.Duration   // bodyTime but in tests
	process    string          // this one's name for the others
	mark       bot.Mark        // the store's, on buttons
	life       context.Context // ends with Run
	end        context.CancelFunc
}

// New makes an adapter. Its errors are for the operator: they say what to do.
func New(c Config) (*Adapter, error) {
	if c.Observer == nil {
		c.Observer = bot.Unobserved{}
	}
	a := &Adapter{Config: c, process: rand.Text(), after: time.After, proxy: http.ProxyFromEnvironment, bodyTime: bodyTime}
	a.life, a.end = context.WithCancel(context.Background())
	token, _ := strings.CutPrefix(strings.TrimSpace(c.Token), "Bot ")
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return nil, errToken
	}
	if c.PublicKey != "" {
		key, err := hex.DecodeString(c.PublicKey)
		if err != nil || len(key) != ed25519.PublicKeySize {
			return nil, errors.New("DISCORD_PUBLIC_KEY is not a public key: copy the 64 hex digits from General Information in the developer portal")
		}
		a.key = key
	}
	api, err := url.Parse(c.API)
	if c.API == "" {
		api, err = url.Parse("https://discord.com")
	}
	if err != nil || api.Host == "" || api.Scheme != "http" && api.Scheme != "https" {
		return nil, fmt.Errorf("%q is not the address of a server: write it like http://127.0.0.1:3001", c.API)
	}
	a.client, err = newClient(api, "Bot "+token, c.Now, func(wait time.Duration) { c.Observer.Held(Platform, wait) })
	if err == nil && c.Notes != nil {
		a.shareLimits()
		a.mark, err = bot.MarkOf(a.life, c.Notes)
	}
	return a, err
}

// Wait waits for what is under way: call it when no request can come any more and
// nothing is posted, and before the store is closed.
func (a *Adapter) Wait() {
	a.handled.Wait()
	a.tidying.Wait()
}

// Platform is Discord as the host treats it: most people have it dark.
func (a *Adapter) Platform() bot.Platform {
	return bot.Platform{
		Name: Platform, Title: "Discord", Theme: "dark", TurnRacks: true,
		Link: a.Link, Keeper: a, Path: "/discord/interactions",
	}
}

// Run serves Discord until ctx is done: it registers the commands, and keeps
// the gateway connected unless interactions come over HTTP. When it returns no
// interaction is under way.
//
// The error, if any, is one at the start that trying again won't mend, such as a
// wrong token, and the operator who starts the program should see it. What only
// the operator can mend later is logged, and tried again from time to time:
// nobody is at the terminal then, and the other platforms go on.
func (a *Adapter) Run(ctx context.Context) error {
	defer a.tidying.Wait()
	defer a.end()
	defer a.handled.Wait()
	var app application
	a.connection(signingIn, bot.Connecting)
	err := a.persist(ctx, "Discord can't be reached", func() (err error) {
		defer func() {
			if err != nil {
				a.connection(signingIn, bot.Retrying)
			}
		}()
		if app, err = a.application(ctx); err != nil {
			return err
		}
		known := app
		a.app.Store(&known)
		if err = a.register(ctx, app.ID); refusedForGood(err) {
			a.Log.Error("the commands can't be registered; those that are there stay", "error", err)
			return nil
		}
		return err
	})
	if err != nil || ctx.Err() != nil {
		return ignoreDone(ctx, err)
	}
	a.pulse.Beat(a.Now())
	a.connection(signingIn, bot.Closed)
	a.Log.Info("signed in to Discord", "application", app.ID, "name", app.Name)
	switch a.members.Store(app.tellsOfMembers()); {
	case a.key != nil:
		a.Log.Info("where interactions come over HTTP Discord doesn't tell who leaves a server, or which channels are deleted: seats stay theirs until their time is over; to hear of it at once leave DISCORD_PUBLIC_KEY out")
	case !app.tellsOfMembers():
		a.Log.Info("Discord won't tell who leaves a server, and their seats stay theirs until their time is over; to free them at once switch on Server Members Intent under Bot in the developer portal, and start again")
	}
	following, stop := context.WithCancel(ctx)
	defer stop()
	a.handled.Go(func() { a.followLimits(following) })
	if a.key != nil {
		a.connection("http", bot.Connected)
		<-ctx.Done()
		return nil
	}
	return ignoreDone(ctx, a.runShards(ctx))
}

// Health is how the line to Discord is; see [bot.Reporter].
func (a *Adapter) Health() bot.Health { return a.pulse.Health() }

// signingIn is the name of a connection, beside those of shards.
const signingIn = "sign-in"

// connection tells how a connection is.
func (a *Adapter) connection(name string, s bot.State) { a.Observer.Connection(Platform, name, s) }

// persist calls f until it succeeds or fails for good, or ctx is done. Between
// the tries it waits, longer each time, and tells the operator why.
func (a *Adapter) persist(ctx context.Context, what string, f func() error) error {
	for wait := time.Second; ; wait = min(2*wait, longestWait) {
		err := f()
		if err == nil || ctx.Err() != nil || hopeless(err) {
			return err
		}
		a.pulse.Miss(a.Now(), fmt.Sprint(err))
		a.Log.Warn(what+"; trying again. Check the network and https://discordstatus.com", "error", err, "wait", max(wait, retryAfter(err)))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-a.after(max(wait, retryAfter(err))):
		}
	}
}

// longestWait is how long to wait at most between two tries to connect.
const longestWait = 10 * time.Minute

func ignoreDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// locks are mutexes by name.
type locks struct{ byName sync.Map }

func (l *locks) lock(name string) (unlock func()) {
	m, _ := l.byName.LoadOrStore(name, new(sync.Mutex))
	mu := m.(*sync.Mutex)
	mu.Lock()
	return mu.Unlock
}
