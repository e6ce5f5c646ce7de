package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
)

// notifyFeature tells people that it is their turn, and keeps their plans.
func notifyFeature() Feature {
	return Feature{
		Commands: []command{
			{bot.Command{Name: "plan", Help: "Say in private what you mean to play at your next turn", Example: "/plan horn 8h least:20", Options: planOptions()}, (*Host).plan, map[string]completer{"at": (*Host).squares, "least": (*Host).leastPoints}},
			{bot.Command{Name: "nudge", Help: "Tell the player whose turn it is once more, once a day", Example: "/nudge", Options: nil}, (*Host).nudge, nil},
		},
		Timers: func(h *Host, s step) []bot.Timer { return h.turnTimers(s) },
		Due: map[string]due{
			turnKind:   {Do: (*Host).planCall},
			sentKind:   {Do: (*Host).planCall},
			callKind:   {Do: (*Host).callTurn},
			remindKind: {Do: (*Host).remindTurn},
			digestKind: {Do: (*Host).digest, Last: true}, // it tells how things stand then
		},
		Posts: map[string]posting{
			planKind: {Tell: (*Host).planMessage}, callKind: {Tell: (*Host).callMessage},
			remindKind: {Tell: (*Host).callMessage}, digestKind: {Tell: (*Host).digestMessage},
		},
		Wants:   (*Host).wanted,
		Refused: (*Host).refusedDM,
		Heard: func(h *Host, ctx context.Context, req bot.Request) error {
			if req.Command == "settings" {
				return nil // which says it first
			}
			_, err := h.takesAgain(ctx, req.User.ID)
			return err
		},
		Hush:   (*Host).hushed,
		Begin:  (*Host).everyPlan,
		Follow: (*Host).followPlansIn,
		Kept:   &keeping{Shelves: []string{digestShelf, refusedShelf}, Own: plansOf},
	}
}
