package web

import (
	"context"
	"errors"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// showRunning makes the page of the games running in channels and in threads beside them, the
// most interesting first.
func (hs *homes) showRunning(ctx context.Context, v bot.Visit) (bot.Page, error) {
	var all bot.Games
	channels, err := hs.streams.publicStreams(ctx)
	if err != nil {
		return bot.Page{}, err
	}
	for _, s := range channels {
		sight, err := hs.host.Sight(ctx, bot.Request{ID: v.ID, Channel: s.channelID(), User: v.User, Locale: v.Locale})
		if errors.Is(err, bot.ErrNoTable) || err == nil && sight.Phase != "playing" && sight.Phase != "closing" {
			continue
		}
		if err != nil {
			return bot.Page{}, err
		}
		if err := hs.members.nameNow(ctx, &sight); err != nil {
			return bot.Page{}, err
		}
		path, err := hs.keys.Path(ctx, sight.Table)
		if err != nil {
			return bot.Page{}, err
		}
		all = append(all, bot.ListedGame{Path: path, Sight: sight})
	}
	now := hs.now()
	slices.SortStableFunc(all, func(a, b bot.ListedGame) int {
		return interest(b.Sight.Scene, hs.isHere, now) - interest(a.Sight.Scene, hs.isHere, now)
	})
	return bot.Page{Title: text.Say("Games being played"), Blocks: []bot.Block{all}}, nil
}
