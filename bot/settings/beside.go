package settings

import (
	"cmp"
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
)

// This file knows which places were opened beside channels, such as threads, and the
// tables in them.

// Beside is the channel beside which a thread was opened, "" for what is no
// thread of ours.
func (s *Settings) Beside(ctx context.Context, ch bot.ChannelID) (bot.ChannelID, error) {
	beside, _, err := s.asides.Get(ctx, shelf.Channel(ch))
	return bot.ChannelID(beside), err
}

// KeepBeside notes the channel beside which a thread was opened.
func (s *Settings) KeepBeside(ctx context.Context, thread, ch bot.ChannelID) error {
	return s.asides.Put(ctx, shelf.Channel(thread), shelf.Raw(ch))
}

// Threads are the threads that were opened beside a channel.
func (s *Settings) Threads(ctx context.Context, ch bot.ChannelID) (all []bot.ChannelID, err error) {
	err = s.asides.Each(ctx, func(thread shelf.Channel, beside shelf.Raw) error {
		if string(beside) == string(ch) {
			all = append(all, bot.ChannelID(thread))
		}
		return nil
	})
	return all, err
}

// OpenChannel is the channel that people talk in: the one beside which a thread is, or
// the channel itself.
func (s *Settings) OpenChannel(ctx context.Context, ch bot.ChannelID) (bot.ChannelID, error) {
	beside, err := s.Beside(ctx, ch)
	return cmp.Or(beside, ch), err
}

// storedRunning are the tables beside a channel that aren't over, oldest first.
type storedRunning struct {
	V      int           `json:"v"` // 1
	Tables []bot.TableID `json:"tables"`
}

// RunningBeside lists the tables beside a channel that aren't over, oldest first.
func (s *Settings) RunningBeside(ctx context.Context, ch bot.ChannelID) ([]bot.TableID, error) {
	r, _, err := s.running.Get(ctx, shelf.Channel(ch))
	return r.Tables, err
}

// KeepRunning notes whether a table beside a channel is still to be played.
func (s *Settings) KeepRunning(ctx context.Context, ch bot.ChannelID, t bot.TableID, runs bool) error {
	return s.running.Change(ctx, shelf.Channel(ch), func(r *storedRunning) (keep bool, err error) {
		r.V = 1
		r.Tables = slices.DeleteFunc(r.Tables, func(id bot.TableID) bool { return id == t })
		if runs {
			r.Tables = append(r.Tables, t)
			slices.Sort(r.Tables)
		}
		return len(r.Tables) > 0, nil
	})
}
