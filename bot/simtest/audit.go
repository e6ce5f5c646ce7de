package simtest

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// An Audit passes calls to a store and compares the answers with what the contract of [bot.Claims]
// and receipts promise: it keeps its own account of who holds what.
type Audit struct {
	bot.Store
	skew time.Duration
	fail func(format string, args ...any)

	mu       sync.Mutex // held during each call that claims or finishes something
	holders  map[bot.Holder]time.Time
	posts    map[uint64]auditClaim
	timers   map[uint64]auditClaim
	jobs     map[string]bot.Holder
	claimed  map[[2]string]bot.Holder // latest claims of posts, by process and key
	receipts map[[2]string]bool       // by channel and request
}

type auditClaim struct {
	holder bot.Holder // "" once it was given back
	fence  uint64
}

// NewAudit audits a store that is still empty. No holder's clock may be off by more than skew. fail is
// called with each broken promise.
func NewAudit(s bot.Store, skew time.Duration, fail func(format string, args ...any)) *Audit {
	return &Audit{Store: s, skew: skew, fail: fail, holders: map[bot.Holder]time.Time{}, posts: map[uint64]auditClaim{}, timers: map[uint64]auditClaim{}, jobs: map[string]bot.Holder{}, claimed: map[[2]string]bot.Holder{}, receipts: map[[2]string]bool{}}
}

// Update checks that a request that was filed before finds its receipt.
func (a *Audit) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	key := [2]string{string(ch), request}
	a.mu.Lock()
	filed := a.receipts[key]
	a.mu.Unlock()
	files := false
	err := a.Store.Update(ctx, ch, request, func(r *bot.Room) error {
		if filed && r.Receipt == nil {
			a.fail("request %s in %s finds no receipt when it comes again", request, ch)
		}
		err := fn(r)
		files = r.File != nil && request != ""
		return err
	})
	if err == nil && files {
		a.mu.Lock()
		a.receipts[key] = true
		a.mu.Unlock()
	}
	return err
}

// lives reports whether a holder is alive by the clock of the one that claims, or by the right time.
func (a *Audit) lives(h bot.Holder, now time.Time) bool {
	return a.holders[h].After(now) || a.holders[h].After(time.Now().Add(a.skew))
}

// claims checks that a holder may claim something that was claimed before.
func (a *Audit) claims(what string, of map[uint64]auditClaim, id, fence uint64, h bot.Holder, now time.Time) {
	was := of[id]
	switch {
	case !a.holders[h].After(now):
		a.fail("%s claims %s %d, and isn't alive", h, what, id)
	case a.lives(was.holder, now):
		a.fail("%s claims %s %d, which %s has, alive until %v after", h, what, id, was.holder, a.holders[was.holder].Sub(now))
	case fence <= was.fence:
		a.fail("%s claims %s %d with the number %d after %d", h, what, id, fence, was.fence)
	}
	of[id] = auditClaim{h, fence}
}

// finishes checks that something wasn't claimed by another holder since.
func (a *Audit) finishes(what string, of map[uint64]auditClaim, id, fence uint64) {
	if was, claimed := of[id]; claimed && was.fence != fence {
		a.fail("%s %d is finished under the number %d, and %s has claimed it under %d since", what, id, fence, was.holder, was.fence)
	}
}

// ClaimPosts checks that no living holder had the posts.
func (a *Audit) ClaimPosts(ctx context.Context, h bot.Holder, platform string, without []bot.TableID, now time.Time, limit int) ([]bot.Post, time.Time, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	posts, next, err := a.Store.ClaimPosts(ctx, h, platform, without, now, limit)
	for _, p := range posts {
		a.claims("post", a.posts, p.ID, p.Fence, h, now)
		process, _, _ := strings.Cut(string(h), " ")
		a.claimed[[2]string{process, p.Key()}] = h
	}
	return posts, next, err
}

// ClaimTimers checks that the timers are due and that no living holder had them.
func (a *Audit) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	timers, next, err := a.Store.ClaimTimers(ctx, h, k, now, limit)
	for _, t := range timers {
		a.claims("timer", a.timers, t.ID, t.Fence, h, now)
		if early := time.Until(t.At); early > a.skew {
			a.fail("%s claims timer %d %v too early", h, t.ID, early)
		}
	}
	return timers, next, err
}

// RemovePost checks the post's fencing number.
func (a *Audit) RemovePost(ctx context.Context, p bot.Post) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.Store.RemovePost(ctx, p)
	if err == nil {
		a.finishes("post", a.posts, p.ID, p.Fence)
		delete(a.posts, p.ID)
	}
	return err
}

// Defer checks the post's fencing number.
func (a *Audit) Defer(ctx context.Context, p bot.Post, until time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.Store.Defer(ctx, p, until)
	if err == nil {
		a.finishes("post", a.posts, p.ID, p.Fence)
		a.posts[p.ID] = auditClaim{"", p.Fence}
	}
	return err
}

// RemoveTimers checks the timers' fencing numbers.
func (a *Audit) RemoveTimers(ctx context.Context, timers ...bot.Timer) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.Store.RemoveTimers(ctx, timers...)
	for _, t := range timers {
		if err == nil {
			a.finishes("timer", a.timers, t.ID, t.Fence)
			delete(a.timers, t.ID)
		}
	}
	return err
}

// Release notes that timers are free.
func (a *Audit) Release(ctx context.Context, timers ...bot.Timer) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.Store.Release(ctx, timers...)
	for _, t := range timers {
		if was := a.timers[t.ID]; err == nil && was.fence == t.Fence {
			a.timers[t.ID] = auditClaim{"", t.Fence}
		}
	}
	return err
}

// Stay notes how long a holder lives.
func (a *Audit) Stay(ctx context.Context, h bot.Holder, until time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.Store.Stay(ctx, h, until)
	if err == nil {
		a.holders[h] = until
	}
	return err
}

// Leave notes that a holder has given everything back.
func (a *Audit) Leave(ctx context.Context, h bot.Holder) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.Store.Leave(ctx, h)
	if err == nil {
		delete(a.holders, h)
	}
	return err
}

// Elect checks that no other living holder has the job.
func (a *Audit) Elect(ctx context.Context, h bot.Holder, job string, now time.Time) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	elected, err := a.Store.Elect(ctx, h, job, now)
	if elected && err == nil {
		if was := a.jobs[job]; was != h && a.lives(was, now) {
			a.fail("%s gets the job %s, which %s has", h, job, was)
		}
		a.jobs[job] = h
	}
	return elected, err
}

// Held returns until when a process may pass on a post that it has claimed, by its own clock: the
// end of its holder's life. ok is false if it has claimed no post with that key.
func (a *Audit) Held(process, key string) (until time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	h, ok := a.claimed[[2]string{process, key}]
	return a.holders[h], ok
}
