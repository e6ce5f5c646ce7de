package pace

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/game"
)

// This file keeps the clocks of tables that play by them. A player's clock runs
// from when the turn's post was in the channel. When that was is noted as soon
// as the platform has it, so that it is known after a restart and in every
// process; while it isn't known, no clock runs.

// clockKind is the kind of the timers that look whether a player has taken too
// much time.
const clockKind = "clock"

// moment is how much later than a player's last moment one looks.
const moment = 10 * time.Millisecond

// clockTimer looks at the table when the player to move would have taken too
// much time, if the turn is posted at once.
func clockTimer(s game.State, now time.Time) []bot.Timer {
	c := s.Rules.Clock
	if !s.Ticks() || !c.Ends() {
		return nil
	}
	return []bot.Timer{{At: now.Add(s.Left(s.Turn, 0) + c.Limit + moment), Kind: clockKind}}
}

// runOut ends the game of a player who has taken too much time. Where the turn was
// posted late it looks again. A timer of an earlier turn does nothing: the turn has
// one of its own.
func (f *Feature) runOut(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t, env := r.Table, r.Env
		if !t.Ticks() {
			return nil
		}
		own := clockTimer(t.State, t.Events[len(t.Events)-1].At)
		if len(own) == 0 || timer.At.Before(own[0].At) {
			return nil
		}
		since := env.Posted
		if since.IsZero() {
			since = env.Now
		}
		if again := clockTimer(t.State, since); again[0].At.After(env.Now) {
			r.Timer(again...)
			return nil
		}
		done, err := r.Judge(bot.Request{}, feature.Always(game.TimeUp{}))
		if err != nil {
			return err
		}
		r.Fill("", done)
		return nil
	})
}
