package table

import (
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// Overtaken reports whether a post tells of a lobby that has changed since: the
// next post of its lane tells of that. The first one is posted always.
func (t Table) Overtaken(now Table, post bot.Post) bool {
	return t.Phase == game.Lobby && post.From > 0 && now.Number > t.Number
}

// Outdated reports whether a post tells of a turn after which there has been
// another: the next post of its lane has the board.
func (t Table) Outdated(now Table, post bot.Post) (bool, error) {
	if !t.Played() || t.Phase == game.Over || now.News() <= post.To || post.From == 0 {
		return false, nil
	}
	before, err := t.At(post.From)
	return before.Played(), err
}

// Racks are what each player holds, sorted.
func Racks(s game.State) map[game.PlayerID]game.Tiles {
	racks := map[game.PlayerID]game.Tiles{}
	for _, seat := range s.Seats {
		racks[seat.Person.ID] = seat.Rack.Sorted()
	}
	return racks
}
