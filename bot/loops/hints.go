package loops

import (
	"maps"
	"slices"
	"sync"

	"github.com/rackmate/rackmate/bot"
)

// ownHints tells hints about this process's own commits, which wake the loops anyway, from
// hints about other processes' commits. For each commit a store gives one hint to each watcher,
// usually before Update returns. The zero value is ready for use.
type ownHints struct {
	mu sync.Mutex
	by map[bot.ChannelID]*ownUpdates
}

// ownUpdates describes this process's updates of a channel while at least one of them runs.
type ownUpdates struct {
	running   int
	committed int            // number of updates that have committed and ended
	hints     map[string]int // number of hints about the channel, by loop
}

// begin marks the start of an update of this process.
func (o *ownHints) begin(ch bot.ChannelID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by == nil {
		o.by = map[bot.ChannelID]*ownUpdates{}
	}
	if o.by[ch] == nil {
		o.by[ch] = &ownUpdates{hints: map[string]int{}}
	}
	o.by[ch].running++
}

// end marks the end of an update. It returns the loops that meanwhile got hints about others'
// commits too.
func (o *ownHints) end(ch bot.ChannelID, committed bool) (loops []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	u := o.by[ch]
	if committed {
		u.committed++
	}
	if u.running--; u.running > 0 {
		return nil
	}
	delete(o.by, ch)
	maps.DeleteFunc(u.hints, func(_ string, n int) bool { return n <= u.committed })
	return slices.Sorted(maps.Keys(u.hints))
}

// hear counts a loop's hint about a channel. It reports whether the hint may be about a commit
// of this process; if it isn't, end returns the loop.
func (o *ownHints) hear(loop string, ch bot.ChannelID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	u := o.by[ch]
	if u == nil {
		return false
	}
	u.hints[loop]++
	return u.hints[loop] <= u.committed+u.running
}
