package store

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// cacheSize is how many bytes of stored events a cache remembers what they say.
const cacheSize = 24 << 20

// A Cache reads stored events, and remembers what those of the tables read last
// say: reading one takes far longer than comparing its bytes. It is never the
// truth, for what is stored is compared with what was read. Its zero value is
// ready.
type Cache struct {
	mu     sync.Mutex
	tables map[bot.TableID]log
	size   int
	since  int // the version from which on logs have only grown
}

// A log is what was read of a table. Events are only ever added behind those that
// somebody has: whoever reads a table again gets the same ones, and can tell by
// where they are that they are the same.
type log struct {
	data    [][]byte
	events  []game.Event
	size    int
	version int // of the store that had them
}

// Events reads the first events of a table, from number 0. It keeps nothing of
// the data. What it returns is not to be changed.
func (c *Cache) Events(table bot.TableID, data [][]byte) ([]game.Event, error) {
	return c.compare(table, 0, data)
}

// Grown reads the first n events of a table as Events does. The store has versions,
// by which it tells when a log has done anything but grow; see [Cache.Doubt]. Where it
// hasn't, the last one that is known is compared alone, and those behind it are read.
// rows are the data of the first n events, from a number on.
func (c *Cache) Grown(table bot.TableID, version, n int, rows func(from int) [][]byte) ([]game.Event, error) {
	c.mu.Lock()
	known, since := c.tables[table], c.since
	c.mu.Unlock()
	if last := min(n, len(known.data)) - 1; last >= 0 && min(known.version, version) >= since {
		switch data := rows(last); {
		case len(data) == 0 || !bytes.Equal(known.data[last], data[0]):
		case len(data) == 1:
			return known.events[:n:n], nil
		default:
			return c.read(table, version, known, last+1, data[1:])
		}
	}
	return c.compare(table, version, rows(0))
}

// Doubt says that logs have changed in a version, or may have, other than by growing:
// those that were read up to that version are compared whole.
func (c *Cache) Doubt(version int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since = max(c.since, version+1)
}

// compare finds out which of a table's first events are known, and reads the others.
func (c *Cache) compare(table bot.TableID, version int, data [][]byte) ([]game.Event, error) {
	if len(data) == 0 {
		return nil, nil
	}
	c.mu.Lock()
	known := c.tables[table]
	c.mu.Unlock()
	same := 0
	for same < min(len(known.data), len(data)) && bytes.Equal(known.data[same], data[same]) {
		same++
	}
	return c.read(table, version, known, same, data[same:])
}

// read reads the events behind the first same, which are known.
func (c *Cache) read(table bot.TableID, version int, known log, same int, data [][]byte) ([]game.Event, error) {
	if len(data) == 0 && (same < len(known.data) || version <= known.version) {
		return known.events[:same:same], nil
	}
	more := log{version: version}
	for i, d := range data {
		set := TileSet(known.events[:same])
		if same == 0 {
			set = TileSet(more.events)
		}
		e, err := record.UnmarshalEvent(set, d)
		if err != nil {
			return nil, fmt.Errorf("read table %d, event %d: %w", table, same+i, err)
		}
		more.data, more.events = append(more.data, bytes.Clone(d)), append(more.events, e)
	}
	return c.keep(table, known, same, more), nil
}

// keep remembers a table's events, the first same that were known and more, and
// forgets those of some others when there are too many.
func (c *Cache) keep(table bot.TableID, known log, same int, more log) []game.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tables == nil {
		c.tables = map[bot.TableID]log{}
	}
	was := c.tables[table]
	now := known.first(same)
	if same > 0 && len(was.events) > 0 && &was.events[0] == &known.events[0] {
		// Somebody else may have read more of them meanwhile.
		for len(more.data) > 0 && same < len(was.data) && bytes.Equal(was.data[same], more.data[0]) {
			same, more.data, more.events = same+1, more.data[1:], more.events[1:]
		}
		switch {
		case same == len(was.events):
			now = was // nobody has what comes behind them
		case len(more.data) == 0:
			return was.events[:same:same]
		default:
			now = was.first(same)
		}
	}
	now = log{data: append(now.data, more.data...), events: append(now.events, more.events...), size: now.size + sizeOf(more.data), version: more.version}
	c.size += now.size - was.size
	c.tables[table] = now
	for other, l := range c.tables {
		if c.size <= cacheSize {
			break
		}
		c.size -= l.size
		delete(c.tables, other)
	}
	return slices.Clip(now.events)
}

// first is a log without what comes behind the first n events.
func (l log) first(n int) log {
	return log{data: slices.Clip(l.data[:n]), events: slices.Clip(l.events[:n]), size: l.size - sizeOf(l.data[n:])}
}

func sizeOf(data [][]byte) (n int) {
	for _, d := range data {
		n += len(d)
	}
	return n
}

// TileSet is what a table's tiles are written with; its first event has it.
func TileSet(events []game.Event) *game.TileSet {
	if len(events) == 0 {
		return nil
	}
	opened, _ := events[0].Fact.(game.Opened)
	return opened.Equipment.Tiles
}
