package daily

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/game/puzzle"
)

// A player can't get fresh tries on a board that is still open somewhere by playing the board of a
// place that is days ahead.
func TestTriesCantBeRenewedElsewhere(t *testing.T) {
	ahead := boardID{list: "en", day: 100}
	begins := openingTime(ahead.day, 0, time.FixedZone("east", 14*60*60))
	old := boardID{list: "en", day: puzzle.DayOf(begins.UTC()) - longestApart}
	for _, order := range [][2]boardID{{old, ahead}, {ahead, old}} {
		var p playerRow
		p.keep(order[0], []attempt{{Score: 14}})
		p.keep(order[1], []attempt{{Score: 20}})
		if len(p.Boards[order[0].key()]) != 1 {
			t.Errorf("after board %d the tries on board %d are gone", order[1].day, order[0].day)
		}
	}
	var p playerRow
	p.keep(old, []attempt{{Score: 14}})
	p.keep(boardID{list: "en", day: old.day + keptBoards + 1}, nil)
	if len(p.Boards) != 1 {
		t.Errorf("boards %v are kept, though one has closed everywhere", p.Boards)
	}
}
