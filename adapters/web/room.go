// Package web is a chat room in the browser: channels, direct messages,
// slash commands, pictures. A person gives a name and is in.
//
// What is said stands in streams: channels, which everybody reads, and direct
// messages, which their one or two people read. A stream's messages are the
// lines of a journal in [bot.Notes], numbered from 1 without gaps, and all
// that the room knows stands in those notes; memory holds only who is
// listening.
//
//	browser: POST /api/say -> Room -> Notes.Append -> live, to each listener who may read the stream
//	browser: POST /api/say "/play ..." -> bot.Commands.ParseLine -> Host.Handle -> the private answer, to the asker
//	Host.Deliver -> Room.Post -> Notes.Append -> live
//
// A browser that was cut off compares the numbers it has with those in the
// greeting of its next [live] connection, and fetches what it missed: nothing
// is lost, and nothing stands there twice. What a browser asks for carries an
// id that it chose, so that it can ask again when no answer came.
//
// # Caveats
//
// Processes that share notes hear of each other's lines and events by
// [Room.Run]. In a process that has just started, who is here at the others is
// known after a few seconds.
package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/adapters/web/signin"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Platform is the room's name as a platform: the start of its channels' and
// people's ids.
const Platform = "web"

// Config is what a room needs.
type Config struct {
	Host  bot.Host
	Notes bot.Notes
	// Pages are those of the host's games; nil where there are none.
	Pages bot.Pages
	Now   func() time.Time
	// Random is where the cookies' key and people's ids come from:
	// crypto/rand.Reader. Several requests read it at once.
	Random io.Reader
	Log    *slog.Logger
	// Observer is told how many listen; nil is nobody.
	Observer bot.Observer
	// URL is where people find the room, without a slash at its end:
	// "https://play.example.org".
	URL string
	// Hosts are the names, without port, that browsers may call the room by,
	// beside localhost and loopback addresses: "play.example.org". "*" is any
	// name. It stops a page elsewhere that points its own name at this
	// computer.
	Hosts []string
	// PushClient reaches the services through which browsers are called; nil is an
	// ordinary one.
	PushClient *http.Client
	// Proxies are the addresses of reverse proxies before the room, which may
	// say in X-Forwarded-For whom they ask for.
	Proxies []netip.Prefix
	// Door says who may come in; "" is DoorOpen. Password is for DoorPassword.
	Door     Door
	Password string
	SignIn   []*signin.Provider // for DoorSignIn
	// FirstKeeps lets the first to come keep the room, and the one who has been
	// there longest when no keeper is left: for a room that only this computer can
	// reach. Elsewhere keepers are named; see [SetKeeper].
	FirstKeeps bool
	// Sentences are the catalogues of what the pages say, a file for each language;
	// nil is English alone.
	Sentences fs.FS
	// Confusables is UTS 39's table of characters that look like others; see readLooks.
	Confusables string
	// Activity is a platform that shows the board in its client; nil is none. It is
	// set before the room serves anything.
	Activity bot.Activity
}

// A Room is the chat room. It serves HTTP, and delivers the host's posts as a
// [bot.Poster].
type Room struct {
	Config
	key      []byte // signs the cookies
	live     live
	watching watching // those who look at pages of games
	looks    looks    // what characters look like
	entries  *buckets // new people, by address
	tries    *buckets // tries at the door, by address
	wrong    *buckets // wrong passwords of all
	// conversations are first messages to another person, by who writes.
	conversations *buckets
	lines         *buckets // messages, by who says them
	renames       *buckets // names, by who takes them
	handler       http.Handler
	texts         texts // what the pages say, by language

	// posting is held while lines are shown, so that listeners hear of them in
	// their order; shown are the numbers of the last of them.
	posting sync.Mutex
	shown   map[stream]uint64

	// barring is held while the networks that are kept out are looked up.
	barring  sync.Mutex
	barred   map[netip.Prefix]storedBar // nil: to be read
	barredAt time.Time

	addressesAt time.Time // when the addresses of people were looked through; under barring
	pushing     tasks.Tasks
	closing     chan struct{} // closed by Close
	close       func()

	process string // this one's name for the others
	crowd   crowd
}

// New opens the room that is kept in the notes, a new one where they are
// empty.
func New(c Config) (*Room, error) {
	r := &Room{Config: c, looks: readLooks(c.Confusables), shown: map[stream]uint64{}, closing: make(chan struct{}), process: rand.Text(),
		entries:       newBuckets(c.Now, 1.0/30, 50),
		conversations: newBuckets(c.Now, 1.0/600, float64(bot.LimitTalks.Most)),
		lines:         aDay(c.Now, bot.LimitLines),
		renames:       aDay(c.Now, bot.LimitNames),
	}
	if r.Observer == nil {
		r.Observer = bot.Unobserved{}
	}
	r.live.counted = func(n int) { r.Observer.Listeners(Platform, n) }
	r.close = sync.OnceFunc(func() { close(r.closing) })
	ctx := context.Background()
	err := r.checkDoor()
	if err != nil {
		return nil, err
	}
	if r.key, err = r.cookieKey(ctx); err != nil {
		return nil, fmt.Errorf("open cookie key: %w", err)
	}
	if _, err := r.makeChannel(ctx, general, ""); err != nil {
		return nil, fmt.Errorf("open channel %s: %w", general, err)
	}
	if err := r.openDoor(ctx); err != nil {
		return nil, err
	}
	if r.texts, err = readTexts(c.Sentences); err != nil {
		return nil, err
	}
	r.handler, err = r.routes()
	return r, err
}

