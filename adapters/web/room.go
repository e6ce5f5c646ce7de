// Package web implements a chat room in the browser with channels, direct messages, slash
// commands and pictures. People enter by giving a name.
//
// Messages are in streams: channels, which everyone can read, and direct messages, which
// one or two people can read. A stream's messages are a [notes.Log], numbered from 1
// without gaps. The room stores all its state in its notes; memory holds only the open
// connections.
//
//	browser: POST /api/say -> Room -> Notes.Change -> live, to each listener who may read the stream
//	browser: POST /api/say "/play ..." -> bot.Commands.ParseLine -> Host.Handle -> private reply to the sender
//	Host.Deliver -> Room.Post -> Notes.Change -> live
//
// After an interruption, a browser compares its numbers with those in the greeting of its
// next [live] connection, and fetches the missing messages, so none is lost or duplicated.
// Requests carry an id chosen by the browser, so that it can retry without a second effect.
//
// # Caveats
//
// Processes that share notes exchange lines and events through [Room.Run]. A process that
// has just started learns within a few seconds who is present at the others.
package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"sync"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/adapters/web/push"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// Platform is the room's platform name: the prefix of its channels' and people's ids.
const Platform = pages.Platform

// A Room is the chat room. It serves HTTP, and delivers the host's posts as a [bot.Poster].
// Its parts do the work and hold their own state.
type Room struct {
	Config
	board        *board
	chat         *chat
	arrivals     *arrivals
	commands     *commands
	door         *door
	eraser       *eraser
	homes        *homes
	listeners    *listeners
	presences    *presences
	notifier     *push.Notifier
	steward      *steward
	streams      *streams
	channelAdmin *channelAdmin
	visitors     *visitors
	site         *pages.Site
	handler      http.Handler
}

// New opens the room stored in the notes, or creates it if they are empty.
func New(c Config) (*Room, error) {
	if c.Observer == nil {
		c.Observer = bot.Unobserved{}
	}
	if err := c.checkDoor(); err != nil {
		return nil, err
	}
	ctx := context.Background()
	key, err := notes.Secret(ctx, c.Notes, c.Random, "secret", "cookie")
	if err != nil {
		return nil, err
	}
	texts, err := pages.ReadTexts(c.Sentences)
	if err != nil {
		return nil, err
	}
	entries, known, wrong := newDoorLimits(c.Now)

	// Each part receives only the parts it needs.
	cookies := pages.NewCookies(key, c.Random, c.Now)
	clients := pages.NewClients(c.Hosts, c.Proxies)
	answers := pages.NewAnswers(c.Host, c.Log, cookies, texts, c.URL, c.Demo)
	members := &members{c.Host, c.Notes, c.Now, sync.OnceValue(func() looks { return readLooks(c.Confusables) }), make(chan struct{}, 1)}
	listeners := &listeners{notes: c.Notes, now: c.Now, log: c.Log, process: rand.Text(), shown: map[stream]uint64{}}
	listeners.live.counted = func(n int) { c.Observer.Listeners(pages.Platform, n) }
	streams := &streams{c.Notes, c.Now, c.Log, listeners, members, pages.NewBuckets(c.Now, 1.0/600, float64(bot.LimitTalks.Most)), pages.ADay(c.Now, bot.LimitChannels)}
	bans := &bans{notes: c.Notes, now: c.Now, clients: clients, cookies: cookies, members: members}
	visitors := &visitors{c.Host, answers, bans, cookies, members, c.Door == DoorOpen, !c.NoPush}
	invitations := &invitations{c.Notes, c.Now}
	presences := &presences{c.Notes, c.Log, answers, bans, listeners, members, streams, visitors}
	arrivals := &arrivals{c.Host, c.Notes, c.Now, c.FirstKeeps, answers, cookies, invitations, listeners, members, presences, streams, visitors, pages.ADay(c.Now, bot.LimitNames), nil}
	commands := &commands{c.Host, cookies, members, streams}
	notifier := push.New(push.Config{
		Off: c.NoPush, Notes: c.Notes, Now: c.Now, Log: c.Log, Client: c.PushClient, Hosts: c.PushHosts, URL: c.URL,
		HasRead: func(ctx context.Context, id string, m push.Message) (bool, error) {
			n, err := streams.read(ctx, person{ID: id}, stream(m.Stream))
			return n >= m.Number, err
		},
	})
	chat := &chat{c.Host, c.Notes, c.Now, commands, listeners, members, notifier, streams, pages.ADay(c.Now, bot.LimitLines), tasks.Locks{}}
	keys := pages.Keys{Games: c.Tables, Log: c.Log}
	invites := func(ctx context.Context, by string, to stream, i Invitation) (string, error) {
		return invite(ctx, c.Notes, c.Random, c.Now(), by, to, i)
	}
	homes := &homes{
		c.Host, c.Notes, c.Now, commands, invites,
		listeners, members, keys, streams, c.Pages,
	}
	r := &Room{
		Config: c, chat: chat, arrivals: arrivals, commands: commands,
		listeners: listeners, presences: presences, notifier: notifier, streams: streams, visitors: visitors,
		door:         &door{c, answers, bans, chat, clients, arrivals, commands, cookies, homes, invitations, members, visitors, entries, known, wrong},
		steward:      &steward{c.Host, c.Notes, c.Now, c.URL, invites, c.Door == DoorInvite || c.Door == DoorPassword, answers, chat, commands, invitations, listeners, members, streams},
		board:        &board{c.Host, c.Notes, answers, commands, members, keys, streams, visitors},
		channelAdmin: &channelAdmin{c.Host, c.Notes, c.Now, c.Log, listeners},
		eraser:       &eraser{c.Notes, answers, arrivals, invitations, members, streams},
		homes:        homes,
	}
	arrivals.forgets = []func(context.Context, person) error{bans.markLeft, homes.stopWaiting, r.door.forgetCode, r.door.forgetAccount}
	if _, err := streams.makeChannel(ctx, general, ""); err != nil {
		return nil, fmt.Errorf("open channel %s: %w", general, err)
	}
	if err := listeners.followExisting(ctx, streams); err != nil {
		return nil, err
	}
	if err := r.door.keepURL(ctx); err != nil {
		return nil, err
	}
	r.site, err = pages.NewSite(pages.Room{
		Host: c.Host, Log: c.Log, Now: c.Now, URL: c.URL, Open: c.Door == DoorOpen, Tables: c.Tables, Channel: stream(general).channelID(),
		Keeps: c.Keeps, Contact: c.Contact,
		Member: visitors.member, MayRead: mayRead, Name: members.nameOf, NameNow: members.nameNow, Find: members.find,
		Private: func(reply bot.Reply) any { return commands.private(reply) },
		Limit:   listeners.newBuckets, Entries: entries,
	}, answers, clients, cookies)
	r.handler = r.routes()
	return r, err
}

