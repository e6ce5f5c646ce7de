package host

import (
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/loops"
)

// leftTables holds posts or timers of tables that this host couldn't read. It leaves them to others until
// a time, since a newer host on the same store may be able to read them. The zero value is ready
// for use.
type leftTables struct {
	mu  sync.Mutex
	all map[string]leftTable // by key in the loops' Retries
}

type leftTable struct {
	table bot.TableID
	until time.Time
}

// untilAgain sets how long a host leaves data that it can't read to others.
const untilAgain = 10 * time.Minute

// leave leaves a post or a timer to other hosts for a while. key is its key in the loops'
// Retries.
func (l *leftTables) leave(key string, table bot.TableID, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[string]leftTable{}
	}
	l.all[key] = leftTable{table, now.Add(untilAgain)}
}

// tables returns the tables left to others now, and when the first of them comes back. Once a table
// is back, tables clears what was set aside for it, since another host may have handled it.
func (l *leftTables) tables(now time.Time, aside *loops.Retries) (tables []bot.TableID, next time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, one := range l.all {
		if one.until.After(now) {
			tables = append(tables, one.table)
			next = loops.Earlier(next, one.until)
			continue
		}
		delete(l.all, key)
		aside.Remove(key)
	}
	slices.Sort(tables)
	return slices.Compact(tables), next
}
