package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/cost"
	"github.com/rackmate/rackmate/game"
)

// A meteredStore counts the changes that requests make. Where they wait a store says
// itself, to the meter of their context: one that has all in memory makes nobody wait.
type meteredStore struct{ bot.Store }

func (s meteredStore) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	changes := false
	err := s.Store.Update(ctx, ch, request, func(r *bot.Room) error {
		err := fn(r)
		changes = len(r.Append)+len(r.Posts)+len(r.Timers) > 0 || r.File != nil
		return err
	})
	if err == nil && changes {
		cost.MeterOf(ctx).Commit()
	}
	return err
}

func (s meteredStore) Rename(ctx context.Context, t bot.TableID, from game.PlayerID, to game.Person) error {
	cost.MeterOf(ctx).Commit()
	return s.Store.Rename(ctx, t, from, to)
}

// meteredNotes are notes of the same kind.
type meteredNotes struct{ bot.Notes }

func (n meteredNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	cost.MeterOf(ctx).Commit()
	return n.Notes.Put(ctx, shelf, key, value)
}

func (n meteredNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	err := n.Notes.Change(ctx, fn)
	if err == nil {
		cost.MeterOf(ctx).Commit()
	}
	return err
}
