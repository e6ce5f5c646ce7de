package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// Claims implements [bot.Claims] in memory, for a store that belongs to one process: all its
// holders die with the process. The zero value is ready for use.
type Claims struct {
	mu      sync.Mutex
	last    uint64 // fencing number
	holders map[bot.Holder]time.Time
	posts   map[uint64]claim
	timers  map[uint64]claim
	jobs    map[string]bot.Holder
}

type claim struct {
	holder bot.Holder
	fence  uint64
	ending bool // it is being finished, and can't be claimed
}

func (c *Claims) lock() {
	c.mu.Lock()
	if c.holders == nil {
		c.holders, c.jobs = map[bot.Holder]time.Time{}, map[string]bot.Holder{}
		c.posts, c.timers = map[uint64]claim{}, map[uint64]claim{}
	}
}

// lives reports whether a holder is alive.
func (c *Claims) lives(h bot.Holder, now time.Time) bool { return c.holders[h].After(now) }

// take claims a thing, unless a living holder has it. Then until is the end of that holder's life.
func (c *Claims) take(of map[uint64]claim, id uint64, h bot.Holder, now time.Time) (fence uint64, until time.Time) {
	if at := c.holders[of[id].holder]; at.After(now) || of[id].ending {
		return 0, at
	}
	c.last++
	of[id] = claim{holder: h, fence: c.last}
	return c.last, time.Time{}
}

// TakePosts claims up to limit of the posts that may be tried at now. each calls found with the
// first post of each queue, earliest first, until found returns false; load reads a post that was
// claimed.
func (c *Claims) TakePosts(ctx context.Context, h bot.Holder, now time.Time, limit int, each func(found func(id uint64, until time.Time, load func() (bot.Post, error)) (more bool, err error)) error) (claimed []bot.Post, next time.Time, err error) {
	if err := ctx.Err(); err != nil {
		return nil, time.Time{}, err
	}
	c.lock()
	defer c.mu.Unlock()
	if !c.lives(h, now) {
		return nil, time.Time{}, nil
	}
	err = each(func(id uint64, until time.Time, load func() (bot.Post, error)) (more bool, err error) {
		switch {
		case until.After(now):
			next = Earlier(next, until)
			return false, nil
		case len(claimed) == limit:
			return false, nil
		}
		fence, lapse := c.take(c.posts, id, h, now)
		if fence == 0 {
			next = Earlier(next, lapse)
			return true, nil
		}
		p, err := load()
		if err != nil {
			delete(c.posts, id)
			return false, err
		}
		p.Fence = fence
		claimed = append(claimed, p)
		return true, nil
	})
	slices.SortFunc(claimed, func(a, b bot.Post) int { return cmp.Compare(a.ID, b.ID) })
	return claimed, next, err
}

// TakeTimers claims up to limit timers. each calls found with them, earliest first, until found
// returns false.
func (c *Claims) TakeTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int, each func(found func(bot.Timer) (more bool)) error) (claimed []bot.Timer, next time.Time, err error) {
	if err := ctx.Err(); err != nil {
		return nil, time.Time{}, err
	}
	c.lock()
	defer c.mu.Unlock()
	if !c.lives(h, now) {
		return nil, time.Time{}, nil
	}
	err = each(func(t bot.Timer) bool {
		switch {
		case t.At.After(now): // of any kind, since there may be many before the next of these
			next = Earlier(next, t.At)
			return false
		case !k.Has(t.Kind), slices.Contains(k.Without, t.Table):
			return true
		case len(claimed) == limit:
			return false
		}
		var until time.Time
		if t.Fence, until = c.take(c.timers, t.ID, h, now); t.Fence != 0 {
			claimed = append(claimed, t)
		} else {
			next = Earlier(next, until)
		}
		return true
	})
	return claimed, next, err
}

// Earlier returns the earlier of two times. A zero time means none.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// TakeAway runs fn, which removes a post, unless another holder has claimed the post since.
// Meanwhile nobody can claim it.
func (c *Claims) TakeAway(p bot.Post, fn func() error) error {
	c.lock()
	defer c.mu.Unlock()
	return c.finish(c.posts, p.ID, p.Fence, claim{}, fn)
}

// Conclude runs change, which changes rows. If they deliver a post (see [bot.Concluding]), change
// gets that post and removes it with them, unless another process has claimed it since; otherwise
// change gets nil.
func (c *Claims) Conclude(ctx context.Context, change func(delivered *bot.Post) error) error {
	d := bot.Concludes(ctx)
	if d == nil {
		return change(nil)
	}
	err := c.TakeAway(d.Post, func() error { return change(&d.Post) })
	if err == nil {
		d.Conclude()
	}
	return err
}

