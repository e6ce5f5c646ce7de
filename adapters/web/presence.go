package web

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
)

// While few people are present, each arrival and departure is announced. If many come and
// go at once, such as after a restart, that would be more than a page can handle, so only
// their number is announced, at most once in tellEvery.
const (
	fewHere      = 50
	tellAtMost   = 20          // people announced by name at a time
	tellEvery    = time.Second // if more than fewHere are present
	mostGreeted  = 200         // people included in a greeting, in a large room
	presentFor   = 15 * time.Second
	presentEvent = "present" // exchanged between processes only
)

// Delays before pages that lost their connection reconnect: at least retryFirst, spread
// over a time that grows with their number.
const (
	retryFirst   = time.Second
	retryPerPage = 2 * time.Millisecond
	retryAtMost  = 20 * time.Second
)

// A presence is a person with whether they are present.
type presence struct {
	person
	Here bool `json:"here"`
	Gone bool `json:"gone,omitempty"` // whether they left for good
}

// A crowd tracks who comes and goes. Its zero value is ready for use.
type crowd struct {
	mu      sync.Mutex
	moved   map[string]person // people who came or went, not announced yet
	waiting bool
	told    time.Time
	others  map[string]others // by process
}

// others holds the people present at another process, as it reported at a time.
type others struct {
	Here   int      `json:"here"`
	People []string `json:"people,omitempty"` // their ids, if there are few
	at     time.Time
}

// hear stores another process's report.
func (c *crowd) hear(process string, data []byte, now time.Time) error {
	var o others
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	o.at = now
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.others == nil {
		c.others = map[string]others{}
	}
	c.others[process] = o
	for name, o := range c.others {
		if now.Sub(o.at) > presentFor {
			delete(c.others, name)
		}
	}
	return nil
}

// countElsewhere returns the number of people present at other processes, and whether a person
// is known to be among them.
func (c *crowd) countElsewhere(id string, now time.Time) (n int, here bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range c.others {
		if now.Sub(o.at) <= presentFor {
			n += o.Here
			here = here || slices.Contains(o.People, id)
		}
	}
	return n, here
}

// processes returns the known number of processes, including this one.
func (c *crowd) processes(now time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 1
	for _, o := range c.others {
		if now.Sub(o.at) <= presentFor {
			n++
		}
	}
	return n
}

// recordMove records that a person came or went. tell is true if the caller should announce it
// after wait, and false if an announcement is already planned.
func (c *crowd) recordMove(p person, few bool, now time.Time) (wait time.Duration, tell bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved == nil {
		c.moved = map[string]person{}
	}
	c.moved[p.ID] = p
	if c.waiting {
		return 0, false
	}
	if !few {
		wait = tellEvery - now.Sub(c.told)
	}
	c.waiting = wait > 0
	return wait, true
}

// take returns the people who came or went since the last call.
func (c *crowd) take(now time.Time) map[string]person {
	c.mu.Lock()
	defer c.mu.Unlock()
	moved := c.moved
	c.moved, c.waiting, c.told = nil, false, now
	return moved
}

// isConnected reports whether a person is connected to any process, as far as is known.
func (ls *listeners) isConnected(id string) bool {
	if ls.live.isConnected(id) {
		return true
	}
	_, elsewhere := ls.crowd.countElsewhere(id, ls.now())
	return elsewhere
}

// countPresent returns the number of people present at all processes.
func (ls *listeners) countPresent() int {
	elsewhere, _ := ls.crowd.countElsewhere("", ls.now())
	return ls.live.size() + elsewhere
}

// tellPresent reports this process's people to the other processes.
func (ls *listeners) tellPresent() {
	o := others{Here: ls.live.size()}
	if o.Here <= mostGreeted {
		for _, p := range ls.samplePeople() {
			o.People = append(o.People, p.ID)
		}
	}
	ls.broadcast(broadcast{Name: presentEvent}, o)
}

// retryDelay returns the delay after which a page should reconnect. It is random, and longer for
// more windows, so that they don't all return at once.
func (ls *listeners) retryDelay() []byte {
	spread := min(time.Duration(ls.live.maxWindows())*retryPerPage, retryAtMost)
	return fmt.Appendf(nil, "retry: %d\n", (retryFirst + rand.N(spread+1)).Milliseconds())
}

// presences announces who is present.
type presences struct {
	notes     bot.Notes
	log       *slog.Logger
	answers   *pages.Answers
	bans      *bans
	listeners *listeners
	members   *members
	streams   *streams
	visitors  *visitors
}

// announcePerson announces that a person entered the room, changed, or left it for good.
func (ps *presences) announcePerson(p person, gone bool) {
	ps.listeners.publish(general, "person", presence{p, ps.listeners.isConnected(p.ID), gone})
}

// announcePresence announces that a person came or went, or soon how many people are present.
func (ps *presences) announcePresence(p person) {
	if ps.listeners.live.isClosed() {
		return // the room is closing
	}
	wait, tell := ps.listeners.crowd.recordMove(p, ps.listeners.live.size() <= fewHere, ps.listeners.now())
	switch {
	case tell && wait > 0:
		time.AfterFunc(wait, ps.announceMoved)
	case tell:
		ps.announceMoved()
	}
}

