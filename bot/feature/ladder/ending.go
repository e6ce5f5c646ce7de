package ladder

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
)

// Ending adds the players' ratings, and what the game did to them, to how it is summed up. A
// game that isn't counted yet is about to be, so what that will do is told.
func (f *Feature) Ending(ctx context.Context, t table.Table, seat int, e *bot.Ending) error {
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

// resultFor is the result of a finished game, counted or about to be, and who played. It has
// no pool where it goes into no rating.
func (f *Feature) resultFor(ctx context.Context, t table.Table) (r result, players []storedPlayer, err error) {
	r, ok := counted(t, "")
	if !ok || r.Pool == "" {
		return result{}, nil, nil
	}
	f.recorded.Ahead(ctx, shelf.Table(t.ID))
	for _, s := range r.Seats {
		f.players.Ahead(ctx, shelf.Person(s.ID))
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
	if unrated, err := f.Unrated(ctx, t); err != nil || unrated {
		return result{}, nil, err
	}
	rate(append([]storedPlayer(nil), players...), r)
	return r, players, nil
}
