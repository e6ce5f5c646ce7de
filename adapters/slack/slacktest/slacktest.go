// Package slacktest runs a Slack on 127.0.0.1, for tests and for trying things out: the Web
// API, Socket Mode, uploads, response_urls, and people who type and press.
//
// It is strict. What the documentation doesn't allow gets Slack's error, and is recorded as
// a complaint, because an adapter should never do it: see [Slack.Complaints]. It shares no
// code with the adapter.
//
//	webapi.go   the methods, their parameters and answers
//	blocks.go   Block Kit's rules
//	socket.go   Socket Mode, and the same over HTTP with a signature
//	people.go   what people do, and what they see
package slacktest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// The one workspace, its app and tokens.
const (
	Team      = "T0SLACK"
	OtherTeam = "T0OTHER" // shares channels with Team
	App       = "A0APP"
	BotUser   = "U0BOT"
	BotToken  = "xoxb-standin"
	AppToken  = "xapp-standin"
	Secret    = "signing-secret"
)

// Options configure the stand-in.
type Options struct {
	Gap      time.Duration    // least time between two messages in a channel; 0: no limit
	Looks    int              // number of queries or attempts to show a file before it is ready
	Ready    time.Duration    // time until a file is ready
	Scopes   []string         // scopes of the bot token; nil: all
	Locale   string           // of the workspace
	AckTime  time.Duration    // 0: 30 seconds, for a busy machine; Slack's are 3
	NoTables bool             // answers can't contain tables
	Tiers    bool             // enforce the methods' rate limits, per minute by Now: see Method.Tier
	Now      func() time.Time // for gaps, timestamps of requests over HTTP, and readiness of files; nil: time.Now
}

// A Slack is a stand-in for Slack. Its parts share their state:
//
//	webMethods   messages, people, installations
//	fileMethods  uploads
//	viewMethods  forms and home pages
//	flowMethods  unfurls, and steps of workflows
//	wire         connections and requests to the app
//	people       people's actions
type Slack struct {
	*state
	webMethods
	fileMethods
	viewMethods
	flowMethods
	wire
	people
	srv *httptest.Server
}

type (
	webMethods  struct{ *state }
	fileMethods struct{ *state }
	viewMethods struct{ *state }
	flowMethods struct{ *state }
	wire        struct{ *state }
	people      struct {
		*state
		wire wire
	}
)

// A state holds everything that the stand-in knows.
type state struct {
	Options
	URL string

	mu         sync.Mutex
	changed    *sync.Cond
	complaints []string
	calls      map[string]int
	faults     map[string][]Fault
	refused    map[string]string      // error codes, by method
	minutes    map[string][]time.Time // calls in the latest minute, by method
	limits     map[string]int         // calls refused by a rate limit, by method
	noFiles    bool                   // posts can't show files
	clock      int                    // source of timestamps, ids and triggers
	channels   map[string]*channel
	users      map[string]user
	groups     map[string][]string // user ids, by group id
	files      map[string]*file
	uploads    map[string]*file // by path
	urls       map[string]*responseURL
	triggers   map[string]time.Time
	views      map[string]*View
	ephemerals map[string][]*Message // by user
	sockets    []*socket
	connected  int    // connections made so far
	gaps       int    // how often the app lost its last connection
	target     string // address to call over HTTP instead of a socket
	down       bool   // the app is down
	tokens     map[string]bool
	lastGrant  grant
	links      map[string]*Message // messages to unfurl links in, by ts and by unfurl_id
	steps      map[string]*Step    // running workflow steps, by execution
}

type channel struct {
	members  map[string]bool
	archived bool
	messages []*Message
	last     time.Time
}

type user struct {
	name    string
	admin   bool
	bot     bool
	deleted bool
	team    string // another workspace than Team that shares the channel
	reads   string // their locale
}

type file struct {
	id, name, alt string
	length        int
	data          []byte
	complete      bool
	looks         int
	finished      time.Time
	share         string // ts of the message that contains it
}

// A Message is a message as users see it.
type Message struct {
	Channel, TS, Thread string
	User                string // the only user who sees it; empty: everybody
	Text                string
	Blocks              []map[string]any
	Metadata            map[string]any
	File                string // file id, if it is a file's message
	Edited              bool
	Via                 string                      // name of the process that sent it; see Slack.Via
	At                  time.Time                   // time of arrival
	Unfurls             map[string][]map[string]any // blocks, by link in the message
}

