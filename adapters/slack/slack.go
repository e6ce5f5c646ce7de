// Package slack brings the host to Slack: slash commands, buttons and forms
// become bot.Requests, bot.Replies become private answers, bot.Messages become
// posts.
//
// What comes in:
//
//	Socket Mode (socket.go) or HTTP (http.go)
//	  -> Adapter.receive (receive.go), which acknowledges within 3 seconds
//	  -> slash command (command.go), press (press.go), form (form.go), home (home.go)
//	  -> bot.Request -> Host.Handle -> bot.Reply
//	  -> blocks (blocks.go) -> response_url, or the view it was asked from (answer.go)
//
// What goes out by itself:
//
//	Host.Deliver -> Post (post.go) -> picture (upload.go), message, the earlier one folded
//	  -> the home pages of those who sit at the table (home.go)
//
// All that people wrote passes markup (markup.go).
//
// # Caveats
//
// A private answer is a message that Slack may lose, and that is gone when the
// person reloads: whatever must not be lost is a post, or stands on the home
// page. Where two workspaces share a channel and each has installed the app,
// each has tables of its own there.
package slack

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
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
	"github.com/slack-go/slack"
)

// Platform is the name under which the host knows Slack.
const Platform = "slack"

// Config is what an adapter needs. It serves one workspace with AppToken and
// BotToken, or, over HTTP, those that install the app: see OAuth.
type Config struct {
	Host    bot.Host
	Tongues *text.Tongues // that commands have names in; nil is English alone
	Notes   bot.Notes     // Slack's own

	// AppToken (xapp-...) connects by Socket Mode. Without it Slack calls
	// ServeHTTP, and SigningSecret tells that it is Slack.
	AppToken      string
	SigningSecret string

	BotToken string // xoxb-..., of the one workspace
	OAuth    OAuth  // where there may be many

	Prefix      string // of the slash commands, such as "rm-"; see Manifest
	AllCommands bool   // they were registered beside /rackmate; see Manifest
	OwnPosts    bool   // whoever installs the app is asked for leave to read its posts; see Manifest
	API         string // the server that speaks Slack's API; empty means Slack's own
	Now         func() time.Time
	Log         *slog.Logger
	// Observer is told how the connections are; nil is nobody.
	Observer bot.Observer
	// Alone runs what only one process may, by the name of a job, while it has
	// that: nil where there are no others.
	Alone func(ctx context.Context, job string, run func(context.Context) error) error
	// Forgetting removes all that is kept of a workspace, by ForgetHome among others;
	// nil where those who have uninstalled the app are kept.
	Forgetting func(ctx context.Context, workspace string) error
	// Shared says that other processes may have the same store: Slack's limits are
	// for all of them together.
	Shared bool
}

// An Adapter is one app on Slack. It is safe for concurrent use.
type Adapter struct {
	Config
	names   names
	http    client
	limits  *limits
	vault   vault
	random  io.Reader
	process string                               // this one's name for the others
	after   func(time.Duration) <-chan time.Time // time.After, but in tests
	gap     time.Duration                        // between two messages in a channel
	mux     *http.ServeMux
	handled tasks.Tasks // requests under way
	ended   context.Context
	end     context.CancelFunc // of ended: nothing waits for another try any more

	one        atomic.Value // the home of BotToken, once known
	paces      paces
	locks      locks    // one post at a time in a channel, one token refresh in a home
	edits      sync.Map // by the note of a post: the newest *bot.Message that edits it
	files      cache    // uploaded pictures
	readyAfter delay    // their upload
	people     cache    // what people are called
	locales    cache    // the languages of homes
	seen       cache    // requests answered lately

	unseen   cache // that Slack couldn't fetch a picture
	unmarked cache // homes where the app may set no bookmarks
	refusals cache // tokens that Slack refused to renew, and why

	served atomic.Bool  // Slack took our tokens once
	lines  atomic.Int32 // connections by Socket Mode
	pulse  bot.Pulse
}

