package feature

import (
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// SeatsOf returns the seats of two opponents. While a player is being erased, one of them
// may have another name at the table than in the pairing; they have the seat that isn't the
// opponent's.
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
