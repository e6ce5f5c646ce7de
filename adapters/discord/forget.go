package discord

import (
	"context"
	"errors"
	"strings"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// A keeper exports and erases stored data of people. It is a [bot.Keeper].
type keeper struct {
	notes    bot.Notes
	box      *outbox.Outbox
	launches launches
}

// Kept returns the adapter's data about a person; see [bot.Keeper].
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
	left, err := k.notes.Get(ctx, leftShelf, personLeft(id))
	if err != nil {
		return nil, err
	}
	return map[string]any{"Discord: has taken the application out of the account": left != nil, "Discord: channel of direct messages": string(direct), "Discord: direct messages are closed": closed != nil}, nil
}

// Forget erases a person's data, and their name from the lines to which posts will fold;
// see [bot.Keeper].
func (k *keeper) Forget(ctx context.Context, who, former bot.User) error {
	id, ours := userID(who.ID)
	if !ours {
		return nil
	}
	direct, err := k.notes.Get(ctx, directShelf, string(id))
	if err != nil {
		return err
	}
	if err := k.notes.Put(ctx, leftShelf, personLeft(id), nil); err != nil {
		return err
	}
	for _, shelf := range []string{directShelf, closedShelf} {
		if err := k.notes.Put(ctx, shelf, string(id), nil); err != nil {
			return err
		}
	}
	if err := k.launches.forget(ctx, id); err != nil {
		return err
	}
	return notes.ReadEach(ctx, k.notes, lastShelf, "", func(row bot.Row) error {
		switch {
		case direct != nil && strings.HasPrefix(row.Key, string(direct)+"/"):
			return k.box.Withdraw(ctx, where(snowflake(direct), row.Key))
		case bot.Names(row.Value, who):
			return k.box.Forget(ctx, row.Key, who, former)
		}
		return nil
	})
}

// HomeID returns the host's id of a server such as 1069000000000000001.
func HomeID(guild string) (id string, ok bool) {
	return homeID(snowflake(guild)), snowflake(guild).valid()
}

// ForgetServer removes all data about a server and its channels from Discord's notes.
func ForgetServer(ctx context.Context, n bot.Notes, guild string, channels []bot.ChannelID) error {
	gone := map[string]bool{}
	for _, ch := range channels {
		if id, err := ourChannel(ch); err == nil {
			gone[string(id)] = true
		}
	}
	for _, shelf := range []string{lastShelf, blockedShelf, openedShelf, visitShelf, launchShelf} {
		if err := notes.ReadEach(ctx, n, shelf, "", func(row bot.Row) error {
			of, about, _ := strings.Cut(row.Key, "/") // direct messages about a channel, or a suffix after it
			about, _, _ = strings.Cut(about, "/")
			if gone[of] || gone[about] || gone[string(row.Value)] {
				return n.Put(ctx, shelf, row.Key, nil)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return errors.Join(n.Put(ctx, serversShelf, guild, nil), n.Put(ctx, leftShelf, guild, nil))
}
