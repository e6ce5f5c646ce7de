package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/shown"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// mostDue is how many timers are taken up at a time.
const mostDue = 500

// RunTimers does what falls due, until ctx is done. After a time in which no
// host was up that is much; it is done in the order in which it fell due.
// Kinds of timers that take long have workers, so that nothing else waits for
// them.
func (h *Host) RunTimers(ctx context.Context) error {
	if err := h.beginAgain(ctx); err != nil {
		h.Log.Error("can't go on with what a host began that was stopped", "error", err)
	}
	me := h.loops.Hold(ctx, "timers")
	defer me.End(ctx)
	slow := h.newWorkers(me)
	defer slow.wait()
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { h.loops.Watch(ctx, "") })
	name, held := me.Claim()
	var kept []bot.Timer // claimed by that, and to be done yet
	return h.loops.Run(ctx, "", func() (time.Time, error) {
		if err := me.Refresh(ctx); err != nil {
			return time.Time{}, err
		}
		if !held() {
			kept = nil // they may be others' by now
			h.loops.Agenda.Everywhere()
			name, held = me.Claim()
		}
		if err := h.follow(ctx); err != nil {
			return time.Time{}, err
		}
		next, err := slow.claim(ctx)
		if err != nil {
			return time.Time{}, err
		}
		for {
			quick := bot.Kinds{Except: slow.kinds()}
			ask, later, asked := h.loops.Agenda.Due("", quick, h.Now())
			var due []bot.Timer
			if ask {
				if due, later, err = h.Store.ClaimTimers(ctx, name, quick, h.Now(), mostDue); err != nil {
					return time.Time{}, err
				}
				if len(due) < mostDue {
					asked(later)
				}
			}
			if due, kept = h.beforeLast(append(kept, due...)); len(due) == 0 {
				return loops.Earlier(next, later), nil
			}
			failed, err := h.fireAll(ctx, held, due)
			kept = append(kept, failed...)
			if err != nil {
				return time.Time{}, err // they are tried again later
			}
			if !held() {
				return h.Now(), nil
			}
		}
	})
}

// beforeLast are the timers to see to now, of those that are due: some kinds come
// last, when all the others are done.
func (h *Host) beforeLast(due []bot.Timer) (now, later []bot.Timer) {
	for _, t := range due {
		if h.due[t.Kind].Last {
			later = append(later, t)
		} else {
			now = append(now, t)
		}
	}
	if len(now) == 0 {
		return later, nil
	}
	return now, later
}

// Changed marks a channel, so that the plans there are looked at.
func (h *Host) Changed(ch bot.ChannelID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moved[ch] = true
}

// follow lets the features look at the channels whose tables have changed.
func (h *Host) follow(ctx context.Context) error {
	h.mu.Lock()
	moved := slices.Sorted(maps.Keys(h.moved))
	clear(h.moved)
	h.mu.Unlock()
	var failed []error
	for _, ch := range moved {
		for _, f := range h.Parts {
			if f.Follow == nil {
				continue
			}
			if err := f.Follow(bot.OnErrand(ctx, "follow", string(ch)), h, ch); err != nil {
				h.Changed(ch)
				failed = append(failed, fmt.Errorf("follow what happened in %s: %w", ch, err))
			}
		}
	}
	return errors.Join(failed...)
}

// beginAgain goes on with what a host began that was stopped.
func (h *Host) beginAgain(ctx context.Context) error {
	var failed []error
	for _, f := range h.Parts {
		if f.Begin != nil {
			failed = append(failed, f.Begin(ctx, h))
		}
	}
	return errors.Join(failed...)
}

// together is how many timers are removed at once.
const together = 50

// fireAll does what timers ask for while they are held, and removes them. One that
// fails holds up no other.
func (h *Host) fireAll(ctx context.Context, held func() bool, due []bot.Timer) (failed []bot.Timer, err error) {
	var errs []error
	for some := range slices.Chunk(due, together) {
		var done []bot.Timer
		for _, timer := range some {
			if !held() {
				break
			}
			if err := h.fire(ctx, timer); err != nil {
				failed, errs = append(failed, timer), append(errs, err)
				continue
			}
			done = append(done, timer)
		}
		if err := h.fired(ctx, done); err != nil {
			failed, errs = append(failed, done...), append(errs, err)
		}
	}
	return failed, errors.Join(errs...)
}

// fire does what a timer asks for.
func (h *Host) fire(ctx context.Context, timer bot.Timer) error {
	look, known := h.due[timer.Kind]
	if !known {
		return fmt.Errorf("timer %d of table %d: this host knows no kind %q", timer.ID, timer.Table, timer.Kind)
	}
	ctx = bot.OnErrand(ctx, "timer "+timer.Kind, string(timer.Channel), number(timer.Table))
	began := h.Now()
	err := look.Do(ctx, h, timer)
	h.Observer.Timer(timer.Kind, outcomeOf(err), h.Now().Sub(began))
	if err != nil {
		return fmt.Errorf("timer %d of table %d, kind %q: %w", timer.ID, timer.Table, timer.Kind, err)
	}
	return nil
}

// fired removes timers that were seen to, but for those that are others' by now.
func (h *Host) fired(ctx context.Context, done []bot.Timer) error {
	if len(done) == 0 {
		return nil
	}
	// What was done is noted even while the host shuts down.
	if err := h.Store.Fired(context.WithoutCancel(ctx), done...); err != nil && !errors.Is(err, bot.ErrLost) {
		return fmt.Errorf("remove timers that were seen to: %w", err)
	}
	return nil
}

// outcomeOf is how something went that is tried again where it fails.
func outcomeOf(err error) bot.Result {
	if err != nil {
		return bot.Later
	}
	return bot.Done
}

// TimerCause begins the causes of what the host does by itself.
const TimerCause = "timer:"

// RobotCause begins the causes of what robots do.
const RobotCause = "robot"

// AtTable changes the table that a timer is about, where it still is the
// channel's. fn fills the room in; see Host.fill. It runs once.
func (h *Host) AtTable(ctx context.Context, timer bot.Timer, fn func(r *bot.Room, t table.Table, env game.Env) error) error {
	id := fmt.Sprintf("%s%d:%d", TimerCause, timer.Table, timer.ID)
	news, err := shown.In(ctx, h.Notes, timer.Channel)
	if err != nil {
		return err
	}
	changed := false
	err = h.Store.Update(ctx, timer.Channel, id, func(r *bot.Room) error {
		changed = false
		if r.Receipt != nil || r.Table != timer.Table {
			return nil
		}
		t, err := h.Replay(r.Channel, r.Table, r.Events)
		if err != nil {
			return err
		}
		err = fn(r, t, game.Env{Now: h.Now(), Cause: id, Posted: news.Since(t)})
		if changed = len(r.Append)+len(r.Posts)+len(r.Timers) > 0; !changed {
			r.File = nil // to look once more does no harm
		}
		return err
	})
	if err == nil && changed {
		h.Committed(timer.Channel)
	}
	return err
}

// recount queues a change of the latest message, if it still is the one that
// was to be changed.
func recount(ctx context.Context, h *Host, timer bot.Timer) error {
	return h.AtTable(ctx, timer, func(r *bot.Room, t table.Table, _ game.Env) error {
		if t.Phase != game.Playing || t.News() != timer.Number || t.News() == len(t.Events) {
			return nil
		}
		r.Posts = []bot.Post{{Channel: r.Channel, From: t.Number, To: t.Number, Kind: table.CountKind}}
		r.File = &bot.Receipt{From: t.Number, To: t.Number}
		return nil
	})
}
