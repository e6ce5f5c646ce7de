package table

import (
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// mostReplays is how many tables' states are remembered.
const mostReplays = 1000

// Replays remembers the latest two states of the tables that were replayed last, so
// that those are replayed from there on. It is never the truth: a state is taken for
// the very events that gave it, which lie where they did, and for no others. Its
// zero value is ready, and a nil one remembers nothing.
type Replays struct {
	mu     sync.Mutex
	tables map[bot.TableID]replays
}

type replays struct {
	first         *game.Event
	before, after game.State
}

// Replay is a table of one of the variants, as its events leave it.
func (r *Replays) Replay(vs Variants, ch bot.ChannelID, id bot.TableID, events []game.Event) (Table, error) {
	t := Table{Channel: ch, ID: id, Events: events, replays: r}
	if len(events) > 0 {
		if opened, ok := events[0].Fact.(game.Opened); ok {
			t.Variant = vs.Of(opened.Rules)
		}
	}
	return t.Replayed()
}

// replay is the state after the events of a table.
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
