package web

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// mostShown limits how many lines of another process are shown at once.
const mostShown = 20

// listeners delivers each stream's lines to the people connected to this process, once and
// in order, and exchanges events with other processes.
type listeners struct {
	notes   bot.Notes
	now     func() time.Time
	log     *slog.Logger
	live    live
	crowd   crowd
	process string // this process's name for the others

	// posting is held while lines are shown, so that listeners get them in order. shown
	// holds the number of the last line shown for each stream.
	posting sync.Mutex
	shown   map[stream]uint64

	streams *streams // to find the existing streams
}

// newBuckets returns buckets whose rate all processes share: rate tokens a second, and up
// to burst at once.
func (ls *listeners) newBuckets(rate, burst float64) *pages.Buckets {
	b := pages.NewBuckets(ls.now, rate, burst)
	b.Shared = func() int { return ls.crowd.processes(ls.now()) }
	return b
}

// followExisting shows the existing channels from their next lines on, since the greeting of a
// new connection includes earlier ones. If a stream becomes known later, all its lines
// are new.
func (ls *listeners) followExisting(ctx context.Context, streams *streams) error {
	ls.streams = streams
	all, err := streams.channels(ctx)
	if err != nil {
		return err
	}
	return ls.markExisting(ctx, all...)
}

// markDirects does the same for the conversations of a person who is about to connect.
func (ls *listeners) markDirects(ctx context.Context, who person) error {
	all, err := ls.streams.directs(ctx, who)
	if err != nil {
		return err
	}
	return ls.markExisting(ctx, all...)
}

// betweenLines runs do while no line is shown.
func (ls *listeners) betweenLines(do func() error) error {
	ls.posting.Lock()
	defer ls.posting.Unlock()
	return do()
}

// show shows a stream's lines up to a number to this process's listeners, in order and each
// once, including lines of other processes. line is the last of them; if it is nil,
// show reads it.
func (ls *listeners) show(ctx context.Context, s stream, through uint64, line []byte) error {
	ls.posting.Lock()
	defer ls.posting.Unlock()
	last := ls.shown[s] // 0 if the stream began since
	if through <= last {
		return nil
	}
	if !ls.live.isRead(s) {
		ls.shown[s] = through // later connections are greeted with it
		return nil
	}
	lines := []notes.Entry{{Number: through, Data: line}}
	if line == nil || through > last+1 {
		var err error
		if lines, err = s.log().Read(ctx, ls.notes, through+1, int(min(through-last, mostShown))); err != nil {
			return err
		}
	}
	for _, l := range lines {
		var said storedLine
		if err := json.Unmarshal(l.Data, &said); err != nil {
			return err
		}
		e, tell := event{"message", said.message(s, l.Number)}, ls.live.publish
		if said.Only != "" {
			tell = func(_ stream, e event) error { return ls.live.tell(said.Only, e) }
		}
		if err := tell(s, e); err != nil {
			return err
		}
	}
	ls.shown[s] = through
	return nil
}

// markExisting marks the existing lines of unknown streams as shown, so that the next one is shown.
func (ls *listeners) markExisting(ctx context.Context, all ...stream) error {
	ls.posting.Lock()
	defer ls.posting.Unlock()
	for _, s := range all {
		if _, known := ls.shown[s]; known {
			continue
		}
		n, err := ls.last(ctx, s)
		if err != nil {
			return err
		}
		ls.shown[s] = n
	}
	return nil
}

// mostAsked limits how many people's conversations each call of allStreams reads, to find
// new ones.
const mostAsked = 20

// allStreams returns the streams that have listeners here.
func (ls *listeners) allStreams(ctx context.Context) (all map[stream]bool, err error) {
	all = map[stream]bool{}
	ls.posting.Lock()
	for s := range ls.shown {
		all[s] = true
	}
	ls.posting.Unlock()
	channels, err := ls.streams.channels(ctx)
	for _, s := range channels {
		all[s] = true
	}
	for _, who := range ls.live.pickPeople(mostAsked) {
		directs, err1 := ls.streams.directs(ctx, who)
		err = errors.Join(err, err1)
		for _, s := range directs {
			all[s] = true
		}
	}
	// Later connections are greeted with what they missed.
	maps.DeleteFunc(all, func(s stream, _ bool) bool { return !ls.live.isRead(s) })
	return all, err
}

// A broadcast is a message between processes: an event, or the news that a stream has
// another line.
type broadcast struct {
	From   string          `json:"from"` // sending process
	Stream stream          `json:"stream,omitempty"`
	Person string          `json:"person,omitempty"` // the only recipient, if set
	Name   string          `json:"name"`
	Data   json.RawMessage `json:"data"`
}

// Broadcasts that aren't sent on to the page.
const (
	dropped    = "dropped" // closes a person's connections
	addedEvent = "added"   // a stream has another line; data holds the line's number
)

