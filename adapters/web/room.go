// Package web is a chat room in the browser: channels, direct messages,
// slash commands, pictures. A person gives a name and is in.
//
// What is said stands in streams: channels, which everybody reads, and direct
// messages, which their one or two people read. A stream's messages are a
// [notes.Log], numbered from 1 without gaps, and all that the room knows stands
// in its notes; memory holds only who is listening.
//
//	browser: POST /api/say -> Room -> Notes.Change -> live, to each listener who may read the stream
//	browser: POST /api/say "/play ..." -> bot.Commands.ParseLine -> Host.Handle -> the private answer, to the asker
//	Host.Deliver -> Room.Post -> Notes.Change -> live
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

	"github.com/rackmate/rackmate/adapters/web/push"
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
	// Tables are the pages of the host's games; nil if there are none.
	Tables bot.TablePages
	// Pages are the pages of the host's features.
	Pages []bot.Pages
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
	// NoPush keeps the room from calling browsers.
	NoPush bool
	// PushHosts are services through which browsers may be called, beside those of the
	// browsers there are: "push.example.org", "127.0.0.1:8443".
	PushHosts []string
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
	// Keeps is all that the host keeps, for the page that says so, and Contact is how to
	// reach whoever runs it, "" where nobody said.
	Keeps   func() []bot.Keeping
	Contact string
	// Confusables is UTS 39's table of characters that look like others; see readLooks.
	Confusables string
}

// A Room is the chat room. It serves HTTP, and delivers the host's posts as a
// [bot.Poster]. What it does stands with its parts, each of which keeps its own.
type Room struct {
	Config
	answers   *answers
	board     *board
	chat      *chat
	clients   *clients
	comings   *comings
	commands  *commands
	cookies   *cookies
	door      *door
	eraser    *eraser
	homes     *homes
	listeners *listeners
	pages     pages
	presences *presences
	notifier  *push.Notifier
	steward   *steward
	streams   *streams
	tidying   *tidying
	visitors  *visitors
	handler   http.Handler
}

// pages are those beside the room's own page.
type pages struct {
	keys     pageKeys
	watching *watching
	activity *activityPages
	features *featurePages
	live     *livePages
}

