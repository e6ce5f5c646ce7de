package web

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
)

// pageKeys are those of the pages of games.
type pageKeys struct{ games bot.TablePages } // nil where there are none

// find is the page that a key names.
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

// path is where the page of a table is, "" where there are none.
func (k pageKeys) path(ctx context.Context, t bot.TableID) (string, error) {
	if k.games == nil {
		return "", nil
	}
	key, err := k.games.Key(ctx, t)
	return "/g/" + key, err
}
