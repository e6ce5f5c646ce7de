package host

import (
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// paceFeature is time: clocks, late turns, absences, and seats that are free.
func paceFeature() Feature {
	return Feature{
		Commands: []command{
			{bot.Command{Name: "claim", Help: "Take the game when an opponent has gone", Example: "/claim", Options: nil}, (*Host).claim, nil},
			{bot.Command{Name: "wait", Help: "Give an opponent who is late their time again", Example: "/wait", Options: nil}, (*Host).waitOn, nil},
			{bot.Command{Name: "adopt", Help: "Play on in a seat that has lost its player", Example: "/adopt"}, (*Host).adopt, nil},
			{bot.Command{Name: "away", Help: "Stop your clocks while you are away", Example: "/away 10", Options: awayOptions()}, (*Host).away, nil},
			{bot.Command{Name: "unseat", Help: "Free a player's seat for somebody else, if you manage this place", Example: "/unseat @ann", Options: unseatOptions()}, (*Host).unseat, nil},
		},
		Settings: paceSettings(),
		Options:  map[string][]bot.Option{"new": paceOptions()},
		Open:     readPace,
		Timers: func(_ *Host, s step) []bot.Timer {
			all := clockTimer(s.After, s.last().At)
			all = append(all, watches(s.Start, s.After)...)
			return append(all, leaveTimers(s.Start, s.After, s.Done)...)
		},
		Due: map[string]due{
			clockKind: {Do: (*Host).runOut},
			watchKind: {Do: (*Host).lookAtTurn},
			leaveKind: {Do: (*Host).sendAway},
		},
		Kept: &keeping{Shelves: []string{awayShelf}},
	}
}

// paceSettings are what those who manage a place set for the time at its tables.
func paceSettings() []placeSetting {
	var all []placeSetting
	for i, usual := range []string{"none", "none", "counts", game.LateClaim.String()} {
		o := paceOptions()[i]
		all = append(all, placeSetting{Option: pickSetting(o.Name, strings.ToLower(o.Help[:1])+o.Help[1:], o.Choices), newTable: true, usual: usually(usual)})
	}
	all[0].Help = "For a place: how long a turn may take, where a table doesn't say otherwise"
	all[2].Help = "For a place: whether Saturdays and Sundays count, in the time zone of who opens a table"
	return append(all, placeSetting{
		Option:   pickSetting("away", "how many days a year a player may be away, 0 to 366", nil),
		complete: (*Host).awayDaysToSet,
		usual:    usually(strconv.Itoa(awayDays)),
		check: func(_ *Host, value string) error {
			if n, err := strconv.Atoi(value); err != nil || n < 0 || n > 366 {
				return refusing(bot.Code(bot.Shorten(value, bot.MaxName)), " is no number of days from 0 to 366. Write one: ", bot.Code("/settings for:server away:30"), ".")
			}
			return nil
		},
	})
}
