package discord

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// Kept is what the adapter keeps of a person; see [bot.Keeper].
func (a *Adapter) Kept(ctx context.Context, who bot.PlayerID) (map[string]any, error) {
	id, ours := userID(who)
	if !ours {
		return nil, nil
	}
	direct, err := a.Notes.Get(ctx, directShelf, string(id))
	if err != nil {
		return nil, err
	}
	closed, err := a.Notes.Get(ctx, closedShelf, string(id))
	if err != nil {
		return nil, err
	}
	return map[string]any{"Discord: channel of direct messages": string(direct), "Discord: direct messages are closed": closed != nil}, nil
}

// Forget removes it, and their name from the lines that posts are to be folded
// to; see [bot.Keeper].
func (a *Adapter) Forget(ctx context.Context, who, former bot.User) error {
	id, ours := userID(who.ID)
	if !ours {
		return nil
	}
	direct, err := a.Notes.Get(ctx, directShelf, string(id))
	if err != nil {
		return err
	}
	for _, shelf := range []string{directShelf, closedShelf} {
		if err := a.Notes.Put(ctx, shelf, string(id), nil); err != nil {
			return err
		}
	}
	return notes.ReadEach(ctx, a.Notes, lastShelf, "", func(row bot.Row) error {
		switch {
		case direct != nil && strings.HasPrefix(row.Key, string(direct)+"/"):
			return a.Notes.Put(ctx, lastShelf, row.Key, nil)
		case bot.Names(row.Value, who):
			return a.forgetIn(ctx, row.Key, who, former)
		}
		return nil
	})
}

func (a *Adapter) forgetIn(ctx context.Context, about string, who, former bot.User) error {
	defer a.posting.lock(about)()
	return a.changeLast(ctx, about, func(now *lastPost) error {
		for p := now; p != nil; p = p.Folding {
			p.Line = p.Line.Without(who, former)
		}
		return nil
	})
}
