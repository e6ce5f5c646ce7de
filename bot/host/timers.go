package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
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
	var kept []bot.Timer              // claimed by that, and to be done yet
	waiting := map[uint64]bot.Timer{} // claimed by it, and set aside
	return h.loops.Run(ctx, "", func() (time.Time, error) {
		if err := me.Refresh(ctx); err != nil {
			return time.Time{}, err
		}
		if !held() {
			kept = nil // they may be others' by now
			clear(waiting)
			h.loops.Agenda.Everywhere()
			name, held = me.Claim()
		}
		next := h.follow(ctx)
		slowNext, err := slow.claim(ctx)
		if err != nil {
			return time.Time{}, err
		}
		next = loops.Earlier(next, slowNext)
		for {
			quick := h.quickKinds(slow)
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
			due = append(kept, due...)
			for _, t := range due {
				waiting[t.ID] = t
			}
			var again time.Time
			due, again = h.ready(waiting)
			if due, kept = h.beforeLast(due); len(due) == 0 {
				return loops.Earlier(loops.Earlier(next, later), again), nil
			}
			for _, t := range due {
				delete(waiting, t.ID)
			}
			for _, t := range h.fireAll(ctx, held, due) {
				waiting[t.ID] = t
			}
			if ctx.Err() != nil {
				return time.Time{}, ctx.Err()
			}
			if !held() {
				return h.Now(), nil
			}
		}
	})
}

// quickKinds are the kinds of timers that this host knows, but for those that take long.
// What it doesn't know is left to newer hosts on the same store.
func (h *Host) quickKinds(slow *workers) bot.Kinds {
	long := slow.kinds()
	known := slices.Sorted(maps.Keys(h.due))
	return bot.Kinds{Only: slices.DeleteFunc(known, func(kind string) bool { return slices.Contains(long, kind) })}
}

// ready are those of some timers that aren't set aside now, in order, and when the next
// of the others is to be tried.
func (h *Host) ready(waiting map[uint64]bot.Timer) (due []bot.Timer, next time.Time) {
	for _, t := range waiting {
		if until := h.loops.Aside.Until(timerKey(t)); until.After(h.Now()) {
			next = loops.Earlier(next, until)
		} else {
			due = append(due, t)
		}
	}
	slices.SortFunc(due, func(a, b bot.Timer) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return due, next
}

func timerKey(t bot.Timer) string {
	return "timer " + number(t.Table) + " " + t.Kind + " " + strconv.FormatUint(t.ID, 10)
}

// SetAside lists what failed and is tried again later, for the operator.
func (h *Host) SetAside() []loops.SetAside { return h.loops.Aside.List() }

// setAside sets something of a table aside, and tells the log.
func (h *Host) setAside(ctx context.Context, key string, s loops.SetAside) {
	if ctx.Err() != nil {
		return // it stays, for the next host
	}
	s = h.loops.Aside.Fail(key, h.Now(), s)
	h.Log.Error("set aside, and tried again", "what", s.What, "table", s.Table, "channel", s.Channel, "error", s.Err, "tries", s.Tries, "wait", s.Until.Sub(h.Now()))
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

// follow lets the features look at the channels whose tables have changed. next is when
// one is to be looked at again where that failed.
func (h *Host) follow(ctx context.Context) (next time.Time) {
	h.mu.Lock()
	moved := slices.Sorted(maps.Keys(h.moved))
	clear(h.moved)
	h.mu.Unlock()
	for _, ch := range moved {
		key := "follow " + string(ch)
		if until := h.loops.Aside.Until(key); until.After(h.Now()) {
			h.Changed(ch)
			next = loops.Earlier(next, until)
			continue
		}
		err := loops.Guard(func() error {
			for _, f := range h.Parts {
				if f.Follow == nil {
					continue
				}
				if err := f.Follow(bot.OnErrand(ctx, "follow", string(ch)), h, ch); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			h.loops.Aside.Done(key)
			continue
		}
		h.Changed(ch)
		h.setAside(ctx, key, loops.SetAside{What: "what follows", Channel: ch, Err: err})
		next = loops.Earlier(next, h.loops.Aside.Until(key))
	}
	return next
}

// beginAgain goes on with what a host began that was stopped.
func (h *Host) beginAgain(ctx context.Context) error {
	var failed []error
	for _, f := range h.Parts {
		if f.Begin != nil {
			failed = append(failed, loops.Guard(func() error { return f.Begin(ctx, h) }))
		}
	}
	return errors.Join(failed...)
}

// together is how many timers are removed at once.
const together = 50

// fireAll does what timers ask for while they are held, and removes them. One that
// fails is set aside and given back, and holds up no other; so are those that nobody got
// to any more.
func (h *Host) fireAll(ctx context.Context, held func() bool, due []bot.Timer) (left []bot.Timer) {
	for some := range slices.Chunk(due, together) {
		var done []bot.Timer
		for i, timer := range some {
			if !held() || ctx.Err() != nil {
				left = append(left, some[i:]...)
				break
			}
			if err := h.fire(ctx, timer); err != nil {
				left = append(left, timer)
				h.setAsideTimer(ctx, timer, err)
				continue
			}
			done = append(done, timer)
		}
		if err := h.fired(ctx, done); err != nil {
			left = append(left, done...)
			for _, timer := range done {
				h.setAsideTimer(ctx, timer, err)
			}
			continue
		}
		for _, timer := range done {
			h.loops.Aside.Done(timerKey(timer))
		}
	}
	return left
}

func (h *Host) setAsideTimer(ctx context.Context, t bot.Timer, err error) {
	h.setAside(ctx, timerKey(t), loops.SetAside{What: "timer " + t.Kind, Channel: t.Channel, Table: t.Table, Err: err})
}

// fire does what a timer asks for.
func (h *Host) fire(ctx context.Context, timer bot.Timer) error {
	look, known := h.due[timer.Kind]
	if !known {
		return fmt.Errorf("timer %d of table %d: this host knows no kind %q", timer.ID, timer.Table, timer.Kind)
	}
	ctx = bot.OnErrand(ctx, "timer "+timer.Kind, string(timer.Channel), number(timer.Table))
	began := h.Now()
	err := loops.Guard(func() error { return look.Do(ctx, h, timer) })
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
