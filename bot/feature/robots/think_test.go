package robots

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/game/robot"
)

func TestThinkingShrinksWithQueue(t *testing.T) {
	whole := robot.DefaultPositions
	for _, c := range []struct{ waiting, thinkers, want int }{
		{1, 1, whole}, {0, 1, whole}, {2, 3, whole}, {3, 3, whole},
		{2, 1, whole / 2}, {12, 3, whole / 4}, {10, 1, whole / 10},
		{50, 1, whole / 20}, {5000, 1, whole / 20},
	} {
		if got := positionsAmong(c.waiting, c.thinkers); got != c.want {
			t.Errorf("%d wait, %d think at once: %d positions, not %d", c.waiting, c.thinkers, got, c.want)
		}
	}
}

func TestThinkingShrinksWithClock(t *testing.T) {
	whole := robot.DefaultPositions
	for _, c := range []struct {
		left time.Duration
		want int
	}{
		{25 * time.Minute, whole}, {80 * time.Second, whole}, {40 * time.Second, whole / 2}, {8 * time.Second, whole / 10},
		{time.Second, whole / 20}, {0, whole / 20}, {-time.Minute, whole / 20},
	} {
		if got := positionsIn(c.left); got != c.want {
			t.Errorf("%v left: %d positions, not %d", c.left, got, c.want)
		}
	}
}
