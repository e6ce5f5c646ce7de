package people

import (
	"context"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// memberLeft frees the seats in a home of a member who has left it.
func (f *Feature) memberLeft(ctx context.Context, home string, who game.PlayerID) error {
	tables, err := f.desk.TablesOf(ctx, who)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range tables {
		failed = append(failed, f.freeSeat(ctx, id, home, who))
	}
	return errors.Join(failed...)
}

func (f *Feature) freeSeat(ctx context.Context, id bot.TableID, home string, who game.PlayerID) error {
	t, err := feature.LoadTable(ctx, f.desk, id)
	if err != nil {
		return err
	}
	if at, err := f.Others.Settings.HomeOf(ctx, t.Channel); err != nil || at != home {
		return err
	}
	// The number tells this departure from later ones, since they may come back and leave
	// again.
	return f.desk.Update(ctx, t.Channel, fmt.Sprintf("left:%d:%d", id, t.Number), func(r *feature.Room) error {
		if r.Receipt() != nil || r.Table.ID != id {
			return nil
		}
		done, err := game.Decide(r.Table.State, game.Person{}, game.Vacate{Player: who}, r.Env)
		if words.IsMistake(err) {
			return nil // the last play has been made, or they are out already
		}
		if err != nil {
			return err
		}
		r.Fill("", done)
		return nil
	})
}
