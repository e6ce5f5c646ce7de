// Package discord connects the host to Discord: interactions become bot.Requests,
// bot.Replies become private answers, bot.Messages become posts.
//
// Incoming requests:
//
//	gateway (gateway.go) or HTTP endpoint (endpoint.go)
//	  -> interaction (interaction.go) -> handle (handle.go)
//	  -> bot.Request (request.go) -> Host.Handle
//	  -> bot.Reply -> payload (message.go) -> first response or edit (answer.go)
//
// Outgoing messages:
//
//	Host.Deliver -> Post (post.go) -> payload -> message in a channel or a DM
//
// Text that people wrote goes through markup (markup.go), and no message can ping anyone
// whom the host didn't name.
//
// # Caveats
//
// An interaction must be answered within 3 seconds and its token expires after 15 minutes;
// answer.go handles both. Anything that must not be lost is a post.
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
	"time"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Platform is the host's name for Discord.
const Platform = "discord"

// Config configures an adapter.
type Config struct {
	Host    bot.Host
	Locales *text.Locales // languages of registered commands; nil means only English
	Notes   bot.Notes     // reserved for this adapter
	Token   string
	// PublicKey is the application's key, in hex, for interactions that Discord sends to
	// ServeHTTP. If it is empty, they come by the gateway.
	PublicKey string
	// ClientSecret is the application's secret for the Activity; without it the Activity is
	// disabled.
	ClientSecret string
	// API is the address of a server with Discord's API; empty means Discord's own.
	API    string
	Shards Shards
	// CommandsByThemselves registers each command at the top level, and none below
	// /rackmate.
	CommandsByThemselves bool
	Now                  func() time.Time
	Log                  *slog.Logger
	// Observer receives the states of the connections; it may be nil.
	Observer bot.Observer
	// Alone runs a named job that only one process may run at a time, once this process is
	// elected to it. It is nil if there are no other processes.
	Alone func(ctx context.Context, job string, run func(context.Context) error) error
	// ForgettingServer erases a server's data, by its id, and ForgettingPerson a
	// person's, some time after they left. They are nil if the host keeps such data.
	ForgettingServer func(ctx context.Context, guild string) error
	ForgettingPerson func(ctx context.Context, who bot.PlayerID) error
}

// An Adapter is one application on Discord. It is safe for concurrent use.
//
// Its parts have separate states: interactions from the gateway or the endpoint go to the
// inbox, the host's messages to the poster, and requests of the Activity's frame to the
// activity.
type Adapter struct {
	*common
	gateway  *gateway
	endpoint *endpoint
	inbox    *inbox
	poster   *poster
	activity *activity
	keeper   *keeper
	servers  *servers
	names    *directory
}

// A common holds what the parts of an adapter share. It doesn't change after its creation.
type common struct {
	Config
	client  *client
	mark    bot.Mark // of the store, on buttons
	process string   // name of this process for the others
	after   timer
	pulse   *bot.Pulse
	ended   context.Context // done when Run returns; ends background work on posts
	end     context.CancelFunc
}

// New returns an adapter. Its errors tell the operator what to do.
func New(c Config) (*Adapter, error) {
	if c.Observer == nil {
		c.Observer = bot.Unobserved{}
	}
	token, _ := strings.CutPrefix(strings.TrimSpace(c.Token), "Bot ")
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return nil, errToken
	}
	var key ed25519.PublicKey
	if c.PublicKey != "" {
		var err error
		if key, err = hex.DecodeString(c.PublicKey); err != nil || len(key) != ed25519.PublicKeySize {
			return nil, errors.New("DISCORD_PUBLIC_KEY is not a public key: copy the 64 hex digits from General Information in the developer portal")
		}
	}
	api, err := url.Parse(c.API)
	if c.API == "" {
		api, err = url.Parse("https://discord.com")
	}
	if err != nil || api.Host == "" || api.Scheme != "http" && api.Scheme != "https" {
		return nil, fmt.Errorf("%q is not the address of a server: write it like http://127.0.0.1:3001", c.API)
	}
	shared := &common{Config: c, process: rand.Text(), after: time.After, pulse: new(bot.Pulse)}
	shared.ended, shared.end = context.WithCancel(context.Background())
	shared.client, err = newClient(api, "Bot "+token, c.Now, func(wait time.Duration) { c.Observer.Held(Platform, wait) })
	if err == nil {
		shared.client.limits.onBan = shared.reportBan
	}
	if err == nil && c.Notes != nil {
		shared.mark, err = bot.MarkOf(context.Background(), c.Notes)
	}
	if err != nil {
		return nil, err
	}
	return assemble(shared, key), nil
}

