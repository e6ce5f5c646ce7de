package pages

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

var errNoPage = &Refusal{http.StatusNotFound, text.Say("There's no such game, or it isn't open to you.")}

// Keys finds games' pages by their keys.
type Keys struct {
	Games bot.TablePages // nil if there are none
	Log   *slog.Logger
}

// Find returns the page that a key names.
func (k Keys) Find(ctx context.Context, key string) (bot.Subject, error) {
	if k.Games == nil {
		return bot.Subject{}, errNoPage
	}
	page, err := k.Games.Page(ctx, key)
	if errors.Is(err, bot.ErrNoTable) {
		err = errNoPage
	}
	return page, err
}

// Path returns the path of a table's page, or "" if there are no such pages.
func (k Keys) Path(ctx context.Context, t bot.TableID) (string, error) {
	if k.Games == nil {
		return "", nil
	}
	key, err := k.Games.Key(ctx, t)
	return "/g/" + key, err
}

// anywhere stands for all channels, for pages that show several.
const anywhere = bot.ChannelID("*")

// watch notifies pages of news until ctx is done.
func (k Keys) watch(ctx context.Context, watching *watching) {
	if k.Games == nil {
		return
	}
	hint := func(ch bot.ChannelID) {
		watching.hint(ch)
		watching.hint(anywhere)
	}
	if err := k.Games.Watch(ctx, hint); err != nil && ctx.Err() == nil {
		k.Log.Error("can't watch the tables of pages", "err", err)
	}
}