// A Fault is an answer that a method gives instead of its regular one.
type Fault struct {
	Error      string        // an error code
	Says       string        // details in response_metadata.messages
	RetryAfter time.Duration // 429
	Lost       bool          // it is carried out, but the answer is lost
	Hangs      bool          // it is carried out, but no answer comes until the app hangs up
}

// New starts a Slack with some users, all in the channels C0GAMES and C0TALK. Eve belongs
// to another workspace.
func New(o Options) *Slack {
	there := &state{
		Options: o, calls: map[string]int{}, faults: map[string][]Fault{}, refused: map[string]string{}, minutes: map[string][]time.Time{}, limits: map[string]int{}, channels: map[string]*channel{},
		users: map[string]user{
			"U0ANN": {name: "Ann", admin: true, team: Team}, "U0BOB": {name: "Bob", team: Team}, "W0CAT": {name: "Cat <!channel> *bold*", team: Team},
			"U0EVE": {name: "Eve", team: OtherTeam}, BotUser: {name: "Rackmate", bot: true, team: Team},
		},
		groups: map[string][]string{},
		files:  map[string]*file{}, uploads: map[string]*file{}, urls: map[string]*responseURL{}, triggers: map[string]time.Time{},
		views: map[string]*View{}, ephemerals: map[string][]*Message{}, tokens: map[string]bool{BotToken: true},
		links: map[string]*Message{}, steps: map[string]*Step{},
	}
	by := wire{there}
	s := &Slack{state: there, webMethods: webMethods{there}, fileMethods: fileMethods{there}, viewMethods: viewMethods{there}, flowMethods: flowMethods{there}, wire: by, people: people{there, by}}
	s.changed = sync.NewCond(&s.mu)
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.AckTime == 0 {
		s.AckTime = 30 * time.Second
	}
	for _, c := range []string{"C0GAMES", "C0TALK"} {
		s.channels[c] = &channel{members: map[string]bool{BotUser: true, "U0ANN": true, "U0BOB": true, "W0CAT": true, "U0EVE": true}}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/{method}", s.serveMethod)
	mux.HandleFunc("GET /api/chat.getPermalink", s.serveMethod)
	mux.HandleFunc("POST /upload/{id}", s.serveUpload)
	mux.HandleFunc("POST /response/{id}", s.serveResponse)
	mux.HandleFunc("GET /socket", s.serveSocket)
	mux.HandleFunc("/via/{via}/", func(w http.ResponseWriter, r *http.Request) {
		http.StripPrefix("/via/"+r.PathValue("via"), mux).ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), viaKey{}, r.PathValue("via"))))
	})
	s.srv = httptest.NewUnstartedServer(mux)
	s.URL = "http://" + s.srv.Listener.Addr().String() // answers contain this address from the start
	s.srv.Start()
	return s
}

// Via returns an address for one of several processes, whose name is recorded in its
// messages.
func (s *Slack) Via(process string) string { return s.URL + "/via/" + process }

type viaKey struct{}

// Invent adds a user to the workspace and a channel.
func (s *Slack) Invent(id, ch string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[id] = user{name: id, team: Team}
	s.channels[ch].members[id] = true
}

// Deactivate deactivates a user's account, without an event.
func (s *Slack) Deactivate(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[who]
	u.deleted = true
	s.users[who] = u
}

// Rename gives a user another name, without an event.
func (s *Slack) Rename(who, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[who]
	u.name = name
	s.users[who] = u
}

// Channel creates a channel with the members of C0GAMES.
func (s *Slack) Channel(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[id] = &channel{members: maps.Clone(s.channels["C0GAMES"].members)}
}

// Limited returns how many calls were refused by rate limits, by method.
func (s *state) Limited() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.limits)
}

// Group creates a user group.
func (s *Slack) Group(id string, members ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.groups[id] = members
}

// Close stops the stand-in.
func (s *Slack) Close() {
	s.Disconnect()
	s.srv.Close()
}

// complain records a broken rule. The caller must hold s.mu.
func (s *state) complain(format string, args ...any) {
	s.complaints = append(s.complaints, fmt.Sprintf(format, args...))
}