// publish sends an event to everyone who may read a stream, in all processes.
func (ls *listeners) publish(s stream, name string, data any) {
	e := event{name, data}
	if err := ls.live.publish(s, e); err != nil {
		ls.log.Error("web event", "event", e.name, "err", err)
	}
	ls.broadcast(broadcast{Stream: s, Name: e.name}, e.data)
}

// tell sends an event to one person, in all processes.
func (ls *listeners) tell(person string, name string, data any) {
	e := event{name, data}
	if err := ls.live.tell(person, e); err != nil {
		ls.log.Error("web event", "event", e.name, "err", err)
	}
	ls.broadcast(broadcast{Person: person, Name: e.name}, e.data)
}

func (ls *listeners) broadcast(b broadcast, data any) {
	raw, err := json.Marshal(data)
	if err != nil {
		ls.log.Error("web event", "event", b.Name, "err", err)
		return
	}
	b.From, b.Data = ls.process, raw
	text, err := json.Marshal(b)
	if err == nil {
		err = ls.notes.Tell(context.Background(), string(text))
	}
	if err != nil {
		ls.log.Warn("can't inform other processes", "event", b.Name, "err", err)
	}
}

// follow shows the lines of other processes to the listeners of this one, until ctx is
// done.
func (ls *listeners) follow(ctx context.Context) error {
	news := &news{wake: make(chan struct{}, 1), lines: map[stream]uint64{}}
	var watching sync.WaitGroup
	defer watching.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	watching.Go(func() {
		err := ls.notes.Watch(ctx, func(h bot.Hint) {
			if h.Text == "" {
				news.add("", 0)
				return
			}
			ls.deliverBroadcast(h.Text, news)
		})
		if err != nil {
			ls.log.Error("can't watch other processes' changes", "err", err)
		}
	})
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-news.wake:
		}
		look, all := news.take()
		if all {
			ls.tellPresent()
			read, err := ls.allStreams(ctx)
			if err != nil && ctx.Err() == nil {
				ls.log.Error("can't poll for other processes' changes", "err", err)
			}
			for s := range read {
				look[s] = 0
			}
		}
		for s, n := range look {
			var err error
			if n == 0 {
				n, err = ls.last(ctx, s)
			}
			if err == nil && n > 0 {
				err = ls.show(ctx, s, n, nil)
			}
			if err != nil && ctx.Err() == nil {
				ls.log.Error("can't show another process's changes", "stream", s, "err", err)
			}
		}
	}
}

// news collects the lines and events of other processes since the last call of take.
type news struct {
	wake chan struct{} // buffered, so that one signal can wait

	mu         sync.Mutex
	lines      map[stream]uint64 // numbers of the latest lines; 0 if unknown
	everywhere bool              // whether any stream may have new lines
}

// add records that a stream has a line with a number. Without a stream, any stream may have
// new lines.
func (n *news) add(s stream, number uint64) {
	n.mu.Lock()
	if s == "" {
		n.everywhere = true
	} else {
		n.lines[s] = max(n.lines[s], number)
	}
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

func (n *news) take() (lines map[stream]uint64, everywhere bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	lines, everywhere = n.lines, n.everywhere
	n.lines, n.everywhere = map[stream]uint64{}, false
	return lines, everywhere
}

// deliverBroadcast delivers another process's broadcast.
func (ls *listeners) deliverBroadcast(text string, news *news) {
	var b broadcast
	if err := json.Unmarshal([]byte(text), &b); err != nil || b.From == ls.process {
		return
	}
	switch b.Name {
	case dropped:
		ls.live.drop(b.Person)
		return
	case addedEvent:
		var n uint64
		if json.Unmarshal(b.Data, &n) == nil {
			news.add(b.Stream, n)
		}
		return
	}
	e := event{b.Name, b.Data}
	var err error
	switch {
	case b.Name == presentEvent:
		err = ls.crowd.hear(b.From, b.Data, ls.now())
	case b.Person != "":
		err = ls.live.tell(b.Person, e)
	default:
		err = ls.live.publish(b.Stream, e)
	}
	if err != nil {
		ls.log.Error("web event", "event", b.Name, "err", err)
	}
}

// sendEvents sends events to a listener until it disconnects or is cut off.
func (ls *listeners) sendEvents(w http.ResponseWriter, req *http.Request, me *listener, first []byte) {
	send := pages.OpenEvents(w)
	if !send(append(ls.retryDelay(), first...)) {
		return
	}
	ticks := time.NewTicker(pages.Beat)
	defer ticks.Stop()
	for {
		select {
		case <-req.Context().Done():
			return
		case <-ticks.C:
			if !send(append(ls.retryDelay(), "event: beat\ndata: {}\n\n"...)) {
				return
			}
		case b, ok := <-me.events:
			if !ok {
				send(append(ls.retryDelay(), '\n'))
				return
			}
			if !send(b) {
				return
			}
		}
	}
}

// drop closes a person's connections to all processes.
func (ls *listeners) drop(person string) {
	ls.live.drop(person)
	ls.broadcast(broadcast{Person: person, Name: dropped}, nil)
}
