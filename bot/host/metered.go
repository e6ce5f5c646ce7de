package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/cost"
	"github.com/rackmate/rackmate/game"
)

// A meteredStore lets requests be measured: while it takes a change in they wait, but for
// what they do inside it. What they read they compute, unless the store is far away: then
// it says itself where they wait.
type meteredStore struct{ bot.Store }

func (s meteredStore) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	m := cost.MeterOf(ctx)
	defer m.Idle()()
	changes := false
	err := s.Store.Update(ctx, ch, request, func(r *bot.Room) error {
		defer m.Busy()()
		err := fn(r)
		changes = len(r.Append)+len(r.Posts)+len(r.Timers) > 0 || r.File != nil
		return err
	})
	if err == nil && changes {
		m.Commit()
	}
	return err
}

func (s meteredStore) Rename(ctx context.Context, t bot.TableID, from game.PlayerID, to game.Person) error {
	m := cost.MeterOf(ctx)
	defer m.Idle()()
	m.Commit()
	return s.Store.Rename(ctx, t, from, to)
}

// meteredNotes are notes of the same kind.
type meteredNotes struct{ bot.Notes }

func (n meteredNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	m := cost.MeterOf(ctx)
	defer m.Idle()()
	m.Commit()
	return n.Notes.Put(ctx, shelf, key, value)
}

func (n meteredNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	m := cost.MeterOf(ctx)
	defer m.Idle()()
	err := n.Notes.Change(ctx, func(r bot.Rows) error {
		defer m.Busy()()
		return fn(r)
	})
	if err == nil {
		m.Commit()
	}
	return err
}
