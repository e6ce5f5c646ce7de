package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file keeps a channel's overview: one standing post that says whose turn it is in each game
// of the channel and its threads, links their boards, and lists the month's winners. Games of leagues
// and tournaments are left out, since their own messages list them. It comes when two tables are open
// at once, unless the place has set otherwise. It is edited in place, at most once a minute, and can be
// pinned. Daily boards can't, as each is a new message, so the overview has a button for today's.

// A storedOverview records when a channel's overview was last brought up to date.
type storedOverview struct {
	V  int       `json:"v"` // 1
	At time.Time `json:"at"`
	// Pinned records that a manager has pinned it.
	Pinned bool `json:"pinned,omitempty"`
}

// A Ladder ranks the players of a place.
type Ladder interface {
	// Month lists the best players of this month in a channel's home, or returns nil if no one has
	// finished a rated game yet.
	Month(ctx context.Context, ch bot.ChannelID) (text.Text, error)
	// IsInMonth reports whether a player is ranked there this month.
	IsInMonth(ctx context.Context, ch bot.ChannelID, who game.PlayerID) (bool, error)
}

const (
	// runningKind is the kind of timers that update a channel's overview, and of its posts.
	runningKind = "running"
	// overviewGap is the least time between two updates of an overview.
	overviewGap = time.Minute
	// overviewName names the standing message.
	overviewName = "games"
)

// Values of the setting of the overview.
const (
	overviewAuto = "auto"
	overviewOn   = "on"
	overviewOff  = "off"
)

func overviewSetting() settings.Setting {
	return settings.Setting{
		Option: settings.Pick(settings.Overview, "For a place: the post that says whose turn it is in each game", []bot.Choice{
			{Value: overviewAuto, Label: text.Say("Once two tables are open at the same time")}, {Value: overviewOn, Label: text.Say("On")}, {Value: overviewOff, Label: text.Say("Off")},
		}),
		Default: settings.ConstantDefault(overviewAuto),
	}
}

// overviewTimer schedules an update of the overview when a table is opened, begins or ends, and, if
// the channel has an overview, when people take seats or the turn passes to another person.
func (f *Feature) overviewTimer(ctx context.Context, s feature.Step) []bot.Timer {
	runs := func(p game.Phase) bool { return p == game.Playing || p == game.Closing }
	begins := s.Start.Phase != s.After.Phase && !(runs(s.Start.Phase) && runs(s.After.Phase))
	if !begins && mover(s.Start) == mover(s.After) && slices.EqualFunc(s.Start.Seats, s.After.Seats, func(a, b game.Seat) bool { return a.Person == b.Person && a.Out == b.Out }) {
		return nil
	}
	if listed, err := f.Listed(ctx, s.Before.Channel); err == nil && listed && !begins {
		return nil
	}
	// After an error the timer checks again.
	if needed, err := f.needsOverviewUpdate(ctx, s.Before.Channel, begins); err == nil && !needed {
		return nil
	}
	return []bot.Timer{{At: s.Last().At, Kind: runningKind}}
}

// needsOverviewUpdate reports whether a change of a channel's table may change an overview. begins
// reports that the table was opened, or that its game began or ended.
func (f *Feature) needsOverviewUpdate(ctx context.Context, ch bot.ChannelID, begins bool) (bool, error) {
	at, err := f.settings.OpenChannel(ctx, ch)
	if err != nil || at != ch && begins {
		return true, err
	}
	if begins {
		rule, err := f.desk.Rule(ctx, at, settings.Overview)
		if err != nil || rule == overviewOn {
			return true, err
		}
		if beside, err := f.settings.RunningInThreads(ctx, at); err != nil || len(beside) > 0 {
			return true, err
		}
	}
	_, has, err := f.overviews.Get(ctx, shelf.Channel(at))
	return has, err
}

// mover returns the seat for which a game waits, or -1 if it waits for no one in particular. Robots
// move at once, so a game against robots always waits for the only person in it.
func mover(s game.State) int {
	if s.Phase != game.Playing || s.Rules.PlayAtOnce() {
		return -1
	}
	seat, people := s.Turn, 0
	for _, i := range s.Active() {
		if !s.Seats[i].Person.ID.IsRobot() {
			seat, people = i, people+1
		}
	}
	if people == 1 {
		return seat
	}
	return s.Turn
}