// assemble creates the parts of an adapter. key is the endpoint's, or nil if interactions
// come by the gateway.
func assemble(c *common, key ed25519.PublicKey) *Adapter {
	var names directory
	if c.Host != nil {
		names.catalog = catalogOf(c.Host.Commands(), c.CommandsByThemselves)
	}
	composer := composer{c.mark, &names}
	directs, visits, refusals, chats := &dmChannels{c}, &visits{c}, newRefusals(c), new(chats)
	servers := &servers{common: c}
	poster := newPoster(&poster{common: c, composer: composer, directs: directs, visits: visits, refusals: refusals, chats: chats, servers: servers, overHTTP: key != nil})
	inbox := &inbox{common: c, composer: composer, directs: directs, visits: visits, refusals: refusals, threads: poster.threads, chats: chats, servers: servers, launches: launches{c}, box: poster.box}
	return &Adapter{
		common:   c,
		inbox:    inbox,
		gateway:  &gateway{common: c, inbox: inbox, proxy: http.ProxyFromEnvironment},
		endpoint: &endpoint{common: c, inbox: inbox, servers: servers, key: key, bodyTime: bodyTime},
		poster:   poster,
		activity: &activity{common: c, box: poster.box, launches: launches{c}, key: key},
		keeper:   &keeper{c.Notes, poster.box, launches{c}},
		servers:  servers,
		names:    &names,
	}
}

// Wait waits until all work is done. Call it after the last request and post, and before
// closing the store.
func (a *Adapter) Wait() {
	a.inbox.handled.Wait()
	a.servers.missing.Wait()
	a.poster.behind.Wait()
}

// Platform describes Discord to the host. Most people use its dark theme.
func (a *Adapter) Platform() bot.Platform {
	p := bot.Platform{
		Name: Platform, Title: "Discord", Theme: "dark", Cards: true, OneBoard: true, CurrentNames: true,
		Aside: a.inbox.threads.open, Link: a.poster.Link, Obstacle: a.poster.obstacle, Pin: a.poster.pin, Owner: a.servers.owner, Keeper: a.keeper, Path: "/discord/interactions",
		Typed: a.names.typedName,
	}
	if a.hasActivity() {
		p.Front = a.activity.frontLink
	}
	return p
}

// Post delivers a message to its channel, or to a person's direct messages.
func (a *Adapter) Post(ctx context.Context, m bot.Message) error { return a.poster.Deliver(ctx, m) }

// Recall handles a message that isn't needed any more but may have been sent; see
// [bot.Recaller].
func (a *Adapter) Recall(ctx context.Context, m bot.Message) error { return a.poster.Recall(ctx, m) }

// ServeHTTP serves the endpoint that receives interactions if they don't come by the
// gateway.
func (a *Adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.endpoint.ServeHTTP(w, r) }

// Frame describes where Discord serves the Activity's frame; see [bot.Activity].
func (a *Adapter) Frame() bot.Frame { return a.activity.Frame() }

// Open returns an error unless an instance exists; see [bot.Activity].
func (a *Adapter) Open(ctx context.Context, instance string, h bot.Header, ask func(countFor string) error) (bot.PlayerID, error) {
	return a.activity.Open(ctx, instance, h, ask)
}

// Enter returns the user behind a code, if they are in the instance; see [bot.Activity].
func (a *Adapter) Enter(ctx context.Context, instance, code string, h bot.Header) (bot.Presence, error) {
	return a.activity.Enter(ctx, instance, code, h)
}

// Present returns where a user of the instance is; see [bot.Activity].
func (a *Adapter) Present(ctx context.Context, instance string, who bot.PlayerID, h bot.Header) (bot.Presence, error) {
	return a.activity.Present(ctx, instance, who, h)
}

// Share creates a link with a picture; see [bot.Activity].
func (a *Adapter) Share(ctx context.Context, access string, s bot.SharedPicture) (link string, err error) {
	return a.activity.Share(ctx, access, s)
}

