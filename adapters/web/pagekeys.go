package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

var errNoPage = &refusal{http.StatusNotFound, text.Say("There's no such game, or it isn't open to you.")}

// pageKeys finds games' pages by their keys.
type pageKeys struct {
	games bot.TablePages // nil if there are none
	log   *slog.Logger
}

// find returns the page that a key names.
func (k pageKeys) find(ctx context.Context, key string) (bot.Subject, error) {
	if k.games == nil {
		return bot.Subject{}, errNoPage
	}
	page, err := k.games.Page(ctx, key)
	if errors.Is(err, bot.ErrNoTable) {
		err = errNoPage
	}
	return page, err
}

// path returns the path of a table's page, or "" if there are no such pages.
func (k pageKeys) path(ctx context.Context, t bot.TableID) (string, error) {
	if k.games == nil {
		return "", nil
	}
	key, err := k.games.Key(ctx, t)
	return "/g/" + key, err
}

// anywhere stands for all channels, for pages that show several.
const anywhere = bot.ChannelID("*")

// watch notifies pages of news until ctx is done.
func (k pageKeys) watch(ctx context.Context, watching *watching) {
	if k.games == nil {
		return
	}
	hint := func(ch bot.ChannelID) {
		watching.hint(ch)
		watching.hint(anywhere)
	}
	if err := k.games.Watch(ctx, hint); err != nil && ctx.Err() == nil {
		k.log.Error("can't watch the tables of pages", "err", err)
	}
}
