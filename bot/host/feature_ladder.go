package host

import "github.com/rackmate/rackmate/bot"

// ladderFeature counts finished games: records and ratings.
func ladderFeature() Feature {
	return Feature{
		Commands: []command{
			{bot.Command{Name: "stats", Help: "See what you, or somebody else, have done in all your games", Example: "/stats", Options: statsOptions()}, (*Host).stats, nil},
			{bot.Command{Name: "top", Help: "See the best players and plays of this server", Example: "/top month", Options: topOptions()}, (*Host).top, nil},
		},
		Timers: func(_ *Host, s step) []bot.Timer { return recorded(s.After, s.Done) },
		Due:    map[string]due{recordKind: {Do: (*Host).record}},
		Kept:   &keeping{Shelves: []string{playersShelf}, Own: ownRecords, Export: exportResults, Forget: forgetResults, LeaveTable: (*Host).recordTable},
	}
}
