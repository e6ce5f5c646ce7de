package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// progressDelay is how long something takes before anybody is told that it is
// under way.
const progressDelay = 2 * time.Second

// A progress is a line on a terminal about something that takes longer than
// progressDelay. Nothing else may be written there until it is done.
type progress struct {
	what  string
	total int
	step  atomic.Int64 // of total, where the steps are known
	told  atomic.Value // a string: what there is to say besides
	done  func()       // takes the line away; more than once does no harm
}

// newProgress begins to tell of n steps; 0: how many isn't known.
func newProgress(w io.Writer, what string, total int) *progress {
	p := &progress{what: what, total: total, done: func() {}}
	if !isTerminal(w) {
		return p
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	p.done = sync.OnceFunc(func() {
		close(stop)
		<-stopped
	})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(time.Second / 2)
		defer tick.Stop()
		for start := time.Now(); ; {
			select {
			case <-stop:
				fmt.Fprint(w, clearLine)
				return
			case now := <-tick.C:
				if line := p.line(now.Sub(start)); line != "" {
					fmt.Fprint(w, clearLine+line)
				}
			}
		}
	}()
	return p
}

// clearLine goes back to the line's beginning and clears it.
const clearLine = "\r\x1b[K"

// line is what to tell after a time; "" is nothing yet.
func (p *progress) line(after time.Duration) string {
	if after < progressDelay {
		return ""
	}
	line := p.what
	if p.total > 0 {
		line += fmt.Sprintf(", %d of %d", p.step.Load(), p.total)
	}
	if note, ok := p.told.Load().(string); ok {
		line += ", " + note
	}
	return fmt.Sprintf("%s, %s", line, after.Truncate(time.Second))
}

// note says something besides.
func (p *progress) note(text string) { p.told.Store(text) }

// isTerminal reports whether somebody is looking at what is written.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
