package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/cost"
	"github.com/rackmate/rackmate/game"
)

// A meteredStore lets requests be measured: while it works they wait, but for what they
// do inside a change.
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

func (s meteredStore) Table(ctx context.Context, ch bot.ChannelID) (bot.TableID, []game.Event, error) {
	defer cost.MeterOf(ctx).Idle()()
	return s.Store.Table(ctx, ch)
}

func (s meteredStore) Events(ctx context.Context, t bot.TableID, n int) (bot.ChannelID, []game.Event, error) {
	defer cost.MeterOf(ctx).Idle()()
	return s.Store.Events(ctx, t, n)
}

func (s meteredStore) Playing(ctx context.Context, p game.PlayerID) ([]bot.TableID, error) {
	defer cost.MeterOf(ctx).Idle()()
	return s.Store.Playing(ctx, p)
}

func (s meteredStore) Named(ctx context.Context, p game.PlayerID) ([]bot.TableID, error) {
	defer cost.MeterOf(ctx).Idle()()
	return s.Store.Named(ctx, p)
}

func (s meteredStore) Rename(ctx context.Context, t bot.TableID, from game.PlayerID, to game.Person) error {
	m := cost.MeterOf(ctx)
	defer m.Idle()()
	m.Commit()
	return s.Store.Rename(ctx, t, from, to)
}

// meteredNotes are notes of the same kind.
type meteredNotes struct{ bot.Notes }

func (n meteredNotes) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	defer cost.MeterOf(ctx).Idle()()
	return n.Notes.Get(ctx, shelf, key)
}

func (n meteredNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	m := cost.MeterOf(ctx)
	defer m.Idle()()
	m.Commit()
	return n.Notes.Put(ctx, shelf, key, value)
}

func (n meteredNotes) Keys(ctx context.Context, shelf string) ([]string, error) {
	defer cost.MeterOf(ctx).Idle()()
	return n.Notes.Keys(ctx, shelf)
}

func (n meteredNotes) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	defer cost.MeterOf(ctx).Idle()()
	return n.Notes.Scan(ctx, shelf, prefix, after, limit)
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
