package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// mostDue is how many timers are taken up at a time.
const mostDue = 500

// RunTimers does what falls due, until ctx is done. After a time in which no
// host was up that is much; it is done in the order in which it fell due.
// Robots have workers, so that nothing else waits for one that thinks.
func (h *Host) RunTimers(ctx context.Context) error {
	if err := errors.Join(h.forgetLeavers(ctx), h.everyPlan(ctx)); err != nil {
		h.Log.Error("can't go on with what a host began that was stopped", "error", err)
	}
	me := h.hold(ctx, "timers")
	defer me.end(ctx)
	robots := h.newWorkers(me)
	defer robots.wait()
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { h.watch(ctx, "") })
	var kept []bot.Timer // claimed, and to be done yet
	return h.loop(ctx, "", func() (time.Time, error) {
		if !me.lives() {
			kept = nil // they may be others' by now
		}
		if err := me.refresh(ctx); err != nil {
			return time.Time{}, err
		}
		if err := h.followPlans(ctx); err != nil {
			return time.Time{}, err
		}
		next, err := robots.claim(ctx)
		if err != nil {
			return time.Time{}, err
		}
		for {
			due, later, err := h.Store.ClaimTimers(ctx, me.name, bot.Kinds{Except: robotKinds()}, h.Now(), mostDue)
			if err != nil {
				return time.Time{}, err
			}
			if due, kept = beforeDigests(append(kept, due...)); len(due) == 0 {
				return earlier(next, later), nil
			}
			var failed []error
			for _, timer := range due {
				if !me.lives() {
					return h.Now(), nil
				}
				if err := h.fire(ctx, timer); err != nil {
					failed = append(failed, err)
					kept = append(kept, timer)
				}
			}
			// One that fails holds up no other, and is tried again later.
			if err := errors.Join(failed...); err != nil {
				return time.Time{}, err
			}
		}
	})
}

// earlier is the earlier of two times of which the zero time is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// beforeDigests are the timers to see to now, of those that are due: the digests
// come last, so that they tell how things stand when all the others are done.
func beforeDigests(due []bot.Timer) (now, later []bot.Timer) {
	for _, t := range due {
		if t.Kind == digestKind {
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

// whenDue is what is done when a timer of a kind falls due. A timer only asks
// to look: what is to be done, if anything still is, the table itself says. So
// it does no harm when it is done twice.
func (h *Host) whenDue(kind string) func(context.Context, bot.Timer) error {
	switch kind {
	case "":
		return h.lastPlayStands
	case clockKind:
		return h.runOut
	case matchKind:
		return h.openNext
	case orderKind:
		return h.countVotes
	case watchKind:
		return h.lookAtTurn
	case turnKind, sentKind:
		return h.planCall
	case callKind:
		return h.callTurn
	case remindKind:
		return h.remindTurn
	case digestKind:
		return h.digest
	case leaveKind:
		return h.sendAway
	case recordKind:
		return h.record
	}
	for _, v := range variants() {
		if due := v.due[kind]; due != nil {
			return func(ctx context.Context, timer bot.Timer) error { return due(h, ctx, timer) }
		}
	}
	return nil
}

// fire does what a timer asks for, and removes it.
func (h *Host) fire(ctx context.Context, timer bot.Timer) error {
	look := h.whenDue(timer.Kind)
	if look == nil {
		return fmt.Errorf("timer %d of table %d: this host knows no kind %q", timer.ID, timer.Table, timer.Kind)
	}
	if err := look(ctx, timer); err != nil {
		return fmt.Errorf("timer %d of table %d, kind %q: %w", timer.ID, timer.Table, timer.Kind, err)
	}
	if err := h.Store.Fired(ctx, timer); err != nil && !errors.Is(err, bot.ErrLost) {
		return err
	}
	return nil
}

// timerCause begins the causes of what the host does by itself.
const timerCause = "timer:"

// atTable changes the table that a timer is about, where it still is the
// channel's. fn fills the room in; see Host.fill. It runs once.
func (h *Host) atTable(ctx context.Context, timer bot.Timer, fn func(r *bot.Room, t table, env game.Env) error) error {
	id := fmt.Sprintf("%s%d:%d", timerCause, timer.Table, timer.ID)
	shown, err := h.postedIn(ctx, timer.Channel)
	if err != nil {
		return err
	}
	err = h.Store.Update(ctx, timer.Channel, id, func(r *bot.Room) error {
		if r.Receipt != nil || r.Table != timer.Table {
			return nil
		}
		t, err := table{Channel: r.Channel, ID: r.Table, Events: r.Events}.replayed()
		if err != nil {
			return err
		}
		return fn(r, t, game.Env{Now: h.Now(), Cause: id, Posted: shown.since(t)})
	})
	if err == nil {
		h.committed(timer.Channel)
	}
	return err
}

// lastPlayStands ends the game when the time to challenge its last play is
// over.
func (h *Host) lastPlayStands(ctx context.Context, timer bot.Timer) error {
	return h.atTable(ctx, timer, func(r *bot.Room, t table, env game.Env) error {
		if t.Phase != game.Closing || t.Until.After(env.Now) {
			return nil
		}
		done, err := game.Decide(t.State, game.Person{}, game.TimeUp{}, env)
		if err != nil {
			return err
		}
		h.fill(r, t, "", done)
		return nil
	})
}
