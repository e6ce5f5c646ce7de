package store

import (
	"bytes"
	"fmt"
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
	tables map[bot.TableID][]read
	size   int
}

type read struct {
	data  []byte
	event game.Event
}

// Events reads the first events of a table, from number 0. It keeps nothing of
// the data.
func (c *Cache) Events(table bot.TableID, data [][]byte) ([]game.Event, error) {
	if len(data) == 0 {
		return nil, nil
	}
	c.mu.Lock()
	known := c.tables[table]
	c.mu.Unlock()
	list := make([]game.Event, 0, len(data))
	same := 0
	for same < min(len(known), len(data)) && bytes.Equal(known[same].data, data[same]) {
		list = append(list, known[same].event)
		same++
	}
	if same == len(data) {
		return list, nil
	}
	now := append(make([]read, 0, len(data)), known[:same]...)
	for i, d := range data[same:] {
		e, err := record.UnmarshalEvent(TileSet(list), d)
		if err != nil {
			return nil, fmt.Errorf("read table %d, event %d: %w", table, same+i, err)
		}
		list = append(list, e)
		now = append(now, read{bytes.Clone(d), e})
	}
	c.keep(table, now)
	return list, nil
}

// keep remembers a table's events, and forgets those of some others when there
// are too many.
func (c *Cache) keep(table bot.TableID, now []read) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tables == nil {
		c.tables = map[bot.TableID][]read{}
	}
	c.size += size(now) - size(c.tables[table])
	c.tables[table] = now
	for other, list := range c.tables {
		if c.size <= cacheSize {
			break
		}
		c.size -= size(list)
		delete(c.tables, other)
	}
}

func size(list []read) (n int) {
	for _, r := range list {
		n += len(r.data)
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
