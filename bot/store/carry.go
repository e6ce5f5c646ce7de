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

// A Carrier is a store whose contents can be copied to another.
type Carrier interface {
	// Records calls fn with all records of the store at one moment. If nothing has changed, their
	// order is the same each time.
	Records(ctx context.Context, fn func(Record) error) error

	// Carry stores records from another store, all or none, and records that there are now n.
	// The store is unfinished from the first call until Finish.
	Carry(ctx context.Context, records []Record, n int) error
	// CountRecords returns the number of records in an unfinished store.
	CountRecords(ctx context.Context) (n int, unfinished bool, err error)
	// Finish records that the copy is complete.
	Finish(ctx context.Context) error
}

// A Record is a unit of stored data: a [Table], [Receipt], [Post], [Timer], [Note] or [Counters].
type Record interface {
	part() string // what it is part of
	// Size returns its approximate size in bytes.
	Size() int
}

// A Table is a table with its events as stored.
type Table struct {
	ID      bot.TableID
	Channel bot.ChannelID
	Seated  []game.PlayerID
	Events  [][]byte
}

// A Receipt is a [bot.Receipt] with its key.
type Receipt struct {
	Channel bot.ChannelID
	Request string
	bot.Receipt
	Filed time.Time
}

// A Post is a queued post, and when it may be tried.
type Post struct {
	bot.Post
	Until time.Time
}

// A Timer is a timer that is set.
type Timer struct{ bot.Timer }

// A Note is a row of an adapter's notes.
type Note struct {
	Adapter, Shelf, Key string
	Value               []byte
}

// Counters are the last numbers assigned. They come last.
type Counters struct{ Tables, Posts, Timers uint64 }

func (t Table) part() string  { return fmt.Sprintf("table %d", t.ID) }
func (Receipt) part() string  { return "the receipts" }
func (Post) part() string     { return "the posts that wait" }
func (Timer) part() string    { return "the timers" }
func (n Note) part() string   { return fmt.Sprintf("the notes %q of %s", n.Shelf, n.Adapter) }
func (Counters) part() string { return "the counters" }

// Size implements [Record].
func (t Table) Size() (n int) {
	for _, e := range t.Events {
		n += len(e)
	}
	return n + small
}

// Size implements [Record].
func (Receipt) Size() int { return small }

// Size implements [Record].
func (Post) Size() int { return small }

// Size implements [Record].
func (Timer) Size() int { return small }

// Size implements [Record].
func (n Note) Size() int { return len(n.Value) + small }

// Size implements [Record].
func (Counters) Size() int { return small }

// small is the approximate size of a small record with its names.
const small = 100 // bytes

// Sums are checksums of records by what they are part of, independent of their order.
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

// Differ lists the differences between two sums.
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

// PeopleNamed lists the people named in a table's stored events, each once.
func (t Table) PeopleNamed() ([]game.PlayerID, error) {
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
