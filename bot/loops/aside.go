package loops

import (
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Guard runs a task about one table or one other thing. It turns a panic into an error with
// a stack trace, so that other tasks go on.
func Guard(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return do()
}

// A SetAside is a task that failed and will be retried at a time.
type SetAside struct {
	What    string // "timer clock", "post"
	Channel bot.ChannelID
	Table   bot.TableID
	Tries   int
	Until   time.Time
	Err     error
}

// String describes the task in a line, for an operator.
func (s SetAside) String() string {
	why, _, _ := strings.Cut(s.Err.Error(), "\n")
	return fmt.Sprintf("%s of table %d in %s failed %d times: %s", s.What, s.Table, s.Channel, s.Tries, why)
}

// Aside holds the failed tasks of a process, each for longer the more often it failed; see
// [Backoff]. The zero value is ready for use and safe for concurrent use.
type Aside struct {
	mu sync.Mutex
	by map[string]SetAside
}

// Fail sets a task aside by its key, and sets its Tries and Until.
func (a *Aside) Fail(key string, now time.Time, s SetAside) SetAside {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by == nil {
		a.by = map[string]SetAside{}
	}
	tries := a.by[key].Tries
	s.Tries, s.Until = tries+1, now.Add(Backoff(tries))
	a.by[key] = s
	return s
}

// Done removes a task that succeeded or isn't this process's any more.
func (a *Aside) Done(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.by, key)
}

// Until returns when to retry a task, or the zero time if it isn't set aside.
func (a *Aside) Until(key string) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.by[key].Until
}

// List returns the tasks set aside, most failures first.
func (a *Aside) List() []SetAside {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.SortedFunc(maps.Values(a.by), func(a, b SetAside) int { return b.Tries - a.Tries })
}
