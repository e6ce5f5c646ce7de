package web

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
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

// processes is how many share the room, as far as is known.
func (r *Room) processes() int {
	r.crowd.mu.Lock()
	defer r.crowd.mu.Unlock()
	n := 1
	for _, o := range r.crowd.others {
		if time.Since(o.at) <= presentFor {
			n++
		}
	}
	return n
}

// here reports whether a person listens, as far as is known at any process.
func (r *Room) here(id string) bool {
	if r.live.here(id) {
		return true
	}
	_, elsewhere := r.crowd.elsewhere(id, time.Now())
	return elsewhere
}

// howMany is how many people are here, at all processes.
func (r *Room) howMany() int {
	elsewhere, _ := r.crowd.elsewhere("", time.Now())
	return r.live.size() + elsewhere
}

// tellPresent tells the other processes who is here at this one.
func (r *Room) tellPresent() {
	o := others{Here: r.live.size()}
	if o.Here <= mostGreeted {
		for _, p := range r.live.some(mostGreeted) {
			o.People = append(o.People, p.ID)
		}
	}
	r.broadcast(broadcast{Name: presentEvent}, o)
}

// retry tells a page when to come back once the connection is lost: the later,
// the more there are, and none at the same time as another.
func (r *Room) retry() []byte {
	spread := min(time.Duration(r.live.most())*retryPerPage, retryAtMost)
	return fmt.Appendf(nil, "retry: %d\n", (retryFirst + rand.N(spread+1)).Milliseconds())
}

// showPerson tells everybody that somebody came to the room, changed, or left it
// for good.
func (r *Room) showPerson(p person, gone bool) {
	r.publish(general, event{"person", presence{p, r.here(p.ID), gone}})
}

// cameOrWent tells everybody that somebody came or went, or soon how many are
// here.
func (r *Room) cameOrWent(p person) {
	if r.live.isClosed() {
		return // all go
	}
	wait := time.Duration(0)
	r.crowd.mu.Lock()
	if r.crowd.moved == nil {
		r.crowd.moved = map[string]person{}
	}
	r.crowd.moved[p.ID] = p
	if r.crowd.waiting {
		r.crowd.mu.Unlock()
		return
	}
	if r.live.size() > fewHere {
		wait = tellEvery - time.Since(r.crowd.told)
	}
	r.crowd.waiting = wait > 0
	r.crowd.mu.Unlock()
	if wait > 0 {
		time.AfterFunc(wait, r.tellMoved)
	} else {
		r.tellMoved()
	}
}

// tellMoved tells who came or went since it was told last.
func (r *Room) tellMoved() {
	r.crowd.mu.Lock()
	moved := r.crowd.moved
	r.crowd.moved, r.crowd.waiting, r.crowd.told = nil, false, time.Now()
	r.crowd.mu.Unlock()
	if r.live.isClosed() {
		return
	}
	if len(moved) > tellAtMost {
		r.publish(general, event{"here", map[string]int{"here": r.howMany()}})
		return
	}
	for id := range moved {
		// Those who left the room for good were told of then.
		if p, found, err := r.person(context.Background(), id); err == nil && found {
			r.showPerson(p, false)
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

func (r *Room) greeting(ctx context.Context, who person) (g greeting, err error) {
	g = greeting{Me: who, Keeper: who.Keeper, Here: r.howMany()}
	if g.Streams, err = r.streamInfos(ctx, who); err != nil {
		return g, err
	}
	people, all, err := r.acquaintances(ctx, who, g.Streams)
	for _, p := range people {
		g.People = append(g.People, presence{p, r.here(p.ID), false})
	}
	g.Some = !all
	return g, err
}

// acquaintances are all people of a room that isn't large. Of a large one they
// are some who are here, and those whom a person talks to.
func (r *Room) acquaintances(ctx context.Context, who person, streams []streamInfo) (people []person, all bool, err error) {
	n, err := r.countPeople(ctx)
	if err != nil {
		return nil, false, err
	}
	if n <= mostGreeted {
		people, err = r.people(ctx)
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
		p, found, err := r.person(ctx, s.With)
		if err != nil {
			return nil, false, err
		}
		if found {
			add(p)
		}
	}
	for _, p := range r.live.some(mostGreeted) {
		add(p)
	}
	return people, false, nil
}

// countPeople is how many people the room has.
func (r *Room) countPeople(ctx context.Context) (int, error) {
	b, err := r.Notes.Get(ctx, countShelf, peopleShelf)
	if err != nil {
		return 0, err
	}
	if b == nil { // of an earlier version
		var n int
		err := r.changePeople(ctx, func(d *directory) error { n = d.count; return nil })
		return n, err
	}
	var stored storedCount
	err = json.Unmarshal(b, &stored)
	return stored.N, err
}

// whoIs lists people whose names begin so, for a page that doesn't know them all.
func (r *Room) whoIs(ctx context.Context, _ person, in struct {
	Begin string `json:"begin"`
}) (any, error) {
	people, err := r.beginning(ctx, in.Begin, mostChoices)
	if err != nil {
		return nil, err
	}
	out := make([]presence, len(people))
	for i, p := range people {
		out[i] = presence{p, r.here(p.ID), false}
	}
	return map[string]any{"people": out}, nil
}