// GiveBack runs fn, which postpones a post, unless another holder has claimed the post since.
// Meanwhile nobody can claim it.
func (c *Claims) GiveBack(p bot.Post, fn func() error) error {
	c.lock()
	defer c.mu.Unlock()
	return c.finish(c.posts, p.ID, p.Fence, claim{fence: p.Fence}, fn)
}

// TurnOff runs fn, which removes the timers in own: the given ones that no other holder has claimed
// since. Meanwhile nobody can claim them. It returns [bot.ErrLost] if another holder has one of the
// others.
func (c *Claims) TurnOff(timers []bot.Timer, fn func(own map[uint64]bool) error) error {
	c.lock()
	defer c.mu.Unlock()
	own, were, lost := map[uint64]bool{}, map[uint64]claim{}, false
	for _, t := range timers {
		was, claimed := c.timers[t.ID]
		switch {
		case own[t.ID]:
		case claimed && was.fence != t.Fence:
			lost = true
		default:
			own[t.ID], were[t.ID] = true, was
			c.timers[t.ID] = claim{was.holder, was.fence, true}
		}
	}
	if len(own) == 0 && lost {
		return bot.ErrLost
	}
	c.mu.Unlock()
	done := false
	defer func() {
		c.mu.Lock()
		for id, was := range were {
			if c.timers[id] = was; done || was.fence == 0 {
				delete(c.timers, id)
			}
		}
	}()
	if err := fn(own); err != nil {
		return err
	}
	if done = true; lost {
		return bot.ErrLost
	}
	return nil
}

// finish unlocks the claims while fn runs, and then sets the claim to then.
func (c *Claims) finish(of map[uint64]claim, id, fence uint64, then claim, fn func() error) error {
	was, claimed := of[id]
	if claimed && was.fence != fence {
		return bot.ErrLost
	}
	of[id] = claim{was.holder, was.fence, true}
	c.mu.Unlock()
	done := false
	defer func() {
		c.mu.Lock()
		if !done {
			then = was
		}
		if of[id] = then; then.fence == 0 {
			delete(of, id)
		}
	}()
	err := fn()
	done = err == nil
	return err
}

// Release implements [bot.Claims].
func (c *Claims) Release(ctx context.Context, timers ...bot.Timer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.lock()
	defer c.mu.Unlock()
	for _, t := range timers {
		if was := c.timers[t.ID]; was.fence == t.Fence && !was.ending && t.Fence != 0 {
			c.timers[t.ID] = claim{fence: t.Fence}
		}
	}
	return nil
}

// Stay implements [bot.Claims].
func (c *Claims) Stay(ctx context.Context, h bot.Holder, until time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.lock()
	defer c.mu.Unlock()
	c.holders[h] = until // with its monotonic reading, so that a jump of the wall clock changes nothing
	return nil
}

// Leave implements [bot.Claims].
func (c *Claims) Leave(ctx context.Context, h bot.Holder) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.lock()
	defer c.mu.Unlock()
	delete(c.holders, h)
	return nil // so no living holder has its claims
}

// Elect implements [bot.Claims].
func (c *Claims) Elect(ctx context.Context, h bot.Holder, job string, now time.Time) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	c.lock()
	defer c.mu.Unlock()
	if !c.lives(h, now) || c.jobs[job] != h && c.lives(c.jobs[job], now) {
		return false, nil
	}
	c.jobs[job] = h
	return true, nil
}

// Holders implements [bot.Claims].
func (c *Claims) Holders(ctx context.Context, now time.Time) ([]bot.Holding, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.lock()
	defer c.mu.Unlock()
	living := map[bot.Holder]*bot.Holding{}
	for h, until := range c.holders {
		if until.After(now) {
			living[h] = &bot.Holding{Holder: h, Until: until.UTC()}
		}
	}
	for _, job := range slices.Sorted(maps.Keys(c.jobs)) {
		if l := living[c.jobs[job]]; l != nil {
			l.Jobs = append(l.Jobs, job)
		}
	}
	for _, held := range c.posts {
		if l := living[held.holder]; l != nil {
			l.Posts++
		}
	}
	for _, held := range c.timers {
		if l := living[held.holder]; l != nil {
			l.Timers++
		}
	}
	var list []bot.Holding
	for _, l := range living {
		list = append(list, *l)
	}
	slices.SortFunc(list, func(a, b bot.Holding) int { return cmp.Compare(a.Holder, b.Holder) })
	return list, nil
}
