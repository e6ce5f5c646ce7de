package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// MemberLeft is for adapters to say that somebody has left a home; see
// Request.Home. The seats that they have there are free for others.
func (h *Host) MemberLeft(ctx context.Context, home string, who game.PlayerID) error {
	tables, err := h.Store.Playing(ctx, who)
	if err != nil {
		return fmt.Errorf("list games: %w", err)
	}
	var failed []error
	for _, id := range tables {
		failed = append(failed, h.vacate(ctx, id, home, who))
	}
	return errors.Join(failed...)
}

func (h *Host) vacate(ctx context.Context, id bot.TableID, home string, who game.PlayerID) error {
	ch, events, err := h.Store.Events(ctx, id, -1)
	if err != nil {
		return err
	}
	if at, err := h.HomeOf(ctx, ch); err != nil || at != home {
		return err
	}
	// They may come back and leave again: another request.
	cause := fmt.Sprintf("left:%d:%d", id, len(events))
	err = h.Store.Update(ctx, ch, cause, func(r *bot.Room) error {
		t, err := h.Replay(ch, r.Table, r.Events)
		if err != nil || r.Receipt != nil || t.ID != id {
			return err
		}
		done, err := game.Decide(t.State, game.Person{}, game.Vacate{Player: who}, game.Env{Now: h.Now(), Cause: cause})
		if words.IsMistake(err) {
			return nil // the last play is made, or they are out already
		}
		if err != nil {
			return err
		}
		h.Fill(r, t, "", done)
		return nil
	})
	if err == nil {
		h.Committed(ch)
	}
	return err
}
