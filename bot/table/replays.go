package table

import (
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// mostReplays is the number of tables whose states are cached.
const mostReplays = 1000

// Replays caches the latest two states of recently replayed tables, so that replays can
// continue from there. A state is used only for the very events that gave it, at the same
// place in memory, so the cache can't be wrong. The zero value is ready for use, and a nil
// Replays caches nothing.
type Replays struct {
	mu     sync.Mutex
	tables map[bot.TableID]replays
}

type replays struct {
	first         *game.Event
	before, after game.State
}

// Replay returns a table of one of the variants, as its events leave it.
func (r *Replays) Replay(vs Variants, ch bot.ChannelID, id bot.TableID, events []game.Event) (Table, error) {
	t := Table{Channel: ch, ID: id, Events: events, replays: r}
	if len(events) > 0 {
		if opened, ok := events[0].Fact.(game.Opened); ok {
			t.Variant = vs.Of(opened.Rules)
		}
	}
	return t.replay()
}

// replay returns the state after a table's events.
func (r *Replays) replay(id bot.TableID, events []game.Event) (game.State, error) {
	if r == nil || len(events) == 0 {
		return game.Replay(events)
	}
	r.mu.Lock()
	known := r.tables[id]
	r.mu.Unlock()
	if known.first != &events[0] {
		known = replays{}
	}
	var s game.State
	var err error
	switch n := len(events); {
	case known.after.Number == n:
		return known.after, nil
	case known.before.Number == n:
		return known.before, nil
	case known.after.Number > n:
		return game.Replay(events)
	case known.after.Number == 0:
		s, err = game.Replay(events)
	default:
		s, err = known.after.Replay(events[known.after.Number:])
	}
	if err != nil {
		return s, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tables == nil {
		r.tables = map[bot.TableID]replays{}
	}
	r.tables[id] = replays{&events[0], known.after, s}
	for other := range r.tables {
		if len(r.tables) <= mostReplays {
			break
		}
		delete(r.tables, other)
	}
	return s, nil
}
