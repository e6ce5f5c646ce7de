package host

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file keeps the clocks of tables that play by them. A player's clock runs
// from when the turn's post was in the channel. When that was is noted as soon
// as the platform has it, so that it is known after a restart and in every
// process; while it isn't known, no clock runs.

// clockKind is the kind of the timers that look whether a player has taken too
// much time.
const clockKind = "clock"

// The shelf of the host's notes that has the latest public post of each channel
// whose table plays by clocks.
const postedShelf = "posted"

// posted is what everybody in a channel has been shown. It is stored.
type posted struct {
	V     int         `json:"v"`
	Table bot.TableID `json:"table"`
	To    int         `json:"to"` // the table's events before this one
	At    time.Time   `json:"at"`
}

// notePosted notes that a post has arrived, where a clock runs by it. When the
// game is over the note goes.
func (h *Host) notePosted(ctx context.Context, post bot.Post) error {
	if post.For != "" || post.Kind != "" {
		return nil
	}
	_, events, err := h.Store.Events(ctx, post.Table, post.To)
	if err != nil {
		return err
	}
	if open, ok := events[0].Fact.(game.Opened); !ok || !open.Rules.Clock.On {
		return nil
	}
	var note []byte
	if _, over := events[len(events)-1].Fact.(game.Ended); !over {
		if note, err = json.Marshal(posted{1, post.Table, post.To, h.Now().UTC()}); err != nil {
			return err
		}
	}
	return h.Notes.Put(ctx, postedShelf, string(post.Channel), note)
}

// postedIn is the note of a channel.
func (h *Host) postedIn(ctx context.Context, ch bot.ChannelID) (p posted, err error) {
	b, err := h.Notes.Get(ctx, postedShelf, string(ch))
	if err != nil || b == nil {
		return p, err
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return p, fmt.Errorf("read what was posted in %s: %w", ch, err)
	}
	return p, nil
}

// since is when everybody could see how a table stands now: the zero time while
// the news of it is still on its way. What is private has no news.
func (p posted) since(t table) time.Time {
	if p.Table != t.ID || p.To < t.news() {
		return time.Time{}
	}
	return p.At
}

// clockTimer looks at the table when the player to move would have taken too
// much time, if the turn is posted at once.
func clockTimer(s game.State, now time.Time) []bot.Timer {
	c := s.Rules.Clock
	if !s.Ticks() || c.Limit == 0 {
		return nil
	}
	return []bot.Timer{{At: now.Add(s.Left(s.Turn, 0) + c.Limit + time.Second), Kind: clockKind}}
}

// runOut ends the game of a player who has taken too much time. Where the turn
// was posted late it looks again. A timer of an earlier turn is let be: the turn
// has one of its own.
func (h *Host) runOut(ctx context.Context, timer bot.Timer) error {
	shown, err := h.postedIn(ctx, timer.Channel)
	if err != nil {
		return err
	}
	return h.atTable(ctx, timer, func(r *bot.Room, t table, env game.Env) error {
		if !t.Ticks() {
			return nil
		}
		own := clockTimer(t.State, t.Events[len(t.Events)-1].At)
		if len(own) == 0 || timer.At.Before(own[0].At) {
			return nil
		}
		since := shown.since(t)
		if since.IsZero() {
			since = env.Now
		}
		if again := clockTimer(t.State, since); again[0].At.After(env.Now) {
			r.Timers = append(r.Timers, again...)
			return nil
		}
		done, err := h.judge(t, bot.Request{}, always(game.TimeUp{}), env)
		if err != nil {
			return err
		}
		h.fill(r, t, "", done)
		return nil
	})
}

// clockNote is what a player's card says of their clock: as it stood when the
// turn began. Where there is room for the first word alone, that tells enough.
func clockNote(s game.State, seat int) string {
	if !s.Ticks() {
		return ""
	}
	left := s.Left(seat, 0)
	if left < 0 {
		return "−" + minutes(-left) + " over"
	}
	return minutes(left) + " left"
}

// clockLine says how much time the player to move has.
func clockLine(t table) bot.Text {
	c := t.Rules.Clock
	if !t.Ticks() {
		return nil
	}
	left := t.Left(t.Turn, 0)
	switch {
	case left > 0:
		return bot.Say("Your clock has ", minutes(left), ", and runs from now.")
	case c.Limit > 0:
		return bot.Say("Your clock is over by ", minutes(-left), ", at ", c.Penalty, " points a minute. At ", minutes(c.Limit), " the game ends.")
	}
	return bot.Say("Your clock is over by ", minutes(-left), ", at ", c.Penalty, " points a minute.")
}

// clockSetting is what a table's clock is, for the line of its settings.
func clockSetting(c game.Clock) string {
	s := fmt.Sprintf("a clock of %d minutes each, %d points off for each minute over", int(c.Time.Minutes()), c.Penalty)
	if c.Limit > 0 {
		s += fmt.Sprintf(", more than %d end the game", int(c.Limit.Minutes()))
	}
	return s
}

// overtimeLines tell of the points off at the end.
func overtimeLines(s game.State, f game.Ended) []bot.Text {
	var lines []bot.Text
	for i, points := range f.Overtime {
		if points > 0 {
			lines = append(lines, bot.Say(s.Seats[i].Person.Name, " was over by ", minutes(-s.Left(i, 0)), " and loses ", count(points, "point"), "."))
		}
	}
	return lines
}

// minutes is a length of time as clocks show it: "24:05".
func minutes(d time.Duration) string {
	seconds := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}
