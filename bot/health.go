package bot

import (
	"sync"
	"time"
)

// A Health says how an adapter's line to its platform is, for the operator.
type Health struct {
	// Up says that what people do there arrives.
	Up bool
	// Since is when that last changed: the zero time where it never was up.
	Since time.Time
	// Trouble is what is wrong, whether it is up or not; "" where nothing is.
	Trouble string
	// Warning is what the operator should know while all works; "" for nothing.
	Warning string
}

// A Reporter is an [Adapter] that knows its health.
type Reporter interface{ Health() Health }

// A Pulse keeps an adapter's health. The zero value is that of a line that was
// never up. It is safe for concurrent use.
type Pulse struct {
	mu      sync.Mutex
	health  Health
	refused string // trouble with what is sent, which the line doesn't know of
}

// Beat says that the line is up.
func (p *Pulse) Beat(now time.Time) { p.set(now, true, "") }

// Miss says that the line is down, and why.
func (p *Pulse) Miss(now time.Time, trouble string) { p.set(now, false, trouble) }

func (p *Pulse) set(now time.Time, up bool, trouble string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.health.Up != up {
		p.health.Since = now
	}
	p.health.Up, p.health.Trouble = up, trouble
}

// Refuse says that the platform refuses what is sent, for a reason that the
// operator can mend; "" that it doesn't any more.
func (p *Pulse) Refuse(trouble string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = trouble
}

// Health is how things are.
func (p *Pulse) Health() Health {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.health
	if h.Trouble == "" {
		h.Trouble = p.refused
	}
	return h
}
