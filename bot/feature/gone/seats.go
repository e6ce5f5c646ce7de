package gone

import (
	"context"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// leaveSeats frees the seats that somebody who has left a home has there.
func leaveSeats(ctx context.Context, h *host.Host, home string, who game.PlayerID) error {
	tables, err := h.Store.Playing(ctx, who)
	if err != nil {
		return fmt.Errorf("list games: %w", err)
	}
	var failed []error
	for _, id := range tables {
		failed = append(failed, vacate(ctx, h, id, home, who))
	}
	return errors.Join(failed...)
}

func vacate(ctx context.Context, h *host.Host, id bot.TableID, home string, who game.PlayerID) error {
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
		h.Fill(ctx, r, t, "", done)
		return nil
	})
	if err == nil {
		h.Committed(ch)
	}
	return err
}
