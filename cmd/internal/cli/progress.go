package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// progressDelay is the time after which the progress of work is shown.
const progressDelay = 2 * time.Second

// logEvery is the interval between lines of progress in a log.
const logEvery = 30 * time.Second

// A Progress shows the progress of work that takes longer than progressDelay: as one line on a
// terminal, or an occasional line in a log. Nothing else may be written there until it is done.
type Progress struct {
	what  string
	total int
	Step  atomic.Int64 // steps done, if total is known
	note  atomic.Value // a string at the end of the line
	Done  func()       // removes the line; may be called more than once
}

// NewProgress starts to show the progress of work with a total number of steps; 0 means unknown.
func NewProgress(w io.Writer, what string, total int) *Progress {
	p := &Progress{what: what, total: total, Done: func() {}}
	if _, ok := w.(*os.File); !ok {
		return p
	}
	every, before, after := time.Second/2, clearLine, ""
	if !IsTerminal(w) { // a log: whole lines, seldom
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

// clearLine returns to the start of the line and clears it.
const clearLine = "\r\x1b[K"

// line returns the line to show after some time, or "" before progressDelay.
func (p *Progress) line(after time.Duration) string {
	if after < progressDelay {
		return ""
	}
	line := p.what
	if p.total > 0 {
		line += fmt.Sprintf(", %d of %d", p.Step.Load(), p.total)
	}
	if note, ok := p.note.Load().(string); ok {
		line += ", " + note
	}
	return fmt.Sprintf("%s, %s", line, after.Truncate(time.Second))
}

// Note sets the text at the end of the line.
func (p *Progress) Note(text string) { p.note.Store(text) }

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