// New makes an adapter. Its errors are for the operator: they say what to do.
func New(c Config) (*Adapter, error) {
	if c.Observer == nil {
		c.Observer = bot.Unobserved{}
	}
	a := &Adapter{Config: c, names: names{prefix: c.Prefix, all: c.AllCommands, commands: commandsOf(c.Host), tongues: c.Tongues}, random: rand.Reader, process: rand.Text(), after: time.After, gap: time.Second}
	a.ended, a.end = context.WithCancel(context.Background())
	if err := a.checkSecrets(); err != nil {
		return nil, err
	}
	if a.API == "" {
		a.API = "https://slack.com"
	}
	api, err := url.Parse(strings.TrimSuffix(a.API, "/"))
	if err != nil || api.Host == "" || api.Scheme != "http" && api.Scheme != "https" {
		return nil, fmt.Errorf("%q is not the address of a server: write it like http://127.0.0.1:3001", c.API)
	}
	a.API = api.String()
	if !validPrefix(c.Prefix) {
		return nil, fmt.Errorf("%q can't stand before a slash command: use up to %d lower-case letters, digits, - and _", c.Prefix, maxPrefix)
	}
	if c.Notes != nil {
		if a.names.mark, err = bot.MarkOf(a.ended, c.Notes); err != nil {
			return nil, err
		}
	}
	if c.OAuth.ClientID != "" {
		if a.vault, err = newVault(c.OAuth.Key, c.Notes, a.random); err != nil {
			return nil, err
		}
	}
	a.http = client{&http.Client{Timeout: requestTime}}
	heldBack := func(wait time.Duration) { c.Observer.Held(Platform, wait) }
	a.limits = &limits{now: c.Now, heldBack: heldBack, held: map[string]time.Time{}}
	a.paces.now, a.paces.heldBack = c.Now, heldBack
	a.files, a.people, a.seen = newCache(c.Now, 24*time.Hour), newCache(c.Now, time.Hour), newCache(c.Now, 10*time.Minute)
	a.locales = newCache(c.Now, 24*time.Hour)
	a.refusals, a.unseen = newCache(c.Now, 10*time.Minute), newCache(c.Now, time.Hour)
	a.unmarked = newCache(c.Now, 24*time.Hour)
	a.mux = a.routes()
	return a, nil
}

// checkSecrets says which secret is missing, or was put in another's place.
func (a *Adapter) checkSecrets() error {
	a.AppToken, a.BotToken, a.SigningSecret = strings.TrimSpace(a.AppToken), strings.TrimSpace(a.BotToken), strings.TrimSpace(a.SigningSecret)
	many := a.OAuth.ClientID != ""
	switch {
	case strings.HasPrefix(a.AppToken, "xoxb-") && strings.HasPrefix(a.BotToken, "xapp-"):
		return errors.New("SLACK_APP_TOKEN and SLACK_BOT_TOKEN are in each other's place: the app token begins with xapp-, the bot token with xoxb-")
	case a.AppToken != "" && !strings.HasPrefix(a.AppToken, "xapp-"):
		return errors.New("SLACK_APP_TOKEN is no app-level token: those begin with xapp-. Make one under Basic Information, App-Level Tokens, with the scope connections:write")
	case a.BotToken != "" && !strings.HasPrefix(a.BotToken, "xoxb-") && !strings.HasPrefix(a.BotToken, "xoxe.xoxb-"):
		return errors.New("SLACK_BOT_TOKEN is no bot token: those begin with xoxb-. Copy the Bot User OAuth Token from OAuth & Permissions")
	case a.BotToken == "" && !many:
		return errors.New("SLACK_BOT_TOKEN is missing: install the app, then copy the Bot User OAuth Token from OAuth & Permissions")
	case a.AppToken == "" && a.SigningSecret == "":
		return errors.New("SLACK_APP_TOKEN is missing: make one under Basic Information, App-Level Tokens, with the scope connections:write. Or, to be called over HTTP, set SLACK_SIGNING_SECRET")
	case many && a.OAuth.ClientSecret == "":
		return errors.New("SLACK_CLIENT_SECRET is missing: copy it from Basic Information")
	}
	return nil
}

// Platform is Slack as the host treats it: people are at work there.
func (a *Adapter) Platform() bot.Platform {
	return bot.Platform{
		Name: Platform, Title: "Slack", Lexicon: "en-clean", TurnRacks: true,
		Link:   func(ctx context.Context, ch bot.ChannelID, _ string) string { return a.Link(ctx, ch) },
		Locale: a.personLocale,
		Keeper: a, Path: "/slack/",
	}
}

// Run serves Slack until ctx is done. The error, if any, is one that trying
// again won't mend, and says what to do. Then Wait waits for what is under way.
func (a *Adapter) Run(ctx context.Context) error {
	defer a.end()
	if err := a.vault.check(ctx); err != nil {
		return ignoreDone(ctx, err)
	}
	if a.BotToken != "" {
		if err := a.signIn(ctx); err != nil || ctx.Err() != nil {
			return ignoreDone(ctx, err)
		}
	}
	a.pulse.Beat(a.Now())
	if a.Forgetting != nil && a.vault.open() {
		var beside sync.WaitGroup
		defer beside.Wait()
		beside.Go(func() {
			if err := a.elected(ctx, "slack left", a.forgetLeft); err != nil && ctx.Err() == nil {
				a.Log.Error("nobody forgets those who have uninstalled the app", "error", err)
			}
		})
	}
	if a.AppToken == "" {
		a.connection("http", bot.Connected)
		<-ctx.Done()
		return nil
	}
	return ignoreDone(ctx, a.alone(ctx))
}

