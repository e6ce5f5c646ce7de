package web

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Where few are here everybody hears of each who comes or goes. Where many are,
// and above all when they all come back after a restart, that would be more than
// a page can take: then everybody hears how many there are, once in a while.
const (
	fewHere      = 50
	tellAtMost   = 20          // people by name, at a time
	tellEvery    = time.Second // where not few are here
	mostGreeted  = 200         // people whom a greeting tells of, in a large room
	presentFor   = 15 * time.Second
	presentEvent = "present" // between processes only
)

// When pages come back that have lost their connection: after the first time at
// least, and spread over as long as they need.
const (
	retryFirst   = time.Second
	retryPerPage = 2 * time.Millisecond
	retryAtMost  = 20 * time.Second
)

// A presence is a person and whether they are here now.
type presence struct {
	person
	Here bool `json:"here"`
	Gone bool `json:"gone,omitempty"` // they left for good
}

// A crowd is who comes and goes. Its zero value is ready.
type crowd struct {
	mu      sync.Mutex
	moved   map[string]person // who came or went, which isn't told yet
	waiting bool
	told    time.Time
	others  map[string]others // by process
}

// The others are those who are here at another process, as it told at a time.
type others struct {
	Here   int      `json:"here"`
	People []string `json:"people,omitempty"` // their ids, where they are few
	at     time.Time
}

// hear takes in what another process tells.
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

// elsewhere is how many are here at other processes, and whether a person is
// known to be.
func (c *crowd) elsewhere(id string, now time.Time) (n int, here bool) {
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

// processes is how many there are, with this one, as far as is known.
func (c *crowd) processes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 1
	for _, o := range c.others {
		if time.Since(o.at) <= presentFor {
			n++
		}
	}
	return n
}

// move notes that somebody came or went. tell says that this is to be told, after a
// while where not few are here; else that is under way.
func (c *crowd) move(p person, few bool) (wait time.Duration, tell bool) {
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
		wait = tellEvery - time.Since(c.told)
	}
	c.waiting = wait > 0
	return wait, true
}

// take are those who came or went since they were taken last.
func (c *crowd) take() map[string]person {
	c.mu.Lock()
	defer c.mu.Unlock()
	moved := c.moved
	c.moved, c.waiting, c.told = nil, false, time.Now()
	return moved
}

// here reports whether a person listens, as far as is known at any process.
func (ls *listeners) here(id string) bool {
	if ls.live.here(id) {
		return true
	}
	_, elsewhere := ls.crowd.elsewhere(id, time.Now())
	return elsewhere
}

// howMany is how many people are here, at all processes.
func (ls *listeners) howMany() int {
	elsewhere, _ := ls.crowd.elsewhere("", time.Now())
	return ls.live.size() + elsewhere
}

// tellPresent tells the other processes who is here at this one.
func (ls *listeners) tellPresent() {
	o := others{Here: ls.live.size()}
	if o.Here <= mostGreeted {
		for _, p := range ls.live.some(mostGreeted) {
			o.People = append(o.People, p.ID)
		}
	}
	ls.broadcast(broadcast{Name: presentEvent}, o)
}

// retry tells a page when to come back once the connection is lost: the later,
// the more there are, and none at the same time as another.
func (ls *listeners) retry() []byte {
	spread := min(time.Duration(ls.live.most())*retryPerPage, retryAtMost)
	return fmt.Appendf(nil, "retry: %d\n", (retryFirst + rand.N(spread+1)).Milliseconds())
}

// presences are who is here, as everybody hears of it.
type presences struct {
	notes     bot.Notes
	log       *slog.Logger
	answers   *answers
	bans      *bans
	listeners *listeners
	members   *members
	streams   *streams
	visitors  *visitors
}

// showPerson tells everybody that somebody came to the room, changed, or left it
// for good.
func (ps *presences) showPerson(p person, gone bool) {
	ps.listeners.publish(general, event{"person", presence{p, ps.listeners.here(p.ID), gone}})
}

// cameOrWent tells everybody that somebody came or went, or soon how many are
// here.
func (ps *presences) cameOrWent(p person) {
	if ps.listeners.live.isClosed() {
		return // all go
	}
	wait, tell := ps.listeners.crowd.move(p, ps.listeners.live.size() <= fewHere)
	switch {
	case tell && wait > 0:
		time.AfterFunc(wait, ps.tellMoved)
	case tell:
		ps.tellMoved()
	}
}

// tellMoved tells who came or went since it was told last.
func (ps *presences) tellMoved() {
	moved := ps.listeners.crowd.take()
	if ps.listeners.live.isClosed() {
		return
	}
	if len(moved) > tellAtMost {
		ps.listeners.publish(general, event{"here", map[string]int{"here": ps.listeners.howMany()}})
		return
	}
	for id := range moved {
		// Those who left the room for good were told of then.
		if p, found, err := ps.members.person(context.Background(), id); err == nil && found {
			ps.showPerson(p, false)
		}
	}
}

// A greeting is all that the page keeps, as it is now.
type greeting struct {
	Me      person       `json:"me"`
	Keeper  bool         `json:"keeper,omitempty"` // they keep the room
	Streams []streamInfo `json:"streams"`
	People  []presence   `json:"people"`
	// Here is how many people are here; Some says that People are not all there
	// are.
	Here int  `json:"here"`
	Some bool `json:"some,omitempty"`
}

func (ps *presences) greeting(ctx context.Context, who person) (g greeting, err error) {
	g = greeting{Me: who, Keeper: who.Keeper, Here: ps.listeners.howMany()}
	if g.Streams, err = ps.streams.streamInfos(ctx, who); err != nil {
		return g, err
	}
	people, all, err := ps.acquaintances(ctx, who, g.Streams)
	for _, p := range people {
		g.People = append(g.People, presence{p, ps.listeners.here(p.ID), false})
	}
	g.Some = !all
	return g, err
}

// acquaintances are all people of a room that isn't large. Of a large one they
// are some who are here, and those whom a person talks to.
func (ps *presences) acquaintances(ctx context.Context, who person, streams []streamInfo) (people []person, all bool, err error) {
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
	for _, p := range ps.listeners.live.some(mostGreeted) {
		add(p)
	}
	return people, false, nil
}

// countPeople is how many people the room has.
func (ps *presences) countPeople(ctx context.Context) (int, error) {
	b, err := ps.notes.Get(ctx, countShelf, peopleShelf)
	if err != nil {
		return 0, err
	}
	if b == nil { // of an earlier version
		var n int
		err := ps.members.changePeople(ctx, func(d *directory) error { n = d.count; return nil })
		return n, err
	}
	var stored storedCount
	err = json.Unmarshal(b, &stored)
	return stored.N, err
}

// whoIs lists people whose names begin so, for a page that doesn't know them all.
func (ps *presences) whoIs(ctx context.Context, _ person, in struct {
	Begin string `json:"begin"`
}) (any, error) {
	people, err := ps.members.beginning(ctx, in.Begin, mostChoices)
	if err != nil {
		return nil, err
	}
	out := make([]presence, len(people))
	for i, p := range people {
		out[i] = presence{p, ps.listeners.here(p.ID), false}
	}
	return map[string]any{"people": out}, nil
}
