package pace

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// This file runs the clocks of timed tables. A player's clock starts when the post of their
// turn appears in the channel. That time is stored as soon as the platform confirms it, so
// that it is known after a restart and in every process. Until then no clock runs. If the
// store couldn't record it, the clock starts at the turn's first timer.

// clockKind is the kind of the timers that check whether a player has overstepped the time
// limit.
const clockKind = "clock"

// moment is the time from the end of a player's time to that check.
const moment = 10 * time.Millisecond

// clockTimer returns the timer that checks the table when the player to move would overstep
// the limit if the turn were posted at once. It returns none for games whose clock ends
// nothing.
func clockTimer(s game.State, now time.Time) []bot.Timer {
	c := s.Rules.Clock
	if !s.Ticks() || !c.CanEndGame() {
		return nil
	}
	return []bot.Timer{{At: now.Add(s.Left(s.Turn, 0) + c.Limit + moment), Kind: clockKind}}
}

// runOut ends the game if the player to move has overstepped the time limit. If the turn
// was posted late, it sets another timer. If the time of that post wasn't recorded, the
// clock starts now. Timers of earlier turns do nothing, since each turn has its own.
func (f *Feature) runOut(ctx context.Context, timer bot.Timer) error {
	var unseen *table.Table // its clock waits for a post
	if err := feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t, env := r.Table, r.Env
		unseen = nil
		if !t.Ticks() {
			return nil
		}
		own := clockTimer(t.State, t.Events[len(t.Events)-1].At)
		if len(own) == 0 || timer.At.Before(own[0].At) {
			return nil
		}
		since := env.Posted
		if since.IsZero() {
			since, unseen = env.Now, &t
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
	}); err != nil || unseen == nil {
		return err
	}
	return f.markSeen(ctx, *unseen)
}
