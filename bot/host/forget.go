package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/game"
)

// A Holding is what is kept of a person.
type Holding struct {
	Playing int            // games that aren't over, from which they would get up
	Played  int            // those that are, which stay
	Rows    map[string]int // of notes, by the names of their shelves
}

// HeldOf counts what is kept of somebody.
func (h *Host) HeldOf(ctx context.Context, who game.PlayerID) (is Holding, err error) {
	tables, err := h.archive.desk.Store.Named(ctx, who)
	if err != nil {
		return is, err
	}
	for _, id := range tables {
		t, err := feature.LoadTable(ctx, h.archive.desk, id)
		if err != nil {
			return is, err
		}
		if t.End == nil {
			is.Playing++
		} else {
			is.Played++
		}
	}
	is.Rows, err = h.archive.room.Count(ctx, who, tables)
	return is, err
}

// ForgetSoon notes that somebody is to be forgotten, as Forget does, for hosts that have
// the platforms they are on: the next that runs ForgetLeavers does it.
func (h *Host) ForgetSoon(ctx context.Context, who bot.User) error {
	_, err := h.archive.note(ctx, who)
	return err
}

// ForgetLeavers forgets those whom another program began to forget.
func (h *Host) ForgetLeavers(ctx context.Context) error { return h.archive.forgetLeavers(ctx) }

// HeldAt counts the rows of notes of some channels and homes, by shelf.
func (h *Host) HeldAt(ctx context.Context, in func(place string) bool) (rows map[string]int, err error) {
	return h.archive.room.CountAt(ctx, in)
}

// ChannelsOf are the channels of a home in which tables were opened.
func (h *Host) ChannelsOf(ctx context.Context, home string) ([]bot.ChannelID, error) {
	return h.settings.ChannelsOf(ctx, home)
}

// ForgetPlaces removes the notes of channels and homes, and says how many those were, by
// shelf; games stay. It can be done again, and goes on where it was stopped.
func (h *Host) ForgetPlaces(ctx context.Context, in func(place string) bool) (rows map[string]int, err error) {
	return h.archive.room.ForgetAt(ctx, in, settings.HomesShelf)
}
