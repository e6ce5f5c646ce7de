package pace

import (
	"context"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file manages how long turns may take in games that last for days: the options of
// /new, the timers that end late turns, and what opponents can do about players who have
// gone.

type namedPace struct {
	value string
	label text.Text
	turn  time.Duration
}

// paces returns the choices that /new offers.
func paces() []namedPace {
	const day = 24 * time.Hour
	return []namedPace{
		{"none", text.Say("As long as it takes"), 0}, {"12h", words.FormatDuration(12 * time.Hour), 12 * time.Hour}, {"1d", words.FormatDuration(day), day},
		{"3d", words.FormatDuration(3 * day), 3 * day}, {"5d", words.FormatDuration(5 * day), 5 * day}, {"7d", words.FormatDuration(7 * day), 7 * day},
	}
}

func paceOptions() []bot.Option {
	var choices []bot.Choice
	for _, p := range paces() {
		choices = append(choices, bot.Choice{Value: p.value, Label: p.label})
	}
	return []bot.Option{
		{Name: "pace", Help: "How long a turn can take", Kind: bot.Pick, Choices: choices},
		{Name: "bank", Help: "Extra time for each player, for the whole game", Kind: bot.Pick, Choices: slices.Concat([]bot.Choice{{Value: "none", Label: text.Say("No extra time")}}, choices[1:])},
		{Name: "weekend", Help: "Whether Saturdays and Sundays count, in your time zone", Kind: bot.Pick, Choices: []bot.Choice{{Value: "counts", Label: text.Say("They count")}, {Value: "free", Label: text.Say("They don't count")}}},
		{Name: "late", Help: "What happens when a turn runs out of time", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "pass", Label: text.Say("The turn is passed")}, {Value: "claim", Label: text.Say("Opponents can claim the game, or keep waiting")}, {Value: "forfeit", Label: text.Say("The player loses the game")},
		}},
	}
}

// open reads the pace options of /new.
func (f *Feature) open(o *feature.Opening) (err error) {
	zone, ok := settings.ZoneNamed(o.Request.Zone)
	if !ok {
		zone = time.UTC
	}
	o.Pace, err = paceFor(o.Request.Args, zone)
	return err
}

// paceFor returns the pace that the options of /new describe. zone decides when weekends
// fall.
func paceFor(args map[string]string, zone *time.Location) (p game.Pace, err error) {
	if p.Turn, err = paceNamed("pace", args["pace"]); err != nil {
		return p, err
	}
	if p.Bank, err = paceNamed("bank", args["bank"]); err != nil {
		return p, err
	}
	switch v := args["weekend"]; v {
	case "", "counts":
	case "free":
		p.Weekend = zone
	default:
		return p, words.BadChoice("weekend", v)
	}
	p.Late = game.LateClaim
	if v := args["late"]; v != "" {
		var ok bool
		if p.Late, ok = game.ParseLate(v); !ok {
			return p, words.BadChoice("late", v)
		}
	}
	if p.Turn > 0 {
		return p, nil
	}
	for _, option := range []string{"bank", "weekend", "late"} {
		if args[option] != "" && args[option] != "none" && args[option] != "counts" {
			return p, words.Refusing("Without a {pace} no turn is ever late, so {option} would do nothing. Choose a pace too: {new}.", text.Code("pace"), text.Code(option), text.Code("/new pace:3d"))
		}
	}
	return game.Pace{}, nil
}

func paceNamed(option, value string) (time.Duration, error) {
	for _, p := range paces() {
		if value == p.value || value == "" {
			return p.turn, nil
		}
	}
	return 0, words.BadChoice(option, value)
}

// watchKind is the kind of the timers that check whether a turn is late.
const watchKind = "watch"

// watches returns the timer that a change of a table needs. In a game without a pace most
// turns need none: the previous turn's timer fires earlier and sets the next one.
func watches(before, after game.State) []bot.Timer {
	at, ok := table.LookAt(after)
	if !ok {
		return nil
	}
	was, watched := table.LookAt(before)
	sameTurn := before.Turn == after.Turn && before.Turns == after.Turns
	if watched && (was.Equal(at) && sameTurn || after.Pace.Turn == 0 && !before.Late && !after.Late && !at.Before(was)) {
		return nil
	}
	return []bot.Timer{{At: at, Kind: watchKind, Number: after.Number}}
}

// lookAtTurn ends a late turn, or a game that all its players have abandoned.
func (f *Feature) lookAtTurn(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t, env := r.Table, r.Env
		at, ok := table.LookAt(t.State)
		if !ok || t.Pace.Turn > 0 && !t.SameTurn(timer.Number) {
			return nil // that turn has a timer of its own
		}
		if at.After(env.Now) {
			r.Timer(bot.Timer{At: at, Kind: watchKind, Number: t.Number})
			return nil
		}
		var action game.Action = game.Expire{}
		if end, _ := t.AbandonedAt(); !end.After(env.Now) {
			action = game.Abandon{}
		}
		done, err := game.Decide(t.State, game.Person{}, action, env)
		if err != nil {
			return err
		}
		r.Fill("", done)
		return nil
	})
}

func (f *Feature) claim(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.desk.Change(ctx, req, whileLate(req, game.Claim{}))
}

func (f *Feature) waitOn(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.desk.Change(ctx, req, whileLate(req, game.WaitOn{}))
}

// whileLate returns the intent of a button that applies only to the late turn it was shown
// for.
func whileLate(req bot.Request, a game.Action) feature.Intent {
	return func(t table.Table) (game.Action, error) {
		if req.Number != 0 && t.Phase == game.Playing && !t.SameTurn(req.Number) {
			return nil, words.OutOfDate()
		}
		return a, nil
	}
}

func (f *Feature) adopt(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.desk.Change(ctx, req, feature.Always(game.Adopt{}))
}
