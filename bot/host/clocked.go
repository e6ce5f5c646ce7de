package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// clockedEvents returns a post's table's events up to the post's end if a clock depends on its arrival,
// else none.
func (h *deliveries) clockedEvents(ctx context.Context, post bot.Post) ([]game.Event, error) {
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

// isEnded reports whether the last of the events ends their game.
func isEnded(events []game.Event) bool {
	_, over := events[len(events)-1].Fact.(game.Ended)
	return over
}
