package pace

import (
	"context"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/person"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Feature is time: clocks, late turns, absences, and seats that are free.
func Feature() host.Feature {
	return host.Feature{
		Commands: []host.Command{
			{Command: bot.Command{Name: "claim", Help: "Take the game when an opponent has gone", Example: "/claim", Options: nil}, OfGame: true, Run: claim, Complete: nil},
			{Command: bot.Command{Name: "wait", Help: "Give an opponent who is late their time again", Example: "/wait", Options: nil}, OfGame: true, Run: waitOn, Complete: nil},
			{Command: bot.Command{Name: "adopt", Help: "Play on in a seat that has lost its player", Example: "/adopt"}, Run: adopt, Complete: nil},
			{Command: bot.Command{Name: "away", Help: "Stop your clocks while you are away", Example: "/away 10", Options: awayOptions()}, Run: away, Complete: nil},
			{Command: bot.Command{Name: "unseat", Help: "Free a player's seat for somebody else, if you manage this place", Example: "/unseat @ann", Options: unseatOptions()}, Run: unseat, Complete: nil},
		},
		Settings: paceSettings(),
		Options:  map[string][]bot.Option{"new": paceOptions()},
		Open:     readPace,
		Timers: func(_ context.Context, _ *host.Host, s host.Step) []bot.Timer {
			all := clockTimer(s.After, s.Last().At)
			all = append(all, watches(s.Start, s.After)...)
			return append(all, leaveTimers(s.Start, s.After, s.Done)...)
		},
		Due: map[string]host.Due{
			clockKind: {Do: runOut},
			watchKind: {Do: lookAtTurn},
			leaveKind: {Do: sendAway},
		},
		Kept: &host.Keeping{Shelves: []string{person.AwayShelf}},
	}
}

// paceSettings are what those who manage a place set for the time at its tables.
func paceSettings() []settings.Setting {
	var all []settings.Setting
	for i, usual := range []string{"none", "none", "counts", game.LateClaim.String()} {
		o := paceOptions()[i]
		all = append(all, settings.Setting{Option: settings.Pick(o.Name, strings.ToLower(o.Help[:1])+o.Help[1:], o.Choices), NewTable: true, Usual: settings.Usually(usual)})
	}
	all[0].Help = "For a place: how long a turn may take, where a table doesn't say otherwise"
	all[2].Help = "For a place: whether Saturdays and Sundays count, in the time zone of the person who opens a table"
	return append(all, settings.Setting{
		Option:   settings.Pick("away", "how many days a year a player may be away, 0 to 366", nil),
		Complete: awayDaysToSet,
		Usual:    settings.Usually(strconv.Itoa(awayDays)),
		Check: func(_ settings.Has, value string) error {
			if n, err := strconv.Atoi(value); err != nil || n < 0 || n > 366 {
				return words.Refusing("{typed} is no number of days from 0 to 366. Write one: {settings}.", text.Code(text.Shorten(value, bot.MaxName)), text.Code("/settings for:server away:30"))
			}
			return nil
		},
	})
}
