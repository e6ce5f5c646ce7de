package features_test

import (
	"time"

	"github.com/rackmate/rackmate/bot"
)

// A setTimer identifies a timer before the store has given it a number.
type setTimer struct {
	ch   bot.ChannelID
	kind string
	at   time.Time
}

// promptTimers records when timers were set, and when a process ended, to tell which of them must be
// handled at once. mu of the history guards it.
type promptTimers struct {
	set   map[setTimer]time.Time
	ended time.Time // when the latest process ended
}

// note records the timers of an update.
func (p *promptTimers) note(ch bot.ChannelID, timers []bot.Timer) {
	if p.set == nil {
		p.set = map[setTimer]time.Time{}
	}
	for _, t := range timers {
		p.set[setTimer{ch, t.Kind, t.At.UTC()}] = time.Now()
	}
}

// prompt limits how late a timer may be in the calm if its process lives on.
const prompt = simSkew + 10*time.Second

// watchTimers checks in the calm, until it is over, that timers are handled as soon as they are due,
// unless a process has ended since they were set: the one that set them, or one that had claimed them.
func (h *history) watchTimers(over <-chan struct{}) {
	begin := time.Now()
	tick := time.NewTicker(prompt / 2)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-tick.C:
		}
		now := time.Now()
		due, _, err := h.truth.DueTimers(h.ctx, now.Add(-prompt), 1000)
		if err != nil {
			return // the history is over
		}
		for _, t := range due {
			h.mu.Lock()
			set, ended, damaged := h.prompt.set[setTimer{t.Channel, t.Kind, t.At.UTC()}], h.prompt.ended, h.damaged
			h.mu.Unlock()
			if set.After(begin) && ended.Before(set) && t.Channel != damaged {
				h.fail("timer %d of table %d, kind %q, is %v late, and no process has ended", t.ID, t.Table, t.Kind, now.Sub(t.At))
				return
			}
		}
	}
}
