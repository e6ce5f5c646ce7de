package web

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// mostShown is how many lines are shown at most that another process wrote
// since somebody here last looked.
const mostShown = 20

// listeners are those who listen here, and what they are told: all that is said,
// once and in its order, and what other processes tell.
type listeners struct {
	notes   bot.Notes
	now     func() time.Time
	log     *slog.Logger
	live    live
	crowd   crowd
	process string // this one's name for the others

	// posting is held while lines are shown, so that listeners hear of them in
	// their order; shown are the numbers of the last of them.
	posting sync.Mutex
	shown   map[stream]uint64

	streams *streams // which there are
}

// follows has the channels that there are shown from their next lines on: whoever comes
// is greeted with what was there before. So of a stream that isn't known later all is new.
func (ls *listeners) follows(ctx context.Context, streams *streams) error {
	ls.streams = streams
	all, err := streams.channels(ctx)
	if err != nil {
		return err
	}
	return ls.heed(ctx, all...)
}

// heedDirects does so with the conversations of somebody who is about to listen.
func (ls *listeners) heedDirects(ctx context.Context, who person) error {
	all, err := ls.streams.directs(ctx, who)
	if err != nil {
		return err
	}
	return ls.heed(ctx, all...)
}

// inOrder does something that no line is shown beside.
func (ls *listeners) inOrder(do func() error) error {
	ls.posting.Lock()
	defer ls.posting.Unlock()
	return do()
}

// show shows the lines of a stream to those who listen here, in their order, up
// to a number and each once: those that other processes wrote too. line is the
// last of them, nil where it is to be read.
func (ls *listeners) show(ctx context.Context, s stream, through uint64, line []byte) error {
	ls.posting.Lock()
	defer ls.posting.Unlock()
	last := ls.shown[s] // 0 of one that began since
	if through <= last {
		return nil
	}
	if !ls.live.reads(s) {
		ls.shown[s] = through // whoever comes later is greeted with it
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

// heed has the lines of streams that aren't known yet shown from the next one on.
func (ls *listeners) heed(ctx context.Context, all ...stream) error {
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

// mostAsked is how many of those who listen are asked about in each look everywhere, for
// conversations that began since.
const mostAsked = 20

// everywhere are the streams that somebody here reads.
func (ls *listeners) everywhere(ctx context.Context) (all map[stream]bool, err error) {
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
	for _, who := range ls.live.some(mostAsked) {
		directs, err1 := ls.streams.directs(ctx, who)
		err = errors.Join(err, err1)
		for _, s := range directs {
			all[s] = true
		}
	}
	// Whoever comes later is greeted with what was missed.
	maps.DeleteFunc(all, func(s stream, _ bool) bool { return !ls.live.reads(s) })
	return all, err
}

// A broadcast is what the processes tell each other: an event, or that a stream has
// another line.
type broadcast struct {
	From   string          `json:"from"` // the process
	Stream stream          `json:"stream,omitempty"`
	Person string          `json:"person,omitempty"` // or to this person alone
	Name   string          `json:"name"`
	Data   json.RawMessage `json:"data"`
}

// Broadcasts that aren't events for the page.
const (
	dropped    = "dropped" // a person's connections end
	addedEvent = "added"   // a stream has another line; its data is the number
)

// publish tells an event to everybody who may read a stream, in all processes.
func (ls *listeners) publish(s stream, e event) {
	if err := ls.live.publish(s, e); err != nil {
		ls.log.Error("web event", "event", e.name, "err", err)
	}
	ls.broadcast(broadcast{Stream: s, Name: e.name}, e.data)
}

// tell tells an event to one person, in all processes.
func (ls *listeners) tell(person string, e event) {
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
		ls.log.Warn("other processes weren't told", "event", b.Name, "err", err)
	}
}

// follow shows what other processes on the same notes write to those who listen
// here, until ctx is done.
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
			ls.hear(h.Text, news)
		})
		if err != nil {
			ls.log.Error("can't watch what other processes write", "err", err)
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
			read, err := ls.everywhere(ctx)
			if err != nil && ctx.Err() == nil {
				ls.log.Error("can't look for what other processes wrote", "err", err)
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
				ls.log.Error("can't show what another process wrote", "stream", s, "err", err)
			}
		}
	}
}

// news are what others have written since it was looked at.
type news struct {
	wake chan struct{} // has room for one who says that there are some

	mu         sync.Mutex
	lines      map[stream]uint64 // the numbers of the latest, 0 where they aren't known
	everywhere bool              // there may be some in any stream
}

// add notes that a stream has a line of a number; without a stream any may have one.
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

// hear passes on what another process told.
func (ls *listeners) hear(text string, news *news) {
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
		err = ls.crowd.hear(b.From, b.Data, time.Now())
	case b.Person != "":
		err = ls.live.tell(b.Person, e)
	default:
		err = ls.live.publish(b.Stream, e)
	}
	if err != nil {
		ls.log.Error("web event", "event", b.Name, "err", err)
	}
}
