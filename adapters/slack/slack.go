// Package slack connects the host to Slack: slash commands, buttons and forms become
// bot.Requests, bot.Replies become private answers, bot.Messages become posts.
//
// Incoming requests:
//
//	Socket Mode (socket.go) or HTTP (http.go)
//	  -> inbox.receive (receive.go), which acknowledges within 3 seconds
//	  -> slash command (command.go), press (press.go), form (form.go), home (home.go)
//	  -> bot.Request -> Host.Handle -> bot.Reply
//	  -> blocks (blocks.go) -> response_url, or the view it was asked from (answer.go)
//
// Outgoing messages:
//
//	Host.Deliver -> poster (post.go), by adapters/outbox -> picture (upload.go), message, the earlier one folded
//	  -> the players' home pages (home.go)
//
// Text that people wrote goes through markup (markup.go).
//
// # Caveats
//
// Slack may lose a private answer, which also disappears when the person reloads: anything
// that must not be lost is a post, or on the home page. If two workspaces share a channel
// and both have installed the app, each has tables of its own there.
package slack

//go:generate go run ./mkfacts

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Platform is the host's name for Slack.
const Platform = "slack"

// Config configures an adapter. It serves one workspace with AppToken and BotToken, or over
// HTTP all workspaces that install the app: see OAuth.
type Config struct {
	Host    bot.Host
	Locales *text.Locales // languages with command names; nil means only English
	Notes   bot.Notes     // reserved for this adapter

	// AppToken (xapp-...) connects by Socket Mode. Without it Slack calls ServeHTTP, and
	// SigningSecret authenticates the requests.
	AppToken      string
	SigningSecret string

	BotToken string // xoxb-..., of the one workspace
	OAuth    OAuth  // for any number of workspaces

	Prefix      string // of the slash commands, such as "rm-"; see Manifest
	AllCommands bool   // each command is registered besides /rackmate; see Manifest
	Minimal     bool   // the app lacks the scope im:history, and can't see what people type to it
	API         string // address of a server with Slack's API; empty means Slack's own
	Now         func() time.Time
	Log         *slog.Logger
	// Observer receives the states of the connections; it may be nil.
	Observer bot.Observer
	// Alone runs a named job that only one process may run at a time, once this process is
	// elected to it. It is nil if there are no other processes.
	Alone func(ctx context.Context, job string, run func(context.Context) error) error
	// Forgetting erases a workspace's data, including the data that ForgetHome removes.
	// It is nil if the host keeps the data of workspaces that uninstalled the app.
	Forgetting func(ctx context.Context, workspace string) error
	// Pages serves the pages of games at PagesURL, whose links are unfurled; it may be nil.
	Pages    bot.TablePages
	PagesURL string // such as https://play.example.org

	// Shared means that other processes may share the store: Slack's limits apply to all of
	// them together.
	Shared bool
}

// An Adapter is one app on Slack. It is safe for concurrent use. Each of its parts has a
// separate state:
//
//	endpoint  requests over HTTP, from Slack and browsers
//	socket    the connections of Socket Mode
//	inbox     people's requests
//	answers   private answers to people
//	homePages people's home pages
//	poster    posts, with the state of adapters/outbox
//	refusals  places where the app may not post
//	gallery   pictures, by address or uploaded
//	directory people's names, profiles and direct messages
//	webAPI    calls, within Slack's limits
//	tokens    installations of the app
//	unfurler  games below links to their pages
type Adapter struct {
	*common
	tokens   *tokens
	web      *webAPI
	people   *directory
	pictures *gallery
	out      *poster
	pages    *homePages
	in       *inbox
	socket   *socket
	endpoint *endpoint
}

// common holds what the parts of an adapter share: its settings, and helpers for waits and
// background work.
type common struct {
	Config
	names   names
	random  io.Reader
	http    client                               // for requests without a token
	after   func(time.Duration) <-chan time.Time // time.After, replaced in tests
	handled tasks.Tasks                          // running requests
	ended   context.Context
	end     context.CancelFunc // cancels ended: no retries after that
	pulse   bot.Pulse
	tab     *homeTab
}

