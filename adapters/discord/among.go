package discord

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// This file shares Discord's limits, which apply to an application as a whole, among its
// processes. The clocks of their computers must agree to within a second or two.

// A spentLimit tells other processes that a limit is exhausted.
type spentLimit struct {
	From   string    `json:"from"`   // the process
	Bucket string    `json:"bucket"` // "" is the bot's global limit
	Until  time.Time `json:"until"`
}

// setTell sets the function that informs other processes of exhausted limits.
func (l *limits) setTell(tell func(spentLimit)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tell = tell
}

// tellOthers informs other processes of an exhausted limit. The caller must hold l.mu.
func (l *limits) tellOthers(bucket string, until time.Time) {
	if l.tell != nil {
		go l.tell(spentLimit{Bucket: bucket, Until: until})
	}
}

// apply applies a limit reported by another process.
func (l *limits) apply(s spentLimit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.Bucket != "" {
		l.allow(s.Bucket, allowance{0, s.Until})
	} else if s.Until.After(l.global) {
		l.global = s.Until
	}
}

// shareLimits reports the exhausted limits to the other processes and applies theirs, until
// ctx is done.
func (c *common) shareLimits(ctx context.Context) {
	c.client.limits.setTell(func(s spentLimit) {
		s.From = c.process
		text, err := json.Marshal(s)
		if err == nil {
			err = c.Notes.Tell(ctx, string(text))
		}
		if err != nil && ctx.Err() == nil {
			c.Log.Warn("can't inform other processes of a limit", "error", err)
		}
	})
	if err := c.Notes.Watch(ctx, func(h bot.Hint) {
		var s spentLimit
		if h.Text == "" || json.Unmarshal([]byte(h.Text), &s) != nil || s.From == c.process {
			return
		}
		c.client.limits.apply(s)
	}); err != nil && ctx.Err() == nil {
		c.Log.Warn("can't watch other processes' rate limits", "error", err)
	}
}

// turnsShelf stores when the next shard may identify, by the remainder of its number.
const turnsShelf = "identify"

// takeSharedTurn waits until no other process has just identified a shard with the same
// remainder.
func (s *shard) takeSharedTurn(ctx context.Context, remainder int) error {
	turns := notes.Turns{
		Notes: s.Notes, Shelf: turnsShelf, By: s.process, Gap: betweenShards, Now: s.Now,
		Wait: s.after.sleep,
	}
	err := turns.Take(ctx, strconv.Itoa(remainder))
	if err != nil && ctx.Err() == nil {
		s.log.Warn("can't check whether another process has just identified", "error", err)
		return nil
	}
	return ctx.Err()
}
