package order

import (
	"encoding/json"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/game"
)

// exportRows are somebody's reports, without those about them: whoever reported
// them trusted that they aren't told.
func exportRows(rows bot.Rows, who game.PlayerID, _ []bot.TableID) (map[string]any, error) {
	var mine []complaint
	err := notes.Each(rows, reportsShelf, func(row bot.Row) error {
		var c complaint
		if err := json.Unmarshal(row.Value, &c); err != nil {
			return err
		}
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
	if err := notes.Each(rows, reportsShelf, func(row bot.Row) error {
		var c complaint
		if err := json.Unmarshal(row.Value, &c); err != nil {
			return err
		}
		return notes.Put(rows, reportsShelf, row.Key, c.without(who, former))
	}); err != nil {
		return err
	}
	return notes.Each(rows, deedsShelf, func(row bot.Row) error {
		var d deed
		if err := json.Unmarshal(row.Value, &d); err != nil {
			return err
		}
		if d.By.ID == who {
			d.By = former
		}
		if d.To.ID == who {
			d.To, d.What = former, ""
		}
		return notes.Put(rows, deedsShelf, row.Key, d)
	})
}