// Health is how the line to Slack is; see [bot.Reporter].
func (a *Adapter) Health() bot.Health { return a.pulse.Health() }

// elected does something where no other process does.
func (a *Adapter) elected(ctx context.Context, job string, do func(context.Context) error) error {
	if a.Alone == nil {
		return do(ctx)
	}
	return a.Alone(ctx, job, do)
}

// alone listens on Slack's socket where no other process does.
func (a *Adapter) alone(ctx context.Context) error {
	if a.Alone == nil {
		return a.runSocket(ctx)
	}
	a.connection(socketName, bot.Standby)
	defer a.connection(socketName, bot.Closed)
	return a.Alone(ctx, "slack socket", func(ctx context.Context) error {
		defer a.connection(socketName, bot.Standby)
		return a.runSocket(ctx)
	})
}

// The names of connections.
const (
	signingIn  = "sign-in"
	socketName = "socket"
)

// connection tells how a connection is.
func (a *Adapter) connection(name string, s bot.State) { a.Observer.Connection(Platform, name, s) }

// Wait waits for what is under way: call it when no request can come any more,
// and before the store is closed.
func (a *Adapter) Wait() { a.handled.Wait() }

// signIn asks Slack whose token the bot token is, until there is an answer.
func (a *Adapter) signIn(ctx context.Context) error {
	a.connection(signingIn, bot.Connecting)
	return a.persist(ctx, "Slack can't be reached", func() (err error) {
		defer func() {
			if err != nil {
				a.connection(signingIn, bot.Retrying)
			} else {
				a.connection(signingIn, bot.Closed)
			}
		}()
		t, err := a.newClient(a.BotToken).AuthTestContext(ctx)
		if err != nil {
			return setUp("SLACK_BOT_TOKEN", err)
		}
		if err := missingScopes(t.Header); err != nil {
			return err
		}
		h := homeOf(t.EnterpriseID, t.TeamID, t.TeamID == "" || t.TeamID == t.EnterpriseID)
		a.one.Store(h)
		a.Log.Info("signed in to Slack", "home", h, "bot", t.UserID)
		return nil
	})
}

// longestWait is how long to wait at most between two tries to connect.
const longestWait = 5 * time.Minute

// persist calls f until it succeeds, or ctx is done. Between the tries it waits,
// longer each time, and tells the operator why. What only the operator can mend
// ends it at the start, when they see that; later it is tried again, for nobody
// is at the terminal then, and the other platforms go on.
func (a *Adapter) persist(ctx context.Context, what string, f func() error) error {
	for wait := time.Second; ; wait = min(2*wait, longestWait) {
		err := f()
		if err == nil || ctx.Err() != nil || hopeless(err) && !a.served.Load() {
			return err
		}
		pause := max(wait, retryAfter(err))
		a.pulse.Miss(a.Now(), err.Error())
		if hopeless(err) {
			a.Log.Error("Slack doesn't take us any more; trying again, but only the operator can mend it", "error", err, "wait", pause)
		} else {
			a.Log.Warn(what+"; trying again. Check the network and https://slack-status.com", "error", err, "wait", pause)
		}
		if !a.wait(ctx, pause) {
			return ctx.Err()
		}
	}
}

// wait waits, and reports false when ctx is done first or Run has ended.
func (a *Adapter) wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-a.ended.Done():
		return false
	case <-a.after(d):
		return true
	}
}

func ignoreDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// newClient speaks Slack's Web API with a token.
func (a *Adapter) newClient(token string) *slack.Client {
	return slack.New(token, slack.OptionAPIURL(a.API+"/api/"), slack.OptionHTTPClient(a.limited(token)), slack.OptionAppLevelToken(a.AppToken))
}

// limited makes requests with a token, and keeps to Slack's limits.
func (a *Adapter) limited(token string) client {
	return client{&http.Client{Transport: a.limits.of(token), Timeout: requestTime}}
}

// requestTime is how long a request of ours may take.
const requestTime = time.Minute

// A client makes our requests. Its errors don't have the address, so that none
// gets into a log: those of answers and uploads are secrets.
type client struct{ http *http.Client }

func (c client) Do(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	return resp, withoutURL(err)
}
