package host

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

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

// Untold reports whether news of a table waits to be posted.
func (h *Host) Untold(ctx context.Context, t table.Table) (bool, error) {
	const ever = 100 * 365 * 24 * time.Hour
	waiting, _, err := h.Store.Pending(ctx, t.Channel.Platform(), h.Now().Add(ever))
	return slices.ContainsFunc(waiting, func(p bot.Post) bool {
		return p.Channel == t.Channel && p.Table == t.ID && p.For == "" && (p.Kind != table.CountKind || p.To < t.News())
	}), err
}

// clocked gives the events that a post tells of up to its end, where a clock runs
// by its arrival, and otherwise none.
func (h *Host) clocked(ctx context.Context, post bot.Post) ([]game.Event, error) {
	if post.For != "" || post.Kind != "" {
		return nil, nil
	}
	_, events, err := h.Store.Events(ctx, post.Table, post.To)
	if err != nil {
		return nil, err
	}
	if open, ok := events[0].Fact.(game.Opened); !ok || !open.Rules.Clock.On {
		return nil, nil
	}
	return events, nil
}

// notePosted notes that a post of events by which a clock runs has arrived. When
// the game is over the note goes.
func (h *Host) notePosted(ctx context.Context, post bot.Post, events []game.Event) error {
	var note []byte
	if _, over := events[len(events)-1].Fact.(game.Ended); !over {
		var err error
		if note, err = json.Marshal(posted{1, post.Table, post.To, h.Now().UTC()}); err != nil {
			return err
		}
	}
	return h.Notes.Put(ctx, postedShelf, string(post.Channel), note)
}

// PostedIn is the note of a channel.
func (h *Host) PostedIn(ctx context.Context, ch bot.ChannelID) (p posted, err error) {
	b, err := h.Notes.Get(ctx, postedShelf, string(ch))
	if err != nil || b == nil {
		return p, err
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return p, fmt.Errorf("read what was posted in %s: %w", ch, err)
	}
	return p, nil
}

// Since is when everybody could see how a table stands now: the zero time while
// the news of it is still on its way. What is private has no news.
func (p posted) Since(t table.Table) time.Time {
	if p.Table != t.ID || p.To < t.News() {
		return time.Time{}
	}
	return p.At
}
