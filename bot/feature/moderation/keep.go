package moderation

import (
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/game"
)

// exportRows are somebody's reports, without those about them: whoever reported
// them trusted that they aren't told.
func exportRows(rows bot.Rows, who game.PlayerID, _ []bot.TableID) (map[string]any, error) {
	var mine []complaint
	err := notes.EachOf(rows, reportsShelf, "", func(_ string, c complaint) error {
		if c.By.ID == who {
			mine = append(mine, c)
		}
		return nil
	})
	if err != nil || mine == nil {
		return nil, err
	}
	return map[string]any{"reports": mine}, nil
}

// forget puts a former player in somebody's place in what stays: the reports, and
// the log of what keepers did. What they wrote goes, and so do they from the
// blocks of others.
func forget(rows bot.Rows, who game.PlayerID, former bot.User, _ []bot.TableID) error {
	if err := unblockEverywhere(rows, who); err != nil {
		return err
	}
	if err := notes.EachOf(rows, reportsShelf, "", func(key string, c complaint) error {
		return notes.Put(rows, reportsShelf, key, c.without(who, former))
	}); err != nil {
		return err
	}
	return notes.EachOf(rows, deedsShelf, "", func(key string, d deed) error {
		if d.By.ID == who {
			d.By = former
		}
		if d.To.ID == who {
			d.To, d.What = former, ""
		}
		return notes.Put(rows, deedsShelf, key, d)
	})
}
