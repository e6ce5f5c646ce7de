package discord

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// A keeper knows what is kept of people. It is a [bot.Keeper].
type keeper struct {
	notes  bot.Notes
	latest *latest
}

// Kept is what the adapter keeps of a person; see [bot.Keeper].
func (k *keeper) Kept(ctx context.Context, who bot.PlayerID) (map[string]any, error) {
	id, ours := userID(who)
	if !ours {
		return nil, nil
	}
	direct, err := k.notes.Get(ctx, directShelf, string(id))
	if err != nil {
		return nil, err
	}
	closed, err := k.notes.Get(ctx, closedShelf, string(id))
	if err != nil {
		return nil, err
	}
	return map[string]any{"Discord: channel of direct messages": string(direct), "Discord: direct messages are closed": closed != nil}, nil
}

// Forget removes it, and their name from the lines that posts are to be folded
// to; see [bot.Keeper].
func (k *keeper) Forget(ctx context.Context, who, former bot.User) error {
	id, ours := userID(who.ID)
	if !ours {
		return nil
	}
	direct, err := k.notes.Get(ctx, directShelf, string(id))
	if err != nil {
		return err
	}
	for _, shelf := range []string{directShelf, closedShelf} {
		if err := k.notes.Put(ctx, shelf, string(id), nil); err != nil {
			return err
		}
	}
	return notes.ReadEach(ctx, k.notes, lastShelf, "", func(row bot.Row) error {
		switch {
		case direct != nil && strings.HasPrefix(row.Key, string(direct)+"/"):
			return k.notes.Put(ctx, lastShelf, row.Key, nil)
		case bot.Names(row.Value, who):
			return k.forgetIn(ctx, row.Key, who, former)
		}
		return nil
	})
}

func (k *keeper) forgetIn(ctx context.Context, about string, who, former bot.User) error {
	defer k.latest.lock(about)()
	return k.latest.change(ctx, about, func(now *lastPost) error {
		for p := now; p != nil; p = p.Folding {
			p.Line = p.Line.Without(who, former)
		}
		return nil
	})
}