// updateOverview records whether a table beside a channel is still in play, and posts the channel's
// overview if it has one. If the last update was less than a minute ago, it schedules one instead.
func (f *Feature) updateOverview(ctx context.Context, timer bot.Timer) error {
	ch, err := f.settings.OpenChannel(ctx, timer.Channel)
	if err != nil {
		return err
	}
	if timer.Table != 0 && ch != timer.Channel {
		t, err := feature.LoadTable(ctx, f.desk, timer.Table)
		if err != nil {
			return err
		}
		if err := f.settings.KeepRunning(ctx, ch, t.ID, t.Phase != game.Over); err != nil {
			return err
		}
	}
	was, has, err := f.overviews.Get(ctx, shelf.Channel(ch))
	if err != nil {
		return err
	}
	wanted, err := f.wantsOverview(ctx, ch, has)
	if err != nil || !wanted && !has {
		return err
	}
	now := f.desk.Now().UTC()
	if next := was.At.Add(overviewGap); wanted && now.Before(next) {
		return feature.Once(ctx, f.desk, ch, fmt.Sprintf("%s:%d", runningKind, was.At.UnixMilli()), func(r *feature.Room) {
			r.Timer(bot.Timer{At: next, Kind: runningKind})
		})
	}
	if err := feature.Once(ctx, f.desk, ch, fmt.Sprintf("%s%d:%d", feature.TimerCause, timer.Table, timer.ID), func(r *feature.Room) {
		r.Post(bot.Post{Kind: runningKind, At: now})
	}); err != nil {
		return err
	}
	return f.overviews.Change(ctx, shelf.Channel(ch), func(o *storedOverview) (keep bool, err error) {
		o.V, o.At = 1, now
		return wanted, nil
	})
}

// wantsOverview reports whether a channel should have an overview. has reports that it has one.
func (f *Feature) wantsOverview(ctx context.Context, ch bot.ChannelID, has bool) (bool, error) {
	rule, err := f.desk.Rule(ctx, ch, settings.Overview)
	if err != nil || rule == overviewOff || rule == overviewOn || has {
		return rule != overviewOff, err
	}
	all, err := f.openTables(ctx, ch)
	return len(all) > 1, err
}

// openTables returns the unfinished tables of a channel and its threads that no other message lists.
func (f *Feature) openTables(ctx context.Context, ch bot.ChannelID) (all []table.Table, err error) {
	own, err := f.desk.Load(ctx, bot.Request{Channel: ch})
	switch {
	case errors.Is(err, bot.ErrUnreadable) || words.IsMistake(err):
	case err != nil:
		return nil, err
	case own.IsOpen(f.desk.Now()):
		all = append(all, own)
	}
	beside, err := f.asides.runningTables(ctx, ch)
	if err != nil {
		return nil, err
	}
	for _, t := range beside {
		listed, err := f.Listed(ctx, t.Channel)
		if err != nil {
			return nil, err
		}
		if !listed {
			all = append(all, t)
		}
	}
	return all, nil
}

// overviewMessage writes a channel's overview.
func (f *Feature) overviewMessage(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	m.Standing, m.Quiet = overviewName, true
	rule, err := f.desk.Rule(ctx, post.Channel, settings.Overview)
	if err != nil {
		return m, err
	}
	if rule == overviewOff {
		m.Text = text.Say("Games aren't listed here any more. {settings} brings the list back.", text.Code("/settings for:channel overview:on"))
		return m, nil
	}
	all, err := f.openTables(ctx, post.Channel)
	if err != nil {
		return m, err
	}
	home, err := f.settings.HomeOf(ctx, post.Channel)
	if err != nil {
		return m, err
	}
	head := text.Say("No game is on here. {new} opens one.", text.Code("/new"))
	if len(all) > 0 {
		head = text.Text{text.Strong(text.Say("Games here"))}
	}
	var lines []text.Text
	for _, t := range all {
		line := overviewLine(t)
		if link := f.desk.Platform(t.Channel).Link; link != nil {
			line = feature.LinkBoard(line, link(ctx, t.Channel, home))
		}
		lines = append(lines, line)
	}
	month, err := f.Ladder.Month(ctx, post.Channel)
	if err != nil {
		return m, err
	}
	m.Text = feature.Fit(head, lines, month)
	at := f.desk.Platform(post.Channel)
	if posted, err := f.Daily(ctx, post.Channel); err != nil {
		return m, err
	} else if posted && !at.Boards {
		m.Buttons = append(m.Buttons, bot.Button{ID: bot.ButtonID(0, 0, "daily", map[string]string{"do": "play"}), Label: text.Say("Today's board")})
	}
	if at.Pin == nil {
		return m, nil
	}
	is, _, err := f.overviews.Get(ctx, shelf.Channel(post.Channel))
	if !is.Pinned {
		m.Buttons = append(m.Buttons, bot.Button{ID: bot.ButtonID(0, 0, "settings", map[string]string{"for": "channel", settings.Overview: settings.PinOverview}), Label: text.Say("Pin")})
	}
	return m, err
}

