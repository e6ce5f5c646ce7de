// Package dice is an example of a feature of Rackmate in a separate module, which uses only what others
// can import. It adds a command, a timer with a post, and stored data, without changes to Rackmate.
package dice

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// kind is the kind of the timer and the post that remind a table of its dice.
const kind = "dice"

func init() { feature.Register(feature.Module{ID: "dice", New: New}) }

// dice rolls a die for players and counts the rolls.
type dice struct {
	desk  feature.Desk
	rolls *shelf.Shelf[shelf.Person, rolled]
}

type rolled struct {
	V     int `json:"v"`
	Times int `json:"times"`
	Sum   int `json:"sum"`
}

// New returns the feature.
func New(d feature.Desk, own *shelf.Owner) feature.Feature {
	f := &dice{d, shelf.Open(own, "dice", shelf.Spec[shelf.Person, rolled]{Why: "how often somebody rolled a die, and what came"})}
	return feature.Feature{
		Commands: f.commands,
		Timers:   f.timers,
		Due:      map[string]feature.Due{kind: {Do: f.due}},
		Posts:    map[string]feature.Posting{kind: {Tell: f.tell}},
	}
}

func (f *dice) commands() []feature.Command {
	return []feature.Command{{
		Command: bot.Command{Name: "roll", Help: "Roll a die", Example: "/roll"},
		Run:     f.roll,
	}}
}

func (f *dice) roll(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := f.desk.Load(ctx, req)
	if err == nil {
		_, err = t.Seat(req)
	}
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	n, times := 1+rand.N(6), 0
	err = f.rolls.Change(ctx, shelf.Person(req.User.ID), func(r *rolled) (keep bool, err error) {
		r.V, r.Times, r.Sum = 1, r.Times+1, r.Sum+n
		times = r.Times
		return true, nil
	})
	return bot.Reply{Text: text.Say("You roll a {n}: roll {times} of yours.", n, times)}, err
}

// timers schedules a reminder to a table, an hour after its game began.
func (f *dice) timers(_ context.Context, s feature.Step) []bot.Timer {
	if s.Start.Phase == game.Playing || s.After.Phase != game.Playing {
		return nil
	}
	return []bot.Timer{{At: s.Last().At.Add(time.Hour), Kind: kind, Number: s.After.Number}}
}

// due queues the reminder.
func (f *dice) due(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		if r.Table.Phase == game.Playing {
			r.Post(bot.Post{From: r.Table.Number, To: r.Table.Number, Kind: kind, At: r.Env.Now})
		}
		return nil
	})
}

func (f *dice) tell(_ context.Context, _ bot.Post, _, now table.Table, m bot.Message) (bot.Message, error) {
	if now.Phase != game.Playing {
		return m, feature.ErrNothingToTell
	}
	m.Text = text.Say("There are dice here: {roll}.", text.Code("/roll"))
	return m, nil
}
