package notify

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/person"
)

// Feature tells people that it is their turn, and keeps their plans.
func Feature() host.Feature {
	return host.Feature{
		Commands: []host.Command{
			{Command: bot.Command{Name: "plan", Help: "Say in private what you mean to play at your next turn", Example: "/plan horn 8h least:20", Options: planOptions()}, Run: plan, Complete: map[string]host.Completer{"at": host.Squares, "least": leastPoints}},
			{Command: bot.Command{Name: "nudge", Help: "Tell the player whose turn it is once more, once a day", Example: "/nudge", Options: nil}, Run: nudge, Complete: nil},
		},
		Timers: turnTimers,
		Due: map[string]host.Due{
			turnKind:   {Do: planCall},
			sentKind:   {Do: planCall},
			callKind:   {Do: callTurn},
			remindKind: {Do: remindTurn},
			digestKind: {Do: digest, Last: true}, // it tells how things stand then
		},
		Posts: map[string]host.Posting{
			planKind: {Tell: planMessage}, callKind: {Tell: callMessage},
			remindKind: {Tell: callMessage}, digestKind: {Tell: digestMessage},
		},
		Wants:   wants,
		Refused: refusedDM,
		Heard: func(ctx context.Context, h *host.Host, req bot.Request) error {
			if req.Command == "settings" {
				return nil // which says it first
			}
			_, err := person.TakesAgain(ctx, h, req.User.ID)
			return err
		},
		Hush:   hushCalls,
		Begin:  everyPlan,
		Follow: followPlansIn,
		Kept:   &host.Keeping{Shelves: []string{digestShelf, person.RefusedShelf}, Parted: []string{plansShelf}},
	}
}
