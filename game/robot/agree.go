package robot

import "github.com/rackmate/rackmate/game"

// mostForATile is the most points that a player's tiles bring on average: experts get about 9
// points for each, bingos included.
const mostForATile = 15

// Agrees reports whether a robot would end a game here by agreement: if that can't lose it the game
// whatever the opponents hold, if it is further behind than its share of the tiles can make up, or
// if no one can play any more.
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

// lead returns the viewer's score minus the best score of the opponents.
func (v View) lead() int {
	best, others := 0, false
	for i, seat := range v.Seats {
		if i != v.Me && !seat.Out && (!others || seat.Score > best) {
			best, others = seat.Score, true
		}
	}
	return v.Seats[v.Me].Score - best
}
