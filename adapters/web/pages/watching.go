package pages

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// watching holds the open connections of pages. Its zero value is ready for use.
type watching struct {
	answers *Answers

	mu     sync.Mutex
	of     map[bot.ChannelID]map[chan struct{}]string // the key that each is counted by
	counts map[string]int
	closed bool
}

// maxWatching is the number of pages that one person or network may have open.
const maxWatching = 24

// join adds a page. Its channel receives a value when there may be news, and is closed when
// the page is cut off. The channel is nil if too many pages are open.
func (ws *watching) join(ch bot.ChannelID, counted string) chan struct{} {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.of == nil {
		ws.of, ws.counts = map[bot.ChannelID]map[chan struct{}]string{}, map[string]int{}
	}
	if ws.closed || ws.counts[counted] >= maxWatching {
		return nil
	}
	if ws.of[ch] == nil {
		ws.of[ch] = map[chan struct{}]string{}
	}
	news := make(chan struct{}, 1)
	ws.of[ch][news] = counted
	ws.counts[counted]++
	return news
}

func (ws *watching) removeWatcher(ch bot.ChannelID, news chan struct{}) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	counted, there := ws.of[ch][news]
	if !there {
		return
	}
	delete(ws.of[ch], news)
	if len(ws.of[ch]) == 0 {
		delete(ws.of, ch)
	}
	if ws.counts[counted]--; ws.counts[counted] <= 0 {
		delete(ws.counts, counted)
	}
}

// hint notifies pages that there may be news of a channel's table, or of all tables if ch
// is "".
func (ws *watching) hint(ch bot.ChannelID) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for of, all := range ws.of {
		if ch != "" && of != ch {
			continue
		}
		for news := range all {
			select {
			case news <- struct{}{}:
			default: // the last hint is still unread
			}
		}
	}
}

func (ws *watching) close() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.closed = true
	for _, all := range ws.of {
		for news := range all {
			close(news)
		}
	}
	ws.of, ws.counts = nil, nil
}

// OpenEvents begins a stream of server-sent events. send returns false if the browser has gone: then
// it accepts nothing for the time of two beats.
func OpenEvents(w http.ResponseWriter) (send func([]byte) bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not hold events back
	out := http.NewResponseController(w)
	return func(b []byte) bool {
		_ = out.SetWriteDeadline(time.Now().Add(2 * Beat)) // not every ResponseWriter has deadlines
		_, err := w.Write(b)
		return err == nil && out.Flush() == nil
	}
}

// ErrTooManyWindows refuses another live connection.
var ErrTooManyWindows = &Refusal{http.StatusServiceUnavailable, text.Say("You have too many windows open here. Please close some.")}

// serveEvents sends an event whenever there may be news of a channel's table. A page names the state
// that it has seen; the first event is news unless state returns the same.
func (ws *watching) serveEvents(w http.ResponseWriter, req *http.Request, ch bot.ChannelID, counted string, state func() string) {
	news := ws.join(ch, counted)
	if news == nil {
		ws.answers.Fail(w, req, ErrTooManyWindows)
		return
	}
	defer ws.removeWatcher(ch, news)
	send := OpenEvents(w)
	ticks := time.NewTicker(Beat)
	defer ticks.Stop()
	event := "table"
	if seen := req.FormValue("seen"); seen != "" && seen == state() {
		event = "beat"
	}
	for send([]byte("event: " + event + "\ndata: {}\n\n")) {
		select {
		case <-req.Context().Done():
			return
		case <-ticks.C:
			event = "beat"
		case _, open := <-news:
			if !open {
				return
			}
			event = "table"
		}
	}
}

// Keys finds games' pages by their keys.
type Keys struct {
	Games bot.TablePages // nil if there are none
	Log   *slog.Logger
}

// Find returns the page that a key names.
func (k Keys) Find(ctx context.Context, key string) (bot.Subject, error) {
	if k.Games == nil {
		return bot.Subject{}, errNoPage
	}
	page, err := k.Games.Page(ctx, key)
	if errors.Is(err, bot.ErrNoTable) {
		err = errNoPage
	}
	return page, err
}

// Path returns the path of a table's page, or "" if there are no such pages.
func (k Keys) Path(ctx context.Context, t bot.TableID) (string, error) {
	if k.Games == nil {
		return "", nil
	}
	key, err := k.Games.Key(ctx, t)
	return "/g/" + key, err
}

// anywhere stands for all channels, for pages that show several.
const anywhere = bot.ChannelID("*")

// watch notifies pages of news until ctx is done.
func (k Keys) watch(ctx context.Context, watching *watching) {
	if k.Games == nil {
		return
	}
	hint := func(ch bot.ChannelID) {
		watching.hint(ch)
		watching.hint(anywhere)
	}
	if err := k.Games.Watch(ctx, hint); err != nil && ctx.Err() == nil {
		k.Log.Error("can't watch the tables of pages", "err", err)
	}
}
