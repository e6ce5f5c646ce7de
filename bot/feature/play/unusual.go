package play

import (
	"context"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file warns people before they sit down about what is unusual at a table: an invalid word may
// cost more than the turn, or time is short. Each warning is given once.

// storedKnown stores the warnings that a person got before sitting down.
type storedKnown struct {
	V     int      `json:"v"`
	Kinds []string `json:"kinds"`
}

// shortPace is the longest turn that counts as short.
const shortPace = 12 * time.Hour

// An oddity is an unusual rule at a table.
type oddity struct {
	kind string
	told text.Text
}

// oddities returns what is unusual at a table. A rematch has nothing unusual.
func oddities(t table.Table) (all []oddity) {
	if t.Begins.ID != "" {
		return nil
	}
	if c := t.Rules.Challenge; !c.Void && !c.Free() {
		told := text.Say("You can play a word that isn't in the list, but it comes off the board if somebody challenges it: {costs}.", words.ChallengeSetting(c))
		if c.LosesGame {
			told = text.Say("If you play a word that isn't in the list and somebody challenges it, you lose the game. If you challenge one that is, you lose too.")
		}
		all = append(all, oddity{"challenge:" + c.Name, told})
	}
	if c := t.Rules.Clock; c.On {
		told := text.Say("It's played in one sitting: {clock}.", words.ClockSetting(c))
		if c.CanEndGame() && c.Limit == 0 {
			told = text.Say("{clock}. Run out and you lose.", words.ClockSetting(c))
		}
		all = append(all, oddity{"clock", told})
	}
	if p := t.Pace.Turn; p > 0 && p <= shortPace {
		all = append(all, oddity{"pace", text.Say("Turns are short: {time} each.", words.FormatDuration(p))})
	}
	return all
}

// join takes a seat. People who have never played by the table's unusual rules are warned: among
// colleagues with the answer, elsewhere before they sit down.
func (f *Feature) join(ctx context.Context, req bot.Request) (bot.Reply, error) {
	want := feature.Always(game.Join{})
	t, err := f.desk.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	all := oddities(t)
	if len(all) == 0 {
		return f.desk.Change(ctx, req, want)
	}
	who := shelf.Person(req.User.ID)
	known, _, err := f.known.Get(ctx, who)
	if err != nil {
		return bot.Reply{}, err
	}
	all = slices.DeleteFunc(all, func(o oddity) bool { return slices.Contains(known.Kinds, o.kind) })
	lines := []text.Text{text.Say("You haven't played this way before:")}
	for _, o := range all {
		lines = append(lines, o.told)
	}
	colleagues := f.desk.Platform(req.Channel).Colleagues
	if len(all) > 0 && req.Args["sure"] == "" && !colleagues {
		return feature.Ask(ctx, f.desk, req, want, func(t table.Table) bot.Reply {
			return bot.Reply{
				Text:    text.Lines(lines...),
				Buttons: []bot.Button{t.Button(text.Say("Sit down"), "join", bot.Primary, map[string]string{"sure": "yes"})},
			}
		})
	}
	reply, err := f.desk.Change(ctx, req, want)
	if err != nil || reply.Refused || len(all) == 0 {
		return reply, err
	}
	if colleagues {
		reply.Text = text.Lines(append([]text.Text{reply.Text}, lines...)...)
	}
	return reply, f.known.Change(ctx, who, func(k *storedKnown) (keep bool, err error) {
		k.V = 1
		for _, o := range all {
			if !slices.Contains(k.Kinds, o.kind) {
				k.Kinds = append(k.Kinds, o.kind)
			}
		}
		return true, nil
	})
}
