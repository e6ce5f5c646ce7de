package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	robots := h.newWorkers()
	defer robots.wait()
	return h.loop(ctx, "", func() (time.Time, error) {
		if err := h.followPlans(ctx); err != nil {
			return time.Time{}, err
		}
		held := 0
		for {
			due, next, err := h.Store.Due(ctx, h.Now(), mostDue+robots.waiting()+held)
			if err != nil {
				return next, err
			}
			if due = robots.take(ctx, due); len(due) == 0 {
				return next, nil
			}
			due, held = beforeDigests(due)
			var failed []error
			for _, timer := range due {
				failed = append(failed, h.fire(ctx, timer))
			}
			// One that fails holds up no other, and is tried again later.
			if err := errors.Join(failed...); err != nil {
				return time.Time{}, err
			}
		}
	})
}

// beforeDigests are the timers to see to now, of those that are due: the digests
// come last, so that they tell how things stand when all the others are done.
// held is how many are left for later.
func beforeDigests(due []bot.Timer) (now []bot.Timer, held int) {
	now = slices.DeleteFunc(slices.Clone(due), func(t bot.Timer) bool { return t.Kind == digestKind })
	if len(now) == 0 {
		return due, 0
	}
	return now, len(due) - len(now)
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
	return h.Store.Fired(ctx, timer)
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
