package web

import (
	"net/http"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Watching holds those who look at pages of games. Its zero value is ready.
type watching struct {
	mu     sync.Mutex
	of     map[bot.ChannelID]map[chan struct{}]string // whom each is counted for
	counts map[string]int
	closed bool
}

// maxWatching is how many pages one person, or one address, may have open.
const maxWatching = 24

// join adds a page. Its channel says that there may be news, and is closed when
// it is cut off; it is nil when there are too many.
func (w *watching) join(ch bot.ChannelID, counted string) chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of, w.counts = map[bot.ChannelID]map[chan struct{}]string{}, map[string]int{}
	}
	if w.closed || w.counts[counted] >= maxWatching {
		return nil
	}
	if w.of[ch] == nil {
		w.of[ch] = map[chan struct{}]string{}
	}
	news := make(chan struct{}, 1)
	w.of[ch][news] = counted
	w.counts[counted]++
	return news
}

func (w *watching) part(ch bot.ChannelID, news chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	counted, there := w.of[ch][news]
	if !there {
		return
	}
	delete(w.of[ch], news)
	if len(w.of[ch]) == 0 {
		delete(w.of, ch)
	}
	if w.counts[counted]--; w.counts[counted] <= 0 {
		delete(w.counts, counted)
	}
}

// hint says that there may be news of a channel's table, of all tables where it
// is "".
func (w *watching) hint(ch bot.ChannelID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for of, all := range w.of {
		if ch != "" && of != ch {
			continue
		}
		for news := range all {
			select {
			case news <- struct{}{}:
			default: // it has not looked since the last
			}
		}
	}
}

func (w *watching) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for _, all := range w.of {
		for news := range all {
			close(news)
		}
	}
	w.of, w.counts = nil, nil
}

// tellNews sends an event whenever there may be news of a channel's table.
func (pg *pages) tellNews(w http.ResponseWriter, req *http.Request, ch bot.ChannelID, counted string) {
	news := pg.watching.join(ch, counted)
	if news == nil {
		pg.answers.fail(w, req, &refusal{http.StatusServiceUnavailable, text.Say("You have too many windows open here. Please close some.")})
		return
	}
	defer pg.watching.part(ch, news)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not hold events back
	out := http.NewResponseController(w)
	send := func(event string) bool {
		_ = out.SetWriteDeadline(time.Now().Add(2 * beat)) // not every ResponseWriter has deadlines
		_, err := w.Write([]byte("event: " + event + "\ndata: {}\n\n"))
		return err == nil && out.Flush() == nil
	}
	ticks := time.NewTicker(beat)
	defer ticks.Stop()
	for event := "table"; send(event); {
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
