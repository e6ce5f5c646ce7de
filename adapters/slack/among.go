package slack

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// This file is what the processes of one app share. The clocks of their computers
// must agree to within a second or two.

// turnsShelf, of Slack's notes, has by channel when the next message may be posted
// there: a storedTurn. It is kept where there are several processes.
const turnsShelf = "turns"

// A storedTurn is when a process posted in a channel, and when the next may.
type storedTurn struct {
	V    int       `json:"v"` // 1
	By   string    `json:"by"`
	Next time.Time `json:"next"`
}

// takeTurn waits until a message may be posted in a channel, after this process's
// and the others'. Threads of one channel can be different processes' to post in.
func (a *Adapter) takeTurn(ctx context.Context, at place) error {
	if err := a.paces.wait(ctx, a.after, at.lane(), a.gap); err != nil || !a.Shared {
		return err
	}
	for {
		var wait time.Duration
		err := a.Notes.Change(ctx, func(rows bot.Rows) error {
			var last storedTurn
			if _, err := notes.Get(rows, turnsShelf, at.lane(), &last); err != nil {
				return err
			}
			now := a.Now()
			if wait = min(last.Next.Sub(now), a.gap); wait > 0 && last.By != a.process {
				return nil
			}
			wait = 0
			return notes.Put(rows, turnsShelf, at.lane(), storedTurn{1, a.process, now.Add(a.gap)})
		})
		if err != nil || wait == 0 {
			return err
		}
		a.paces.heldBack(wait)
		if !a.wait(ctx, wait) {
			return context.Canceled
		}
	}
}
