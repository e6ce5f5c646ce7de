package cli

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

// logEvery is how often a log is told, where nobody looks on.
const logEvery = 30 * time.Second

// A Progress is a line on a terminal about something that takes longer than
// progressDelay. Nothing else may be written there until it is done.
type Progress struct {
	what  string
	total int
	Step  atomic.Int64 // of total, where the steps are known
	told  atomic.Value // a string: what there is to say besides
	Done  func()       // takes the line away; more than once does no harm
}

// NewProgress begins to tell of n steps; 0: how many isn't known.
func NewProgress(w io.Writer, what string, total int) *Progress {
	p := &Progress{what: what, total: total, Done: func() {}}
	if _, ok := w.(*os.File); !ok {
		return p
	}
	every, before, after := time.Second/2, clearLine, ""
	if !IsTerminal(w) { // a log: whole lines, and few of them
		every, before, after = logEvery, "", "\n"
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	p.Done = sync.OnceFunc(func() {
		close(stop)
		<-stopped
	})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for start := time.Now(); ; {
			select {
			case <-stop:
				fmt.Fprint(w, before)
				return
			case now := <-tick.C:
				if line := p.line(now.Sub(start)); line != "" {
					fmt.Fprint(w, before+line+after)
				}
			}
		}
	}()
	return p
}

// clearLine goes back to the line's beginning and clears it.
const clearLine = "\r\x1b[K"

// line is what to tell after a time; "" is nothing yet.
func (p *Progress) line(after time.Duration) string {
	if after < progressDelay {
		return ""
	}
	line := p.what
	if p.total > 0 {
		line += fmt.Sprintf(", %d of %d", p.Step.Load(), p.total)
	}
	if note, ok := p.told.Load().(string); ok {
		line += ", " + note
	}
	return fmt.Sprintf("%s, %s", line, after.Truncate(time.Second))
}

// Note adds text to the line.
func (p *Progress) Note(text string) { p.told.Store(text) }

// IsTerminal reports whether somebody is looking at what is written.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
