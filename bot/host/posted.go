package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// clocked gives the events that a post tells of up to its end, where a clock runs
// by its arrival, and otherwise none.
func (h *deliveries) clocked(ctx context.Context, post bot.Post) ([]game.Event, error) {
	if post.For != "" || post.Kind != "" {
		return nil, nil
	}
	_, events, err := h.Store.Events(ctx, post.Table, post.To)
	if err != nil {
		return nil, err
	}
	if open, ok := events[0].Fact.(game.Opened); !ok || !open.Rules.Clock.On {
		return nil, nil
	}
	return events, nil
}

// ended reports whether the last of some events is the end of their game.
func ended(events []game.Event) bool {
	_, over := events[len(events)-1].Fact.(game.Ended)
	return over
}
