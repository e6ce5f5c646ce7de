package ladder

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
)

// Feature counts finished games: records and ratings.
func Feature() host.Feature {
	return host.Feature{
		Commands: []host.Command{
			{Command: bot.Command{Name: "stats", Help: "See what you, or somebody else, have done in all your games", Example: "/stats", Options: statsOptions()}, Run: stats, Complete: nil},
			{Command: bot.Command{Name: "top", Help: "See the best players and plays of this server", Example: "/top month", Options: topOptions()}, Run: top, Complete: nil},
		},
		Timers: func(_ context.Context, _ *host.Host, s host.Step) []bot.Timer { return recorded(s.After, s.Done) },
		Due:    map[string]host.Due{recordKind: {Do: record}},
		Kept:   &host.Keeping{Shelves: []string{playersShelf}, Own: ownRecords, Export: exportResults, Forget: forgetResults, LeaveTable: recordTable},
	}
}
