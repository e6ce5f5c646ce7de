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
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/table"
)

// alarms handles due timers.
type alarms struct {
	*desk
	archive *archive
	left    leftTables
}

// mostDue limits how many timers are claimed at a time.
const mostDue = 500

// RunTimers handles due timers until ctx is done. After a time without a host these are many; they
// are handled in the order in which they fell due. Slow kinds of timers have workers, so that
// nothing else waits for them.
func (h *alarms) RunTimers(ctx context.Context) error {
	if err := h.begin(ctx); err != nil && ctx.Err() == nil {
		h.Log().Error("can't resume the work of a stopped host", "error", err)
	}
	me := h.loops.Hold(ctx, "timers")
	defer me.End(ctx)
	slow := h.newWorkers(me)
	defer slow.wait()
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { h.loops.Watch(ctx, "") })
	r := &round{alarms: h, me: me, slow: slow, waiting: map[uint64]bot.Timer{}}
	r.name, r.held = me.Claim()
	return h.loops.Run(ctx, "", func() (time.Time, error) { return r.fire(ctx) })
}

// A round holds the due timers of this process.
type round struct {
	*alarms
	me      *loops.Lease
	name    bot.Holder
	held    func() bool // whether name is alive
	slow    *workers
	kept    []bot.Timer          // claimed by name and still to be handled
	waiting map[uint64]bot.Timer // claimed by name and set aside
	looked  time.Time            // at the store
}

// fire handles what is due, and returns when something is due next.
func (r *round) fire(ctx context.Context) (time.Time, error) {
	if err := r.me.Refresh(ctx); err != nil {
		return time.Time{}, err
	}
	if r.loops.WasPutBack(&r.looked) {
		r.loops.Retries.RetryNow()
	}
	if !r.held() {
		r.kept = nil // others may hold them by now
		clear(r.waiting)
		r.loops.Agenda.Reset()
		r.name, r.held = r.me.Claim()
	}
	next := r.follow(ctx)
	slowNext, err := r.slow.claim(ctx)
	if err != nil {
		return time.Time{}, err
	}
	next = loops.Earlier(next, slowNext)
	for {
		due, later, err := r.claim(ctx)
		if err != nil {
			return time.Time{}, err
		}
		for _, t := range due {
			r.waiting[t.ID] = t
		}
		var again time.Time
		due, again = r.splitReady(r.waiting)
		if due, r.kept = r.splitLast(due); len(due) == 0 {
			return loops.Earlier(loops.Earlier(next, later), again), nil
		}
		for _, t := range due {
			delete(r.waiting, t.ID)
		}
		for _, t := range r.fireAll(ctx, r.held, due) {
			r.waiting[t.ID] = t
		}
		if ctx.Err() != nil {
			return time.Time{}, ctx.Err()
		}
		if !r.held() {
			return r.Now(), nil
		}
	}
}

// claim returns the timers that were kept, followed by newly claimed ones, and when the next
// one is due.
func (r *round) claim(ctx context.Context) (due []bot.Timer, later time.Time, err error) {
	// Leave unknown kinds to newer hosts on the same store.
	quick := bot.Kinds{Without: r.leftTables(), Only: r.slow.quick}
	later, err = r.loops.Agenda.Query("", r.Now(), func() (next time.Time, more bool, err error) {
		if due, next, err = r.Store.ClaimTimers(ctx, r.name, quick, r.Now(), mostDue); err != nil {
			r.me.StartOver(ctx)
		}
		return next, len(due) == mostDue, err
	})
	if err != nil {
		return nil, later, err
	}
	return append(r.kept, due...), later, nil
}

// splitReady returns the timers that aren't set aside now, in order, and when to try the next of the
// others.
func (h *alarms) splitReady(waiting map[uint64]bot.Timer) (due []bot.Timer, next time.Time) {
	for _, t := range waiting {
		if until := h.loops.Retries.RetryAt(timerKey(t)); until.After(h.Now()) {
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

// FailedTasks lists what failed and will be retried, for the operator.
func (e *engine) FailedTasks() []loops.FailedTask { return e.loops.Retries.List() }

// retryLater sets a failed task aside, and logs it.
func (e *engine) retryLater(ctx context.Context, key string, s loops.FailedTask) {
	if ctx.Err() != nil {
		return // it stays for the next host
	}
	s = e.loops.Retries.Fail(key, e.Now(), s)
	e.Log.Error("task failed; retrying later", "what", s.What, "table", s.Table, "channel", s.Channel, "error", s.Err, "tries", s.Tries, "wait", s.Until.Sub(e.Now()))
}

// splitLast returns the due timers to handle now: some kinds come last, after all others.
func (h *alarms) splitLast(due []bot.Timer) (now, later []bot.Timer) {
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

// movedChannels holds the channels whose tables have changed since the last check. It is only a hint: a
// host that starts checks everything.
type movedChannels struct {
	mu    sync.Mutex
	all   map[bot.ChannelID]bool
	taken bool // the features check what was taken
}

// markChanged marks a channel, so that the features check it.
func (m *movedChannels) markChanged(ch bot.ChannelID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = map[bot.ChannelID]bool{}
	}
	m.all[ch] = true
}

// take returns the marked channels and unmarks them.
func (m *movedChannels) take() []bot.ChannelID {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.Sorted(maps.Keys(m.all))
	clear(m.all)
	m.taken = true
	return all
}

// markChecked notes that the features have checked what was taken.
func (m *movedChannels) markChecked() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taken = false
}

// isEmpty reports whether the features have checked all marked channels.
func (m *movedChannels) isEmpty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.all) == 0 && !m.taken
}