// overviewLine returns the line about a table in an overview.
func overviewLine(t table.Table) text.Text {
	seat := mover(t.State)
	switch {
	case t.Phase == game.Lobby:
		return text.Say("Waiting for players: {names}", players(t))
	case len(t.Seats) == 1:
		return text.Say("{name} is playing", players(t))
	case seat >= 0:
		return text.Say("{names}: {who}'s turn", players(t), text.Strong(text.Text{text.Name(t.Seats[seat].Person)}))
	case t.Phase == game.Playing:
		return text.Say("{names}: everybody plays", players(t))
	}
	return text.Say("{names} are playing", players(t))
}

// PinOverview pins the overview of a request's channel.
func (f *Feature) PinOverview(ctx context.Context, req bot.Request) (bot.Reply, error) {
	ch, err := f.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return bot.Reply{}, err
	}
	pin := f.desk.Platform(ch).Pin
	switch {
	case pin == nil:
		return bot.Reply{}, words.Refusing("I can't pin messages here. You can do it yourself, in the message's own menu.")
	case !req.Manager:
		return bot.Reply{}, words.Refusing("Only managers of this channel can set that.")
	}
	if _, has, err := f.overviews.Get(ctx, shelf.Channel(ch)); err != nil || !has {
		return words.Refuse(text.Say("This channel has no list of games. {settings} posts it.", text.Code("/settings for:channel overview:on"))), err
	}
	if obstacle, err := pin(ctx, ch, overviewName); err != nil || obstacle != nil {
		return words.Refuse(obstacle), err
	}
	if err := f.overviews.Change(ctx, shelf.Channel(ch), func(o *storedOverview) (keep bool, err error) {
		o.Pinned = o.V > 0
		return o.V > 0, nil
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("The list of games is pinned.")}, f.scheduleOverviews(ctx, []bot.ChannelID{ch}, req.ID, f.desk.Now())
}

// RefreshOverviews updates the overviews of a place after a request has changed its settings.
func (f *Feature) RefreshOverviews(ctx context.Context, req bot.Request) error {
	ch, err := f.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return err
	}
	all := []bot.ChannelID{ch}
	if req.Args["for"] == "server" {
		home, err := f.settings.HomeFor(ctx, req)
		if err != nil {
			return err
		}
		if err := f.overviews.Each(ctx, func(other shelf.Channel, _ storedOverview) error {
			of, err := f.settings.HomeOf(ctx, bot.ChannelID(other))
			if of == home && bot.ChannelID(other) != ch {
				all = append(all, bot.ChannelID(other))
			}
			return err
		}); err != nil {
			return err
		}
	}
	return f.scheduleOverviews(ctx, all, req.ID, f.desk.Now())
}

// scheduleOverviews schedules updates of the overviews of some channels. cause identifies what made
// them necessary.
func (f *Feature) scheduleOverviews(ctx context.Context, channels []bot.ChannelID, cause string, at time.Time) error {
	for _, ch := range channels {
		if err := feature.Once(ctx, f.desk, ch, runningKind+":"+cause, func(r *feature.Room) {
			r.Timer(bot.Timer{At: at, Kind: runningKind})
		}); err != nil {
			return err
		}
	}
	return nil
}

// cleanOverviews drops the overview of a lost channel. A minute later than a person's erasure begins,
// it updates the overviews that rank them.
func (f *Feature) cleanOverviews(ctx context.Context, l feature.Leaving) error {
	switch l.What {
	case feature.ChannelGone:
		return f.overviews.Drop(ctx, shelf.Channel(l.Channel))
	case feature.Forgetting:
		var all []bot.ChannelID
		if err := f.overviews.Each(ctx, func(ch shelf.Channel, _ storedOverview) error {
			ranked, err := f.Ladder.IsInMonth(ctx, bot.ChannelID(ch), l.Person)
			if ranked {
				all = append(all, bot.ChannelID(ch))
			}
			return err
		}); err != nil {
			return err
		}
		now := f.desk.Now()
		return f.scheduleOverviews(ctx, all, fmt.Sprint("erased ", now.UnixMilli()), now.Add(overviewGap))
	}
	return nil
}
