package pace

import (
	"context"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A Feature manages clocks, late turns, absences and free seats.
type Feature struct {
	desk     feature.Desk
	own      *shelf.Owner
	person   func(context.Context, game.PlayerID) (settings.Person, error)
	markSeen func(context.Context, table.Table) error
	away     *shelf.Shelf[shelf.Person, storedAway]
}

// New returns the feature. person returns a person's own settings; markSeen is
// [feature.Registry.MarkSeen].
func New(d feature.Desk, own *shelf.Owner, person func(context.Context, game.PlayerID) (settings.Person, error), markSeen func(context.Context, table.Table) error) *Feature {
	return &Feature{d, own, person, markSeen, shelf.Open(own, "away", shelf.Spec[shelf.Person, storedAway]{Why: "when somebody said that they are away"})}
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands:   f.commands,
		Extensions: map[string]feature.Extension{"new": {Options: paceOptions()}},
		Settings:   paceSettings(),
		Due:        map[string]feature.Due{clockKind: {Do: f.runOut}, watchKind: {Do: f.lookAtTurn}, leaveKind: {Do: f.sendAway}},
		Open:       f.open,
		Timers:     f.timers,
	}
}

// commands returns the feature's commands.
func (f *Feature) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "claim", Help: "Claim the game when an opponent has gone", Example: "/claim"}, OfGame: true, Run: f.claim},
		{Command: bot.Command{Name: "wait", Help: "Give an opponent who is late more time", Example: "/wait"}, OfGame: true, Run: f.waitOn},
		{Command: bot.Command{Name: "adopt", Help: "Take over a seat that has lost its player", Example: "/adopt"}, Run: f.adopt},
		{Command: bot.Command{Name: "away", Help: "Pause your clocks while you're away", Example: "/away 10", Options: []bot.Option{{Name: "until", Help: "Days, a date like 2026-08-24 or 24 Aug, or \"back\"", Kind: bot.Words}}}, Run: f.goAway},
		{Command: bot.Command{Name: "unseat", Help: "Free a player's seat for somebody else, if you manage this place", Example: "/unseat @ann", Options: []bot.Option{{Name: "player", Help: "Who loses the seat", Kind: bot.People}}, Manages: true}, Run: f.unseat},
	}
}

// timers returns the timers that a change of a table needs: for its clock, for late turns,
// and for absent players.
func (f *Feature) timers(_ context.Context, s feature.Step) []bot.Timer {
	all := clockTimer(s.After, s.Last().At)
	all = append(all, watches(s.Start, s.After)...)
	return append(all, leaveTimers(s.Start, s.After, s.Done)...)
}

// paceSettings returns the settings of a place that concern time.
func paceSettings() []settings.Setting {
	var all []settings.Setting
	for i, one := range []struct{ help, usual string }{
		{"For a place: how long a turn can take, unless a table says otherwise", "none"},
		{"For a place: extra time for each player, for the whole game", "none"},
		{"For a place: whether Saturdays and Sundays count, in the time zone of whoever opens a table", "counts"},
		{"For a place: what happens when a turn runs out of time", game.LateClaim.String()},
	} {
		o := paceOptions()[i]
		all = append(all, settings.Setting{Option: settings.Pick(o.Name, one.help, o.Choices), NewTable: true, Default: settings.ConstantDefault(one.usual)})
	}
	return append(all, settings.Setting{
		Option:   settings.Pick("away", "For a place: how many days a year a player can be away, 0 to 366", nil),
		Complete: awayDaysToSet,
		Default:  settings.ConstantDefault(strconv.Itoa(awayDays)),
		Check: func(_ settings.Has, value string) error {
			if n, err := strconv.Atoi(value); err != nil || n < 0 || n > 366 {
				return words.Refusing("I can't read {typed} as a number of days from 0 to 366. Try {settings}.", text.Code(text.Shorten(value, bot.MaxName)), text.Code("/settings for:server away:30"))
			}
			return nil
		},
	})
}
