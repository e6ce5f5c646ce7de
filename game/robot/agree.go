package robot

import "github.com/rackmate/rackmate/game"

// mostForATile is what a player's tiles bring in points at the most, on average: experts
// get some 9 points for each, bingos included.
const mostForATile = 15

// Agrees reports whether a robot would end a game here by agreement: where that can't
// lose it the game, whatever the others hold, where it is behind by more than its share
// of the tiles can give, or where nobody can play any more.
func (m *Mind) Agrees(s game.State, seat int) (bool, error) {
	v := See(s, seat)
	rack := v.Rack.Sorted()
	if lead := v.lead(); lead >= v.Equipment.Tiles.Sum(rack) || -lead > mostForATile*(len(rack)+v.Bag/len(s.Active())) {
		return true, nil
	}
	if v.Bag > 0 {
		return false, nil
	}
	more, err := m.CanPlay(s, v.Rack, v.Unseen)
	return !more, err
}

// lead is how many points the viewer has more than the best of the others, below zero
// where somebody has more.
func (v View) lead() int {
	best, others := 0, false
	for i, seat := range v.Seats {
		if i != v.Me && !seat.Out && (!others || seat.Score > best) {
			best, others = seat.Score, true
		}
	}
	return v.Seats[v.Me].Score - best
}
