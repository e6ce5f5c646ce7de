package notes

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Turns are something that the processes of one host do one at a time, at a
// distance. The clocks of their computers must agree to within a second or two.
type Turns struct {
	Notes bot.Notes
	Shelf string        // has, by key, who went last and when the next may go
	By    string        // this process, which keeps its own distance by itself
	Gap   time.Duration // the distance
	Now   func() time.Time

	// Wait waits, or tells why not any longer.
	Wait func(context.Context, time.Duration) error
}

// A storedTurn is when a process went, and when the next may.
type storedTurn struct {
	V    int       `json:"v"` // 1
	By   string    `json:"by"`
	Next time.Time `json:"next"`
}

// Take waits until no other process has just gone, and goes.
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