func (r *Room) routes() http.Handler {
	mux := http.NewServeMux()
	r.site.Routes(mux, append(r.Config.Pages, bot.Pages{Path: pages.LivePath, Members: true, Live: true, Show: r.homes.showRunning}))
	mux.Handle("GET /{$}", r.door.requireDoor(http.HandlerFunc(r.site.ServeRoom)))
	mux.HandleFunc("GET "+doorPath, r.door.serveDoor)
	mux.HandleFunc("GET "+doorPath+"/{code}", r.door.serveDoor)
	mux.HandleFunc("GET "+cardPath+"{code}", r.door.serveCard)
	mux.HandleFunc("POST "+doorPath, r.door.serveKnock)
	mux.HandleFunc("GET "+doorPath+"/with/{with}", r.door.serveSignIn)
	mux.HandleFunc("GET "+doorPath+"/back/{with}", r.door.serveSignedIn)
	mux.HandleFunc("GET "+recoveryPath, r.door.serveRecovery)
	mux.HandleFunc("POST "+recoveryPath, r.door.serveRecover)
	mux.HandleFunc("GET /pictures/{stream}/{file}", r.board.servePicture)
	mux.HandleFunc("GET /api/me", r.visitors.serveMe)
	mux.HandleFunc("GET /api/commands", r.visitors.serveCommands)
	mux.HandleFunc("GET /api/live", r.presences.serveLive)
	mux.HandleFunc("POST /api/enter", r.door.serveEnter)

	act := r.listeners.newBuckets(2, 20)  // requests that others see, or that make the host work
	ask := r.listeners.newBuckets(20, 60) // requests that only the sender sees
	mux.HandleFunc("POST /api/leave", r.arrivals.serveLeave)
	mux.HandleFunc("POST /api/end-others", r.arrivals.serveEndOthers)
	mux.HandleFunc("POST /api/rename", member(r.visitors, act, r.arrivals.rename))
	mux.HandleFunc("POST /api/channels", member(r.visitors, act, r.streams.addChannel))
	mux.HandleFunc("POST /api/all-channels", member(r.visitors, ask, r.channelAdmin.listChannels))
	mux.HandleFunc("POST /api/change-channel", member(r.visitors, act, r.channelAdmin.change))
	mux.HandleFunc("POST /api/direct", member(r.visitors, ask, r.streams.openDirect))
	mux.HandleFunc("POST /api/look", member(r.visitors, ask, r.streams.openByLink))
	mux.HandleFunc("POST /api/say", member(r.visitors, act, r.chat.say))
	mux.HandleFunc("POST /api/press", member(r.visitors, act, r.commands.press))
	mux.HandleFunc("POST /api/act", member(r.visitors, act, r.board.act))
	mux.HandleFunc("POST /api/table", member(r.visitors, ask, r.board.table))
	mux.HandleFunc("POST /api/games", member(r.visitors, ask, r.homes.games))
	mux.HandleFunc("POST /api/doing", member(r.visitors, ask, (&occupations{homes: r.homes}).list))
	mux.HandleFunc("POST /api/wait", member(r.visitors, act, r.homes.wait))
	mux.HandleFunc("POST /api/new", member(r.visitors, ask, r.homes.newGameOptions))
	mux.HandleFunc("POST /api/friend", member(r.visitors, act, r.homes.newFriendLink))
	mux.HandleFunc("POST /api/running", member(r.visitors, act, r.board.listRunning))
	mux.HandleFunc("POST /api/draft", member(r.visitors, ask, r.board.draft))
	mux.HandleFunc("POST /api/rack", member(r.visitors, ask, r.commands.rack))
	mux.HandleFunc("POST /api/people", member(r.visitors, ask, r.presences.findPeople))
	mux.HandleFunc("POST /api/complete", member(r.visitors, ask, r.commands.complete))
	mux.HandleFunc("POST /api/messages", member(r.visitors, ask, r.streams.messages))
	mux.HandleFunc("POST /api/read", member(r.visitors, ask, r.streams.markRead))
	mux.HandleFunc("POST /api/recovery", member(r.visitors, act, r.door.newRecovery))
	mux.HandleFunc("POST /api/push-key", member(r.visitors, act, notificationAPI{r.notifier}.key))
	mux.HandleFunc("POST /api/push", member(r.visitors, act, notificationAPI{r.notifier}.subscribe))
	mux.HandleFunc("POST /api/push-off", member(r.visitors, act, notificationAPI{r.notifier}.unsubscribe))
	return r.site.Guard(mux)
}