// New returns an adapter. Its errors tell the operator what to do.
func New(config Config) (*Adapter, error) {
	if config.Observer == nil {
		config.Observer = bot.Unobserved{}
	}
	if err := config.check(); err != nil {
		return nil, err
	}
	c := &common{
		Config: config, random: rand.Reader, after: time.After, http: client{&http.Client{Timeout: requestTime, CheckRedirect: refuseRedirect}}, tab: newHomeTab(config.Now),
		names: names{now: config.Now, prefix: config.Prefix, all: config.AllCommands, unheard: config.Minimal, commands: commandsOf(config.Host), locales: config.Locales},
	}
	c.ended, c.end = context.WithCancel(context.Background())
	if c.Notes != nil {
		mark, err := bot.MarkOf(c.ended, c.Notes)
		if err != nil {
			return nil, err
		}
		c.names.mark = mark
	}
	tokens, err := newTokens(c)
	if err != nil {
		return nil, err
	}
	a := &Adapter{common: c, tokens: tokens}
	a.web = newWebAPI(c, tokens)
	a.people = newDirectory(c, a.web)
	a.pictures = newGallery(c, a.web)
	a.out = newPoster(c, a.web, a.people, a.pictures)
	a.pages = &homePages{common: c, web: a.web, people: a.people, pictures: a.pictures, out: a.out}
	a.in = newInbox(c, a.tokens, a.web, a.people, a.out, a.pages, &answers{common: c, web: a.web, people: a.people, pictures: a.pictures}, &unfurler{c, a.web, a.out, a.pictures})
	a.socket = &socket{common: c, web: a.web, tokens: a.tokens, in: a.in}
	a.endpoint = newEndpoint(c, a.tokens, a.pictures, a.out.refused, a.in)
	return a, nil
}

// check normalizes the settings, and returns an error if one is invalid.
func (c *Config) check() error {
	if err := c.checkSecrets(); err != nil {
		return err
	}
	api, err := url.Parse(strings.TrimSuffix(cmp.Or(c.API, "https://slack.com"), "/"))
	if err != nil || api.Host == "" || api.Scheme != "http" && api.Scheme != "https" {
		return fmt.Errorf("%q is not the address of a server: write it like http://127.0.0.1:3001", c.API)
	}
	c.API = api.String()
	if !isValidPrefix(c.Prefix) {
		return fmt.Errorf("%q isn't a prefix for slash commands: use up to %d lower-case letters, digits, - and _", c.Prefix, maxPrefix)
	}
	return nil
}

// checkSecrets returns an error if a secret is missing or set in another's place.
func (c *Config) checkSecrets() error {
	c.AppToken, c.BotToken, c.SigningSecret = strings.TrimSpace(c.AppToken), strings.TrimSpace(c.BotToken), strings.TrimSpace(c.SigningSecret)
	many := c.OAuth.ClientID != ""
	switch {
	case strings.HasPrefix(c.AppToken, "xoxb-") && strings.HasPrefix(c.BotToken, "xapp-"):
		return errors.New("SLACK_APP_TOKEN and SLACK_BOT_TOKEN are swapped: the app token begins with xapp-, the bot token with xoxb-")
	case c.AppToken != "" && !strings.HasPrefix(c.AppToken, "xapp-"):
		return errors.New("SLACK_APP_TOKEN isn't an app-level token, which begins with xapp-. Make one under Basic Information, App-Level Tokens, with the scope connections:write")
	case c.BotToken != "" && !strings.HasPrefix(c.BotToken, "xoxb-") && !strings.HasPrefix(c.BotToken, "xoxe.xoxb-"):
		return errors.New("SLACK_BOT_TOKEN isn't a bot token, which begins with xoxb-. Copy the Bot User OAuth Token from OAuth & Permissions")
	case c.BotToken == "" && !many:
		return errors.New("SLACK_BOT_TOKEN is missing: install the app, then copy the Bot User OAuth Token from OAuth & Permissions")
	case c.AppToken == "" && c.SigningSecret == "":
		return errors.New("SLACK_APP_TOKEN is missing: make one under Basic Information, App-Level Tokens, with the scope connections:write. Or, to be called over HTTP, set SLACK_SIGNING_SECRET")
	case many && c.OAuth.ClientSecret == "":
		return errors.New("SLACK_CLIENT_SECRET is missing: copy it from Basic Information")
	}
	return nil
}

// Platform describes Slack to the host, with the clean word list because people are at
// work.
func (a *Adapter) Platform() bot.Platform {
	return bot.Platform{
		Name: Platform, Title: "Slack", Lexicon: "en-clean", Cards: true, OneBoard: true,
		Aside:  a.out.openThread,
		Link:   func(ctx context.Context, ch bot.ChannelID, _ string) string { return a.Link(ctx, ch) },
		Locale: a.people.personLocale, Obstacle: a.out.refused.obstacle,
		Keeper: a, Path: "/slack/", Colleagues: true,
	}
}

