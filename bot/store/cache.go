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

// cacheSize limits the cached events, in bytes as stored.
const cacheSize = 24 << 20

// A Cache decodes stored events, and keeps the most recent tables in memory, since decoding an
// event takes far longer than comparing its bytes. It is always checked against the stored data.
// The zero value is ready for use.
type Cache struct {
	mu     sync.Mutex
	tables map[bot.TableID]Log
	size   int
	since  int // the version since which logs have only grown
}

// A Log is the cached events of a table. Events are only ever appended: a caller that reads a table
// again gets the same slice elements, and can recognize them by their addresses.
type Log struct {
	data    [][]byte
	events  []game.Event
	size    int
	version int // version of the store that had them
}

// Events decodes the first events of a table, from number 0. It doesn't keep data. The caller must
// not modify the result.
func (c *Cache) Events(table bot.TableID, data [][]byte) ([]game.Event, error) {
	return c.compare(table, 0, data)
}

// Extend decodes the first n events of a table like Events. version is the version of the
// store; it tells whether the table may have changed other than by growing (see [Cache.Doubt]).
// If it can't have, Extend compares only the last cached event and decodes those behind it.
// rows returns the data of the first n events from a number on.
func (c *Cache) Extend(table bot.TableID, version, n int, rows func(from int) ([][]byte, error)) ([]game.Event, error) {
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

// Doubt records that logs may have changed in a version other than by growing: those cached up to
// that version are compared as a whole.
func (c *Cache) Doubt(version int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since = max(c.since, version+1)
}

// CachedLog returns the cached log of a table, for a store that reads only the events behind it; see
// [Cache.DecodeBehind].
func (c *Cache) CachedLog(table bot.TableID) Log {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tables[table]
}

// Forget drops a table from the cache.
func (c *Cache) Forget(table bot.TableID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size -= c.tables[table].size
	delete(c.tables, table)
}

// Last returns the number of the last cached event among the first n, or 0 if there is none.
func (l Log) Last(n int) int { return max(min(len(l.data), n)-1, 0) }

// Version returns the version of the store or the table that had it.
func (l Log) Version() int { return l.version }

// DecodeBehind returns a table's events: those before number from are in known, and data has the
// others as stored. known may have some of the others too. If it lacks earlier ones, or has
// another event than data at from, it is outdated and ok is false.
func (c *Cache) DecodeBehind(table bot.TableID, version int, known Log, from int, data [][]byte) (events []game.Event, ok bool, err error) {
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

// compare finds the cached ones among a table's first events, and decodes the others.
func (c *Cache) compare(table bot.TableID, version int, data [][]byte) ([]game.Event, error) {
	events, _, err := c.DecodeBehind(table, version, c.CachedLog(table), 0, data)
	return events, err
}

// read decodes the events behind the first same, which are cached.
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

// keep caches a table's events, the first same of known and more, and evicts other tables if the
// cache is full.
func (c *Cache) keep(table bot.TableID, known Log, same int, more Log) []game.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tables == nil {
		c.tables = map[bot.TableID]Log{}
	}
	was := c.tables[table]
	now := known.first(same)
	if same > 0 && len(was.events) > 0 && &was.events[0] == &known.events[0] {
		// Another caller may have read more of them meanwhile.
		for len(more.data) > 0 && same < len(was.data) && bytes.Equal(was.data[same], more.data[0]) {
			same, more.data, more.events = same+1, more.data[1:], more.events[1:]
		}
		switch {
		case same == len(was.events):
			now = was // nobody has the events behind them
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

// first returns a log of only the first n events.
func (l Log) first(n int) Log {
	return Log{data: slices.Clip(l.data[:n]), events: slices.Clip(l.events[:n]), size: l.size - sizeOf(l.data[n:])}
}

func sizeOf(data [][]byte) (n int) {
	for _, d := range data {
		n += len(d)
	}
	return n
}

// TileSet returns the tile set of a table, which its first event has.
func TileSet(events []game.Event) *game.TileSet {
	if len(events) == 0 {
		return nil
	}
	opened, _ := events[0].Fact.(game.Opened)
	return opened.Equipment.Tiles
}