// follow lets the features check the channels whose tables have changed. next is when to retry a
// failed check.
func (h *alarms) follow(ctx context.Context) (next time.Time) {
	defer h.moved.markChecked()
	for _, ch := range h.moved.take() {
		key := "follow " + string(ch)
		if until := h.loops.Retries.RetryAt(key); until.After(h.Now()) {
			h.moved.markChanged(ch)
			next = loops.Earlier(next, until)
			continue
		}
		err := loops.Guard(func() error {
			for _, f := range h.features {
				if f.Follow == nil {
					continue
				}
				if err := f.Follow(bot.ReadTogether(ctx, "follow", "", string(ch)), ch); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			h.loops.Retries.Remove(key)
			continue
		}
		h.moved.markChanged(ch)
		h.retryLater(ctx, key, loops.FailedTask{What: "follow-up", Channel: ch, Err: err})
		next = loops.Earlier(next, h.loops.Retries.RetryAt(key))
	}
	return next
}

// begin resumes what another host left unfinished.
func (h *alarms) begin(ctx context.Context) error {
	failed := []error{loops.Guard(func() error { return h.archive.forgetLeavers(ctx) })}
	for _, f := range h.features {
		if f.Follow != nil {
			failed = append(failed, loops.Guard(func() error { return f.Follow(ctx, "") }))
		}
	}
	return errors.Join(failed...)
}

// together limits how many timers are removed at once.
const together = 50

// fireAll handles timers while they are held, and removes them. One that fails is set aside and
// returned, and doesn't hold up the others; timers that weren't reached are returned too.
func (h *alarms) fireAll(ctx context.Context, held func() bool, due []bot.Timer) (left []bot.Timer) {
	for some := range slices.Chunk(due, together) {
		var done []bot.Timer
		for i, timer := range some {
			if !held() || ctx.Err() != nil {
				left = append(left, some[i:]...)
				break
			}
			if err := h.fire(ctx, timer); err != nil {
				h.setAsideTimer(ctx, timer, err)
				if !h.leaveToOthers(ctx, timer, err) {
					left = append(left, timer)
				}
				continue
			}
			done = append(done, timer)
		}
		if err := h.removeFired(ctx, done); err != nil {
			left = append(left, done...)
			for _, timer := range done {
				h.setAsideTimer(ctx, timer, err)
			}
			continue
		}
		for _, timer := range done {
			h.loops.Retries.Remove(timerKey(timer))
		}
	}
	return left
}

func (h *alarms) setAsideTimer(ctx context.Context, t bot.Timer, err error) {
	h.retryLater(ctx, timerKey(t), loops.FailedTask{What: "timer " + t.Kind, Channel: t.Channel, Table: t.Table, Err: err})
}

// leftTables returns the tables whose timers are left to others now.
func (h *alarms) leftTables() []bot.TableID {
	tables, _ := h.left.tables(h.Now(), &h.loops.Retries)
	return tables
}

// leaveToOthers releases a timer of a table that this host can't read.
func (h *alarms) leaveToOthers(ctx context.Context, t bot.Timer, err error) bool {
	if !errors.Is(err, bot.ErrUnreadable) {
		return false
	}
	h.left.leave(timerKey(t), t.Table, h.Now())
	if err := h.Store.Release(context.WithoutCancel(ctx), t); err != nil {
		h.Log().Error("can't release a timer of an unreadable table", "table", t.Table, "error", err)
		return false
	}
	return true
}

// fire handles a timer.
func (h *alarms) fire(ctx context.Context, timer bot.Timer) error {
	look, known := h.due[timer.Kind]
	if !known {
		return fmt.Errorf("timer %d of table %d: this host knows no kind %q", timer.ID, timer.Table, timer.Kind)
	}
	ctx = bot.ReadTogether(ctx, "timer "+timer.Kind, "", string(timer.Channel), "", tableName(timer.Table))
	began := h.Now()
	err := loops.Guard(func() error { return look.Do(ctx, timer) })
	h.Observer.Timer(timer.Kind, outcomeOf(err), h.Now().Sub(began))
	if err != nil {
		return fmt.Errorf("timer %d of table %d, kind %q: %w", timer.ID, timer.Table, timer.Kind, err)
	}
	return nil
}

// removeFired removes handled timers, unless others hold them by now.
func (h *alarms) removeFired(ctx context.Context, done []bot.Timer) error {
	if len(done) == 0 {
		return nil
	}
	// Record what was done even while the host shuts down.
	if err := h.Store.RemoveTimers(context.WithoutCancel(ctx), done...); err != nil && !errors.Is(err, bot.ErrLost) {
		return fmt.Errorf("remove handled timers: %w", err)
	}
	return nil
}

// outcomeOf returns the result of something that is retried if it fails.
func outcomeOf(err error) bot.Result {
	if err != nil {
		return bot.Later
	}
	return bot.Done
}

// recount queues an edit of the latest message, if it is still the one that the timer is about.
func (h *alarms) recount(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, h.desk, timer, func(r *feature.Room) error {
		t := r.Table
		if t.News() == timer.Number {
			r.Post(bot.Post{From: t.Number, To: t.Number, Kind: table.CountKind})
		}
		return nil
	})
}
