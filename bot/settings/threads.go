package settings

import (
	"cmp"
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
)

// threadIndex stores the parent channels of threads, and the tables running in a channel's
// threads.
type threadIndex struct {
	beside  *shelf.Shelf[shelf.Channel, shelf.Raw]
	running *shelf.Shelf[shelf.Channel, storedRunning]
}

func openAsides(own *shelf.Owner) threadIndex {
	return threadIndex{
		beside:  shelf.Open(own, "asides", shelf.Spec[shelf.Channel, shelf.Raw]{Why: "the channel beside which a thread was opened: its settings are the thread's"}),
		running: shelf.Open(own, "running", shelf.Spec[shelf.Channel, storedRunning]{Why: "the tables beside a channel at which a game is on, or about to be"}),
	}
}

// Parent returns the parent channel of a thread that the host opened, or "" for other
// channels.
func (a threadIndex) Parent(ctx context.Context, ch bot.ChannelID) (bot.ChannelID, error) {
	beside, _, err := a.beside.Get(ctx, shelf.Channel(ch))
	return bot.ChannelID(beside), err
}

// KeepBeside stores the parent channel of a thread.
func (a threadIndex) KeepBeside(ctx context.Context, thread, ch bot.ChannelID) error {
	return a.beside.Put(ctx, shelf.Channel(thread), shelf.Raw(ch))
}

// Threads returns the threads opened in a channel.
func (a threadIndex) Threads(ctx context.Context, ch bot.ChannelID) (all []bot.ChannelID, err error) {
	err = a.beside.Each(ctx, func(thread shelf.Channel, beside shelf.Raw) error {
		if string(beside) == string(ch) {
			all = append(all, bot.ChannelID(thread))
		}
		return nil
	})
	return all, err
}

// OpenChannel returns a thread's parent channel, or the channel itself if it isn't a
// thread.
func (a threadIndex) OpenChannel(ctx context.Context, ch bot.ChannelID) (bot.ChannelID, error) {
	beside, err := a.Parent(ctx, ch)
	return cmp.Or(beside, ch), err
}

// storedRunning lists the unfinished tables in a channel's threads, oldest first.
type storedRunning struct {
	V      int           `json:"v"` // format version: 1
	Tables []bot.TableID `json:"tables"`
}

// RunningInThreads lists the unfinished tables in a channel's threads, oldest first.
func (a threadIndex) RunningInThreads(ctx context.Context, ch bot.ChannelID) ([]bot.TableID, error) {
	r, _, err := a.running.Get(ctx, shelf.Channel(ch))
	return r.Tables, err
}

// KeepRunning records whether a table in a channel's threads is still unfinished.
func (a threadIndex) KeepRunning(ctx context.Context, ch bot.ChannelID, t bot.TableID, runs bool) error {
	return a.running.Change(ctx, shelf.Channel(ch), func(r *storedRunning) (keep bool, err error) {
		r.V = 1
		r.Tables = slices.DeleteFunc(r.Tables, func(id bot.TableID) bool { return id == t })
		if runs {
			r.Tables = append(r.Tables, t)
			slices.Sort(r.Tables)
		}
		return len(r.Tables) > 0, nil
	})
}
