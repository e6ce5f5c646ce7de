package discord

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// This file is what the processes of one application share: Discord's limits are
// for all of them together. The clocks of their computers must agree to within a
// second or two.

// A spent is a limit that is used up until a time, as processes tell each other.
type spent struct {
	From   string    `json:"from"`   // the process
	Bucket string    `json:"bucket"` // "": the bot's own
	Until  time.Time `json:"until"`
}

// tellBy sets how the other processes are told of what is used up.
func (l *limits) tellBy(tell func(spent)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tell = tell
}

// tellOthers tells of a limit that is used up. Callers hold l.mu.
func (l *limits) tellOthers(bucket string, until time.Time) {
	if l.tell != nil {
		go l.tell(spent{Bucket: bucket, Until: until})
	}
}

// heed keeps to a limit that another process has met.
func (l *limits) heed(s spent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.Bucket != "" {
		l.allow(s.Bucket, allowance{0, s.Until})
	} else if s.Until.After(l.global) {
		l.global = s.Until
	}
}

// shareLimits tells the other processes of the limits that are met, and keeps to
// theirs, until ctx is done.
func (c *common) shareLimits(ctx context.Context) {
	c.client.limits.tellBy(func(s spent) {
		s.From = c.process
		text, err := json.Marshal(s)
		if err == nil {
			err = c.Notes.Tell(ctx, string(text))
		}
		if err != nil && ctx.Err() == nil {
			c.Log.Warn("other processes weren't told of a limit", "error", err)
		}
	})
	if err := c.Notes.Watch(ctx, func(h bot.Hint) {
		var s spent
		if h.Text == "" || json.Unmarshal([]byte(h.Text), &s) != nil || s.From == c.process {
			return
		}
		c.client.limits.heed(s)
	}); err != nil && ctx.Err() == nil {
		c.Log.Warn("can't hear of the limits that other processes meet", "error", err)
	}
}

// turnsShelf has, by the remainder of shards' numbers, when the next of them may
// identify.
const turnsShelf = "identify"

// takeTurnAmong waits until no other process has just identified a shard of a
// remainder.
func (s *shard) takeTurnAmong(ctx context.Context, remainder int) error {
	turns := notes.Turns{
		Notes: s.Notes, Shelf: turnsShelf, By: s.process, Gap: betweenShards, Now: s.Now,
		Wait: s.after.sleep,
	}
	err := turns.Take(ctx, strconv.Itoa(remainder))
	if err != nil && ctx.Err() == nil {
		s.log.Warn("it isn't known whether another process has just identified", "error", err)
		return nil
	}
	return ctx.Err()
}
