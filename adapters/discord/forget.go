package discord

import (
	"cmp"
	"context"
	"strings"
	"time"

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
			return k.box.Withdraw(ctx, placeOf(snowflake(direct), row.Key))
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

// CountNotes counts Discord's notes about a server and its channels, and the posts of
// unfinished games among them.
func CountNotes(ctx context.Context, n bot.Notes, guild string, channels []bot.ChannelID) (boards, rows int, err error) {
	err = eachOfServer(ctx, n, guild, channels, func(shelf string, row bot.Row) error {
		rows++
		live, err := unfinished(ctx, n, shelf, row)
		boards += len(live)
		return err
	})
	return boards, rows, err
}

// ForgetServer removes all data about a server and its channels from Discord's notes. The
// posts of unfinished games are deleted as soon as a host is connected.
func ForgetServer(ctx context.Context, n bot.Notes, guild string, channels []bot.ChannelID) error {
	return eachOfServer(ctx, n, guild, channels, func(shelf string, row bot.Row) error {
		live, err := unfinished(ctx, n, shelf, row)
		if err != nil {
			return err
		}
		for _, post := range live {
			if err := n.Put(ctx, withdrawnShelf, post, []byte{1}); err != nil {
				return err
			}
		}
		return n.Put(ctx, shelf, row.Key, nil)
	})
}

// eachOfServer calls fn for each of Discord's notes about a server and its channels.
func eachOfServer(ctx context.Context, n bot.Notes, guild string, channels []bot.ChannelID, fn func(shelf string, row bot.Row) error) error {
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
				return fn(shelf, row)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	for _, shelf := range []string{serversShelf, leftShelf} {
		b, err := n.Get(ctx, shelf, guild)
		if err == nil && b != nil {
			err = fn(shelf, bot.Row{Key: guild, Value: b})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// withdrawnShelf names, by channel and message, posts in forgotten servers that are still
// to be deleted.
const withdrawnShelf = "withdrawn"

// unfinished returns the posts of an entry that only make sense while a game goes on, as keys of
// withdrawnShelf: its board, the call in its thread, and posts to delete or fold.
func unfinished(ctx context.Context, n bot.Notes, shelf string, row bot.Row) (posts []string, err error) {
	if shelf != lastShelf {
		return nil, nil
	}
	box := outbox.Outbox{Platform: &poster{}, Notes: n, Shelf: lastShelf}
	e, err := box.Entry(ctx, row.Key)
	if err != nil {
		return nil, nil // unreadable, and about to be removed
	}
	all := append([]outbox.Post{e.Latest}, e.Old...)
	if e.Call != nil {
		all = append(all, *e.Call)
	}
	channel, _, _ := strings.Cut(row.Key, "/")
	for i, p := range all {
		if live := i > 0 || p.Live != "" || p.Role != outbox.Latest || len(p.Line) > 0; p.ID != "" && p.By == nil && live {
			posts = append(posts, cmp.Or(p.In, channel)+"/"+p.ID)
		}
	}
	return posts, nil
}

// betweenWithdrawals is the interval between searches for posts to withdraw.
const betweenWithdrawals = 10 * time.Second

// withdraw deletes posts in forgotten servers until ctx is done.
func (o *poster) withdraw(ctx context.Context) {
	for {
		if err := notes.ReadEach(ctx, o.Notes, withdrawnShelf, "", func(row bot.Row) error {
			channel, id, _ := strings.Cut(row.Key, "/")
			err := o.Delete(ctx, outbox.Place{ID: channel}, outbox.Post{ID: id})
			if err != nil && !isLastingRefusal(err) {
				return err
			}
			return o.Notes.Put(ctx, withdrawnShelf, row.Key, nil)
		}); err != nil && ctx.Err() == nil {
			o.Log.Warn("can't withdraw posts of a forgotten server; trying again", "error", err)
		}
		if o.after.sleep(ctx, betweenWithdrawals) != nil {
			return
		}
	}
}
