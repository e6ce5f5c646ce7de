package discordtest

import (
	"strings"
	"sync"
	"time"
)

// A Fault replaces the answers to some requests.
type Fault struct {
	Request string // prefix of method and path
	Times   int    // number of requests; negative: all
	Status  int    // 0: the connection is cut
	Code    int    // Discord's error code
	After   time.Duration
	Global  bool // with 429: the limit applies to the whole bot
	Ban     bool // with 429: it comes from Cloudflare, without JSON
	// Taken means that the request is carried out and only its answer is lost.
	Taken bool
}

// A trouble holds the faults planned for the bot's requests.
type trouble struct {
	cut func() // ends the bot's connections

	mu     sync.Mutex
	faults []*Fault
	death  *death // of the bot, nil if none is planned
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

// fault returns the fault for a request, if any, and counts it.
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

// A death plans when the bot dies.
type death struct {
	left int // remaining requests
	dead chan struct{}
}

// KillAt makes the bot die at its nth request from now on: Discord carries it out, but the
// answer is lost. The bot's connections are cut, and all its requests fail until Revive.
// dead is closed then; a test that runs the bot in its own process must stop it and keep it
// from writing to its store.
func (t *trouble) KillAt(n int) (dead <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.death = &death{n, make(chan struct{})}
	return t.death.dead
}

// Revive lets the bot connect again.
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

// plannedDeath returns the planned death of the bot, or nil if none is planned.
func (t *trouble) plannedDeath() *death {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.death
}

// dies counts a request that was carried out, and reports whether it killed the bot.
// meant is the death planned when the request came; no other one counts it.
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
