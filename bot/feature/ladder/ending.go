package ladder

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// rateEnding adds the players' ratings, and their changes, to the summary of a finished
// game. If the game hasn't been counted yet, it computes the ratings that counting will
// give.
func (f *Feature) rateEnding(ctx context.Context, t table.Table, seat int, sight *bot.Sight) error {
	e := sight.Ending
	if e == nil {
		return nil
	}
	r, players, err := f.resultFor(ctx, t)
	if err != nil || r.Pool == "" {
		return err
	}
	for i, p := range e.Players {
		if s := r.Seats[p.Seat]; s.To != 0 && (!players[p.Seat].Hidden || p.Seat == seat) {
			e.Players[i].Rating, e.Players[i].Change = s.To, s.To-s.From
		}
	}
	return nil
}

// addToResult returns the series between the two players of a finished game, and the winner's place
// on the month's leaderboard. It counts the game even if that hasn't been recorded yet.
func (f *Feature) addToResult(ctx context.Context, t table.Table) (text.Text, error) {
	home, err := f.settings.HomeOf(ctx, t.Channel)
	if err != nil {
		return nil, err
	}
	r, ok := countGame(t, home)
	if !ok || r.Early {
		return nil, nil
	}
	if unrated, err := f.isUnrated(ctx, t); err != nil || unrated {
		return nil, err
	}
	_, recorded, err := f.recorded.Get(ctx, shelf.Table(t.ID))
	if err != nil {
		return nil, err
	}
	series, err := f.series(ctx, r, recorded)
	if err != nil {
		return nil, err
	}
	place, err := f.monthPlace(ctx, r, recorded)
	return text.Sentences(series, place), err
}

// series returns how many games the two players of a result have won against each other, or nil for
// their first game.
func (f *Feature) series(ctx context.Context, r result, recorded bool) (text.Text, error) {
	if len(r.Seats) != 2 {
		return nil, nil
	}
	a, b := r.Seats[0], r.Seats[1]
	v, _, err := f.versus.Get(ctx, shelf.Both(shelf.Person(a.ID), shelf.Person(b.ID)))
	if err != nil {
		return nil, err
	}
	switch {
	case recorded:
	case a.Place < b.Place:
		v.Wins++
	case a.Place > b.Place:
		v.Losses++
	default:
		v.Ties++
	}
	if v.Losses > v.Wins {
		a, b, v.Wins, v.Losses = b, a, v.Losses, v.Wins
	}
	n := v.Wins + v.Losses + v.Ties
	switch {
	case n < 2:
		return nil, nil
	case v.Wins == v.Losses:
		return text.Say("Their {n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} game: {won} all.", n, v.Wins), nil
	}
	return text.Say("Their {n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} game: {won} to {lost} for {who}.", n, v.Wins, v.Losses, text.PlainName(game.Person{ID: a.ID, Name: a.Name})), nil
}

// monthPlace returns the place of a result's only winner on the month's leaderboard of their home,
// or nil if they aren't on it.
func (f *Feature) monthPlace(ctx context.Context, r result, recorded bool) (text.Text, error) {
	i := slices.IndexFunc(r.Seats, func(s seatResult) bool { return s.Place == 1 })
	if i < 0 || r.Seats[i].Ties > 0 || r.Home == "" {
		return nil, nil
	}
	winner := r.Seats[i]
	all, err := f.standings(ctx, monthScope(r.Home, r.Ended))
	if err != nil {
		return nil, err
	}
	if !recorded {
		for _, s := range r.Seats {
			k := slices.IndexFunc(all, func(o leaderboardEntry) bool { return o.id == s.ID })
			if k < 0 {
				p, _, err := f.players.Get(ctx, shelf.Person(s.ID))
				if err != nil {
					return nil, err
				}
				if p.Hidden {
					continue
				}
				k, all = len(all), append(all, leaderboardEntry{id: s.ID, storedPlayer: storedPlayer{Name: s.Name}})
			}
			all[k].tally.Total.add(s.feats)
		}
	}
	sortByWins(all)
	place := 1 + slices.IndexFunc(all, func(s leaderboardEntry) bool { return s.id == winner.ID })
	if place == 0 || len(all) < 3 {
		return nil, nil
	}
	return text.Say("{who} is {place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} this month.", text.PlainName(game.Person{ID: winner.ID, Name: winner.Name}), place), nil
}

// isUnrated reports whether a game counts for nothing for a reason outside its rules: another feature
// says so, or one person had two of its seats by linked accounts.
func (f *Feature) isUnrated(ctx context.Context, t table.Table) (bool, error) {
	if unrated, err := f.Unrated(ctx, t); err != nil || unrated {
		return unrated, err
	}
	for i, seat := range t.Seats {
		ids, err := f.desk.Identities(ctx, seat.Person.ID)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(t.Seats[:i], func(s game.Seat) bool { return slices.Contains(ids, s.Person.ID) }) {
			return true, nil
		}
	}
	return false, nil
}

// resultFor returns a finished game's result, counted or about to be, and its players. The
// result has no pool if the game isn't rated.
func (f *Feature) resultFor(ctx context.Context, t table.Table) (r result, players []storedPlayer, err error) {
	r, ok := countGame(t, "")
	if !ok || r.Pool == "" || r.Early {
		return result{}, nil, nil
	}
	key, done, err := f.recorded.Get(ctx, shelf.Table(t.ID))
	if err != nil {
		return result{}, nil, err
	}
	for _, s := range r.Seats {
		p, _, err := f.players.Get(ctx, shelf.Person(s.ID))
		if err != nil {
			return result{}, nil, err
		}
		players = append(players, p)
	}
	if done {
		kept, found, err := f.results.Get(ctx, shelf.Mark(key))
		if err != nil || !found {
			return result{}, nil, err
		}
		return kept, players, nil
	}
	if unrated, err := f.isUnrated(ctx, t); err != nil || unrated {
		return result{}, nil, err
	}
	rate(append([]storedPlayer(nil), players...), r)
	return r, players, nil
}