// Complaints returns the rules broken so far.
func (s *state) Complaints() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.complaints)
}

// Calls returns how often a method was called.
func (s *state) Calls(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[method]
}

// Requests returns how often each method was called; answers by response_url count as
// "response_url" and uploads as "upload".
func (s *state) Requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.calls)
}

// Fail makes the next calls of a method fail, one for each fault.
func (s *state) Fail(method string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[method] = append(s.faults[method], faults...)
}

// Refuse makes all calls of methods fail from now on with an error code; "" ends that.
func (s *state) Refuse(code string, methods ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, method := range methods {
		s.refused[method] = code
	}
}

// RefuseFiles makes Slack refuse posts that show a file which isn't shared anywhere, as
// reported from some workspaces: https://github.com/slackapi/bolt-python/issues/1251.
func (s *state) RefuseFiles() { s.mu.Lock(); s.noFiles = true; s.mu.Unlock() }

// Await waits until a condition holds, and reports whether it did within a minute, which
// suffices on a busy machine. It checks the condition after every event.
func (s *state) Await(holds func() bool) bool {
	end := time.Now().Add(time.Minute)
	wake := time.AfterFunc(time.Until(end), func() { s.mu.Lock(); s.changed.Broadcast(); s.mu.Unlock() })
	defer wake.Stop()
	for {
		s.mu.Lock()
		seen := s.clock
		s.mu.Unlock()
		if holds() {
			return true
		}
		s.mu.Lock()
		for s.clock == seen && time.Now().Before(end) {
			s.changed.Wait()
		}
		s.mu.Unlock()
		if !time.Now().Before(end) {
			return holds()
		}
	}
}

// File returns the data of an uploaded file.
func (s *state) File(id string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[id]; f != nil {
		return f.data
	}
	return nil
}

// Nudge makes Await check its condition, after an event elsewhere.
func (s *state) Nudge() { s.mu.Lock(); s.next(); s.mu.Unlock() }

// next returns a new number, for ids and times. The caller must hold s.mu.
func (s *state) next() int {
	s.clock++
	s.changed.Broadcast()
	return s.clock
}

func (s *state) newTS() string { return fmt.Sprintf("%d.%06d", 1700000000+s.next(), 100) }

// Messages returns the public messages of a channel.
func (s *state) Messages(ch string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	if c := s.channels[ch]; c != nil {
		for _, m := range c.messages {
			all = append(all, *m)
		}
	}
	return all
}

// OpenDirect opens a user's direct messages with the app.
func (s *Slack) OpenDirect(user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conversationsOpen(params{"users": user})
}

// Direct returns a user's direct messages with the app.
func (s *state) Direct(user string) []Message { return s.Messages("D" + user) }

// Reads sets a user's locale, such as "de-DE".
func (s *Slack) Reads(who, locale string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[who]
	u.reads = locale
	s.users[who] = u
}

// Private returns the answers that only one user sees.
func (s *state) Private(user string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	for _, m := range s.ephemerals[user] {
		all = append(all, *m)
	}
	return all
}

// Leave removes the app from a channel.
func (s *Slack) Leave(ch string) { s.setMember(ch, false) }

// Invite adds the app to a channel. An app with the scope channels:read gets an event; it is lost
// if the app isn't connected.
func (s *Slack) Invite(ch string) {
	s.setMember(ch, true)
	s.mu.Lock()
	known := slices.Contains(s.grantedScopes(), "channels:read")
	s.mu.Unlock()
	if known {
		_ = s.wire.event(map[string]any{"type": "member_joined_channel", "user": BotUser, "channel": ch, "channel_type": "C", "team": Team, "inviter": "U0ANN", "event_ts": "1.0"})
	}
}

// Archive archives a channel.
func (s *Slack) Archive(ch string) { s.mu.Lock(); s.channels[ch].archived = true; s.mu.Unlock() }

func (s *Slack) setMember(ch string, in bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[ch].members[BotUser] = in
}

// Shows reports whether the blocks show a picture.
func (m Message) Shows() bool { return strings.Contains(marshal(m.Blocks), `"slack_file"`) }

func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // can't fail: the value was decoded from JSON
	}
	return string(b)
}
