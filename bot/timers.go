package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/game"
)

// RunTimers does what falls due, until ctx is done.
func (h *Host) RunTimers(ctx context.Context) error {
	return h.loop(ctx, "", func() (time.Time, error) {
		for {
			due, next, err := h.Store.Due(ctx, h.Now())
			if err != nil || len(due) == 0 {
				return next, err
			}
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

// fire lets the last play of a table stand when the time to challenge it is
// over. A timer only asks to look: what is to be done, if anything still is,
// the table itself says.
func (h *Host) fire(ctx context.Context, timer Timer) error {
	if timer.Kind == recordKind {
		if err := h.record(ctx, timer); err != nil {
			return fmt.Errorf("count the game of table %d: %w", timer.Table, err)
		}
		return h.Store.Fired(ctx, timer.ID)
	}
	req := Request{ID: fmt.Sprintf("timer:%d:%d", timer.Table, timer.ID), Channel: timer.Channel}
	err := h.Store.Update(ctx, timer.Channel, req.ID, func(r *Room) error {
		t, err := table{Channel: r.Channel, ID: r.Table, Events: r.Events}.replayed()
		if err != nil || r.Receipt != nil || t.ID != timer.Table || t.Phase != game.Closing || t.Until.After(h.Now()) {
			return err
		}
		done, err := game.Decide(t.State, game.Person{}, game.TimeUp{}, game.Env{Now: h.Now(), Cause: req.ID})
		if err != nil {
			return err
		}
		h.fill(r, t, "", done)
		return nil
	})
	if err != nil {
		return fmt.Errorf("timer %d of table %d: %w", timer.ID, timer.Table, err)
	}
	h.committed(timer.Channel)
	return h.Store.Fired(ctx, timer.ID)
}
