package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// beat is how often a live connection says that it is there. The page
	// takes one that is silent for three beats for dead.
	beat = 15 * time.Second
	// backlog is how many events may wait for a slow browser before it is
	// cut off; it connects again and fetches what it missed.
	backlog = 100
	// maxConnections is how many live connections one person may have.
	maxConnections = 12
)

// An event is a thing that the page is told by server-sent events:
//
//	hello    greeting: everything that the page keeps, at each connection
//	message  a new message
//	edit     a message with another text
//	stream   a new channel
//	person   somebody came, changed their name, went
//	read     how far the person themself has read, in another window perhaps
type event struct {
	name string
	data any
}

// bytes is the event on the wire, as
// https://html.spec.whatwg.org/multipage/server-sent-events.html says.
func (e event) bytes() ([]byte, error) {
	data, err := json.Marshal(e.data)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", e.name, data), nil
}

// live holds those who listen. Its zero value is ready.
type live struct {
	mu        sync.Mutex
	listeners map[*listener]bool
	closed    bool
}

// A listener is one window of one person.
type listener struct {
	person string
	events chan event // closed when the listener is cut off
}

// join adds a listener; nil when there are too many of the person's.
func (l *live) join(person string) *listener {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.count(person) >= maxConnections {
		return nil
	}
	if l.listeners == nil {
		l.listeners = map[*listener]bool{}
	}
	one := &listener{person, make(chan event, backlog)}
	l.listeners[one] = true
	return one
}

func (l *live) count(person string) (n int) {
	for one := range l.listeners {
		if one.person == person {
			n++
		}
	}
	return n
}

// here reports whether a person listens.
func (l *live) here(person string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count(person) > 0
}

// part removes a listener.
func (l *live) part(one *listener) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut(one)
}

func (l *live) cut(one *listener) {
	if l.listeners[one] {
		delete(l.listeners, one)
		close(one.events)
	}
}

// drop cuts a person off.
func (l *live) drop(person string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for one := range l.listeners {
		if one.person == person {
			l.cut(one)
		}
	}
}

func (l *live) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for one := range l.listeners {
		l.cut(one)
	}
}

// publish tells an event to everybody who may read a stream.
func (l *live) publish(s stream, e event) { l.send(e, s.mayRead) }

// tell tells an event to one person.
func (l *live) tell(person string, e event) {
	l.send(e, func(id string) bool { return id == person })
}

func (l *live) send(e event, to func(person string) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for one := range l.listeners {
		if !to(one.person) {
			continue
		}
		select {
		case one.events <- e:
		default:
			l.cut(one)
		}
	}
}

// A presence is a person and whether they are here now.
type presence struct {
	person
	Here bool `json:"here"`
	Gone bool `json:"gone,omitempty"` // they left for good
}

// showPerson tells everybody that somebody came, changed or went.
func (r *Room) showPerson(p person, gone bool) {
	r.publish(general, event{"person", presence{p, r.live.here(p.ID), gone}})
}

// A greeting is all that the page keeps, as it is now.
type greeting struct {
	Me      person       `json:"me"`
	Streams []streamInfo `json:"streams"`
	People  []presence   `json:"people"`
}

func (r *Room) greeting(ctx context.Context, who person) (greeting, error) {
	people, err := r.people(ctx)
	if err != nil {
		return greeting{}, err
	}
	g := greeting{Me: who}
	for _, p := range people {
		g.People = append(g.People, presence{p, r.live.here(p.ID), false})
	}
	g.Streams, err = r.streamInfos(ctx, who)
	return g, err
}

// serveLive is a connection on which the page hears what is new. It greets
// first; what happens while the greeting is made comes after it, so that
// nothing falls in between.
func (r *Room) serveLive(w http.ResponseWriter, req *http.Request) {
	who, err := r.visitor(req)
	if err != nil {
		r.fail(w, req, err)
		return
	}
	me := r.live.join(who.ID)
	if me == nil {
		r.fail(w, req, &refusal{http.StatusServiceUnavailable, "You have many windows open here. Please close some."})
		return
	}
	defer func() {
		r.live.part(me)
		if !r.live.here(who.ID) {
			r.showHere(who)
		}
	}()
	r.showHere(who)
	hello, err := r.greeting(req.Context(), who)
	if err != nil {
		r.fail(w, req, err)
		return
	}

	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not hold events back
	out := http.NewResponseController(w)
	send := func(b []byte) bool {
		// A browser that takes nothing for so long is gone. Not every
		// ResponseWriter has deadlines.
		_ = out.SetWriteDeadline(time.Now().Add(2 * beat))
		_, err := w.Write(b)
		return err == nil && out.Flush() == nil
	}
	first, err := event{"hello", hello}.bytes()
	if err != nil {
		r.Log.Error("web greeting", "err", err)
		return
	}
	if !send(append([]byte("retry: 1000\n"), first...)) {
		return
	}
	ticks := time.NewTicker(beat)
	defer ticks.Stop()
	for {
		select {
		case <-req.Context().Done():
			return
		case <-ticks.C:
			if !send([]byte("event: beat\ndata: {}\n\n")) {
				return
			}
		case e, ok := <-me.events:
			if !ok {
				return
			}
			b, err := e.bytes()
			if err != nil {
				r.Log.Error("web event", "event", e.name, "err", err)
				return
			}
			if !send(b) {
				return
			}
		}
	}
}

// showHere tells everybody whether somebody is here, unless they left the room
// for good.
func (r *Room) showHere(who person) {
	p, found, err := r.person(context.Background(), who.ID)
	if err == nil && found {
		r.showPerson(p, false)
	}
}
