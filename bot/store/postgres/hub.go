package postgres

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
)

// topic is the channel of NOTIFY. lookAgain and lookPooled set how often every watcher gets the
// hint to look everywhere. gather sets how long hints are collected after a NOTIFY, since each
// wakes all processes. mostText is the limit of a NOTIFY.
const (
	topic      = "rackmate"
	lookAgain  = 5 * time.Second
	lookPooled = time.Second // if LISTEN isn't possible
	gather     = 20 * time.Millisecond
	mostText   = 7500 // bytes
)

// A hub passes hints from this process to all others, and theirs to the watchers here.
type hub struct {
	pool   *pgxpool.Pool
	id     string
	out    chan string
	stop   context.CancelFunc
	all    sync.WaitGroup
	tables store.Watchers[bot.ChannelID]

	mu    sync.Mutex
	notes map[string]*store.Watchers[bot.Hint] // by adapter
}

func newHub(pool *pgxpool.Pool, pooled bool) *hub {
	ctx, stop := context.WithCancel(context.Background())
	h := &hub{pool: pool, id: rand.Text(), out: make(chan string, 1000), stop: stop, notes: map[string]*store.Watchers[bot.Hint]{}}
	every := lookAgain
	h.all.Go(func() { h.send(ctx) })
	if pooled {
		every = lookPooled
	} else {
		listens := make(chan struct{}) // closed once it listens, or can't
		h.all.Go(func() { h.listen(ctx, sync.OnceFunc(func() { close(listens) })) })
		select {
		case <-listens: // hints of other processes would be lost before
		case <-time.After(lookAgain):
		}
	}
	h.all.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				h.notifyAll()
			}
		}
	})
	return h
}

func (h *hub) close() {
	h.stop()
	h.all.Wait()
}

// Watch implements [bot.Store].
func (h *hub) Watch(ctx context.Context, fn func(bot.ChannelID)) error {
	return h.tables.Watch(ctx, fn)
}

func (h *hub) notesOf(adapter string) *store.Watchers[bot.Hint] {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.notes[adapter] == nil {
		h.notes[adapter] = &store.Watchers[bot.Hint]{}
	}
	return h.notes[adapter]
}

// notifyAll tells all watchers here to look everywhere.
func (h *hub) notifyAll() {
	h.tables.Hint("")
	h.mu.Lock()
	all := make([]*store.Watchers[bot.Hint], 0, len(h.notes))
	for _, w := range h.notes {
		all = append(all, w)
	}
	h.mu.Unlock()
	for _, w := range all {
		w.Hint(bot.Hint{})
	}
}

// The first words of hints.
const (
	channelHint = "c"
	textHint    = "t"
)

func (h *hub) hintChannel(ch bot.ChannelID)  { h.tell(channelHint, string(ch)) }
func (h *hub) hintText(adapter, text string) { h.tell(textHint, adapter, text) }

// encodeHint returns a hint as a line of a NOTIFY.
func encodeHint(first string, more ...string) string {
	line := first
	for _, word := range more {
		line += " " + base64.StdEncoding.EncodeToString([]byte(word))
	}
	return line
}

// tell gives a hint to the watchers here, and queues it for the other processes. If too many are
// queued, it is lost to them.
func (h *hub) tell(words ...string) {
	h.notify(words)
	select {
	case h.out <- encodeHint(words[0], words[1:]...):
	default:
	}
}

// notify gives a hint to the watchers here.
func (h *hub) notify(words []string) {
	switch {
	case len(words) == 2 && words[0] == channelHint:
		h.tables.Hint(bot.ChannelID(words[1]))
	case len(words) == 3 && words[0] == textHint:
		h.notesOf(words[1]).Hint(bot.Hint{Text: words[2]})
	}
}

// send collects hints and sends them with NOTIFY.
func (h *hub) send(ctx context.Context) {
	for {
		var line string
		select {
		case <-ctx.Done():
			return
		case line = <-h.out:
		}
		lines, seen := []string{h.id, line}, map[string]bool{line: true}
		size := len(h.id) + len(line)
		for more := true; more && size < mostText; {
			select {
			case line = <-h.out:
				if !seen[line] {
					seen[line] = true
					lines = append(lines, line)
					size += len(line) + 1
				}
			default:
				more = false
			}
		}
		for text := strings.Join(lines, "\n"); text != ""; {
			// A hint that is too long together with others goes alone; one that is too long by
			// itself is lost.
			cut := len(text)
			if cut > mostText {
				cut = max(strings.LastIndexByte(text[:mostText], '\n'), 0)
			}
			if cut <= len(h.id) {
				break
			}
			short, cancel := context.WithTimeout(ctx, time.Second)
			h.pool.Exec(short, "begin; "+unsynced+"; select pg_notify($1, $2); commit", pgx.QueryExecModeSimpleProtocol, topic, text[:cut])
			cancel()
			if text = text[cut:]; text != "" {
				text = h.id + text
			}
		}
		time.Sleep(gather)
	}
}

// listen receives the hints of other processes. When the connection breaks, hints may have been
// lost. It calls begun once it listens, or has failed to.
func (h *hub) listen(ctx context.Context, begun func()) {
	for ctx.Err() == nil {
		h.listenOnce(ctx, begun)
		begun()
		h.notifyAll()
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// listenOnce listens until the connection breaks. It calls begun once it listens.
func (h *hub) listenOnce(ctx context.Context, begun func()) {
	conn, err := h.pool.Acquire(ctx)
	if err != nil {
		return
	}
	line := conn.Hijack() // otherwise closing the pool would wait for it
	defer line.Close(context.Background())
	if _, err := line.Exec(ctx, "listen "+topic); err != nil {
		return
	}
	begun()
	h.notifyAll()
	for {
		n, err := line.WaitForNotification(ctx)
		if err != nil {
			return
		}
		from, lines, _ := strings.Cut(n.Payload, "\n")
		if from == h.id {
			continue
		}
		for text := range strings.SplitSeq(lines, "\n") {
			words := strings.Split(text, " ")
			for i := range words[1:] {
				b, err := base64.StdEncoding.DecodeString(words[i+1])
				if err != nil {
					words = nil
					break
				}
				words[i+1] = string(b)
			}
			h.notify(words)
		}
	}
}
