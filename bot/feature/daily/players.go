package daily

import (
	"context"

	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
)

// players finds a person's streak under any of their identities.
type players struct {
	desk feature.Desk
	rows *shelf.Shelf[shelf.Person, playerRow]
}

// load returns the identity under which a person has played on most days, with its row.
func (ps *players) load(ctx context.Context, who game.PlayerID) (game.PlayerID, playerRow, error) {
	ids, err := ps.desk.Identities(ctx, who)
	if err != nil {
		return who, playerRow{}, err
	}
	var most playerRow
	for i, id := range ids {
		p, _, err := ps.rows.Get(ctx, shelf.Person(id))
		if err != nil {
			return who, p, err
		}
		if i == 0 || p.Streak.Days > most.Streak.Days {
			who, most = id, p
		}
	}
	return who, most, nil
}

// DaysPlayed returns the number of days on which a person has played, and their longest run of days.
func (f *Feature) DaysPlayed(ctx context.Context, who game.PlayerID) (days, inARow int, err error) {
	p, _, err := f.players.Get(ctx, shelf.Person(who))
	return p.Streak.Days, p.Streak.Best, err
}
