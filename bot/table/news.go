package table

import (
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// IsOvertaken reports whether a post is about a lobby that has changed since, so that the
// next post of its queue replaces it. The first post of a lobby is always sent.
func (t Table) IsOvertaken(now Table, post bot.Post) bool {
	return t.Phase == game.Lobby && post.From > 0 && now.Number > t.Number
}

// IsOutdated reports whether a post is about a turn that another has followed, so that the
// next post of its queue shows the board.
func (t Table) IsOutdated(now Table, post bot.Post) (bool, error) {
	if !t.IsDealt() || t.Phase == game.Over || now.News() <= post.To || post.From == 0 {
		return false, nil
	}
	before, err := t.At(post.From)
	return before.IsDealt(), err
}

// Racks returns each player's rack, sorted.
func Racks(s game.State) map[game.PlayerID]game.Tiles {
	racks := map[game.PlayerID]game.Tiles{}
	for _, seat := range s.Seats {
		racks[seat.Person.ID] = seat.Rack.Sorted()
	}
	return racks
}

// IsRunning reports whether a game has begun and isn't over.
func IsRunning(s game.State) bool {
	return s.Phase != game.NoTable && s.Phase != game.Lobby && s.Phase != game.Over
}

// RackKind is the kind of the posts that show players their racks where they have cards; see
// [bot.Platform.Cards].
const RackKind = "rack"

// NewCards lists the players on a platform who need a new card after a step, in the order of
// their seats: they have other tiles or the same in another order, have joined or left the
// game, or it has ended.
func NewCards(platform string, before, after game.State) (all []game.PlayerID) {
	had, have := cards(platform, before), cards(platform, after)
	for _, seat := range slices.Concat(after.Seats, before.Seats) {
		who := seat.Person.ID
		was, held := had[who]
		if is, holds := have[who]; (held != holds || was != is) && !slices.Contains(all, who) {
			all = append(all, who)
		}
	}
	return all
}

// cards returns the racks that the cards of the players on a platform show.
func cards(platform string, s game.State) map[game.PlayerID]game.Tiles {
	all := map[game.PlayerID]game.Tiles{}
	if v, _ := game.FindVariant(s.Rules.Variant); v.Shared || s.Phase != game.Playing && s.Phase != game.Closing {
		return all
	}
	for _, seat := range s.Seats {
		who := seat.Person.ID
		if bot.ChannelID(who).Platform() == platform && !who.IsRobot() && !seat.Out && seat.Rack != "" {
			all[who] = seat.Rack
		}
	}
	return all
}