// New opens the room that is kept in the notes, a new one where they are
// empty.
func New(c Config) (*Room, error) {
	if c.Observer == nil {
		c.Observer = bot.Unobserved{}
	}
	if err := c.checkDoor(); err != nil {
		return nil, err
	}
	ctx := context.Background()
	cookies, err := openCookies(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("open cookie key: %w", err)
	}
	texts, err := readTexts(c.Sentences)
	if err != nil {
		return nil, err
	}
	entries, known, wrong := newDoorLimits(c.Now)

	// Each part is given those below it, and no more.
	clients := &clients{c.Hosts, c.Proxies}
	answers := &answers{c.Host, c.Log, cookies, texts, c.URL}
	members := &members{c.Host, c.Notes, c.Now, sync.OnceValue(func() looks { return readLooks(c.Confusables) }), make(chan struct{}, 1)}
	listeners := &listeners{notes: c.Notes, now: c.Now, log: c.Log, process: rand.Text(), shown: map[stream]uint64{}}
	listeners.live.counted = func(n int) { c.Observer.Listeners(Platform, n) }
	streams := &streams{c.Notes, c.Now, c.Log, listeners, members, newBuckets(c.Now, 1.0/600, float64(bot.LimitTalks.Most)), aDay(c.Now, bot.LimitChannels)}
	bans := &bans{notes: c.Notes, now: c.Now, clients: clients, cookies: cookies, members: members}
	visitors := &visitors{c.Host, answers, bans, cookies, members, c.Door}
	invitations := &invitations{c.Notes, c.Now}
	presences := &presences{c.Notes, c.Log, answers, bans, listeners, members, streams, visitors}
	comings := &comings{c.Host, c.Notes, c.Now, c.FirstKeeps, answers, cookies, invitations, listeners, members, presences, streams, visitors, aDay(c.Now, bot.LimitNames)}
	commands := &commands{c.Host, cookies, members, streams}
	notifier := push.New(push.Config{
		Off: c.NoPush, Notes: c.Notes, Now: c.Now, Log: c.Log, Client: c.PushClient, Hosts: c.PushHosts, URL: c.URL,
		HasRead: func(ctx context.Context, id string, m push.Message) (bool, error) {
			n, err := streams.read(ctx, person{ID: id}, stream(m.Stream))
			return n >= m.Number, err
		},
	})
	chat := &chat{c.Host, c.Notes, c.Now, commands, listeners, members, notifier, streams, aDay(c.Now, bot.LimitLines), turns{}}
	keys := pageKeys{c.Tables, c.Log}
	guests := &guests{c.Door, clients, cookies, visitors}
	watching := &watching{answers: answers}
	boards := &boards{c.Host, answers, commands, members}
	homes := &homes{
		c.Host, c.Notes, c.Now, commands,
		func(ctx context.Context, by string, to stream, i Invitation) (string, error) {
			return invite(ctx, c.Notes, c.Random, c.Now(), by, to, i)
		},
		listeners, members, keys, streams,
	}
	r := &Room{
		Config: c, answers: answers, chat: chat, clients: clients, comings: comings, commands: commands, cookies: cookies,
		listeners: listeners, presences: presences, notifier: notifier, streams: streams, visitors: visitors,
		door:    &door{c, answers, bans, chat, clients, comings, commands, cookies, homes, invitations, members, visitors, entries, known, wrong},
		steward: &steward{c, answers, chat, commands, invitations, listeners, members, streams},
		board:   &board{c.Host, c.Notes, answers, commands, members, keys, streams, visitors},
		tidying: &tidying{c.Host, c.Notes, c.Now, c.Log, listeners},
		eraser:  &eraser{c.Notes, answers, comings, invitations, members, streams},
		pages: pages{
			keys:     keys,
			watching: watching,
			activity: &activityPages{nil, c.Host, c.Log, c.Now, c.Tables, answers, boards, clients, commands, cookies, listeners, watching},
			features: &featurePages{c.Log, c.URL, answers, boards, clients, cookies, entries, guests, listeners, members, nil, watching},
			live:     &livePages{c.Host, keys, members, streams},
		},
		homes: homes,
	}
	if _, err := streams.makeChannel(ctx, general, ""); err != nil {
		return nil, fmt.Errorf("open channel %s: %w", general, err)
	}
	if err := listeners.follows(ctx, streams); err != nil {
		return nil, err
	}
	if err := r.door.keepURL(ctx); err != nil {
		return nil, err
	}
	r.handler, err = r.routes()
	return r, err
}

