package web

import (
	"encoding/json"
	"fmt"
	"sync"
)

const (
	// backlog limits the events that wait for a slow browser. Beyond that it is cut off,
	// reconnects and fetches what it missed.
	backlog = 100
	// maxConnections is the maximum number of live connections of one person.
	maxConnections = 12
)

// An event is sent to the page as a server-sent event:
//
//	hello    the greeting at each connection: everything that the page keeps
//	message  a new message
//	edit     a message with a changed text
//	stream   a new channel, or a thread in which the person plays
//	channel  a channel was renamed, archived, restored or removed
//	paired   a person who waited for an opponent has one
//	person   a person came, changed their name, or left
//	here     how many people are here, if many come and go
//	read     how far the person has read, perhaps in another window
type event struct {
	name string
	data any
}

// bytes encodes the event as in
// https://html.spec.whatwg.org/multipage/server-sent-events.html.
func (e event) bytes() ([]byte, error) {
	data, err := json.Marshal(e.data)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", e.name, data), nil
}

// live holds the connected listeners. Its zero value is ready for use.
type live struct {
	mu        sync.Mutex
	listeners map[string]map[*listener]bool // by person
	count     int                           // connected windows
	peak      int                           // highest count so far
	closed    bool
	counted   func(n int) // if not nil, called with every new count
}

// A listener is one window of one person.
type listener struct {
	person person
	events chan []byte // encoded; closed when the listener is cut off
}

// join adds a listener. It returns nil if the person has too many.
func (l *live) join(p person) *listener {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.listeners[p.ID]) >= maxConnections {
		return nil
	}
	if l.listeners == nil {
		l.listeners = map[string]map[*listener]bool{}
	}
	if l.listeners[p.ID] == nil {
		l.listeners[p.ID] = map[*listener]bool{}
	}
	one := &listener{p, make(chan []byte, backlog)}
	l.listeners[p.ID][one] = true
	l.count++
	l.peak = max(l.peak, l.count)
	l.reportCount()
	return one
}

// reportCount reports the current count.
func (l *live) reportCount() {
	if l.counted != nil {
		l.counted(l.count)
	}
}

// isConnected reports whether a person is connected.
func (l *live) isConnected(person string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.listeners[person]) > 0
}

// isRead reports whether any connected person may read a stream.
func (l *live) isRead(s stream) bool {
	readers := s.readers()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range readers {
		if len(l.listeners[id]) > 0 {
			return true
		}
	}
	return len(readers) == 0 && len(l.listeners) > 0
}

// size returns the number of connected people.
func (l *live) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.listeners)
}

// maxWindows returns the highest number of windows so far.
func (l *live) maxWindows() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.peak
}

func (l *live) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// pickPeople returns up to limit connected people, as they were when they connected.
func (l *live) pickPeople(limit int) (people []person) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, windows := range l.listeners {
		if len(people) == limit {
			break
		}
		for one := range windows {
			people = append(people, one.person)
			break
		}
	}
	return people
}

// removeListener removes a listener.
func (l *live) removeListener(one *listener) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut(one)
}

func (l *live) cut(one *listener) {
	windows := l.listeners[one.person.ID]
	if !windows[one] {
		return
	}
	delete(windows, one)
	if len(windows) == 0 {
		delete(l.listeners, one.person.ID)
	}
	l.count--
	close(one.events)
	l.reportCount()
}

// drop cuts off all of a person's listeners.
func (l *live) drop(person string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for one := range l.listeners[person] {
		l.cut(one)
	}
}

func (l *live) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, windows := range l.listeners {
		for one := range windows {
			l.cut(one)
		}
	}
}

// publish sends an event to everyone connected who may read a stream.
func (l *live) publish(s stream, e event) error { return l.send(e, s.readers()) }

// tell sends an event to one person.
func (l *live) tell(person string, e event) error { return l.send(e, []string{person}) }

// send encodes an event once and sends it to the given people, or to everyone if there are
// none.
func (l *live) send(e event, to []string) error {
	b, err := e.bytes()
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(to) == 0 {
		for _, windows := range l.listeners {
			l.give(b, windows)
		}
	}
	for _, id := range to {
		l.give(b, l.listeners[id])
	}
	return nil
}

func (l *live) give(b []byte, windows map[*listener]bool) {
	for one := range windows {
		select {
		case one.events <- b:
		default:
			l.cut(one)
		}
	}
}
