package feature

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// A Member is what the club of a place knows of somebody. Of who isn't in it nothing is
// known but a rating, where they have one.
type Member struct {
	Name   string          // to play under
	Rating int             // 0 for none
	Number string          // in their association
	Avoids []game.PlayerID // whom they don't want to be paired with
	Away   bool            // now
}

// Members looks somebody up in the club of a place: by their account, or where who has no
// ID by name.
type Members func(ctx context.Context, home string, ch bot.ChannelID, who bot.User) (Member, error)
