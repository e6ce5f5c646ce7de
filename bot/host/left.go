package host

import (
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/loops"
)

// left are posts or timers of tables that this host couldn't read, and until when they
// are others': a newer host beside it may be able to. Its zero value is ready.
type left struct {
	mu  sync.Mutex
	all map[string]leftOne // by its key among what is set aside
}

type leftOne struct {
	table bot.TableID
	until time.Time
}

// untilAgain is how long a host leaves what it can't read to others.
const untilAgain = 10 * time.Minute

// leave leaves something of a table's to others for a while.
func (l *left) leave(key string, table bot.TableID, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[string]leftOne{}
	}
	l.all[key] = leftOne{table, now.Add(untilAgain)}
}

// tables are those whose things are left to others now, and next is when that is over
// for the first of them. What was set aside with what is over isn't any more, for somebody
// else may have seen to it.
func (l *left) tables(now time.Time, aside *loops.Aside) (tables []bot.TableID, next time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, one := range l.all {
		if one.until.After(now) {
			tables = append(tables, one.table)
			next = loops.Earlier(next, one.until)
			continue
		}
		delete(l.all, key)
		aside.Done(key)
	}
	slices.Sort(tables)
	return slices.Compact(tables), next
}
