package notes

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Turns serializes an action among the processes of a host, with a gap in between. The
// clocks of their machines must agree within a second or two.
type Turns struct {
	Notes bot.Notes
	Shelf string // holds, by key, who went last and when the next may go
	By    string // this process, which keeps the gap between its own turns itself
	Gap   time.Duration
	Now   func() time.Time

	// Wait sleeps. It returns an error if the context ends first.
	Wait func(context.Context, time.Duration) error
}

// A storedTurn records the process that had the last turn, and when the next may begin.
type storedTurn struct {
	V    int       `json:"v"` // format version: 1
	By   string    `json:"by"`
	Next time.Time `json:"next"`
}

// Take waits until the gap after another process's turn is over, and takes a turn.
func (t Turns) Take(ctx context.Context, key string) error {
	for {
		var wait time.Duration
		err := t.Notes.Change(ctx, func(rows bot.Rows) error {
			var last storedTurn
			if _, err := Get(rows, t.Shelf, key, &last); err != nil {
				return err
			}
			now := t.Now()
			if wait = min(last.Next.Sub(now), t.Gap); wait > 0 && last.By != t.By {
				return nil
			}
			wait = 0
			return Put(rows, t.Shelf, key, storedTurn{1, t.By, now.Add(t.Gap)})
		})
		if err != nil || wait == 0 {
			return err
		}
		if err := t.Wait(ctx, wait); err != nil {
			return err
		}
	}
}
