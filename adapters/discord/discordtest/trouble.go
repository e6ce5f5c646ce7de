package discordtest

import (
	"strings"
	"sync"
	"time"
)

// A Fault is what some requests get instead of an answer.
type Fault struct {
	Request string // method and path begin so
	Times   int    // how many get it; negative: all
	Status  int    // 0: the connection is cut
	Code    int    // Discord's error code
	After   time.Duration
	Global  bool // with 429: the limit is the bot's
	Ban     bool // with 429: it is Cloudflare's, and no JSON
	// Taken means that the request is carried out, and only its answer lost.
	Taken bool
}

// Trouble is what a test has meant for the bot's requests.
type trouble struct {
	cut func() // ends the bot's connections

	mu     sync.Mutex
	faults []*Fault
	death  *death // of the bot, nil while none is meant
}

// Fail makes requests fail from now on.
func (t *trouble) Fail(f Fault) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, &f)
}

// Pass ends all faults.
func (t *trouble) Pass() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = nil
}

// fault finds the fault that a request gets, if any.
func (t *trouble) fault(request string) *Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.faults {
		if f.Times != 0 && strings.HasPrefix(request, f.Request) {
			f.Times--
			return f
		}
	}
	return nil
}

// A death is when the bot dies.
type death struct {
	left int // requests until then
	dead chan struct{}
}

// KillAt has the bot die at its nth request from now on: Discord carries that one
// out, and the answer is lost. Its connections are cut, and nothing comes from it any
// more, until Revive lets another process in. dead is closed then; a test that has
// the bot in its own process stops it there, and keeps it from writing to its store.
func (t *trouble) KillAt(n int) (dead <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.death = &death{n, make(chan struct{})}
	return t.death.dead
}

// Revive lets the bot live again.
func (t *trouble) Revive() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.death = nil
}

// Dead reports whether the bot has died.
func (t *trouble) Dead() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.death != nil && t.death.left <= 0
}

// meant is the death that is meant for the bot, nil where none is.
func (t *trouble) meant() *death {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.death
}

// dies counts a request that was carried out, and reports whether the bot died of it. What
// was meant when the request came tells whether it counts.
func (t *trouble) dies(meant *death) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.death == nil {
		return false
	}
	if t.death == meant {
		if t.death.left--; t.death.left == 0 {
			close(t.death.dead)
			go t.cut()
		}
	}
	return t.death.left <= 0
}