func (r *Room) routes() (http.Handler, error) {
	page, err := newPage(r.answers)
	if err != nil {
		return nil, err
	}
	r.pages.features.room = page
	mux := http.NewServeMux()
	mux.HandleFunc("/", r.answers.serveNothing)
	mux.Handle("GET /{$}", r.door.atDoor(page))
	mux.HandleFunc("GET "+doorPath, r.door.serveDoor)
	mux.HandleFunc("GET "+doorPath+"/{code}", r.door.serveDoor)
	mux.HandleFunc("POST "+doorPath, r.door.serveKnock)
	mux.HandleFunc("GET "+doorPath+"/with/{with}", r.door.serveSignIn)
	mux.HandleFunc("GET "+doorPath+"/back/{with}", r.door.serveSignedIn)
	mux.Handle("GET /static/", page)
	mux.Handle("GET /texts/", page)
	mux.Handle("GET /sw.js", page)
	mux.HandleFunc("GET "+fairPath, r.answers.serveFair)
	mux.HandleFunc("GET "+privacyPath, r.servePrivacy)
	mux.HandleFunc("GET "+recoveryPath, r.door.serveRecovery)
	mux.HandleFunc("POST "+recoveryPath, r.door.serveRecover)
	mux.HandleFunc("GET /pictures/{stream}/{file}", r.board.servePicture)
	mux.HandleFunc("GET /api/me", r.visitors.serveMe)
	mux.HandleFunc("GET /api/live", r.presences.serveLive)
	mux.HandleFunc("POST /api/enter", r.door.serveEnter)

	act := r.listeners.limit(2, 20)  // what others see, or the host works for
	ask := r.listeners.limit(20, 60) // what only the asker sees
	mux.HandleFunc("POST /api/leave", r.comings.serveLeave)
	mux.HandleFunc("POST /api/end-others", r.comings.serveEndOthers)
	mux.HandleFunc("POST /api/rename", member(r.visitors, act, r.comings.rename))
	mux.HandleFunc("POST /api/channels", member(r.visitors, act, r.streams.addChannel))
	mux.HandleFunc("POST /api/all-channels", member(r.visitors, ask, r.tidying.all))
	mux.HandleFunc("POST /api/change-channel", member(r.visitors, act, r.tidying.change))
	mux.HandleFunc("POST /api/direct", member(r.visitors, ask, r.streams.openDirect))
	mux.HandleFunc("POST /api/look", member(r.visitors, ask, r.streams.look))
	mux.HandleFunc("POST /api/say", member(r.visitors, act, r.chat.say))
	mux.HandleFunc("POST /api/press", member(r.visitors, act, r.commands.press))
	mux.HandleFunc("POST /api/act", member(r.visitors, act, r.board.act))
	mux.HandleFunc("POST /api/table", member(r.visitors, ask, r.board.table))
	mux.HandleFunc("POST /api/games", member(r.visitors, ask, r.homes.games))
	mux.HandleFunc("POST /api/wait", member(r.visitors, act, r.homes.wait))
	mux.HandleFunc("POST /api/friend", member(r.visitors, act, r.homes.friend))
	mux.HandleFunc("POST /api/running", member(r.visitors, act, r.board.running))
	mux.HandleFunc("POST /api/draft", member(r.visitors, ask, r.board.draft))
	mux.HandleFunc("POST /api/rack", member(r.visitors, ask, r.commands.rack))
	mux.HandleFunc("POST /api/people", member(r.visitors, ask, r.presences.whoIs))
	mux.HandleFunc("POST /api/complete", member(r.visitors, ask, r.commands.complete))
	mux.HandleFunc("POST /api/messages", member(r.visitors, ask, r.streams.messages))
	mux.HandleFunc("POST /api/read", member(r.visitors, ask, r.streams.markRead))
	mux.HandleFunc("POST /api/recovery", member(r.visitors, act, r.door.newRecovery))
	mux.HandleFunc("POST /api/push-key", member(r.visitors, act, notifying{r.notifier}.key))
	mux.HandleFunc("POST /api/push", member(r.visitors, act, notifying{r.notifier}.subscribe))
	mux.HandleFunc("POST /api/push-off", member(r.visitors, act, notifying{r.notifier}.unsubscribe))
	for _, p := range append(r.Config.Pages, r.pages.live.pages()) {
		r.pages.features.routes(mux, p)
	}
	r.pages.activity.routes(mux, page)
	return r.guard(mux), nil
}

// ServeHTTP serves the page, its pictures, and what it asks for.
func (r *Room) ServeHTTP(w http.ResponseWriter, req *http.Request) { r.handler.ServeHTTP(w, req) }

// Platform is the room as the host treats it: the page knows whether its screen
// is dark.
func (r *Room) Platform() bot.Platform {
	return bot.Platform{Name: Platform, Title: text.Item("the web room").String(), Dark: "dark", Boards: true, AsksLater: true, Aside: r.streams.open, Link: r.Link, Keeper: r.eraser, Steward: r.steward, Path: "/"}
}

// Run shows what other processes write to those who listen here. It ends the
// live connections when ctx is done, so that the server can shut down.
func (r *Room) Run(ctx context.Context) error {
	defer r.Close()
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { r.pages.keys.watch(ctx, r.pages.watching) })
	defer watching.Wait()
	defer stop()
	return r.listeners.follow(ctx)
}

// Post delivers a message of the host; see [bot.Poster].
func (r *Room) Post(ctx context.Context, m bot.Message) error { return r.chat.Post(ctx, m) }

// Show has a platform's own client show boards, from before the room serves
// anything.
func (r *Room) Show(a bot.Activity) { r.pages.activity.platform = a }

// FirstInvitation is the link that a start prints: the same all day, for ten people,
// and "" once they have come.
func (r *Room) FirstInvitation(ctx context.Context) (string, error) {
	return r.door.firstInvitation(ctx)
}

// Wait returns when nobody is being called any more: what the room answers, it
// answers while it is asked.
func (r *Room) Wait() { r.notifier.Wait() }

// Close ends the live connections, so that a server can shut down. Browsers
// try again by themselves.
func (r *Room) Close() {
	r.notifier.Close()
	r.listeners.live.close()
	r.pages.watching.close()
}