// Run serves Slack until ctx is done. It only returns an error that a retry can't fix, with
// instructions. After it, Wait waits for running work.
func (a *Adapter) Run(ctx context.Context) error {
	defer a.end()
	if err := a.tokens.check(ctx); err != nil {
		return ignoreDone(ctx, err)
	}
	if a.BotToken != "" {
		if err := a.socket.signIn(ctx); err != nil || ctx.Err() != nil {
			return ignoreDone(ctx, err)
		}
	}
	a.pulse.Beat()
	if h, one := a.tokens.ownHome(); one && !a.pictures.isReachable() {
		a.pictures.tryUpload(ctx, h)
	}
	if err := a.in.resume(ctx); err != nil {
		return ignoreDone(ctx, fmt.Errorf("resume stored requests: %w", err))
	}
	if a.Notes != nil {
		if err := a.out.box.TidyAll(ctx); err != nil {
			return ignoreDone(ctx, fmt.Errorf("resume folding posts: %w", err))
		}
	}
	if a.Forgetting != nil && a.tokens.canInstall() {
		var beside sync.WaitGroup
		defer beside.Wait()
		beside.Go(func() {
			if err := a.runElected(ctx, "slack left", a.tokens.forgetLeft); err != nil && ctx.Err() == nil {
				a.Log.Error("can't erase workspaces that uninstalled the app", "error", err)
			}
		})
	}
	if a.AppToken == "" {
		a.connection("http", bot.Connected)
		<-ctx.Done()
		return nil
	}
	return ignoreDone(ctx, a.socket.run(ctx))
}

// Post delivers a message to its channel, or to a person's direct messages.
//
// Slack can't recognize a message by a key. So Post records the message before it sends
// it, and its post afterwards. If the program stops in between, a later try searches the
// place for a message with this one's key in its metadata. If the app may not read the
// place, that try posts the message again: better twice than not at all.
func (a *Adapter) Post(ctx context.Context, m bot.Message) error {
	if err := a.out.post(ctx, m); err != nil || m.To != nil || m.Edit {
		return err
	}
	for _, p := range m.Players {
		if who, err := memberOf(p); err == nil {
			a.in.updateEarlyForm(ctx, who, m.Table)
			a.pages.refreshSoon(ctx, who)
		}
	}
	a.people.checkAccounts(ctx, m)
	return nil
}

// Recall handles a message that isn't needed any more, but that the program was sending
// when it stopped or lost the answer. If the message has arrived, it becomes the latest
// of its place; see [bot.Recaller].
func (a *Adapter) Recall(ctx context.Context, m bot.Message) error { return a.out.recall(ctx, m) }

// Link returns a URL that opens a place at the latest post. It queries Slack at most once
// an hour for each post.
func (a *Adapter) Link(ctx context.Context, ch bot.ChannelID) string { return a.out.link(ctx, ch) }

// Health returns the state of the connection to Slack; see [bot.Reporter].
func (a *Adapter) Health() bot.Health {
	h := a.pulse.Health()
	h.Warning = a.pictures.warning()
	return h
}

// runElected runs a job while no other process does.
func (c *common) runElected(ctx context.Context, job string, do func(context.Context) error) error {
	if c.Alone == nil {
		return do(ctx)
	}
	return c.Alone(ctx, job, do)
}

// connection reports the state of a connection.
func (c *common) connection(name string, s bot.State) { c.Observer.Connection(Platform, name, s) }

// Wait waits for running work. Call it after the last request, and before closing the
// store.
func (a *Adapter) Wait() { a.handled.Wait() }

// sleep waits for a duration. It returns an error if ctx is done before or Run has ended.
func (c *common) sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-c.ended.Done():
		return context.Canceled
	case <-c.after(d):
		return nil
	}
}

func ignoreDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// work runs a function in the background after the acknowledgment. It is finished while the
// host shuts down.
func (c *common) work(ctx context.Context, do func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), workTime)
	c.handled.Go(func() {
		defer cancel()
		defer func() {
			if r := recover(); r != nil {
				c.Log.Error("request panicked", "panic", r, "stack", string(debug.Stack()))
			}
		}()
		do(ctx)
	})
}

// observeHeld reports a wait for Slack's limits.
func (c *common) observeHeld(wait time.Duration) { c.Observer.Held(Platform, wait) }
