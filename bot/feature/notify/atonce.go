package notify

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file notifies players of games in which all play at once. There may be hundreds of them, so
// a turn calls only players who have set how they are called, and only if it is long.

// opensTurn reports whether a turn begins among events.
func opensTurn(events []game.Event) bool {
	return slices.ContainsFunc(events, func(e game.Event) bool { _, is := e.Fact.(game.TurnOpened); return is })
}

// timersAtOnce returns the timer that calls players by direct message when a turn begins.
func timersAtOnce(s feature.Step) []bot.Timer {
	if s.After.Phase != game.Playing || !table.HasLongTurns(s.After.Rules) || !opensTurn(s.Done) {
		return nil
	}
	return []bot.Timer{{Kind: turnKind, At: s.Last().At, Number: s.After.Number}}
}

// eachCalled calls fn for each player who is to be called to a turn in which all play at once.
func (f *Feature) eachCalled(ctx context.Context, t table.Table, fn func(bot.User, settings.Wishes)) error {
	for _, seat := range t.Active() {
		p := t.Seats[seat].Person
		w, err := f.wishes(ctx, p.ID, t.ID)
		if err != nil {
			return err
		}
		if !w.Chose || w.Ping == settings.PingSilent {
			continue
		}
		away, err := f.Away.IsAway(ctx, t, p.ID)
		if err != nil {
			return err
		}
		if !away {
			fn(p, w)
		}
	}
	return nil
}

// callAtOnce queues the direct messages that call players to the turn that has begun at event n.
func (f *Feature) callAtOnce(ctx context.Context, r *feature.Room, n int) error {
	t := r.Table
	if !t.SameTurn(n) {
		return nil
	}
	return f.eachCalled(ctx, t, func(p bot.User, w settings.Wishes) {
		if w.Ping == settings.PingDM {
			call(r, t, callKind, p, w, r.Env.Now)
		}
	})
}

// mostNamed limits how many players a turn's message calls, so that it fits on every platform.
const mostNamed = 40

// addCalls adds a line to the message of a long turn that calls players who want to be called in
// the channel, unless it is within their quiet hours.
func (f *Feature) addCalls(ctx context.Context, t table.Table, post bot.Post, said text.Text) (text.Text, error) {
	if t.Phase != game.Playing || !table.HasLongTurns(t.Rules) || !t.SameTurn(post.To) || !opensTurn(t.Events[min(post.From, len(t.Events)):min(post.To, len(t.Events))]) {
		return said, nil
	}
	var called []text.Span
	now := f.desk.Now()
	err := f.eachCalled(ctx, t, func(p bot.User, w settings.Wishes) {
		if w.Ping == settings.PingHere && !w.IsQuiet(now) && len(called) < mostNamed {
			called = append(called, text.Mention(p))
		}
	})
	if err != nil || len(called) == 0 {
		return said, err
	}
	return text.Lines(said, text.Say("{players}, a new turn has begun. You have until {time}.", text.List(called), words.Clock(t.Until))), nil
}
