package feature

import (
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// SeatsOf are where two sit who play each other. One of them may have another name at the
// table than where they were paired, while they are being forgotten: they have the seat
// that isn't the opponent's.
func SeatsOf(t table.Table, a, b game.PlayerID) (seats [2]int, ok bool) {
	x, here := t.SeatOf(a)
	y, there := t.SeatOf(b)
	switch {
	case len(t.Seats) != 2 || !here && !there:
		return seats, false
	case !here:
		x = 1 - y
	case !there:
		y = 1 - x
	}
	return [2]int{x, y}, true
}
