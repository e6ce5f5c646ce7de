package table

import (
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// Overtaken reports whether a post is about a lobby that has changed since, so that the
// next post of its queue replaces it. The first post of a lobby is always sent.
func (t Table) Overtaken(now Table, post bot.Post) bool {
	return t.Phase == game.Lobby && post.From > 0 && now.Number > t.Number
}

// Outdated reports whether a post is about a turn that another has followed, so that the
// next post of its queue shows the board.
func (t Table) Outdated(now Table, post bot.Post) (bool, error) {
	if !t.Played() || t.Phase == game.Over || now.News() <= post.To || post.From == 0 {
		return false, nil
	}
	before, err := t.At(post.From)
	return before.Played(), err
}

// Racks returns each player's rack, sorted.
func Racks(s game.State) map[game.PlayerID]game.Tiles {
	racks := map[game.PlayerID]game.Tiles{}
	for _, seat := range s.Seats {
		racks[seat.Person.ID] = seat.Rack.Sorted()
	}
	return racks
}
