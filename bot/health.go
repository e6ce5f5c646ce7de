package bot

import "sync"

// A Health describes an adapter's connection to its platform, for the operator.
type Health struct {
	// Up is whether messages from people there arrive.
	Up bool
	// Trouble is the current problem, whether Up or not; "" if there is none.
	Trouble string
	// Warning is what the operator should know although everything works; "" for nothing.
	Warning string
}

// A Reporter is an [Adapter] that knows its health.
type Reporter interface{ Health() Health }

// A Pulse tracks an adapter's health. The zero value is that of a connection that was never up. It
// is safe for concurrent use.
type Pulse struct {
	mu      sync.Mutex
	health  Health
	refused string // a problem with sending, which the connection doesn't show
}

// Beat records that the connection is up.
func (p *Pulse) Beat() { p.set(true, "") }

// Miss records that the connection is down, and why.
func (p *Pulse) Miss(trouble string) { p.set(false, trouble) }

func (p *Pulse) set(up bool, trouble string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.health.Up, p.health.Trouble = up, trouble
}

// Refuse records that the platform rejects what is sent, for a reason that the operator can fix; ""
// clears it.
func (p *Pulse) Refuse(trouble string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = trouble
}

// Health returns the current health.
func (p *Pulse) Health() Health {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.health
	if h.Trouble == "" {
		h.Trouble = p.refused
	}
	return h
}
