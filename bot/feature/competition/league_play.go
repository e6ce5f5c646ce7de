package competition

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains the steps that a league takes without being asked: it closes
// registration, opens and counts games, and ends seasons.

func (r whereRow) ref() contest.Ref { return contest.Ref{Round: r.Round, Pairing: r.Pairing} }

// day is the time before registration closes at which reminders are sent.
const day = 24 * time.Hour

// seeTo carries out everything that is due and all pending consequences, except what is
// done already.
func (f *leagues) seeTo(ctx context.Context, timer bot.Timer) error {
	l, found, err := f.findDue(ctx, timer)
	if err != nil || !found || l.V == 0 {
		return err
	}
	if err := f.turn(ctx, &l); err != nil {
		return err
	}
	if err := f.openGames(ctx, &l); err != nil {
		return err
	}
	return f.queueAll(ctx, &l)
}

// turn enters the next phase if its time has come, and sets the timers for it.
func (f *leagues) turn(ctx context.Context, l *league) error {
	now := f.desk.Now()
	var err error
	switch {
	case l.Phase == entering && !now.Before(l.ClosesAt):
		err = f.startSeason(ctx, l)
	case l.Phase == playing && (!now.Before(l.EndsAt) || l.isFinished()):
		err = f.finish(ctx, l)
	case l.Phase == over:
		err = f.record(ctx, l, func(l *league) {
			if l.Phase == over && !l.Stopped && slices.Contains(l.Told, endPost) {
				l.openNext(now)
			}
		})
	}
	if err != nil {
		return err
	}
	for _, next := range []struct {
		what string
		at   time.Time
	}{{"close", l.ClosesAt}, {"remind", l.ClosesAt.Add(-day)}, {"end", l.EndsAt}} {
		if (next.what == "end") == (l.Phase == playing) && l.Phase != over && next.at.After(now) {
			if err := f.look(ctx, *l, fmt.Sprintf("%d:%d:%s:%d", l.No, l.Season, next.what, next.at.Unix()), next.at); err != nil {
				return err
			}
		}
	}
	return nil
}

// startSeason starts a season.
func (f *leagues) startSeason(ctx context.Context, l *league) error {
	host, err := f.own.Secret(ctx, "leagues")
	if err != nil {
		return err
	}
	known := map[game.PlayerID]profile{}
	for _, e := range l.Entries {
		m, err := f.profile(ctx, l.Home, l.Channel, e.User)
		if err != nil {
			return err
		}
		for i, id := range m.Avoids { // ids as registered
			ids, err := f.desk.Identities(ctx, id)
			if err != nil {
				return err
			}
			if at := l.entryOf(ids); at >= 0 {
				m.Avoids[i] = l.Entries[at].ID
			}
		}
		known[e.ID] = m
	}
	now := f.desk.Now()
	return f.record(ctx, l, func(l *league) {
		if l.Phase == entering {
			l.begin(seedOf(l.secretOf(l.Season, host), l.lots()), known, now.UTC())
		}
	})
}

// finish ends a season. A game that isn't over is decided by the time used.
func (f *leagues) finish(ctx context.Context, l *league) error {
	used := map[leaguePlace][2]time.Duration{}
	var late []leaguePlace
	for i := range l.Div {
		d := &l.Div[i]
		for _, pl := range d.Places {
			p, ok := d.Contest.Game(pl.ref())
			if !ok || p.Games[0].Result.Over() {
				continue
			}
			late = append(late, pl)
			if pl.Table == 0 {
				continue
			}
			t, err := feature.LoadTable(ctx, f.desk, pl.Table)
			if err != nil {
				f.desk.Log().Error("can't check who used extra time", "table", pl.Table, "error", err)
				continue
			}
			of := timeUsed(t.Events, f.desk.Now())
			var both [2]time.Duration
			for s, no := range [2]contest.No{p.A, p.B} {
				if seat, ok := t.SeatOf(game.PlayerID(d.Contest.Entrants[no-1].ID)); ok {
					both[s] = of[seat]
				}
			}
			used[pl] = both
		}
	}
	// The late games no longer count, whatever their results will be.
	for _, pl := range late {
		if pl.Channel == "" {
			continue
		}
		if err := f.where.Change(ctx, shelf.Channel(pl.Channel), func(row *whereRow) (bool, error) {
			row.Late = true
			return row.V != 0, nil
		}); err != nil {
			return err
		}
	}
	return f.record(ctx, l, func(l *league) {
		if l.Phase == playing {
			l.finish(used)
		}
	})
}

// openGames opens a table for each game that has begun, unless it is open already.
func (f *leagues) openGames(ctx context.Context, l *league) error {
	if l.Phase != playing {
		return nil
	}
	stuck := false
	for i := range l.Div {
		for j := range l.Div[i].Places {
			pl := l.Div[i].Places[j]
			p, ok := l.Div[i].Contest.Game(pl.ref())
			if pl.On || !ok || p.Games[0].Result.Over() {
				continue
			}
			if err := f.openGame(ctx, l, i, pl); err != nil {
				if f.isLastingRefusal(&l.head, err) {
					stuck = true
					continue
				}
				return err
			}
		}
	}
	if !stuck {
		return nil
	}
	// Tell the channel, at most once a day, and try again every hour.
	if err := feature.Once(ctx, f.desk, l.Channel, fmt.Sprintf("league:%d:%d:stuck", l.No, l.Season), func(r *feature.Room) {
		r.Post(bot.Post{From: l.No, To: l.Season, Kind: stuckPost, At: f.desk.Now().UTC()})
	}); err != nil {
		return err
	}
	at := f.desk.Now().Truncate(time.Hour).Add(time.Hour)
	return f.look(ctx, *l, fmt.Sprintf("%d:%d:stuck:%d", l.No, l.Season, at.Unix()), at)
}

