// Package discordtest runs a Discord on 127.0.0.1 for tests of bots: the part of the HTTP
// API and of the gateway that a bot with commands, buttons, menus, forms, threads, direct
// messages and an Activity uses, and users controlled by the test. Any bot with a
// configurable API address can be tested against it.
//
//	d := discordtest.New(t)
//	club := d.Guild("club")
//	general, ann := club.Channel("general"), d.User("Ann")
//	... start the bot with discordtest.Token, at d.URL
//	d.Gateway.Connected(1, 1, 0)                        // wait until its one shard is there
//	answer := ann.Gives(general, "help").Answer() // type /help, and wait for the answer
//	posts := general.Posts(1)                   // wait for a message in the channel
//
// A Discord checks every request, and each of its own answers, against Discord's
// description of its API (schema.go, testdata/SOURCES.md), and requests also against the
// rules missing from the description (rules.go). A violation gets Discord's error and fails
// the test.
//
// Tests can cause trouble: Fail has requests refused, cut or limited, Gateway.Close and
// similar methods end connections, and RemoveBot, Grant, CloseDMs and Delete do what people
// do.
//
// # Caveats
//
// A user's client refuses what Discord's would: an unregistered command, or an option that
// it doesn't have. Deadlines apply: 3 seconds for the first response to an interaction, 15
// minutes for its token, by the clock Now, which Advance moves forward. Limits and codes
// are from Discord's documentation as of August 2026.
package discordtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The bot's token, and its application.
const (
	Token         = "MTAwMDAwMDAwMDAwMDAwMDAx.discordtest.token"
	ApplicationID = "100000000000000001"
)

// A Discord is a running stand-in for Discord. It and the objects that it creates are
// safe for concurrent use.
type Discord struct {
	URL     string // base address
	Gateway *Gateway

	schema *schema
	report func(format string, args ...any)
	server *httptest.Server
	trouble

	mu           sync.Mutex
	changed      chan struct{} // closed on each change
	ahead        time.Duration // how far the clock is ahead of time.Now
	lastID       uint64
	users        map[string]*User
	guilds       map[string]*Guild
	channels     map[string]*Channel
	messages     map[string]*Message
	nonces       map[string]nonce
	interactions map[string]*Interaction // by token
	commands     commands
	registered   int      // bulk registrations
	requests     []string // "POST /channels/1/messages"
	endpoint     endpoint
	activities   activities
}

// New starts a Discord that stops with the test.
func New(t interface {
	Cleanup(func())
	Errorf(format string, args ...any)
}) *Discord {
	d := &Discord{
		schema: load(), report: t.Errorf, changed: make(chan struct{}), lastID: 1 << 60,
		users: map[string]*User{}, guilds: map[string]*Guild{}, channels: map[string]*Channel{},
		messages: map[string]*Message{}, nonces: map[string]nonce{}, interactions: map[string]*Interaction{},
	}
	d.Gateway = &Gateway{d: d, sessions: map[string]*session{}, shards: 1, left: 1000}
	d.trouble.cut = d.Gateway.Drop
	mux := http.NewServeMux()
	mux.HandleFunc("/gateway/", d.Gateway.serve)
	mux.HandleFunc("/api/", api{d}.serveAPI)
	d.server = httptest.NewUnstartedServer(mux)
	d.URL = "http://" + d.server.Listener.Addr().String() // answers contain this address from the start
	d.server.Start()
	t.Cleanup(func() {
		d.Gateway.Drop()
		d.server.Close()
	})
	return d
}

// Now returns the stand-in's time.
func (d *Discord) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now()
}

func (d *Discord) now() time.Time { return time.Now().Add(d.ahead) }

// Advance moves the clock forward.
func (d *Discord) Advance(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ahead += by
}

// id returns a new snowflake.
func (d *Discord) id() string {
	d.lastID += 1 << 22
	return strconv.FormatUint(d.lastID, 10)
}

// change wakes everything that waits for a change. The caller must hold the lock.
func (d *Discord) change() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// waitTime is the longest time that Wait waits. It only matters when a test fails.
const waitTime = 2 * time.Minute

// Wait waits until so returns true, and reports an error if that takes too long. so is
// called with the lock held: it may only read the state.
func (d *Discord) Wait(what string, so func() bool) bool {
	late := time.After(waitTime)
	for {
		d.mu.Lock()
		done, changed := so(), d.changed
		d.mu.Unlock()
		if done {
			return true
		}
		select {
		case <-changed:
		case <-late:
			d.report("waited in vain until %s", what)
			return false
		}
	}
}

// Requests lists the requests so far that start with a method and path, such as "POST
// /channels".
func (d *Discord) Requests(prefix string) (matching []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.requests {
		if strings.HasPrefix(r, prefix) {
			matching = append(matching, r)
		}
	}
	return matching
}

// Registered returns how often commands were registered, and the current ones.
func (d *Discord) Registered() (times int, commands []map[string]any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.registered, d.commands.listed()
}

// An apiError is an error response of Discord.
type apiError struct {
	status, code int
	message      string
}

func (e *apiError) Error() string { return fmt.Sprintf("%d (%d) %s", e.status, e.code, e.message) }

var (
	errUnauthorized       = &apiError{401, 0, "401: Unauthorized"}
	errNotFound           = &apiError{404, 0, "404: Not Found"}
	errUnknownChannel     = &apiError{404, 10003, "Unknown Channel"}
	errUnknownGuild       = &apiError{404, 10004, "Unknown Guild"}
	errUnknownMessage     = &apiError{404, 10008, "Unknown Message"}
	errUnknownUser        = &apiError{404, 10013, "Unknown User"}
	errUnknownWebhook     = &apiError{404, 10015, "Unknown Webhook"}
	errUnknownInteraction = &apiError{404, 10062, "Unknown interaction"}
	errAnswered           = &apiError{400, 40060, "Interaction has already been acknowledged."}
	errMissingAccess      = &apiError{403, 50001, "Missing Access"}
	errClosedDM           = &apiError{403, 50007, "Cannot send messages to this user"}
	errMissingPermissions = &apiError{403, 50013, "Missing Permissions"}
	errToken              = &apiError{401, 50027, "Invalid Webhook Token"}
	errWrongChannel       = &apiError{400, 50024, "Cannot execute action on this channel type"}
	errArchived           = &apiError{400, 50083, "Thread is archived"}
	errNoEntry            = &apiError{400, 50240, "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point command in your update request or delete it separately."}
	errThreadThere        = &apiError{400, 160004, "A thread has already been created for this message"}
)

func invalid(format string, args ...any) *apiError {
	return &apiError{400, 50035, "Invalid Form Body: " + fmt.Sprintf(format, args...)}
}

// HasCommands reports whether commands are registered. For use in Wait.
func (d *Discord) HasCommands() bool { return d.registered > 0 }

// Tried counts the requests so far that start with a method and path. For use in Wait.
func (d *Discord) Tried(prefix string) (n int) {
	for _, r := range d.requests {
		if strings.HasPrefix(r, prefix) {
			n++
		}
	}
	return n
}
