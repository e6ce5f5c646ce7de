package ladder

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
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
	r, ok := counted(t, "")
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