// openGame opens the table of a game and seats both players.
func (f *leagues) openGame(ctx context.Context, l *league, div int, pl leaguePlace) error {
	p, _ := l.Div[div].Contest.Game(pl.ref())
	ea, eb := l.Div[div].Contest.Entrants[p.A-1], l.Div[div].Contest.Entrants[p.B-1]
	a, b := person(ea.Player), person(eb.Player) // a moves first
	if pl.Channel == "" {
		var err error
		key := fmt.Sprintf("league/%d/%d/%d/%d/%d/%d", l.No, l.Season, div, pl.Round, pl.Pairing, pl.Try)
		title := text.Say("{name}, division {division}: {a} and {b}", l.Name, div+1, a.Name, b.Name)
		row := whereRow{Season: l.Season, Division: div, spot: spot{Round: pl.Round, Pairing: pl.Pairing}}
		if pl.Channel, err = f.openPlace(ctx, &l.head, key, title, []bot.PlayerID{a.ID, b.ID}, row); err != nil {
			return err
		}
	}
	o, err := f.opening(ctx, &l.head, bot.Request{Channel: pl.Channel, User: a, Command: "new"})
	if err != nil {
		return err
	}
	open := o.Open
	open.Seats, open.Invited, open.First = 2, []bot.User{b}, a
	cause := fmt.Sprintf("league:%d:%d:%d:%d:%d:%d", l.No, l.Season, div, pl.Round, pl.Pairing, pl.Try)
	for _, step := range []struct {
		who    bot.User
		action game.Action
	}{{a, open}, {b, game.Join{}}} {
		// The draws derive from the platform's ids of the requests to enter.
		if err := f.act(ctx, pl.Channel, cause+":"+l.causeOf(step.who.ID), step.who, step.action); err != nil {
			return fmt.Errorf("open a league's game: %w", err)
		}
	}
	t, err := f.desk.Load(ctx, bot.Request{Channel: pl.Channel})
	if err != nil {
		return err
	}
	// A finished game counts as on until its result is recorded, so a repeated run comes
	// here again.
	on := t.End == nil && t.Phase != game.Lobby && t.Phase != game.NoTable
	if err := f.record(ctx, l, func(l *league) {
		if at := l.Div[div].place(pl.ref()); l.Phase == playing && at != nil && at.Try == pl.Try {
			if on && !at.On {
				l.Div[div].Stale = true // its message lists the game
			}
			at.Channel, at.Table, at.On = pl.Channel, t.ID, on
		}
	}); err != nil || t.End == nil {
		return err
	}
	// The game ended before its place was recorded, so its result found no league.
	return f.gameOver(ctx, bot.Timer{Channel: pl.Channel, Table: t.ID})
}

// act applies an action for a player at a table that opens, once per cause.
func (f *leagues) act(ctx context.Context, ch bot.ChannelID, cause string, who bot.User, action game.Action) error {
	return f.desk.Update(ctx, ch, cause, func(r *feature.Room) (err error) {
		if r.Receipt() != nil {
			return nil
		}
		if r.Env.Secret, err = r.Secret(); err != nil {
			return err
		}
		done, err := r.Judge(bot.Request{ID: r.Env.Cause, Channel: ch, User: who}, feature.Always(action))
		if err != nil {
			return err
		}
		if _, opens := action.(game.Open); opens {
			r.FillSilently(done) // it starts at once, so its lobby is no news
		} else {
			r.FillWhole(done)
		}
		return nil
	})
}

// causeOf returns the id of the request by which a player registered.
func (l *league) causeOf(who game.PlayerID) string {
	if i := l.entryOf([]game.PlayerID{who}); i >= 0 {
		return l.Entries[i].Cause
	}
	return string(who)
}

// gameOver records the result of a finished game.
func (f *leagues) gameOver(ctx context.Context, timer bot.Timer) error {
	row, t, ok, err := f.endedGame(ctx, timer)
	if err != nil || !ok || row.Late {
		return err
	}
	_, err = f.change(ctx, row.No, fmt.Sprintf("over:%d:%d", row.No, t.ID), func(l *league) error {
		if l.Season != row.Season || l.Phase != playing || row.Division >= len(l.Div) {
			return nil
		}
		d := &l.Div[row.Division]
		pl := d.place(row.ref())
		if pl == nil || pl.Channel != t.Channel || pl.Table != 0 && pl.Table != t.ID {
			return nil // another game has been played there since
		}
		p, ok := d.Contest.Game(row.ref())
		if !ok || p.Games[0].Result.Over() {
			return nil
		}
		if r, ok := seasonResult(d.Contest, p, t, f.desk.Now()); ok {
			l.settle(row.Division, row.ref(), r)
		} else { // the game was stopped: they play another
			*pl = leaguePlace{Round: pl.Round, Pairing: pl.Pairing, Try: pl.Try + 1}
		}
		return nil
	})
	return err
}

// seasonResult returns the result of a game of a season. If both players abandoned it,
// the one who used more time loses.
func seasonResult(c *contest.Contest, p *contest.Pairing, t table.Table, now time.Time) (r contest.Result, ok bool) {
	a, b := c.Entrants[p.A-1].Player, c.Entrants[p.B-1].Player
	seats, seated := seatsOf(t, a, b)
	if !seated || len(t.End.Winners) > 0 || t.End.Reason != game.AbandonedEnd {
		return resultOf(a, b, t)
	}
	if used := timeUsed(t.Events, now); used[seats[0]] > used[seats[1]] {
		return contest.Forfeit(contest.A), true
	}
	return contest.Forfeit(contest.B), true
}
