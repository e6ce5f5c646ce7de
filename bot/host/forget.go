package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/game"
)

// A DataCount counts the data stored about a person.
type DataCount struct {
	Playing int            // unfinished games, which they would leave
	Played  int            // finished games, which stay
	Rows    map[string]int // rows of notes, by shelf
}

// CountData counts the data stored about a person.
func (h *Host) CountData(ctx context.Context, who game.PlayerID) (is DataCount, err error) {
	tables, err := h.archive.desk.Store.TablesNaming(ctx, who)
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

// ForgetSoon records that a person is to be erased. It is for a program without the platforms:
// the next host that runs ForgetLeavers erases them.
func (h *Host) ForgetSoon(ctx context.Context, who bot.User) error {
	_, err := h.archive.note(ctx, who)
	return err
}

// ForgetLeavers resumes erasures that another process left unfinished.
func (h *Host) ForgetLeavers(ctx context.Context) error { return h.archive.forgetLeavers(ctx) }

// CountRowsAt counts the rows of notes of some channels and homes, by shelf.
func (h *Host) CountRowsAt(ctx context.Context, in func(place string) bool) (rows map[string]int, err error) {
	return h.archive.room.CountAt(ctx, in)
}

// ChannelsOf returns the channels of a home in which tables were opened.
func (h *Host) ChannelsOf(ctx context.Context, home string) ([]bot.ChannelID, error) {
	return h.settings.ChannelsOf(ctx, home)
}

// ForgetPlaces removes the notes of channels and homes, and returns how many there were on each
// shelf. Games stay. If it is interrupted, it can be repeated.
func (h *Host) ForgetPlaces(ctx context.Context, in func(place string) bool) (rows map[string]int, err error) {
	return h.archive.room.ForgetAt(ctx, in, settings.HomesShelf)
}