// Run serves Discord until ctx is done: it registers the commands, and keeps the gateway
// connected unless interactions come over HTTP. When it returns, no interaction is running.
//
// It only returns errors from the start that a retry can't fix, such as a wrong token, for
// the operator who starts the program. Later problems that only the operator can fix are
// logged and retried from time to time: nobody is at the terminal then, and the other
// platforms continue.
func (a *Adapter) Run(ctx context.Context) error {
	defer a.poster.behind.Wait()
	defer a.inbox.handled.Wait()
	defer a.end()
	app, err := a.signIn(ctx)
	if err != nil || ctx.Err() != nil {
		return ignoreDone(ctx, err)
	}
	a.activity.app.Store(&app)
	a.pulse.Beat()
	a.connection(signingIn, bot.Closed)
	a.Log.Info("signed in to Discord", "application", app.ID, "name", app.Name)
	switch {
	case a.endpoint.key != nil:
		a.Log.Info("over HTTP, Discord doesn't report people who leave a server or channels that are deleted, so seats are kept until their time runs out; leave DISCORD_PUBLIC_KEY out to learn of it at once")
	case !app.tellsOfMembers():
		a.Log.Info("Discord doesn't report people who leave a server, so they keep their seats until their time runs out; to free seats at once, turn on Server Members Intent under Bot in the developer portal and restart")
	}
	if a.Notes != nil {
		if err := a.poster.box.TidyAll(ctx); err != nil && ctx.Err() == nil {
			a.Log.Error("can't resume folding posts", "error", err)
		}
	}
	following, stop := context.WithCancel(ctx)
	defer stop()
	a.inbox.handled.Go(func() { a.shareLimits(following) })
	if a.ForgettingServer != nil || a.ForgettingPerson != nil {
		a.inbox.handled.Go(func() {
			if err := a.runElected(following, "discord left", a.forgetLeft); err != nil && following.Err() == nil {
				a.Log.Error("can't erase people who left", "error", err)
			}
		})
	}
	if a.endpoint.key != nil {
		a.connection("http", bot.Connected)
		<-ctx.Done()
		return nil
	}
	return ignoreDone(ctx, a.gateway.run(ctx, app.tellsOfMembers()))
}

// signIn loads the application and registers the commands, and retries until that succeeds.
func (a *Adapter) signIn(ctx context.Context) (app application, err error) {
	a.connection(signingIn, bot.Connecting)
	commands := registrar{a.common, a.names}
	err = a.persist(ctx, "Discord can't be reached", func() (err error) {
		defer func() {
			if err != nil {
				a.connection(signingIn, bot.Retrying)
			}
		}()
		if app, err = a.client.application(ctx); err != nil {
			return err
		}
		if err = commands.register(ctx, app.ID); isLastingRefusal(err) {
			a.Log.Error("can't register the commands; the present ones stay", "error", err)
			return nil
		}
		return err
	})
	return app, err
}

// forgetLeft erases the data of people and servers that left long ago, and withdraws the posts of
// forgotten servers, until ctx is done.
func (a *Adapter) forgetLeft(ctx context.Context) error {
	var withdrawing tasks.Tasks
	withdrawing.Go(func() { a.poster.withdraw(ctx) })
	err := a.servers.forgetLeft(ctx)
	withdrawing.Wait()
	return err
}

// runElected runs a job while no other process does.
func (c *common) runElected(ctx context.Context, job string, do func(context.Context) error) error {
	if c.Alone == nil {
		return do(ctx)
	}
	return c.Alone(ctx, job, do)
}

// Health returns the state of the connection to Discord; see [bot.Reporter].
func (a *Adapter) Health() bot.Health { return a.pulse.Health() }

// signingIn is the name of the sign-in among the connections, which are otherwise shards.
const signingIn = "sign-in"

// connection reports the state of a connection.
func (c *common) connection(name string, s bot.State) { c.Observer.Connection(Platform, name, s) }

// reportBan informs the operator of a ban of this address and how long it lasts, or with 0
// that it is over.
func (c *common) reportBan(wait time.Duration) {
	if wait == 0 {
		c.pulse.Refuse("")
		c.Log.Info("requests to Discord succeed again")
		return
	}
	c.pulse.Refuse(banned)
	c.Log.Error(banned+"; sending nothing until that is over. Look in the log before this for what was refused, and whether others at this address use Discord's API", "wait", wait)
}

// persist calls f until it succeeds or fails for good, or ctx is done. Before each retry it
// informs the operator and waits, longer each time.
func (c *common) persist(ctx context.Context, what string, f func() error) error {
	for wait := time.Second; ; wait = min(2*wait, longestWait) {
		err := f()
		if err == nil || ctx.Err() != nil || needsOperator(err) {
			return err
		}
		c.pulse.Miss(fmt.Sprint(err))
		c.Log.Warn(what+"; trying again. Check the network and https://discordstatus.com", "error", err, "wait", max(wait, retryAfter(err)))
		if err := c.after.sleep(ctx, max(wait, retryAfter(err))); err != nil {
			return err
		}
	}
}

// A timer is time.After, replaced in tests.
type timer func(time.Duration) <-chan time.Time

// sleep waits for a duration. If ctx is done before, it returns ctx's error.
func (t timer) sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t(d):
		return nil
	}
}

// longestWait is the longest wait between two tries to connect.
const longestWait = 10 * time.Minute

func ignoreDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