// ServeHTTP serves the page, its pictures and its requests.
func (r *Room) ServeHTTP(w http.ResponseWriter, req *http.Request) { r.handler.ServeHTTP(w, req) }

// Platform returns the room's properties for the host. The page itself knows whether its
// screen is dark.
func (r *Room) Platform() bot.Platform {
	return bot.Platform{Name: pages.Platform, Title: text.Item("the web room").String(), Dark: "dark", Boards: true, AsksLater: true, CurrentNames: true, Aside: r.streams.open, Link: r.Link, Keeper: r.eraser, Steward: r.steward, Path: "/"}
}

// Run shows the lines of other processes to the people connected here. When ctx is done, it
// closes the live connections, so that the server can shut down.
func (r *Room) Run(ctx context.Context) error {
	defer r.Close()
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { r.site.Watch(ctx) })
	defer watching.Wait()
	defer stop()
	return r.listeners.follow(ctx)
}

// Post delivers a message of the host; see [bot.Poster].
func (r *Room) Post(ctx context.Context, m bot.Message) error { return r.chat.Post(ctx, m) }

// SetActivity sets the platform whose own client shows boards in a frame. It must be called
// before the room serves requests.
func (r *Room) SetActivity(a bot.Activity) { r.site.SetActivity(a) }

// FirstInvitation returns the link that is printed at the start: the same all day, for ten
// people, or "" once it is used up.
func (r *Room) FirstInvitation(ctx context.Context) (string, error) {
	return r.door.firstInvitation(ctx)
}

// Wait returns when no notification is being sent. The room's other work ends with its
// requests.
func (r *Room) Wait() { r.notifier.Wait() }

// Close closes the live connections, so that a server can shut down. Browsers reconnect by
// themselves.
func (r *Room) Close() {
	r.notifier.Close()
	r.listeners.live.close()
	r.site.Close()
}

// Link returns a URL that opens a channel at the latest post of a table.
func (r *Room) Link(ctx context.Context, ch bot.ChannelID, _ string) string {
	s, ours := streamOf(ch)
	if !ours {
		return ""
	}
	url := r.URL + "/#" + string(s)
	if n, err := r.streams.latestPost(ctx, s); err == nil && n > 0 {
		url += fmt.Sprintf("/%d", n)
	}
	return url
}