func (r *Room) routes() (http.Handler, error) {
	page, err := newPage(r)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", r.serveNothing)
	mux.Handle("GET /{$}", r.atDoor(page))
	mux.HandleFunc("GET "+doorPath, r.serveDoor)
	mux.HandleFunc("GET "+doorPath+"/{code}", r.serveDoor)
	mux.HandleFunc("POST "+doorPath, r.serveKnock)
	mux.HandleFunc("GET "+doorPath+"/with/{with}", r.serveSignIn)
	mux.HandleFunc("GET "+doorPath+"/back/{with}", r.serveSignedIn)
	mux.Handle("GET /static/", page)
	mux.Handle("GET /texts/", page)
	mux.Handle("GET /sw.js", page)
	mux.HandleFunc("GET "+fairPath, r.serveFair)
	mux.HandleFunc("GET "+recoveryPath, r.serveRecovery)
	mux.HandleFunc("POST "+recoveryPath, r.serveRecover)
	mux.HandleFunc("GET /pictures/{stream}/{file}", r.servePicture)
	mux.HandleFunc("GET /api/me", r.serveMe)
	mux.HandleFunc("GET /api/live", r.serveLive)
	mux.HandleFunc("POST /api/enter", r.serveEnter)

	act := r.limit(2, 20)  // what others see, or the host works for
	ask := r.limit(20, 60) // what only the asker sees
	mux.HandleFunc("POST /api/leave", r.serveLeave)
	mux.HandleFunc("POST /api/end-others", r.serveEndOthers)
	mux.HandleFunc("POST /api/rename", member(r, act, r.rename))
	mux.HandleFunc("POST /api/channels", member(r, act, r.addChannel))
	mux.HandleFunc("POST /api/direct", member(r, ask, r.openDirect))
	mux.HandleFunc("POST /api/say", member(r, act, r.say))
	mux.HandleFunc("POST /api/press", member(r, act, r.press))
	mux.HandleFunc("POST /api/act", member(r, act, r.act))
	mux.HandleFunc("POST /api/table", member(r, ask, r.table))
	mux.HandleFunc("POST /api/running", member(r, act, r.running))
	mux.HandleFunc("POST /api/draft", member(r, ask, r.draft))
	mux.HandleFunc("POST /api/rack", member(r, ask, r.rack))
	mux.HandleFunc("POST /api/people", member(r, ask, r.whoIs))
	mux.HandleFunc("POST /api/complete", member(r, ask, r.complete))
	mux.HandleFunc("POST /api/messages", member(r, ask, r.messages))
	mux.HandleFunc("POST /api/read", member(r, ask, r.markRead))
	mux.HandleFunc("POST /api/recovery", member(r, act, r.newRecovery))
	mux.HandleFunc("POST /api/push-key", member(r, act, r.pushKey))
	mux.HandleFunc("POST /api/push", member(r, act, r.subscribe))
	mux.HandleFunc("POST /api/push-off", member(r, act, r.unsubscribe))
	r.pageRoutes(mux)
	r.activityRoutes(mux, page)
	return r.guard(mux), nil
}

// ServeHTTP serves the page, its pictures, and what it asks for.
func (r *Room) ServeHTTP(w http.ResponseWriter, req *http.Request) { r.handler.ServeHTTP(w, req) }

// Platform is the room as the host treats it: the page knows whether its screen
// is dark.
func (r *Room) Platform() bot.Platform {
	return bot.Platform{Name: Platform, Title: text.Item("the web room").String(), Dark: "dark", Boards: true, AsksLater: true, Link: r.Link, Keeper: r, Steward: r, Path: "/"}
}

// Run shows what other processes write to those who listen here. It ends the
// live connections when ctx is done, so that the server can shut down.
func (r *Room) Run(ctx context.Context) error {
	defer r.Close()
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { r.watchTables(ctx) })
	defer watching.Wait()
	defer stop()
	return r.follow(ctx)
}

// Wait returns when nobody is being called any more: what the room answers, it
// answers while it is asked.
func (r *Room) Wait() { r.pushing.Wait() }

// Close ends the live connections, so that a server can shut down. Browsers
// try again by themselves.
func (r *Room) Close() {
	r.close()
	r.live.close()
	r.watching.close()
}
