package pace

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/shown"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// This file keeps the clocks of tables that play by them. A player's clock runs
// from when the turn's post was in the channel. When that was is noted as soon
// as the platform has it, so that it is known after a restart and in every
// process; while it isn't known, no clock runs.

// clockKind is the kind of the timers that look whether a player has taken too
// much time.
const clockKind = "clock"

// clockTimer looks at the table when the player to move would have taken too
// much time, if the turn is posted at once.
func clockTimer(s game.State, now time.Time) []bot.Timer {
	c := s.Rules.Clock
	if !s.Ticks() || c.Limit == 0 {
		return nil
	}
	return []bot.Timer{{At: now.Add(s.Left(s.Turn, 0) + c.Limit + time.Second), Kind: clockKind}}
}

// runOut ends the game of a player who has taken too much time. Where the turn was
// posted late it looks again. A timer of an earlier turn does nothing: the turn has
// one of its own.
func runOut(ctx context.Context, h *host.Host, timer bot.Timer) error {
	news, err := shown.In(ctx, h.Notes, timer.Channel)
	if err != nil {
		return err
	}
	return h.AtTable(ctx, timer, func(r *bot.Room, t table.Table, env game.Env) error {
		if !t.Ticks() {
			return nil
		}
		own := clockTimer(t.State, t.Events[len(t.Events)-1].At)
		if len(own) == 0 || timer.At.Before(own[0].At) {
			return nil
		}
		since := news.Since(t)
		if since.IsZero() {
			since = env.Now
		}
		if again := clockTimer(t.State, since); again[0].At.After(env.Now) {
			r.Timers = append(r.Timers, again...)
			return nil
		}
		done, err := h.Judge(t, bot.Request{}, host.Always(game.TimeUp{}), env)
		if err != nil {
			return err
		}
		h.Fill(ctx, r, t, "", done)
		return nil
	})
}
