// Package pages serves the web pages around a room: documents and embedded files, the pages of
// features with the boards on them, and the frame that another platform's client shows. It knows
// the room by the functions of [Room] alone.
package pages

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Platform is the room's platform name: the prefix of its channels' and people's ids.
const Platform = "web"

// Home is the host's id of the room.
const Home = Platform + ":room"

// LivePath is the path of the page of running games.
const LivePath = "/live"

// Beat is the interval of heartbeats on a live connection. The page considers a connection
// dead after three of them; see static/live.js.
const Beat = 15 * time.Second

// A Room holds what pages ask of the room that they belong to.
type Room struct {
	Host    bot.Host
	Log     *slog.Logger
	Now     func() time.Time
	URL     string         // the public address, without a trailing slash
	Open    bool           // whether anyone may enter
	Tables  bot.TablePages // nil if there are none
	Channel bot.ChannelID  // the channel of pages that belong to no other
	// Keeps lists everything that the host stores; nil means nothing. Contact is the operator's
	// contact, or "".
	Keeps   func() []bot.Keeping
	Contact string

	// Member returns the member who sent a request, and the channel of the host's messages to
	// them. For strangers the error is errNoName.
	Member func(*http.Request) (bot.User, bot.ChannelID, error)
	// MayRead reports whether a person may read a channel of the room; "" is a stranger.
	MayRead func(bot.ChannelID, bot.PlayerID) bool
	// Name returns a player's current name. found is false unless they are a member.
	Name func(context.Context, bot.PlayerID) (name string, found bool, err error)
	// NameNow replaces the names of a table's players by their current ones.
	NameNow func(context.Context, *bot.Sight) error
	// Find returns the member with a name.
	Find func(context.Context, string) (who bot.User, found bool, err error)
	// Private returns an answer for its reader alone, as their browser reads it.
	Private func(bot.Reply) any
	// Limit returns buckets that all processes share; Entries limits newcomers.
	Limit   func(rate, burst float64) *Buckets
	Entries *Buckets
}

// isRooms reports whether a channel is the room's, rather than another platform's.
func isRooms(ch bot.ChannelID) bool { return strings.HasPrefix(string(ch), Platform+":") }

// A Site serves the pages around a room.
type Site struct {
	room     Room
	answers  *Answers
	clients  *Clients
	cookies  *Cookies
	files    *files
	watching *watching
	activity *activityPages
	features *featurePages
}

// NewSite makes the pages of a room.
func NewSite(room Room, answers *Answers, clients *Clients, cookies *Cookies) (*Site, error) {
	files, err := newFiles(answers)
	watching := &watching{answers: answers}
	boards := &boards{room.Host, answers, room}
	guests := &guests{clients, cookies, room}
	return &Site{
		room, answers, clients, cookies, files, watching,
		&activityPages{nil, room.Host, room.Log, room.Now, room.Tables, answers, boards, clients, cookies, room, watching},
		&featurePages{room.Log, room.URL, answers, boards, clients, cookies, guests, files, room, watching},
	}, err
}

// Routes adds the routes of the features' pages, of a platform's frame, and of the embedded
// files.
func (st *Site) Routes(mux *http.ServeMux, all []bot.Pages) {
	mux.HandleFunc("/", st.answers.serveNothing)
	mux.Handle("GET /static/", st.files)
	mux.Handle("GET /texts/", st.files)
	mux.Handle("GET /sw.js", st.files)
	mux.HandleFunc("GET "+fairPath, st.answers.serveFair)
	mux.HandleFunc("GET "+privacyPath, st.servePrivacy)
	for _, p := range all {
		st.features.routes(mux, p)
	}
	st.activity.routes(mux, st.files)
}

// ServeRoom serves the page of the room itself, whatever the path.
func (st *Site) ServeRoom(w http.ResponseWriter, req *http.Request) { st.files.serveRoom(w, req) }

// Show sets the activity whose client shows boards. It must be called before the site serves
// requests.
func (st *Site) Show(a bot.Activity) { st.activity.platform = a }

// Watch notifies pages of news about their tables until ctx is done.
func (st *Site) Watch(ctx context.Context) {
	(Keys{st.room.Tables, st.room.Log}).watch(ctx, st.watching)
}

// Close closes the connections of pages. Browsers reconnect by themselves.
func (st *Site) Close() { st.watching.close() }
