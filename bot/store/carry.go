package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// A Carrier is a store from which everything can be carried to another.
type Carrier interface {
	// Records calls fn with all that the store keeps, as it is at one moment,
	// each time in the same order where nothing has changed.
	Records(ctx context.Context, fn func(Record) error) error

	// Carry takes in records that come from elsewhere, all or none, and notes
	// that with them there are n. From the first on the store is unfinished.
	Carry(ctx context.Context, records []Record, n int) error
	// Carried is how many records a store has that is unfinished.
	Carried(ctx context.Context) (n int, unfinished bool, err error)
	// Finish says that all is there.
	Finish(ctx context.Context) error
}

// A Record is one thing that a store keeps: a [Table], [Receipt], [Post],
// [Timer], [Note] or [Counters].
type Record interface {
	part() string // what it is a part of
	// Size is about how many bytes it has.
	Size() int
}

// A Table is a table with its events, as they are stored.
type Table struct {
	ID      bot.TableID
	Channel bot.ChannelID
	Seated  []game.PlayerID
	Events  [][]byte
}

// A Receipt is a [bot.Receipt], and what it is found by.
type Receipt struct {
	Channel bot.ChannelID
	Request string
	bot.Receipt
	Filed time.Time
}

// A Post waits to be delivered, from a time on.
type Post struct {
	bot.Post
	Until time.Time
}

// A Timer is one that is set.
type Timer struct{ bot.Timer }

// A Note is a row of an adapter's notes.
type Note struct {
	Adapter, Shelf, Key string
	Value               []byte
}

// Counters are the last numbers that were given out. They come last.
type Counters struct{ Tables, Posts, Timers uint64 }

func (t Table) part() string  { return fmt.Sprintf("table %d", t.ID) }
func (Receipt) part() string  { return "the receipts" }
func (Post) part() string     { return "the posts that wait" }
func (Timer) part() string    { return "the timers" }
func (n Note) part() string   { return fmt.Sprintf("the notes %q of %s", n.Shelf, n.Adapter) }
func (Counters) part() string { return "the counters" }

// Size is [Record.Size].
func (t Table) Size() (n int) {
	for _, e := range t.Events {
		n += len(e)
	}
	return n + small
}

// Size is [Record.Size].
func (Receipt) Size() int { return small }

// Size is [Record.Size].
func (Post) Size() int { return small }

// Size is [Record.Size].
func (Timer) Size() int { return small }

// Size is [Record.Size].
func (n Note) Size() int { return len(n.Value) + small }

// Size is [Record.Size].
func (Counters) Size() int { return small }

// small is what a small record has, with its names.
const small = 100 // bytes

// Sums are what records amount to, by what they are a part of, in whatever
// order they come.
type Sums map[string]sum

type sum struct {
	count      int
	high, wide uint64
}

// Add adds a record.
func (s Sums) Add(r Record) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	hash := sha256.Sum256(b)
	was := s[r.part()]
	s[r.part()] = sum{was.count + 1, was.high + binary.BigEndian.Uint64(hash[:]), was.wide + binary.BigEndian.Uint64(hash[8:])}
	return nil
}

// Differ lists what isn't the same in two.
func (s Sums) Differ(other Sums) (parts []string) {
	for part, is := range s {
		if other[part] != is {
			parts = append(parts, fmt.Sprintf("%s (%d and %d)", part, is.count, other[part].count))
		}
	}
	for part, is := range other {
		if _, ok := s[part]; !ok {
			parts = append(parts, fmt.Sprintf("%s (0 and %d)", part, is.count))
		}
	}
	slices.Sort(parts)
	return parts
}

// Tables counts the tables.
func (s Sums) Tables() (n int) {
	for part := range maps.Keys(s) {
		var id uint64
		if _, err := fmt.Sscanf(part, "table %d", &id); err == nil {
			n++
		}
	}
	return n
}

// Named lists whom a table's stored events name, each once.
func (t Table) Named() ([]game.PlayerID, error) {
	var cache Cache
	events, err := cache.Events(t.ID, t.Events)
	if err != nil {
		return nil, err
	}
	var all []game.PlayerID
	for _, e := range events {
		for _, p := range e.People() {
			if !slices.Contains(all, p.ID) {
				all = append(all, p.ID)
			}
		}
	}
	return all, nil
}
