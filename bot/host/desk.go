package host

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// A desk loads, changes and shows tables; see [feature.Desk].
type desk struct{ *engine }

// replay returns the table that its events lead to.
func (e *engine) replay(ch bot.ChannelID, id bot.TableID, events []game.Event) (table.Table, error) {
	return e.replays.Replay(e.variants, ch, id, events)
}

// Load loads the table that a request is about. A panic makes this one table unreadable, so that
// callers who load many go on with the others.
func (d *desk) Load(ctx context.Context, req bot.Request) (t table.Table, err error) {
	if panicked := loops.Guard(func() error {
		t, err = d.load(ctx, req)
		return nil
	}); panicked != nil {
		return table.Table{Channel: req.Channel, ID: req.Table}, fmt.Errorf("load table %d: %w: %w", req.Table, bot.ErrUnreadable, panicked)
	}
	return t, err
}

// load does what Load does, without the guard against panics.
func (d *desk) load(ctx context.Context, req bot.Request) (table.Table, error) {
	ch, id := req.Channel, req.Table
	var events []game.Event
	var err error
	if id != 0 {
		var at bot.ChannelID
		if at, events, err = d.Store.Events(ctx, id, -1); ch == "" {
			ch = at
		}
	} else {
		id, events, err = d.Store.Table(ctx, ch)
	}
	if err != nil {
		return table.Table{Channel: ch, ID: id}, fmt.Errorf("load table: %w", err)
	}
	t, err := d.replay(ch, id, events)
	r := bot.ReadingOf(ctx)
	r.About(bot.AboutTable, id.Name())
	r.About(bot.AboutPlayers, t.PlayerNames()...)
	return t, err
}

// TablesOf lists the tables where a person is playing an unfinished game.
func (d *desk) TablesOf(ctx context.Context, who game.PlayerID) ([]bot.TableID, error) {
	if who == "" {
		return nil, nil // the store would list everyone's
	}
	tables, err := d.Store.TablesPlayed(ctx, who)
	if err != nil {
		return nil, fmt.Errorf("list games: %w", err)
	}
	return tables, nil
}

// RunningTables lists the tables where anyone is playing an unfinished game.
func (d *desk) RunningTables(ctx context.Context) ([]bot.TableID, error) {
	tables, err := d.Store.TablesPlayed(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("list running games: %w", err)
	}
	return tables, nil
}

// Rule returns the value of a setting in a channel.
func (d *desk) Rule(ctx context.Context, ch bot.ChannelID, setting string) (string, error) {
	return d.settings.HouseRule(ctx, ch, setting)
}

// Lists returns the host's word lists.
func (d *desk) Lists() *lexicons.Lists { return d.lists }

// Now returns the time.
func (d *desk) Now() time.Time { return d.Config.Now() }

// Log returns the host's log.
func (d *desk) Log() *slog.Logger { return d.Config.Log }

// wakeAfterCommit wakes the loops after a commit in a channel.
func (e *engine) wakeAfterCommit(ch bot.ChannelID) {
	e.moved.markChanged(ch)
	e.loops.Rouse("")
}

// HasNews reports whether news of a table waits to be posted.
func (d *desk) HasNews(ctx context.Context, t table.Table) (bool, error) {
	p, waits, err := d.nextPost(ctx, t.Channel)
	return waits && p.Table == t.ID && (p.Kind != table.CountKind || p.To < t.News()), err
}

// nextPost returns the first post of a channel's public queue, if there is one.
func (d *desk) nextPost(ctx context.Context, ch bot.ChannelID) (post bot.Post, waits bool, err error) {
	const ever = 100 * 365 * 24 * time.Hour
	first, _, err := d.Store.PendingPosts(ctx, ch.Platform(), d.Now().Add(ever))
	if i := slices.IndexFunc(first, func(p bot.Post) bool { return p.Channel == ch && p.For == "" }); i >= 0 {
		return first[i], true, err
	}
	return bot.Post{}, false, err
}

// MarkSeen records that a table's news has arrived, unless it may still be queued.
func (d *desk) MarkSeen(ctx context.Context, t table.Table) error {
	if _, waits, err := d.nextPost(ctx, t.Channel); waits || err != nil {
		return err
	}
	return d.shown.Note(ctx, bot.Post{Channel: t.Channel, Table: t.ID, To: t.News()}, false, d.Now())
}

// TablesNaming lists the tables whose events name a person.
func (d *desk) TablesNaming(ctx context.Context, who game.PlayerID) ([]bot.TableID, error) {
	return d.Store.TablesNaming(ctx, who)
}

// Watch calls fn with each channel whose table has changed.
func (d *desk) Watch(ctx context.Context, fn func(bot.ChannelID)) error {
	return d.Store.Watch(ctx, fn)
}

// mostWaiting limits how many due timers CountDue looks at.
const mostWaiting = 500

// CountDue returns how many timers of a kind are due.
func (d *desk) CountDue(ctx context.Context, kind string) (n int, err error) {
	due, _, err := d.Store.DueTimers(ctx, d.Now(), mostWaiting)
	for _, timer := range due {
		if timer.Kind == kind {
			n++
		}
	}
	return n, err
}

// Read lets the features read their options of a command that opens a table.
func (d *desk) Read(o *feature.Opening) error {
	for _, f := range d.features {
		if f.Open == nil {
			continue
		}
		if err := f.Open(o); err != nil {
			return err
		}
	}
	return nil
}
