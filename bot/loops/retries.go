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

// A FailedTask is a task that failed and will be retried.
type FailedTask struct {
	What    string // "timer clock", "post"
	Channel bot.ChannelID
	Table   bot.TableID
	Tries   int
	Until   time.Time
	Err     error
}

// String describes the task in a line, for an operator.
func (s FailedTask) String() string {
	why, _, _ := strings.Cut(s.Err.Error(), "\n")
	return fmt.Sprintf("%s of table %d in %s failed %d times: %s", s.What, s.Table, s.Channel, s.Tries, why)
}

// Retries holds the failed tasks of a process, each for longer the more often it failed; see
// [Backoff]. The zero value is ready for use and safe for concurrent use.
type Retries struct {
	mu sync.Mutex
	by map[string]FailedTask
}

// Fail sets a task aside by its key, and sets its Tries and Until.
func (a *Retries) Fail(key string, now time.Time, s FailedTask) FailedTask {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by == nil {
		a.by = map[string]FailedTask{}
	}
	tries := a.by[key].Tries
	s.Tries, s.Until = tries+1, now.Add(Backoff(tries))
	a.by[key] = s
	return s
}

// Remove removes a task that succeeded or isn't this process's any more.
func (a *Retries) Remove(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.by, key)
}

// RetryNow makes all tasks due, since a clock that was put back would make them wait.
func (a *Retries) RetryNow() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, s := range a.by {
		s.Until = time.Time{}
		a.by[key] = s
	}
}

// RetryAt returns when to retry a task, or the zero time if it isn't set aside.
func (a *Retries) RetryAt(key string) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.by[key].Until
}

// List returns the tasks set aside, most failures first.
func (a *Retries) List() []FailedTask {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.SortedFunc(maps.Values(a.by), func(a, b FailedTask) int { return b.Tries - a.Tries })
}
