package web

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// This file lets the room's keepers rename, archive, restore and remove channels.

// channelAdmin changes channels for the room's keepers.
type channelAdmin struct {
	host      bot.Host
	notes     bot.Notes
	now       func() time.Time
	log       *slog.Logger
	listeners *listeners
}

// A channelInfo is a channel as the room's keepers see it.
type channelInfo struct {
	ID       stream `json:"id"`
	Name     string `json:"name"` // current name
	Archived bool   `json:"archived,omitempty"`
}

var errKeepersOnly = pages.Refuse("Only the room's keepers can do that.")

// listChannels lists the channels, archived ones too.
func (ca *channelAdmin) listChannels(ctx context.Context, who person, _ struct{}) (any, error) {
	if !who.Keeper {
		return nil, errKeepersOnly
	}
	out := []channelInfo{}
	err := notes.ReadEachOf(ctx, ca.notes, channelsShelf, "", func(id string, c storedChannel) error {
		out = append(out, channelInfo{stream(id), c.name(id), !c.Archived.IsZero()})
		return nil
	})
	return map[string]any{"channels": out}, err
}

// change carries out a keeper's change: it renames, archives or restores a channel, or removes
// it with its messages.
func (ca *channelAdmin) change(ctx context.Context, who person, in struct {
	Stream string `json:"stream"`
	Do     string `json:"do"`   // rename, archive, restore or remove
	Name   string `json:"name"` // for rename
}) (any, error) {
	s := stream(in.Stream)
	if !who.Keeper {
		return nil, errKeepersOnly
	}
	if s == general && in.Do != "rename" {
		return nil, pages.Refuse("The first channel has to stay: it's where everybody comes in.")
	}
	name, err := in.Name, error(nil)
	if in.Do == "rename" {
		if name, err = cleanChannelName(name); err != nil {
			return nil, err
		}
	} else if err = ca.checkUnused(ctx, s); err != nil && in.Do != "restore" {
		return nil, err
	}
	switch in.Do {
	case "rename":
		err = ca.edit(ctx, s, func(rows bot.Rows, c *storedChannel) error {
			c.Name = name
			return checkNameFree(rows, name, s)
		})
	case "archive":
		err = ca.edit(ctx, s, func(_ bot.Rows, c *storedChannel) error { c.Archived = ca.now(); return nil })
	case "restore":
		err = ca.edit(ctx, s, func(_ bot.Rows, c *storedChannel) error { c.Archived = time.Time{}; return nil })
	case "remove":
		err = ca.remove(ctx, s)
	default:
		return nil, pages.ErrUnread
	}
	if err != nil {
		return nil, err
	}
	ca.log.Info("web channel changed", "channel", s.channelID(), "did", in.Do, "player", who.player())
	ca.listeners.publish(general, "channel", map[string]any{"id": s, "name": name, "gone": in.Do == "archive" || in.Do == "remove"})
	return struct{}{}, nil
}

// checkUnused returns an error if a game is on in the channel, since its players would lose it.
func (ca *channelAdmin) checkUnused(ctx context.Context, s stream) error {
	sight, err := ca.host.Sight(ctx, bot.Request{Channel: s.channelID(), Home: pages.Home})
	if errors.Is(err, bot.ErrNoTable) || err == nil && sight.Phase == "over" {
		return nil
	}
	if err == nil {
		err = pages.Refuse("There's a game in that channel. Wait until it's over, or end it first.")
	}
	return err
}

func (ca *channelAdmin) edit(ctx context.Context, s stream, do func(bot.Rows, *storedChannel) error) error {
	return ca.notes.Change(ctx, func(rows bot.Rows) error {
		return notes.Edit(rows, channelsShelf, string(s), errNoStream, func(c *storedChannel) error { return do(rows, c) })
	})
}

// remove removes a channel and its messages.
func (ca *channelAdmin) remove(ctx context.Context, s stream) error {
	// This also finds archived channels.
	if err := ca.edit(ctx, s, func(bot.Rows, *storedChannel) error { return nil }); err != nil {
		return err
	}
	if err := ca.host.ChannelGone(ctx, s.channelID()); err != nil {
		return err
	}
	if err := dropLines(ctx, ca.notes, s); err != nil {
		return err
	}
	return ca.notes.Put(ctx, channelsShelf, string(s), nil)
}
