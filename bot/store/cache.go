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
	tables map[bot.TableID]Log
	size   int
	since  int // the version from which on logs have only grown
}

// A Log is what was read of a table. Events are only ever added behind those that
// somebody has: whoever reads a table again gets the same ones, and can tell by
// where they are that they are the same.
type Log struct {
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
// rows are the data of the first n events, from a number on: all of them.
func (c *Cache) Grown(table bot.TableID, version, n int, rows func(from int) ([][]byte, error)) ([]game.Event, error) {
	all := func(from int) ([][]byte, error) {
		data, err := rows(from)
		if err == nil && len(data) != n-from {
			err = fmt.Errorf("table %d has %d events, not %d", table, from+len(data), n)
		}
		return data, err
	}
	c.mu.Lock()
	known, since := c.tables[table], c.since
	c.mu.Unlock()
	if last := min(n, len(known.data)) - 1; last >= 0 && min(known.version, version) >= since {
		switch data, err := all(last); {
		case err != nil:
			return nil, err
		case !bytes.Equal(known.data[last], data[0]):
		case len(data) == 1:
			return known.events[:n:n], nil
		default:
			return c.read(table, version, known, last+1, data[1:])
		}
	}
	data, err := all(0)
	if err != nil {
		return nil, err
	}
	return c.compare(table, version, data)
}

// Doubt says that logs have changed in a version, or may have, other than by growing:
// those that were read up to that version are compared whole.
func (c *Cache) Doubt(version int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since = max(c.since, version+1)
}

// Known is what is known of a table, for a store that looks only for what comes behind
// it; see [Cache.Behind].
func (c *Cache) Known(table bot.TableID) Log {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tables[table]
}

// Forget forgets a table.
func (c *Cache) Forget(table bot.TableID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size -= c.tables[table].size
	delete(c.tables, table)
}

// Last is the number of the last event that is known of the first n, 0 where there is
// none.
func (l Log) Last(n int) int { return max(min(len(l.data), n)-1, 0) }

// Version is that of the store, or of the table, that had it.
func (l Log) Version() int { return l.version }

// Behind reads a table's events of which data are those from a number on, and known has
// those before it. Where known has the first of data too and it isn't the same, or it
// is missing, then known isn't what the table has: ok is false.
func (c *Cache) Behind(table bot.TableID, version int, known Log, from int, data [][]byte) (events []game.Event, ok bool, err error) {
	same := from
	for same < len(known.data) && len(data) > 0 && bytes.Equal(known.data[same], data[0]) {
		same, data = same+1, data[1:]
	}
	switch {
	case from > len(known.data), same == from && 0 < from && from < len(known.data):
		return nil, false, nil
	case same+len(data) == 0:
		return nil, true, nil
	}
	events, err = c.read(table, version, known, same, data)
	return events, err == nil, err
}

// compare finds out which of a table's first events are known, and reads the others.
func (c *Cache) compare(table bot.TableID, version int, data [][]byte) ([]game.Event, error) {
	events, _, err := c.Behind(table, version, c.Known(table), 0, data)
	return events, err
}

// read reads the events behind the first same, which are known.
func (c *Cache) read(table bot.TableID, version int, known Log, same int, data [][]byte) ([]game.Event, error) {
	if len(data) == 0 && (same < len(known.data) || version <= known.version) {
		return known.events[:same:same], nil
	}
	more := Log{version: version}
	for i, d := range data {
		set := TileSet(known.events[:same])
		if same == 0 {
			set = TileSet(more.events)
		}
		e, err := record.UnmarshalEvent(set, d)
		if err != nil {
			return nil, fmt.Errorf("read table %d, event %d: %w: %w", table, same+i, bot.ErrUnreadable, err)
		}
		more.data, more.events = append(more.data, bytes.Clone(d)), append(more.events, e)
	}
	return c.keep(table, known, same, more), nil
}

// keep remembers a table's events, the first same that were known and more, and
// forgets those of some others when there are too many.
func (c *Cache) keep(table bot.TableID, known Log, same int, more Log) []game.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tables == nil {
		c.tables = map[bot.TableID]Log{}
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
	now = Log{data: append(now.data, more.data...), events: append(now.events, more.events...), size: now.size + sizeOf(more.data), version: more.version}
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
func (l Log) first(n int) Log {
	return Log{data: slices.Clip(l.data[:n]), events: slices.Clip(l.events[:n]), size: l.size - sizeOf(l.data[n:])}
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
