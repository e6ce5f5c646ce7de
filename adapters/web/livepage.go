package web

import (
	"context"
	"errors"
	"slices"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file serves the page of running games, at /live.

// livePages serves the page of running games.
type livePages struct {
	host    bot.Host
	homes   *homes
	keys    pages.Keys
	members *members
	streams *streams
}

// pages returns the page of running games.
func (pg *livePages) pages() bot.Pages {
	return bot.Pages{Path: pages.LivePath, Members: true, Live: true, Show: pg.show}
}

// show lists the games running in channels and in threads beside them, the one where most
// happens first.
func (pg *livePages) show(ctx context.Context, v bot.Visit) (bot.Page, error) {
	var all bot.Games
	channels, err := pg.streams.public(ctx)
	if err != nil {
		return bot.Page{}, err
	}
	for _, s := range channels {
		sight, err := pg.host.Sight(ctx, bot.Request{ID: v.ID, Channel: s.channelID(), User: v.User, Locale: v.Locale})
		if errors.Is(err, bot.ErrNoTable) || err == nil && sight.Phase != "playing" && sight.Phase != "closing" {
			continue
		}
		if err != nil {
			return bot.Page{}, err
		}
		if err := pg.members.nameNow(ctx, &sight); err != nil {
			return bot.Page{}, err
		}
		path, err := pg.keys.Path(ctx, sight.Table)
		if err != nil {
			return bot.Page{}, err
		}
		all = append(all, bot.ListedGame{Path: path, Sight: sight})
	}
	now := pg.homes.now()
	slices.SortStableFunc(all, func(a, b bot.ListedGame) int {
		return interest(b.Sight.Scene, pg.homes.isHere, now) - interest(a.Sight.Scene, pg.homes.isHere, now)
	})
	return bot.Page{Title: text.Say("Games being played"), Blocks: []bot.Block{all}}, nil
}
