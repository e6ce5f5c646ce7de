package loops

import (
	"sync"

	"github.com/rackmate/rackmate/bot"
)

// Posted tracks the channels where posts may have been queued recently, here or by another
// process. That includes posts that become deliverable because the one before them in their
// queue is done.
type Posted struct {
	mu         sync.Mutex
	n          int // number of notes so far
	last       map[bot.ChannelID]int
	everywhere int
}

// mostPosted is the maximum number of channels tracked.
const mostPosted = 10_000

// note records a channel, or all channels for "".
func (p *Posted) note(ch bot.ChannelID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	if p.last == nil || ch == "" || len(p.last) > mostPosted {
		p.last, p.everywhere = map[bot.ChannelID]int{}, p.n
	}
	p.last[ch] = p.n
}

// Since returns a function that reports whether posts may have been queued in a channel
// since this call.
func (p *Posted) Since() func(bot.ChannelID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	since := p.n
	return func(ch bot.ChannelID) bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return max(p.last[ch], p.everywhere) > since
	}
}
