package web

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
)

// find is the page that a key names.
func (pg *pages) find(ctx context.Context, key string) (bot.Page, error) {
	if pg.games == nil {
		return bot.Page{}, errNoPage
	}
	page, err := pg.games.Page(ctx, key)
	if errors.Is(err, bot.ErrNoTable) {
		err = errNoPage
	}
	return page, err
}

// path is where the page of a table is, "" where there are none.
func (pg *pages) path(ctx context.Context, t bot.TableID) (string, error) {
	if pg.games == nil {
		return "", nil
	}
	key, err := pg.games.Key(ctx, t)
	return "/g/" + key, err
}