// announceMoved announces the people who came or went since the last announcement.
func (ps *presences) announceMoved() {
	moved := ps.listeners.crowd.take(ps.listeners.now())
	if ps.listeners.live.isClosed() {
		return
	}
	if len(moved) > tellAtMost {
		ps.listeners.publish(general, "here", map[string]int{"here": ps.listeners.countPresent()})
		return
	}
	for id := range moved {
		// People who left the room for good were announced then.
		if p, found, err := ps.members.person(context.Background(), id); err == nil && found {
			ps.announcePerson(p, false)
		}
	}
}

// A greeting is the full current state for the page.
type greeting struct {
	Me      person       `json:"me"`
	Keeper  bool         `json:"keeper,omitempty"` // whether they are a keeper
	Streams []streamInfo `json:"streams"`
	People  []presence   `json:"people"`
	// Here is the number of people present. Some is true if People is only a part of them.
	Here int  `json:"here"`
	Some bool `json:"some,omitempty"`
}

func (ps *presences) greeting(ctx context.Context, who person) (g greeting, err error) {
	g = greeting{Me: who, Keeper: who.Keeper, Here: ps.listeners.countPresent()}
	if g.Streams, err = ps.streams.streamInfos(ctx, who); err != nil {
		return g, err
	}
	people, all, err := ps.peopleToGreet(ctx, who, g.Streams)
	for _, p := range people {
		g.People = append(g.People, presence{p, ps.listeners.isConnected(p.ID), false})
	}
	g.Some = !all
	return g, err
}

// peopleToGreet returns all people of a small room. Of a large one, it returns some who are
// present, and the people in the person's conversations.
func (ps *presences) peopleToGreet(ctx context.Context, who person, streams []streamInfo) (people []person, all bool, err error) {
	n, err := ps.countPeople(ctx)
	if err != nil {
		return nil, false, err
	}
	if n <= mostGreeted {
		people, err = ps.members.people(ctx)
		return people, true, err
	}
	known := map[string]bool{who.ID: true}
	people = append(people, who)
	add := func(p person) {
		if !known[p.ID] {
			known[p.ID] = true
			people = append(people, p)
		}
	}
	for _, s := range streams {
		if s.With == "" {
			continue
		}
		p, found, err := ps.members.person(ctx, s.With)
		if err != nil {
			return nil, false, err
		}
		if found {
			add(p)
		}
	}
	for _, p := range ps.listeners.samplePeople() {
		add(p)
	}
	return people, false, nil
}

// countPeople returns the number of people in the room.
func (ps *presences) countPeople(ctx context.Context) (int, error) {
	b, err := ps.notes.Get(ctx, countShelf, peopleShelf)
	if err != nil {
		return 0, err
	}
	if b == nil { // the notes are from an earlier version
		var n int
		err := ps.members.changePeople(ctx, func(d *directory) error { n = d.count; return nil })
		return n, err
	}
	var stored storedCount
	err = json.Unmarshal(b, &stored)
	return stored.N, err
}

// findPeople lists people whose names begin with the given text, for a page that doesn't know
// everyone.
func (ps *presences) findPeople(ctx context.Context, _ person, in struct {
	Begin string `json:"begin"`
}) (any, error) {
	people, err := ps.members.findByPrefix(ctx, in.Begin)
	if err != nil {
		return nil, err
	}
	out := make([]presence, len(people))
	for i, p := range people {
		out[i] = presence{p, ps.listeners.isConnected(p.ID), false}
	}
	return map[string]any{"people": out}, nil
}

// serveLive opens a connection that delivers events to the page. The greeting is first.
// Events that happen while it is made follow it, so none is lost.
func (ps *presences) serveLive(w http.ResponseWriter, req *http.Request) {
	who, err := ps.visitors.visitor(req)
	if err != nil {
		ps.answers.Fail(w, req, err)
		return
	}
	if err := ps.bans.keepAddress(req, who); err != nil {
		ps.answers.Fail(w, req, err)
		return
	}
	if err := ps.listeners.markDirects(req.Context(), who); err != nil {
		ps.answers.Fail(w, req, err)
		return
	}
	me := ps.listeners.live.join(who)
	if me == nil {
		ps.answers.Fail(w, req, pages.ErrTooManyWindows)
		return
	}
	defer func() {
		ps.listeners.live.removeListener(me)
		if !ps.listeners.live.isConnected(who.ID) {
			ps.announcePresence(who)
		}
	}()
	ps.announcePresence(who)
	hello, err := ps.greeting(req.Context(), who)
	if err != nil {
		ps.answers.Fail(w, req, err)
		return
	}
	first, err := event{"hello", hello}.bytes()
	if err != nil {
		ps.log.Error("web greeting", "err", err)
		return
	}
	ps.listeners.sendEvents(w, req, me, first)
}

// samplePeople returns people who are connected to this process, mostGreeted at most.
func (ls *listeners) samplePeople() []person { return ls.live.pickPeople(mostGreeted) }
