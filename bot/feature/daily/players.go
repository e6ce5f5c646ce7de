package daily

import (
	"context"

	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
)

// players tells under which name somebody plays.
type players struct {
	desk feature.Desk
	rows *shelf.Shelf[shelf.Person, Player]
}

// of is the name under which somebody plays, who may have several, and what is
// kept of them: that under which they have played most.
func (ps *players) of(ctx context.Context, who game.PlayerID) (game.PlayerID, Player, error) {
	ids, err := ps.desk.Identities(ctx, who)
	if err != nil {
		return who, Player{}, err
	}
	var most Player
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

// Played is on how many days somebody has played, in all and in a row at best.
func (f *Feature) Played(ctx context.Context, who game.PlayerID) (days, inARow int, err error) {
	p, _, err := f.players.Get(ctx, shelf.Person(who))
	return p.Streak.Days, p.Streak.Best, err
}
