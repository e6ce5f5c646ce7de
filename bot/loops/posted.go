package loops

import (
	"sync"

	"github.com/rackmate/rackmate/bot"
)

// Posted knows where posts may have been queued of late, here or by another process:
// the end of a post before them in their lane is when they can be delivered.
type Posted struct {
	mu         sync.Mutex
	n          int // how many notes there were
	last       map[bot.ChannelID]int
	everywhere int
}

// mostPosted bounds the channels that are known.
const mostPosted = 10_000

// note notes a channel, or with "" all.
func (p *Posted) note(ch bot.ChannelID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	if p.last == nil || ch == "" || len(p.last) > mostPosted {
		p.last, p.everywhere = map[bot.ChannelID]int{}, p.n
	}
	p.last[ch] = p.n
}

// Since tells where posts may have been queued from now on.
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
