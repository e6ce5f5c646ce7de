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

// Guard does something of one table's, or of one other thing. A panic there is an error
// with its trace, so that it ends nothing else.
func Guard(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return do()
}

// A SetAside is something that failed, and is tried again at a time.
type SetAside struct {
	What    string // "timer clock", "post"
	Channel bot.ChannelID
	Table   bot.TableID
	Tries   int
	Until   time.Time
	Err     error
}

// String says it in a line, for an operator.
func (s SetAside) String() string {
	why, _, _ := strings.Cut(s.Err.Error(), "\n")
	return fmt.Sprintf("%s of table %d in %s failed %d times: %s", s.What, s.Table, s.Channel, s.Tries, why)
}

// Aside are the things that a process has set aside, each for longer the more often it
// failed; see [Backoff]. Its zero value is ready, and safe for concurrent use.
type Aside struct {
	mu sync.Mutex
	by map[string]SetAside
}

// Fail sets something aside, by its key: its Tries and Until are counted here.
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

// Done forgets something that succeeded, or isn't ours any more.
func (a *Aside) Done(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.by, key)
}

// Until is when something is to be tried: the zero time where it wasn't set aside.
func (a *Aside) Until(key string) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.by[key].Until
}

// List lists what is set aside, those first that failed most often.
func (a *Aside) List() []SetAside {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.SortedFunc(maps.Values(a.by), func(a, b SetAside) int { return b.Tries - a.Tries })
}
