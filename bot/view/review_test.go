package view

import (
	"math"
	"testing"

	"github.com/rackmate/rackmate/game/robot"
)

// With tiles in the bag the estimate is the chance to win. With an empty bag the points until
// the end decide.
func TestWinAfter(t *testing.T) {
	seats := func(scores ...int) (all []robot.SeatView) {
		for _, n := range scores {
			all = append(all, robot.SeatView{Score: n})
		}
		return all
	}
	known := robot.Chance{Win: 0.62, Error: 0.01, Known: true}
	for name, tt := range map[string]struct {
		view   robot.View
		choice robot.Choice
		want   float64 // -1 means unknown
	}{
		"estimated":     {robot.View{Bag: 9, Seats: seats(100, 90)}, robot.Choice{Chance: known}, 0.62},
		"not estimated": {robot.View{Bag: 9, Seats: seats(100, 90)}, robot.Choice{}, -1},
		"ahead":         {robot.View{Seats: seats(100, 90)}, robot.Choice{Equity: -9}, 1},
		"level":         {robot.View{Seats: seats(100, 90)}, robot.Choice{Equity: -10}, 0.5},
		"behind":        {robot.View{Seats: seats(100, 90)}, robot.Choice{Equity: -11}, 0},
		"the second":    {robot.View{Me: 1, Seats: seats(100, 90)}, robot.Choice{Equity: 11}, 1},
		"only scored":   {robot.View{Seats: seats(100, 90)}, robot.Choice{Equity: math.NaN()}, -1},
		"three players": {robot.View{Seats: seats(100, 90, 80)}, robot.Choice{Equity: 5}, -1},
	} {
		switch win := winAfter(tt.view, tt.choice); {
		case win == nil && tt.want >= 0, win != nil && *win != tt.want:
			t.Errorf("%s: %v, want %v", name, win, tt.want)
		}
	}
}
